#include <salu/run.hpp>

#include <algorithm>
#include <string>

#include "core/accesses.hpp"
#include "core/compiler.hpp"
#include "core/machine.hpp"
#include "core/text.hpp"

namespace salu {
namespace {

using core::Accesses;
using core::Location;
using core::Machine;

/// Runs one instruction at a time, through the same handlers, and looks at each: for --trace and --check-undefined.
class ObservedRun {
 public:
  ObservedRun(Machine& machine, const RunOptions& options, const WaveState& initial)
      : machine_(machine), options_(options), defined_(initial.defined) {}

  u64 run() {
    u64 steps = 0;
    while (steps < options_.max_steps && !machine_.stopped()) steps += step(steps + 1);
    // Whoever used up the limit may have come to the end of the function, or of the code, all the same.
    machine_.run_exactly(0);
    return steps;
  }

 private:
  u64 step(u64 number) {
    const u64 pc = machine_.pc();
    const auto instruction = machine_.instruction_at(pc);
    if (!instruction) return machine_.run_exactly(1);
    const Accesses accesses = core::find_accesses(machine_, *instruction);
    const std::size_t warnings_before = machine_.warnings().size();
    if (options_.check_undefined) check_reads(pc, accesses);
    std::string reads;
    if (options_.trace) reads = list(accesses.reads, {});
    const u32 csp_before = csp();
    const u64 executed = machine_.run_exactly(1);
    const std::vector<Location> writes = written(*instruction, accesses, csp_before);
    for (const Location& location : writes) {
      for (const u32 index : core::defined_indices(machine_.generation(), location)) defined_.set(index);
    }
    // Nothing ran when PC is the end of the function.
    if (options_.trace && executed != 0) report(number, pc, *instruction, writes, reads, csp_before, warnings_before);
    return executed;
  }

  void check_reads(u64 pc, const Accesses& accesses) {
    for (const Location& location : accesses.reads) {
      for (const u32 index : core::defined_indices(machine_.generation(), location)) {
        if (defined_.test(index)) continue;
        const std::string name = core::describe(machine_, location);
        machine_.warn(WarningKind::undefined_read, pc,
                      name.substr(0, name.find('=')) + " is read, but nothing has written it");
        break;
      }
    }
  }

  std::string list(const std::vector<Location>& locations, std::string text) {
    for (const Location& location : locations) {
      if (!text.empty()) text += ' ';
      text += core::describe(machine_, location);
    }
    return text;
  }

  [[nodiscard]] u32 csp() const { return machine_.mode >> mode_bit::csp; }
  [[nodiscard]] u64 register_pair(u32 code) const { return machine_.peek(code) | u64{machine_.peek(code + 1)} << 32; }

  void report(u64 number, u64 pc, const isa::Instruction& instruction, const std::vector<Location>& locations,
              const std::string& reads, u32 csp_before, std::size_t warnings_before) {
    const u64 next = machine_.stopped() ? machine_.stop().pc : machine_.pc();
    std::string writes;
    if (!machine_.stopped() || !is_fault(machine_.stop().reason)) writes = list(locations, {});
    const bool fell_through = next == pc + u64{instruction.dwords} * 4 || next == pc;
    if (!fell_through) writes += (writes.empty() ? "pc=" : " pc=") + core::hex(next);
    std::string note = stack_note(instruction, csp_before);
    for (std::size_t i = warnings_before; i < machine_.warnings().size(); ++i) {
      const Warning& warning = machine_.warnings()[i];
      if (!note.empty()) note += "; ";
      note += std::string(warning_kind_name(warning.kind)) + ": " + warning.detail;
    }
    const std::string text = machine_.text_of(instruction, pc);
    options_.trace({number, pc, text, reads, writes, note});
  }

  /// The possible writes without those of a fork that did not split.
  [[nodiscard]] std::vector<Location> written(const isa::Instruction& instruction, const Accesses& accesses,
                                              u32 csp_before) const {
    const bool may_push = (isa::info(instruction.insn).effects.writes & isa::effect::stack) != 0;
    return may_push && csp() == csp_before ? std::vector<Location>{} : accesses.writes;
  }

  /// What a fork or a join did with the control stack; empty for everything else.
  [[nodiscard]] std::string stack_note(const isa::Instruction& instruction, u32 csp_before) const {
    if (instruction.encoding != isa::EncodingClass::scalar) return {};
    const auto& effects = isa::info(instruction.insn).effects;
    if ((effects.reads & isa::effect::csp) == 0) return {};
    const bool is_fork = (effects.writes & isa::effect::stack) != 0;
    const std::string exec = "exec=" + core::hex(register_pair(code::exec), 16);
    if (csp() == csp_before) {
      return is_fork ? "fork: all lanes on one side, " + exec
                     : "join: CSP=" + std::to_string(csp()) + " as before the fork, go on";
    }
    // A pop leaves the entry's registers as they are, so the entry can still be read there.
    const u32 entry = is_fork ? csp_before : csp();
    const std::string stacked = "entry " + std::to_string(entry) + " {exec=" + core::hex(register_pair(entry * 4), 16) +
                                ", pc=" + core::hex(register_pair(entry * 4 + 2)) + "}";
    return (is_fork ? "fork: push " : "join: pop ") + stacked + ", go on with " + exec;
  }

  Machine& machine_;
  const RunOptions& options_;
  core::DefinedSet defined_;
};

}  // namespace

bool has_dispatch(Dispatch dispatch) { return dispatch != Dispatch::tail_calls || SALU_HAS_TAIL_CALLS != 0; }

Outcome run(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options) {
  Machine machine(program, options.dispatch);
  machine.set_strict(options.strict);
  machine.set_on_vector(options.on_vector);
  machine.set_clock(options.clock);
  machine.set_memory(memory);
  machine.set_state(initial);
  const bool observed = options.trace || options.check_undefined;
  Outcome outcome;
  outcome.steps = observed ? ObservedRun(machine, options, initial).run() : machine.run(options.max_steps);
  if (machine.stopped()) {
    outcome.stop = machine.stop();
  } else {
    const u64 pc = machine.pc();
    outcome.stop = {StopReason::step_limit, std::nullopt, pc, machine.text_at(pc),
                    "the limit of " + std::to_string(options.max_steps) + " steps is reached"};
  }
  outcome.skipped_vector = machine.skipped_vector();
  outcome.warnings = machine.warnings();
  outcome.state = machine.state();
  outcome.memory = machine.memory();
  return outcome;
}

}  // namespace salu
