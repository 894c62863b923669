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
#include "observe/past.hpp"
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

struct WorkGroups::Group {
  std::vector<Wave*> waves;
  Wave* holder = nullptr;                    ///< the wave whose observers follow the memory; null before the first turn
  Memory start;                              ///< memory before the group
  Memory own;                                ///< contents of the own memory while a wave of another group runs
  std::unique_ptr<races::GroupRaces> races;  ///< null without checks for races
  bool has_stopped = false;                  ///< a wave has stopped irregularly
};

/// The state of all waves that can run.
struct WorkGroups::Checkpoint {
  std::vector<std::pair<u64, WaveState>> waves;  ///< by number
  Memory memory;
  std::vector<Memory> own;  ///< `Group::own` of all groups
};

WorkGroups::Wave::Wave(const Launch& launch, const RunOptions& options) : machine(launch.program, options.dispatch) {
  prepare(machine, options);
  machine.set_waits_at_barriers(launch.waits_at_barriers);
}

WorkGroups::WorkGroups(Launch launch, const RunOptions& options, Memory memory, ObserverFactory make_observers)
    : launch_(std::move(launch)),
      options_(options),
      make_observers_(std::move(make_observers)),
      start_memory_(std::move(memory)),
      scheduler_(options.schedule) {
  if (options.check_races) start_races();
}

WorkGroups::~WorkGroups() = default;

/// Begins the check for races at the start of the run.
void WorkGroups::start_races() {
  races_ = std::make_unique<races::RaceDetector>(launch_.program, options_);
  std::vector<MemoryRegion> without_races;
  const auto is_private = [](const MemoryRegion& region) { return region.base < shared_memory_base; };
  std::ranges::copy_if(launch_.own_memory, std::back_inserter(without_races), is_private);
  const auto is_read_only = [](const MemoryRegion& region) { return region.access == Access::read; };
  std::ranges::copy_if(start_memory_.regions(), std::back_inserter(without_races), is_read_only);
  races_->ignore(std::move(without_races));
}

Memory WorkGroups::memory() { return holder_ == nullptr ? start_memory_ : holder_->machine.memory(); }

bool WorkGroups::is_over() const {
  return next_ >= launch_.count &&
         std::ranges::all_of(waves_, [](const Wave* wave) { return wave->status == Wave::Status::ended; });
}

WorkGroups::Wave* WorkGroups::find_wave(u64 number) const {
  const auto found = std::ranges::find(waves_, number, &Wave::number);
  return found == waves_.end() ? nullptr : *found;
}

// ---- work-groups ----

/// Starts the next work-group, or several. Returns false if all waves have ended and been removed.
bool WorkGroups::start_groups() {
  constexpr std::size_t most_waves = 1024;
  while (next_ < launch_.count) {
    if (!waves_.empty() && !options_.schedule.concurrent_groups) break;
    const u64 first = next_;
    std::vector<DispatchedWave> waves;
    if (!begun_) begun_ = launch_.waves.wave(next_);
    do {
      waves.push_back(*std::move(begun_));
      begun_.reset();
      if (++next_ < launch_.count) begun_ = launch_.waves.wave(next_);
    } while (begun_ && !begun_->begins_group);
    add_group(waves, first);
    if (waves_.size() >= most_waves) break;
  }
  return !waves_.empty();
}

void WorkGroups::add_group(std::span<const DispatchedWave> waves, u64 first) {
  auto group = std::make_unique<Group>();
  group->start = memory();
  copy_ranges(launch_.own_memory, start_memory_, group->start);
  group->own = group->start;
  if (races_ != nullptr) group->races = races_->add_group();
  for (const DispatchedWave& dispatched : waves) start(take_wave(first + group->waves.size(), dispatched, *group));
  // The only group starts with its memory; others exchange it when one of their waves has its first turn.
  if (groups_.empty()) {
    Wave& wave = *group->waves.front();
    wave.machine.set_memory(group->start);
    wave.code_changes_ = ++code_changes_;
    wave.code_version_ = wave.machine.code().version();
    holder_ = &wave;
    group->holder = &wave;
  }
  groups_.push_back(std::move(group));
  scheduler_.begin_round();
  forget_checkpoint();
}

/// Adds a wave to a work-group. The waves of work-groups that run one after the other have the same places in memory.
WorkGroups::Wave& WorkGroups::take_wave(u64 number, const DispatchedWave& dispatched, Group& group) {
  // While other groups run, the memory stays in the machine that has it, with the own memory of the removed group.
  const auto is_free = [this](const std::unique_ptr<Wave>& wave) {
    return wave->group_ == nullptr && (groups_.empty() || wave.get() != holder_);
  };
  auto place = std::ranges::find_if(all_waves_, is_free);
  if (place == all_waves_.end()) place = all_waves_.insert(place, std::make_unique<Wave>(launch_, options_));
  Wave& wave = **place;
  wave.group_ = &group;
  wave.number = number;
  wave.name = dispatched.name;
  wave.initial = dispatched.initial;
  group.waves.push_back(&wave);
  wave.group = group.waves.front()->number;
  waves_.push_back(&wave);
  return wave;
}

void WorkGroups::start(Wave& wave) {
  wave.status = Wave::Status::ready;
  wave.steps_of_others_ = steps_;
  wave.machine.set_state(wave.initial);
  observe(wave);
}

/// Creates the observers of a wave.
void WorkGroups::observe(Wave& wave) {
  wave.observed.reset();
  races::GroupRaces* const group = wave.group_->races.get();
  const auto add_races = [&] {
    return group == nullptr ? nullptr : &group->add_wave(wave.number, wave.name, wave.machine);
  };
  auto explain = [this, &wave] { explain_misuse(wave); };
  if (make_observers_) {
    wave.observed.emplace(wave.machine, make_observers_(wave, std::move(explain), add_races()));
    return;
  }
  if (!asks_for_observers(options_) && options_.on_vector != OnVector::skip) return;
  RunOptions options = options_;
  if (options.trace) {
    options.trace = [&wave, &trace = options_.trace](const TraceEvent& event) {
      TraceEvent counted = event;
      counted.step += wave.steps_of_others_;
      counted.wave = wave.number;
      trace(counted);
    };
  }
  wave.observed.emplace(wave.machine,
                        make_observers(wave.machine, options, wave.initial, std::move(explain), add_races()));
}

/// True if all waves of a work-group have ended. The work-group of the last wave stays, because the final state of the
/// run is that of this wave; and one in which a wave has stopped irregularly.
bool WorkGroups::is_removable(const Group& group) const {
  return !group.has_stopped && group.waves.back()->number + 1 != launch_.count &&
         std::ranges::all_of(group.waves, [](const Wave* wave) { return wave->status == Wave::Status::ended; });
}

void WorkGroups::remove_ended() {
  std::erase_if(groups_, [this](const std::unique_ptr<Group>& group) {
    if (!is_removable(*group)) return false;
    for (Wave* const wave : group->waves) wave->group_ = nullptr;
    return true;
  });
  std::erase_if(waves_, [](const Wave* wave) { return wave->group_ == nullptr; });
  has_ended_group_ = false;
  turn_left_ = 0;
}

// ---- turns ----

void WorkGroups::run(u64 max_steps, const core::TimeLimit& limit) {
  start_groups();
  if (steps_ >= max_steps) return;
  limit.run(max_steps - steps_, core::observed_slice_steps, [this](u64 steps) { return run_some(steps); });
}

u64 WorkGroups::run_some(u64 most) {
  u64 executed = 0;
  while (executed < most && !is_stuck() && !has_ended_group_ && choose_wave()) executed += run_turn(most - executed);
  return executed;
}

bool WorkGroups::begin_turn(const std::function<void(Wave& wave)>& before_removal) {
  if (is_stuck() || is_over()) return false;
  if (has_ended_group_) {
    for (Wave* const wave : waves_) {
      if (before_removal && is_removable(*wave->group_)) before_removal(*wave);
    }
    remove_ended();
  }
  start_groups();
  while (choose_wave()) {
    // The wave may be at the end of the function or of the code.
    current_->machine.run_exactly(0);
    if (!current_->machine.stopped()) return true;
    note_executed(0);
    if (is_stuck() || has_ended_group_) return begin_turn(before_removal);
  }
  return false;
}

/// Makes a wave the current one. Returns false if none can run.
bool WorkGroups::choose_wave() {
  if (turn_left_ != 0) {
    return_memory();
    return true;
  }
  ready_.resize(waves_.size());
  bool is_any_ready = false;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    ready_[i] = waves_[i]->status == Wave::Status::ready ? 1 : 0;
    is_any_ready = is_any_ready || ready_[i] != 0;
  }
  if (!is_any_ready) return false;
  const core::Scheduler::Turn turn = scheduler_.next(ready_);
  if (turn.begins_round && waves_.size() > 1 && repeats_itself()) {
    find_deadlock();
    return false;
  }
  current_ = waves_[turn.wave];
  turn_left_ = turn.steps;
  return_memory();
  current_->steps_of_others_ = steps_ - current_->machine.steps();
  return true;
}

/// Gives a wave the memory, as other waves have left it.
void WorkGroups::move_memory_to(Wave& wave) {
  Wave& from = *holder_;
  if (&from == &wave) return;
  if (from.group_ != wave.group_) exchange_own_memory(from.group_, *wave.group_);
  note_code_changes(from);
  from.machine.hand_memory_to(wave.machine);
  if (wave.code_changes_ != code_changes_) wave.machine.read_code_again();
  wave.code_changes_ = code_changes_;
  wave.code_version_ = wave.machine.code().version();
  holder_ = &wave;
  Group& group = *wave.group_;
  if (group.holder != nullptr && wave.observed) wave.observed->take_memory_of(*group.holder->observed);
  group.holder = &wave;
}

/// Notes whether a wave has changed the code.
void WorkGroups::note_code_changes(Wave& wave) {
  if (wave.machine.code().version() == wave.code_version_) return;
  wave.code_changes_ = ++code_changes_;
  has_changed_code_ = true;
}

/// Replaces the own memory of one group, null if it was removed, by that of another.
void WorkGroups::exchange_own_memory(Group* from, Group& to) {
  Memory memory = holder_->machine.memory();
  if (from != nullptr) from->own = memory;
  copy_ranges(launch_.own_memory, to.own, memory);
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
  note_executed(executed);
  return executed;
}

void WorkGroups::note_executed(u64 steps) {
  steps_ += steps;
  turn_left_ -= steps;
  settle(*current_);
}

/// Records what a wave has come to.
void WorkGroups::settle(Wave& wave) {
  if (!wave.machine.stopped() && !wave.machine.waits()) return;
  turn_left_ = 0;
  forget_checkpoint();
  if (wave.machine.waits()) {
    wave.status = Wave::Status::waits;
  } else {
    wave.status = Wave::Status::ended;
    if (!is_regular_end(wave.machine.stop_reason())) {
      stopped_ = &wave;
      wave.group_->has_stopped = true;
      return;
    }
  }
  const std::vector<Wave*>& waves = wave.group_->waves;
  if (std::ranges::find(waves, Wave::Status::ready, &Wave::status) != waves.end()) return scheduler_.note_progress();
  // All others wait or have ended, which counts as an arrival.
  const bool has_waiting = std::ranges::find(waves, Wave::Status::waits, &Wave::status) != waves.end();
  if (has_waiting && wave.group_->races != nullptr) wave.group_->races->pass_barrier();
  for (Wave* const each : waves) {
    if (each->status != Wave::Status::waits) continue;
    each->status = Wave::Status::ready;
    each->machine.pass_barrier();
  }
  has_ended_group_ = !has_waiting;
  scheduler_.begin_round();
}

void WorkGroups::forget_checkpoint() {
  checkpoint_.reset();
  rounds_ = 0;
  next_checkpoint_ = 1;
}

/// True if the waves that can run are in a state in which they were before, without progress since then: they will
/// repeat the same instructions forever. Called when each has had a turn. An earlier state is saved after 1, 2, 4, ...
/// rounds (Brent's algorithm).
bool WorkGroups::repeats_itself() {
  const auto is_as_saved = [this](const std::pair<u64, WaveState>& each) {
    const core::Machine& machine = find_wave(each.first)->machine;
    return machine.pc() == each.second.pc && machine.state() == each.second;
  };
  const auto reads_the_clock = [this](const auto& each) { return reads_clock(find_wave(each.first)->machine); };
  const auto own = [](const std::unique_ptr<Group>& group) -> const Memory& { return group->own; };
  if (checkpoint_ != nullptr && std::ranges::all_of(checkpoint_->waves, is_as_saved) &&
      holder_->machine.memory_now() == checkpoint_->memory && std::ranges::equal(groups_, checkpoint_->own, {}, own) &&
      std::ranges::none_of(checkpoint_->waves, reads_the_clock))
    return true;
  if (++rounds_ < next_checkpoint_) return false;
  next_checkpoint_ *= 2;
  Checkpoint saved;
  for (Wave* const wave : waves_) {
    if (wave->status == Wave::Status::ready) saved.waves.emplace_back(wave->number, wave->machine.state());
  }
  saved.memory = memory();
  std::ranges::transform(groups_, std::back_inserter(saved.own), own);
  checkpoint_ = std::make_shared<const Checkpoint>(std::move(saved));
  return false;
}

void WorkGroups::find_deadlock() {
  const auto first = std::ranges::find(waves_, Wave::Status::ready, &Wave::status);
  current_ = *first;
  const core::Machine& machine = current_->machine;
  deadlock_ = Stop{StopReason::deadlock, std::nullopt, machine.pc(), machine.code().text_at(machine.pc()),
                   "the waves repeat the same instructions forever and change nothing; " + list_waves()};
  if (next_ < launch_.count && !options_.schedule.concurrent_groups)
    deadlock_->detail +=
        "; later work-groups have not started: `schedule: {groups: concurrent}` runs them at the same time";
}

std::string WorkGroups::list_waves() const {
  constexpr u64 most_listed = 32;
  std::string text;
  u64 count = 0;
  for (const Wave* const wave : waves_) {
    if (wave->status == Wave::Status::ended || ++count > most_listed) continue;
    text += (count == 1 ? "" : ", ") + wave->name +
            (wave->status == Wave::Status::waits ? " waits at the barrier before " : " is at ") +
            launch_.program.describe_place(wave->machine.pc());
  }
  return count > most_listed ? text + " and " + std::to_string(count - most_listed) + " more" : text;
}

/// Explains misuse of the control stack. Unless the schedule is random, the work-group runs again to find the
/// instruction that overwrote an entry.
void WorkGroups::explain_misuse(Wave& wave) {
  observe::explain_misuse(wave.machine, [&](u64 push) -> std::unique_ptr<Replay> {
    const Group& group = *wave.group_;
    const u64 steps = wave.machine.steps();
    if (group.waves.size() == 1) return repeat_run(launch_.program, wave.initial, group.start, options_, steps, push);
    if (options_.schedule.seed || options_.schedule.concurrent_groups) return nullptr;
    return repeat_group(launch_, options_, wave.group, group.waves.size(), group.start, wave.number, steps);
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
  for (Wave* const wave : waves_) {
    if (is_removable(*wave->group_)) results.push_back(finish(*wave));
  }
  remove_ended();
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

// ---- returning to earlier states ----

std::shared_ptr<const WorkGroups::Kept> WorkGroups::keep(bool with_observers) {
  auto kept = std::make_shared<Kept>();
  for (const std::unique_ptr<Group>& group : groups_) {
    Kept::OneGroup& to = kept->groups.emplace_back();
    for (Wave* const wave : group->waves) {
      if (wave == group->holder) to.holder = to.waves.size();
      Kept::OneWave& one = to.waves.emplace_back();
      one.number = wave->number;
      one.status = wave->status;
      one.state = wave->machine.snapshot();
      one.state.memory = {};
      if (with_observers && wave->observed) one.observers = wave->observed->keep();
    }
    to.start = group->start;
    to.own = group->own;
  }
  kept->memory = memory();
  kept->scheduler = scheduler_;
  kept->next = next_;
  kept->current = current_ == nullptr ? 0 : current_->number;
  kept->holder = holder_ == nullptr ? 0 : holder_->number;
  kept->turn_left = turn_left_;
  kept->steps = steps_;
  kept->deadlock = deadlock_;
  kept->checkpoint = checkpoint_;
  kept->rounds = rounds_;
  kept->next_checkpoint = next_checkpoint_;
  return kept;
}

const WorkGroups::Kept::OneWave* WorkGroups::Kept::find(u64 number) const {
  for (const OneGroup& group : groups) {
    const auto found = std::ranges::find(group.waves, number, &OneWave::number);
    if (found != group.waves.end()) return &*found;
  }
  return nullptr;
}

/// True if the work-groups consist of the waves of a kept state.
bool WorkGroups::has_waves_of(const Kept& kept) const {
  return std::ranges::equal(groups_, kept.groups, [](const std::unique_ptr<Group>& group, const Kept::OneGroup& other) {
    return std::ranges::equal(group->waves, other.waves, {}, &Wave::number, &Kept::OneWave::number);
  });
}

void WorkGroups::restore(const Kept& kept) {
  if (holder_ != nullptr) note_code_changes(*holder_);
  if (races_ != nullptr) start_races();
  if (races_ != nullptr || !has_waves_of(kept)) {
    for (Wave* const wave : waves_) wave->group_ = nullptr;
    waves_.clear();
    groups_.clear();
    for (const Kept::OneGroup& from : kept.groups) {
      Group& group = *groups_.emplace_back(std::make_unique<Group>());
      if (races_ != nullptr) group.races = races_->add_group();
      for (const Kept::OneWave& each : from.waves)
        start(take_wave(each.number, launch_.waves.wave(each.number), group));
    }
  }
  stopped_ = nullptr;
  has_ended_group_ = false;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Group& group = *groups_[i];
    const Kept::OneGroup& from = kept.groups[i];
    group.has_stopped = false;
    for (std::size_t j = 0; j < group.waves.size(); ++j) {
      Wave& wave = *group.waves[j];
      wave.status = from.waves[j].status;
      wave.machine.restore_registers(from.waves[j].state);
      if (wave.observed) wave.observed->restore(from.waves[j].observers);
      if (!wave.machine.stopped() || is_regular_end(wave.machine.stop_reason())) continue;
      stopped_ = &wave;
      group.has_stopped = true;
    }
    group.holder = from.holder ? group.waves[*from.holder] : nullptr;
    group.start = from.start;
    group.own = from.own;
    has_ended_group_ = has_ended_group_ || is_removable(group);
  }
  scheduler_ = kept.scheduler;
  next_ = kept.next;
  begun_.reset();
  holder_ = find_wave(kept.holder);
  current_ = find_wave(kept.current);
  turn_left_ = kept.turn_left;
  steps_ = kept.steps;
  deadlock_ = kept.deadlock;
  checkpoint_ = kept.checkpoint;
  rounds_ = kept.rounds;
  next_checkpoint_ = kept.next_checkpoint;
  if (holder_ == nullptr) return;
  holder_->machine.set_memory(kept.memory);
  if (has_changed_code_) ++code_changes_;
  if (holder_->code_changes_ != code_changes_) holder_->machine.read_code_again();
  holder_->code_changes_ = code_changes_;
  holder_->code_version_ = holder_->machine.code().version();
  if (turn_left_ != 0) current_->steps_of_others_ = steps_ - current_->machine.steps();
}

}  // namespace salu::observe
