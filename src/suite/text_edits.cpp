#include "suite/text_edits.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "loader/number.hpp"

namespace salu::suite {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

/// Offset of the first byte of a line (from 1).
std::size_t start_of_line(std::string_view text, u32 line) {
  std::size_t start = 0;
  for (u32 i = 1; i < line; ++i) {
    start = text.find('\n', start);
    if (start == nowhere) return nowhere;
    ++start;
  }
  return start;
}

}  // namespace

bool TextEdits::replace(const loader::Document& document, const loader::Node& node, const std::string& text) {
  const std::string_view all = document.source->text;
  std::size_t offset = start_of_line(all, node.line);
  if (offset == nowhere || node.column == 0) return false;
  offset += node.column - 1;
  // A quoted value keeps its quotes.
  if (offset < all.size() && (all[offset] == '"' || all[offset] == '\'')) ++offset;
  if (offset > all.size() || !all.substr(offset).starts_with(node.text)) return false;
  File& file = files_[document.source->path];
  file.source = document.source;
  const auto [edit, is_new] = file.edits.try_emplace(offset, node.text.size(), text);
  // One value that two places share through an alias cannot become two.
  return is_new || edit->second.second == text;
}

std::vector<UpdatedFile> TextEdits::apply() const {
  std::vector<UpdatedFile> updated;
  for (const auto& [path, file] : files_) {
    UpdatedFile result{path, {}, file.edits.size()};
    std::size_t done = 0;
    const std::string& text = file.source->text;
    for (const auto& [offset, edit] : file.edits) {
      result.text.append(text, done, offset - done).append(edit.second);
      done = offset + edit.first;
    }
    result.text.append(text, done);
    updated.push_back(std::move(result));
  }
  return updated;
}

std::string write_like(const std::string& before, u64 value, u32 bits) {
  const bool negative = before.starts_with('-');
  const std::string_view digits = std::string_view(before).substr(negative ? 1 : 0);
  if (digits.starts_with("0x")) {
    const bool has_separators = digits.find('_') != nowhere;
    std::string text = core::hex(value, has_separators ? 1 : static_cast<u32>(digits.size() - 2));
    if (std::ranges::any_of(digits, [](char c) { return c >= 'A' && c <= 'F'; })) {
      std::transform(text.begin() + 2, text.end(), text.begin() + 2,
                     [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
    }
    return text;
  }
  if (digits.starts_with("0b")) {
    std::string text;
    for (u64 rest = value; rest != 0; rest >>= 1) text.insert(text.begin(), (rest & 1) != 0 ? '1' : '0');
    const std::size_t width = std::max<std::size_t>(digits.size() - 2, 1);
    return "0b" + std::string(text.size() < width ? width - text.size() : 0, '0') + text;
  }
  const bool is_number = !digits.empty() && digits.front() >= '0' && digits.front() <= '9';
  if (!is_number) return core::hex(value);
  const bool is_negative = negative && bits >= 8 && (value >> (bits - 1) & 1) != 0;
  const u64 all = loader::ones(bits);
  return is_negative ? "-" + std::to_string((~value + 1) & all) : std::to_string(value);
}

}  // namespace salu::suite
