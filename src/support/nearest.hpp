#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace salu::support {

/// The candidates that a misspelt name may stand for: those at the smallest distance (insert, delete, replace a letter,
/// swap two neighbours; letter case does not count), in the order of the candidates, at most `limit`. None when that
/// distance is more than two and more than a third of the name's length, or when the name is absurdly long.
std::vector<std::string_view> nearest_names(std::string_view name, std::span<const std::string_view> candidates,
                                            std::size_t limit = 3);

}  // namespace salu::support
