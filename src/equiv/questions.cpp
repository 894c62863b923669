#include "equiv/questions.hpp"

#include <algorithm>

namespace salu::equiv {
namespace {

using proof::SolverAnswer;
using proof::TermId;

/// Limits of feasibility queries, which only save work: seconds for each query, and the share of time for all of them.
constexpr double seconds_on_the_way = 1;
constexpr double share_on_the_way = 0.5;

}  // namespace

bool Questions::is_feasible(TermId condition) {
  const TermId all = terms_.bit_and(allowed_, condition);
  if (terms_.is_constant(all)) return terms_.value(all) != 0;
  if (find_sample(all)) return true;
  const double seconds = std::min(seconds_left() - (1 - share_on_the_way) * options_.seconds, seconds_on_the_way);
  return seconds <= 0 || ask(all, seconds).kind != SolverAnswer::Kind::never;
}

SolverAnswer Questions::find(TermId condition) { return find(condition, std::max(seconds_left(), least_seconds)); }

SolverAnswer Questions::find(TermId condition, double seconds) {
  const TermId all = terms_.bit_and(allowed_, condition);
  if (terms_.is_constant(all, 0)) return {SolverAnswer::Kind::never, {}, "rewriting", {}};
  if (const auto sample = find_sample(all)) {
    SolverAnswer answer{SolverAnswer::Kind::sometimes, {}, "trying some", {}};
    for (std::size_t i = 0; i < sample->size(); ++i) answer.inputs.emplace_back(static_cast<u32>(i), (*sample)[i]);
    return answer;
  }
  return ask(all, seconds);
}

std::optional<std::vector<u64>> Questions::find_sample(TermId condition) {
  samples_.resize(sample_count);
  for (std::vector<u64>& sample : samples_) {
    while (sample.size() < inputs_.size()) sample.push_back(draw());
    if (proof::Evaluation(terms_, sample).value(condition) != 0) return sample;
  }
  return std::nullopt;
}

u64 Questions::draw() {
  constexpr u64 factor = 6364136223846793005;
  constexpr u64 step = 1442695040888963407;
  drawn_ = drawn_ * factor + step;
  const u64 word = drawn_ ^ drawn_ >> 29;
  switch (word >> 8 & 3) {
    case 0:
      return word >> 16 & 63;
    case 1:
      return ~u64{0} << (word >> 16 & 31);
    default:
      return word >> 13 | word << 51;
  }
}

SolverAnswer Questions::ask(TermId condition, double seconds) {
  if (!proof::has_products(terms_, condition)) return put(condition, false, seconds);
  const Clock::time_point start = Clock::now();
  SolverAnswer answer = put(condition, true, seconds / 2);
  if (answer.kind == SolverAnswer::Kind::never) return answer;
  return put(condition, false, seconds - std::chrono::duration<double>(Clock::now() - start).count());
}

SolverAnswer Questions::put(TermId condition, bool products_are_functions, double seconds) {
  const proof::SmtQuery query = proof::smt_query(terms_, condition, products_are_functions);
  ++report_.questions;
  if (options_.question) options_.question(report_.questions, query.text);
  if (!solvers_.any()) return {SolverAnswer::Kind::unknown, {}, {}, "no solver is installed (z3 or cvc5)"};
  const auto holds = [&](const SolverAnswer& answer) {
    std::vector<u64> values(inputs_.size());
    for (const auto& [number, value] : answer.inputs) values[number] = value & low_bits(inputs_[number].bits);
    return proof::Evaluation(terms_, values).value(condition) != 0;
  };
  const proof::Solvers::Check check = products_are_functions ? nullptr : proof::Solvers::Check(holds);
  SolverAnswer answer = solvers_.ask(query, seconds, check, options_.compare.is_cancelled);
  end_if_cancelled();
  return answer;
}

}  // namespace salu::equiv
