#pragma once

#include <salu/for_each.hpp>

#include <algorithm>
#include <thread>

#include "capi/objects.hpp"
#include "suite/work_pool.hpp"

namespace salu::capi {

/// The threads of one call, with the caller's cancel flag.
class Threads {
 public:
  /// 0: one for each processor.
  Threads(u32 wanted, const volatile int32_t* cancel)
      : pool_(wanted != 0 ? std::min(wanted, most) : std::max(1U, std::min(std::thread::hardware_concurrency(), most))),
        cancel_(cancel) {}

  /// Returns a `ForEach` on these threads. It throws `Cancelled` before a part if the cancel flag is set.
  [[nodiscard]] ForEach for_each() {
    return [this](std::size_t count, const PartWork& work) {
      pool_.for_each(count, [&](std::size_t index) {
        if (is_set(cancel_)) throw Cancelled();
        return work(index);
      });
    };
  }

 private:
  static constexpr u32 most = 1024;

  suite::WorkPool pool_;
  const volatile int32_t* cancel_;
};

}  // namespace salu::capi
