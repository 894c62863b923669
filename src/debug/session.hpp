#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "debug/breakpoint.hpp"
#include "debug/run_history.hpp"
#include "expr/expression.hpp"
#include "observe/why/why.hpp"

namespace salu::debug {

/// A change or write of a value, by an instruction or by an edit of the user.
struct ValueChange {
  u64 wave = 0;      ///< number of the wave that executed the instruction, or that the edit changed
  u64 position = 0;  ///< instructions executed before it
  u64 pc = 0;
  expr::Value before;
  expr::Value after;
  bool is_edit = false;  ///< set by the user
};

/// The history of a value.
struct ValueHistory {
  expr::Value first;                 ///< at the start of the run
  std::vector<ValueChange> changes;  ///< the newest ones, in order
  std::optional<u64> count;          ///< of all changes, if all were searched
  bool is_complete = true;           ///< no changes precede these
};

/// Moves through one run, forwards and backwards, with breakpoints and watchpoints. Shared by the front ends.
class Session {
 public:
  /// The scenario must outlive this object.
  explicit Session(const Scenario& scenario, const HistoryOptions& options = {});

  [[nodiscard]] const RunHistory& run() const { return run_; }
  /// The selected wave; the one that executes the next instruction if its work-group does not run here.
  [[nodiscard]] const RunHistory::Wave& wave() const {
    const RunHistory::Wave* const wave = run_.look_at_wave(wave_);
    return wave != nullptr ? *wave : run_.wave();
  }
  /// The machine of the selected wave.
  [[nodiscard]] const core::Machine& machine() const { return wave().machine; }
  /// The calls of the selected wave that have not returned yet.
  [[nodiscard]] CallStack calls() const { return run_.calls(wave_); }
  /// True if the selected wave has ended.
  [[nodiscard]] bool wave_ended() const { return wave().status == RunHistory::Wave::Status::ended || run_.ended(); }
  /// The current memory, as the selected wave sees it.
  [[nodiscard]] Memory memory() {
    (void)run_.look_at_wave(wave().number);
    return run_.memory();
  }
  /// The outcome of the run, which must have ended.
  [[nodiscard]] Outcome outcome() { return run_.outcome(); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const Program& program() const { return scenario_.program; }
  /// The address of the next instruction of the selected wave, or the address at which it has ended.
  [[nodiscard]] u64 address() const { return machine().stopped() ? machine().stop().pc : machine().pc(); }
  /// Interrupts the current or next move. May be called from any thread or signal handler.
  void interrupt() { run_.interrupt(); }
  /// Sets a function that is called regularly during moves; may be empty.
  void set_progress(std::function<void()> tell) { run_.set_progress(std::move(tell)); }
  /// Clears an interrupt that came between moves.
  void clear_interrupt() { run_.clear_interrupt(); }

  // ---- the selected wave: moves by instructions, lines and calls are its own; other waves run as the schedule has it,
  // and can stop the move, which selects them ----

  /// Selects a wave of the work-groups that run here.
  std::optional<Error> choose_wave(u64 number);
  /// The same for any wave, at the start: moves to the start of its work-group.
  std::optional<Error> start_at_wave(u64 number);
  [[nodiscard]] bool has_several_waves() const { return run_.has_several_waves(); }

  // ---- the selected lane ----

  /// Selects a lane: moves by source lines stop only if it is active, and a vector register means this lane of it.
  /// Nothing: all lanes.
  void choose_lane(std::optional<u32> lane) { lane_ = lane; }
  [[nodiscard]] std::optional<u32> lane() const { return lane_; }
  /// True if the selected lane is active, or if no lane is selected.
  [[nodiscard]] bool is_lane_on() const;

  // ---- moves; each stops at breakpoints and watchpoints on the way ----

  /// Moves by `count` instructions, forwards and backwards.
  Pause step(u64 count = 1);
  Pause step_back(u64 count = 1);
  /// Moves by instructions, over calls.
  Pause next(u64 count = 1);
  Pause next_back(u64 count = 1);
  /// Moves to the first instruction of another source line, `count` times; by one instruction if the code has no source
  /// lines.
  Pause step_line(bool over_calls, u64 count = 1);
  /// Moves back to the first instruction of this source line, or from there to that of the line before.
  Pause step_line_back(bool over_calls, u64 count = 1);
  /// Moves to the return of the innermost function, or back to its call. Fails in the outermost function.
  Result<Pause> finish();
  Result<Pause> finish_back();
  /// Runs to one of these addresses.
  Pause run_to(const std::vector<u64>& addresses);
  /// Runs to code after this source line or instruction, through backward jumps, or out of the function.
  Pause run_to_later();
  Pause run_back_to(const std::vector<u64>& addresses);
  Pause go_on();
  Pause go_back();
  /// Continues an interrupted `go_on`, with breakpoints at the current position. `go_back` needs no counterpart: it
  /// stops where the search has arrived.
  Pause resume();
  /// Moves to a position without regard to breakpoints.
  Pause go_to(u64 position);
  /// Runs to the end of the program.
  Pause go_to_end();
  /// Checks the breakpoints at the current position without a move. Hits are counted. All moves except `resume` ignore
  /// breakpoints at their start.
  Pause look_here();
  /// Sets the receiver of the messages of breakpoints.
  void set_log(std::function<void(const std::string& message)> log) { log_ = std::move(log); }
  /// Limits the instructions of one move; `go_to` has no limit.
  void set_limit(u64 instructions) { limit_ = instructions; }

  // ---- warnings ----

  /// Makes moves forwards stop after an instruction with a warning of one of these kinds, unless it is informational.
  /// The default is the kinds that the checks of the run look for.
  void catch_warnings(std::set<WarningKind> kinds) { caught_kinds_ = std::move(kinds); }
  [[nodiscard]] const std::set<WarningKind>& caught_kinds() const { return caught_kinds_; }

  // ---- expectations ----

  /// Returns the expectations of the scenario that this run does not meet; empty if it expects nothing. Needs a
  /// run that has ended.
  [[nodiscard]] std::vector<Mismatch> failed_expectations();

  // ---- breakpoints and watchpoints ----

  /// Adds a breakpoint before an address, a label (`loop`, `loop+8`), a source line (`gcd.s:12`, `12`), or every
  /// instruction whose mnemonic matches a pattern (`s_cbranch_*`).
  Result<u32> break_at(std::string_view what, std::string_view condition = {}, bool temporary = false);
  /// Adds a breakpoint before each of these addresses, which are sorted and have code.
  Result<u32> break_at(std::vector<u64> addresses, std::string what);
  /// Adds a watchpoint, which stops after an instruction that affects an expression. `read` and `access` need a
  /// register or memory.
  Result<u32> watch(std::string_view expression, WatchKind kind, std::string_view condition = {});
  [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
  /// Returns the breakpoint with a number, or null.
  [[nodiscard]] Breakpoint* find_breakpoint(u32 id);
  bool remove_breakpoint(u32 id);
  /// Sets the condition of a breakpoint; an empty one removes it.
  Result<u32> set_condition(u32 id, std::string_view condition);

  // ---- looking ----

  /// Returns the addresses of a place: `0x1000`, `*0x1000`, a label with an optional offset, `file:line`, or `line` (or
  /// the first line with code after it).
  [[nodiscard]] Result<std::vector<u64>> find_place(std::string_view place) const;
  [[nodiscard]] Result<expr::Expression> parse(std::string_view expression) const;
  [[nodiscard]] Result<expr::Value> evaluate(std::string_view expression) const;

  /// Adds a value of `$1`, `$2` and so on for later expressions.
  void remember_value(const expr::Value& value) { values_.push_back(value); }
  [[nodiscard]] const std::vector<expr::Value>& values() const { return values_; }

  // ---- changing ----

  /// Sets a register or memory to a value. Discards the continuation of the run.
  Result<expr::Value> set(std::string_view place, std::string_view value);

  // ---- history; the session returns to its position ----

  /// True if the last search was interrupted, and its result is incomplete.
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }

  /// Calls `look` at another position that the run has reached. Returns false if the move was interrupted.
  bool look_at(u64 position, const std::function<void()>& look);

  /// The last write of a register or memory, whether it changed the value or not.
  std::optional<ValueChange> last_write(const expr::Expression& place);
  /// The last change of the value of an expression.
  std::optional<ValueChange> last_change(const expr::Expression& expression);
  /// The history of an expression, with the last `most` changes.
  ValueHistory history(const expr::Expression& expression, std::size_t most);
  /// The instructions that produced bits at a position.
  [[nodiscard]] observe::WhyGraph why(const std::vector<observe::Bits>& bits, u64 position,
                                      const observe::WhyOptions& options) const {
    return observe::find_why(*run_.past(), bits, wave().number, position, options);
  }
  /// The last `most` changes, searched backwards from here as far as needed.
  ValueHistory latest_history(const expr::Expression& expression, std::size_t most);
  /// Replays the run up to here and calls `visit` before every instruction of the selected wave at the addresses that
  /// `picks` selects; the argument of `visit` executes it.
  void visit(const std::function<bool(u64 address)>& picks,
             const std::function<void(const std::function<void()>& step)>& visit);

 private:
  /// The goal of a move, in addition to the breakpoints.
  struct Goal {
    std::function<bool(u64 address)> picks;  ///< selects the instructions of the selected wave to check
    std::function<bool()> in_front;          ///< called before each of them; true if it is the goal
    std::function<bool()> behind;            ///< called after each of them; true if it is the goal
    std::optional<u64> position;             ///< the position to go to, if any
    bool stops_behind = false;               ///< backwards: stop after the goal, without the checks before it
    bool is_turn = false;                    ///< when the selected wave executes next

    /// True if the goal is one of the selected wave, whose end ends the move.
    [[nodiscard]] bool is_own() const { return is_turn || in_front || behind; }
  };
  /// A breakpoint at the next instruction whose condition holds.
  struct BreakHit {
    u32 id = 0;
    std::optional<std::string> message;  ///< its message here
  };
  /// A possible stop of a move backwards.
  struct Stop {
    u64 position = 0;
    u64 wave = 0;  ///< number
    bool is_goal = false;
    std::vector<BreakHit> breakpoints;
    std::vector<WatchHit> watches;
  };
  /// The last stops in a part of the run, in order.
  struct Stops {
    std::deque<Stop> last;
    u64 first = 0;  ///< the start of this part
  };
  struct SourceLine {
    u32 file = 0;  ///< index in `Program::files`
    u32 line = 0;
    bool operator==(const SourceLine&) const = default;
  };
  /// The dependencies of an expression: what instructions must write to change it.
  struct Dependencies {
    std::vector<Location> places;
    bool everything = false;  ///< it depends on more than registers and memory, e.g. the PC
  };

  Pause arrived();
  [[nodiscard]] bool is_turn() const { return run_.wave().number == wave_; }
  void select(u64 number) { wave_ = number; }
  void select_at_end();
  void select_existing();
  void select_running();
  Pause run_to_turn();
  /// The position at which the work-group of the selected wave starts, or a later one before its first instruction.
  [[nodiscard]] u64 first_position() const;
  void go_to_checkpoint(u64 position, u64 first);
  /// The position at which a move from here reaches the limit.
  [[nodiscard]] u64 limited_end() const;
  [[nodiscard]] std::optional<SourceLine> line_here() const;
  [[nodiscard]] std::function<bool(u64)> picks(bool (*is_one)(const isa::Instruction&)) const;
  [[nodiscard]] Goal at_position(u64 position) const;
  [[nodiscard]] Goal at_addresses(const std::vector<u64>& addresses) const;
  [[nodiscard]] Goal at_call(u64 position) const;
  [[nodiscard]] Goal returned_to(std::size_t depth) const;

  /// `has_moved`: a breakpoint at the first instruction counts.
  Pause run_forward(const Goal& goal, bool has_moved);
  Pause run_backward(const Goal& goal);
  /// Ends a move at its goal; a breakpoint here counts too.
  Pause landed(Pause pause);
  /// Returns nothing if interrupted.
  std::optional<Stops> find_stops(u64 first, u64 end, const Goal& goal);
  void return_to(u64 position);
  Pause step_once();
  Pause next_once();
  Pause next_back_once();
  Pause step_line_once(bool over_calls);
  Pause step_line_back_once(bool over_calls);
  /// Repeats a move until another reason than its own end stops it.
  Pause repeat(u64 count, const std::function<Pause()>& move);

  [[nodiscard]] Result<std::vector<u64>> find_line_code(const std::string& quoted, std::string_view file,
                                                        u64 wanted) const;
  [[nodiscard]] std::function<bool(u64)> make_filter(const Goal& goal) const;
  [[nodiscard]] bool is_picked_by(const Breakpoint& breakpoint, u64 address) const;
  [[nodiscard]] std::vector<BreakHit> find_hits_here() const;
  /// Executes the next instruction. Returns the watchpoints that it hits.
  std::vector<WatchHit> step_and_watch();
  /// Lets the run stop at warnings during its lifetime.
  class Catching;
  /// Executes the next instruction. Returns true, with `pause` set, if a watchpoint or a warning stops there.
  bool step_to_hit(Pause& pause);
  /// Adds caught warnings to `pause`. Returns true if there are any.
  static bool add_warnings(std::vector<Warning> caught, Pause& pause);
  /// Counts the hits, and adds those that are not skipped to `pause`, with the reason. Returns false if none exist.
  bool count_hits(const std::vector<BreakHit>& breakpoints, const std::vector<WatchHit>& watches, Pause& pause);
  /// The same for the breakpoints at the next instruction.
  bool count_hits_here(Pause& pause);
  void forget_temporary(const Pause& pause);
  [[nodiscard]] Dependencies dependencies(const expr::Expression& expression, const core::Machine& machine) const;
  [[nodiscard]] const core::Machine* machine_for(const Breakpoint& watchpoint) const;
  /// An expression for memory at its current address, even if registers in its address change; other expressions are
  /// unchanged.
  [[nodiscard]] expr::Expression fixed(const expr::Expression& place) const;
  [[nodiscard]] bool may_touch(u64 address, const Dependencies& on, bool reads) const;
  /// Moves to a position and reports every change of a value on the way; `wants_writes`: also writes without a change.
  /// The filter of the run must select the instructions that may affect it.
  void walk(const expr::Expression& expression, const Dependencies& on, u64 end, bool wants_writes,
            const std::function<void(const ValueChange&)>& found);
  std::optional<ValueChange> search_back(const expr::Expression& expression, bool wants_writes);
  Result<u32> add(Breakpoint breakpoint, std::string_view condition);

  const Scenario& scenario_;
  RunHistory run_;
  u64 wave_ = 0;                   ///< number of the selected wave
  std::optional<u64> counted_at_;  ///< position of the breakpoints that were counted last
  std::vector<Breakpoint> breakpoints_;
  u32 next_id_ = 1;
  u64 limit_;
  std::optional<u32> lane_;
  std::set<WarningKind> caught_kinds_;
  std::vector<expr::Value> values_;
  std::function<void(const std::string&)> log_;
  bool was_interrupted_ = false;
};

}  // namespace salu::debug
