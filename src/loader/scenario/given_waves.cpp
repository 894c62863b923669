#include "loader/scenario/given_waves.hpp"

#include <fmt/core.h>

#include <memory>
#include <utility>
#include <vector>

#include "loader/scenario/registers.hpp"

namespace salu::loader {
namespace {

/// Reads a wave of a work-group with `count` waves.
DispatchedWave read_wave(const Document& document, const Node& node, const SymbolIndex& symbols,
                         const Scenario& scenario, std::size_t count) {
  const Generation generation = scenario.program.generation();
  DispatchedWave wave;
  wave.initial = scenario.initial;
  // Without it, S_BARRIER does not wait.
  if (count > 1) wave.initial.status |= status_layout(generation).in_tg.mask();
  RegisterWriter writer(wave.initial, generation);
  read_registers(document, node, generation, allocated_registers(scenario.initial), symbols, writer);
  return wave;
}

}  // namespace

void read_work_groups(const Document& document, const Node& node, const SymbolIndex& symbols, Scenario& scenario) {
  constexpr std::string_view form =
      "`work_groups:` must be a list of work-groups, each a list of waves (`[[{v0: 1}]]`)";
  if (!node.is_sequence()) document.fail(node, fmt::format("{}, found {}", form, describe(node)));
  auto waves = std::make_shared<std::vector<DispatchedWave>>();
  for (std::size_t group = 0; group < node.children.size(); ++group) {
    const Node& list = *node.children[group];
    if (!list.is_sequence()) document.fail(list, fmt::format("{}, found {}", form, describe(list)));
    if (list.children.empty()) document.fail(list, "a work-group needs at least one wave");
    for (std::size_t number = 0; number < list.children.size(); ++number) {
      DispatchedWave wave = read_wave(document, *list.children[number], symbols, scenario, list.children.size());
      wave.name = fmt::format("wave {} of work-group {}", number, group);
      wave.begins_group = number == 0;
      waves->push_back(std::move(wave));
    }
  }
  if (waves->empty()) document.fail(node, "`work_groups:` needs at least one work-group");
  scenario.initial = waves->back().initial;
  const auto wave = [waves](u64 number) { return (*waves)[static_cast<std::size_t>(number)]; };
  scenario.waves = std::make_shared<const DispatchedWaves>(DispatchedWaves{waves->size(), wave});
}

}  // namespace salu::loader
