#include "assembler/sources.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace salu::assembler {
namespace {

/// Longer lines are not shown with errors.
constexpr std::size_t longest_source_line = 400;

/// Limit for the expansions that a message names.
constexpr u32 most_named_expansions = 3;

}  // namespace

Sources::Sources(std::string_view text, std::string file, u32 first_line, u32 first_column) {
  files_.push_back(std::move(file));
  SourceText& main = texts_.emplace_back();
  main.text = text;
  main.first_line = first_line;
  main.first_column = first_column;
}

u32 Sources::add(SourceText entry, std::string text) {
  entry.text = owned_.emplace_back(std::move(text));
  texts_.push_back(std::move(entry));
  return count() - 1;
}

u32 Sources::add_file(std::string name) {
  const auto known = std::ranges::find(files_, name);
  if (known != files_.end()) return static_cast<u32>(known - files_.begin());
  files_.push_back(std::move(name));
  return static_cast<u32>(files_.size() - 1);
}

std::size_t Sources::line_start(const TextPosition& place) const {
  if (place.offset == 0) return 0;
  const std::size_t before = at(place.source).text.rfind('\n', place.offset - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

u32 Sources::line_of(const TextPosition& place) const {
  const SourceText& source = at(place.source);
  return source.first_line + (source.repeated_lines == 0 ? place.line : place.line % source.repeated_lines);
}

SourcePlace Sources::locate(const TextPosition& place) const {
  const SourceText& source = at(place.source);
  SourcePlace where;
  where.file = files_[source.file];
  where.line = line_of(place);
  where.column = source.first_column + static_cast<u32>(place.offset - line_start(place));
  return where;
}

std::string Sources::source_line(const TextPosition& place) const {
  const SourceText& source = at(place.source);
  const std::size_t start = line_start(place);
  const std::size_t end = std::min(source.text.find('\n', start), source.text.size());
  if (end - start > longest_source_line) return {};
  std::string line(source.text.substr(start, end - start));
  if (!line.empty() && line.back() == '\r') line.pop_back();
  // Embedded text starts at `first_column`: blanks move the caret to the correct column.
  return std::string(source.first_column - 1, ' ') + line;
}

std::string Sources::expansions_of(const TextPosition& place) const {
  std::string text;
  u32 named = 0;
  for (u32 source = place.source; at(source).kind != SourceText::Kind::main; source = at(source).used_at.source) {
    if (at(source).kind != SourceText::Kind::expansion) continue;
    if (++named > most_named_expansions) {
      text += ", ...";
      break;
    }
    const SourcePlace used = locate(at(source).used_at);
    const bool is_elsewhere = at(at(source).used_at.source).file != at(source).file;
    text += fmt::format("{}in {}, used in {}line {}", text.empty() ? "" : ", ", at(source).what,
                        is_elsewhere ? used.file + " " : "", used.line);
  }
  return text.empty() ? text : " (" + text + ")";
}

TextPosition Sources::place_in_file(TextPosition place) const {
  while (at(place.source).kind == SourceText::Kind::expansion) place = at(place.source).used_at;
  return place;
}

std::size_t Sources::main_offset(TextPosition place) const {
  while (at(place.source).kind != SourceText::Kind::main) place = at(place.source).used_at;
  return place.offset;
}

}  // namespace salu::assembler
