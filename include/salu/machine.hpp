#pragma once

#include <salu/error.hpp>
#include <salu/event.hpp>
#include <salu/integer.hpp>
#include <salu/memory.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>
#include <salu/state.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace salu {

/// Gets every instruction that a `Machine` executes, before and after its execution. Both functions may read the
/// machine, but not move or change it, and must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The next instruction, which has not run yet.
  virtual void before(const InstructionInputs& /*inputs*/) {}
  /// The same instruction with its results.
  virtual void after(const TraceEvent& /*event*/) {}
};

/// The run that is meant of a file that holds several.
struct ScenarioSelection {
  std::string document{};  ///< a scenario, by its number from 1 or its name; empty: the only one
  std::string row{};       ///< a row of its table of cases, by its number from 1 or its name; empty: not a table
};

/// The limits of one call of `Machine::run`.
struct RunLimits {
  std::optional<u64> max_steps{};       ///< instructions of this call (default: `RunOptions::max_steps`)
  std::optional<double> max_seconds{};  ///< wall-clock time of this call (default: `RunOptions::max_seconds`)
  /// Polled about a hundred times a second; true ends the call (default: `RunOptions::is_cancelled`).
  std::function<bool()> is_cancelled{};
};

/// One wave with its code and its memory, which runs forwards in any number of calls. It computes the same as
/// `salu::run` from the same state. `Session` (salu/session.hpp) also goes backwards.
///
///     Result<Machine> machine = Machine::load("f.o", {.symbol = "f"});
///     machine->set("s0", 7);
///     machine->step();
///     const Stop stop = machine->run({.max_steps = 1000});
///     machine->get("s1");
///
/// A machine that was moved from can only be assigned to and destroyed.
class Machine {
 public:
  /// Starts a program at its entry, in the initial state of its target, with its code as the only memory.
  explicit Machine(Program program, RunOptions options = {});
  /// Starts a program from a state, as `salu::run` does. `options.trace` is called for every instruction.
  Machine(Program program, const WaveState& initial, const Memory& memory, RunOptions options = {});
  Machine(const Machine&) = delete;
  Machine(Machine&& other) noexcept;
  Machine& operator=(const Machine&) = delete;
  Machine& operator=(Machine&& other) noexcept;
  ~Machine();

  /// Starts a scenario, with its options. An error for a scenario of all waves of a grid: `isolate_wave` makes a
  /// scenario of one of them.
  static Result<Machine> open(Scenario scenario);
  /// Loads a file as `load_file` does (a scenario, assembly, words, an ELF object) and starts it. An error where the
  /// file holds several runs and the selection names none of them.
  static Result<Machine> load(const std::string& path, const LoadOptions& options = {},
                              const ScenarioSelection& selection = {});

  // ---- moving ----

  /// Executes one instruction. False if the program had ended before, or ends here without another instruction.
  bool step();
  /// Runs until the program ends or a limit is reached. `step_limit` and `time_limit` are the reasons that a later call
  /// goes on from.
  Stop run(const RunLimits& limits = {});

  [[nodiscard]] bool ended() const;
  /// How and where the program ended; nothing while it has not.
  [[nodiscard]] std::optional<Stop> stop() const;
  /// The outcome as `salu::run` returns it; of a program that has not ended, with the reason `step_limit`.
  [[nodiscard]] Outcome outcome();

  // ---- looking ----

  /// Address of the next instruction, or the one that the stop reports.
  [[nodiscard]] u64 pc() const;
  /// The text of the next instruction; empty after the end and outside of code.
  [[nodiscard]] std::string instruction() const;
  /// Instructions executed since the start, or since `set_state`.
  [[nodiscard]] u64 steps() const;
  /// The warnings so far, once per kind and address.
  [[nodiscard]] const std::vector<Warning>& warnings() const;
  [[nodiscard]] const Program& program() const;
  /// The value of a register of at most 64 bits, by a name as scenarios have it: `s1`, `s[2:3]`, `exec`, `scc`, `pc`,
  /// `mode.csp`, `v3[5]`. An error for other names.
  [[nodiscard]] Result<u64> get(std::string_view name) const;
  /// All registers as a value.
  [[nodiscard]] WaveState state() const;
  /// Memory as a value; a copy costs little.
  [[nodiscard]] Memory memory();
  /// Copies bytes of memory out. An error where some of it is not mapped.
  [[nodiscard]] Result<std::vector<u8>> read(u64 address, std::size_t size_bytes) const;

  // ---- changing; an error while an observer is called ----

  /// Sets a register, with names as `get` has them. Returns the value. An error for a value that does not fit, for an
  /// SGPR beyond the allocation, where hardware would keep other bits, and after the end.
  Result<u64> set(std::string_view name, u64 value);
  /// Copies bytes into memory, also into memory that the program cannot write. Returns how many. An error where some of
  /// it is not mapped.
  Result<u64> write(u64 address, std::span<const u8> bytes);
  /// Replaces all memory; `CheckUndefined` takes the same bytes as undefined as before. Code of the program is to be
  /// part of it (`place_code`). Returns the number of its regions.
  Result<u64> set_memory(const Memory& memory);
  /// Starts anew from a state, with memory as it is: steps, warnings and the stop are cleared. Returns the PC.
  Result<u64> set_state(const WaveState& state);

  // ---- observing ----

  /// Calls an observer for each instruction from now on, after those that were added before it. It has to outlive the
  /// machine or be removed. A run is slower then: a million instructions a second or so.
  void add_observer(Observer& observer);
  /// Removes an observer. False for one that was not added.
  bool remove_observer(Observer& observer);

 private:
  struct Implementation;
  explicit Machine(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu
