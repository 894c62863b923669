#pragma once

#include <cstddef>
#include <functional>

namespace salu {

/// Does one of many parts of a job. False: the parts of a greater index need not be done any more.
using PartWork = std::function<bool(std::size_t index)>;

/// Does the parts below `count`, perhaps several at a time on threads of its own, and returns when nobody works on one
/// any more. Parts are begun in order. When one throws, those behind it are not begun; of several exceptions that of
/// the least index comes out here, so that it is the same one with any number of threads.
using ForEach = std::function<void(std::size_t count, const PartWork& work)>;

/// The `ForEach` of one thread.
inline void for_each_in_turn(std::size_t count, const PartWork& work) {
  for (std::size_t i = 0; i < count && work(i); ++i) {
  }
}

}  // namespace salu
