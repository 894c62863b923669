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

/// Receives every instruction that a `Machine` executes, before and after its execution. Both functions may read the
/// machine, but must not run or change it, and must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  /// Called before an instruction is executed.
  virtual void before(const InstructionInputs& /*inputs*/) {}
  /// Called after the instruction was executed, with its results.
  virtual void after(const TraceEvent& /*event*/) {}
};

/// Selects one run of a file that holds several.
struct ScenarioSelection {
  std::string document{};  ///< a scenario, by its number (from 1) or its name; empty: the only scenario
  std::string row{};  ///< a row of its table of cases, by its number (from 1) or its name; empty if it has no table
};

/// The limits of one call of `Machine::run`.
struct RunLimits {
  std::optional<u64> max_steps{};       ///< instructions of this call (default: `RunOptions::max_steps`)
  std::optional<double> max_seconds{};  ///< wall-clock time of this call (default: `RunOptions::max_seconds`)
  /// Polled about a hundred times a second; true ends the call (default: `RunOptions::is_cancelled`).
  std::function<bool()> is_cancelled{};
};

/// One wave with its code and its memory, which runs forwards in any number of calls. It computes the same as
/// `salu::run` from the same state. `Session` (salu/session.hpp) also runs backwards.
///
///     Result<Machine> machine = Machine::load("f.o", {.symbol = "f"});
///     machine->set("s0", 7);
///     machine->step();
///     const Stop stop = machine->run({.max_steps = 1000});
///     machine->get("s1");
///
/// A moved-from machine can only be assigned to or destroyed.
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

  /// Opens a scenario with its options. Returns an error for a scenario that runs all waves of a grid; a `Session` runs
  /// them.
  static Result<Machine> open(Scenario scenario);
  /// Loads a file as `load_file` does (a scenario, assembly, words, an ELF object) and opens it. Returns an error if
  /// the file contains several runs and the selection does not name one.
  static Result<Machine> load(const std::string& path, const LoadOptions& options = {},
                              const ScenarioSelection& selection = {});

  // ---- moving ----

  /// Executes one instruction. Returns false if the program has ended, before this call or instead of executing an
  /// instruction.
  bool step();
  /// Runs until the program ends or a limit is reached. After `step_limit` and `time_limit`, another call continues the
  /// run.
  Stop run(const RunLimits& limits = {});

  [[nodiscard]] bool ended() const;
  /// How and where the program ended; empty if it has not ended.
  [[nodiscard]] std::optional<Stop> stop() const;
  /// The outcome as `salu::run` returns it; the reason is `step_limit` if the program has not ended.
  [[nodiscard]] Outcome outcome();

  // ---- looking ----

  /// The address of the next instruction, or after the end the address that the stop reports.
  [[nodiscard]] u64 pc() const;
  /// The text of the next instruction; empty after the end and outside of code.
  [[nodiscard]] std::string instruction() const;
  /// Instructions executed since the start, or since `set_state`.
  [[nodiscard]] u64 steps() const;
  /// The warnings so far, once per kind and address.
  [[nodiscard]] const std::vector<Warning>& warnings() const;
  [[nodiscard]] const Program& program() const;
  /// Returns the value of a register of at most 64 bits. Names are those of scenarios: `s1`, `s[2:3]`, `exec`, `scc`,
  /// `pc`, `mode.csp`, `v3[5]`. Returns an error for other names.
  [[nodiscard]] Result<u64> get(std::string_view name) const;
  /// A copy of all registers.
  [[nodiscard]] WaveState state() const;
  /// A copy of the memory; pages are shared until they are written.
  [[nodiscard]] Memory memory();
  /// Returns a copy of bytes of memory, or an error if any of them is not mapped.
  [[nodiscard]] Result<std::vector<u8>> read(u64 address, std::size_t size_bytes) const;

  // ---- changing; returns an error while an observer is called ----

  /// Sets a register, with the names of `get`, and returns the value. Returns an error if the value does not fit, for
  /// an SGPR beyond the allocation, for a value of which hardware would keep other bits, and after the end of the
  /// program.
  Result<u64> set(std::string_view name, u64 value);
  /// Copies bytes into memory, also into memory that the program cannot write, and returns the number of bytes. Returns
  /// an error if any of them is not mapped.
  Result<u64> write(u64 address, std::span<const u8> bytes);
  /// Replaces all memory and returns the number of its regions. The memory must include the program's code
  /// (`place_code`). The set of undefined bytes (`CheckUndefined`) does not change.
  Result<u64> set_memory(const Memory& memory);
  /// Restarts from a state with the current memory, and returns the PC. Steps, warnings and the stop are cleared.
  Result<u64> set_state(const WaveState& state);

  // ---- observing ----

  /// Calls an observer for each instruction from now on, after the observers that were added before it. It must outlive
  /// the machine or be removed. With observers, a run is slower: about a million instructions per second.
  void add_observer(Observer& observer);
  /// Removes an observer. Returns false if it was not added.
  bool remove_observer(Observer& observer);

 private:
  struct Implementation;
  explicit Machine(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu
