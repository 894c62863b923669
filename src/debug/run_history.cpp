#include "debug/run_history.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "isa/control_flow.hpp"
#include "observe/argument_memory.hpp"
#include "observe/final_state.hpp"
#include "observe/group_memory.hpp"

namespace salu::debug {
namespace {

constexpr u64 never = Checkpoints::never;

std::set<WarningKind> kinds_of(CheckUndefined check_undefined, const RunOptions& options) {
  std::set<WarningKind> kinds;
  if (check_undefined != CheckUndefined::off) kinds.insert(WarningKind::undefined_read);
  if (options.check_hazards) kinds.insert(WarningKind::hazard);
  if (options.check_races) kinds.insert({WarningKind::data_race, WarningKind::barrier_divergence});
  return kinds;
}

}  // namespace

/// The replay ignores the rest of the run after its current position, and all waves but one.
class RunHistory::Replay : public observe::Replay {
 public:
  Replay(const RunHistory& first, u64 wave, u64 push) : run_(first.scenario_), wave_(wave), end_(first.position()) {
    run_.explains_misuse_ = false;
    run_.edits_ = first.edits_;
    run_.turns_ = first.turns_;
    const auto has_pushed = [wave, push](const Checkpoint& checkpoint) {
      const observe::WorkGroups::Kept::OneWave* const kept = checkpoint.kept->find(wave);
      return checkpoint.position() != 0 && kept != nullptr && kept->state.pushed.pushes() >= push;
    };
    run_.go_from(*std::prev(std::ranges::find_if(first.checkpoints_.of_whole_run(), has_pushed)));
    const std::optional<u64> start = first.turns_.next_step_of(wave, 0);
    if (run_.look_at_wave(wave) == nullptr && start) run_.go_to(*start);
  }

  [[nodiscard]] const core::Machine& machine() const override { return run_.look_at_wave(wave_)->machine; }
  void set_filter(Filter filter) override { run_.set_filter(std::move(filter)); }
  bool go_on() override {
    while (run_.position() < end_ && run_.advance(end_) == Arrival::picked) {
      if (run_.wave().number == wave_) return true;
      run_.step();
    }
    return false;
  }
  void step() override { run_.step(); }

 private:
  RunHistory run_;
  u64 wave_ = 0;
  u64 end_ = 0;
};

/// The past of the run, by its checkpoints and edits.
class RunHistory::HistoryPast : public observe::Past {
 public:
  explicit HistoryPast(const RunHistory& run) : run_(run) {}

  [[nodiscard]] const observe::WorkGroups::Launch& launch() const override { return run_.launch(); }
  [[nodiscard]] const RunOptions& options() const override { return run_.scenario_.options; }
  [[nodiscard]] const observe::WorkGroups::Kept& kept_before(u64 position) const override {
    return *run_.checkpoints_.find(position).kept;
  }
  [[nodiscard]] u64 next_edit(u64 position) const override { return run_.next_edit(position); }
  void edit_again(u64 position, observe::WorkGroups& groups) const override { apply(run_.edits_.at(position), groups); }
  [[nodiscard]] std::vector<observe::PlaceOfWave> edited_at(u64 position) const override {
    std::vector<observe::PlaceOfWave> places;
    for (const Edit& edit : run_.edits_.at(position)) {
      const auto dwords = static_cast<u32>((edit.address % 4 + edit.bytes.size() + 3) / 4);
      places.push_back({edit.wave, edit.name ? edit.name->location() : Location::in_memory(edit.address, dwords)});
    }
    return places;
  }

 private:
  const RunHistory& run_;
};

std::unique_ptr<observe::Past> RunHistory::past() const { return std::make_unique<HistoryPast>(*this); }

std::unique_ptr<observe::Replay> RunHistory::replay(Wave& wave, u64 push) const {
  return std::make_unique<Replay>(*this, wave.number, push);
}

void RunHistory::explain_misuse(Wave& wave) {
  if (!explains_misuse_ || wave.machine.misuses().empty()) return;
  observe::explain_misuse(wave.machine, [&](u64 push) { return replay(wave, push); });
}

bool is_call(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::call; }

bool may_return(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::jump; }

namespace {

RunOptions observed_options(const Scenario& scenario, const HistoryOptions& options) {
  RunOptions run = scenario.options;
  run.check_undefined = first_of(options.check_undefined, run.check_undefined);
  if (run.check_races) run.named_memory = observe::argument_memory(scenario);
  run.uninitialised = observe::group_memory(scenario);
  run.fidelity = FidelityReport::of_inexact;
  run.trace = nullptr;
  run.strict = false;
  return run;
}

}  // namespace

RunHistory::RunHistory(const Scenario& scenario, const HistoryOptions& options)
    : scenario_(scenario),
      options_(options),
      run_options_(observed_options(scenario, options)),
      launch_(scenario),
      checked_kinds_(kinds_of(run_options_.check_undefined, scenario.options)),
      checks_(!checked_kinds_.empty()),
      // Checks for races can only start again from the start of the run.
      checkpoints_(run_options_.check_races ? never : std::max<u64>(options.checkpoint_interval, 1),
                   options.history_bytes) {
  groups_ = std::make_unique<observe::WorkGroups>(
      launch(), run_options_, scenario.memory,
      [this](Wave& wave, const std::function<void()>&, observe::races::WaveRaces* races) {
        return make_observers(wave, races);
      });
  settle();
  checkpoints_.add(make_checkpoint());
  arrive();
}

observe::Observers RunHistory::make_observers(Wave& wave, observe::races::WaveRaces* races) {
  set_pause_filter(wave);
  observe::Observers observers =
      observe::make_observers(wave.machine, run_options_, wave.initial, [this, &wave] { explain_misuse(wave); }, races);
  auto tracer = std::make_unique<observe::Tracer>(wave.machine);
  tracers_[&wave] = tracer.get();
  observers.push_back(std::move(tracer));
  return observers;
}

void RunHistory::set_pause_filter(Wave& wave) {
  // Pauses at calls and returns to keep the call stack up to date.
  wave.machine.set_pause_filter([this, &wave](u64 address) {
    const auto instruction = wave.machine.code().instruction_at(address);
    return (instruction && (is_call(*instruction) || may_return(*instruction))) || (filter_ && filter_(address));
  });
}

void RunHistory::set_filter(std::function<bool(u64 address)> filter) {
  filter_ = std::move(filter);
  for (Wave* const wave : groups_->waves()) wave->machine.ask_pause_filter_again();
}

// ---- waves ----

const RunHistory::Wave& RunHistory::wave() const {
  Wave* wave = &groups_->current();
  if (groups_->stopped() != nullptr) {
    wave = groups_->stopped();
  } else if (!groups_->is_stuck() && groups_->is_over()) {
    wave = groups_->find_wave(scenario_.reported_wave());
  }
  groups_->show_memory_to(*wave);
  return *wave;
}

const RunHistory::Wave* RunHistory::look_at_wave(u64 number) const {
  Wave* const wave = groups_->find_wave(number);
  if (wave != nullptr) groups_->show_memory_to(*wave);
  return wave;
}

Stop RunHistory::stop() const { return groups_->deadlock() ? *groups_->deadlock() : machine().stop(); }

CallStack RunHistory::calls(u64 number) const {
  const auto found = calls_.find(number);
  return found == calls_.end() ? CallStack() : found->second;
}

std::vector<Warning> RunHistory::warnings() const {
  std::vector<Warning> all = earlier_warnings_;
  for (const Wave* const wave : groups_->waves()) observe::add_new(all, wave->machine.warnings());
  return all;
}

bool RunHistory::has_ended(u64 number) const {
  const Wave* const wave = groups_->find_wave(number);
  return wave == nullptr || wave->status == Wave::Status::ended;
}

/// Makes the wave that executes the next instruction the current one.
void RunHistory::settle() {
  const bool runs = groups_->begin_turn([this](Wave& wave) {
    end_wave(wave);
    calls_.erase(wave.number);
    observe::add_new(earlier_warnings_, wave.machine.warnings());
  });
  if (runs && position() >= furthest_) turns_.begin(position(), current().number);
}

/// Lets the observers of a wave that has ended warn about results.
void RunHistory::end_wave(Wave& wave) {
  groups_->show_memory_to(wave);
  RunOptions options;
  options.named_memory = observe::argument_memory(scenario_);
  Outcome outcome;
  wave.observed->end(options, outcome);
}

// ---- moving ----

RunHistory::Arrival RunHistory::advance(u64 to) {
  caught_.clear();
  while (!ended() && position() < to) {
    if (progress_) progress_();
    if (take_interrupt()) return Arrival::interrupted;
    if (is_picked()) return Arrival::picked;
    const auto seen = count_warnings();
    run_some(std::min({to, next_edit(), checkpoints_.next_due(position())}));
    catch_warnings(seen);
    const bool has_ended_turn = groups_->turn_left() == 0;
    arrive();
    if (!caught_.empty()) return Arrival::warned;
    if (has_ended_turn && stops_at_turns_ && !ended()) return Arrival::turn;
  }
  return ended() ? Arrival::ended : Arrival::position;
}

/// Runs the current wave up to a position, to the end of its turn, or to an instruction that the filter selects.
void RunHistory::run_some(u64 end) {
  groups_->return_memory();
  core::Machine& machine = current().machine;
  const auto run = [&] {
    if (!needs_observation()) groups_->note_executed(machine.run(std::min(end - position(), groups_->turn_left())));
  };
  run();
  // Handles the instructions before which the machine pauses: calls, selected instructions, vector instructions, and
  // the last instructions before `end`.
  while (!machine.stopped() && groups_->turn_left() != 0 && position() < end && !is_picked()) {
    const u64 before = position();
    execute_one();
    run();
    if (position() == before || needs_observation()) break;
  }
}

void RunHistory::step(const std::function<void(const TraceEvent&)>& trace, const std::function<void()>& behind) {
  caught_.clear();
  if (ended()) return;
  if (progress_) progress_();
  groups_->return_memory();
  Wave& wave = current();
  const auto seen = count_warnings();
  if (trace) {
    observe::Tracer& tracer = *tracers_.at(&wave);
    tracer.set_trace(trace);
    const u64 before = wave.machine.steps();
    wave.observed->step();
    groups_->note_executed(wave.machine.steps() - before);
    tracer.set_trace({});
  } else {
    execute_one();
  }
  if (behind) behind();
  catch_warnings(seen);
  arrive();
}

/// The number of warnings of each wave that the next instruction may warn about, if warnings are caught. Waves that
/// meet at different barriers are a warning of one of them.
std::vector<std::pair<const RunHistory::Wave*, std::size_t>> RunHistory::count_warnings() const {
  std::vector<std::pair<const Wave*, std::size_t>> counts;
  if (!catches_) return counts;
  for (const Wave* const wave : groups_->waves()) {
    if (run_options_.check_races || wave == &current()) counts.emplace_back(wave, wave->machine.warnings().size());
  }
  return counts;
}

/// Notes the warnings that are to be caught, after the first ones of each wave.
void RunHistory::catch_warnings(const std::vector<std::pair<const Wave*, std::size_t>>& seen) {
  for (const auto& [wave, count] : seen) {
    const std::vector<Warning>& all = wave->machine.warnings();
    for (std::size_t i = count; i < all.size(); ++i) {
      if (catches_(all[i]) && !is_known(*wave, all[i])) caught_.push_back(all[i]);
    }
  }
}

/// True if another wave has had the same warning before.
bool RunHistory::is_known(const Wave& wave, const Warning& warning) const {
  const auto has_it = [same = identity_of(warning)](const std::vector<Warning>& warnings) {
    return std::ranges::any_of(warnings, [&same](const Warning& each) { return identity_of(each) == same; });
  };
  return has_it(earlier_warnings_) || std::ranges::any_of(groups_->waves(), [&](const Wave* other) {
           return other != &wave && has_it(other->machine.warnings());
         });
}

Outcome RunHistory::outcome() {
  const bool checks_bits = run_options_.check_undefined == CheckUndefined::bits;
  const auto take = [](RunHistory& run, Outcome& outcome) {
    Wave& reported = *run.groups_->find_wave(run.wave().number);
    observe::take_final_state(reported.machine, reported.observed->missing(), outcome);
    outcome.warnings = run.warnings();
  };
  Outcome outcome;
  outcome.stop = stop();
  outcome.steps = position();
  if (!checks_bits) {
    take(*this, outcome);
    return outcome;
  }
  // Warnings about undefined results end a run. A copy collects them, because this run may go back.
  const RunOptions options = observe::complete_options(scenario_, run_options_);
  RunHistory copy(scenario_, options_);
  copy.edits_ = edits_;
  copy.go_from(checkpoints_.find(position()));
  copy.advance(never);
  for (Wave* const wave : copy.groups_->waves()) {
    copy.groups_->show_memory_to(*wave);
    wave->observed->end(options, outcome);
  }
  take(copy, outcome);
  return outcome;
}

/// Executes one instruction and updates the call stack.
void RunHistory::execute_one() {
  Wave& wave = current();
  core::Machine& machine = wave.machine;
  const u64 pc = machine.pc();
  const u64 position_before = position();
  const u64 before = machine.steps();
  const auto instruction = machine.code().instruction_at(pc);
  const bool is_skipped_vector = instruction && instruction->encoding == isa::EncodingClass::vector &&
                                 scenario_.options.on_vector == OnVector::skip;
  if (instruction && (needs_observation() || is_skipped_vector)) {
    wave.observed->step();
  } else {
    machine.run_exactly(1);
  }
  const u64 executed = machine.steps() - before;
  groups_->note_executed(executed);
  if (!instruction || machine.stopped() || executed == 0) return;
  if (is_call(*instruction)) {
    calls_[wave.number].push(pc, pc + u64{instruction->dwords} * 4, position_before);
  } else if (may_return(*instruction)) {
    calls_[wave.number].return_to(machine.pc());
  }
}

/// Completes the arrival at a position.
void RunHistory::arrive() {
  explain_misuse(current());
  // Applies the edits of this position. A checkpoint here includes them.
  if (!ended()) settle();
  const auto edits = edits_.find(position());
  if (edits != edits_.end() && !ended()) {
    apply(edits->second);
    settle();
  }
  furthest_ = std::max(furthest_, position());
  if (ended()) {
    for (Wave* const wave : groups_->waves()) end_wave(*wave);
    return;
  }
  checkpoints_.take_due(position(), [this] { return make_checkpoint(); });
}

bool RunHistory::go_to(u64 target) {
  if (target < position() || checkpoint_before(target) > position()) go_to_checkpoint(target);
  std::function<bool(u64)> filter = std::exchange(filter_, {});
  const bool was_filtered = filter != nullptr;
  if (was_filtered) set_filter({});
  const bool stops_at_turns = std::exchange(stops_at_turns_, false);
  checkpoints_.plan(position(), target);
  const bool arrived = advance(target) != Arrival::interrupted;
  checkpoints_.plan(position(), 0);
  if (was_filtered) set_filter(std::move(filter));
  stops_at_turns_ = stops_at_turns;
  return arrived;
}

void RunHistory::go_to_checkpoint(u64 target) { go_from(checkpoints_.find(target)); }

void RunHistory::go_from(const Checkpoint& checkpoint) {
  groups_->restore(*checkpoint.kept);
  calls_ = checkpoint.calls;
  earlier_warnings_ = checkpoint.earlier_warnings;
  settle();
  checkpoints_.plan(position(), 0);
}

u64 RunHistory::checkpoint_before(u64 target) const { return checkpoints_.find(target).position(); }

void RunHistory::edit(Edit edit) {
  const u64 here = position();
  // Earlier edits at this position stay: they led to the state that is being changed.
  edits_.erase(edits_.upper_bound(here), edits_.end());
  apply({&edit, 1});
  edits_[here].push_back(std::move(edit));
  furthest_ = here;
  turns_.forget_after(here);
  checkpoints_.drop_from(here);
  if (!checkpoints_.are_off() || here == 0) checkpoints_.add(make_checkpoint());
}

u64 RunHistory::next_edit(u64 position) const {
  const auto edit = edits_.upper_bound(position);
  return edit == edits_.end() ? never : edit->first;
}

void RunHistory::apply(std::span<const Edit> edits) {
  apply(edits, *groups_);
  for (const Edit& edit : edits) {
    observe::ObservedRun& observed = *groups_->find_wave(edit.wave)->observed;
    if (edit.name) {
      observed.define_from_outside(edit.name->location());
    } else {
      groups_->show_memory_to(*groups_->find_wave(edit.wave));
      observed.define_from_outside(edit.address, edit.bytes.size());
    }
  }
}

void RunHistory::apply(std::span<const Edit> edits, observe::WorkGroups& groups) {
  for (const Edit& edit : edits) {
    Wave& wave = *groups.find_wave(edit.wave);
    groups.show_memory_to(wave);
    core::Machine::Snapshot snapshot = wave.machine.snapshot();
    const u32 csp = snapshot.state.csp();
    if (edit.name) {
      write_register(snapshot.state, wave.machine.generation(), *edit.name, edit.value);
    } else {
      snapshot.memory.write(edit.address, edit.bytes);
    }
    if (snapshot.state.csp() != csp) snapshot.pushed.set_csp(csp, snapshot.state.csp(), std::nullopt);
    wave.machine.restore(snapshot);
  }
}

/// True if the observers of a wave have a state to restore.
bool RunHistory::follows_state() const {
  return checks_ || catches_ ||
         std::ranges::any_of(waves(), [](const Wave* wave) { return wave->observed->missing().any(); });
}

Checkpoint RunHistory::make_checkpoint() { return {groups_->keep(follows_state()), calls_, earlier_warnings_, 0}; }

}  // namespace salu::debug
