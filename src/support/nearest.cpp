#include "support/nearest.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "support/names.hpp"

namespace salu::support {
namespace {

constexpr std::size_t longest_name = 40;

/// Optimal string alignment distance of names no longer than `longest_name`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  using DistanceRow = std::array<std::size_t, longest_name + 1>;
  DistanceRow before_last{};
  DistanceRow last{};
  DistanceRow row{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower_case(a[i - 1]) == lower_case(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                           lower_case(a[i - 2]) == lower_case(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string_view> nearest_names(std::string_view name, std::span<const std::string_view> candidates,
                                            std::size_t limit) {
  if (name.empty() || name.size() > longest_name) return {};
  const std::size_t most_edits = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::string_view>> found;
  std::size_t nearest = most_edits;
  for (const std::string_view candidate : candidates) {
    // The difference of the lengths is a lower bound of the edit distance.
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer > longest_name || longer - std::min(name.size(), candidate.size()) > nearest) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance > nearest) continue;
    nearest = distance;
    found.emplace_back(distance, candidate);
  }
  std::vector<std::string_view> names;
  for (const auto& [distance, candidate] : found) {
    if (distance > nearest || names.size() == limit) continue;
    if (std::ranges::find(names, candidate) == names.end()) names.push_back(candidate);
  }
  return names;
}

}  // namespace salu::support
