#pragma once

#include <salu/error.hpp>
#include <salu/for_each.hpp>
#include <salu/integer.hpp>
#include <salu/machine.hpp>
#include <salu/outcome.hpp>
#include <salu/scenario.hpp>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Comparison of two programs: both run from the same generated inputs, and their results are compared
/// (docs/how-to/equiv.md). The verdict covers only the inputs that were tried; it is not a proof, unless all inputs
/// were tried.
namespace salu {

/// Two loaded programs: A is the reference, B is compared with it.
struct ProgramPair {
  Scenario a;
  Scenario b;
  /// For two kernels without a scenario: a generated scenario in YAML that users can start from; otherwise empty. The
  /// contents of the generated buffers are arbitrary (see `EquivalenceOptions::vary_buffers`).
  std::string kernel_scenario{};
};

/// The waves of two kernels without a scenario.
enum class KernelLaunch : u8 {
  one_wave,
  work_group_if_barriers,  ///< all waves of a work-group if one of the kernels contains a barrier, otherwise one wave
};

/// Loads two programs from any files that `load_file` accepts. If one is a scenario and the other is code without a
/// scenario, the code replaces the scenario's code: it runs with the scenario's registers, memory, kernel and
/// expectations. A selection names the scenario of a file that holds several; a table is loaded with all its rows
/// unless the selection names one. Two objects that both start at a kernel are launched according to their metadata,
/// with a buffer for each pointer; the kernels must take the same arguments. `launch` selects their waves.
Result<ProgramPair> load_pair(const std::string& path_a, const std::string& path_b, const LoadOptions& options_a = {},
                              const LoadOptions& options_b = {}, const ScenarioSelection& selection_a = {},
                              const ScenarioSelection& selection_b = {},
                              KernelLaunch launch = KernelLaunch::work_group_if_barriers);

/// Inputs, outputs and limits of a comparison.
struct EquivalenceOptions {
  /// Inputs to vary: `s0`, `s[2:3]`, `s4:8` (its low 8 bits, the other bits 0), `s1=1..31`, `args.n`,
  /// `memory.0x10000:64`. Empty: detected automatically.
  std::vector<std::string> inputs{};
  /// Outputs to compare: `s0`, `s1:8`, `scc`, `memory.0x10000:64`, `memory` (everything that either program wrote).
  /// A suffix selects floats and an allowed distance: `v0:f32`, `memory:f32~2`. Empty: chosen automatically.
  std::vector<std::string> outputs{};
  u64 ulps = 0;  ///< allowed distance of floats in `outputs` without one
  /// Inputs to try exhaustively: `s0=0..65535`. All combinations of their values run, at most 2^32.
  std::vector<std::string> exhaustive{};
  /// Registers that are not varied, written as in `LoadOptions::set` (`s1=0`) or as names (`s1`). `inputs` and
  /// `exhaustive` must not name any part of them.
  std::vector<std::string> fixed{};
  /// Conditions on A's initial state, as debugger expressions: `s1 < 32`. States for which a condition is false are
  /// skipped.
  std::vector<std::string> assume{};
  /// For kernels without `inputs` and `exhaustive`: also vary the first 64 bytes of each buffer that an argument points
  /// to.
  bool vary_buffers = false;
  /// Number of inputs to try, in addition to the rows of `cases:`, which are tried first. Ignored with `exhaustive`.
  u64 states = 10'000;
  /// Time limit in seconds, more than 0. If a difference is found, shrinking it may take up to another quarter of this
  /// time.
  std::optional<double> seconds{};
  u64 seed = 1;               ///< the same seed gives the same inputs
  u64 max_steps = 1'000'000;  ///< of each run; a lower limit of the scenario takes precedence
  bool compare_faults =
      false;  ///< true: faults with the same reason are equal results; false: inputs that cause a fault are skipped
  Engine engine = Engine::batch;
  ForEach for_each = for_each_in_turn;  ///< runs the parts of the work, for example on threads
  /// Polled about a hundred times a second; true ends the comparison as if the time limit were reached.
  std::function<bool()> is_cancelled{};
  /// Called from time to time with the number of inputs tried so far and the number of all inputs.
  std::function<void(u64 done, u64 count)> progress{};
};

/// The verdict of a comparison.
enum class Verdict : u8 {
  equal,             ///< on all inputs that were tried and could be compared
  different,         ///< on at least one input
  nothing_compared,  ///< no pair of runs could be compared
  incomplete,  ///< no difference, but some combinations of `exhaustive` could not be compared, or the time limit was
               ///< reached
};

/// One input and its value.
struct InputValue {
  std::string name;  ///< `s0`, `args.n`, `memory 0x10000`
  u64 value = 0;
  u32 bits = 32;
};

/// One output that differs; values as text.
struct DifferingOutput {
  std::string name;  ///< `stop`, `s0`, `memory 0x10000`
  std::string a;
  std::string b;
  std::string
      object{};  ///< of memory: `out+0x8`, by the kernel argument that points to it, or the symbol; may be empty
};

/// An executed instruction of one of the two programs, as text.
struct PartingLine {
  bool in_b = false;
  u64 pc = 0;
  std::string place;        ///< symbol, and source line if known; may be empty
  std::string instruction;  ///< its text; empty if the program has no instruction to show here
  std::string effects;      ///< values read and written, or a sentence if there is no instruction
  std::string wave;         ///< if several waves run: `wave 1 of work-group [2, 0, 0]`; otherwise empty
};

/// An observation about the place where the two computations diverge.
struct PartingNote {
  std::string what;
  std::vector<PartingLine> lines;
};

/// The first input on which the programs differ, shrunk to a simple one.
struct Difference {
  u64 state = 0;                         ///< number of the input in the order tried, from 1
  std::string row;                       ///< for a row of `cases:`: `row 3 (cases.csv:4, its name)`; otherwise empty
  std::vector<InputValue> found;         ///< the input as found
  std::vector<InputValue> shrunk;        ///< the input after shrinking
  u64 shrink_runs = 0;                   ///< pairs of runs that shrinking took
  bool shrinking_ended_early = false;    ///< by the time limit: a simpler input may exist
  std::vector<DifferingOutput> outputs;  ///< on the shrunk input
  std::string hint;                      ///< a possible cause if the outputs were chosen automatically; may be empty
  std::vector<PartingNote> parting;
  std::string reproducer;          ///< scenarios of both programs with A's outcome as `expect:`
  std::string reproducer_problem;  ///< why the reproducer does not show the difference; empty if it shows it
};

/// An inclusive range of addresses.
struct AddressRange {
  u64 first = 0;
  u64 last = 0;
};

/// Statistics of the runs of one of the programs.
struct ProgramReport {
  std::string name;
  std::string target;
  u64 waves = 1;      ///< waves of each run
  u64 executed = 0;   ///< instructions that ran at least once
  u64 reachable = 0;  ///< instructions that a scan of the code from the entry finds, or that ran
  std::vector<AddressRange> never_executed;
  std::map<std::string, u64, std::less<>> stops;  ///< number of runs by stop reason
};

/// The result of a comparison.
struct EquivalenceReport {
  Verdict verdict = Verdict::nothing_compared;
  u64 seed = 0;
  u64 states = 0;                                   ///< inputs tried, rows of `cases:` included
  u64 rows = 0;                                     ///< rows of `cases:` among them; these are tried first
  u64 compared = 0;                                 ///< inputs whose results were compared
  std::map<std::string, u64, std::less<>> skipped;  ///< number of inputs not compared, by reason
  u64 combinations = 0;                             ///< combinations of `exhaustive`; 0 without it
  u64 combinations_compared = 0;                    ///< combinations whose results were compared
  bool draws_others = false;                        ///< with `exhaustive`: each other input had a single random value
  bool depends_on_others =
      false;                 ///< the verdict may depend on registers that are not varied or memory that is not compared
  bool out_of_time = false;  ///< the time limit was reached
  std::array<ProgramReport, 2> programs;
  std::vector<std::string> varied;        ///< varied inputs, as text
  std::vector<std::string> not_varied;    ///< places that are read but have the same value in all runs, with the reason
  std::vector<std::string> outputs;       ///< compared outputs, as text
  std::vector<std::string> not_compared;  ///< places that are written but not compared, with the reason
  std::optional<Difference> difference;
};

/// Runs both programs on generated inputs and compares their results. Stops at the first difference. Returns an error
/// for invalid options.
Result<EquivalenceReport> compare_programs(const Scenario& a, const Scenario& b,
                                           const EquivalenceOptions& options = {});

/// Formats the report as text. `verbose` adds the code that never ran.
std::string equivalence_text(const EquivalenceReport& report, bool verbose = false);

/// Formats the report as one line of JSON (`salu-equiv-v1`).
std::string equivalence_json(const EquivalenceReport& report);

}  // namespace salu
