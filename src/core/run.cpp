#include <salu/run.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/accesses.hpp"
#include "core/compiler.hpp"
#include "core/machine.hpp"
#include "core/text.hpp"

namespace salu {
namespace {

using core::Accesses;
using core::Machine;

/// True when an undefined value that this instruction reads makes more than its result undefined: where the program
/// goes on, which register or which memory it touches, or state that is not tracked.
bool decides(const isa::Instruction& instruction) {
  using namespace isa::effect;
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  constexpr isa::EffectSet tracked = scc | exec | vcc | m0;
  const isa::Effects& effects = isa::info(instruction.insn).effects;
  return (effects.writes & ~tracked) != 0 || ((effects.reads | effects.writes) & (relative | memory | gpr_idx_en)) != 0;
}

/// Runs one instruction at a time, through the same handlers, and looks at each: for --trace and --check-undefined, and
/// where a vector instruction that is passed over leaves scalar registers undefined.
class ObservedRun {
 public:
  /// `steps`: how many the machine has executed already.
  ObservedRun(Machine& machine, const RunOptions& options, const WaveState& initial, u64 steps)
      : machine_(machine), options_(options), defined_(initial.defined), steps_(steps) {}

  u64 run() {
    while (steps_ < options_.max_steps && !machine_.stopped()) steps_ += step(steps_ + 1);
    // Whoever used up the limit may have come to the end of the function, or of the code, all the same.
    machine_.run_exactly(0);
    return steps_;
  }

  /// What the vector instructions that were passed over would have written, and what was computed from it.
  [[nodiscard]] const core::DefinedSet& missing() const { return missing_; }

 private:
  u64 step(u64 number) {
    const u64 pc = machine_.pc();
    const auto instruction = machine_.instruction_at(pc);
    if (!instruction) return machine_.run_exactly(1);
    const bool is_vector = instruction->encoding == isa::EncodingClass::vector;
    const bool vskip = (machine_.mode >> mode_bit::vskip & 1) != 0;
    const Accesses accesses = core::find_accesses(machine_, *instruction);
    const std::size_t warnings_before = machine_.warnings().size();
    const std::optional<u64> culprit = find_missing(accesses);
    if (culprit && (options_.check_undefined || decides(*instruction))) warn_of_missing(pc, accesses, *culprit);
    if (options_.check_undefined) check_reads(pc, accesses);
    std::vector<LocationValue> reads;
    if (options_.trace) reads = values_at(accesses.reads);
    const u32 csp_before = csp();
    const u64 executed = machine_.run_exactly(1);
    const std::vector<Location> writes = written(*instruction, accesses, csp_before);
    for (const Location& location : writes) {
      for (const u32 index : indices(location)) {
        defined_.set(index);
        set_missing(index, culprit);
      }
    }
    const bool skipped = is_vector && executed != 0 && !machine_.stopped();
    if (skipped && !vskip) lose_results(pc);
    // Nothing ran when PC is the end of the function.
    if (options_.trace && executed != 0) {
      const std::string note =
          skipped ? (vskip ? "skipped by VSKIP" : "skipped") : stack_note(*instruction, csp_before);
      report(number, pc, *instruction, reads, writes, note, warnings_before);
    }
    return executed;
  }

  [[nodiscard]] std::vector<u32> indices(const Location& location) const {
    return core::defined_indices(machine_.generation(), location);
  }

  /// Address of the vector instruction whose result one of these reads lacks.
  [[nodiscard]] std::optional<u64> find_missing(const Accesses& accesses) const {
    if (missing_.none()) return std::nullopt;
    for (const Location& location : accesses.reads) {
      for (const u32 index : indices(location)) {
        if (missing_.test(index)) return culprits_[index];
      }
    }
    return std::nullopt;
  }

  void set_missing(u32 index, std::optional<u64> culprit) {
    missing_.set(index, culprit.has_value());
    culprits_[index] = culprit.value_or(0);
  }

  void lose_results(u64 pc) {
    for (const isa::RegisterSpan& span : machine_.scalar_results_at(pc)) {
      for (u32 code = span.code; code < u32{span.code} + span.dwords; ++code) set_missing(code, pc);
    }
  }

  void warn_of_missing(u64 pc, const Accesses& accesses, u64 culprit) {
    machine_.warn(WarningKind::undefined_read, pc, [&] {
      std::string text = machine_.text_at(culprit) + " at " + core::hex(culprit) +
                         " was skipped, and this instruction depends on what it writes";
      for (const Location& location : accesses.reads) {
        const std::vector<u32> all = indices(location);
        if (std::ranges::any_of(all, [this](u32 index) { return missing_.test(index); })) {
          return core::location_name(machine_.generation(), location) + " is undefined: " + text;
        }
      }
      return text;
    });
  }

  void check_reads(u64 pc, const Accesses& accesses) {
    for (const Location& location : accesses.reads) {
      for (const u32 index : indices(location)) {
        if (defined_.test(index) || missing_.test(index)) continue;
        machine_.warn(WarningKind::undefined_read, pc, [&] {
          return core::location_name(machine_.generation(), location) + " is read, but nothing has written it";
        });
        break;
      }
    }
  }

  [[nodiscard]] std::vector<LocationValue> values_at(const std::vector<Location>& locations) const {
    std::vector<LocationValue> values;
    for (const Location& location : locations) values.push_back(core::value_at(machine_, location));
    return values;
  }

  [[nodiscard]] std::string text_of(const std::vector<LocationValue>& values) const {
    std::string text;
    for (const LocationValue& value : values) {
      if (!text.empty()) text += ' ';
      text += core::describe(machine_.generation(), value);
    }
    return text;
  }

  [[nodiscard]] u32 csp() const { return machine_.mode >> mode_bit::csp; }
  [[nodiscard]] u64 register_pair(u32 code) const { return machine_.peek(code) | u64{machine_.peek(code + 1)} << 32; }

  void report(u64 number, u64 pc, const isa::Instruction& instruction, const std::vector<LocationValue>& reads,
              const std::vector<Location>& locations, std::string note, std::size_t warnings_before) {
    const u64 next = machine_.stopped() ? machine_.stop().pc : machine_.pc();
    const bool faulted = machine_.stopped() && is_fault(machine_.stop_reason());
    std::vector<LocationValue> writes;
    if (!faulted) writes = values_at(locations);
    std::string write_text = text_of(writes);
    const bool fell_through = next == pc + u64{instruction.dwords} * 4 || next == pc;
    if (!fell_through) write_text += (write_text.empty() ? "pc=" : " pc=") + core::hex(next);
    for (std::size_t i = warnings_before; i < machine_.warnings().size(); ++i) {
      const Warning& warning = machine_.warnings()[i];
      if (!note.empty()) note += "; ";
      note += std::string(warning_kind_name(warning.kind)) + ": " + warning.detail;
    }
    const std::string text = machine_.text_of(instruction, pc);
    options_.trace({number, pc, text, text_of(reads), write_text, note, reads, writes, next});
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
  core::DefinedSet missing_;
  std::array<u64, defined_index::count> culprits_{};  ///< where the instruction is whose result is missing
  u64 steps_;
};

/// Makes registers undefined: what the run went on with in their place means nothing.
void forget_values(WaveState& state, const core::DefinedSet& registers) {
  for (u32 code = 0; code < code::count; ++code) {
    if (registers.test(code)) state.file[code] = 0;
  }
  if (registers.test(defined_index::scc)) state.scc = false;
  state.defined &= ~registers;
}

}  // namespace

bool is_lost(const Outcome& outcome, const RegisterName& name) {
  if (name.kind == RegisterName::Kind::scc) return outcome.lost.test(defined_index::scc);
  if (name.kind != RegisterName::Kind::file) return false;
  for (u32 code = name.first; code < name.first + name.width / 32U; ++code) {
    if (outcome.lost.test(code)) return true;
  }
  return false;
}

bool has_dispatch(Dispatch dispatch) { return dispatch != Dispatch::tail_calls || SALU_HAS_TAIL_CALLS != 0; }

Outcome run(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options) {
  Machine machine(program, options.dispatch);
  machine.set_strict(options.strict);
  machine.set_on_vector(options.on_vector);
  machine.set_clock(options.clock);
  machine.set_memory(memory);
  machine.set_state(initial);
  bool observed = options.trace || options.check_undefined;
  Outcome outcome;
  if (!observed) {
    machine.set_pause_at_scalar_results(options.on_vector == OnVector::skip);
    outcome.steps = machine.run(options.max_steps);
    observed = options.on_vector == OnVector::skip;
  }
  core::DefinedSet missing;
  if (observed) {
    ObservedRun run(machine, options, initial, outcome.steps);
    outcome.steps = run.run();
    missing = run.missing();
  }
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
  forget_values(outcome.state, missing);
  outcome.lost = missing;
  outcome.memory = machine.memory();
  if (options.coverage) {
    machine.visit_executed([&](u64 address) { outcome.executed.push_back(address); });
    std::ranges::sort(outcome.executed);
    const auto repeated = std::ranges::unique(outcome.executed);
    outcome.executed.erase(repeated.begin(), repeated.end());
  }
  return outcome;
}

}  // namespace salu
