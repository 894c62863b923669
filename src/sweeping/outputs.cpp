#include "sweeping/outputs.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "isa/operand.hpp"
#include "observe/register_flow.hpp"
#include "support/numbers.hpp"

namespace salu::sweeping {
namespace {

/// Adds names of memory with expectations, as outputs of 4 bytes.
void name_memory(const std::vector<MemoryExpectation>& expectations, std::vector<std::string>& names) {
  for (const MemoryExpectation& expected : expectations) {
    for (u64 offset = 0; offset < expected.bytes.size(); offset += 4) {
      const u64 size = std::min<u64>(4, expected.bytes.size() - offset);
      names.push_back("memory." + support::hex(expected.address + offset) +
                      (size == 4 ? "" : ":" + std::to_string(size)));
    }
  }
}

/// Returns the names of all places with expectations, each once.
std::vector<std::string> expected_names(const Scenario& scenario, const CaseTable* table) {
  constexpr std::string_view prefix = "expect.";
  std::vector<std::string> names;
  if (scenario.expect) {
    for (const RegisterExpectation& expected : scenario.expect->registers) names.push_back(expected.text);
    name_memory(scenario.expect->memory, names);
  }
  for (const CaseColumn& column : table == nullptr ? std::vector<CaseColumn>() : table->columns) {
    if (!column.is_input() && column.kind != CaseColumn::Kind::expected_stop)
      names.push_back(column.path.substr(prefix.size()));
  }
  std::vector<std::string> once;
  for (std::string& name : names) {
    if (std::ranges::find(once, name) == once.end()) once.push_back(std::move(name));
  }
  return once;
}

/// Returns the scalar registers that the program may write in any run.
std::vector<std::string> written_names(const Scenario& scenario) {
  const observe::RegisterFlow flow =
      observe::find_register_flow(scenario.program, scenario.initial, scenario.options.on_vector);
  const Generation generation = scenario.program.generation();
  std::vector<std::string> names;
  for (u32 code = 0; code < code::count; ++code) {
    std::string name = isa::register_name(generation, code, 1);
    if (flow.writes.scalars.test(register_index(generation, code)) && !name.empty()) names.push_back(std::move(name));
  }
  if (flow.writes.scalars.test(state_index::scc)) names.emplace_back("scc");
  return names;
}

}  // namespace

Result<Outputs> Outputs::choose(const Scenario& scenario, const SweepOptions& options, const States& states) {
  Outputs outputs;
  loader::CasePlaces places(scenario);
  std::vector<std::string> names = options.outputs;
  for (const SweepResult& result : options.results) {
    if (std::ranges::find(names, result.name) == names.end()) names.push_back(result.name);
  }
  if (names.empty()) names = expected_names(scenario, states.table());
  outputs.is_named = !names.empty();
  if (names.empty()) names = written_names(scenario);
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    // The end of a run is in every row.
    if (name == "stop") continue;
    if (name == "steps") {
      outputs.steps = true;
      continue;
    }
    Result<std::vector<CasePlace>> found = places.find_outputs(name, "--outputs " + name);
    if (found) {
      // Duplicates, such as a lane and its register, become one column.
      for (CasePlace& place : *found) {
        if (seen.insert(place.name()).second) outputs.places.push_back(std::move(place));
      }
    } else if (outputs.is_named) {
      return std::move(found).error();
    }
  }
  return outputs;
}

}  // namespace salu::sweeping
