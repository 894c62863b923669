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
  change,  ///< another value than before
  read,    ///< an instruction that reads it
  access,  ///< an instruction that reads or writes it, whatever the value
};

/// Why a session pauses.
enum class PauseReason : u8 {
  start,       ///< of the run: there is nothing to go back to
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
};

/// Where and why a session pauses.
struct Pause {
  PauseReason reason = PauseReason::start;
  u64 position = 0;  ///< instructions executed before
  u64 pc = 0;        ///< of the next instruction, or where the program has ended
  std::vector<u32> breakpoints{};
  std::vector<WatchedValue> watches{};
  std::vector<Warning> warnings{};

  /// The number of the first breakpoint or watchpoint that was hit; 0 where none was.
  [[nodiscard]] u32 hit() const;
};

/// A breakpoint or a watchpoint of a session.
struct SessionBreakpoint {
  u32 id = 0;
  std::string what;                  ///< the place, pattern or expression as it was given
  std::optional<WatchKind> watch{};  ///< nothing for a breakpoint
  std::string condition{};           ///< an expression; empty: none
  u64 ignore = 0;                    ///< hits that are still passed over
  u64 hits = 0;                      ///< so far, those that were passed over included
  bool enabled = true;
  bool temporary = false;  ///< removed at the first stop
};

/// One instruction in the answer of `Session::why`.
struct WhyStep {
  u64 step = 0;  ///< its number, from 1; 0 for a value that was set from outside the program
  u64 pc = 0;
  u32 depth = 0;       ///< 1: it wrote the place in question; 2: it wrote an input of such an instruction; ...
  std::string text{};  ///< the instruction
};

/// The instructions that made a value, the last first.
struct WhyAnswer {
  std::vector<WhyStep> steps;
  bool is_cut = false;  ///< the limit left some out
  std::string text;     ///< the same for people
};

struct SessionOptions {
  u64 history_bytes = u64{128} << 20;                    ///< memory for checkpoints, about
  CheckUndefined check_undefined = CheckUndefined::off;  ///< in addition to the scenario's own checks
};

/// A run of one wave that goes forwards and backwards. Positions 0 to N are between the instructions; step n is the
/// n-th instruction, counted from 1, and leads from position n - 1 to position n. Each move stops at breakpoints and
/// watchpoints on its way, backwards too.
///
///     Result<Session> session = Session::load("gcd.yaml");
///     session->watch("s0");
///     session->continue_();
///     session->reverse_step();
///
/// Functions may be called by one thread at a time, but for `interrupt`. A session that was moved from can only be
/// assigned to and destroyed.
class Session {
 public:
  Session(const Session&) = delete;
  Session(Session&& other) noexcept;
  Session& operator=(const Session&) = delete;
  Session& operator=(Session&& other) noexcept;
  ~Session();

  /// Opens a session at position 0. An error for a scenario of all waves of a grid: `isolate_wave` makes a scenario of
  /// one of them.
  static Result<Session> open(Scenario scenario, const SessionOptions& options = {});
  /// The same of a scenario that is shared, so that it is not copied.
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
  /// To the next breakpoint, or the end; back to the last one, or the start.
  Pause continue_();
  Pause reverse_continue();

  // ---- moving by source lines; by one instruction where none are known ----

  Pause step_line(u64 count = 1);
  Pause reverse_step_line(u64 count = 1);
  Pause next_line(u64 count = 1);
  Pause reverse_next_line(u64 count = 1);

  // ---- moving to places ----

  /// To where the innermost function returns, and back to its call. An error in the outermost function.
  Result<Pause> finish();
  Result<Pause> reverse_finish();
  /// To a place: an address (`0x1010`), a label (`loop+8`), a source line (`gcd.s:12`). An error for an unknown place.
  Result<Pause> run_to(std::string_view place);
  Result<Pause> reverse_run_to(std::string_view place);
  /// To a position without stops on the way, or to the end of a shorter run.
  Pause go_to(u64 position);
  /// To the end of the program without stops on the way.
  Pause go_to_end();

  /// The most instructions that one move executes (default: the scenario's `max_steps`). `go_to` is not limited.
  void set_limit(u64 instructions);
  /// Makes the current move, or the next one, stop soon. From any thread or signal handler.
  void interrupt();
  /// Takes back an interrupt that came while nothing ran.
  void clear_interrupt();

  // ---- breakpoints and watchpoints ----

  /// Adds a breakpoint at a place (as of `run_to`), or at each instruction whose mnemonic matches `s_cbranch_*`. Stops
  /// before the instruction where the condition, an expression, is not 0. Returns its number.
  Result<u32> break_at(std::string_view place, std::string_view condition = {}, bool temporary = false);
  /// Adds a watchpoint on an expression: `s4`, `[0x10000]`, `exec`. Stops after the instruction. `read` and `access`
  /// need a register or memory.
  Result<u32> watch(std::string_view expression, WatchKind kind = WatchKind::change, std::string_view condition = {});
  [[nodiscard]] std::vector<SessionBreakpoint> breakpoints() const;
  // False: no breakpoint or watchpoint has this number.
  bool remove(u32 id);
  bool set_enabled(u32 id, bool enabled);
  /// Passes over the next `hits` hits.
  bool set_ignore(u32 id, u64 hits);
  /// Replaces a condition; an empty one removes it. Returns the number.
  Result<u32> set_condition(u32 id, std::string_view condition);
  /// The kinds of warnings that moves forwards stop at (default: those that the scenario's checks look for).
  void catch_warnings(std::set<WarningKind> kinds);

  // ---- looking ----

  /// The current position, with the reason of the last pause.
  [[nodiscard]] const Pause& where() const;
  [[nodiscard]] u64 position() const;
  [[nodiscard]] u64 pc() const;
  [[nodiscard]] bool ended() const;
  /// The greatest position so far that is still part of the run.
  [[nodiscard]] u64 furthest() const;
  /// The next instruction with its place and, where it is known, its source line: `0x1018 <loop>: s_sub_u32 s0, s0,
  /// s1`.
  [[nodiscard]] std::string instruction() const;
  /// How and where the program ended; nothing at another position.
  [[nodiscard]] std::optional<Stop> stop() const;
  /// The outcome as `salu::run` returns it. An error before the end.
  [[nodiscard]] Result<Outcome> outcome();
  /// The scenario's expectations that do not hold. An error before the end.
  [[nodiscard]] Result<std::vector<Mismatch>> failed_expectations();
  /// The warnings up to here.
  [[nodiscard]] std::vector<Warning> warnings() const;
  [[nodiscard]] const Scenario& scenario() const;
  /// The value of an expression (docs/how-to/debugging.md): `s0`, `scc && s1 > 5`, `[s[4:5] + 8]`.
  [[nodiscard]] Result<u64> evaluate(std::string_view expression) const;
  [[nodiscard]] WaveState state() const;
  [[nodiscard]] Memory memory();
  /// Copies bytes of memory out. An error where some of it is not mapped.
  [[nodiscard]] Result<std::vector<u8>> read(u64 address, std::size_t size_bytes) const;
  /// The instructions that made a place what it is (`s4`, `exec[7]`, `v3[7]`, `[0x10000]`), here or, with `@STEP`,
  /// after that step; `most_steps` of them at most.
  [[nodiscard]] Result<WhyAnswer> why(std::string_view place, std::size_t most_steps = 32);
  /// Whether the last `why` failed because of an interrupt.
  [[nodiscard]] bool was_interrupted() const;

  // ---- changing ----

  /// Sets a register or memory (`[0x10000]`) to the value of an expression and returns it. The part of the run after
  /// this position is forgotten.
  Result<u64> set(std::string_view place, std::string_view expression);
  Result<u64> set(std::string_view place, u64 value);

  /// Executes a command of `salu debug` and returns its output. An error has the output of a command that failed.
  Result<std::string> command(std::string_view line);

 private:
  struct Implementation;
  explicit Session(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu
