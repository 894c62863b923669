#pragma once

#include <salu/integer.hpp>

#include <optional>

#include "dap/launch.hpp"

namespace salu::app {

/// Serves a client of the Debug Adapter Protocol on standard input and output; or, with a port, one after the other on
/// 127.0.0.1, until the process is ended. 0 stands for any port that is free. Returns the exit code.
int serve_debug_clients(const dap::Launch& defaults, std::optional<u16> port);

}  // namespace salu::app
