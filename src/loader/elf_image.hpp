#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What an ELF code object of LLVM's AMDGPU target holds, as far as code is concerned.
namespace salu::loader {

/// A section that is loaded (SHF_ALLOC), in file order.
struct ElfSection {
  std::string name;
  u64 address = 0;  ///< sh_addr: zero in a relocatable object
  u64 size_bytes = 0;
  u64 alignment_bytes = 1;  ///< a power of two
  bool is_code = false;     ///< SHF_EXECINSTR with contents
  std::string_view bytes;   ///< contents of a code section, inside the file's bytes
};

struct ElfSymbol {
  std::string name;
  std::size_t section = 0;  ///< index into `ElfImage::sections`
  u64 value = 0;            ///< offset in the section of a relocatable object, else a virtual address
  u64 size_bytes = 0;
  bool is_function = false;  ///< STT_FUNC
};

struct ElfRelocation {
  std::optional<std::size_t> section;  ///< that it patches; none: `offset` is a virtual address
  u64 offset = 0;
  u32 type = 0;
  std::string symbol;
};

struct ElfImage {
  const Target* target = nullptr;  ///< the processor that e_flags names
  bool relocatable = false;        ///< .o; otherwise a shared object
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;  ///< those defined in `sections`
  std::vector<ElfRelocation> relocations;
};

/// True when the bytes start as an ELF file.
bool is_elf(std::string_view bytes);

/// Reads an object. Rejects what is no 64-bit little-endian ELF file for AMDGPU, what is damaged, and processors that
/// are not gfx6 to gfx9. `bytes` has to outlive the image. `file` is for messages.
ElfImage read_elf(std::string_view bytes, const std::string& file);

/// `R_AMDGPU_REL32_LO` and so on; the number when it has no name (LLVM AMDGPUUsage, relocation records).
std::string relocation_name(u32 type);

}  // namespace salu::loader
