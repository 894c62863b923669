#include "compiler/many_at_once.hpp"

#include "batch/table_runs.hpp"

namespace salu::compiler_test {
namespace {

std::vector<batch::Part> parts(const std::vector<u32>& dwords) {
  std::vector<batch::Part> result;
  u32 sgpr = 0;
  for (const u32 count : dwords) {
    result.push_back({false, RegisterName::in_file(sgpr, count)});
    sgpr += count;
  }
  return result;
}

}  // namespace

std::vector<std::optional<std::vector<u64>>> run_many(const Scenario& scenario, const Function& function,
                                                      const std::vector<std::vector<u32>>& sgprs, bool ends_program) {
  constexpr u64 max_steps = 100'000;
  std::vector<std::optional<std::vector<u64>>> found(sgprs.size());
  std::vector<u32> result_dwords;
  for (const unsigned bits : function.result_bits) {
    result_dwords.push_back(bits == 64 ? 2 : 1);
  }
  const std::vector<batch::Part> inputs = parts(std::vector<u32>(sgprs.front().size(), 1));
  const std::optional<batch::PreparedTable> prepared = batch::PreparedTable::make(
      scenario.program, scenario.initial, scenario.memory, scenario.options.on_vector, inputs, parts(result_dwords));
  if (!prepared) {
    return found;
  }
  batch::TableRuns runs(*prepared);
  runs.begin(sgprs.size());
  for (std::size_t state = 0; state < sgprs.size(); ++state) {
    for (std::size_t sgpr = 0; sgpr < inputs.size(); ++sgpr) {
      runs.set(sgpr, state, sgprs[state][sgpr]);
    }
  }
  runs.run(max_steps);
  const batch::Ending regular_end = ends_program ? batch::Ending::end_program : batch::Ending::returned;
  for (std::size_t state = 0; state < sgprs.size(); ++state) {
    if (runs.ending(state) != regular_end) {
      continue;
    }
    std::vector<u64>& results = found[state].emplace();
    for (std::size_t i = 0; i < function.result_bits.size(); ++i) {
      const unsigned bits = function.result_bits[i];
      results.push_back(runs.read(i, state) & (bits == 64 ? ~u64{0} : (u64{1} << bits) - 1));
    }
  }
  return found;
}

}  // namespace salu::compiler_test
