#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "proof/smtlib.hpp"

namespace salu::proof {

/// What a solver says of a condition.
struct SolverAnswer {
  enum class Kind : u8 { never, sometimes, unknown };
  Kind kind = Kind::unknown;
  std::vector<std::pair<u32, u64>> inputs{};  ///< `sometimes`: the number of an input and its value
  std::string by{};                           ///< who said so
  std::string why{};                          ///< `unknown`: what became of each of them
};

/// The solvers that are installed, as processes: z3 and cvc5, side by side.
class Solvers {
 public:
  /// Whether a condition holds for the inputs of an answer `sometimes`.
  using Check = std::function<bool(const SolverAnswer& answer)>;

  /// Those in PATH. Each of them gets so much memory.
  explicit Solvers(u64 memory_mib = 2048);

  [[nodiscard]] bool any() const { return !found_.empty(); }
  /// The names of those that there are not.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  /// Asks all of them at once, for so long; what one of them knows is the answer. An answer counts when the solver has
  /// ended by itself behind it, and inputs when they pass the check. `is_cancelled` is asked meanwhile: true ends it.
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
