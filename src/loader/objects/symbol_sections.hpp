#pragma once

#include <gelf.h>
#include <libelf.h>

#include <cstddef>
#include <unordered_map>

namespace salu::loader {

/// Tells the sections of symbols. Numbers from SHN_LORESERVE on stand in tables of their own (SHT_SYMTAB_SHNDX).
class SymbolSections {
 public:
  /// To be told of every section of an ELF file before anything is asked.
  void see(Elf_Scn* section, const GElf_Shdr& header) {
    if (header.sh_type == SHT_SYMTAB_SHNDX) numbers_[header.sh_link] = section;
  }

  /// The section of a symbol, the one with a number in a table; 0 for none. What else is reserved is no section: that
  /// of AMDGPU are variables in LDS, which has no address here.
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
