#include "loader/objects/line_table_size.hpp"

#include <dwarf.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace salu::loader {
namespace {

/// Reads bytes in order. After their end it returns zeros, and `is_good` is false.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool is_good() const { return is_good_; }
  [[nodiscard]] bool has_more() const { return is_good_ && !rest_.empty(); }

  std::string_view take(u64 count) {
    if (count > rest_.size()) {
      is_good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  u64 number(u64 size_bytes) {
    u64 value = 0;
    const std::string_view bytes = take(size_bytes);
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<u8>(bytes[i]);
    return value;
  }

  /// Reads a LEB128 number and ignores its sign.
  u64 leb128() {
    u64 value = 0;
    for (u32 shift = 0; is_good_; shift += 7) {
      const u64 byte = number(1);
      if (shift < 64) value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }

  /// Reads a zero-terminated text and returns its length.
  u64 text() {
    const u64 length = std::min(rest_.find('\0'), rest_.size());
    take(length + 1);
    return length;
  }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

/// Returns the length of the path at an offset of a section; nothing if it exceeds the limit of paths.
std::optional<u64> length_at(std::string_view section, u64 offset) {
  if (offset >= section.size()) return 0;
  const std::size_t length = section.substr(offset, longest_path + 1).find('\0');
  return length == std::string_view::npos ? std::nullopt : std::optional<u64>(length);
}

class TableMeter {
 public:
  TableMeter(std::string_view line_names, std::string_view names, LineTableSize& size)
      : line_names_(line_names), names_(names), size_(size) {}

  /// Measures one table, without its length field.
  void measure(std::string_view table, u64 offset_bytes) {
    constexpr u16 first_with_formats = 5;
    offset_bytes_ = offset_bytes;
    Cursor cursor(table);
    version_ = static_cast<u16>(cursor.number(2));
    if (version_ < 2 || version_ > first_with_formats) return;
    if (version_ == first_with_formats) cursor.take(2);  // sizes of addresses
    const u64 header_bytes = cursor.number(offset_bytes);
    Cursor program = cursor;
    Cursor header(program.take(header_bytes));
    header.take(version_ >= 4 ? 5 : 4);  // parameters of addresses and lines
    const u64 opcode_base = header.number(1);
    const std::string_view operand_counts = header.take(opcode_base == 0 ? 0 : opcode_base - 1);
    if (!header.is_good() || !program.is_good()) return;
    version_ == first_with_formats ? read_names(header) : read_older_names(header);
    run(program, opcode_base, operand_counts);
  }

 private:
  void add_file(u64 name, u64 folder) {
    // A relative folder is below the first one.
    const u64 first = folders_.empty() ? 0 : folders_.front();
    size_.name_bytes += name + first + (folder < folders_.size() ? folders_[folder] : 0);
    ++size_.files;
  }

  void read_older_names(Cursor& header) {
    folders_ = {0};  // the folder of the unit
    while (const u64 length = header.text()) folders_.push_back(length);
    while (const u64 length = header.text()) {
      const u64 folder = header.leb128();
      header.leb128();
      header.leb128();
      add_file(length, folder);
    }
  }

  void read_names(Cursor& header) {
    folders_.clear();
    std::vector<u64> folders;
    read_entries(header, [&](u64 name, u64) { folders.push_back(name); });
    folders_ = std::move(folders);
    if (size_.is_known) read_entries(header, [&](u64 name, u64 folder) { add_file(name, folder); });
  }

  /// Reads folders or files of DWARF 5, which begin with a description of their fields.
  template <class Add>
  void read_entries(Cursor& header, const Add& add) {
    std::vector<std::pair<u64, u64>> formats(header.number(1));
    for (auto& [content, form] : formats) {
      content = header.leb128();
      form = header.leb128();
    }
    u64 count = header.leb128();
    if (formats.empty()) return;
    for (; count != 0 && header.is_good(); --count) {
      u64 name = 0;
      u64 folder = 0;
      for (const auto& [content, form] : formats) {
        const std::optional<u64> value = read_value(header, form);
        if (!value) {
          size_.is_known = false;
          return;
        }
        if (content == DW_LNCT_path) name = *value;
        if (content == DW_LNCT_directory_index) folder = *value;
      }
      if (header.is_good()) add(name, folder);
    }
  }

  /// Reads a number, or the length of a text; nothing for texts that are too long and for forms that line tables do not
  /// use.
  std::optional<u64> read_value(Cursor& header, u64 form) const {
    switch (form) {
      case DW_FORM_string:
        return header.text();
      case DW_FORM_line_strp:
        return length_at(line_names_, header.number(offset_bytes_));
      case DW_FORM_strp:
        return length_at(names_, header.number(offset_bytes_));
      case DW_FORM_udata:
        return header.leb128();
      case DW_FORM_data1:
        return header.number(1);
      case DW_FORM_data2:
        return header.number(2);
      case DW_FORM_data4:
        return header.number(4);
      case DW_FORM_data8:
        return header.number(8);
      case DW_FORM_data16:
        return header.take(16).size();
      case DW_FORM_block:
        return header.take(header.leb128()).size();
      default:
        return std::nullopt;
    }
  }

  /// Runs the line number program and counts its rows.
  void run(Cursor& program, u64 opcode_base, std::string_view operand_counts) {
    while (program.has_more()) {
      const u64 opcode = program.number(1);
      if (opcode >= opcode_base || opcode == DW_LNS_copy) {
        ++size_.rows;
      } else if (opcode == 0) {
        run_extended(Cursor(program.take(program.leb128())));
      } else if (opcode == DW_LNS_fixed_advance_pc) {
        program.take(2);
      } else {
        for (auto count = static_cast<u8>(operand_counts[opcode - 1]); count != 0; --count) program.leb128();
      }
    }
  }

  void run_extended(Cursor operation) {
    const u64 opcode = operation.number(1);
    if (opcode == DW_LNE_end_sequence) ++size_.rows;
    if (opcode != DW_LNE_define_file) return;
    const u64 name = operation.text();
    add_file(name, operation.leb128());
  }

  std::string_view line_names_;
  std::string_view names_;
  LineTableSize& size_;
  u16 version_ = 0;
  u64 offset_bytes_ = 4;
  std::vector<u64> folders_;  ///< lengths of the folders' names
};

}  // namespace

LineTableSize measure_line_tables(std::string_view tables, std::string_view line_names, std::string_view names) {
  constexpr u64 says_64_bits = 0xffffffff;
  LineTableSize size;
  TableMeter meter(line_names, names, size);
  Cursor cursor(tables);
  while (cursor.has_more()) {
    u64 length = cursor.number(4);
    const bool is_64 = length == says_64_bits;
    if (is_64) length = cursor.number(8);
    const std::string_view table = cursor.take(length);
    if (!cursor.is_good()) break;
    ++size.tables;
    meter.measure(table, is_64 ? 8 : 4);
  }
  return size;
}

}  // namespace salu::loader
