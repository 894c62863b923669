#include "proof/smtlib.hpp"

#include <gtest/gtest.h>

#include <string>

#include "expressions.hpp"
#include "proof/solvers.hpp"

// Solvers compute the same values from the text of a query as `Evaluation` from the terms.
namespace salu::proof {
namespace {

/// A condition that is never true: all inputs have their values, and one of the words has another value.
TermId one_is_something_else(Expressions& all) {
  Terms& terms = all.terms;
  TermId are_inputs = terms.yes();
  TermId are_values = terms.yes();
  for (u32 width = 1; width <= 64; ++width) {
    for (const Pair& each : all.made(width)) {
      const bool is_input = terms.node(each.term).op == Op::input;
      TermId& both = is_input ? are_inputs : are_values;
      both = terms.bit_and(both, terms.equal(each.term, terms.constant(width, each.value)));
    }
  }
  return terms.bit_and(are_inputs, terms.bit_not(are_values));
}

TEST(SmtLib, SaysWhatTermsComeTo) {
  const Solvers solvers;
  std::string questions;
  for (u64 seed = 0; seed < 20; ++seed) {
    Expressions all(seed);
    for (int i = 0; i < 60; ++i) all.step();
    const SmtQuery query = smt_query(all.terms, one_is_something_else(all), false);
    const SolverAnswer answer = solvers.ask(query, 60);
    EXPECT_EQ(answer.kind, SolverAnswer::Kind::never) << "seed " << seed << ": " << answer.by << answer.why;
    questions += query.text;
    // Without this, a solver that always answers `unsat` would pass.
    all.add(32, 1,
            all.terms.zero_extend(all.terms.below(all.terms.input(64, 3), all.terms.constant(64, all.inputs[3])), 32));
    const SmtQuery other = smt_query(all.terms, one_is_something_else(all), false);
    EXPECT_EQ(solvers.ask(other, 60).kind, SolverAnswer::Kind::sometimes) << "seed " << seed;
  }
  for (const char* const operation :
       {"bvand",  "bvor",        "bvxor", "bvnot", "bvadd", "bvneg", "bvmul", "bvshl", "bvlshr", "bvashr", "extract",
        "concat", "sign_extend", "(ite",  "(=",    "bvult", "bvslt", "(xor",  "(and",  "(or",    "(not"})
    EXPECT_NE(questions.find(operation), std::string::npos) << operation;
}

}  // namespace
}  // namespace salu::proof
