#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "assembler/text_assembly.hpp"

/// Directives that control the location of the next bytes: sections, alignment, common symbols.
namespace salu::assembler {
namespace {

/// S_NOP 0, the padding of aligned code.
constexpr u32 nop_word = 0xbf800000;

/// Limit for an alignment: 2^16 bytes.
constexpr i64 largest_power = 16;

}  // namespace

/// `#alloc, #execinstr`: the flags of a section in Solaris syntax, converted to ELF's letters. Nothing if one is
/// unknown, which has been reported. LLVM accepts a comma at the end.
std::optional<std::string> TextAssembly::named_flags() {
  struct Flag {
    std::string_view name;
    char letter;
  };
  static constexpr std::array flags =
      std::to_array<Flag>({{"alloc", 'a'}, {"execinstr", 'x'}, {"write", 'w'}, {"tls", 'T'}});
  std::string letters;
  while (lexer_.accept("#")) {
    const Token name = lexer_.next();
    const auto* const flag = std::ranges::find(flags, name.text, &Flag::name);
    if (name.kind != TokenKind::identifier || flag == flags.end()) {
      fail(name.place, fmt::format("unknown flag of a section{}; expected #alloc, #write, #execinstr or #tls",
                                   name.ends_statement() ? "" : fmt::format(" '#{}'", name.text)));
      return std::nullopt;
    }
    letters += flag->letter;
    if (!lexer_.accept(",")) break;
  }
  return letters;
}

/// `.section name, "flags", @type`, or `.section name, #flag, #flag`; `.pushsection` with the first syntax.
bool TextAssembly::named_section(bool is_pushed) {
  const Token first = lexer_.next();
  if (first.ends_statement()) return fail(first.place, "expected the name of a section");
  // A name without quotes may contain characters that other names cannot, as in .note.GNU-stack.
  const bool is_quoted = first.kind == TokenKind::string;
  while (!is_quoted && !lexer_.peek().is(",") && !lexer_.peek().ends_statement()) lexer_.next();
  const std::string_view name = is_quoted ? first.text : lexer_.text_between(first.place, lexer_.place());
  const bool is_name = is_quoted || name.find_first_of(" \t") == std::string_view::npos;
  if (!is_name) fail(first.place, "the name of a section cannot contain blanks; write ',' before its flags");
  std::optional<std::string_view> flags;
  std::string_view type;
  std::optional<std::string> letters;
  const bool has_more = lexer_.accept(",");
  if (has_more && lexer_.peek().is("#")) {
    if (is_pushed)
      return fail(lexer_.peek().place, "the flags of .pushsection are in quotes, as in `.pushsection name, \"ax\"`");
    letters = named_flags();
    if (!letters) return false;
    flags = *letters;
  } else if (has_more && lexer_.peek().kind == TokenKind::string) {
    flags = lexer_.next().text;
    if (lexer_.accept(",") && (lexer_.accept("@") || lexer_.accept("%") || lexer_.peek().kind == TokenKind::string))
      type = lexer_.next().text;
  }
  // Further arguments are for linkers only: sizes of entries, groups.
  if (lexer_.peek().is(",") || is_pushed) lexer_.skip_statement();
  if (is_pushed) sections_.push();
  sections_.enter(name, flags, type);
  return is_name;
}

/// `.p2align n, fill, limit`, `.balign bytes, fill, limit`; with a `w` or `l` at the end the fill is 2 or 4 bytes wide.
bool TextAssembly::align(bool power_of_two, u32 fill_bytes) {
  const TextPosition place = lexer_.peek().place;
  const auto amount = constant();
  if (!amount) return false;
  const i64 most_amount = power_of_two ? largest_power : i64{1} << largest_power;
  if (*amount < 0 || *amount > most_amount || (!power_of_two && (*amount & (*amount - 1)) != 0)) {
    return fail(place, power_of_two ? "an alignment must be from 2^0 to 2^16"
                                    : "an alignment must be a power of two up to 65536");
  }
  // An alignment of 0 or 1 bytes has no effect.
  const u64 bytes = power_of_two ? u64{1} << *amount : std::max<u64>(static_cast<u64>(*amount), 1);
  std::optional<u64> written_fill;
  u64 most = bytes;
  if (lexer_.accept(",")) {
    if (!lexer_.peek().is(",") && !lexer_.peek().ends_statement()) {
      const auto value = constant();
      if (!value) return false;
      written_fill = static_cast<u64>(*value);
    }
    if (lexer_.accept(",")) {
      const TextPosition limit = lexer_.peek().place;
      const auto value = constant();
      if (!value) return false;
      if (*value < 1) return fail(limit, "the padding limit of an alignment is at least 1 byte");
      most = static_cast<u64>(*value);
    }
  }
  // A section without contents is padded with zeros.
  u64 fill = sections_.current().is_zero ? 0 : written_fill.value_or(0);
  // As in LLVM 20 and later: code without a fill value is padded with S_NOP, whatever the width of the fill.
  if (!written_fill && sections_.is_code()) {
    fill = nop_word;
    fill_bytes = 4;
  }
  sections_.align(bytes);
  const u64 padding = (bytes - sections_.location() % bytes) % bytes;
  if (padding > most) return true;
  return emit_repeated(0, 1, padding % fill_bytes, place) &&
         emit_repeated(fill, fill_bytes, padding / fill_bytes, place);
}

/// `.comm name, bytes, power`, where the alignment is 2 to this power, and `.lcomm name, bytes`: reserve memory for a
/// variable.
bool TextAssembly::common(bool may_be_aligned) {
  const TextPosition place = lexer_.peek().place;
  const auto name = symbol_name();
  if (!name) return false;
  if (!lexer_.accept(",")) return fail(lexer_.peek().place, "expected ',' and a size");
  const auto size = constant();
  if (!size) return false;
  if (*size < 0) return fail(place, "a size cannot be negative");
  std::optional<i64> power = 0;
  if (may_be_aligned && lexer_.accept(",")) {
    const TextPosition of_power = lexer_.peek().place;
    power = constant();
    if (!power) return false;
    if (*power < 0 || *power > largest_power)
      return fail(of_power, fmt::format("an alignment must be from 2^0 to 2^{} (`.comm x, 64, 4` is one of 16 bytes)",
                                        largest_power));
  }
  const u64 bytes = u64{1} << *power;
  sections_.push();
  sections_.enter(".bss");
  sections_.align(bytes);
  const u32 symbol = symbols_.intern(*name);
  labels_.push_back(symbol);
  const bool is_good = emit_repeated(0, 1, (bytes - sections_.location() % bytes) % bytes, place) &&
                       define_label(symbol, place) && emit_repeated(0, 1, static_cast<u64>(*size), place);
  return sections_.pop() && is_good;
}

TextAssembly::DirectiveHandler TextAssembly::find_section_directive(std::string_view name) {
  static constexpr auto known = [](TextAssembly& text, const Token& token) {
    if (!text.lexer_.peek().ends_statement()) {
      const auto number = text.constant();
      if (!number) return false;
      if (*number != 0) return text.fail_unknown(token.place, "numbered subsections are not supported");
    }
    text.sections_.enter(token.text);
    return true;
  };
  static constexpr std::array rows = std::to_array<DirectiveRow>({
      {".text", known},
      {".data", known},
      {".bss", known},
      {".rodata", known},
      {".hsatext", known},
      {".hsadata_global_agent", known},
      {".hsadata_readonly_agent", known},
      {".section", [](TextAssembly& text, const Token&) { return text.named_section(false); }},
      {".pushsection", [](TextAssembly& text, const Token&) { return text.named_section(true); }},
      {".popsection",
       [](TextAssembly& text, const Token& token) {
         return text.sections_.pop() || text.fail(token.place, ".popsection without .pushsection");
       }},
      {".previous",
       [](TextAssembly& text, const Token& token) {
         return text.sections_.enter_previous() ||
                text.fail(token.place, ".previous without a section before this one");
       }},
  });
  const auto* const found = std::ranges::find(rows, name, &DirectiveRow::name);
  return found == rows.end() ? nullptr : found->handler;
}

}  // namespace salu::assembler
