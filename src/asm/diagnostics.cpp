#include "asm/diagnostics.hpp"

#include <algorithm>
#include <utility>

namespace salu::assembler {
namespace {

/// A longer line would only flood the terminal.
constexpr std::size_t longest_source_line = 400;

}  // namespace

std::size_t Diagnostics::line_start(const TextPosition& place) const {
  if (place.offset == 0) return 0;
  const std::size_t before = text_.rfind('\n', place.offset - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

SourcePlace Diagnostics::locate(const TextPosition& place) const {
  SourcePlace where;
  where.file = options_.file;
  where.line = options_.first_line + place.line;
  where.column = options_.first_column + static_cast<u32>(place.offset - line_start(place));
  return where;
}

std::string Diagnostics::source_line(const TextPosition& place) const {
  const std::size_t start = line_start(place);
  const std::size_t end = std::min(text_.find('\n', start), text_.size());
  if (end - start > longest_source_line) return {};
  std::string line(text_.substr(start, end - start));
  if (!line.empty() && line.back() == '\r') line.pop_back();
  // Embedded text starts at `first_column`: blanks bring the caret to the right place.
  return std::string(options_.first_column - 1, ' ') + line;
}

void Diagnostics::error(const TextPosition& place, std::string message) {
  if (full()) return;
  errors_.push_back(
      {place.offset, errors_.size(), {ErrorCode::assembly, locate(place), std::move(message), source_line(place)}});
  if (full()) {
    errors_.push_back({text_.size(),
                       errors_.size(),
                       {ErrorCode::assembly, locate(place), "too many errors, the rest is not looked at", {}}});
  }
}

void Diagnostics::remark(const TextPosition& place, std::string message) {
  if (remarks_.size() >= most_errors) return;
  remarks_.push_back({place.offset, remarks_.size(), {locate(place), std::move(message), source_line(place)}});
}

void Diagnostics::finish(Assembly& assembly) {
  // What only shows once all labels are known was found last.
  const auto in_order = [](const auto& a, const auto& b) {
    return std::pair{a.offset, a.number} < std::pair{b.offset, b.number};
  };
  std::ranges::sort(errors_, in_order);
  std::ranges::sort(remarks_, in_order);
  for (Entry<Error>& entry : errors_) assembly.errors.push_back(std::move(entry.content));
  for (Entry<Remark>& entry : remarks_) assembly.remarks.push_back(std::move(entry.content));
}

}  // namespace salu::assembler
