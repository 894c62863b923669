#include "compiler/over_symbols.hpp"

#include "proof/execution.hpp"

#include <algorithm>

namespace salu::compiler_test {

SymbolicResults run_over_symbols(const Scenario& scenario, const Function& function,
                                 const std::vector<std::vector<u32>>& sgprs, bool ends_program) {
  proof::Terms terms;
  proof::SymbolicStart start;
  start.program = &scenario.program;
  start.initial = &scenario.initial;
  start.memory = &scenario.memory;
  std::vector<std::vector<u64>> inputs(sgprs.size());
  for (std::size_t state = 0; state < sgprs.size(); ++state) {
    inputs[state].assign(sgprs[state].begin(), sgprs[state].end());
  }
  for (u32 sgpr = 0; sgpr < sgprs.front().size(); ++sgpr) {
    start.registers[sgpr] = terms.input(32, sgpr);
  }
  const auto is_taken = [&](proof::TermId condition) {
    return std::ranges::any_of(
        inputs, [&](const std::vector<u64>& values) { return proof::Evaluation(terms, values).value(condition) != 0; });
  };
  proof::ExecutionLimits limits;
  limits.rounds = 40;
  limits.most_term_bytes = u64{64} << 20;
  proof::Paths paths = proof::execute(terms, start, limits, is_taken);

  SymbolicResults found;
  found.results.resize(sgprs.size());
  const StopReason regular_end = ends_program ? StopReason::end_program : StopReason::returned;
  for (proof::Ending& ending : paths.endings) {
    found.has_floats = found.has_floats || ending.why.find("floats") != std::string::npos;
    const bool is_too_long = ending.kind == proof::Ending::Kind::cut || ending.why.find("more ") == 0;
    found.was_cut = found.was_cut || is_too_long;
    if (ending.kind != proof::Ending::Kind::end || ending.reason != regular_end) {
      continue;
    }
    for (std::size_t state = 0; state < sgprs.size(); ++state) {
      proof::Evaluation evaluation(terms, inputs[state]);
      if (evaluation.value(ending.condition) == 0) {
        continue;
      }
      std::vector<u64>& results = found.results[state].emplace();
      u32 sgpr = 0;
      for (const unsigned bits : function.result_bits) {
        const u64 word = evaluation.value(bits == 64 ? ending.state.pair(sgpr) : ending.state.read(sgpr));
        results.push_back(word & support::ones(bits));
        sgpr += bits == 64 ? 2 : 1;
      }
    }
  }
  return found;
}

}  // namespace salu::compiler_test
