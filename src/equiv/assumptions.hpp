#pragma once

#include <salu/error.hpp>

#include <string>
#include <vector>

#include "equiv/side.hpp"
#include "expr/expression.hpp"
#include "proof/symbolic_state.hpp"

namespace salu::equiv {

/// Assumptions about the initial state of both programs: debugger expressions over A's state.
class Assumptions {
 public:
  /// Parses the expressions. An error has the place in the invalid one.
  static Result<Assumptions> parse(const std::vector<std::string>& texts, const Scenario& a);

  [[nodiscard]] bool empty() const { return expressions_.empty(); }
  /// True if all of them hold for the initial state of the last run.
  [[nodiscard]] bool hold(const Side& a) const;
  [[nodiscard]] const std::vector<expr::Expression>& expressions() const { return expressions_; }

 private:
  std::vector<expr::Expression> expressions_;
};

/// An expression over terms.
struct Assumed {
  proof::TermId condition = 0;  ///< 1 bit
  std::string problem;          ///< the part that terms do not support; empty if none
};
Assumed term_of(const expr::Expression& expression, proof::Terms& terms, proof::SymbolicState& start);

}  // namespace salu::equiv
