#pragma once

#include <string>
#include <vector>

#include "proof/terms.hpp"

namespace salu::proof {

/// A question for a solver: is there a value for each input with which a condition holds?
struct SmtQuery {
  std::string text;         ///< in SMT-LIB 2.6
  std::vector<u32> inputs;  ///< numbers of those that the condition depends on, in the order of the values asked for
};

/// `products_are_functions`: of products of inputs only that equal operands give equal results. Then "no" is an answer,
/// "yes" is none.
SmtQuery smt_query(const Terms& terms, TermId condition, bool products_are_functions);

/// Whether a term is made of products.
bool has_products(const Terms& terms, TermId term);

}  // namespace salu::proof
