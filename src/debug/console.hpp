#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "debug/fork_problems.hpp"
#include "debug/session.hpp"
#include "debug/source_text.hpp"
#include "debug/value_format.hpp"

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
  /// Makes what runs stop soon, from any thread or signal handler.
  void interrupt() {
    is_interrupted_ = true;
    session_.interrupt();
  }
  /// Whether `quit` was said.
  [[nodiscard]] bool wants_to_quit() const { return quits_; }
  /// Where and why the last command that moves came to stand still.
  [[nodiscard]] const Pause& last_stop() const { return stop_; }
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
  /// An expression that every stop shows.
  struct Display {
    u32 id = 0;
    Expression expression;
    ValueFormat format;
  };
  /// A word behind `info`.
  struct InfoTopic {
    std::string_view name;
    std::string_view arguments;
    bool (Console::*run)(std::string_view arguments);
  };
  static std::span<const InfoTopic> info_topics();

  // Each gets what stands behind its name.
  bool step(std::string_view arguments);
  bool step_instruction(std::string_view arguments);
  bool next(std::string_view arguments);
  bool next_instruction(std::string_view arguments);
  bool finish(std::string_view arguments);
  bool until(std::string_view arguments);
  bool advance(std::string_view arguments);
  bool go_on(std::string_view arguments);
  bool restart(std::string_view arguments);
  bool reverse_step(std::string_view arguments);
  bool reverse_step_instruction(std::string_view arguments);
  bool reverse_next(std::string_view arguments);
  bool reverse_next_instruction(std::string_view arguments);
  bool reverse_finish(std::string_view arguments);
  bool reverse_until(std::string_view arguments);
  bool reverse_continue(std::string_view arguments);
  bool go_to(std::string_view arguments);
  bool add_break(std::string_view arguments);
  bool add_temporary_break(std::string_view arguments);
  bool add_log(std::string_view arguments);
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
  bool display(std::string_view arguments);
  bool undisplay(std::string_view arguments);
  bool examine(std::string_view arguments);
  bool set(std::string_view arguments);
  bool disassemble(std::string_view arguments);
  bool list(std::string_view arguments);
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
  void line(std::string_view text);
  bool show(const Pause& pause);
  /// The same of a move that looks at no breakpoints.
  bool show_place_gone_to(const Pause& pause);
  bool show(const Result<Pause>& pause);
  void show_watch(const WatchHit& hit);
  void show_changes();
  void show_place();
  void show_display(const Display& display);
  bool add_watch_of(std::string_view arguments, WatchKind kind);
  Result<u32> add_break_of(std::string_view arguments, bool temporary);
  bool show_added(const Result<u32>& id);
  bool switch_breakpoints(std::string_view arguments, bool enabled);
  template <class Work>
  bool repeat(std::string_view arguments, const Work& work);
  // What `info` shows; each gets what stands behind its word.
  bool info_breakpoints(std::string_view arguments);
  bool info_display(std::string_view arguments);
  bool info_line(std::string_view arguments);
  bool info_program(std::string_view arguments);
  bool info_registers(std::string_view names);
  bool info_stack(std::string_view arguments);
  bool info_symbols(std::string_view arguments);
  bool info_warnings(std::string_view arguments);
  bool info_watchpoints(std::string_view arguments);
  bool print_all_registers();
  void print_breakpoint(const Breakpoint& breakpoint);
  [[nodiscard]] u64 here() const;
  [[nodiscard]] std::string place_text(u64 address) const;
  [[nodiscard]] std::string source_text(u64 address) const;
  [[nodiscard]] std::string formatted(const Value& value, u32 width, const ValueFormat& format) const;
  [[nodiscard]] std::string marked(const std::string& value, bool has_changed) const;
  [[nodiscard]] std::string fork_text(const ForkEvent& event) const;
  [[nodiscard]] std::string styled(std::string_view text, std::string_view style) const;
  void print_instruction(u64 address);
  void print_lanes(std::string_view name, u64 mask, std::string_view note = {});
  void print_problem(const ForkProblem& problem);
  void explain_misuse();
  void forget_explained();
  bool end_search();
  std::string entry_writer(const StackEntry& entry);
  bool examine_memory(u64 address, const ValueFormat& format);
  bool examine_instructions(u64 address, u64 count);
  std::optional<ValueFormat> take_format(std::string_view& arguments);
  Result<Expression> parse_readable(std::string_view text);
  bool list_lines(u32 file, u64 first, u64 last);
  bool list_at(std::string_view place);
  Breakpoint* find_numbered(std::string_view number);
  bool show_change(const Expression& expression, const std::optional<ValueChange>& change, std::string_view verb);
  static const Command* find_command(std::string_view word, std::string* problem);

  /// Where `x` goes on.
  struct Examined {
    u64 next = 0;
    ValueFormat format;
  };
  /// What `list` has shown.
  struct Listed {
    u32 file = 0;
    u64 first = 0;
    u64 last = 0;
  };

  Session& session_;
  std::function<void(std::string_view)> print_;
  bool colour_;
  bool quits_ = false;
  bool is_repeated_ = false;                  ///< an empty line does the last command again
  std::atomic<bool> is_interrupted_ = false;  ///< since the command began
  std::string last_line_;
  WaveState shown_;   ///< the state that the user knows
  WaveState before_;  ///< the state at the stop before this one
  std::vector<Display> displays_;
  u32 next_display_ = 1;
  std::optional<Examined> examined_;
  Pause stop_;  ///< the last one
  std::optional<Listed> listed_;
  SourceText sources_;
  std::set<std::pair<u64, std::string>> explained_;  ///< misuse, by position
  u64 explained_up_to_ = 0;                          ///< where the last stop was
};

}  // namespace salu::debug
