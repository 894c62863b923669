#include "observe/work_groups.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

#include "isa/decode.hpp"
#include "observe/fidelity.hpp"
#include "observe/group_memory.hpp"
#include "observe/observed_run.hpp"
#include "observe/races/race_detector.hpp"
#include "observe/run_end.hpp"
#include "observe/stack_misuse.hpp"
#include "support/numbers.hpp"

namespace salu::observe {

namespace {

/// True if a wave has executed an instruction that reads a clock, which is not part of its state.
bool reads_clock(const core::Machine& machine) {
  bool reads = false;
  machine.visit_executed([&](u64 address) {
    const std::optional<isa::Instruction> instruction = machine.code().instruction_at(address);
    reads = reads || (instruction && has_approximate_results(*instruction));
  });
  return reads;
}

}  // namespace

struct WorkGroups::Wave {
  enum class Status : u8 { ready, waits, ended };

  Wave(const Program& program, const RunOptions& options) : machine(program, options.dispatch) {
    prepare(machine, options);
    machine.set_waits_at_barriers(true);
  }

  core::Machine machine;
  std::optional<ObservedRun> observed;
  Group* group = nullptr;
  u64 number = 0;
  std::string name;
  Status status = Status::ready;
  WaveState initial;
  u64 steps_of_others = 0;  ///< before the current turn: the numbers in a trace count all waves
  // Of the time when the machine last had the memory:
  u64 code_changes = 0;
  u64 code_version = 0;
};

struct WorkGroups::Group {
  std::vector<Wave*> waves;
  Wave* holder = nullptr;                    ///< the wave whose observers follow the memory; null before the first turn
  Memory start;                              ///< memory before the group
  Memory own;                                ///< contents of the own memory while a wave of another group runs
  std::unique_ptr<races::GroupRaces> races;  ///< null without checks for races
};

/// The state of all waves that can run.
struct WorkGroups::Checkpoint {
  u64 rounds = 0;
  u64 next_rounds = 1;  ///< when the state is saved again
  std::vector<std::pair<Wave*, WaveState>> waves;
  Memory memory;
  std::vector<Memory> own;  ///< `Group::own` of all groups
};

WorkGroups::WorkGroups(const Program& program, const RunOptions& options, std::vector<MemoryRegion> own_memory)
    : program_(program), options_(options), own_memory_(std::move(own_memory)), scheduler_(options.schedule) {
  if (options.check_races) races_ = std::make_unique<races::RaceDetector>(program, options);
}

WorkGroups::~WorkGroups() = default;

void WorkGroups::set_memory(const Memory& memory) {
  start_memory_ = memory;
  if (races_ == nullptr) return;
  std::vector<MemoryRegion> without_races;
  const auto is_private = [](const MemoryRegion& region) { return region.base < shared_memory_base; };
  std::ranges::copy_if(own_memory_, std::back_inserter(without_races), is_private);
  std::ranges::copy(
      memory.regions() | std::views::filter([](const MemoryRegion& region) { return region.access == Access::read; }),
      std::back_inserter(without_races));
  races_->ignore(std::move(without_races));
}

Memory WorkGroups::memory() { return holder_ == nullptr ? start_memory_ : holder_->machine.memory(); }

void WorkGroups::add_group(std::span<const DispatchedWave> waves, u64 first) {
  auto group = std::make_unique<Group>();
  group->start = memory();
  copy_ranges(own_memory_, start_memory_, group->start);
  group->own = group->start;
  if (races_ != nullptr) group->races = races_->add_group();
  for (const DispatchedWave& dispatched : waves) {
    if (unused_waves_.empty()) {
      all_waves_.push_back(std::make_unique<Wave>(program_, options_));
      unused_waves_.push_back(all_waves_.back().get());
    }
    Wave& wave = *unused_waves_.back();
    unused_waves_.pop_back();
    wave.group = group.get();
    wave.number = first + group->waves.size();
    start(wave, dispatched);
    group->waves.push_back(&wave);
    waves_.push_back(&wave);
  }
  // The only group starts with its memory; others exchange it when one of their waves has its first turn.
  if (groups_.empty()) {
    Wave& wave = *group->waves.front();
    wave.machine.set_memory(group->start);
    wave.code_changes = ++code_changes_;
    wave.code_version = wave.machine.code().version();
    holder_ = &wave;
    group->holder = &wave;
  }
  groups_.push_back(std::move(group));
  scheduler_.begin_round();
  checkpoint_.reset();
}

void WorkGroups::start(Wave& wave, const DispatchedWave& dispatched) {
  wave.name = dispatched.name;
  wave.initial = dispatched.initial;
  wave.status = Wave::Status::ready;
  wave.steps_of_others = steps_;
  wave.machine.set_state(wave.initial);
  wave.observed.reset();
  if (!asks_for_observers(options_) && options_.on_vector != OnVector::skip) return;
  RunOptions options = options_;
  if (options.trace) {
    options.trace = [&wave, &trace = options_.trace](const TraceEvent& event) {
      TraceEvent counted = event;
      counted.step += wave.steps_of_others;
      counted.wave = wave.number;
      trace(counted);
    };
  }
  races::GroupRaces* const group = wave.group->races.get();
  races::WaveRaces* const races = group == nullptr ? nullptr : &group->add_wave(wave.number, wave.name, wave.machine);
  wave.observed.emplace(
      wave.machine,
      make_observers(wave.machine, options, wave.initial, [this, &wave] { explain_misuse(wave); }, races));
}

void WorkGroups::run(u64 max_steps, const core::TimeLimit& limit) {
  has_ended_group_ = false;
  if (steps_ >= max_steps) return;
  limit.run(max_steps - steps_, core::observed_slice_steps, [this](u64 steps) { return run_some(steps); });
}

u64 WorkGroups::run_some(u64 most) {
  u64 executed = 0;
  while (executed < most && !is_stuck() && !has_ended_group_ && choose_wave()) executed += run_turn(most - executed);
  return executed;
}

/// Makes a wave the current one. Returns false if none can run.
bool WorkGroups::choose_wave() {
  if (current_ != nullptr && turn_left_ != 0) return true;
  ready_.clear();
  for (const Wave* const wave : waves_) ready_.push_back(wave->status == Wave::Status::ready ? 1 : 0);
  if (std::ranges::find(ready_, u8{1}) == ready_.end()) return false;
  const core::Scheduler::Turn turn = scheduler_.next(ready_);
  if (turn.begins_round && waves_.size() > 1 && repeats_itself()) {
    find_deadlock();
    return false;
  }
  current_ = waves_[turn.wave];
  turn_left_ = turn.steps;
  move_memory_to(*current_);
  current_->steps_of_others = steps_ - current_->machine.steps();
  return true;
}

/// Gives a wave the memory, as other waves have left it.
void WorkGroups::move_memory_to(Wave& wave) {
  Wave& from = *holder_;
  if (&from == &wave) return;
  if (from.group != wave.group) exchange_own_memory(from.group, *wave.group);
  if (from.machine.code().version() != from.code_version) from.code_changes = ++code_changes_;
  from.machine.hand_memory_to(wave.machine);
  if (wave.code_changes != code_changes_) wave.machine.read_code_again();
  wave.code_changes = code_changes_;
  wave.code_version = wave.machine.code().version();
  holder_ = &wave;
  Group& group = *wave.group;
  if (group.holder != nullptr && wave.observed) wave.observed->take_memory_of(*group.holder->observed);
  group.holder = &wave;
}

/// Replaces the own memory of one group, null if it was removed, by that of another.
void WorkGroups::exchange_own_memory(Group* from, Group& to) {
  Memory memory = holder_->machine.memory();
  if (from != nullptr) from->own = memory;
  copy_ranges(own_memory_, to.own, memory);
  to.own = {};
  holder_->machine.set_memory(memory);
}

/// Runs the current wave for the rest of its turn, at most.
u64 WorkGroups::run_turn(u64 most) {
  Wave& wave = *current_;
  const u64 before = wave.machine.steps();
  const u64 steps = std::min(most, turn_left_);
  if (wave.observed)
    wave.observed->run(before + steps);
  else
    wave.machine.run(steps);
  const u64 executed = wave.machine.steps() - before;
  steps_ += executed;
  turn_left_ -= executed;
  settle(wave);
  return executed;
}

/// Records what a wave has come to.
void WorkGroups::settle(Wave& wave) {
  if (!wave.machine.stopped() && !wave.machine.waits()) return;
  turn_left_ = 0;
  checkpoint_.reset();
  if (wave.machine.waits()) {
    wave.status = Wave::Status::waits;
  } else {
    wave.status = Wave::Status::ended;
    if (!is_regular_end(wave.machine.stop_reason())) {
      stopped_ = &wave;
      return;
    }
  }
  const std::vector<Wave*>& waves = wave.group->waves;
  if (std::ranges::find(waves, Wave::Status::ready, &Wave::status) != waves.end()) return scheduler_.note_progress();
  // All others wait or have ended, which counts as an arrival.
  const bool has_waiting = std::ranges::find(waves, Wave::Status::waits, &Wave::status) != waves.end();
  if (has_waiting && wave.group->races != nullptr) wave.group->races->pass_barrier();
  for (Wave* const each : waves) {
    if (each->status != Wave::Status::waits) continue;
    each->status = Wave::Status::ready;
    each->machine.pass_barrier();
  }
  has_ended_group_ = !has_waiting;
  scheduler_.begin_round();
}

/// True if the waves that can run are in a state in which they were before, without progress since then: they will
/// repeat the same instructions forever. Called when each has had a turn. An earlier state is saved after 1, 2, 4, ...
/// rounds (Brent's algorithm).
bool WorkGroups::repeats_itself() {
  if (checkpoint_ == nullptr) checkpoint_ = std::make_unique<Checkpoint>();
  Checkpoint& saved = *checkpoint_;
  const auto is_as_saved = [](const std::pair<Wave*, WaveState>& each) {
    return each.first->machine.pc() == each.second.pc && each.first->machine.state() == each.second;
  };
  const auto own = [](const std::unique_ptr<Group>& group) -> const Memory& { return group->own; };
  if (saved.rounds != 0 && std::ranges::all_of(saved.waves, is_as_saved) &&
      holder_->machine.memory_now() == saved.memory && std::ranges::equal(groups_, saved.own, {}, own) &&
      std::ranges::none_of(saved.waves, [](const auto& each) { return reads_clock(each.first->machine); }))
    return true;
  if (++saved.rounds < saved.next_rounds) return false;
  saved.next_rounds *= 2;
  saved.waves.clear();
  for (Wave* const wave : waves_) {
    if (wave->status == Wave::Status::ready) saved.waves.emplace_back(wave, wave->machine.state());
  }
  saved.memory = memory();
  saved.own.clear();
  std::ranges::transform(groups_, std::back_inserter(saved.own), own);
  return false;
}

void WorkGroups::find_deadlock() {
  const auto first = std::ranges::find(waves_, Wave::Status::ready, &Wave::status);
  current_ = *first;
  const core::Machine& machine = current_->machine;
  deadlock_ = Stop{StopReason::deadlock, std::nullopt, machine.pc(), machine.code().text_at(machine.pc()),
                   "the waves repeat the same instructions forever and change nothing; " + list_waves()};
}

std::string WorkGroups::list_waves() const {
  constexpr u64 most_listed = 32;
  std::string text;
  u64 count = 0;
  for (const Wave* const wave : waves_) {
    if (wave->status == Wave::Status::ended || ++count > most_listed) continue;
    text += (count == 1 ? "" : ", ") + wave->name +
            (wave->status == Wave::Status::waits ? " waits at the barrier before " : " is at ") +
            program_.describe_place(wave->machine.pc());
  }
  return count > most_listed ? text + " and " + std::to_string(count - most_listed) + " more" : text;
}

/// Explains misuse of the control stack. A wave without others runs again to find the instruction that overwrote an
/// entry.
void WorkGroups::explain_misuse(Wave& wave) {
  observe::explain_misuse(wave.machine, [&](u64 push) -> std::unique_ptr<Replay> {
    if (wave.group->waves.size() > 1) return nullptr;
    return repeat_run(program_, wave.initial, wave.group->start, options_, wave.machine.steps(), push);
  });
}

WorkGroups::Result WorkGroups::finish(Wave& wave) {
  if (!wave.machine.misuses().empty()) explain_misuse(wave);
  // The observers check memory at the end, and all of them refer to the same origins.
  if (wave.observed) move_memory_to(wave);
  Result result{wave.number, wave.name, finish_run(wave.machine, wave.observed ? &*wave.observed : nullptr, options_)};
  if (wave.machine.stopped()) return result;
  result.outcome.stop = stop_at_limit(wave.machine, steps_, options_.max_steps, options_.is_cancelled);
  return result;
}

std::vector<WorkGroups::Result> WorkGroups::take_ended() {
  std::vector<Result> results;
  const auto is_over = [](const std::unique_ptr<Group>& group) {
    return std::ranges::all_of(group->waves, [](const Wave* wave) { return wave->status == Wave::Status::ended; });
  };
  for (const std::unique_ptr<Group>& group : groups_) {
    if (!is_over(group)) continue;
    for (Wave* const wave : group->waves) {
      results.push_back(finish(*wave));
      wave->group = nullptr;
      unused_waves_.push_back(wave);
    }
  }
  std::erase_if(waves_, [](const Wave* wave) { return wave->group == nullptr; });
  std::erase_if(groups_, is_over);
  current_ = nullptr;
  turn_left_ = 0;
  return results;
}

std::vector<WorkGroups::Result> WorkGroups::take_all() {
  std::vector<Result> results;
  if (waves_.empty()) return results;
  Wave* last = stopped_ != nullptr ? stopped_ : current_;
  if (stopped_ == nullptr && (last == nullptr || last->status != Wave::Status::ready)) {
    const auto ready = std::ranges::find(waves_, Wave::Status::ready, &Wave::status);
    last = ready != waves_.end() ? *ready : waves_.back();
  }
  for (Wave* const wave : waves_) {
    if (wave != last) results.push_back(finish(*wave));
  }
  results.push_back(finish(*last));
  if (deadlock_) results.back().outcome.stop = *deadlock_;
  return results;
}

}  // namespace salu::observe
