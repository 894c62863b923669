#pragma once

#include <salu/error.hpp>

#include <string>
#include <vector>

#include "equiv/side.hpp"
#include "expr/expression.hpp"
#include "proof/symbolic_state.hpp"

namespace salu::equiv {

/// What is assumed of the state that both programs start from: expressions as the debugger has them, about A's.
class Assumptions {
 public:
  /// An error says which text is wrong, and where.
  static Result<Assumptions> parse(const std::vector<std::string>& texts, const Scenario& a);

  [[nodiscard]] bool empty() const { return expressions_.empty(); }
  /// Whether all of them hold for the start of the last run.
  [[nodiscard]] bool hold(const Side& a) const;
  [[nodiscard]] const std::vector<expr::Expression>& expressions() const { return expressions_; }

 private:
  std::vector<expr::Expression> expressions_;
};

/// An expression over terms.
struct Assumed {
  proof::TermId condition = 0;  ///< 1 bit
  std::string problem;          ///< what cannot be said over terms
};
Assumed term_of(const expr::Expression& expression, proof::Terms& terms, proof::SymbolicState& start);

}  // namespace salu::equiv
