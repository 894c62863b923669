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

/// What of two final states is compared, and the comparison.
namespace salu::equiv {

/// What is compared of every pair of runs, besides how they ended.
struct OutputSet {
  std::vector<Output> outputs;
  bool all_memory = false;                   ///< all that either program wrote and both can
  bool is_named = false;                     ///< somebody said what the results are
  bool stop_suffices = false;                ///< how they ended is what the user asked for
  bool compare_faults = false;               ///< two faults with one reason are equal, else they are skipped
  std::vector<StopReason> expected_stops{};  ///< of `expect:` and `cases:`: as good an end as any other
  const Assumptions* assumed = nullptr;      ///< runs that start otherwise do not count

  /// True for something to compare besides memory that nobody may ever write, and besides ends that are all alike.
  [[nodiscard]] bool has_definite() const { return !outputs.empty() || stop_suffices || compare_faults; }
};

/// A difference in a register that may be a temporary (`Output::may_be_temporary`).
inline constexpr std::string_view result_or_temporary =
    "registers differ that only some paths write: results or temporaries (name the results with --outputs)";

/// How a pair of runs compares.
struct Judgement {
  enum class Kind : u8 { equal, stop_differs, outputs_differ, skipped, not_assumed };
  Kind kind = Kind::skipped;
  std::string_view why;  ///< skipped: the reason; a literal
  [[nodiscard]] bool differs() const { return kind == Kind::stop_differs || kind == Kind::outputs_differ; }
};

/// Chooses what is compared where the user does not say: the registers and memory of `expect:`; else memory, and, by
/// the kind of program, registers.
class OutputChooser {
 public:
  explicit OutputChooser(const Programs& programs) : programs_(programs) {}

  /// Takes part in the first runs. `a` and `b` have just run and came to a regular end both.
  void watch(const Side& a, const Side& b, const Discovery& discovery);
  /// What is compared, except for how the runs end.
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

/// The ends that `expect:` and `cases:` of either program name.
std::vector<StopReason> expected_stops(const Programs& programs);

/// Whether a program may come back to a caller, so that `returned` is what `end_program` is for another one.
bool can_return(const Program& program);

/// Compares what two runs left.
Judgement judge(const Side& a, const Side& b, const OutputSet& set);

/// Everything that differs, as text; at most a few, then how many more.
std::vector<DifferingOutput> list_differences(const Side& a, const Side& b, const OutputSet& set);

/// Memory that either of the last runs changed.
struct ChangedMemory {
  std::vector<u64> dwords;  ///< addresses of what both programs have as data, ascending
  bool left_out = false;    ///< something else has changed besides
};
ChangedMemory find_changed(const Side& a, const Side& b);

/// Dwords of a side's data that its last run changed, ascending, without memory that is no result.
std::vector<u64> changed_dwords(const Side& side);

/// A dword that is no result: of the lanes' private memory, or shared by a work-group, both of which end with them.
bool is_passing_memory(const Side& side, u64 address);

/// True when the last run of a side changed memory.
bool changed_memory(const Side& side);

}  // namespace salu::equiv
