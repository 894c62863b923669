#include "loader/objects/dwarf_lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <unordered_map>

#include "loader/objects/elf_handle.hpp"
#include "loader/objects/line_table_padding.hpp"
#include "loader/objects/line_table_size.hpp"
#include "loader/objects/relocations.hpp"
#include "loader/objects/symbol_sections.hpp"

namespace salu::loader {
namespace {

struct DwarfCloser {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

/// Without this handler libdw exits the process, with the exit code of a failed expectation.
[[noreturn]] void fail_for_memory() { throw std::bad_alloc(); }

/// The exception for debugging information that cannot be read.
struct Unreadable {
  std::string why;
};

/// The code between two rows of a line table.
struct Run {
  u64 start = 0;
  u64 end = 0;
  u32 file = 0;
  u32 line = 0;
};

/// Limits of debugging information. Real code has one row for several instructions.
constexpr u64 most_uncompressed_bytes = u64{256} << 20;
constexpr u64 most_name_bytes = u64{64} << 20;
constexpr u64 most_rows = 1'000'000;
constexpr std::size_t most_relocations_of_it = 3'000'000;
constexpr u64 most_looks = 100'000'000;
constexpr u64 most_units = 100'000;

class LineTableReader {
 public:
  LineTableReader(const ElfImage& image, std::string_view bytes, const ObjectPlace& place)
      : image_(image), bytes_(bytes), place_(place) {
    for (std::size_t i = 0; i < image.sections.size() && i < place.section_addresses.size(); ++i)
      address_of_[image.sections[i].number] = place.section_addresses[i];
  }

  SourceLines read() {
    try {
      open();
      read_tables();
      emit();
    } catch (const Unreadable& unreadable) {
      result_ = {};
      result_.problem = unreadable.why;
    }
    return std::move(result_);
  }

 private:
  void open() {
    elf_.reset(elf_memory(bytes_.data(), bytes_.size()));
    if (!elf_) throw Unreadable{"the file cannot be reopened"};
    check_sizes();
    if (image_.relocatable) relocate();
    dwarf_.reset(dwarf_begin_elf(elf_.get(), DWARF_C_READ, nullptr));
    if (!dwarf_) throw Unreadable{dwarf_errmsg(-1)};
    // The cast is needed because for clang the type includes an attribute for functions that do not return.
    dwarf_new_oom_handler(dwarf_.get(), reinterpret_cast<Dwarf_OOM>(fail_for_memory));
    check_tables();
    pad_tables();
  }

  // ---- limits, checked before libdw expands the tables ----

  /// Calls `see(section, header, name)` for each section with a name.
  template <class See>
  void for_each_section(const See& see) const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0) return;
    for (Elf_Scn* section = elf_nextscn(elf_.get(), nullptr); section != nullptr;
         section = elf_nextscn(elf_.get(), section)) {
      GElf_Shdr header{};
      if (gelf_getshdr(section, &header) == nullptr) continue;
      const char* const name = elf_strptr(elf_.get(), names, header.sh_name);
      if (name != nullptr) see(section, header, std::string_view(name));
    }
  }

  /// Checks the uncompressed size of all sections.
  void check_sizes() const {
    u64 left = most_uncompressed_bytes;
    for_each_section([&](Elf_Scn* section, const GElf_Shdr& header, std::string_view name) {
      // libdw would open any file that this section names.
      if (name == ".gnu_debugaltlink") throw Unreadable{"it refers to another file (.gnu_debugaltlink)"};
      if (name.starts_with(".zdebug")) throw Unreadable{"its obsolete compression (.zdebug) is not supported"};
      GElf_Chdr compressed{};
      if ((header.sh_flags & SHF_COMPRESSED) == 0 || gelf_getchdr(section, &compressed) == nullptr) return;
      if (compressed.ch_size > left)
        throw Unreadable{"uncompressed it is larger than " + std::to_string(most_uncompressed_bytes >> 20) + " MiB"};
      left -= compressed.ch_size;
    });
  }

  /// Checks the size of tables and units, in sections that libdw has uncompressed.
  void check_tables() const {
    std::string_view tables;
    std::string_view line_names;
    std::string_view names;
    std::set<const std::string_view*> seen;
    for_each_section([&](Elf_Scn* section, const GElf_Shdr&, std::string_view name) {
      std::string_view* const wanted = name == ".debug_line"       ? &tables
                                       : name == ".debug_line_str" ? &line_names
                                       : name == ".debug_str"      ? &names
                                                                   : nullptr;
      if (wanted == nullptr) return;
      // libdw's choice among several sections depends on flags and on errors of decompression.
      if (!seen.insert(wanted).second) throw Unreadable{"it has several sections named " + std::string(name)};
      const Elf_Data* const data = elf_getdata(section, nullptr);
      if (data != nullptr && data->d_buf != nullptr)
        *wanted = {static_cast<const char*>(data->d_buf), static_cast<std::size_t>(data->d_size)};
    });
    const LineTableSize size = measure_line_tables(tables, line_names, names);
    u64 code_dwords = 0;
    for (const CodeBlock& block : place_.code) code_dwords += block.words.size();
    if (!size.is_known) throw Unreadable{"it names files in an unsupported form"};
    if (size.rows > std::max(most_rows, code_dwords)) throw Unreadable{"its line tables have too many rows"};
    const Units units = read_units();
    // libdw may search all units for each table.
    if (size.tables * units.count > most_looks) throw Unreadable{"it has too many units and line tables"};
    if (size.name_bytes + size.files * units.longest_folder > most_name_bytes)
      throw Unreadable{"the names of its files have more than " + std::to_string(most_name_bytes >> 20) + " MiB"};
  }

  struct Units {
    u64 count = 0;
    u64 longest_folder = 0;
  };
  Units read_units() const {
    Units units;
    const char* known = nullptr;  // many units have the same folder
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die{};
    while (dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      if (++units.count > most_units) throw Unreadable{"it has too many units"};
      Dwarf_Attribute attribute{};
      const char* const folder = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));
      if (folder == nullptr || folder == known) continue;
      known = folder;
      const std::size_t length = strnlen(folder, longest_path + 1);
      if (length > longest_path) throw Unreadable{"it names files in an unsupported form"};
      units.longest_folder = std::max<u64>(units.longest_folder, length);
    }
    return units;
  }

  /// Gives padded tables to libdw if some have the 64-bit format.
  void pad_tables() {
    for_each_section([&](Elf_Scn* section, const GElf_Shdr&, std::string_view name) {
      if (name != ".debug_line") return;
      // libdw reads through one of these: the second in elfutils 0.192, the first in 0.188.
      const std::array descriptors = {elf_getdata(section, nullptr), elf_rawdata(section, nullptr)};
      if (descriptors[0] == nullptr || descriptors[0]->d_buf == nullptr || descriptors[1] == nullptr) return;
      padded_ = pad_line_tables({static_cast<const char*>(descriptors[0]->d_buf), descriptors[0]->d_size});
      if (padded_.after.empty()) return;
      for (Elf_Data* const data : descriptors) {
        data->d_buf = padded_.bytes.data();
        data->d_size = padded_.bytes.size();
      }
    });
    if (!padded_.after.empty()) move_statement_lists();
  }

  /// Adjusts the offsets by which libdw finds the unit, and thereby the folder, of a table of DWARF 4 and earlier.
  void move_statement_lists() const {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die{};
    while (dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      Dwarf_Die same{};
      Dwarf_Attribute list{};
      Dwarf_Word offset = 0;
      u8 offset_bytes = 0;
      // Reading it checks that it is inside its section.
      if (dwarf_formudata(dwarf_attr(&die, DW_AT_stmt_list, &list), &offset) != 0) continue;
      if (dwarf_diecu(&die, &same, nullptr, &offset_bytes) == nullptr) continue;
      if (list.form == DW_FORM_data4) offset_bytes = 4;
      if (list.form == DW_FORM_data8) offset_bytes = 8;
      if (list.form != DW_FORM_sec_offset && list.form != DW_FORM_data4 && list.form != DW_FORM_data8) continue;
      const u64 moved = padded_.moved(offset);
      for (u32 i = 0; i < offset_bytes; ++i) list.valp[i] = static_cast<unsigned char>(moved >> (8 * i));
    }
  }

  // ---- relocations of a relocatable object's debugging information ----

  void relocate() {
    for_each_section([&](Elf_Scn* section, const GElf_Shdr& header, auto) { symbol_sections_.see(section, header); });
    std::size_t count = 0;
    for_each_section([&](Elf_Scn* section, const GElf_Shdr& header, auto) {
      if (header.sh_type == SHT_RELA || header.sh_type == SHT_REL) relocate_by(section, header, count);
    });
  }

  /// Applies the relocations of a section. `count` is the number of all relocations so far.
  void relocate_by(Elf_Scn* section, const GElf_Shdr& header, std::size_t& count) {
    const bool has_addends = header.sh_type == SHT_RELA;
    Elf_Scn* patched = elf_getscn(elf_.get(), header.sh_info);
    GElf_Shdr patched_header{};
    if (patched == nullptr || gelf_getshdr(patched, &patched_header) == nullptr) return;
    const bool is_debugging = (patched_header.sh_flags & SHF_ALLOC) == 0 && patched_header.sh_type == SHT_PROGBITS;
    if (!is_debugging) return;
    // In place, because libdw reads the same bytes.
    if ((patched_header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress(patched, 0, 0) < 0)
      throw Unreadable{"one of its sections cannot be decompressed"};
    Elf_Data* relocations = elf_getdata(section, nullptr);
    Elf_Data* data = elf_getdata(patched, nullptr);
    Elf_Scn* table = elf_getscn(elf_.get(), header.sh_link);
    const bool has_symbols = table != nullptr && elf_getdata(table, nullptr) != nullptr;
    if (relocations == nullptr || data == nullptr || data->d_buf == nullptr || !has_symbols)
      throw Unreadable{"its relocations cannot be read"};
    const std::span contents(static_cast<u8*>(data->d_buf), data->d_size);
    const std::size_t entry_bytes = has_addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    count += relocations->d_size / entry_bytes;
    if (count > most_relocations_of_it) throw Unreadable{"it has too many relocations"};
    for (std::size_t i = 0; i < relocations->d_size / entry_bytes; ++i) {
      GElf_Rela relocation{};
      GElf_Rel without{};
      const bool is_read = has_addends ? gelf_getrela(relocations, static_cast<int>(i), &relocation) != nullptr
                                       : gelf_getrel(relocations, static_cast<int>(i), &without) != nullptr;
      if (!is_read) throw Unreadable{"its relocations cannot be read"};
      if (!has_addends) relocation = {without.r_offset, without.r_info, addend_in(contents, without)};
      apply(relocation, table, contents);
    }
  }

  /// Returns the implicit addend of a relocation from the bytes that it patches.
  static i64 addend_in(std::span<const u8> contents, const GElf_Rel& relocation) {
    const auto type = find_relocation_type(static_cast<u32>(GELF_R_TYPE(relocation.r_info)));
    const std::string_view bytes(reinterpret_cast<const char*>(contents.data()), contents.size());
    return !type || relocation.r_offset > bytes.size() ? 0 : implicit_addend(*type, bytes.substr(relocation.r_offset));
  }

  /// Applies a relocation. `table` is its symbol table.
  void apply(const GElf_Rela& relocation, Elf_Scn* table, std::span<u8> contents) const {
    const auto type = find_relocation_type(static_cast<u32>(GELF_R_TYPE(relocation.r_info)));
    if (!type || (*type != RelocationType::abs32 && *type != RelocationType::abs64)) return;
    const u32 size_bytes = patched_bytes(*type);
    if (contents.size() < size_bytes || relocation.r_offset > contents.size() - size_bytes)
      throw Unreadable{"one of its relocations is outside of its section"};
    Elf_Data* const symbols = elf_getdata(table, nullptr);
    GElf_Sym symbol{};
    const auto number = GELF_R_SYM(relocation.r_info);
    if (number >= symbols->d_size / sizeof(Elf64_Sym) ||
        gelf_getsym(symbols, static_cast<int>(number), &symbol) == nullptr)
      throw Unreadable{"one of its relocations names a missing symbol"};
    u64 value = symbol.st_value + static_cast<u64>(relocation.r_addend);
    // Debugging sections have no address: references to them are offsets.
    const auto section = address_of_.find(symbol_sections_.section_of(table, symbol, number));
    if (section != address_of_.end()) value += section->second;
    for (u32 i = 0; i < size_bytes; ++i) contents[relocation.r_offset + i] = static_cast<u8>(value >> (8 * i));
  }

  // ---- line tables ----

  void read_tables() {
    Dwarf_Off offset = 0;
    Dwarf_CU* unit = nullptr;
    while (true) {
      Dwarf_Off next = 0;
      Dwarf_Files* files = nullptr;
      std::size_t file_count = 0;
      Dwarf_Lines* lines = nullptr;
      std::size_t count = 0;
      const int state = dwarf_next_lines(dwarf_.get(), offset, &next, &unit, &files, &file_count, &lines, &count);
      if (state < 0) throw Unreadable{dwarf_errmsg(-1)};
      if (state > 0) return;
      read_table(lines, count, folder_of(files));
      if (next <= offset) return;
      offset = next;
    }
  }

  /// The folder in which a unit was compiled, which is the first one of its table; empty if unknown.
  static std::string_view folder_of(Dwarf_Files* files) {
    const char* const* folders = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrcdirs(files, &folders, &count) != 0 || count == 0 || folders[0] == nullptr) return {};
    return folders[0];
  }

  void read_table(Dwarf_Lines* lines, std::size_t count, std::string_view folder) {
    std::unordered_map<const char*, u32> known;  // a table names each file by one pointer
    const u64 bias = image_.relocatable ? 0 : place_.base;
    for (std::size_t i = 0; i + 1 < count; ++i) {
      Dwarf_Line* line = dwarf_onesrcline(lines, i);
      Dwarf_Addr start = 0;
      Dwarf_Addr end = 0;
      bool ends = false;
      int number = 0;
      if (line == nullptr || dwarf_lineendsequence(line, &ends) != 0 || ends) continue;
      if (dwarf_lineaddr(line, &start) != 0 || dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end) != 0) continue;
      if (start >= end || dwarf_lineno(line, &number) != 0 || number <= 0) continue;
      const char* name = dwarf_linesrc(line, nullptr, nullptr);
      if (name == nullptr) continue;
      const auto [file, is_new] = known.try_emplace(name, 0);
      if (is_new) file->second = file_number(name, folder);
      runs_.push_back({start + bias, end + bias, file->second, static_cast<u32>(number)});
    }
  }

  u32 file_number(std::string name, std::string_view folder) {
    // libdw leaves the folders in a table as written, but has already prepended a relative folder of the unit.
    if (!name.starts_with('/') && folder.starts_with('/')) name = std::string(folder) + "/" + name;
    const auto [found, is_new] = files_.try_emplace(name, static_cast<u32>(result_.files.size()));
    if (is_new) result_.files.push_back(found->first);
    return found->second;
  }

  void emit() {
    std::ranges::stable_sort(runs_, {}, &Run::start);
    auto run = runs_.begin();
    for (const CodeBlock& block : place_.code) {
      u64 address = block.base;
      while (run != runs_.end() && run->end <= address) ++run;
      for (; run != runs_.end() && run->start < block.end(); ++run) {
        const u64 offset = run->start > block.base ? (run->start - block.base + 3) / 4 * 4 : 0;
        address = std::max(address, block.base + offset);
        for (; address < std::min(run->end, block.end()); address += 4)
          result_.lines.push_back({address, run->file, run->line});
        if (run->end > block.end()) break;  // it reaches into the next block
      }
    }
  }

  const ElfImage& image_;
  std::string bytes_;  ///< a copy, in which relocations are applied
  const ObjectPlace& place_;
  std::unordered_map<std::size_t, u64> address_of_;  ///< of loaded sections, by number
  PaddedLineTables padded_;                          ///< libelf refers to them
  ElfHandle elf_;
  SymbolSections symbol_sections_;
  std::unique_ptr<Dwarf, DwarfCloser> dwarf_;
  std::map<std::string, u32> files_;
  std::vector<Run> runs_;
  SourceLines result_;
};

}  // namespace

SourceLines read_source_lines(const ElfImage& image, std::string_view bytes, const ObjectPlace& place) {
  return LineTableReader(image, bytes, place).read();
}

}  // namespace salu::loader
