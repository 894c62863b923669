#pragma once

#include <salu/equivalence.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "equiv/assumptions.hpp"
#include "equiv/discovery.hpp"
#include "equiv/place.hpp"
#include "equiv/side.hpp"

/// The outputs of two programs, and their comparison.
namespace salu::equiv {

/// The outputs that are compared for every pair of runs, in addition to the end of the run.
struct OutputSet {
  std::vector<Output> outputs;
  bool all_memory = false;                         ///< everything that either program wrote and both may write
  std::optional<FloatComparison> memory_floats{};  ///< it consists of floats
  bool is_named = false;                           ///< the outputs are named by the user or by expectations
  bool stop_suffices = false;                      ///< the user asked to compare only the end of the runs
  bool compare_faults = false;               ///< faults with the same reason are equal; otherwise faults are skipped
  std::vector<StopReason> expected_stops{};  ///< stop reasons in `expect:` and `cases:`, which count as regular ends
  const Assumptions* assumed = nullptr;      ///< assumptions; runs that violate them are skipped

  /// True if there is an output other than memory, which may never be written, and ends of runs, which may all be the
  /// same.
  [[nodiscard]] bool has_definite() const { return !outputs.empty() || stop_suffices || compare_faults; }
};

/// The reason for a difference in a register that may be a temporary (`Output::may_be_temporary`).
inline constexpr std::string_view result_or_temporary =
    "registers differ that only some paths write: they may be results or temporaries (name the results with --outputs)";

/// The result of comparing a pair of runs.
struct Judgement {
  enum class Kind : u8 { equal, stop_differs, outputs_differ, skipped, not_assumed };
  Kind kind = Kind::skipped;
  std::string_view why;  ///< with `skipped`: the reason, a literal
  [[nodiscard]] bool differs() const { return kind == Kind::stop_differs || kind == Kind::outputs_differ; }
};

/// Chooses the outputs if the user does not name them: registers and memory of `expect:`; otherwise memory, and
/// registers depending on the kind of program.
class OutputChooser {
 public:
  explicit OutputChooser(const Programs& programs) : programs_(programs) {}

  /// Analyses the last runs of `a` and `b`, which both had a regular end. Called for trial runs.
  void watch(const Side& a, const Side& b, const Discovery& discovery);
  /// Returns the outputs, without the end of the runs.
  [[nodiscard]] OutputSet choose(const Discovery& discovery, std::vector<std::string>& not_compared) const;

 private:
  [[nodiscard]] OutputSet expected(const Scenario& scenario, std::vector<std::string>& not_compared) const;
  void choose_results(const Discovery& discovery, OutputSet& set, std::vector<std::string>& not_compared) const;
  void choose_scalar_results(const Discovery& discovery, OutputSet& set, std::vector<std::string>& not_compared) const;
  void choose_vector_results(const Discovery& discovery, OutputSet& set, std::vector<std::string>& not_compared) const;
  void choose_all_written(const Discovery& discovery, OutputSet& set, std::vector<std::string>& not_compared) const;

  Programs programs_;
  u64 runs_ = 0;
  std::array<u64, Discovery::most_results> agreed_{};
  std::array<u64, Discovery::most_results> vectors_agreed_{};
};

/// Returns the stop reasons in `expect:` and `cases:` of both programs.
std::vector<StopReason> expected_stops(const Programs& programs);

/// True if a program may return to a caller, so that its `returned` corresponds to `end_program` of other programs.
bool can_return(const Program& program);

/// Compares the results of two runs.
Judgement judge(const Side& a, const Side& b, const OutputSet& set);

/// Memory that differs: a dword, or a float of 64 bits.
struct DifferingMemory {
  std::array<u64, 2> addresses{};
  u64 size_bytes = 4;
};
/// Returns the differences in an output in memory.
std::vector<DifferingMemory> differing_memory(const Side& a, const Side& b, const Output& output);
/// Returns the differences in memory that one of the last runs changed.
std::vector<DifferingMemory> differing_memory(const Side& a, const Side& b,
                                              const std::optional<FloatComparison>& floats);

/// Lists the first few differences as text, then the number of further ones.
std::vector<DifferingOutput> list_differences(const Side& a, const Side& b, const OutputSet& set);

/// Memory that one of the last runs changed.
struct ChangedMemory {
  std::vector<u64> dwords;  ///< addresses of data of both programs, ascending
  bool left_out = false;    ///< other memory has changed as well
};
ChangedMemory find_changed(const Side& a, const Side& b);

/// Returns the dwords of a side's data that its last run changed, ascending, without memory that is not a result.
std::vector<u64> changed_dwords(const Side& side);

/// True for a dword that is not a result: in private memory of lanes or shared memory of a work-group, which do not
/// outlive these.
bool is_passing_memory(const Side& side, u64 address);

/// True if the last run of a side changed memory.
bool changed_memory(const Side& side);

}  // namespace salu::equiv
