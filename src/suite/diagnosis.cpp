#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "loader/objects/listing.hpp"
#include "observe/why/bits_text.hpp"
#include "observe/why/why.hpp"
#include "suite/scenario_runner.hpp"
#include "suite/schedules.hpp"
#include "support/numbers.hpp"

/// Diagnosis of failed expectations: the instruction that wrote the wrong value, and its inputs.
namespace salu::suite {
namespace {

using observe::WhyGraph;
using observe::WhyLink;
using observe::WhySource;

/// Longer runs are not repeated for a diagnosis.
constexpr u64 most_traced_steps = 2'000'000;
/// Further failures are diagnosed by their writer only: their inputs are mostly the same.
constexpr std::size_t most_chains = 4;
/// The writer and the instructions before it.
constexpr std::size_t most_links = 3;

/// The differing bits of a mismatch.
std::vector<observe::Bits> wrong_bits(const Mismatch& mismatch) {
  std::vector<observe::Bits> bits;
  for (observe::Bits each : observe::whole_bits(*mismatch.location)) {
    constexpr std::size_t dwords = 2;
    if (bits.size() < dwords) each.mask &= static_cast<u32>(mismatch.differing >> (32 * bits.size()));
    bits.push_back(each);
  }
  std::erase_if(bits, [](const observe::Bits& each) { return each.mask == 0; });
  return bits;
}

/// A run with the names of its waves.
struct ExplainedRun {
  const Scenario& scenario;
  const DispatchedWaves* waves = nullptr;  ///< null for a single wave

  explicit ExplainedRun(const Scenario& explained)
      : scenario(explained), waves(explained.waves != nullptr ? explained.waves.get() : explained.group.get()) {}

  [[nodiscard]] const Program& program() const { return scenario.program; }
  /// ` in wave 1 of work-group [2, 0, 0]`; empty for a single wave.
  [[nodiscard]] std::string in_wave(u64 number) const {
    return waves == nullptr ? std::string() : " in " + waves->wave(number).name;
  }
};

std::string link_text(const WhyLink& link, const ExplainedRun& run) {
  return fmt::format("`{}` at {}{}", link.text, run.program().describe_place(link.pc), run.in_wave(link.wave));
}

std::string overwritten_text(const WhyLink& link, const Program& program) {
  if (!link.overwritten) return {};
  return fmt::format("; it overwrote entry {} of the control stack, pushed by `{}` at {}", link.overwritten->entry,
                     link.overwritten->text, program.describe_place(link.overwritten->pc));
}

/// `s4[7] = 0, written by ...`: each input of a link that another link wrote.
void add_inputs(const WhyGraph& graph, const WhyLink& link, const ExplainedRun& explained,
                std::vector<std::string>& lines) {
  const Program& program = explained.program();
  for (const observe::BitRun& run : observe::runs_of(link.sources)) {
    const WhySource& source = link.sources[run.number];
    if (source.origin != WhySource::Origin::link) continue;
    const WhyLink& from = graph.links[source.link];
    lines.push_back(fmt::format("from {} = {}, written in step {} by {}{}", run.name(program.generation()),
                                run.value_text(), from.step(), link_text(from, explained),
                                overwritten_text(from, program)));
  }
}

/// Adds the text of a graph to a failure.
void describe(const WhyGraph& graph, const ExplainedRun& run, Failure& failure) {
  if (graph.links.empty()) {
    failure.writer = "no instruction wrote it";
    return;
  }
  const WhyLink& writer = graph.links.front();
  failure.writer = "written last by " + link_text(writer, run) + overwritten_text(writer, run.program());
  for (const WhyLink& link : graph.links) add_inputs(graph, link, run, failure.chain);
}

/// Explains failures about the final state of a run, which is repeated.
void explain_state(const Scenario& scenario, const RunOptions& options, u64 steps, std::span<Failure> failures) {
  const observe::RepeatedPast past(scenario, options, steps);
  const u64 wave = scenario.reported_wave();
  const ExplainedRun explained(scenario);
  std::size_t chains = 0;
  for (Failure& failure : failures) {
    if (!failure.mismatch.location) continue;
    const bool has_chain = chains++ < most_chains;
    const observe::WhyOptions limits{.most_links = has_chain ? most_links : 1, .find_inputs = has_chain};
    describe(observe::find_why(past, wrong_bits(failure.mismatch), wave, steps, limits), explained, failure);
  }
}

/// The numbers of the waves in which warnings appeared first.
std::map<WarningIdentity, u64> find_waves_of_warnings(const Scenario& scenario, RunOptions options) {
  std::map<WarningIdentity, u64> waves;
  // The trace of a wave with its work-group does not have the others.
  Scenario all = scenario;
  if (all.waves == nullptr) all.waves = std::move(all.group);
  all.group = nullptr;
  options.trace = [&waves](const TraceEvent& event) {
    for (const Warning& warning : event.warnings) waves.try_emplace(identity_of(warning), event.wave);
  };
  (void)run(all, options);
  return waves;
}

/// Describes the instructions of findings, which are failures in the order of the warnings.
void describe_findings(const Scenario& scenario, const RunOptions& options, const Outcome& outcome,
                       std::span<Failure> failures) {
  const auto is_finding = [](const Failure& failure) { return failure.mismatch.kind == Mismatch::Kind::finding; };
  if (std::ranges::none_of(failures, is_finding)) return;
  const ExplainedRun explained(scenario);
  std::map<WarningIdentity, u64> waves;
  if (explained.waves != nullptr) waves = find_waves_of_warnings(scenario, options);
  auto finding = outcome.warnings.begin();
  for (Failure& failure : failures) {
    if (!is_finding(failure)) continue;
    finding = std::find_if(finding, outcome.warnings.end(), std::mem_fn(&Warning::is_finding));
    failure.writer = fmt::format("`{}` at {}", finding->instruction, scenario.program.describe_place(finding->pc));
    const auto wave = waves.find(identity_of(*finding));
    if (wave != waves.end()) failure.writer += explained.in_wave(wave->second);
    ++finding;
  }
}

/// The failed expectations of a run that has ended.
std::vector<Failure> explain_run(const Scenario& scenario, const RunOptions& options, const Outcome& outcome) {
  std::vector<Failure> failures;
  for (Mismatch& mismatch : check(scenario.expect.value_or(Expectation{}), outcome))
    failures.push_back({{}, {}, std::move(mismatch), {}, {}});
  describe_findings(scenario, options, outcome, failures);
  for (Failure& failure : failures) {
    // A wrong stop reason or number of steps is explained by the end of the run.
    if (failure.mismatch.location || failure.mismatch.kind != Mismatch::Kind::stop) continue;
    const std::string place = scenario.program.describe_place(outcome.stop.pc);
    failure.writer =
        outcome.stop.instruction.empty() ? place : fmt::format("`{}` at {}", outcome.stop.instruction, place);
  }
  const bool has_places =
      std::ranges::any_of(failures, [](const Failure& each) { return each.mismatch.location.has_value(); });
  if (has_places && outcome.steps <= most_traced_steps) explain_state(scenario, options, outcome.steps, failures);
  return failures;
}

Outcome run_named(const Scenario& scenario, const RunOptions& options) {
  Outcome outcome = run(scenario, options);
  loader::name_unsupported_instruction(scenario.program, outcome.stop);
  return outcome;
}

/// The expectations that fail only with other approximations.
std::vector<Failure> explain_approximations(const Scenario& scenario, const RunOptions& options) {
  std::vector<Failure> failures = explain_run(scenario, options, run_named(scenario, options));
  for (Failure& failure : failures) {
    failure.writer = fmt::format("with `approximations: {}`{}{}", approximations_text(options.approximations),
                                 failure.writer.empty() ? "" : ", ", failure.writer);
  }
  return failures;
}

}  // namespace

std::vector<Failure> explain(const Scenario& scenario, const SuiteOptions& options) {
  const RunOptions run_options = suite::run_options(scenario, options);
  const Outcome outcome = run_named(scenario, run_options);
  std::vector<Failure> failures = explain_run(scenario, run_options, outcome);
  for (const RunOptions& other : other_approximations(run_options, options)) {
    if (failures.empty()) failures = explain_approximations(scenario, other);
  }
  u64 steps = 0;
  if (!failures.empty()) return failures;
  if (auto dependence = find_dependence(scenario, run_options, outcome, options.schedules, steps))
    failures.push_back(*std::move(dependence));
  return failures;
}

}  // namespace salu::suite
