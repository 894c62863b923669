#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace salu::support {

/// Returns the candidates nearest to a misspelt name: those with the smallest edit distance (insert, delete or replace
/// a letter, swap neighbours; ignoring case), in the order of the candidates, at most `limit`. Returns no candidates if
/// this distance is more than two and more than a third of the name's length, or if the name is extremely long.
std::vector<std::string_view> nearest_names(std::string_view name, std::span<const std::string_view> candidates,
                                            std::size_t limit = 3);

}  // namespace salu::support
