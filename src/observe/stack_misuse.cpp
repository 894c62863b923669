#include "observe/stack_misuse.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "isa/control_flow.hpp"
#include "observe/fork_event.hpp"
#include "observe/touches.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
namespace {

using core::Machine;
using core::PushedEntry;
using core::StackMisuse;
using support::hex;

std::string instruction_at(const Machine& machine, u64 pc) { return machine.code().text_at(pc) + " at " + hex(pc); }

bool holds(const Machine& machine, const PushedEntry& entry) {
  const u32 first = entry.entry * entry_dwords;
  return machine.wave().pair(first) == entry.mask && machine.wave().pair(first + 2) == entry.pc;
}

/// The instruction that changed an entry before the join at `join_pc` popped it; nothing if no instruction did.
std::optional<u64> find_overwriter(Replay& replay, const PushedEntry& entry, u64 join_pc) {
  const Machine& machine = replay.machine();
  const auto picks_forks = [&machine](u64 address) {
    const auto instruction = machine.code().instruction_at(address);
    return instruction && isa::flow_of(*instruction) == isa::Flow::fork;
  };
  replay.set_filter(picks_forks);
  while (machine.pushed().pushes() < entry.push && replay.go_on()) replay.step();

  const Location place{entry.entry * entry_dwords, entry_dwords};
  const auto picks_writers = [&](u64 address) {
    const auto instruction = machine.code().instruction_at(address);
    return address == join_pc || (instruction && may_write(machine.generation(), *instruction, place));
  };
  const auto is_noticed = [&] {
    return std::ranges::find(machine.misuses(), join_pc, &StackMisuse::pc) != machine.misuses().end();
  };
  std::optional<u64> culprit;
  replay.set_filter(picks_writers);
  while (replay.go_on()) {
    const u64 pc = machine.pc();
    const bool was_whole = holds(machine, entry);
    // A change while the program was paused came from outside.
    if (was_whole) culprit.reset();
    replay.step();
    if (pc == join_pc && is_noticed()) break;
    if (was_whole && !holds(machine, entry)) culprit = pc;
  }
  return culprit;
}

struct Explanation {
  std::optional<u64> culprit_pc;
  u64 victim_pc = 0;
  std::string text;
};

Explanation explain_not_pushed(const Machine& machine, const StackMisuse& misuse) {
  const std::string text = "the join pops " + entry_text(misuse.popped) + ", which no fork of this run pushed";
  if (!misuse.entry) return {misuse.pc, misuse.pc, text};
  return {misuse.entry->by, misuse.pc, text + "; " + instruction_at(machine, misuse.entry->by) + " set CSP above it"};
}

Explanation explain_overwritten(const Machine& machine, const StackMisuse& misuse, const Repeat& repeat) {
  const PushedEntry& entry = *misuse.entry;
  const bool is_fork = entry.origin == PushedEntry::Origin::fork;
  const std::string origin = is_fork ? "the fork at " + hex(entry.by) + " pushed" : std::string("the run began with");
  const std::unique_ptr<Replay> replay = repeat(entry.push);
  const std::optional<u64> culprit = replay ? find_overwriter(*replay, entry, misuse.pc) : std::nullopt;
  const std::string writer = culprit  ? instruction_at(machine, *culprit) + " overwrote it"
                             : replay ? std::string("it was overwritten from outside the program")
                                      : std::string("it was overwritten");
  return {culprit, misuse.pc,
          entry_text(entry.entry) + " is not what " + origin + ": exec=" + hex(entry.mask, 16) +
              ", pc=" + hex(entry.pc) + "; " + writer};
}

Explanation explain_lost(const Machine& machine, const StackMisuse& misuse) {
  const PushedEntry& entry = *misuse.entry;
  const std::string start =
      misuse.ends_program ? std::string("the program ends") : "the join pops " + entry_text(misuse.popped);
  std::string text = start + ", while " + lanes_wait(entry.mask) + " in " + entry_text(entry.entry) + " for " +
                     hex(entry.pc) + " since the fork at " + hex(entry.by);
  if (entry.given_up_by) text += "; " + instruction_at(machine, *entry.given_up_by) + " set CSP below it";
  return {entry.given_up_by.value_or(misuse.pc), entry.by, std::move(text)};
}

Explanation explain(const Machine& machine, const StackMisuse& misuse, const Repeat& repeat) {
  switch (misuse.kind) {
    case StackMisuse::Kind::not_pushed:
      return explain_not_pushed(machine, misuse);
    case StackMisuse::Kind::overwritten:
      return explain_overwritten(machine, misuse, repeat);
    case StackMisuse::Kind::lost:
      break;
  }
  return explain_lost(machine, misuse);
}

/// A run on a separate machine, from the start or from a snapshot.
class MachineReplay : public Replay {
 public:
  MachineReplay(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options,
                u64 steps)
      : machine_(program, options.dispatch), steps_(steps) {
    machine_.set_options(options);
    machine_.set_memory(memory);
    machine_.set_state(initial);
  }

  MachineReplay(const Program& program, const Machine::Snapshot& from, const RunOptions& options, u64 steps)
      : machine_(program, options.dispatch), steps_(steps) {
    machine_.set_options(options);
    machine_.restore(from);
  }

  [[nodiscard]] const Machine& machine() const override { return machine_; }

  /// Runs at full speed, nearly up to the push with this number.
  void skip_to(u64 push) {
    constexpr u64 first_stride = 1 << 24;
    constexpr u64 last_stride = 1 << 12;
    for (u64 stride = first_stride; stride >= last_stride; stride /= 16) {
      while (!machine_.stopped() && machine_.steps() < steps_) {
        const Machine::Snapshot before = machine_.snapshot();
        machine_.run(std::min(stride, steps_ - machine_.steps()));
        if (machine_.pushed().pushes() < push && !machine_.stopped()) continue;
        machine_.restore(before);
        break;
      }
    }
  }

  void set_filter(Filter filter) override {
    filter_ = std::move(filter);
    machine_.set_pause_filter(filter_);
  }

  bool go_on() override {
    while (!machine_.stopped() && machine_.steps() < steps_) {
      if (filter_(machine_.pc())) return true;
      const u64 before = machine_.steps();
      machine_.run(steps_ - before);
      if (machine_.steps() == before) step();
    }
    return false;
  }

  void step() override { machine_.run_exactly(1); }

 private:
  Machine machine_;
  u64 steps_;
  Filter filter_;
};

}  // namespace

void explain_misuse(Machine& machine, const Repeat& repeat) {
  for (const StackMisuse& misuse : machine.misuses()) {
    Explanation explanation = explain(machine, misuse, repeat);
    machine.explain_misuse(misuse, explanation.culprit_pc, explanation.victim_pc, std::move(explanation.text));
  }
  machine.forget_misuses();
}

std::unique_ptr<Replay> repeat_run(const Program& program, const WaveState& initial, const Memory& memory,
                                   const RunOptions& options, u64 steps, u64 push) {
  auto replay = std::make_unique<MachineReplay>(program, initial, memory, options, steps);
  replay->skip_to(push);
  return replay;
}

std::unique_ptr<Replay> repeat_run(const Program& program, const Machine::Snapshot& from, const RunOptions& options,
                                   u64 steps, u64 push) {
  auto replay = std::make_unique<MachineReplay>(program, from, options, steps);
  replay->skip_to(push);
  return replay;
}

}  // namespace salu::observe
