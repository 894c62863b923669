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

/// Two programs, one question: do they compute the same for all inputs? Both are executed over symbols, and what they
/// leave is compared as formulas (docs/how-to/prove.md).
namespace salu {

/// What to prove, and how hard to try. `EquivalenceOptions::is_cancelled` ends all of it.
struct ProofOptions {
  EquivalenceOptions compare{};  ///< which inputs and outputs; `states`: how many inputs are tried first
  double seconds = 60;           ///< for all that comes after the runs; more than 0
  u32 rounds = 64;               ///< that a loop is followed, where the inputs decide how often it runs
  u64 memory_mib = 2048;         ///< for the formulas, and for each solver
  /// Told of each question to a solver: its number, from 1, and its text in SMT-LIB.
  std::function<void(u64 number, const std::string& text)> question{};
  bool cover = false;  ///< make `ProofReport::covered`
};

/// What came of it. No verdict says more than is known.
enum class ProofVerdict {
  proved,            ///< for all inputs under the assumptions
  proved_by_trying,  ///< all inputs were run
  proved_in_rounds,  ///< for all inputs that leave each loop within `ProofOptions::rounds`
  different,         ///< on an input on which both were run
  gave_up,           ///< not known
};
/// `proved`, `different`, ... as text and JSON name it.
std::string_view proof_verdict_name(ProofVerdict verdict);

/// What stood in the way.
struct ProofObstacle {
  std::string place;        ///< of the instruction; empty where it is no instruction's fault
  std::string instruction;  ///< its text
  std::string why;          ///< as `a vector instruction that computes`
  friend bool operator==(const ProofObstacle&, const ProofObstacle&) = default;
};

/// A table of cases for A, and what of A it covers: inputs that take every branch both ways and bring about both values
/// of SCC wherever it is written.
struct CoverReport {
  std::string table;  ///< a scenario with `cases:`; expected is what A leaves for each of them
  u64 rows = 0;
  u64 turns = 0;                        ///< branches that are taken or not, and values of SCC: all of them
  u64 covered = 0;                      ///< by a row that was run
  std::vector<std::string> impossible;  ///< of no input
  std::vector<std::string> left;        ///< not known whether an input does
  /// Where ways were not followed any further: what turns behind them is not counted.
  std::vector<ProofObstacle> not_followed{};
  friend bool operator==(const CoverReport&, const CoverReport&) = default;
};

struct ProofReport {
  ProofVerdict verdict = ProofVerdict::gave_up;
  std::string how;                       ///< `same code`, `rewriting`, or who answered: `z3`
  u32 rounds = 0;                        ///< that loops were followed at most
  u64 questions = 0;                     ///< to solvers
  std::vector<std::string> assumptions;  ///< what the verdict holds under
  std::vector<ProofObstacle> obstacles;  ///< `gave_up`: why
  std::optional<CoverReport> covered{};  ///< with `ProofOptions::cover`
  EquivalenceReport compared;            ///< the runs, and the difference
};

/// Proves, or finds a difference. Errors are about the options.
Result<ProofReport> prove_programs(const Scenario& a, const Scenario& b, const ProofOptions& options = {});

/// The report as text for people.
std::string proof_text(const ProofReport& report);

/// The report as one line of JSON (`salu-prove-v1`).
std::string proof_json(const ProofReport& report);

}  // namespace salu
