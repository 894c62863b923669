#include "loader/columns/npy_header.hpp"

#include <salu/error.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "loader/rejection.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::loader {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::string_view npy_advice = "save integers with numpy.save(), as in array.astype('<u4')";

/// A Python literal of a kind that occurs in headers.
struct Literal {
  enum class Kind : u8 { text, number, boolean, list, dictionary };
  Kind kind = Kind::text;
  std::string text;
  u64 number = 0;              ///< for a boolean: 1 for True
  std::vector<Literal> items;  ///< items of a list or tuple; key, value, key, value, ... of a dictionary

  [[nodiscard]] const Literal* find(std::string_view key) const {
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      if (items[i].kind == Kind::text && items[i].text == key) return &items[i + 1];
    }
    return nullptr;
  }
};

class LiteralReader {
 public:
  LiteralReader(std::string_view text, const std::string& file, u64 offset)
      : text_(text), file_(file), offset_(offset) {}

  Literal read_all() {
    Literal literal = read(0);
    skip_blanks();
    if (at_ != text_.size()) fail();
    return literal;
  }

 private:
  [[noreturn]] void fail() const {
    reject(ErrorCode::scenario, {file_, 0, 0, offset_ + at_}, fmt::format("not a header of NumPy's; {}", npy_advice));
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    const bool is_there = at_ < text_.size() && text_[at_] == c;
    at_ += is_there ? 1 : 0;
    return is_there;
  }
  bool accept_word(std::string_view word) {
    const bool is_there = text_.substr(at_).starts_with(word);
    at_ += is_there ? word.size() : 0;
    return is_there;
  }

  Literal read(u32 level) {
    constexpr u32 deepest_literal = 8;
    if (level > deepest_literal) fail();
    if (accept('{')) return read_items(Literal::Kind::dictionary, '}', level);
    if (accept('[')) return read_items(Literal::Kind::list, ']', level);
    if (accept('(')) return read_items(Literal::Kind::list, ')', level);
    if (accept('\'')) return read_text('\'');
    if (accept('"')) return read_text('"');
    Literal literal{Literal::Kind::boolean, {}, 0, {}};
    if (accept_word("False")) return literal;
    literal.number = 1;
    if (accept_word("True")) return literal;
    return read_number();
  }

  Literal read_items(Literal::Kind kind, char end, u32 level) {
    Literal literal{kind, {}, 0, {}};
    while (!accept(end)) {
      Literal item = read(level + 1);
      // Duplicate keys are an error: NumPy never writes them, and would use the last one.
      if (kind == Literal::Kind::dictionary && literal.find(item.text) != nullptr) fail();
      literal.items.push_back(std::move(item));
      if (kind == Literal::Kind::dictionary) {
        if (!accept(':')) fail();
        literal.items.push_back(read(level + 1));
      }
      if (accept(',')) continue;
      if (!accept(end)) fail();
      break;
    }
    return literal;
  }

  Literal read_text(char quote) {
    const std::size_t end = text_.find(quote, at_);
    const std::string_view text = text_.substr(at_, std::min(end, text_.size()) - at_);
    if (end == std::string_view::npos || text.find('\\') != std::string_view::npos) fail();
    at_ = end + 1;
    return {Literal::Kind::text, std::string(text), 0, {}};
  }

  Literal read_number() {
    Literal literal{Literal::Kind::number, {}, 0, {}};
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), literal.number);
    if (error != std::errc{}) fail();
    at_ += static_cast<std::size_t>(end - begin);
    // A suffix of Python 2.
    accept_word("L");
    return literal;
  }

  std::string_view text_;
  const std::string& file_;
  u64 offset_;
  std::size_t at_ = 0;
};

/// Interprets a header.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  NpyHeader read(const Literal& dictionary, u64 data_offset) {
    header_.data_offset = data_offset;
    const Literal* const type = dictionary.find("descr");
    const Literal* const order = dictionary.find("fortran_order");
    const Literal* const shape = dictionary.find("shape");
    const bool is_whole = type != nullptr && order != nullptr && order->kind == Literal::Kind::boolean &&
                          shape != nullptr && shape->kind == Literal::Kind::list;
    if (dictionary.kind != Literal::Kind::dictionary || !is_whole) {
      fail("a header without `descr`, `fortran_order` and `shape`");
    }
    header_.is_fortran = order->number != 0;
    for (const Literal& length : shape->items) {
      if (length.kind != Literal::Kind::number) fail("a shape that is not made of numbers");
      header_.shape.push_back(length.number);
    }
    if (type->kind == Literal::Kind::text) {
      add_field({}, *type);
    } else {
      add_fields(*type);
    }
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    reject(ErrorCode::scenario, {file_}, fmt::format("{}; {}", what, npy_advice));
  }

  void add_fields(const Literal& type) {
    for (const Literal& field : type.items) {
      const bool is_plain = field.kind == Literal::Kind::list && field.items.size() == 2 &&
                            field.items[0].kind == Literal::Kind::text && field.items[1].kind == Literal::Kind::text;
      if (!is_plain) fail("a field that is not a single integer");
      const std::size_t before = header_.fields.size();
      add_field(field.items[0].text, field.items[1]);
      if (header_.fields.size() != before && field.items[0].text.empty()) fail("a field without a name");
    }
    if (header_.fields.empty()) fail("an array without fields");
  }

  void add_field(const std::string& name, const Literal& type) {
    const std::string& code = type.text;
    const std::string of_field = name.empty() ? "" : " in the field " + support::quote(name);
    const std::string found = support::quote(code) + of_field;
    const auto size = code.size() > 2 ? support::parse_unsigned(code.substr(2)) : std::nullopt;
    const char order = code.empty() ? ' ' : code[0];
    const char kind = code.size() > 1 ? code[1] : ' ';
    constexpr u64 most_padding = u64{1} << 32;
    if (kind == 'V' && name.empty() && size && *size < most_padding) {
      // Padding between the fields of aligned structures.
      header_.item_bytes += *size;
      return;
    }
    if (kind == 'f' || kind == 'c') fail(fmt::format("floating-point numbers ({}); expected integers", found));
    const bool is_integer = (kind == 'u' || kind == 'i') && size && *size <= 8 && std::has_single_bit(*size);
    if (!is_integer && !(kind == 'b' && size == u64{1})) fail(fmt::format("{}; expected integers", found));
    if (order == '>' && *size > 1) fail(fmt::format("big-endian numbers ({}); expected little-endian ones", found));
    if (order != '<' && order != '>' && !(order == '|' && *size == 1))
      fail(fmt::format("{}; expected little-endian integers", found));
    header_.fields.push_back({name, header_.item_bytes, static_cast<u32>(*size), kind == 'i'});
    header_.item_bytes += *size;
  }

  const std::string& file_;
  NpyHeader header_;
};

}  // namespace

NpyHeader read_npy_header(std::string_view bytes, const std::string& file) {
  const auto fail = [&](const std::string& what) {
    reject(ErrorCode::scenario, {file}, fmt::format("{}; {}", what, npy_advice));
  };
  constexpr std::size_t version_bytes = 2;
  if (!bytes.starts_with(npy_magic)) fail("not a NumPy array (.npy)");
  if (bytes.size() < npy_magic.size() + version_bytes) fail("it ends within its header");
  const auto byte = [&](std::size_t offset) { return u64{static_cast<u8>(bytes[npy_magic.size() + offset])}; };
  const u64 version = byte(0);
  if (version < 1 || version > 3 || byte(1) != 0)
    fail(fmt::format("version {}.{} of the format; 1.0 to 3.0 are supported", version, byte(1)));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = npy_magic.size() + version_bytes + length_bytes;
  if (bytes.size() < start) fail("it ends within its header");
  u64 length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(version_bytes + i) << (8 * i);
  if (length + start > most_npy_header_bytes)
    fail(fmt::format("a header of {} bytes; the limit is {}", length + start, most_npy_header_bytes));
  if (length > bytes.size() - start) fail("it ends within its header");
  const std::string_view text = bytes.substr(start, static_cast<std::size_t>(length));
  return HeaderReader(file).read(LiteralReader(text, file, start).read_all(), start + length);
}

}  // namespace salu::loader
