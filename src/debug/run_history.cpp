#include "debug/run_history.hpp"

#include <algorithm>
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

std::set<WarningKind> kinds_of(CheckUndefined check_undefined, const RunOptions& options) {
  std::set<WarningKind> kinds;
  if (check_undefined != CheckUndefined::off) kinds.insert(WarningKind::undefined_read);
  if (options.check_hazards) kinds.insert(WarningKind::hazard);
  if (options.check_races) kinds.insert({WarningKind::data_race, WarningKind::barrier_divergence});
  return kinds;
}

}  // namespace

/// The replay ignores the rest of the run after its current position.
class RunHistory::Replay : public observe::Replay {
 public:
  Replay(const RunHistory& first, u64 push) : run_(first.scenario_), end_(first.position()) {
    run_.explains_misuse_ = false;
    run_.edits_ = first.edits_;
    const auto behind = std::ranges::find_if(first.checkpoints_, [push](const Checkpoint& checkpoint) {
      return checkpoint.snapshot.steps != 0 && checkpoint.snapshot.pushed.pushes() >= push;
    });
    run_.go_from(*std::prev(behind));
  }

  [[nodiscard]] const core::Machine& machine() const override { return run_.machine_; }
  void set_filter(Filter filter) override { run_.set_filter(std::move(filter)); }
  bool go_on() override { return run_.advance(end_) == Arrival::picked; }
  void step() override { run_.step(); }

 private:
  RunHistory run_;
  u64 end_ = 0;
};

/// The past of the run, by its checkpoints and edits.
class RunHistory::HistoryPast : public observe::Past {
 public:
  explicit HistoryPast(const RunHistory& run) : run_(run) {}

  [[nodiscard]] const Program& program() const override { return run_.scenario_.program; }
  [[nodiscard]] const RunOptions& options() const override { return run_.scenario_.options; }
  [[nodiscard]] const core::Machine::Snapshot& kept_before(u64 position) const override {
    return run_.find_checkpoint(position).snapshot;
  }
  [[nodiscard]] u64 next_edit(u64 position) const override { return run_.next_edit(position); }
  void edit_again(u64 position, core::Machine& machine) const override { apply(run_.edits_.at(position), machine); }
  [[nodiscard]] std::vector<Location> edited_at(u64 position) const override {
    std::vector<Location> places;
    for (const Edit& edit : run_.edits_.at(position)) {
      const auto dwords = static_cast<u32>((edit.address % 4 + edit.bytes.size() + 3) / 4);
      places.push_back(edit.name ? edit.name->location() : Location::in_memory(edit.address, dwords));
    }
    return places;
  }

 private:
  const RunHistory& run_;
};

std::unique_ptr<observe::Past> RunHistory::past() const { return std::make_unique<HistoryPast>(*this); }

std::unique_ptr<observe::Replay> RunHistory::replay(u64 push) const { return std::make_unique<Replay>(*this, push); }

void RunHistory::explain_misuse() {
  if (!explains_misuse_ || machine_.misuses().empty()) return;
  observe::explain_misuse(machine_, [this](u64 push) { return replay(push); });
}

bool is_call(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::call; }

bool may_return(const isa::Instruction& instruction) { return isa::flow_of(instruction) == isa::Flow::jump; }

RunHistory::RunHistory(const Scenario& scenario, const HistoryOptions& options)
    : scenario_(scenario),
      machine_(scenario.program),
      observed_(machine_, make_observers(options)),
      options_(options),
      checked_kinds_(kinds_of(first_of(options.check_undefined, scenario.options.check_undefined), scenario.options)),
      checks_(!checked_kinds_.empty()),
      interval_(std::max<u64>(options.checkpoint_interval, 1)),
      most_bytes_(options.history_bytes) {
  machine_.set_options(scenario.options);
  machine_.set_pause_at_scalar_results(scenario.options.on_vector == OnVector::skip);
  machine_.set_memory(scenario.memory);
  machine_.set_state(scenario.initial);
  set_filter({});
  take_checkpoint();
  arrive();
}

observe::Observers RunHistory::make_observers(const HistoryOptions& options) {
  RunOptions run = scenario_.options;
  run.check_undefined = first_of(options.check_undefined, run.check_undefined);
  if (run.check_races) run.named_memory = observe::argument_memory(scenario_);
  run.uninitialised = observe::group_memory(scenario_);
  run.fidelity = FidelityReport::of_inexact;
  run.trace = nullptr;
  observe::Observers observers =
      observe::make_observers(machine_, run, scenario_.initial, [this] { explain_misuse(); });
  auto tracer = std::make_unique<observe::Tracer>(machine_);
  tracer_ = tracer.get();
  observers.push_back(std::move(tracer));
  return observers;
}

void RunHistory::set_filter(std::function<bool(u64 address)> filter) {
  filter_ = std::move(filter);
  // Pauses at calls and returns to keep the call stack up to date.
  machine_.set_pause_filter([this](u64 address) {
    const auto instruction = machine_.code().instruction_at(address);
    return (instruction && (is_call(*instruction) || may_return(*instruction))) || (filter_ && filter_(address));
  });
}

RunHistory::Arrival RunHistory::advance(u64 to) {
  while (!ended() && position() < to) {
    if (progress_) progress_();
    if (take_interrupt()) return Arrival::interrupted;
    if (is_picked()) return Arrival::picked;
    u64 end = std::min(to, checkpoints_.back().snapshot.steps + interval_);
    if (position() >= end) end = std::min(to, position() + interval_);
    end = std::min({end, next_edit(), std::max(near_due_, position() + 1)});
    if (!needs_observation()) machine_.run(end - position());
    // Handles the instructions before which the machine pauses: calls, selected instructions, vector instructions, and
    // the last instructions before `end`.
    const std::size_t seen = machine_.warnings().size();
    while (!ended() && position() < end && !is_picked()) {
      const u64 before = position();
      execute_one();
      if (!needs_observation()) machine_.run(end - position());
      if (position() == before || needs_observation()) break;
    }
    arrive();
    if (!caught_since(seen).empty()) return Arrival::warned;
  }
  return ended() ? Arrival::ended : Arrival::position;
}

void RunHistory::step(const std::function<void(const TraceEvent&)>& trace, const std::function<void()>& behind) {
  if (ended()) return;
  if (progress_) progress_();
  if (trace) tracer_->set_trace(trace);
  trace ? (void)observed_.step() : execute_one();
  if (trace) tracer_->set_trace({});
  if (behind) behind();
  arrive();
}

std::vector<Warning> RunHistory::caught_since(std::size_t seen) const {
  std::vector<Warning> caught;
  const std::vector<Warning>& all = machine_.warnings();
  for (std::size_t i = seen; catches_ && i < all.size(); ++i) {
    if (catches_(all[i])) caught.push_back(all[i]);
  }
  return caught;
}

Outcome RunHistory::outcome() {
  Outcome outcome;
  outcome.stop = machine_.stop();
  outcome.steps = position();
  RunOptions options = scenario_.options;
  options.check_undefined = first_of(options_.check_undefined, scenario_.options.check_undefined);
  if (options.check_undefined != CheckUndefined::bits) {
    observe::take_final_state(machine_, observed_.missing(), outcome);
    return outcome;
  }
  // Warnings about undefined results end a run. A copy collects them, because this run may go back.
  options = observe::complete_options(scenario_, options);
  RunHistory copy(scenario_, options_);
  copy.edits_ = edits_;
  copy.go_from(find_checkpoint(position()));
  copy.advance(never);
  copy.observed_.end(options, outcome);
  observe::take_final_state(copy.machine_, copy.observed_.missing(), outcome);
  return outcome;
}

/// Executes one instruction and updates the call stack.
void RunHistory::execute_one() {
  const u64 pc = machine_.pc();
  const u64 before = position();
  const auto instruction = machine_.code().instruction_at(pc);
  if (!instruction) {
    machine_.run_exactly(1);
    return;
  }
  const bool is_skipped_vector =
      instruction->encoding == isa::EncodingClass::vector && scenario_.options.on_vector == OnVector::skip;
  if (needs_observation() || is_skipped_vector) {
    observed_.step();
  } else {
    machine_.run_exactly(1);
  }
  if (ended() || position() == before) return;
  if (is_call(*instruction)) {
    calls_.push(pc, pc + u64{instruction->dwords} * 4, before);
  } else if (may_return(*instruction)) {
    calls_.return_to(machine_.pc());
  }
}

/// Completes the arrival at a position.
void RunHistory::arrive() {
  explain_misuse();
  // Applies the edits of this position. A checkpoint here includes them.
  const auto edits = edits_.find(position());
  if (edits != edits_.end() && !ended()) apply(edits->second);
  // Reaching the end of a function, or of the code, is the end without another instruction.
  if (!ended()) machine_.run_exactly(0);
  furthest_ = std::max(furthest_, position());
  if (ended()) {
    RunOptions options;
    options.named_memory = observe::argument_memory(scenario_);
    Outcome outcome;
    return observed_.end(options, outcome);
  }
  if (position() >= checkpoints_.back().snapshot.steps + interval_) take_checkpoint();
  if (position() >= near_due_) take_near_checkpoint();
}

bool RunHistory::go_to(u64 target) {
  if (target < position() || checkpoint_before(target) > position()) go_to_checkpoint(target);
  std::function<bool(u64)> filter = std::exchange(filter_, {});
  const bool was_filtered = filter != nullptr;
  if (was_filtered) machine_.ask_pause_filter_again();
  aim_ = target;
  plan_near_checkpoint();
  const bool arrived = advance(target) != Arrival::interrupted;
  aim_ = 0;
  plan_near_checkpoint();
  filter_ = std::move(filter);
  if (was_filtered) machine_.ask_pause_filter_again();
  return arrived;
}

void RunHistory::go_to_checkpoint(u64 target) { go_from(find_checkpoint(target)); }

void RunHistory::go_from(const Checkpoint& checkpoint) {
  machine_.restore(checkpoint.snapshot);
  observed_.restore(checkpoint.kept);
  calls_ = checkpoint.calls;
  if (!ended()) machine_.run_exactly(0);
  plan_near_checkpoint();
}

u64 RunHistory::checkpoint_before(u64 target) const { return find_checkpoint(target).snapshot.steps; }

const RunHistory::Checkpoint& RunHistory::find_checkpoint(u64 target) const {
  const auto position_of = [](const Checkpoint& checkpoint) { return checkpoint.snapshot.steps; };
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
  while (!checkpoints_.empty() && checkpoints_.back().snapshot.steps >= here) drop_last_checkpoint();
  drop_near_from(here);
  take_checkpoint();
}

u64 RunHistory::next_edit(u64 position) const {
  const auto edit = edits_.upper_bound(position);
  return edit == edits_.end() ? never : edit->first;
}

void RunHistory::apply(std::span<const Edit> edits) {
  apply(edits, machine_);
  for (const Edit& edit : edits) {
    if (edit.name) {
      observed_.define_from_outside(edit.name->location());
    } else {
      observed_.define_from_outside(edit.address, edit.bytes.size());
    }
  }
}

void RunHistory::apply(std::span<const Edit> edits, core::Machine& machine) {
  core::Machine::Snapshot snapshot = machine.snapshot();
  const u32 csp = snapshot.state.csp();
  for (const Edit& edit : edits) {
    if (edit.name) {
      write_register(snapshot.state, machine.generation(), *edit.name, edit.value);
    } else {
      snapshot.memory.write(edit.address, edit.bytes);
    }
  }
  if (snapshot.state.csp() != csp) snapshot.pushed.set_csp(csp, snapshot.state.csp(), std::nullopt);
  machine.restore(snapshot);
}

void RunHistory::drop_last_checkpoint() {
  checkpoint_bytes_ -= checkpoints_.back().bytes;
  checkpoints_.pop_back();
}

RunHistory::Checkpoint RunHistory::make_checkpoint() {
  Checkpoint checkpoint{machine_.snapshot(), {}, calls_, 0};
  if (needs_observation()) checkpoint.kept = observed_.keep();
  return checkpoint;
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
  if (before.snapshot.steps != position()) {
    Checkpoint checkpoint = make_checkpoint();
    checkpoint.bytes = bytes_of(checkpoint.snapshot.memory, before.snapshot.memory) + sizeof(Checkpoint);
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
  while (!near_.empty() && near_.back().snapshot.steps >= position) {
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
  checkpoint.bytes = sizeof(Checkpoint);
  for (const observe::Observer::Kept& kept : checkpoint.kept) checkpoint.bytes += kept.bytes;
  if (index != 0) {
    checkpoint.bytes += bytes_of(checkpoint.snapshot.memory, checkpoints_[index - 1].snapshot.memory);
  }
  checkpoint_bytes_ += checkpoint.bytes;
}

}  // namespace salu::debug
