#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>

#include "dap/launch.hpp"

namespace salu::app {

/// The transport of the Debug Adapter Protocol: a port, a socket, or standard input and output for one client.
struct DebugClients {
  std::optional<u16> port{};  ///< of 127.0.0.1; 0: any free port
  std::string socket{};       ///< the path of a Unix domain socket
  bool need_token = false;    ///< on a port: even clients of the same user need one
};

/// Serves clients of a port or a socket one after the other until the process ends, or one client. Returns the exit
/// code.
int serve_debug_clients(const dap::Launch& defaults, const DebugClients& clients);

}  // namespace salu::app
