#pragma once

#include <chrono>
#include <string>

#include "dap/messages.hpp"
#include "debug/session.hpp"

namespace salu::dap {

/// Tells the client how far a command has come, from when that begins to be long until this is gone. The client may
/// cancel it.
class Progress {
 public:
  /// What it refers to has to outlive it. `patience`: how long nothing is told.
  Progress(Messages& messages, debug::Session& session, std::string title, std::chrono::milliseconds patience);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void look();

  Messages& messages_;
  debug::Session& session_;
  std::string title_;
  std::chrono::steady_clock::time_point next_;
  bool has_begun_ = false;
};

}  // namespace salu::dap
