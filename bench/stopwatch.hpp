#pragma once

#include <ctime>

namespace salu::bench {

/// CPU time of this thread in seconds. Less noisy than wall-clock time if other programs are running.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU time of a call, in seconds.
template <class Function>
double time_of(const Function& function) {
  const double start = cpu_seconds();
  function();
  return cpu_seconds() - start;
}

}  // namespace salu::bench
