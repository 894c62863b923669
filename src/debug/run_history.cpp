#include "debug/run_history.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "isa/control_flow.hpp"

namespace salu::debug {
namespace {

constexpr std::size_t most_checkpoints = 4096;

}  // namespace

/// What comes behind the place where the first run is does not matter: nobody asks for it.
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
      observed_(machine_,
                {options.check_undefined,
                 {},
                 [this] { explain_misuse(); },
                 observe::undefined::uninitialised_memory(scenario.memory, scenario.private_memory)},
                scenario.initial),
      check_undefined_(options.check_undefined),
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

void RunHistory::set_filter(std::function<bool(u64 address)> filter) {
  filter_ = std::move(filter);
  // The calls that have not returned are known at any time.
  machine_.set_pause_filter([this](u64 address) {
    const auto instruction = machine_.code().instruction_at(address);
    return (instruction && (is_call(*instruction) || may_return(*instruction))) || (filter_ && filter_(address));
  });
}

RunHistory::Arrival RunHistory::advance(u64 to) {
  while (!ended() && position() < to) {
    if (take_interrupt()) return Arrival::interrupted;
    if (is_picked()) return Arrival::picked;
    u64 end = std::min(to, checkpoints_.back().snapshot.steps + interval_);
    if (position() >= end) end = std::min(to, position() + interval_);
    end = std::min(end, next_edit());
    if (!needs_observation()) machine_.run(end - position());
    // Where the machine does not go on by itself: at a call, at what the filter picks, in front of a vector
    // instruction, and in the last instructions before `end`.
    while (!ended() && position() < end && !is_picked()) {
      const u64 before = position();
      execute_one();
      if (!needs_observation()) machine_.run(end - position());
      if (position() == before || needs_observation()) break;
    }
    arrive();
  }
  return ended() ? Arrival::ended : Arrival::position;
}

void RunHistory::step(const std::function<void(const TraceEvent&)>& trace, const std::function<void()>& behind) {
  if (ended()) return;
  if (trace) observed_.set_trace(trace);
  trace ? (void)observed_.step() : execute_one();
  if (trace) observed_.set_trace({});
  if (behind) behind();
  arrive();
}

/// One instruction, and what it does to the calls.
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

/// What belongs to a position once the run is there.
void RunHistory::arrive() {
  explain_misuse();
  // What was set at this position. A checkpoint there has it already.
  const auto edits = edits_.find(position());
  if (edits != edits_.end() && !ended()) apply(edits->second);
  // Reaching the end of a function, or of the code, is the end without another instruction.
  if (!ended()) machine_.run_exactly(0);
  furthest_ = std::max(furthest_, position());
  if (!ended() && position() >= checkpoints_.back().snapshot.steps + interval_) take_checkpoint();
}

bool RunHistory::go_to(u64 target) {
  if (target < position() || checkpoint_before(target) > position()) go_to_checkpoint(target);
  std::function<bool(u64)> filter = std::exchange(filter_, {});
  const bool was_filtered = filter != nullptr;
  if (was_filtered) machine_.ask_pause_filter_again();
  const bool arrived = advance(target) != Arrival::interrupted;
  filter_ = std::move(filter);
  if (was_filtered) machine_.ask_pause_filter_again();
  return arrived;
}

void RunHistory::go_to_checkpoint(u64 target) { go_from(checkpoints_[find_checkpoint(target)]); }

void RunHistory::go_from(const Checkpoint& checkpoint) {
  machine_.restore(checkpoint.snapshot);
  observed_.set_tracking(checkpoint.tracking ? *checkpoint.tracking
                                             : observe::Tracking{checkpoint.snapshot.state.defined, {}, {}, {}});
  calls_ = checkpoint.calls;
  if (!ended()) machine_.run_exactly(0);
}

u64 RunHistory::checkpoint_before(u64 target) const { return checkpoints_[find_checkpoint(target)].snapshot.steps; }

std::size_t RunHistory::find_checkpoint(u64 target) const {
  const auto behind = std::ranges::upper_bound(checkpoints_, target, {},
                                               [](const Checkpoint& checkpoint) { return checkpoint.snapshot.steps; });
  return static_cast<std::size_t>(behind - checkpoints_.begin()) - 1;
}

void RunHistory::edit(Edit edit) {
  const u64 here = position();
  // What was set here before stays: it led to the state that is being changed.
  edits_.erase(edits_.upper_bound(here), edits_.end());
  apply({&edit, 1});
  edits_[here].push_back(std::move(edit));
  furthest_ = here;
  while (!checkpoints_.empty() && checkpoints_.back().snapshot.steps >= here) drop_last_checkpoint();
  take_checkpoint();
}

u64 RunHistory::next_edit() const {
  const auto edit = edits_.upper_bound(position());
  return edit == edits_.end() ? std::numeric_limits<u64>::max() : edit->first;
}

void RunHistory::apply(std::span<const Edit> edits) {
  core::Machine::Snapshot snapshot = machine_.snapshot();
  const u32 csp = snapshot.state.csp();
  for (const Edit& edit : edits) {
    if (edit.name) {
      write_register(snapshot.state, machine_.generation(), *edit.name, edit.value);
    } else {
      snapshot.memory.write(edit.address, edit.bytes);
    }
  }
  if (snapshot.state.csp() != csp) snapshot.pushed.set_csp(csp, snapshot.state.csp(), std::nullopt);
  machine_.restore(snapshot);
}

void RunHistory::drop_last_checkpoint() {
  checkpoint_bytes_ -= checkpoints_.back().bytes;
  checkpoints_.pop_back();
}

void RunHistory::take_checkpoint() {
  Checkpoint checkpoint{machine_.snapshot(), nullptr, calls_, 0};
  if (needs_observation()) checkpoint.tracking = std::make_shared<const observe::Tracking>(observed_.tracking());
  checkpoints_.push_back(std::move(checkpoint));
  measure(checkpoints_.size() - 1);
  if (checkpoint_bytes_ > most_bytes_ || checkpoints_.size() > most_checkpoints) thin_out();
}

/// Drops every second checkpoint until the others have room.
void RunHistory::thin_out() {
  while (checkpoints_.size() > 2 && (checkpoint_bytes_ > most_bytes_ || checkpoints_.size() > most_checkpoints)) {
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

/// What a checkpoint takes: itself, and the pages that differ from those of the one before it, with the nodes of the
/// tree above them.
void RunHistory::measure(std::size_t index) {
  constexpr u64 bytes_a_page = Memory::page_bytes + 2048;
  Checkpoint& checkpoint = checkpoints_[index];
  checkpoint.bytes = sizeof(Checkpoint) + (checkpoint.tracking ? sizeof(observe::Tracking) : 0);
  if (index != 0) {
    const Memory& before = checkpoints_[index - 1].snapshot.memory;
    checkpoint.bytes += Memory::differing_pages(before, checkpoint.snapshot.memory).size() * bytes_a_page;
  }
  checkpoint_bytes_ += checkpoint.bytes;
}

}  // namespace salu::debug
