#pragma once

#include <functional>
#include <span>
#include <vector>

#include "equiv/deadline.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// Simpler values of the inputs for which `keeps` still holds: towards 0 (or the lower end of the range), with fewer
/// bits set, until no single step that was tried keeps it. A step changes one input, or all inputs of one value alike.
/// `runs` counts the calls of `keeps`. When time runs out, it is what was reached until then.
std::vector<u64> shrink(std::span<const Input> inputs, std::vector<u64> values,
                        const std::function<bool(std::span<const u64>)>& keeps, const Deadline& deadline, u64& runs);

}  // namespace salu::equiv
