#include "observe/past.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "observe/group_memory.hpp"

namespace salu::observe {
namespace {

/// Instructions between two kept states at first, and the limit of their number: then every second one is dropped.
constexpr u64 first_interval = 16'384;
constexpr std::size_t most_kept = 256;

RunOptions without_checks(const RunOptions& options) {
  RunOptions plain;
  plain.dispatch = options.dispatch;
  plain.on_vector = options.on_vector;
  plain.clock = options.clock;
  plain.approximations = options.approximations;
  plain.max_memory_bytes = options.max_memory_bytes;
  plain.schedule = options.schedule;
  return plain;
}

}  // namespace

ScenarioLaunch::ScenarioLaunch(const Scenario& scenario)
    : single_{1, [&scenario](u64) { return DispatchedWave{scenario.initial, {}, true}; }},
      launch_{scenario.program,
              scenario.runs_several_waves() ? *scenario.several_waves() : single_,
              scenario.wave_count(),
              {}} {
  launch_.waits_at_barriers = scenario.runs_several_waves();
  if (launch_.waits_at_barriers) launch_.own_memory = group_memory(scenario);
}

PlainRun::PlainRun(const WorkGroups::Launch& launch, const RunOptions& options, const Memory& memory)
    : options_(without_checks(options)),
      groups_(launch, options_, memory, [this](WorkGroups::Wave& wave, const auto&, races::WaveRaces*) {
        wave.machine.set_pause_at_scalar_results(false);
        wave.machine.set_pause_filter(filter_);
        return Observers();
      }) {
  groups_.begin_turn();
}

void PlainRun::set_filter(core::Machine::PauseFilter filter) {
  filter_ = std::move(filter);
  for (WorkGroups::Wave* const wave : groups_.waves()) wave->machine.set_pause_filter(filter_);
}

void PlainRun::advance(u64 position) {
  const u64 most = std::min(position - this->position(), groups_.turn_left());
  groups_.note_executed(wave().machine.run(most));
  settle();
}

void PlainRun::step() {
  groups_.note_executed(wave().machine.run_exactly(1));
  settle();
}

void PlainRun::restore(const WorkGroups::Kept& kept) {
  groups_.restore(kept);
  settle();
}

namespace {

class GroupReplay : public Replay {
 public:
  GroupReplay(const WorkGroups::Launch& launch, const RunOptions& options, u64 first, u64 count, const Memory& start,
              u64 wave, u64 steps)
      : waves_{count, [&launch, first](u64 number) { return launch.waves.wave(first + number); }},
        launch_{launch.program, waves_, count, launch.own_memory},
        run_(launch_, options, start),
        wave_(wave - first),
        steps_(steps) {}

  [[nodiscard]] const core::Machine& machine() const override { return run_.groups().find_wave(wave_)->machine; }
  void set_filter(Filter filter) override {
    filter_ = filter;
    run_.set_filter(std::move(filter));
  }
  bool go_on() override {
    while (!run_.ended() && machine().steps() < steps_) {
      const bool is_picked = filter_ && filter_(run_.wave().machine.pc());
      if (is_picked && run_.wave().number == wave_) return true;
      const u64 before = run_.position();
      if (!is_picked) run_.advance(std::numeric_limits<u64>::max());
      if (run_.position() == before) run_.step();
    }
    return false;
  }
  void step() override { run_.step(); }

 private:
  DispatchedWaves waves_;  ///< those of the group, from 0 on
  WorkGroups::Launch launch_;
  PlainRun run_;
  Filter filter_;
  u64 wave_ = 0;
  u64 steps_ = 0;
};

}  // namespace

std::unique_ptr<Replay> repeat_group(const WorkGroups::Launch& launch, const RunOptions& options, u64 first, u64 count,
                                     const Memory& start, u64 wave, u64 steps) {
  return std::make_unique<GroupReplay>(launch, options, first, count, start, wave, steps);
}

RepeatedPast::RepeatedPast(const Scenario& scenario, const RunOptions& options, u64 steps)
    : launch_(scenario), options_(options) {
  PlainRun run(launch_.launch(), options, scenario.memory);
  kept_.push_back(run.keep());
  u64 interval = first_interval;
  while (!run.ended() && run.position() < steps) {
    const u64 end = std::min(kept_.back()->steps + interval, steps);
    run.advance(end);
    if (run.ended() || run.position() < end) continue;
    kept_.push_back(run.keep());
    if (kept_.size() < most_kept) continue;
    for (std::size_t i = 0; i < kept_.size(); i += 2) kept_[i / 2] = std::move(kept_[i]);
    kept_.resize(most_kept / 2);
    interval *= 2;
  }
}

const WorkGroups::Kept& RepeatedPast::kept_before(u64 position) const {
  const auto behind = std::ranges::upper_bound(kept_, position, {}, [](const auto& kept) { return kept->steps; });
  return **std::prev(behind);
}

PastMachine::PastMachine(const Past& past)
    : past_(past), run_(past.launch(), past.options(), past.kept_before(0).memory) {}

const core::Machine* PastMachine::machine_of(u64 wave) {
  WorkGroups::Wave* const found = run_.groups().find_wave(wave);
  if (found == nullptr) return nullptr;
  run_.groups().show_memory_to(*found);
  return &found->machine;
}

void PastMachine::go_to(const WorkGroups::Kept& kept) {
  run_.restore(kept);
  is_lost_ = false;
  next_edit_ = past_.next_edit(position());
}

void PastMachine::go_to(u64 position) {
  const WorkGroups::Kept& kept = past_.kept_before(position);
  if (is_lost_ || ended() || this->position() > position || this->position() < kept.steps) go_to(kept);
  while (!ended() && this->position() < position) advance(position);
}

void PastMachine::advance(u64 position) {
  run_.advance(std::min(position, next_edit_));
  arrive();
}

void PastMachine::step() {
  run_.step();
  arrive();
}

void PastMachine::arrive() {
  if (ended() || position() != next_edit_) return;
  past_.edit_again(position(), run_.groups());
  run_.settle();
  next_edit_ = past_.next_edit(position());
}

}  // namespace salu::observe
