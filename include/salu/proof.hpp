#pragma once

#include <salu/equivalence.hpp>
#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Proof that two programs compute the same for all inputs: both are executed symbolically, and their results are
/// compared as formulas (docs/how-to/prove.md).
namespace salu {

/// Options and limits of a proof. `EquivalenceOptions::is_cancelled` cancels it.
struct ProofOptions {
  EquivalenceOptions compare{};  ///< inputs and outputs; `states` is the number of inputs to try first
  double seconds = 60;           ///< time limit for everything after these runs; more than 0
  u32 rounds = 64;               ///< unrolling limit of loops whose iteration count depends on inputs
  u64 memory_mib = 2048;         ///< memory limit of the formulas, and of each solver
  /// Called for each query to a solver, with its number (from 1) and its text in SMT-LIB.
  std::function<void(u64 number, const std::string& text)> question{};
  bool cover = false;  ///< fill `ProofReport::covered`
};

/// The verdict of a proof.
enum class ProofVerdict {
  proved,            ///< for all inputs under the assumptions
  proved_by_trying,  ///< all inputs were run
  proved_in_rounds,  ///< for all inputs that leave each loop within `ProofOptions::rounds`
  different,         ///< on an input on which both programs were run
  gave_up,           ///< not known
};
/// The name of a verdict in text and JSON: `proved`, `different`, ...
std::string_view proof_verdict_name(ProofVerdict verdict);

/// The reason why a proof failed at a place in the code.
struct ProofObstacle {
  std::string place;        ///< of the instruction; empty if no instruction is the reason
  std::string instruction;  ///< its text
  std::string why;          ///< for example `a vector instruction that computes`
  friend bool operator==(const ProofObstacle&, const ProofObstacle&) = default;
};

/// A table of cases for A, with its coverage: inputs that take every branch both ways and produce both values of SCC at
/// every write of SCC.
struct CoverReport {
  std::string table;  ///< a scenario with `cases:`; the expected values are A's results
  u64 rows = 0;
  u64 turns = 0;                        ///< number of all branch directions and SCC values
  u64 covered = 0;                      ///< covered by a row that was run
  std::vector<std::string> impossible;  ///< proved impossible for all inputs
  std::vector<std::string> left;        ///< unknown whether an input reaches them
  /// Places where a path was not followed further: branches and SCC values after them are not counted.
  std::vector<ProofObstacle> not_followed{};
  friend bool operator==(const CoverReport&, const CoverReport&) = default;
};

struct ProofReport {
  ProofVerdict verdict = ProofVerdict::gave_up;
  std::string how;                       ///< method: `same code`, `rewriting`, or a solver (`z3`)
  u32 rounds = 0;                        ///< the most iterations for which a loop was followed
  u64 questions = 0;                     ///< number of queries to solvers
  std::vector<std::string> assumptions;  ///< assumptions of the verdict
  std::vector<ProofObstacle> obstacles;  ///< with `gave_up`: the reasons
  std::optional<CoverReport> covered{};  ///< with `ProofOptions::cover`
  EquivalenceReport compared;            ///< the runs before the proof, and the difference
};

/// Tries to prove that two programs are equal, or to find a difference. Returns an error for invalid options.
Result<ProofReport> prove_programs(const Scenario& a, const Scenario& b, const ProofOptions& options = {});

/// Formats the report as text.
std::string proof_text(const ProofReport& report);

/// Formats the report as one line of JSON (`salu-prove-v1`).
std::string proof_json(const ProofReport& report);

}  // namespace salu
