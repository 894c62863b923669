#pragma once

#include <string>
#include <vector>

#include "proof/terms.hpp"

namespace salu::proof {

/// A query for a solver: is there a value for each input for which a condition holds?
struct SmtQuery {
  std::string text;         ///< in SMT-LIB 2.6
  std::vector<u32> inputs;  ///< numbers of the inputs in the condition, in the order of the requested values
};

/// `products_are_functions`: products become uninterpreted functions, of which a solver only assumes that equal
/// operands give equal results. Then "unsat" is a valid answer, but "sat" is not.
SmtQuery smt_query(const Terms& terms, TermId condition, bool products_are_functions);

/// True if a term contains products.
bool has_products(const Terms& terms, TermId term);

}  // namespace salu::proof
