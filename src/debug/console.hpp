#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/session.hpp"

namespace salu::debug {

/// The commands of `salu debug`: GDB's verbs on a session. What a command prints depends on the run alone, so scripts
/// and tests can compare it. What each verb does stands with its declaration (debug/verb.hpp).
class Console {
 public:
  /// `print` takes whole lines. `colour`: ANSI colours.
  Console(Session& session, std::function<void(std::string_view)> print, bool colour, ConsoleHost host = {});
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;
  ~Console() = default;

  /// Where the run begins.
  void greet() { show_place(context_); }
  /// Executes one line. An error has been printed when this is false.
  bool execute(std::string_view text);
  /// Makes what runs stop soon, from any thread or signal handler.
  void interrupt() {
    context_.is_interrupted = true;
    context_.session.interrupt();
  }
  /// Whether `quit` was said.
  [[nodiscard]] bool wants_to_quit() const { return context_.quits; }
  /// Where and why the last command that moves came to stand still.
  [[nodiscard]] const Pause& last_stop() const { return context_.stops.last; }
  /// How the run ended, the last time that a command came to its end; null where none did.
  [[nodiscard]] const EndReport* last_end() const { return context_.end ? &*context_.end : nullptr; }
  /// How often commands have moved.
  [[nodiscard]] u64 stop_count() const { return context_.stops.count; }
  /// Whether the next line is one of the commands of a breakpoint, up to `end`.
  [[nodiscard]] bool is_collecting() const { return context_.collecting.has_value(); }
  /// Words that may stand where the last word of a line stands.
  [[nodiscard]] std::vector<std::string> complete(std::string_view text) const;

 private:
  bool follow(std::string_view line);
  bool collect(std::string_view line);
  bool execute_pending();
  bool execute_list(const std::vector<std::string>& commands);
  bool execute_verb(const std::string& command);

  ConsoleContext context_;
  std::string last_line_;  ///< what an empty line does again
};

}  // namespace salu::debug
