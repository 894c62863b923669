#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "debug/session.hpp"

namespace salu::debug {

/// The commands of `salu debug`: GDB's verbs on a session. What a command prints depends on the run alone, so scripts
/// and tests can compare it.
class Console {
 public:
  /// `print` takes whole lines. `colour`: ANSI colours.
  Console(Session& session, std::function<void(std::string_view)> print, bool colour);

  /// Where the run begins.
  void greet();
  /// Executes one line. An error has been printed when this is false.
  bool execute(std::string_view text);
  /// Whether `quit` was said.
  [[nodiscard]] bool wants_to_quit() const { return quits_; }
  /// Words that may stand where the last word of a line stands.
  [[nodiscard]] std::vector<std::string> complete(std::string_view text) const;

  /// A verb of the console.
  struct Command {
    std::string_view name;
    std::string_view short_name;  ///< the abbreviation that help shows; any unambiguous beginning will do
    std::string_view arguments;
    std::string_view help;  ///< sentences
    bool (Console::*run)(std::string_view arguments);
    bool repeats = false;  ///< an empty line does it again
  };
  static std::span<const Command> commands();

 private:
  // Each gets what stands behind its name.
  bool step(std::string_view arguments);
  bool step_instruction(std::string_view arguments);
  bool next(std::string_view arguments);
  bool next_instruction(std::string_view arguments);
  bool finish(std::string_view arguments);
  bool until(std::string_view arguments);
  bool go_on(std::string_view arguments);
  bool restart(std::string_view arguments);
  bool reverse_step(std::string_view arguments);
  bool reverse_next(std::string_view arguments);
  bool reverse_finish(std::string_view arguments);
  bool reverse_until(std::string_view arguments);
  bool reverse_continue(std::string_view arguments);
  bool go_to(std::string_view arguments);
  bool add_break(std::string_view arguments);
  bool add_temporary_break(std::string_view arguments);
  bool add_watch(std::string_view arguments);
  bool add_read_watch(std::string_view arguments);
  bool add_access_watch(std::string_view arguments);
  bool remove(std::string_view arguments);
  bool enable(std::string_view arguments);
  bool disable(std::string_view arguments);
  bool condition(std::string_view arguments);
  bool ignore(std::string_view arguments);
  bool info(std::string_view arguments);
  bool print_value(std::string_view arguments);
  bool examine(std::string_view arguments);
  bool set(std::string_view arguments);
  bool disassemble(std::string_view arguments);
  bool backtrace(std::string_view arguments);
  bool lanes(std::string_view arguments);
  bool forks(std::string_view arguments);
  bool who(std::string_view arguments);
  bool changed(std::string_view arguments);
  bool history(std::string_view arguments);
  bool help(std::string_view arguments);
  bool quit(std::string_view arguments);

  bool fail(std::string_view message);
  bool fail(const Error& error);
  void line(std::string_view text) { print_(std::string(text) + "\n"); }
  bool show(const Pause& pause);
  bool show(const Result<Pause>& pause);
  void show_changes();
  void show_place();
  bool add_watch_of(std::string_view arguments, WatchKind kind);
  bool add_break_of(std::string_view arguments, bool temporary);
  bool switch_breakpoints(std::string_view arguments, bool enabled);
  template <class Work>
  bool repeat(std::string_view arguments, const Work& work);
  bool info_breakpoints();
  bool info_registers(std::string_view names);
  bool info_stack();
  bool info_symbols();
  bool info_warnings();
  bool info_program();
  [[nodiscard]] std::string place_text(u64 address) const;
  [[nodiscard]] std::string source_text(u64 address) const;
  [[nodiscard]] std::string value_text(const Value& value, u32 width) const;
  [[nodiscard]] std::string styled(std::string_view text, std::string_view style) const;
  void print_instruction(u64 address);
  void print_lanes(std::string_view name, u64 mask);
  bool show_change(const Expression& expression, const std::optional<ValueChange>& change, std::string_view verb);
  static const Command* find_command(std::string_view word, std::string* problem);

  Session& session_;
  std::function<void(std::string_view)> print_;
  bool colour_;
  bool quits_ = false;
  std::string last_line_;
  WaveState shown_;  ///< the state at the last stop
};

}  // namespace salu::debug
