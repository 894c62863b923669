#include "suite/text_edits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "loader/number.hpp"
#include "support/byte_order_mark.hpp"
#include "support/numbers.hpp"

namespace salu::suite {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

/// The offset of a scalar's value that is written in one piece, or `nowhere`.
std::size_t find_value(const loader::Source& source, const loader::Node& node) {
  if (node.line == 0 || node.line > source.lines.count() || node.column == 0) return nowhere;
  const std::string_view line = source.lines.whole_line(node.line);
  std::size_t at = node.column - 1;
  // An anchor or a tag precedes its value.
  while (at < line.size() && (line[at] == '&' || line[at] == '!'))
    at = line.find_first_not_of(" \t", std::min(line.find_first_of(" \t", at), line.size()));
  if (at >= line.size()) return nowhere;
  const char quote = line[at] == '"' || line[at] == '\'' ? line[at] : '\0';
  if (quote != '\0') ++at;
  if (!line.substr(at).starts_with(node.text)) return nowhere;
  const std::size_t end = at + node.text.size();
  if (quote != '\0' && (end == line.size() || line[end] != quote)) return nowhere;
  return static_cast<std::size_t>(line.data() - source.text.data()) + at;
}

/// The conflicting texts of a value: `3 and 4`.
template <class Edits>
std::string list_texts(const Edits& edits) {
  std::vector<std::string> texts;
  for (const auto& edit : edits) {
    if (std::ranges::find(texts, edit.text) == texts.end()) texts.push_back(edit.text);
  }
  std::string list;
  for (std::size_t i = 0; i < texts.size(); ++i)
    list += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  return list;
}

template <class Wish>
void sort_and_unite(std::vector<Wish>& wishes) {
  std::stable_sort(wishes.begin(), wishes.end());
  wishes.erase(std::unique(wishes.begin(), wishes.end()), wishes.end());
}

/// Adds a request unless it is a duplicate: tests that share a table request the same.
template <class Wish>
void make_room(std::vector<Wish>& wishes) {
  if (wishes.size() < wishes.capacity()) return;
  sort_and_unite(wishes);
  wishes.reserve(2 * wishes.size() + 1);
}

/// True for a text that starts like a number, not like a label.
bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

/// Separates digits as another number does, counted from the end.
std::string separate_like(std::string_view before, std::string text) {
  std::size_t from_end = 0;
  const std::size_t digits = text.size() - (text.starts_with('-') ? 1 : 0);
  for (std::size_t i = before.size(); i-- > 0 && from_end < digits; ++from_end) {
    if (before[i] == '_') text.insert(text.size() - from_end, 1, '_');
  }
  return text;
}

/// `write_like` for a number without separators.
std::string write_without_separators_like(const std::string& before, u64 value, u32 bits) {
  const bool negative = before.starts_with('-');
  const std::string_view digits = std::string_view(before).substr(negative ? 1 : 0);
  const std::string prefix(digits.substr(0, 2));
  if (prefix == "0x" || prefix == "0X") {
    std::string text = support::hex(value, std::max<u32>(static_cast<u32>(digits.size()) - 2, 1));
    text.replace(0, prefix.size(), prefix);
    if (std::ranges::any_of(digits, [](char c) { return c >= 'A' && c <= 'F'; })) {
      std::transform(text.begin() + 2, text.end(), text.begin() + 2,
                     [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
    }
    return text;
  }
  if (prefix == "0b" || prefix == "0B") {
    std::string text;
    for (u64 rest = value; rest != 0; rest >>= 1) text.insert(text.begin(), (rest & 1) != 0 ? '1' : '0');
    const std::size_t width = std::max<std::size_t>(digits.size() - 2, 1);
    return prefix + std::string(text.size() < width ? width - text.size() : 0, '0') + text;
  }
  if (!is_number(digits)) return support::hex(value);
  const bool is_negative = negative && bits >= 8 && (value >> (bits - 1) & 1) != 0;
  const u64 all = loader::ones(bits);
  return is_negative ? fmt::format("-{}", (~value + 1) & all) : std::to_string(value);
}

}  // namespace

TextEdits::File& TextEdits::file_of(const loader::Document& document) {
  const std::string& path = document.source->path;
  const auto known = by_path_.find(path);
  if (known != by_path_.end()) return *known->second;
  std::error_code ignored;
  const std::string canonical = std::filesystem::weakly_canonical(path, ignored).string();
  File*& file = by_path_[canonical.empty() ? path : canonical];
  if (file == nullptr) {
    file = &files_.emplace_back();
    file->source = document.source;
  }
  return *(by_path_[path] = file);
}

bool TextEdits::replace(const loader::Document& document, const loader::Node& node, std::string text,
                        std::string what) {
  File& file = file_of(document);
  const std::size_t offset = find_value(*file.source, node);
  if (offset == nowhere) return false;
  make_room(file.edits);
  file.edits.push_back({place_of(node), offset, node.text.size(), std::move(text), std::move(what), file.wishes++});
  return true;
}

void TextEdits::keep(const loader::Document& document, const loader::Node& node) {
  std::vector<TextPlace>& kept = file_of(document).kept;
  make_room(kept);
  kept.push_back(place_of(node));
}

Update TextEdits::apply() {
  Update update;
  for (File& file : files_) apply(file, update);
  return update;
}

void TextEdits::apply(File& file, Update& update) {
  sort_and_unite(file.kept);
  sort_and_unite(file.edits);
  std::ranges::sort(file.edits, {}, [](const Edit& edit) { return std::tie(edit.place, edit.number); });
  const loader::Source& source = *file.source;
  const std::string begin(source.has_byte_order_mark ? support::byte_order_mark : "");
  UpdatedFile result{source.path, begin, begin + source.text, 0};
  std::size_t done = 0;
  for (auto first = file.edits.begin(); first != file.edits.end();) {
    const auto last =
        std::find_if(first, file.edits.end(), [&](const Edit& edit) { return edit.place != first->place; });
    const std::ranges::subrange same(first, last);
    const bool agree = std::ranges::all_of(same, [&](const Edit& edit) { return edit.text == first->text; });
    if (agree && !std::ranges::binary_search(file.kept, first->place)) {
      result.text.append(source.text, done, first->offset - done).append(first->text);
      done = first->offset + first->length;
      ++result.changes;
    } else {
      const std::string why = agree ? first->text + " would be wrong for something else that uses this value"
                                    : "the uses of this value compute " + list_texts(same);
      update.left.push_back(
          fmt::format("{}:{}: {} is not rewritten: {}", source.file, first->place >> 32, first->what, why));
    }
    first = last;
  }
  if (result.changes == 0) return;
  result.text.append(source.text, done);
  update.files.push_back(std::move(result));
}

std::string write_like(const std::string& before, u64 value, u32 bits) {
  std::string plain = before;
  std::erase(plain, '_');
  const std::string text = write_without_separators_like(plain, value, bits);
  return is_number(plain) ? separate_like(before, text) : text;
}

std::optional<std::string> write_float(u64 value, u32 bits) {
  const auto single = static_cast<u32>(value);
  if (bits == 32 && single != value) return std::nullopt;
  const double number = bits == 32 ? double{std::bit_cast<float>(single)} : std::bit_cast<double>(value);
  // JSON has only finite numbers, and the name of a NaN does not determine its bits.
  if (!std::isfinite(number)) return std::nullopt;
  std::string text = bits == 32 ? fmt::format("{}", std::bit_cast<float>(single)) : fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace salu::suite
