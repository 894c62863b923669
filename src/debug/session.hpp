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

/// An instruction that changed a value, or only wrote it again; or somebody who set it while the run stood still.
struct ValueChange {
  u64 position = 0;  ///< instructions executed before it
  u64 pc = 0;
  expr::Value before;
  expr::Value after;
  bool is_edit = false;  ///< it was set here, from outside the program
};

/// All that a value has been so far.
struct ValueHistory {
  expr::Value first;                 ///< at the start of the run
  std::vector<ValueChange> changes;  ///< the last of them, in order
  std::optional<u64> count;          ///< of all changes; nothing where not all were looked for
  bool is_complete = true;           ///< there are no others before these
};

/// Walks through one run, forwards and backwards, and stops where it is told to. What the front ends share.
class Session {
 public:
  /// The scenario has to outlive it.
  explicit Session(const Scenario& scenario, const HistoryOptions& options = {});

  [[nodiscard]] const RunHistory& run() const { return run_; }
  [[nodiscard]] const core::Machine& machine() const { return run_.machine(); }
  /// Memory as it is now.
  [[nodiscard]] Memory memory() { return run_.memory(); }
  /// The outcome of the run, which has ended.
  [[nodiscard]] Outcome outcome() { return run_.outcome(); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const Program& program() const { return scenario_.program; }
  /// The address of the next instruction, or at which the program has ended.
  [[nodiscard]] u64 address() const { return run_.ended() ? machine().stop().pc : machine().pc(); }
  /// Makes whatever runs, or runs next, stop soon; from any thread or signal handler.
  void interrupt() { run_.interrupt(); }
  /// Calls this now and then while something runs; empty: nothing.
  void set_progress(std::function<void()> tell) { run_.set_progress(std::move(tell)); }
  /// Takes back an interrupt that came while nothing ran.
  void clear_interrupt() { run_.clear_interrupt(); }

  // ---- the lane that is looked at ----

  /// Moves by source lines stop only where it is on, and a vector register means this lane of it. Nothing: all lanes.
  void choose_lane(std::optional<u32> lane) { lane_ = lane; }
  [[nodiscard]] std::optional<u32> lane() const { return lane_; }
  /// Whether EXEC has the lane that was chosen; true where none was.
  [[nodiscard]] bool is_lane_on() const;

  // ---- moving; each stops at breakpoints and watchpoints on the way ----

  /// So many instructions, and so many back.
  Pause step(u64 count = 1);
  Pause step_back(u64 count = 1);
  /// The same, but with what an instruction calls.
  Pause next(u64 count = 1);
  Pause next_back(u64 count = 1);
  /// To the first instruction of another source line, so many times; one instruction where there are no lines.
  Pause step_line(bool over_calls, u64 count = 1);
  /// To the first instruction of this source line, or from there to that of the line before.
  Pause step_line_back(bool over_calls, u64 count = 1);
  /// To where the function that was called last returns, and back to where it was called. An error in the outermost.
  Result<Pause> finish();
  Result<Pause> finish_back();
  /// To one of these addresses.
  Pause run_to(const std::vector<u64>& addresses);
  /// To code behind this source line or instruction, so that jumps back are run through; or out of the function.
  Pause run_to_later();
  Pause run_back_to(const std::vector<u64>& addresses);
  Pause go_on();
  Pause go_back();
  /// On with a `go_on` that was interrupted on its way: a breakpoint here counts. A `go_back` needs no other: like
  /// all that goes back, it stands where it has searched up to.
  Pause resume();
  /// To a position, whatever lies between.
  Pause go_to(u64 position);
  /// To the end of the program.
  Pause go_to_end();
  /// Does not move: whether breakpoints stop here. They count; every move but `resume` passes over those where it
  /// begins.
  Pause look_here();
  /// Gets what breakpoints with a message say; set by whoever is about to move.
  void set_log(std::function<void(const std::string& message)> log) { log_ = std::move(log); }
  /// The most instructions that one of these executes; `go_to` goes where it is told to.
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

  /// In front of an address, a label (`loop`, `loop+8`), a source line (`gcd.s:12`, `12`), or of every instruction
  /// whose mnemonic is like this (`s_cbranch_*`).
  Result<u32> break_at(std::string_view what, std::string_view condition = {}, bool temporary = false);
  /// In front of each of these addresses, which are sorted and have code.
  Result<u32> break_at(std::vector<u64> addresses, std::string what);
  /// Behind an instruction that touches what an expression depends on. `read` and `access` need a register or memory.
  Result<u32> watch(std::string_view expression, WatchKind kind, std::string_view condition = {});
  [[nodiscard]] const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
  /// The breakpoint of a number to change, or null.
  [[nodiscard]] Breakpoint* find_breakpoint(u32 id);
  bool remove_breakpoint(u32 id);
  /// Gives a breakpoint a condition; an empty one takes it away.
  Result<u32> set_condition(u32 id, std::string_view condition);

  // ---- looking ----

  /// The addresses that a place stands for: `0x1000`, `*0x1000`, a label with an offset perhaps, `file:line`, `line`
  /// (or the first line behind it that has code).
  [[nodiscard]] Result<std::vector<u64>> find_place(std::string_view place) const;
  [[nodiscard]] Result<expr::Expression> parse(std::string_view expression) const;
  [[nodiscard]] Result<expr::Value> evaluate(std::string_view expression) const;

  /// What `$1`, `$2` and so on stand for in expressions from here on.
  void remember_value(const expr::Value& value) { values_.push_back(value); }
  [[nodiscard]] const std::vector<expr::Value>& values() const { return values_; }

  // ---- changing ----

  /// Sets a register or memory to a value. What came behind this position is forgotten.
  Result<expr::Value> set(std::string_view place, std::string_view value);

  // ---- history; the session is where it was afterwards ----

  /// Whether the last search was interrupted: what it found is not all of it then.
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }

  /// Does something where the run is at another position that it has come to. False when the way there was interrupted.
  bool look_at(u64 position, const std::function<void()>& look);

  /// The instruction that last wrote a register or memory, whether that changed it or not.
  std::optional<ValueChange> last_write(const expr::Expression& place);
  /// The instruction that last changed the value of an expression.
  std::optional<ValueChange> last_change(const expr::Expression& expression);
  /// All values of an expression so far, the last `most` of them one by one.
  ValueHistory history(const expr::Expression& expression, std::size_t most);
  /// The instructions that made bits what they are behind so many instructions.
  [[nodiscard]] observe::WhyGraph why(const std::vector<observe::Bits>& bits, u64 position,
                                      const observe::WhyOptions& options) const {
    return observe::find_why(*run_.past(), bits, position, options);
  }
  /// The last `most` of them, searched for from here backwards and no further than needed.
  ValueHistory latest_history(const expr::Expression& expression, std::size_t most);
  /// Walks through the run up to here once more and calls `visit` in front of every instruction that `picks` picks by
  /// its address; what `visit` is given executes it.
  void visit(const std::function<bool(u64 address)>& picks,
             const std::function<void(const std::function<void()>& step)>& visit);

 private:
  /// What a command is after, beside the breakpoints.
  struct Goal {
    std::function<bool(u64 address)> picks;  ///< the instructions to look at
    std::function<bool()> in_front;          ///< in front of one of them: is it here?
    std::function<bool()> behind;            ///< behind one of them: is it here?
    std::optional<u64> position;             ///< to go to, whether anything picks it or not
    bool stops_behind = false;               ///< backwards: to stand behind it, and not to come by what is in front
  };
  /// A breakpoint in front of the next instruction whose condition holds.
  struct BreakHit {
    u32 id = 0;
    std::optional<std::string> message;  ///< what it has to say here
  };
  /// What a run backwards comes by.
  struct Stop {
    u64 position = 0;
    bool is_goal = false;
    std::vector<BreakHit> breakpoints;
    std::vector<WatchHit> watches;
  };
  /// The last ones in a part of the run, in order.
  struct Stops {
    std::deque<Stop> last;
    u64 first = 0;  ///< where the part begins that they are all of
  };
  struct SourceLine {
    u32 file = 0;  ///< index in `Program::files`
    u32 line = 0;
    bool operator==(const SourceLine&) const = default;
  };
  /// Where an expression is changed: what the instructions to look at may write.
  struct Dependencies {
    std::vector<Location> places;
    bool everything = false;  ///< something in it is no place, as the PC
  };

  [[nodiscard]] Pause arrived() const;
  /// The position at which what begins here has executed as much as the limit allows.
  [[nodiscard]] u64 limited_end() const;
  [[nodiscard]] std::optional<SourceLine> line_here() const;
  [[nodiscard]] std::function<bool(u64)> picks(bool (*is_one)(const isa::Instruction&)) const;
  [[nodiscard]] Goal at_position(u64 position) const;
  [[nodiscard]] Goal at_addresses(const std::vector<u64>& addresses) const;
  [[nodiscard]] Goal at_call(u64 position) const;
  [[nodiscard]] Goal returned_to(std::size_t depth) const;

  /// `has_moved`: a breakpoint in front of the first instruction counts.
  Pause run_forward(const Goal& goal, bool has_moved);
  Pause run_backward(const Goal& goal);
  /// A move that ends here by itself; a breakpoint here counts, too.
  Pause landed(Pause pause);
  /// Nothing when it was interrupted.
  std::optional<Stops> find_stops(u64 first, u64 end, const Goal& goal);
  void return_to(u64 position);
  Pause step_once();
  Pause next_once();
  Pause next_back_once();
  Pause step_line_once(bool over_calls);
  Pause step_line_back_once(bool over_calls);
  /// A move again and again, until something else than its own end stops it.
  Pause repeat(u64 count, const std::function<Pause()>& move);

  [[nodiscard]] Result<std::vector<u64>> find_line_code(const std::string& quoted, std::string_view file,
                                                        u64 wanted) const;
  [[nodiscard]] std::function<bool(u64)> make_filter(const Goal& goal) const;
  [[nodiscard]] bool is_picked_by(const Breakpoint& breakpoint, u64 address) const;
  [[nodiscard]] std::vector<BreakHit> find_hits_here() const;
  /// Executes the next instruction and tells which watchpoints it hits.
  std::vector<WatchHit> step_and_watch();
  /// Makes the run stop at warnings while it exists.
  class Catching;
  /// Executes the next instruction. True if a watchpoint or a warning stops there, which is in `pause` then.
  bool step_to_hit(Pause& pause);
  /// Puts warnings that are caught into `pause`; true if there are any.
  static bool add_warnings(std::vector<Warning> caught, Pause& pause);
  /// Counts what was hit, and puts what is not to be passed over into `pause`, with the reason; false when nothing is.
  bool count_hits(const std::vector<BreakHit>& breakpoints, const std::vector<WatchHit>& watches, Pause& pause);
  void forget_temporary(const Pause& pause);
  [[nodiscard]] Dependencies dependencies(const expr::Expression& expression) const;
  /// Memory at the address that it has now, whatever becomes of the registers that lead there; others as they are.
  [[nodiscard]] expr::Expression fixed(const expr::Expression& place) const;
  [[nodiscard]] bool may_touch(u64 address, const Dependencies& on, bool reads) const;
  /// Goes from here to a position and tells of everything that changes a value on the way. `wants_writes`: also of
  /// what writes it without changing it. The filter of the run has to pick what may touch it.
  void walk(const expr::Expression& expression, const Dependencies& on, u64 end, bool wants_writes,
            const std::function<void(const ValueChange&)>& found);
  std::optional<ValueChange> search_back(const expr::Expression& expression, bool wants_writes);
  Result<u32> add(Breakpoint breakpoint, std::string_view condition);

  const Scenario& scenario_;
  RunHistory run_;
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
