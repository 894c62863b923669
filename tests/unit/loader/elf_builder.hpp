#pragma once

#include <salu/integer.hpp>

#include <elf.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace salu::test {

/// Writes small ELF files in LLVM's layout, so that tests do not need a compiler and can damage any byte. A shared
/// object (`type`) gets a segment for each loaded section.
class ElfBuilder {
 public:
  u16 type = ET_REL;
  u16 machine = 224;  ///< EM_AMDGPU
  u32 flags = 0x2c;   ///< EF_AMDGPU_MACH_AMDGCN_GFX900
  u8 os_abi = ELFOSABI_NONE;
  u8 abi_version = 0;
  u8 elf_class = ELFCLASS64;
  u8 byte_order = ELFDATA2LSB;

  struct Section {
    std::string name;
    u32 type = SHT_PROGBITS;
    u64 flags = SHF_ALLOC | SHF_EXECINSTR;
    u64 address = 0;
    u64 alignment = 4;
    std::string bytes;
    u32 link = 0;
    u32 info = 0;
    u64 entry_size = 0;
  };

  /// Adds a section of instruction words; returns its number.
  u16 add_code(const std::string& name, const std::vector<u32>& words, u64 alignment = 4, u64 address = 0) {
    Section section;
    section.name = name;
    section.bytes = bytes_of(words);
    section.alignment = alignment;
    section.address = address;
    return add(section);
  }
  u16 add(const Section& section) {
    sections_.push_back(section);
    return static_cast<u16>(sections_.size());
  }
  /// Adds a symbol; returns its number.
  u32 add_symbol(const std::string& name, u16 section, u64 value, u64 size, u8 symbol_type = STT_FUNC,
                 u8 binding = STB_GLOBAL) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<u32>(names_.size());
    names_ += name + '\0';
    symbol.st_info = static_cast<u8>(binding << 4 | symbol_type);
    symbol.st_shndx = section;
    symbol.st_value = value;
    symbol.st_size = size;
    symbols_.push_back(symbol);
    return static_cast<u32>(symbols_.size());
  }
  /// Adds a relocation with addend for a section.
  void add_relocation(u16 section, u64 offset, u32 relocation_type, u32 symbol, i64 addend = 0) {
    Elf64_Rela relocation{};
    relocation.r_addend = addend;
    relocation.r_offset = offset;
    relocation.r_info = ELF64_R_INFO(u64{symbol}, relocation_type);
    relocations_.push_back(relocation);
    relocated_ = section;
  }

  [[nodiscard]] std::string build() const {
    std::vector<Section> sections = sections_;
    const auto count = static_cast<u32>(sections.size());
    const u32 symbol_table = count + 1;
    const u32 string_table = count + 2;
    Elf64_Sym none{};
    std::string symbol_bytes = raw(none);
    for (const Elf64_Sym& symbol : symbols_) symbol_bytes += raw(symbol);
    sections.push_back({".symtab", SHT_SYMTAB, 0, 0, 8, symbol_bytes, string_table, 1, sizeof(Elf64_Sym)});
    sections.push_back({".strtab", SHT_STRTAB, 0, 0, 1, names_});
    if (!relocations_.empty()) {
      std::string bytes;
      for (const Elf64_Rela& relocation : relocations_) bytes += raw(relocation);
      sections.push_back({".rela", SHT_RELA, 0, 0, 8, bytes, symbol_table, relocated_, sizeof(Elf64_Rela)});
    }
    sections.push_back({".shstrtab", SHT_STRTAB, 0, 0, 1, ""});

    std::string section_names(1, '\0');
    std::vector<u32> name_offsets;
    for (const Section& section : sections) {
      name_offsets.push_back(static_cast<u32>(section_names.size()));
      section_names += section.name + '\0';
    }
    sections.back().bytes = section_names;

    std::string file(sizeof(Elf64_Ehdr), '\0');
    std::vector<u64> offsets;
    for (const Section& section : sections) {
      file.resize((file.size() + 7) / 8 * 8, '\0');
      offsets.push_back(file.size());
      file += section.bytes;
    }
    file.resize((file.size() + 7) / 8 * 8, '\0');
    const u64 segment_table = file.size();
    u16 segments = 0;
    for (std::size_t i = 0; type == ET_DYN && i < sections.size(); ++i) {
      if ((sections[i].flags & SHF_ALLOC) == 0) continue;
      Elf64_Phdr header{};
      header.p_type = PT_LOAD;
      header.p_flags = PF_R | ((sections[i].flags & SHF_EXECINSTR) != 0 ? PF_X : 0U) |
                       ((sections[i].flags & SHF_WRITE) != 0 ? PF_W : 0U);
      header.p_offset = offsets[i];
      header.p_vaddr = sections[i].address;
      header.p_filesz = sections[i].bytes.size();
      header.p_memsz = sections[i].bytes.size();
      file += raw(header);
      ++segments;
    }
    const u64 table = file.size();
    file += raw(Elf64_Shdr{});
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const Section& section = sections[i];
      Elf64_Shdr header{};
      header.sh_name = name_offsets[i];
      header.sh_type = section.type;
      header.sh_flags = section.flags;
      header.sh_addr = section.address;
      header.sh_offset = offsets[i];
      header.sh_size = section.bytes.size();
      header.sh_link = section.link;
      header.sh_info = section.info;
      header.sh_addralign = section.alignment;
      header.sh_entsize = section.entry_size;
      file += raw(header);
    }
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = elf_class;
    header.e_ident[EI_DATA] = byte_order;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = os_abi;
    header.e_ident[EI_ABIVERSION] = abi_version;
    header.e_type = type;
    header.e_machine = machine;
    header.e_version = EV_CURRENT;
    header.e_flags = flags;
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shoff = table;
    header.e_phoff = segments == 0 ? 0 : segment_table;
    header.e_phnum = segments;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<u16>(sections.size() + 1);
    header.e_shstrndx = static_cast<u16>(sections.size());
    file.replace(0, sizeof header, raw(header));
    return file;
  }

 private:
  template <class T>
  static std::string raw(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  static std::string bytes_of(const std::vector<u32>& words) {
    std::string bytes;
    for (const u32 word : words) bytes += raw(word);
    return bytes;
  }

  std::vector<Section> sections_;
  std::vector<Elf64_Sym> symbols_;
  std::vector<Elf64_Rela> relocations_;
  u16 relocated_ = 0;
  std::string names_ = std::string(1, '\0');
};

}  // namespace salu::test
