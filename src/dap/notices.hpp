#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dap/breakpoints.hpp"
#include "dap/client_traits.hpp"
#include "dap/messages.hpp"

namespace salu::dap {

/// The events about a program: stops, misuse, changes.
class Notices {
 public:
  /// The arguments must outlive this object.
  Notices(Messages& messages, const ClientTraits& client, const Breakpoints& breakpoints)
      : messages_(messages), client_(client), breakpoints_(breakpoints) {}

  /// Reports the start of the program and its threads.
  void say_started(const Debuggee& debuggee);
  /// Reports that the program continues without a request of the client.
  void say_continued(const Debuggee& debuggee);
  /// Reports a stop of the selected wave, and the threads that have ended and started. `ids`: of breakpoints.
  void say_stopped(const Debuggee& debuggee, const char* reason, const std::string& description,
                   const std::string& text = "", const std::vector<u32>& ids = {});
  /// Reports a stop at breakpoints or watchpoints.
  void say_hit(Debuggee& debuggee, const debug::Pause& pause);
  /// Reports new warnings. Those about misuse of the control stack are also part of the next stop.
  void tell_warnings(Debuggee& debuggee);
  /// Reports the failed expectations at the end of the run, once. Returns them for the text of a stop.
  std::string tell_expectations(Debuggee& debuggee);
  /// Prints the messages of breakpoints from now on; commands of the console print them themselves.
  void print_log(Debuggee& debuggee);
  /// Reports that the user has changed the state; `count` bytes at `address` for memory.
  void tell_changed(std::optional<u64> address = std::nullopt, u64 count = 0);
  /// Reports that the user has changed a register or memory, by its name.
  void tell_set(const Debuggee& debuggee, const std::string& place);

 private:
  void tell_threads(const Debuggee& debuggee);

  Messages& messages_;
  const ClientTraits& client_;
  const Breakpoints& breakpoints_;
  std::string misuse_;       ///< for the next stop
  std::set<u64> threads_{};  ///< those that the client knows
};

}  // namespace salu::dap
