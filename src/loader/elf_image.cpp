#include "loader/elf_image.hpp"

#include <gelf.h>
#include <libelf.h>

#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "loader/number.hpp"
#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr u16 machine_amdgpu = 224;
constexpr u32 mach_mask = 0xff;  // EF_AMDGPU_MACH
constexpr std::size_t most_sections = 100'000;
constexpr std::size_t most_symbols = 2'000'000;
constexpr u64 most_alignment_bytes = u64{1} << 20;

struct ElfCloser {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfCloser>;

class ElfReader {
 public:
  ElfReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  ElfImage read() {
    check_identification();
    if (elf_version(EV_CURRENT) == EV_NONE) fail("libelf does not know this version of the format");
    // libelf takes the image as writable, but writes to it on elf_update only, which is never called here.
    elf_.reset(elf_memory(const_cast<char*>(bytes_.data()), bytes_.size()));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) fail_damaged("its header");
    read_header();
    read_sections();
    for (Elf_Scn* section : symbol_tables_) read_symbols(section);
    for (Elf_Scn* section : relocation_sections_) read_relocations(section);
    return std::move(image_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { reject(ErrorCode::elf, {file_}, message); }
  [[noreturn]] void fail_damaged(const std::string& what) const {
    fail("the ELF file is truncated or damaged: " + what + " cannot be read");
  }

  void check_identification() const {
    if (!is_elf(bytes_)) fail("not an ELF file");
    if (bytes_.size() < sizeof(Elf64_Ehdr)) fail_damaged("its header");
    if (bytes_[EI_CLASS] != ELFCLASS64) fail("a 32-bit ELF file; AMDGPU code objects are 64-bit");
    if (bytes_[EI_DATA] != ELFDATA2LSB) fail("a big-endian ELF file; AMDGPU code objects are little-endian");
  }

  void read_header() {
    GElf_Ehdr header{};
    if (gelf_getehdr(elf_.get(), &header) == nullptr) fail_damaged("its header");
    if (header.e_machine != machine_amdgpu) {
      fail("an ELF file for another machine (e_machine " + std::to_string(header.e_machine) +
           "); expected AMDGPU (224)");
    }
    if (header.e_type != ET_REL && header.e_type != ET_DYN) {
      fail("expected a relocatable object (.o) or a shared object (.so, .hsaco); e_type is " +
           std::to_string(header.e_type));
    }
    image_.relocatable = header.e_type == ET_REL;
    image_.target = find_target_by_elf_flags(header.e_flags);
    if (image_.target == nullptr) {
      fail("an object for a processor that is not supported (EF_AMDGPU_MACH " + hex(header.e_flags & mach_mask) +
           " in e_flags); expected one of gfx6 to gfx9");
    }
  }

  void read_sections() {
    std::size_t names = 0;
    std::size_t count = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0 || elf_getshdrnum(elf_.get(), &count) != 0) {
      fail_damaged("its section table");
    }
    if (count > most_sections) fail("more than " + std::to_string(most_sections) + " sections");
    index_of_.assign(count, std::nullopt);
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section != nullptr;
         section = elf_nextscn(elf_.get(), section)) {
      GElf_Shdr header{};
      if (gelf_getshdr(section, &header) == nullptr) fail_damaged("a section header");
      if (header.sh_type == SHT_SYMTAB) symbol_tables_.push_back(section);
      if (header.sh_type == SHT_DYNSYM && symbol_tables_.empty()) symbol_tables_.push_back(section);
      if (header.sh_type == SHT_REL || header.sh_type == SHT_RELA) relocation_sections_.push_back(section);
      if ((header.sh_flags & SHF_ALLOC) == 0) continue;
      const char* name = elf_strptr(elf_.get(), names, header.sh_name);
      add_section(elf_ndxscn(section), header, name == nullptr ? "" : name);
    }
    // A stripped-down .so keeps .dynsym only; with a full table the dynamic one repeats it.
    while (symbol_tables_.size() > 1 && is_dynamic(symbol_tables_.front()))
      symbol_tables_.erase(symbol_tables_.begin());
  }

  static bool is_dynamic(Elf_Scn* section) {
    GElf_Shdr header{};
    return gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_DYNSYM;
  }

  void add_section(std::size_t number, const GElf_Shdr& header, const char* name) {
    ElfSection section;
    section.name = name;
    section.address = header.sh_addr;
    section.size_bytes = header.sh_size;
    section.alignment_bytes = header.sh_addralign == 0 ? 1 : header.sh_addralign;
    section.is_code = (header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_type == SHT_PROGBITS && header.sh_size != 0;
    if (!std::has_single_bit(section.alignment_bytes) || section.alignment_bytes > most_alignment_bytes) {
      fail_damaged("the alignment of section `" + section.name + "`");
    }
    if (section.is_code) {
      if (header.sh_offset > bytes_.size() || header.sh_size > bytes_.size() - header.sh_offset) {
        fail_damaged("section `" + section.name + "`");
      }
      if ((header.sh_flags & SHF_COMPRESSED) != 0) fail("section `" + section.name + "` is compressed");
      section.bytes = bytes_.substr(header.sh_offset, header.sh_size);
      if (section.bytes.size() % 4 != 0) fail("the size of section `" + section.name + "` is no multiple of 4 bytes");
    }
    if (number < index_of_.size()) index_of_[number] = image_.sections.size();
    image_.sections.push_back(std::move(section));
  }

  void read_symbols(Elf_Scn* section) {
    GElf_Shdr header{};
    Elf_Data* data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || data == nullptr || header.sh_entsize != sizeof(Elf64_Sym)) {
      fail_damaged("the symbol table");
    }
    const std::size_t count = data->d_size / sizeof(Elf64_Sym);
    if (count > most_symbols) fail("more than " + std::to_string(most_symbols) + " symbols");
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Sym symbol{};
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) fail_damaged("the symbol table");
      const auto type = GELF_ST_TYPE(symbol.st_info);
      if (type == STT_SECTION || type == STT_FILE || symbol.st_shndx >= index_of_.size()) continue;
      const auto index = index_of_[symbol.st_shndx];
      if (!index) continue;
      const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
      if (name == nullptr || *name == '\0') continue;
      image_.symbols.push_back({name, *index, symbol.st_value, symbol.st_size, type == STT_FUNC});
    }
  }

  void read_relocations(Elf_Scn* section) {
    GElf_Shdr header{};
    Elf_Data* data = elf_getdata(section, nullptr);
    if (gelf_getshdr(section, &header) == nullptr || data == nullptr) fail_damaged("a relocation section");
    std::optional<std::size_t> patched;
    if (image_.relocatable) {
      patched = header.sh_info < index_of_.size() ? index_of_[header.sh_info] : std::nullopt;
      if (!patched || !image_.sections[*patched].is_code) return;
    }
    const bool has_addend = header.sh_type == SHT_RELA;
    const std::size_t count = data->d_size / (has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Rela with_addend{};
      GElf_Rel plain{};
      const bool read = has_addend ? gelf_getrela(data, static_cast<int>(i), &with_addend) != nullptr
                                   : gelf_getrel(data, static_cast<int>(i), &plain) != nullptr;
      if (!read) fail_damaged("a relocation");
      const u64 info = has_addend ? with_addend.r_info : plain.r_info;
      image_.relocations.push_back({patched, has_addend ? with_addend.r_offset : plain.r_offset,
                                    static_cast<u32>(GELF_R_TYPE(info)),
                                    symbol_name(header.sh_link, GELF_R_SYM(info))});
    }
  }

  std::string symbol_name(std::size_t table, u64 number) const {
    Elf_Scn* section = elf_getscn(elf_.get(), table);
    GElf_Shdr header{};
    GElf_Sym symbol{};
    if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return "?";
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || number >= data->d_size / sizeof(Elf64_Sym)) return "?";
    if (gelf_getsym(data, static_cast<int>(number), &symbol) == nullptr) return "?";
    const char* name = elf_strptr(elf_.get(), header.sh_link, symbol.st_name);
    if (name != nullptr && *name != '\0') return name;
    const bool is_section = GELF_ST_TYPE(symbol.st_info) == STT_SECTION && symbol.st_shndx < index_of_.size();
    if (is_section && index_of_[symbol.st_shndx]) return image_.sections[*index_of_[symbol.st_shndx]].name;
    return "?";
  }

  std::string_view bytes_;
  const std::string& file_;
  ElfHandle elf_;
  ElfImage image_;
  std::vector<std::optional<std::size_t>> index_of_;  ///< ELF section number to index in `image_.sections`
  std::vector<Elf_Scn*> symbol_tables_;
  std::vector<Elf_Scn*> relocation_sections_;
};

}  // namespace

bool is_elf(std::string_view bytes) { return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)); }

ElfImage read_elf(std::string_view bytes, const std::string& file) { return ElfReader(bytes, file).read(); }

std::string relocation_name(u32 type) {
  static constexpr std::array<std::string_view, 15> names = {
      "NONE",          "ABS32_LO",      "ABS32_HI", "ABS64",    "REL32", "REL64",      "ABS32", "GOTPCREL",
      "GOTPCREL32_LO", "GOTPCREL32_HI", "REL32_LO", "REL32_HI", "",      "RELATIVE64", "REL16"};
  if (type < names.size() && !names[type].empty()) return "R_AMDGPU_" + std::string(names[type]);
  return "relocation type " + std::to_string(type);
}

}  // namespace salu::loader
