#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dap/breakpoints.hpp"
#include "dap/client_traits.hpp"
#include "dap/messages.hpp"

namespace salu::dap {

/// What the client is told of a program beside answers: where it stopped, what it did wrong, what has changed.
class Notices {
 public:
  /// What it refers to has to outlive it.
  Notices(Messages& messages, const ClientTraits& client, const Breakpoints& breakpoints)
      : messages_(messages), client_(client), breakpoints_(breakpoints) {}

  /// The program is there, and its thread with it.
  void say_started(const Debuggee& debuggee);
  /// It has gone on, though the client has not asked for that.
  void say_continued();
  /// It stands still. `ids`: of breakpoints.
  void say_stopped(const char* reason, const std::string& description, const std::string& text = "",
                   const std::vector<u32>& ids = {});
  /// At breakpoints or watchpoints.
  void say_hit(Debuggee& debuggee, const debug::Pause& pause);
  /// Warnings that the client has not been told of. Those of misuse of the control stack stand in the next stop, too.
  void tell_warnings(Debuggee& debuggee);
  /// Tells which expectations failed, where the run has ended, unless the client knows. Returns these lines for a stop.
  std::string tell_expectations(Debuggee& debuggee);
  /// What breakpoints with a message say from here on becomes output; a command of the console prints it itself.
  void print_log(Debuggee& debuggee);
  /// What the user set has changed something; `count` bytes of memory, if it was memory.
  void tell_changed(std::optional<u64> address = std::nullopt, u64 count = 0);
  /// The same of a register or memory by its name.
  void tell_set(const Debuggee& debuggee, const std::string& place);

 private:
  Messages& messages_;
  const ClientTraits& client_;
  const Breakpoints& breakpoints_;
  std::string misuse_;  ///< for the next stop
};

}  // namespace salu::dap
