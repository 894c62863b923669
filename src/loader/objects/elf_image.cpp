#include "loader/objects/elf_image.hpp"

#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "loader/number.hpp"
#include "loader/objects/elf_handle.hpp"
#include "loader/objects/object_target.hpp"
#include "loader/objects/other_files.hpp"
#include "loader/objects/relocations.hpp"
#include "loader/objects/symbol_sections.hpp"
#include "loader/rejection.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

constexpr u16 machine_amdgpu = 224;
constexpr u8 os_abi_hsa = 64;       // ELFOSABI_AMDGPU_HSA
constexpr u8 os_abi_mesa = 66;      // ELFOSABI_AMDGPU_MESA3D, the last one of AMDGPU
constexpr u8 last_hsa_version = 4;  // ELFABIVERSION_AMDGPU_HSA_V6; V2 is 0
constexpr u32 last_version_with_headers = 2;
constexpr u8 symbol_type_kernel = 10;  // STT_AMDGPU_HSA_KERNEL

/// Unsupported kinds of relocation sections, with advice to avoid them.
struct OtherRelocations {
  u32 section_type = 0;
  std::string_view name;
  std::string_view advice;
};
// As numbers, because some systems' headers do not define all of them.
constexpr std::array<OtherRelocations, 5> other_relocations = {{
    {19, "SHT_RELR", "link without --pack-dyn-relocs=relr"},
    {0x40000014, "SHT_CREL", "assemble without --crel"},
    {0x60000001, "SHT_ANDROID_REL", "link without --pack-dyn-relocs=android"},
    {0x60000002, "SHT_ANDROID_RELA", "link without --pack-dyn-relocs=android"},
    {0x6fffff00, "SHT_ANDROID_RELR", "link without --pack-dyn-relocs=relr"},
}};
constexpr std::size_t most_sections = 100'000;
constexpr std::size_t most_symbols = 2'000'000;
constexpr std::size_t most_segments = 65'535;
constexpr std::size_t most_notes = 10'000;
constexpr u64 most_alignment_bytes = u64{1} << 20;
constexpr std::size_t most_string_bytes = std::size_t{128} << 20;
constexpr std::size_t most_relocations = 1'000'000;
constexpr std::size_t most_note_bytes = std::size_t{64} << 20;

class ElfReader {
 public:
  ElfReader(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  ElfImage read() {
    check_identification();
    if (elf_version(EV_CURRENT) == EV_NONE) fail("libelf does not support this version of the format");
    // libelf requires a writable image, but writes to it only in elf_update, which is not used.
    elf_.reset(elf_memory(const_cast<char*>(bytes_.data()), bytes_.size()));
    if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF) fail_damaged("its header");
    read_header();
    read_sections();
    if (!image_.relocatable) read_segments();
    for (Elf_Scn* section : symbol_tables_) read_symbols(section);
    for (Elf_Scn* section : relocation_sections_) read_relocations(section);
    for (Elf_Scn* section : note_sections_) read_notes(section);
    image_.target = find_object_target(image_, file_);
    return std::move(image_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { reject(ErrorCode::elf, {file_}, message); }
  [[noreturn]] void fail_damaged(const std::string& what) const {
    fail("the ELF file is truncated or damaged: " + what + " cannot be read");
  }

  /// Rejects a part that is not completely inside the file.
  void check_extent(const std::string& what, u64 offset, u64 size_bytes) const {
    if (offset <= bytes_.size() && size_bytes <= bytes_.size() - offset) return;
    const bool wraps = size_bytes > std::numeric_limits<u64>::max() - offset;
    fail(fmt::format("the ELF file is truncated or damaged: {} would end at byte {}, but the file has {} bytes", what,
                     wraps ? "2^64 and more" : std::to_string(offset + size_bytes), bytes_.size()));
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
    if (header.e_machine != machine_amdgpu) fail(describe_other_machine(header.e_machine, bytes_));
    if (header.e_type != ET_REL && header.e_type != ET_DYN) {
      fail(fmt::format("expected a relocatable object (.o) or a shared object (.so, .hsaco); e_type is {}",
                       header.e_type));
    }
    image_.relocatable = header.e_type == ET_REL;
    read_version(header);
    image_.flags = header.e_flags;
    check_tables(header);
  }

  void read_version(const GElf_Ehdr& header) {
    image_.os_abi = header.e_ident[EI_OSABI];
    const u8 version = header.e_ident[EI_ABIVERSION];
    if (image_.os_abi != ELFOSABI_NONE && (image_.os_abi < os_abi_hsa || image_.os_abi > os_abi_mesa)) {
      fail(
          fmt::format("an ELF file for another operating system (EI_OSABI {}); expected none, amdhsa (64), amdpal (65) "
                      "or mesa3d (66)",
                      image_.os_abi));
    }
    if (image_.os_abi != os_abi_hsa) return;
    image_.code_object_version = version + 2U;
    if (version > last_hsa_version) {
      fail(fmt::format("code object version {} (EI_ABIVERSION {}) is not supported; expected version 2 to 6",
                       image_.code_object_version, version));
    }
  }

  /// The tables of sections and segments must be complete: a truncated file lacks their end.
  void check_tables(const GElf_Ehdr& header) const {
    if (header.e_shoff == 0) fail("the section table of the ELF file is missing; symbols and relocations require it");
    if (header.e_shentsize != sizeof(Elf64_Shdr)) {
      fail(fmt::format("the ELF file is damaged: a section header has {} bytes (e_shentsize), expected {}",
                       header.e_shentsize, sizeof(Elf64_Shdr)));
    }
    u64 sections = header.e_shnum;
    if (sections == 0) {
      // If the number does not fit into e_shnum, the first header, which is not a section, has it.
      check_extent("its section table", header.e_shoff, sizeof(Elf64_Shdr));
      Elf64_Shdr first{};
      std::memcpy(&first, bytes_.data() + header.e_shoff, sizeof first);
      sections = first.sh_size;
    }
    if (sections > most_sections) fail(fmt::format("more than {} sections", most_sections));
    check_extent("its section table", header.e_shoff, sections * sizeof(Elf64_Shdr));
    if (header.e_phnum == 0) return;
    if (header.e_phentsize != sizeof(Elf64_Phdr)) {
      fail(fmt::format("the ELF file is damaged: a program header has {} bytes (e_phentsize), expected {}",
                       header.e_phentsize, sizeof(Elf64_Phdr)));
    }
    check_extent("its program header table", header.e_phoff, header.e_phnum * u64{sizeof(Elf64_Phdr)});
  }

  void read_sections() {
    std::size_t names = 0;
    std::size_t count = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0 || elf_getshdrnum(elf_.get(), &count) != 0) {
      fail_damaged("its section table");
    }
    index_of_.assign(count, std::nullopt);
    Elf_Scn* dynamic_symbols = nullptr;
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section != nullptr;
         section = elf_nextscn(elf_.get(), section)) {
      GElf_Shdr header{};
      if (gelf_getshdr(section, &header) == nullptr) fail_damaged("a section header");
      // Other fields of an SHT_NULL header are undefined.
      if (header.sh_type == SHT_NULL) continue;
      const std::string name(name_at(names, header.sh_name));
      if (header.sh_type != SHT_NOBITS) check_extent("section `" + name + "`", header.sh_offset, header.sh_size);
      const bool is_loaded = (header.sh_flags & SHF_ALLOC) != 0;
      if (header.sh_type == SHT_SYMTAB) symbol_tables_.push_back(section);
      symbol_sections_.see(section, header);
      if (header.sh_type == SHT_DYNSYM) dynamic_symbols = section;
      // Relocations that --emit-relocs leaves in a shared object are already applied; only loaded ones are for the
      // loader.
      const bool is_for_loading = image_.relocatable || is_loaded;
      if (is_for_loading && (header.sh_type == SHT_REL || header.sh_type == SHT_RELA))
        relocation_sections_.push_back(section);
      const auto* const other = std::ranges::find(other_relocations, header.sh_type, &OtherRelocations::section_type);
      if (is_for_loading && other != other_relocations.end()) {
        fail(fmt::format("section `{}` has packed relocations ({}), which are not supported; {}", name, other->name,
                         other->advice));
      }
      if (header.sh_type == SHT_NOTE) note_sections_.push_back(section);
      if (name == ".debug_line") image_.has_source_lines = true;
      if (is_loaded) add_section(elf_ndxscn(section), header, name);
    }
    // A stripped .so has only .dynsym; otherwise the full table includes its symbols.
    if (symbol_tables_.empty() && dynamic_symbols != nullptr) symbol_tables_.push_back(dynamic_symbols);
  }

  void add_section(std::size_t number, const GElf_Shdr& header, const std::string& name) {
    ElfSection section;
    section.name = name;
    section.number = number;
    section.address = header.sh_addr;
    section.size_bytes = header.sh_size;
    section.alignment_bytes = header.sh_addralign == 0 ? 1 : header.sh_addralign;
    section.is_code = (header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_type == SHT_PROGBITS && header.sh_size != 0;
    const bool is_writable = (header.sh_flags & SHF_WRITE) != 0 && !section.is_code;
    section.access = is_writable ? Access::read_write : Access::read;
    if (!std::has_single_bit(section.alignment_bytes) || section.alignment_bytes > most_alignment_bytes) {
      fail_damaged("the alignment of section `" + name + "`");
    }
    if ((header.sh_flags & SHF_COMPRESSED) != 0) fail("section `" + name + "` is compressed");
    if (header.sh_type != SHT_NOBITS) section.bytes = bytes_.substr(header.sh_offset, header.sh_size);
    if (section.is_code && section.bytes.size() % 4 != 0)
      fail("the size of section `" + name + "` is not a multiple of 4 bytes");
    if (number < index_of_.size()) index_of_[number] = image_.sections.size();
    image_.sections.push_back(std::move(section));
  }

  void read_segments() {
    std::size_t count = 0;
    if (elf_getphdrnum(elf_.get(), &count) != 0) fail_damaged("its program header table");
    if (count > most_segments) fail(fmt::format("more than {} segments", most_segments));
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Phdr header{};
      if (gelf_getphdr(elf_.get(), static_cast<int>(i), &header) == nullptr) fail_damaged("a program header");
      if (header.p_type != PT_LOAD || header.p_memsz == 0) continue;
      const std::string name = "the segment at " + hex(header.p_vaddr);
      check_extent(name, header.p_offset, header.p_filesz);
      if (header.p_filesz > header.p_memsz) {
        fail(fmt::format("the ELF file is damaged: {} has {} bytes in the file, but only {} in memory", name,
                         header.p_filesz, header.p_memsz));
      }
      if (header.p_memsz > std::numeric_limits<u64>::max() - header.p_vaddr)
        fail("the ELF file is damaged: " + name + " extends beyond the address space");
      ElfSegment segment;
      segment.address = header.p_vaddr;
      segment.size_bytes = header.p_memsz;
      segment.access = (header.p_flags & PF_W) != 0 ? Access::read_write : Access::read;
      segment.is_executable = (header.p_flags & PF_X) != 0;
      segment.bytes = bytes_.substr(header.p_offset, header.p_filesz);
      image_.segments.push_back(segment);
    }
    if (image_.segments.empty()) fail("the shared object does not have a segment to load (PT_LOAD)");
    std::ranges::sort(image_.segments, {}, &ElfSegment::address);
    for (std::size_t i = 1; i < image_.segments.size(); ++i) {
      const ElfSegment& before = image_.segments[i - 1];
      if (before.address + before.size_bytes <= image_.segments[i].address) continue;
      fail(fmt::format("the ELF file is damaged: the segments at {} and {} overlap", hex(before.address),
                       hex(image_.segments[i].address)));
    }
  }

  std::string name_of(Elf_Scn* table, const GElf_Sym& symbol) const {
    GElf_Shdr header{};
    if (gelf_getshdr(table, &header) == nullptr) return {};
    return support::printable(name_at(header.sh_link, symbol.st_name));
  }

  /// Returns a name in a string table. Limits the total size, because many names may share the same long string.
  std::string_view name_at(std::size_t table, std::size_t offset) const {
    const char* const text = elf_strptr(elf_.get(), table, offset);
    return counted_name(text == nullptr ? "" : text);
  }
  std::string_view counted_name(std::string_view name) const {
    name_bytes_ += name.size();
    if (name_bytes_ > most_string_bytes)
      fail(fmt::format("the names of sections and symbols have more than {} MiB", most_string_bytes >> 20));
    return name;
  }

  /// Makes a symbol. Symbols in sections that are not loaded count as undefined.
  ElfSymbol make_symbol(Elf_Scn* table, const GElf_Sym& raw, std::size_t number) const {
    ElfSymbol symbol;
    const std::size_t section = symbol_sections_.section_of(table, raw, number);
    symbol.name = name_of(table, raw);
    symbol.value = raw.st_value;
    symbol.size_bytes = raw.st_size;
    const auto type = GELF_ST_TYPE(raw.st_info);
    symbol.is_function = type == STT_FUNC;
    // Later versions have descriptors, even if the symbol has this type.
    symbol.is_kernel_header = type == symbol_type_kernel && image_.code_object_version <= last_version_with_headers;
    symbol.is_section = type == STT_SECTION;
    symbol.is_weak = GELF_ST_BIND(raw.st_info) == STB_WEAK;
    symbol.kind = ElfSymbol::Kind::undefined;
    if (raw.st_shndx == SHN_ABS) symbol.kind = ElfSymbol::Kind::absolute;
    if (raw.st_shndx == SHN_COMMON) {
      symbol.kind = ElfSymbol::Kind::common;
      symbol.value = std::max<u64>(symbol.value, 1);
      if (!std::has_single_bit(symbol.value) || symbol.value > most_alignment_bytes)
        fail_damaged("the alignment of the common symbol `" + symbol.name + "`");
    }
    if (section < index_of_.size() && index_of_[section]) {
      symbol.kind = ElfSymbol::Kind::defined;
      symbol.section = *index_of_[section];
      if (symbol.is_section && symbol.name.empty()) symbol.name = counted_name(image_.sections[symbol.section].name);
    }
    return symbol;
  }

  /// The number of entries of a symbol table; 0 if the section is not one.
  static std::size_t symbol_count(Elf_Scn* table, Elf_Data*& data) {
    GElf_Shdr header{};
    if (table == nullptr || gelf_getshdr(table, &header) == nullptr) return 0;
    if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) return 0;
    data = elf_getdata(table, nullptr);
    return data == nullptr || header.sh_entsize != sizeof(Elf64_Sym) ? 0 : data->d_size / sizeof(Elf64_Sym);
  }

  void read_symbols(Elf_Scn* table) {
    Elf_Data* data = nullptr;
    const std::size_t count = symbol_count(table, data);
    if (count == 0) fail_damaged("the symbol table");
    // Several section headers may name the same table.
    symbols_ += count;
    if (symbols_ > most_symbols) fail(fmt::format("more than {} symbols", most_symbols));
    for (std::size_t i = 1; i < count; ++i) {
      GElf_Sym raw{};
      if (gelf_getsym(data, static_cast<int>(i), &raw) == nullptr) fail_damaged("the symbol table");
      const auto type = GELF_ST_TYPE(raw.st_info);
      if (type == STT_SECTION || type == STT_FILE) continue;
      ElfSymbol symbol = make_symbol(table, raw, i);
      const bool is_here = symbol.kind == ElfSymbol::Kind::defined || symbol.kind == ElfSymbol::Kind::common;
      if (symbol.kind == ElfSymbol::Kind::absolute) image_.absolute_symbols.push_back(symbol.name);
      if (is_here && !symbol.name.empty()) image_.symbols.push_back(std::move(symbol));
    }
  }

  void read_relocations(Elf_Scn* section) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr) fail_damaged("a relocation section");
    std::optional<std::size_t> patched;
    if (image_.relocatable) {
      patched = header.sh_info < index_of_.size() ? index_of_[header.sh_info] : std::nullopt;
      if (!patched) return;  // debugging information
    }
    const bool has_addends = header.sh_type == SHT_RELA;
    if (!has_addends && !patched) {
      fail(
          "a relocation section without addends (SHT_REL) in a shared object; AMDGPU uses sections with addends "
          "(SHT_RELA)");
    }
    const std::size_t entry_bytes = has_addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || (data->d_size != 0 && header.sh_entsize != entry_bytes))
      fail_damaged("a relocation section");
    Elf_Scn* table = elf_getscn(elf_.get(), header.sh_link);
    Elf_Data* symbols = nullptr;
    const std::size_t symbols_count = symbol_count(table, symbols);
    relocations_ += data->d_size / entry_bytes;
    if (relocations_ > most_relocations) fail(fmt::format("more than {} relocations", most_relocations));
    for (std::size_t i = 0; i < data->d_size / entry_bytes; ++i) {
      GElf_Rela raw{};
      if (has_addends) {
        if (gelf_getrela(data, static_cast<int>(i), &raw) == nullptr) fail_damaged("a relocation");
      } else {
        GElf_Rel without{};
        if (gelf_getrel(data, static_cast<int>(i), &without) == nullptr) fail_damaged("a relocation");
        raw = {without.r_offset, without.r_info, addend_in(*patched, without)};
      }
      ElfRelocation relocation;
      relocation.section = patched;
      relocation.offset = raw.r_offset;
      relocation.type = static_cast<u32>(GELF_R_TYPE(raw.r_info));
      relocation.addend = raw.r_addend;
      const u64 number = GELF_R_SYM(raw.r_info);
      if (number != 0) {
        GElf_Sym symbol{};
        if (number >= symbols_count || gelf_getsym(symbols, static_cast<int>(number), &symbol) == nullptr) {
          fail(fmt::format("the ELF file is damaged: a relocation is against symbol {} of {}", number, symbols_count));
        }
        relocation.symbol = make_symbol(table, symbol, number);
      }
      image_.relocations.push_back(std::move(relocation));
    }
  }

  /// Returns the implicit addend of a relocation from the bytes that it patches. Missing bytes are reported when it is
  /// applied.
  i64 addend_in(std::size_t section, const GElf_Rel& relocation) const {
    const auto type = find_relocation_type(static_cast<u32>(GELF_R_TYPE(relocation.r_info)));
    const std::string_view contents = image_.sections[section].bytes;
    if (!type || relocation.r_offset > contents.size()) return 0;
    return implicit_addend(*type, contents.substr(relocation.r_offset));
  }

  void read_notes(Elf_Scn* section) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return;
    const std::string_view bytes(static_cast<const char*>(data->d_buf), data->d_size);
    std::size_t offset = 0;
    while (offset < bytes.size()) {
      GElf_Nhdr header{};
      std::size_t name_offset = 0;
      std::size_t descriptor_offset = 0;
      const std::size_t next = gelf_getnote(data, offset, &header, &name_offset, &descriptor_offset);
      if (next == 0) fail_damaged("a note");
      if (image_.notes.size() >= most_notes) fail(fmt::format("more than {} notes", most_notes));
      note_bytes_ += header.n_namesz + header.n_descsz;
      if (note_bytes_ > most_note_bytes) fail(fmt::format("the notes have more than {} MiB", most_note_bytes >> 20));
      std::string name(bytes.substr(name_offset, header.n_namesz));
      while (!name.empty() && name.back() == '\0') name.pop_back();
      image_.notes.push_back(
          {std::move(name), header.n_type, std::string(bytes.substr(descriptor_offset, header.n_descsz))});
      offset = next;
    }
  }

  std::string_view bytes_;
  const std::string& file_;
  ElfHandle elf_;
  ElfImage image_;
  std::vector<std::optional<std::size_t>> index_of_;  ///< ELF section number to index in `image_.sections`
  std::vector<Elf_Scn*> symbol_tables_;
  SymbolSections symbol_sections_;
  std::vector<Elf_Scn*> relocation_sections_;
  std::vector<Elf_Scn*> note_sections_;
  mutable std::size_t name_bytes_ = 0;  ///< total size of all names read
  std::size_t symbols_ = 0;             ///< of all tables, as the counts below
  std::size_t relocations_ = 0;
  u64 note_bytes_ = 0;
};

}  // namespace

bool is_elf(std::string_view bytes) { return bytes.starts_with(std::string_view(ELFMAG, SELFMAG)); }

ElfImage read_elf(std::string_view bytes, const std::string& file) { return ElfReader(bytes, file).read(); }

}  // namespace salu::loader
