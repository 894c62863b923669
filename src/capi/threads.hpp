#pragma once

#include <salu/for_each.hpp>

#include <algorithm>
#include <thread>

#include "capi/objects.hpp"
#include "suite/work_pool.hpp"

namespace salu::capi {

/// The threads of one call, whose work the caller may end.
class Threads {
 public:
  /// 0: one for each processor.
  Threads(u32 wanted, const volatile int32_t* cancel)
      : pool_(wanted != 0 ? std::min(wanted, most) : std::max(1U, std::min(std::thread::hardware_concurrency(), most))),
        cancel_(cancel) {}

  /// Does parts of a job on them; throws `Cancelled` in front of one when the caller wants it to end.
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
