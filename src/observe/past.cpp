#include "observe/past.hpp"

#include <algorithm>
#include <iterator>

namespace salu::observe {
namespace {

/// Instructions between two kept states.
constexpr u64 kept_interval = 16'384;

}  // namespace

RepeatedPast::RepeatedPast(const Program& program, const WaveState& initial, const Memory& memory,
                           const RunOptions& options, u64 steps)
    : program_(program), options_(options) {
  core::Machine machine(program, options.dispatch);
  machine.set_options(options);
  machine.set_memory(memory);
  machine.set_state(initial);
  kept_.push_back(machine.snapshot());
  while (!machine.stopped() && machine.steps() < steps) {
    machine.run(std::min(kept_interval, steps - machine.steps()));
    if (!machine.stopped()) kept_.push_back(machine.snapshot());
  }
}

const core::Machine::Snapshot& RepeatedPast::kept_before(u64 position) const {
  const auto behind = std::ranges::upper_bound(kept_, position, {}, &core::Machine::Snapshot::steps);
  return *std::prev(behind);
}

PastMachine::PastMachine(const Past& past) : past_(past), machine_(past.program()) {
  machine_.set_options(past.options());
}

void PastMachine::go_to(const core::Machine::Snapshot& kept) {
  machine_.restore(kept);
  is_lost_ = false;
  next_edit_ = past_.next_edit(position());
}

void PastMachine::go_to(u64 position) {
  const core::Machine::Snapshot& kept = past_.kept_before(position);
  if (is_lost_ || ended() || this->position() > position || this->position() < kept.steps) go_to(kept);
  while (!ended() && this->position() < position) advance(position);
}

void PastMachine::advance(u64 position) {
  const u64 end = std::min(position, next_edit_);
  machine_.run(end - this->position());
  arrive();
}

void PastMachine::step() {
  machine_.run_exactly(1);
  arrive();
}

void PastMachine::arrive() {
  if (ended() || position() != next_edit_) return;
  past_.edit_again(position(), machine_);
  next_edit_ = past_.next_edit(position());
}

}  // namespace salu::observe
