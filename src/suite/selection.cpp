#include "suite/selection.hpp"

#include <algorithm>
#include <string>

#include "support/glob.hpp"

namespace salu::suite {

bool matches(std::string_view text, std::string_view pattern) {
  return support::fits_pattern(text, "*" + std::string(pattern) + "*");
}

bool is_selected(const std::vector<std::string>& filters, std::string_view id, std::string_view name) {
  bool wants_some = false;
  bool wanted = false;
  for (const std::string& filter : filters) {
    const bool excludes = filter.starts_with('!');
    const std::string_view pattern = std::string_view(filter).substr(excludes ? 1 : 0);
    const bool hit = matches(id, pattern) || matches(name, pattern);
    if (excludes && hit) return false;
    if (excludes) continue;
    wants_some = true;
    wanted = wanted || hit;
  }
  return wanted || !wants_some;
}

bool is_chosen_document(std::string_view document, std::size_t number, std::string_view name) {
  return document.empty() || document == name || document == std::to_string(number);
}

RowSelection::RowSelection(const std::vector<std::string>& filters, std::string_view id, std::string_view name,
                           const CaseTable& table)
    : filters_(filters), id_(id), name_(name), table_(table) {
  const bool excludes = std::ranges::any_of(filters, [](const std::string& filter) { return filter.starts_with('!'); });
  has_all_ = !excludes && is_selected(filters, id, name);
}

bool RowSelection::has(std::size_t row) const {
  if (has_all_) return true;
  const std::string suffix = "[" + table_.id(row) + "]";
  return is_selected(filters_, std::string(id_) + suffix, std::string(name_) + suffix);
}

std::size_t RowSelection::count(const Shard& shard) const {
  const std::size_t total = table_.rows();
  if (has_all_) return total <= shard.index ? 0 : (total - shard.index - 1) / shard.count + 1;
  std::size_t rows = 0;
  for (std::size_t row = shard.index; row < total; row += shard.count) rows += has(row) ? 1 : 0;
  return rows;
}

}  // namespace salu::suite
