#pragma once

#include <functional>
#include <thread>

namespace salu::support {

/// A thread that runs no handler of a signal sent to the process: it would do so beside whoever holds signals back in
/// the thread that is left to them. What the thread itself does wrong stays its own. Throws as `std::jthread` does.
std::jthread start_thread(std::function<void()> work);

}  // namespace salu::support
