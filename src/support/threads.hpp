#pragma once

#include <functional>
#include <thread>

namespace salu::support {

/// Starts a thread that blocks signals sent to the process, so that handlers run only in threads that expect them and
/// can block them. Signals that the thread raises itself, such as SIGSEGV, are not blocked. Throws as `std::jthread`
/// does.
std::jthread start_thread(std::function<void()> work);

}  // namespace salu::support
