#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace salu::proof {

/// Calls `visit(low, width)` for the parts of a word between borders (`Terms::add_borders`), the highest part first.
template <class Visit>
void for_each_part(u32 word_width, std::vector<u32> borders, const Visit& visit) {
  borders.push_back(0);
  std::ranges::sort(borders, std::greater<>());
  const auto rest = std::ranges::unique(borders);
  borders.erase(rest.begin(), rest.end());
  u32 top = word_width;
  for (const u32 low : borders) {
    visit(low, top - low);
    top = low;
  }
}

}  // namespace salu::proof
