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

constexpr u64 never = std::numeric_limits<u64>::max();
constexpr std::size_t most_checkpoints = 4096;
/// Temporary checkpoints: their number, their distance while the run goes forward, and the least distance near its
/// goal.
constexpr std::size_t most_near = 16;
constexpr u64 near_interval = 262'144;
constexpr u64 nearest = 1024;

/// The memory that is not shared with another: its pages, and the nodes of the tree above them.
u64 bytes_of(const Memory& memory, const Memory& other) {
  constexpr u64 bytes_a_page = Memory::page_bytes + 2048;
  return Memory::differing_pages(other, memory).size() * bytes_a_page;
}

/// The memory of the waves and observers in a kept state.
u64 bytes_of(const observe::WorkGroups::Kept& kept) {
  u64 bytes = 0;
  for (const observe::WorkGroups::Kept::OneGroup& group : kept.groups) {
    for (const observe::WorkGroups::Kept::OneWave& wave : group.waves) {
      bytes += sizeof(wave);
      for (const observe::Observer::Kept& observer : wave.observers) bytes += observer.bytes;
    }
  }
  return bytes;
}

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
    run_.go_from(*std::prev(std::ranges::find_if(first.checkpoints_, has_pushed)));
    const auto start = std::ranges::find(first.turns_, wave, &Turn::wave);
    if (run_.look_at_wave(wave) == nullptr && start != first.turns_.end()) run_.go_to(start->position);
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
    return *run_.find_checkpoint(position).kept;
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
      interval_(run_options_.check_races ? never : std::max<u64>(options.checkpoint_interval, 1)),
      most_bytes_(options.history_bytes) {
  groups_ = std::make_unique<observe::WorkGroups>(
      launch(), run_options_, scenario.memory,
      [this](Wave& wave, const std::function<void()>&, observe::races::WaveRaces* races) {
        return make_observers(wave, races);
      });
  settle();
  take_checkpoint();
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

/// The number of the wave whose end is the end of the run.
u64 RunHistory::reported_wave() const {
  if (scenario_.group != nullptr) return scenario_.wave_in_group;
  return groups_->waves().back()->number;
}

const RunHistory::Wave& RunHistory::wave() const {
  Wave* wave = &groups_->current();
  if (groups_->stopped() != nullptr) {
    wave = groups_->stopped();
  } else if (!groups_->is_stuck() && groups_->is_over()) {
    wave = groups_->find_wave(reported_wave());
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
  std::set<WarningIdentity> known;
  for (const Warning& warning : all) known.insert(identity_of(warning));
  for (const Wave* const wave : groups_->waves()) {
    for (const Warning& warning : wave->machine.warnings()) {
      if (known.insert(identity_of(warning)).second) all.push_back(warning);
    }
  }
  return all;
}

const RunHistory::Turn& RunHistory::turn_before(u64 position) const {
  return *std::prev(std::ranges::lower_bound(turns_, position, {}, &Turn::position));
}

u64 RunHistory::first_turn_from(u64 number) const {
  const auto turn = std::ranges::find_if(turns_, [number](const Turn& each) { return each.wave >= number; });
  return turn == turns_.end() ? 0 : turn->position;
}

std::optional<u64> RunHistory::last_step_of(u64 number, u64 position) const {
  auto turn = std::ranges::lower_bound(turns_, position, {}, &Turn::position);
  u64 end = position;
  while (turn != turns_.begin()) {
    --turn;
    if (turn->wave == number) return end - 1;
    end = turn->position;
  }
  return std::nullopt;
}

std::optional<u64> RunHistory::next_step_of(u64 number, u64 position) const {
  auto turn = std::ranges::upper_bound(turns_, position, {}, &Turn::position);
  if (turn != turns_.begin()) --turn;
  turn = std::find_if(turn, turns_.end(), [number](const Turn& each) { return each.wave == number; });
  return turn == turns_.end() ? std::nullopt : std::optional(std::max(turn->position, position));
}

bool RunHistory::has_ended(u64 number) const {
  const Wave* const wave = groups_->find_wave(number);
  return wave == nullptr || wave->status == Wave::Status::ended;
}

/// Records whose turn it is.
void RunHistory::note_turn() {
  const u64 number = current().number;
  if (position() < furthest_) return;
  while (!turns_.empty() && turns_.back().position >= position()) turns_.pop_back();
  if (turns_.empty() || turns_.back().wave != number) turns_.push_back({position(), number});
}

/// Makes the wave that executes the next instruction the current one.
void RunHistory::settle() {
  const bool runs = groups_->begin_turn([this](Wave& wave) {
    end_wave(wave);
    calls_.erase(wave.number);
    std::set<WarningIdentity> known;
    for (const Warning& warning : earlier_warnings_) known.insert(identity_of(warning));
    std::ranges::copy_if(wave.machine.warnings(), std::back_inserter(earlier_warnings_),
                         [&](const Warning& warning) { return known.insert(identity_of(warning)).second; });
  });
  if (runs) note_turn();
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
    u64 end =
        std::min(to, checkpoints_.back().position() + std::min(interval_, never - checkpoints_.back().position()));
    if (position() >= end) end = std::min(to, position() + interval_);
    end = std::min({end, next_edit(), std::max(near_due_, position() + 1)});
    const auto seen = count_warnings();
    run_some(end);
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
  copy.go_from(find_checkpoint(position()));
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
  if (interval_ == never) return;
  if (position() >= checkpoints_.back().position() + interval_) take_checkpoint();
  if (position() >= near_due_) take_near_checkpoint();
}

bool RunHistory::go_to(u64 target) {
  if (target < position() || checkpoint_before(target) > position()) go_to_checkpoint(target);
  std::function<bool(u64)> filter = std::exchange(filter_, {});
  const bool was_filtered = filter != nullptr;
  if (was_filtered) set_filter({});
  const bool stops_at_turns = std::exchange(stops_at_turns_, false);
  aim_ = target;
  plan_near_checkpoint();
  const bool arrived = advance(target) != Arrival::interrupted;
  aim_ = 0;
  plan_near_checkpoint();
  if (was_filtered) set_filter(std::move(filter));
  stops_at_turns_ = stops_at_turns;
  return arrived;
}

void RunHistory::go_to_checkpoint(u64 target) { go_from(find_checkpoint(target)); }

void RunHistory::go_from(const Checkpoint& checkpoint) {
  groups_->restore(*checkpoint.kept);
  calls_ = checkpoint.calls;
  earlier_warnings_ = checkpoint.earlier_warnings;
  settle();
  plan_near_checkpoint();
}

u64 RunHistory::checkpoint_before(u64 target) const { return find_checkpoint(target).position(); }

const RunHistory::Checkpoint& RunHistory::find_checkpoint(u64 target) const {
  const auto position_of = [](const Checkpoint& checkpoint) { return checkpoint.position(); };
  const auto behind = std::ranges::upper_bound(checkpoints_, target, {}, position_of);
  const auto near_behind = std::ranges::upper_bound(near_, target, {}, position_of);
  const Checkpoint& found = *std::prev(behind);
  if (near_behind == near_.begin()) return found;
  const Checkpoint& near = *std::prev(near_behind);
  return position_of(near) > position_of(found) ? near : found;
}

void RunHistory::edit(Edit edit) {
  const u64 here = position();
  // Earlier edits at this position stay: they led to the state that is being changed.
  edits_.erase(edits_.upper_bound(here), edits_.end());
  apply({&edit, 1});
  edits_[here].push_back(std::move(edit));
  furthest_ = here;
  std::erase_if(turns_, [here](const Turn& turn) { return turn.position > here; });
  while (!checkpoints_.empty() && checkpoints_.back().position() >= here) drop_last_checkpoint();
  drop_near_from(here);
  // Checks for races can only start again from the start of the run.
  if (interval_ != never || here == 0) take_checkpoint();
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

void RunHistory::drop_last_checkpoint() {
  checkpoint_bytes_ -= checkpoints_.back().bytes;
  checkpoints_.pop_back();
}

/// True if the observers of a wave have a state to restore.
bool RunHistory::follows_state() const {
  return checks_ || catches_ ||
         std::ranges::any_of(waves(), [](const Wave* wave) { return wave->observed->missing().any(); });
}

RunHistory::Checkpoint RunHistory::make_checkpoint() {
  return {groups_->keep(follows_state()), calls_, earlier_warnings_, 0};
}

void RunHistory::take_checkpoint() {
  checkpoints_.push_back(make_checkpoint());
  measure(checkpoints_.size() - 1);
  if (lacks_room()) thin_out();
  plan_near_checkpoint();
}

/// Takes a temporary checkpoint at the current position. Later ones are dropped.
void RunHistory::take_near_checkpoint() {
  drop_near_from(position());
  const Checkpoint& before = find_checkpoint(position());
  if (before.position() != position()) {
    Checkpoint checkpoint = make_checkpoint();
    checkpoint.bytes = bytes_of(*checkpoint.kept) + bytes_of(checkpoint.kept->memory, before.kept->memory);
    near_bytes_ += checkpoint.bytes;
    near_.push_back(std::move(checkpoint));
    while (near_.size() > most_near || near_bytes_ > most_bytes_ / 2) {
      near_bytes_ -= near_.front().bytes;
      near_.pop_front();
    }
    if (lacks_room()) thin_out();
  }
  plan_near_checkpoint();
}

/// Plans the next temporary checkpoint: after three quarters of the way to the goal, and at a regular distance.
void RunHistory::plan_near_checkpoint() {
  const u64 here = position();
  const u64 quarter = aim_ > here ? (aim_ - here) / 4 : 0;
  near_due_ = quarter >= nearest ? aim_ - quarter : never;
  if (interval_ <= near_interval) return;
  u64 due = checkpoint_before(here) + near_interval;
  // Those far from the goal would have been replaced before the goal is reached.
  const u64 kept = near_interval * near_count();
  if (aim_ > here && aim_ - here > kept) due = std::max(due, aim_ - kept);
  near_due_ = std::min(near_due_, due);
}

/// The number of temporary checkpoints that fit into memory.
std::size_t RunHistory::near_count() const {
  const u64 bytes = near_.empty() ? checkpoints_.back().bytes : near_bytes_ / near_.size();
  return std::clamp<std::size_t>(most_bytes_ / 2 / std::max<u64>(bytes, 1), 1, most_near);
}

void RunHistory::drop_near_from(u64 position) {
  while (!near_.empty() && near_.back().position() >= position) {
    near_bytes_ -= near_.back().bytes;
    near_.pop_back();
  }
}

bool RunHistory::lacks_room() const {
  return checkpoint_bytes_ + near_bytes_ > most_bytes_ || checkpoints_.size() > most_checkpoints;
}

/// Drops every second checkpoint until the others fit into memory.
void RunHistory::thin_out() {
  while (checkpoints_.size() > 2 && lacks_room()) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < checkpoints_.size(); i += 2, ++kept) {
      if (kept != i) checkpoints_[kept] = std::move(checkpoints_[i]);
    }
    checkpoints_.resize(kept);
    interval_ *= 2;
    checkpoint_bytes_ = 0;
    for (std::size_t i = 0; i < kept; ++i) measure(i);
  }
}

/// The memory of a checkpoint: itself, and the pages that differ from the checkpoint before.
void RunHistory::measure(std::size_t index) {
  Checkpoint& checkpoint = checkpoints_[index];
  checkpoint.bytes = bytes_of(*checkpoint.kept);
  if (index != 0) checkpoint.bytes += bytes_of(checkpoint.kept->memory, checkpoints_[index - 1].kept->memory);
  checkpoint_bytes_ += checkpoint.bytes;
}

}  // namespace salu::debug
