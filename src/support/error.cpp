#include <salu/error.hpp>

#include <array>
#include <cstddef>

#include "support/numbers.hpp"
#include "support/printable.hpp"

namespace salu {
namespace {

constexpr std::array<std::string_view, 10> code_names = {"usage", "io",  "yaml",   "scenario",  "assembly",
                                                         "words", "elf", "target", "overwrite", "memory"};

/// The prefix `file:line:column: `, as far as known.
std::string place_prefix(const SourcePlace& where) {
  std::string text = support::printable(where.file);
  if (where.offset_bytes) {
    text += '+' + support::hex(*where.offset_bytes);
  } else if (where.line != 0) {
    if (!text.empty()) text += ':';
    text += std::to_string(where.line);
    if (where.column != 0) text += ':' + std::to_string(where.column);
  }
  return text.empty() ? text : text + ": ";
}

/// The source line and a caret below `column`. The margin keeps tabs and counts a multi-byte character once, so that
/// the caret is aligned.
std::string caret_lines(const std::string& source_line, u32 column) {
  const std::string before = support::printable(std::string_view(source_line).substr(0, column - 1));
  std::string margin;
  for (const char byte : before) {
    if ((static_cast<unsigned char>(byte) & 0xc0U) != 0x80) margin += byte == '\t' ? '\t' : ' ';
  }
  // The column may be after the end of the line.
  if (column - 1 > source_line.size()) margin.append(column - 1 - source_line.size(), ' ');
  return "\n" + support::printable(source_line) + "\n" + margin + "^";
}

std::string message_text(const SourcePlace& where, std::string_view severity, const std::string& message,
                         const std::string& source_line) {
  std::string text =
      place_prefix(where).append(severity).append(": ").append(support::printable(message, support::Keep::lines));
  if (!source_line.empty() && where.column != 0) text += caret_lines(source_line, where.column);
  return text;
}

}  // namespace

std::string_view error_code_name(ErrorCode code) { return code_names[static_cast<std::size_t>(code)]; }

std::string Error::to_string() const {
  std::string text;
  for (const Remark& remark : remarks) text += remark.to_string() + "\n";
  text += message_text(where, "error", message, source_line);
  for (const Error& error : more) text += "\n" + error.to_string();
  return text;
}

std::string Remark::to_string() const { return message_text(where, "warning", message, source_line); }

}  // namespace salu
