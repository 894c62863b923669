#pragma once

#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The contents of an ELF code object of LLVM's AMDGPU target, as in the file.
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
  std::string_view bytes;        ///< contents, within the file's bytes; empty for SHT_NOBITS
};

/// A PT_LOAD segment of a shared object.
struct ElfSegment {
  u64 address = 0;     ///< p_vaddr
  u64 size_bytes = 0;  ///< p_memsz; the part not covered by `bytes` is zero
  Access access = Access::read;
  bool is_executable = false;
  std::string_view bytes;  ///< contents, within the file's bytes
};

struct ElfSymbol {
  enum class Kind : u8 {
    undefined,
    absolute,  ///< `value` itself
    common,    ///< to be allocated; `value` is its alignment, a power of two (SHN_COMMON)
    defined,   ///< in `section`
  };
  std::string name;
  Kind kind = Kind::defined;
  std::size_t section = 0;  ///< of a defined symbol: index into `ElfImage::sections`
  u64 value = 0;            ///< relocatable object: offset in the section; otherwise: virtual address
  u64 size_bytes = 0;
  bool is_function = false;       ///< STT_FUNC
  bool is_kernel_header = false;  ///< STT_AMDGPU_HSA_KERNEL: names a `KernelCodeHeader`, which precedes the code
  bool is_weak = false;
  bool is_section = false;  ///< STT_SECTION: the section as a whole
};

struct ElfRelocation {
  std::optional<std::size_t> section;  ///< the patched section; empty: `offset` is a virtual address
  u64 offset = 0;
  u32 type = 0;  ///< R_AMDGPU_...
  i64 addend = 0;
  std::optional<ElfSymbol> symbol;  ///< empty for symbol number 0; a section symbol has the name of the section
};

/// A note of a SHT_NOTE section, such as the metadata of code objects (name `AMDGPU`, type 32, MessagePack).
struct ElfNote {
  std::string name;
  u32 type = 0;
  std::string bytes;  ///< its descriptor
};

struct ElfImage {
  const Target* target = nullptr;  ///< the processor; null if not specified
  bool relocatable = false;        ///< .o; otherwise a shared object
  u8 os_abi = 0;                   ///< EI_OSABI: 64 for amdhsa, 65 for amdpal, 66 for mesa3d
  u32 code_object_version = 0;     ///< 2 to 6 for amdhsa, else 0
  u32 flags = 0;                   ///< e_flags
  std::vector<ElfSection> sections;
  std::vector<ElfSegment> segments;           ///< of a shared object, by address, without overlaps
  std::vector<ElfSymbol> symbols;             ///< named symbols that are common or defined in `sections`
  std::vector<std::string> absolute_symbols;  ///< names of symbols that are numbers, not addresses (SHN_ABS)
  std::vector<ElfRelocation> relocations;     ///< in `sections`, or in the segments
  std::vector<ElfNote> notes;
  bool has_source_lines = false;  ///< it has a .debug_line section
};

/// True if the bytes start like an ELF file.
bool is_elf(std::string_view bytes);

/// Reads an object. Rejects files that are not 64-bit little-endian ELF files for AMDGPU, truncated or damaged files,
/// and processors other than gfx6 to gfx9. `bytes` must outlive the image. `file` is for messages.
ElfImage read_elf(std::string_view bytes, const std::string& file);

}  // namespace salu::loader
