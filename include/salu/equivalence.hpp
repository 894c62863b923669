#pragma once

#include <salu/error.hpp>
#include <salu/for_each.hpp>
#include <salu/integer.hpp>
#include <salu/outcome.hpp>
#include <salu/scenario.hpp>

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Two programs, one question: do they compute the same? Both run from the same generated inputs, and what they leave
/// is compared (docs/how-to/equiv.md). The answer is about the inputs that were tried, not a proof, unless they were all
/// there are.
namespace salu {

/// Two loaded programs: A is the reference, B is held against it.
struct ProgramPair {
  Scenario a;
  Scenario b;
  /// Of two kernels that came without a scenario: one, as YAML, to begin with. Empty for all others. What the buffers
  /// of such kernels hold means nothing: `EquivalenceOptions::vary_buffers`.
  std::string kernel_scenario{};
};

/// Loads two programs from anything that `load_file` takes. Where one is a scenario and the other bare code, the code
/// runs in the scenario's place: with its registers, memory, kernel and expectations. Each file has to hold one
/// scenario. Two objects that both start at a kernel are started as their metadata says, with a buffer for each
/// pointer and vector instructions passed over; the kernels have to take the same arguments.
Result<ProgramPair> load_pair(const std::string& path_a, const std::string& path_b, const LoadOptions& options_a = {},
                              const LoadOptions& options_b = {});

/// What to vary, what to compare, and for how long.
struct EquivalenceOptions {
  /// `s0`, `s[2:3]`, `s4:8` (its low 8 bits, the others 0), `s1=1..31`, `args.n`, `memory.0x10000:64`. Empty: found.
  std::vector<std::string> inputs{};
  /// `s0`, `s1:8`, `scc`, `memory.0x10000:64`, `memory` (all that either program wrote). Empty: chosen.
  std::vector<std::string> outputs{};
  /// `s0=0..65535`: every value of these, in every combination; at most 2^32.
  std::vector<std::string> exhaustive{};
  /// Registers that keep their values, as `LoadOptions::set` names them (`s1=0`; `s1` does, too): `inputs` and
  /// `exhaustive` may not name any part of them.
  std::vector<std::string> fixed{};
  /// Conditions on the state that A starts from, as the debugger has expressions: `s1 < 32`. Of states for which one
  /// does not hold nothing is said.
  std::vector<std::string> assume{};
  /// In kernels, without `inputs` and `exhaustive`: also the first 64 bytes of what the pointers point to.
  bool vary_buffers = false;
  /// How many inputs to try; without effect under `exhaustive`. The rows of `cases:` come before them.
  u64 states = 10'000;
  /// And for how long at most: more than 0. What is found until then is made simpler for at most another quarter of it.
  std::optional<double> seconds{};
  u64 seed = 1;                 ///< the same seed gives the same inputs
  u64 max_steps = 1'000'000;    ///< of one run; a lower limit of a scenario counts
  bool compare_faults = false;  ///< a fault of both with the same reason is the same result; else it is no result
  Engine engine = Engine::batch;
  ForEach for_each = for_each_in_turn;  ///< who does the parts of the work
  /// Asked some hundred times a second: true ends it, as if the time were up.
  std::function<bool()> is_cancelled{};
  /// Told now and then how many inputs have been tried, of how many.
  std::function<void(u64 done, u64 count)> progress{};
};

/// What came of it.
enum class Verdict : u8 {
  equal,             ///< on everything that was tried and could be compared
  different,         ///< on at least one input
  nothing_compared,  ///< no run of the two could be compared
  incomplete,        ///< no difference, but not every combination of `exhaustive` could be compared, or time ran out
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
};

/// An executed instruction of one of the two, as text.
struct PartingLine {
  bool in_b = false;
  u64 pc = 0;
  std::string place;        ///< symbol, and source line where it is known; may be empty
  std::string instruction;  ///< its text; empty when the program has nothing to show here
  std::string effects;      ///< what it read and wrote, or a sentence where there is no instruction
};

/// One observation about where the two computations part.
struct PartingNote {
  std::string what;
  std::vector<PartingLine> lines;
};

/// The first input on which the programs differ, made as simple as it gets.
struct Difference {
  u64 state = 0;                         ///< which of the inputs tried it was, from 1
  std::string row;                       ///< of `cases:`: `row 3 (cases.csv:4, its name)`; empty for other inputs
  std::vector<InputValue> found;         ///< as it was found
  std::vector<InputValue> shrunk;        ///< as simple as it gets
  u64 shrink_runs = 0;                   ///< pairs of runs that took
  bool shrinking_ended_early = false;    ///< by `seconds`: there may be a simpler one
  std::vector<DifferingOutput> outputs;  ///< on the shrunk input
  std::string hint;                      ///< what may be behind it when nobody said what the results are; may be empty
  std::vector<PartingNote> parting;
  std::string reproducer;          ///< scenarios of both programs with A's outcome as `expect:`
  std::string reproducer_problem;  ///< why the reproducer does not reproduce it; empty: it was tried and does
};

/// An inclusive range of addresses.
struct AddressRange {
  u64 first = 0;
  u64 last = 0;
};

/// What is known about one of the programs after the runs.
struct ProgramReport {
  std::string name;
  std::string target;
  u64 executed = 0;   ///< instructions that ran at least once
  u64 reachable = 0;  ///< of those that a scan of the code from the entry finds, and of those that ran
  std::vector<AddressRange> never_executed;
  std::map<std::string, u64, std::less<>> stops;  ///< how many runs ended how
};

/// The whole answer.
struct EquivalenceReport {
  Verdict verdict = Verdict::nothing_compared;
  u64 seed = 0;
  u64 states = 0;                                   ///< tried, rows of `cases:` included
  u64 rows = 0;                                     ///< of them, the first: rows of `cases:`
  u64 compared = 0;                                 ///< of them
  std::map<std::string, u64, std::less<>> skipped;  ///< the others: why, and how many
  u64 combinations = 0;                             ///< of `exhaustive`; 0 without it
  u64 combinations_compared = 0;                    ///< of them
  bool draws_others = false;                        ///< under `exhaustive`: other inputs had one drawn value each
  bool depends_on_others = false;  ///< registers that are not varied, or memory that is not compared, may decide
  bool out_of_time = false;        ///< `seconds` ended it
  std::array<ProgramReport, 2> programs;
  std::vector<std::string> varied;        ///< inputs, as text
  std::vector<std::string> not_varied;    ///< read, but the same in all runs: why
  std::vector<std::string> outputs;       ///< compared, as text
  std::vector<std::string> not_compared;  ///< written, but not compared: why
  std::optional<Difference> difference;
};

/// Runs both programs on generated inputs and compares. Ends at the first difference. Errors are about the options.
Result<EquivalenceReport> compare_programs(const Scenario& a, const Scenario& b,
                                           const EquivalenceOptions& options = {});

/// The report as text for people. `verbose`: also the code that never ran.
std::string equivalence_text(const EquivalenceReport& report, bool verbose = false);

/// The report as one line of JSON (`salu-equiv-v1`).
std::string equivalence_json(const EquivalenceReport& report);

}  // namespace salu
