#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/machine.hpp>
#include <salu/memory.hpp>
#include <salu/outcome.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/state.hpp>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// The events that a watchpoint stops at.
enum class WatchKind : u8 {
  change,  ///< an instruction that changes the value
  read,    ///< an instruction that reads it
  access,  ///< an instruction that reads or writes it, even if the value stays the same
};

/// Why a session pauses.
enum class PauseReason : u8 {
  start,       ///< start of the run or of the selected wave: the session cannot go back further
  step,        ///< the move is complete
  breakpoint,  ///< `Pause::breakpoints` has the numbers
  watchpoint,  ///< `Pause::watches` has the values
  ended,       ///< the program has ended
  limit,       ///< `Session::set_limit` instructions were executed in one move
  interrupted,
  warning,  ///< `Pause::warnings` has the warnings
};

/// The name of a reason: `start`, `step`, `breakpoint`, ...
std::string_view pause_reason_name(PauseReason reason);

/// A watchpoint that was hit.
struct WatchedValue {
  u32 id = 0;
  u64 before = 0;  ///< before the instruction
  u64 after = 0;   ///< after it
  u64 pc = 0;      ///< of the instruction
  bool read = false;
  bool written = false;
  u64 wave = 0;  ///< number of the wave that executed it
};

/// Where and why a session pauses.
struct Pause {
  PauseReason reason = PauseReason::start;
  u64 position = 0;  ///< instructions executed before
  u64 pc = 0;        ///< of the next instruction, or where the program has ended
  std::vector<u32> breakpoints{};
  std::vector<WatchedValue> watches{};
  std::vector<Warning> warnings{};
  u64 wave = 0;  ///< number of the selected wave

  /// The number of the first breakpoint or watchpoint that was hit; 0 if none was hit.
  [[nodiscard]] u32 hit() const;
};

/// The status of a wave of a work-group.
enum class WaveStatus : u8 {
  ready,  ///< executes instructions when it has its turn
  waits,  ///< at a barrier
  ended,
};

/// The name of a status: `ready`, `waits`, `ended`.
std::string_view wave_status_name(WaveStatus status);

/// A wave of a work-group that runs in a session.
struct SessionWave {
  u64 number = 0;    ///< in the grid
  std::string name;  ///< `wave 1 of work-group [2, 0, 0]`; empty if the scenario runs a single wave
  WaveStatus status = WaveStatus::ready;
  u64 pc = 0;  ///< of its next instruction, or where it has ended
};

/// A breakpoint or a watchpoint of a session.
struct SessionBreakpoint {
  u32 id = 0;
  std::string what;                  ///< the place, pattern or expression as it was given
  std::optional<WatchKind> watch{};  ///< empty for a breakpoint
  std::string condition{};           ///< an expression; empty: none
  u64 ignore = 0;                    ///< hits that are still ignored
  u64 hits = 0;                      ///< hits so far, ignored ones included
  bool enabled = true;
  bool temporary = false;  ///< removed at the first stop
};

/// One instruction in the answer of `Session::why`.
struct WhyStep {
  u64 step = 0;  ///< its number, from 1; 0 for a value that was set from outside the program
  u64 pc = 0;
  u32 depth = 0;       ///< 1: it wrote the place; 2: it wrote an input of such an instruction; ...
  std::string text{};  ///< the instruction
};

/// The instructions that produced a value, latest first.
struct WhyAnswer {
  std::vector<WhyStep> steps;
  bool is_cut = false;  ///< true if the limit omitted some instructions
  std::string text;     ///< the same as text for users
};

struct SessionOptions {
  u64 history_bytes = u64{128} << 20;                    ///< approximate memory for checkpoints
  CheckUndefined check_undefined = CheckUndefined::off;  ///< in addition to the scenario's own checks
};

/// A run that moves forwards and backwards. Positions 0 to N are between the instructions; step n is the
/// n-th instruction, counted from 1, and leads from position n - 1 to position n. Each move stops at breakpoints and
/// watchpoints on its way, backwards too.
///
/// If the scenario runs several waves, positions count the instructions of all of them, and one wave is selected: moves
/// by instructions, lines and calls are its own, and functions that look at or change the state concern it. Other waves
/// run as the schedule has it; one that hits a breakpoint or a watchpoint is selected. At the end of its work-group a
/// wave of the next one is.
///
///     Result<Session> session = Session::load("gcd.yaml");
///     session->watch("s0");
///     session->continue_();
///     session->reverse_step();
///
/// Functions may be called by one thread at a time, except `interrupt`. A moved-from session can only be assigned to or
/// destroyed.
class Session {
 public:
  Session(const Session&) = delete;
  Session(Session&& other) noexcept;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&& other) noexcept;
  ~Session();

  /// Opens a session at position 0.
  static Result<Session> open(Scenario scenario, const SessionOptions& options = {});
  /// Opens a session on a shared scenario, without a copy of it.
  static Result<Session> open(std::shared_ptr<const Scenario> scenario, const SessionOptions& options = {});
  /// Loads a file as `Machine::load` does and opens a session.
  static Result<Session> load(const std::string& path, const LoadOptions& load = {},
                              const ScenarioSelection& selection = {}, const SessionOptions& options = {});

  // ---- moving by instructions ----

  Pause step(u64 count = 1);
  Pause reverse_step(u64 count = 1);
  /// Steps over calls.
  Pause next(u64 count = 1);
  Pause reverse_next(u64 count = 1);
  /// Runs to the next breakpoint or the end; `reverse_continue` to the previous one or the start.
  Pause continue_();
  Pause reverse_continue();

  // ---- moving by source lines, or by instructions if lines are unknown ----

  Pause step_line(u64 count = 1);
  Pause reverse_step_line(u64 count = 1);
  Pause next_line(u64 count = 1);
  Pause reverse_next_line(u64 count = 1);

  // ---- moving to places ----

  /// Runs until the innermost function returns, or back to its call. Returns an error in the outermost function.
  Result<Pause> finish();
  Result<Pause> reverse_finish();
  /// Runs to a place: an address (`0x1010`), a label (`loop+8`), a source line (`gcd.s:12`). Returns an error for an
  /// unknown place.
  Result<Pause> run_to(std::string_view place);
  Result<Pause> reverse_run_to(std::string_view place);
  /// Moves to a position without stops on the way, or to the end of a shorter run.
  Pause go_to(u64 position);
  /// Moves to the end of the program without stops on the way.
  Pause go_to_end();

  /// Sets the instruction limit of one move (default: the scenario's `max_steps`). `go_to` is not limited.
  void set_limit(u64 instructions);
  /// Makes the current move, or the next one, stop soon. May be called from any thread or signal handler.
  void interrupt();
  /// Clears an interrupt that came while nothing ran.
  void clear_interrupt();

  // ---- waves ----

  /// The waves of the work-groups that run here, in the order of their numbers.
  [[nodiscard]] std::vector<SessionWave> waves() const;
  /// The number of the selected wave.
  [[nodiscard]] u64 wave() const;
  /// Selects a wave and returns its number. Returns an error for a wave that is not one of `waves`.
  Result<u64> select_wave(u64 number);

  // ---- breakpoints and watchpoints ----

  /// Adds a breakpoint at a place (as for `run_to`), or at each instruction whose mnemonic matches a pattern
  /// (`s_cbranch_*`), and returns its number. The session stops before the instruction if the condition, an expression,
  /// is not 0.
  Result<u32> break_at(std::string_view place, std::string_view condition = {}, bool temporary = false);
  /// Adds a watchpoint on an expression (`s4`, `[0x10000]`, `exec`) and returns its number. The session stops after the
  /// instruction. `read` and `access` need a register or memory. Registers are those of the selected wave.
  Result<u32> watch(std::string_view expression, WatchKind kind = WatchKind::change, std::string_view condition = {});
  [[nodiscard]] std::vector<SessionBreakpoint> breakpoints() const;
  /// Removes a breakpoint or watchpoint. Returns false for an unknown number, as the next two functions do.
  bool remove(u32 id);
  bool set_enabled(u32 id, bool enabled);
  /// Ignores the next `hits` hits.
  bool set_ignore(u32 id, u64 hits);
  /// Replaces a condition and returns the number; an empty condition removes it.
  Result<u32> set_condition(u32 id, std::string_view condition);
  /// Sets the kinds of warnings at which moves forwards stop (default: the kinds that the scenario's checks look for).
  void catch_warnings(std::set<WarningKind> kinds);

  // ---- looking ----

  /// The current position, and the reason of the last pause.
  [[nodiscard]] const Pause& where() const;
  [[nodiscard]] u64 position() const;
  [[nodiscard]] u64 pc() const;
  [[nodiscard]] bool ended() const;
  /// The greatest position reached so far in the current run.
  [[nodiscard]] u64 furthest() const;
  /// The next instruction with its place and its source line if known: `0x1018 <loop>: s_sub_u32 s0, s0, s1`.
  [[nodiscard]] std::string instruction() const;
  /// How and where the program ended; empty before the end.
  [[nodiscard]] std::optional<Stop> stop() const;
  /// The outcome as `salu::run` returns it; an error before the end.
  [[nodiscard]] Result<Outcome> outcome();
  /// The scenario's expectations that do not hold; an error before the end.
  [[nodiscard]] Result<std::vector<Mismatch>> failed_expectations();
  /// The warnings up to the current position.
  [[nodiscard]] std::vector<Warning> warnings() const;
  [[nodiscard]] const Scenario& scenario() const;
  /// The value of an expression (docs/how-to/debugging.md): `s0`, `scc && s1 > 5`, `[s[4:5] + 8]`.
  [[nodiscard]] Result<u64> evaluate(std::string_view expression) const;
  [[nodiscard]] WaveState state() const;
  [[nodiscard]] Memory memory();
  /// Returns a copy of bytes of memory, or an error if any of them is not mapped.
  [[nodiscard]] Result<std::vector<u8>> read(u64 address, std::size_t size_bytes) const;
  /// Returns the instructions that produced the value of a place (`s4`, `exec[7]`, `v3[7]`, `[0x10000]`) at the current
  /// position or, with `@STEP`, after that step; at most `most_steps` of them.
  [[nodiscard]] Result<WhyAnswer> why(std::string_view place, std::size_t most_steps = 32);
  /// True if the last `why` failed because of an interrupt.
  [[nodiscard]] bool was_interrupted() const;

  // ---- changing ----

  /// Sets a register or memory (`[0x10000]`) to the value of an expression and returns the value. The recorded run
  /// after this position is discarded.
  Result<u64> set(std::string_view place, std::string_view expression);
  Result<u64> set(std::string_view place, u64 value);

  /// Executes a command of `salu debug` and returns its output. If the command fails, returns an error with its output.
  Result<std::string> command(std::string_view line);

 private:
  struct Implementation;
  explicit Session(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu
