#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "debug/run_history.hpp"
#include "fuzz/fuzzing.hpp"
#include "fuzz/run_case.hpp"
#include "isa/decode.hpp"

/// Input: the number of waves and work-groups, a schedule, then a program with its state (run_case.hpp), into which
/// barriers are inserted. A run is deterministic, a debugger comes to the same end, and its moves backwards come to the
/// same states as its moves forwards.
namespace salu::fuzzing {
namespace {

constexpr u64 most_steps = 3000;

/// Replaces every `interval`-th instruction of one dword by a barrier.
void insert_barriers(Program& program, u32 interval) {
  constexpr u32 s_barrier = 0xbf8a0000;
  if (interval == 0) return;
  u32 count = 0;
  for (CodeBlock& block : program.code) {
    for (std::size_t i = 0; i < block.words.size();) {
      const isa::Instruction instruction = isa::decode(program.generation(), std::span(block.words).subspan(i));
      if (instruction.dwords == 1 && ++count % interval == 0) block.words[i] = s_barrier;
      i += std::max<std::size_t>(instruction.dwords, 1);
    }
  }
}

struct Shape {
  u64 waves = 0;
  u64 in_group = 0;  ///< waves of a work-group
};

Scenario make_scenario(Bytes& input) {
  const u8 how = input.take8();
  const Shape shape{1 + u64{how} % 6, 1 + u64{how} / 6 % 4};
  Schedule schedule;
  const u8 order = input.take8();
  if (order % 2 != 0) schedule.seed = order;
  schedule.slice = 1 + order / 2 % 64 * (order % 2 != 0 ? 1 : 20);
  schedule.concurrent_groups = (how & 0x80) != 0;
  const u32 interval = input.take8() % 12;
  Case made = make_case(input);
  insert_barriers(made.program, interval);
  Scenario scenario;
  scenario.program = std::move(made.program);
  scenario.memory = made.memory;
  (void)place_code(scenario.program, scenario.memory);
  scenario.options = made.options;
  scenario.options.schedule = schedule;
  scenario.options.max_steps = std::min(made.options.max_steps, most_steps);
  scenario.options.strict = false;
  scenario.initial = made.initial;
  const auto wave = [initial = made.initial, shape](u64 number) {
    DispatchedWave result{initial, "wave " + std::to_string(number), number % shape.in_group == 0};
    result.initial.file[0] = static_cast<u32>(number);
    if (shape.in_group > 1) result.initial.status |= 1U << gcn::status_bit::in_tg;
    return result;
  };
  scenario.waves = std::make_shared<const DispatchedWaves>(DispatchedWaves{shape.waves, wave});
  return scenario;
}

std::string text_of(const Outcome& outcome) {
  return std::string(outcome.stop.reason_name()) + " at " + std::to_string(outcome.stop.pc) + " (" +
         outcome.stop.instruction + "): " + outcome.stop.detail + ", steps " + std::to_string(outcome.steps);
}

/// The state of all waves and of memory at a position.
struct Snapshot {
  std::vector<WaveState> waves;
  Memory memory;

  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

Snapshot take(debug::RunHistory& history) {
  Snapshot snapshot;
  for (const debug::RunHistory::Wave* const wave : history.waves()) snapshot.waves.push_back(wave->machine.state());
  snapshot.memory = history.memory();
  return snapshot;
}

void check_history(const Scenario& scenario, const Outcome& expected, Bytes& moves) {
  debug::HistoryOptions options;
  options.checkpoint_interval = 1 + moves.take8() % 50;
  debug::RunHistory history(scenario, options);
  history.go_to(scenario.options.max_steps);
  const auto detail = [&] { return text_of(expected) + "\nposition " + std::to_string(history.position()); };
  require(history.position() == expected.steps, "a debugger executes as many steps", detail);
  if (history.ended() && expected.stop.reason != StopReason::step_limit) {
    require(history.stop().reason == expected.stop.reason && history.stop().pc == expected.stop.pc,
            "a debugger comes to the same end", detail);
  }
  require(history.memory() == expected.memory, "a debugger leaves the same memory", detail);
  if (expected.steps == 0) return;
  std::vector<u64> positions;
  std::vector<Snapshot> seen;
  for (u32 i = 0; i < 6; ++i) positions.push_back(moves.take16() % expected.steps);
  std::ranges::sort(positions);
  history.go_to(0);
  for (const u64 position : positions) {
    history.go_to(position);
    seen.push_back(take(history));
  }
  for (u32 i = 0; i < 12; ++i) {
    const std::size_t chosen = i < positions.size() ? positions.size() - 1 - i : moves.take8() % positions.size();
    history.go_to(positions[chosen]);
    require(take(history) == seen[chosen], "going back leads to the same state", detail);
  }
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  fuzzing::Bytes input(data, size);
  const Scenario scenario = fuzzing::make_scenario(input);
  const Outcome first = run(scenario, scenario.options);
  const Outcome again = run(scenario, scenario.options);
  fuzzing::require(first.stop.reason == again.stop.reason && first.steps == again.steps && first.state == again.state &&
                       first.memory == again.memory,
                   "a schedule determines the run", [&] { return fuzzing::text_of(first); });
  RunOptions checked = scenario.options;
  checked.check_races = true;
  checked.check_hazards = true;
  const Outcome with_checks = run(scenario, checked);
  fuzzing::require(with_checks.stop.reason == first.stop.reason && with_checks.steps == first.steps &&
                       with_checks.state == first.state && with_checks.memory == first.memory,
                   "checks do not change the run", [&] {
                     return fuzzing::text_of(first) + "\n" + fuzzing::text_of(with_checks) +
                            (with_checks.state == first.state ? " memory" : " state");
                   });
  fuzzing::Bytes moves(data, size);
  fuzzing::check_history(scenario, first, moves);
  return 0;
}
