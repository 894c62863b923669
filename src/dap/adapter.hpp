#pragma once

#include <chrono>

#include "dap/execution.hpp"
#include "dap/lifecycle.hpp"
#include "dap/notices.hpp"

namespace salu::dap {

/// The parts of a debug adapter that requests use.
struct Adapter {
  Adapter(std::function<void(const std::string& message)> send, ExitCodeOf exit_code_of, Launch defaults)
      : messages(std::move(send)),
        notices(messages, client, breakpoints),
        life(messages, client, breakpoints, std::move(defaults), std::move(exit_code_of)),
        run(life, notices) {}
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;
  ~Adapter() = default;

  Messages messages;
  ClientTraits client;
  Breakpoints breakpoints;
  Notices notices;
  Lifecycle life;
  Execution run;
  std::chrono::milliseconds progress_after{500};  ///< the time before progress is reported

  /// The program and its session. Requests that need a program may call this.
  [[nodiscard]] Debuggee& debuggee() { return life.debuggee(); }
  [[nodiscard]] debug::Session& session() { return life.debuggee().session; }
};

}  // namespace salu::dap
