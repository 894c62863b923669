#pragma once

#include <gelf.h>
#include <libelf.h>

#include <cstddef>
#include <unordered_map>

namespace salu::loader {

/// Finds the sections of symbols. Section numbers from SHN_LORESERVE on are in separate tables (SHT_SYMTAB_SHNDX).
class SymbolSections {
 public:
  /// Registers a section. Must be called for all sections of an ELF file before `section_of`.
  void see(Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_SYMTAB_SHNDX) numbers_[header.sh_link] = section;
  }

  /// Returns the section of symbol `number` in a table; 0 if it has none. Other reserved numbers are not sections:
  /// AMDGPU uses one for variables in LDS, which have no address here.
  [[nodiscard]] std::size_t section_of(Elf_Scn* table, const GElf_Sym& symbol, std::size_t number) const {
    if (symbol.st_shndx < SHN_LORESERVE) return symbol.st_shndx;
    const auto numbers = numbers_.find(elf_ndxscn(table));
    Elf_Data* const data = numbers == numbers_.end() ? nullptr : elf_getdata(numbers->second, nullptr);
    if (symbol.st_shndx != SHN_XINDEX || data == nullptr) return 0;
    GElf_Sym again{};
    Elf32_Word section = 0;
    const GElf_Sym* const found =
        gelf_getsymshndx(elf_getdata(table, nullptr), data, static_cast<int>(number), &again, &section);
    return found == nullptr ? 0 : section;
  }

 private:
  std::unordered_map<std::size_t, Elf_Scn*> numbers_;  ///< by the number of the table of symbols
};

}  // namespace salu::loader
