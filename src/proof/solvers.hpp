#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proof/smtlib.hpp"

namespace salu::proof {

/// The answer of a solver about a condition.
struct SolverAnswer {
  enum class Kind : u8 { never, sometimes, unknown };
  Kind kind = Kind::unknown;
  std::vector<std::pair<u32, u64>> inputs{};  ///< `sometimes`: pairs of an input number and its value
  std::string by{};                           ///< name of the solver
  std::string why{};                          ///< `unknown`: the reason for each solver
};

/// The installed solvers, z3 and cvc5, run as parallel processes.
class Solvers {
 public:
  /// Returns true if the condition holds for the inputs of a `sometimes` answer.
  using Check = std::function<bool(const SolverAnswer& answer)>;

  /// Finds the solvers in PATH. Each of them may use `memory_mib` of memory.
  explicit Solvers(u64 memory_mib = 2048);

  [[nodiscard]] bool any() const { return !found_.empty(); }
  /// The names of the solvers that are not installed.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  /// Runs all solvers in parallel with a timeout; the first definite answer is returned. An answer counts only if its
  /// solver then exits by itself, and inputs only if they pass the check. `is_cancelled` is polled; true ends the
  /// search.
  [[nodiscard]] SolverAnswer ask(const SmtQuery& query, double seconds, const Check& holds = {},
                                 const std::function<bool()>& is_cancelled = {}) const;

 private:
  struct Solver {
    std::string name;
    std::string path;
  };
  u64 memory_mib_;
  std::vector<Solver> found_;
  std::vector<std::string> missing_;
};

}  // namespace salu::proof
