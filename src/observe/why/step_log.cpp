#include "observe/why/step_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "observe/why/probe.hpp"

namespace salu::observe {
namespace {

/// Instructions between two kept states.
constexpr u64 kept_interval = 512;

/// Limit for cached instructions: code without loops can be long.
constexpr std::size_t enough_instructions = 65'536;

}  // namespace

const KnownInstruction* StepLog::known_at(u64 pc) {
  const std::span<const u32> words = run_.machine().code().words_at(pc);
  if (words.empty()) return nullptr;
  const KnownInstruction*& known = known_[pc];
  if (known == nullptr || !known->is_still(words)) known = &all_known_.emplace_back(run_.machine(), pc, words);
  return known;
}

void StepLog::drop_steps() {
  steps_.clear();
  own_.clear();
  kept_.clear();
}

void StepLog::drop_known() {
  if (all_known_.size() < enough_instructions) return;
  known_.clear();
  all_known_.clear();
}

void StepLog::record(u64 first, u64 end) {
  drop_steps();
  drop_known();
  run_.go_to(first);
  first_ = first;
  while (run_.position() < end && !run_.ended()) {
    if (run_.position() % kept_interval == 0 || run_.position() == first) kept_.push_back(run_.keep());
    const core::Machine& machine = run_.machine();
    const u64 position = run_.position();
    const u64 pc = machine.pc();
    const KnownInstruction* const known = known_at(pc);
    if (known == nullptr) {
      run_.step();
      break;
    }
    LoggedStep step{known, pc, {run_.wave().number, run_.wave().group}, std::nullopt, true};
    const bool is_vector = known->instruction().encoding == isa::EncodingClass::vector;
    if (known->fixed_accesses() == nullptr || is_vector || machine.code().program().find_assumption(pc) != nullptr) {
      step.own = static_cast<u32>(own_.size());
      own_.push_back(find_all_next_accesses(machine));
    }
    const u32 csp = machine.wave().csp();
    run_.step();
    if (run_.position() == position) break;
    const bool faulted = machine.stopped() && is_fault(machine.stop_reason()) && machine.pc() == pc;
    // A fork that did not split wrote only EXEC, with an unchanged value.
    step.wrote = !faulted && (known->flow() != isa::Flow::fork || machine.wave().csp() != csp);
    steps_.push_back(step);
  }
}

core::Machine& StepLog::machine_at(u64 position) {
  const auto behind = std::ranges::upper_bound(kept_, position, {}, [](const auto& kept) { return kept->steps; });
  run_.go_to(**std::prev(behind));
  while (run_.position() < position) run_.advance(position);
  run_.lose_place();
  return run_.machine();
}

std::optional<u64> StepLog::find_last(u64 first, u64 end, const MayWrite& may_write, const Writes& writes) {
  drop_steps();
  const auto picks = [&](u64 address) {
    drop_known();
    const KnownInstruction* const known = known_at(address);
    return known != nullptr && may_write(address, *known);
  };
  run_.set_filter(picks);
  run_.go_to(run_.past().kept_before(first));
  std::optional<u64> last;
  while (!run_.ended() && run_.position() < end) {
    const u64 before = run_.position();
    run_.advance(end);
    if (run_.ended() || run_.position() >= end) break;
    const u64 position = run_.position();
    const core::Machine& machine = run_.machine();
    const Executor executor{run_.wave().number, run_.wave().group};
    if (picks(machine.pc()) && writes(executor, machine.pc(), find_all_next_accesses(machine)) && position >= first)
      last = position + 1;
    run_.step();
    if (run_.position() == before) break;
  }
  run_.set_filter({});
  run_.lose_place();
  return last;
}

}  // namespace salu::observe
