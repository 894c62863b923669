#include "observe/trace.hpp"

#include <algorithm>
#include <span>

namespace salu::observe {
namespace {

void read_values(const core::Machine& machine, std::span<const Location> locations,
                 std::vector<LocationValue>& values) {
  values.clear();
  for (const Location& location : locations) values.push_back(value_at(machine, location));
}

void read_vectors(const core::Machine& machine, std::span<const Accesses::Lanes> registers,
                  std::vector<VectorValue>& values) {
  values.clear();
  for (const Accesses::Lanes& touched : registers) {
    VectorValue& value = values.emplace_back(VectorValue{touched.number, touched.lanes, {}});
    if (machine.vectors() == nullptr) continue;
    std::copy_n(machine.vectors()->lanes(touched.number), value.values.size(), value.values.begin());
  }
}

}  // namespace

void Tracer::before(ObservedStep& step) {
  if (!trace_) return;
  exec_ = machine_.wave().pair(state_index::exec);
  read_values(machine_, step.accesses().reads, read_);
  read_vectors(machine_, step.accesses().vectors_read, vectors_read_);
  if (!before_) return;
  machine_.run_exactly(0);
  // The run ended before the instruction was executed.
  if (machine_.stopped()) return;
  InstructionInputs inputs;
  fill_inputs(inputs, machine_.steps() + 1, step);
  before_(inputs);
}

/// Fills in the part of an event that is known before its instruction executes.
void Tracer::fill_inputs(InstructionInputs& inputs, u64 number, const ObservedStep& step) const {
  inputs.step = number;
  inputs.pc = step.pc;
  inputs.generation = machine_.generation();
  inputs.words = step.known.words();
  inputs.mnemonic = step.known.mnemonic();
  inputs.text = step.known.text();
  inputs.read = read_;
  inputs.vectors_read = vectors_read_;
}

void Tracer::after(ObservedStep& step) {
  if (!trace_ || step.executed == 0) return;
  const u64 next = machine_.pc();
  // An instruction that jumped out of the code has had all its effects.
  const bool faulted = machine_.stopped() && is_fault(machine_.stop_reason()) && next == step.pc;
  read_values(machine_, faulted ? std::span<const Location>() : step.writes(), written_);
  read_vectors(machine_, faulted ? std::span<const Accesses::Lanes>() : step.accesses().vectors_written,
               vectors_written_);
  TraceEvent event;
  fill_inputs(event, machine_.steps(), step);
  event.next_pc = next;
  event.written = written_;
  event.vectors_written = vectors_written_;
  event.stack = stack_step(step);
  event.warnings = std::span(machine_.warnings()).subspan(step.first_warning);
  event.skipped = step.skipped;
  trace_(event);
}

/// The effect of a fork or a join on the control stack; `none` for other instructions.
StackStep Tracer::stack_step(const ObservedStep& observed) const {
  using StepKind = StackStep::Kind;
  const bool is_fork = observed.known.flow() == isa::Flow::fork;
  if (!is_fork && observed.known.flow() != isa::Flow::join) return {};
  const core::Wave& wave = machine_.wave();
  StackStep step{machine_.steps(), observed.pc, machine_.pc(), exec_, wave.pair(state_index::exec),
                 observed.csp,     wave.csp()};
  if (wave.csp() == observed.csp) {
    step.kind = is_fork ? StepKind::whole : StepKind::go_on;
    return step;
  }
  step.kind = is_fork ? StepKind::push : StepKind::pop;
  // A pop does not change the entry's registers, so the entry can still be read; from s[0:1] if it is beyond the
  // allocation.
  const u32 entry = step.entry() * 4;
  const bool is_there = wave.in_allocation(entry, 4);
  step.entry_exec = wave.pair(is_there ? entry : 0);
  step.entry_pc = wave.pair(is_there ? entry + 2 : 0);
  return step;
}

}  // namespace salu::observe
