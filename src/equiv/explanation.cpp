#include "equiv/explanation.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "equiv/own_memory.hpp"
#include "equiv/parting.hpp"
#include "equiv/reproducer.hpp"
#include "equiv/shrink.hpp"
#include "support/numbers.hpp"

namespace salu::equiv {
namespace {

std::vector<InputValue> named(std::span<const Input> inputs, std::span<const u64> values) {
  std::vector<InputValue> named;
  for (std::size_t i = 0; i < values.size(); ++i) named.push_back({inputs[i].place.name, values[i], inputs[i].bits});
  return named;
}

/// A possible cause of a difference in an output that the user did not name.
std::string hint(const Difference& difference, const RunPair& pair) {
  const auto is_plain = [](const DifferingOutput& output) {
    return output.name != "s0" && !output.name.starts_with("v0[") && output.name != "stop" &&
           !output.name.starts_with("memory");
  };
  if (!std::ranges::all_of(difference.outputs, is_plain)) return {};
  const bool is_function = std::ranges::any_of(
      pair.sides(), [](const Side& side) { return entry_kind(side.scenario().program) == EntryKind::function; });
  return is_function
             ? "the result registers are unknown; if this register is a temporary, name the results, as in --outputs "
               "s0"
             : "all registers that the programs write were compared; use --outputs to name the results";
}

std::vector<std::string> comment(const Difference& difference) {
  std::vector<std::string> lines = {"Written by salu equiv: A and B differ. Both expect A's results, so B fails:",
                                    "  salu run --check THIS_FILE"};
  std::string inputs;
  for (const InputValue& input : difference.shrunk) {
    if (input.value == 0) continue;
    inputs += fmt::format("{}{} = {}", inputs.empty() ? "" : ", ", input.name, support::hex(input.value));
  }
  if (!difference.shrunk.empty() && inputs.empty()) inputs = "all 0";
  if (!inputs.empty()) lines.push_back("inputs: " + inputs);
  for (const DifferingOutput& output : difference.outputs) {
    const std::string name = output.name + (output.object.empty() ? "" : " (" + output.object + ")");
    lines.push_back(output.a.empty() ? name : fmt::format("{}: expected {} (A), got {} (B)", name, output.a, output.b));
  }
  // Texts from programs may contain line breaks.
  for (std::string& line : lines) std::ranges::replace(line, '\n', ' ');
  return lines;
}

void write_reproducer(const RunPair& pair, const OutputSet& set, Difference& difference) {
  // Without the code that is never executed, unless the program reads it as data.
  for (const bool whole : {false, true}) {
    ReproducerOptions options;
    if (!whole) options.addresses = {pair.maps()[0].addresses(), pair.maps()[1].addresses()};
    options.patience = pair.patience();
    options.comment = comment(difference);
    difference.reproducer = make_reproducer(pair.a(), pair.b(), set, options);
    difference.reproducer_problem = try_reproducer(difference.reproducer);
    if (difference.reproducer_problem.empty()) return;
  }
}

}  // namespace

Difference explain(RunPair& pair, const OutputSet& set, const Finding& finding, const Deadline& shrinking) {
  Difference difference;
  difference.state = finding.state;
  difference.row = finding.row;
  difference.found = named(pair.inputs(), finding.values);
  const auto keeps = [&](std::span<const u64> candidate) {
    if (!pair.run(candidate, shrinking)) return false;
    const std::optional<Judgement> judgement = judge_runs(pair, set, shrinking);
    return judgement && judgement->kind == finding.kind;
  };
  const std::vector<u64> shrunk = shrink(pair.inputs(), finding.values, keeps, shrinking, difference.shrink_runs);
  difference.shrinking_ended_early = shrinking.is_over();
  difference.shrunk = named(pair.inputs(), shrunk);
  // This run has been made before, so it needs no deadline.
  pair.run(shrunk, {});
  difference.outputs = list_differences(pair.a(), pair.b(), set);
  if (!set.is_named) difference.hint = hint(difference, pair);
  if (difference.hint.empty() && may_depend_on_own_memory(pair)) {
    difference.hint =
        "the waves access the code or the data of A or B; if an address there depends on the inputs, this difference "
        "does not count, which is not determined for several waves";
  }
  difference.parting = find_parting(pair.a(), pair.b(), pair.maps()[0], pair.maps()[1], set);
  write_reproducer(pair, set, difference);
  return difference;
}

}  // namespace salu::equiv
