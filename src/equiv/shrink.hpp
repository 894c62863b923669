#pragma once

#include <functional>
#include <span>
#include <vector>

#include "equiv/deadline.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// Returns simpler values of the inputs for which `keeps` is still true: closer to 0 (or the lower end of the range),
/// with fewer bits set, until no step that is tried keeps it true. A step changes one input, or all inputs with the
/// same value alike. `runs` counts the calls of `keeps`. If time runs out, returns the result so far.
std::vector<u64> shrink(std::span<const Input> inputs, std::vector<u64> values,
                        const std::function<bool(std::span<const u64>)>& keeps, const Deadline& deadline, u64& runs);

}  // namespace salu::equiv
