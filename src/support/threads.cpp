#include "support/threads.hpp"

#include <csignal>
#include <utility>

namespace salu::support {

std::jthread start_thread(std::function<void()> work) {
  sigset_t held{};
  sigset_t before{};
  sigfillset(&held);
  for (const int own : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF, SIGSEGV, SIGSYS, SIGTRAP}) sigdelset(&held, own);
  // A thread inherits the signal mask of its creator.
  const bool is_held = pthread_sigmask(SIG_BLOCK, &held, &before) == 0;
  const auto restore = [&] {
    if (is_held) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  };
  try {
    std::jthread thread(std::move(work));
    restore();
    return thread;
  } catch (...) {
    restore();
    throw;
  }
}

}  // namespace salu::support
