#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What an ELF code object of LLVM's AMDGPU target holds, as it stands in the file.
namespace salu::loader {

/// A section that is loaded (SHF_ALLOC), in file order.
struct ElfSection {
  std::string name;
  std::size_t number = 0;  ///< in the section table
  u64 address = 0;         ///< sh_addr: zero in a relocatable object
  u64 size_bytes = 0;
  u64 alignment_bytes = 1;       ///< a power of two
  bool is_code = false;          ///< SHF_EXECINSTR with contents
  Access access = Access::read;  ///< SHF_WRITE; code is never writable
  std::string_view bytes;        ///< contents inside the file's bytes; none for SHT_NOBITS
};

/// A PT_LOAD segment of a shared object.
struct ElfSegment {
  u64 address = 0;     ///< p_vaddr
  u64 size_bytes = 0;  ///< p_memsz; what `bytes` does not cover is zero
  Access access = Access::read;
  bool is_executable = false;
  std::string_view bytes;  ///< contents inside the file's bytes
};

struct ElfSymbol {
  enum class Kind : u8 {
    undefined,
    absolute,  ///< `value` itself
    common,    ///< to be made wherever there is room; `value` is its alignment, a power of two (SHN_COMMON)
    defined,   ///< in `section`
  };
  std::string name;
  Kind kind = Kind::defined;
  std::size_t section = 0;  ///< index into `ElfImage::sections` of a defined one
  u64 value = 0;            ///< offset in the section of a relocatable object, else a virtual address
  u64 size_bytes = 0;
  bool is_function = false;       ///< STT_FUNC
  bool is_kernel_header = false;  ///< STT_AMDGPU_HSA_KERNEL: names a `KernelCodeHeader`, behind which the code is
  bool is_weak = false;
  bool is_section = false;  ///< STT_SECTION: stands for the section as a whole
};

struct ElfRelocation {
  std::optional<std::size_t> section;  ///< that it patches; none: `offset` is a virtual address
  u64 offset = 0;
  u32 type = 0;  ///< R_AMDGPU_...
  i64 addend = 0;
  std::optional<ElfSymbol> symbol;  ///< none for symbol number 0; a section's symbol has the section's name
};

/// A note of a SHT_NOTE section, such as the metadata of code objects (name `AMDGPU`, type 32, MessagePack).
struct ElfNote {
  std::string name;
  u32 type = 0;
  std::string bytes;  ///< its descriptor
};

struct ElfImage {
  const Target* target = nullptr;  ///< the processor that it is for; null when it does not say
  bool relocatable = false;        ///< .o; otherwise a shared object
  u8 os_abi = 0;                   ///< EI_OSABI: 64 for amdhsa, 65 for amdpal, 66 for mesa3d
  u32 code_object_version = 0;     ///< 2 to 6 for amdhsa, else 0
  u32 flags = 0;                   ///< e_flags
  std::vector<ElfSection> sections;
  std::vector<ElfSegment> segments;           ///< of a shared object, by address, apart from each other
  std::vector<ElfSymbol> symbols;             ///< those with a name that are defined in `sections`, or common
  std::vector<std::string> absolute_symbols;  ///< names of those that are numbers, and no places (SHN_ABS)
  std::vector<ElfRelocation> relocations;     ///< of `sections`, or of the segments
  std::vector<ElfNote> notes;
  bool has_source_lines = false;  ///< there is a .debug_line
};

/// True when the bytes start as an ELF file.
bool is_elf(std::string_view bytes);

/// Reads an object. Rejects what is no 64-bit little-endian ELF file for AMDGPU, what is truncated or damaged, and
/// processors that are not gfx6 to gfx9. `bytes` has to outlive the image. `file` is for messages.
ElfImage read_elf(std::string_view bytes, const std::string& file);

}  // namespace salu::loader
