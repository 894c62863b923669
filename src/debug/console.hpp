#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/session.hpp"

namespace salu::debug {

/// The commands of `salu debug`: GDB's verbs on a session. The output of a command depends on the run alone, so that
/// scripts and tests can compare it. The verbs are declared in the groups of debug/verb.hpp.
class Console {
 public:
  /// `print` takes whole lines. `colour`: ANSI colours.
  Console(Session& session, std::function<void(std::string_view)> print, bool colour, ConsoleHost host = {});
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() = default;

  /// Prints the start of the run.
  void greet() { show_place(context_); }
  /// Executes one line. Returns false after printing an error.
  bool execute(std::string_view text);
  /// Stops the current command soon. May be called from any thread or signal handler.
  void interrupt() {
    context_.is_interrupted = true;
    context_.session.interrupt();
  }
  /// True after `quit`.
  [[nodiscard]] bool wants_to_quit() const { return context_.quits; }
  /// The stop of the last command that moved.
  [[nodiscard]] const Pause& last_stop() const { return context_.stops.last; }
  /// The last end of the run that a command reached, or null.
  [[nodiscard]] const EndReport* last_end() const { return context_.end ? &*context_.end : nullptr; }
  /// The number of moves so far.
  [[nodiscard]] u64 stop_count() const { return context_.stops.count; }
  /// True while the console collects the commands of a breakpoint, up to `end`.
  [[nodiscard]] bool is_collecting() const { return context_.collecting.has_value(); }
  /// The completions of the last word of a line.
  [[nodiscard]] std::vector<std::string> complete(std::string_view text) const;

 private:
  bool follow(std::string_view line);
  bool collect(std::string_view line);
  bool execute_pending();
  bool execute_list(const std::vector<std::string>& commands);
  bool execute_verb(const std::string& command);

  ConsoleContext context_;
  std::string last_line_;  ///< the command that an empty line repeats
};

}  // namespace salu::debug
