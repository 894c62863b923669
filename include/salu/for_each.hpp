#pragma once

#include <cstddef>
#include <functional>

namespace salu {

/// Does one of many parts of a job. Returns false if the parts with greater indices are not needed any more.
using PartWork = std::function<bool(std::size_t index)>;

/// Runs the parts 0 to `count` - 1, possibly several at a time on its own threads, and returns when all started parts
/// have finished. Parts are started in order. If a part throws, later parts are not started. If several parts throw,
/// the exception of the lowest index is rethrown, so that the result does not depend on the number of threads.
using ForEach = std::function<void(std::size_t count, const PartWork& work)>;

/// The `ForEach` that runs all parts on the calling thread.
inline void for_each_in_turn(std::size_t count, const PartWork& work) {
  for (std::size_t i = 0; i < count && work(i); ++i) {
  }
}

}  // namespace salu
