#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>

#include "dap/launch.hpp"

namespace salu::app {

/// Where clients of the Debug Adapter Protocol come from: without a port and a socket, one on standard input and
/// output.
struct DebugClients {
  std::optional<u16> port{};  ///< of 127.0.0.1; 0 stands for any that is free
  std::string socket{};       ///< the path of a Unix domain socket
  bool need_token = false;    ///< on a port: even those of the same user
};

/// Serves clients, those of a port or a socket one after the other until the process is ended. Returns the exit code.
int serve_debug_clients(const dap::Launch& defaults, const DebugClients& clients);

}  // namespace salu::app
