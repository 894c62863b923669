#include "core/observed_run.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

namespace salu::core {
namespace {

/// True when an undefined value that this instruction reads makes more than its result undefined: where the program
/// goes on, which register or which memory it touches, or state that is not tracked.
bool decides(const isa::Instruction& instruction) {
  using namespace isa::effect;
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  constexpr isa::EffectSet tracked = scc | exec | vcc | m0;
  const isa::Effects& effects = isa::info(instruction.insn).effects;
  return (effects.writes & ~tracked) != 0 || ((effects.reads | effects.writes) & (relative | memory | gpr_idx_en)) != 0;
}

}  // namespace

ObservedRun::ObservedRun(Machine& machine, Options options, const DefinedSet& defined)
    : machine_(machine), options_(std::move(options)) {
  tracking_.defined = defined;
}

void ObservedRun::run(u64 max_steps) {
  while (machine_.steps() < max_steps && !machine_.stopped()) step();
  // Whoever used up the limit may have come to the end of the function, or of the code, all the same.
  machine_.run_exactly(0);
}

u64 ObservedRun::step() {
  const u64 pc = machine_.pc();
  const auto instruction = machine_.instruction_at(pc);
  if (!instruction) return machine_.run_exactly(1);
  const bool is_vector = instruction->encoding == isa::EncodingClass::vector;
  const bool vskip = (machine_.mode >> mode_bit::vskip & 1) != 0;
  const Accesses accesses = find_accesses(machine_, *instruction);
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
      tracking_.defined.set(index);
      set_missing(index, culprit);
    }
  }
  const bool skipped = is_vector && executed != 0 && !machine_.stopped();
  if (skipped && !vskip) lose_results(pc);
  // Nothing ran when PC is the end of the function.
  if (options_.trace && executed != 0) {
    const std::string note = skipped ? (vskip ? "skipped by VSKIP" : "skipped") : stack_note(*instruction, csp_before);
    report(pc, *instruction, reads, writes, note, warnings_before);
  }
  return executed;
}

/// Address of the vector instruction whose result one of these reads lacks.
std::optional<u64> ObservedRun::find_missing(const Accesses& accesses) const {
  if (tracking_.missing.none()) return std::nullopt;
  for (const Location& location : accesses.reads) {
    for (const u32 index : indices(location)) {
      if (tracking_.missing.test(index)) return tracking_.culprits[index];
    }
  }
  return std::nullopt;
}

void ObservedRun::set_missing(u32 index, std::optional<u64> culprit) {
  tracking_.missing.set(index, culprit.has_value());
  tracking_.culprits[index] = culprit.value_or(0);
}

void ObservedRun::lose_results(u64 pc) {
  for (const isa::RegisterSpan& span : machine_.scalar_results_at(pc)) {
    for (u32 code = span.code; code < u32{span.code} + span.dwords; ++code) set_missing(code, pc);
  }
}

void ObservedRun::warn_of_missing(u64 pc, const Accesses& accesses, u64 culprit) {
  machine_.warn(WarningKind::undefined_read, pc, [&] {
    std::string text = machine_.text_at(culprit) + " at " + hex(culprit) +
                       " was skipped, and this instruction depends on what it writes";
    for (const Location& location : accesses.reads) {
      const std::vector<u32> all = indices(location);
      if (std::ranges::any_of(all, [this](u32 index) { return tracking_.missing.test(index); })) {
        return location_name(machine_.generation(), location) + " is undefined: " + text;
      }
    }
    return text;
  });
}

void ObservedRun::check_reads(u64 pc, const Accesses& accesses) {
  for (const Location& location : accesses.reads) {
    for (const u32 index : indices(location)) {
      if (tracking_.defined.test(index) || tracking_.missing.test(index)) continue;
      machine_.warn(WarningKind::undefined_read, pc, [&] {
        return location_name(machine_.generation(), location) + " is read, but nothing has written it";
      });
      break;
    }
  }
}

std::vector<LocationValue> ObservedRun::values_at(const std::vector<Location>& locations) const {
  std::vector<LocationValue> values;
  for (const Location& location : locations) values.push_back(value_at(machine_, location));
  return values;
}

std::string ObservedRun::text_of(const std::vector<LocationValue>& values) const {
  std::string text;
  for (const LocationValue& value : values) {
    if (!text.empty()) text += ' ';
    text += describe(machine_.generation(), value);
  }
  return text;
}

void ObservedRun::report(u64 pc, const isa::Instruction& instruction, const std::vector<LocationValue>& reads,
                         const std::vector<Location>& locations, std::string note, std::size_t warnings_before) const {
  const u64 next = machine_.stopped() ? machine_.stop().pc : machine_.pc();
  const bool faulted = machine_.stopped() && is_fault(machine_.stop_reason());
  std::vector<LocationValue> writes;
  if (!faulted) writes = values_at(locations);
  std::string write_text = text_of(writes);
  const bool fell_through = next == pc + u64{instruction.dwords} * 4 || next == pc;
  if (!fell_through) write_text += (write_text.empty() ? "pc=" : " pc=") + hex(next);
  for (std::size_t i = warnings_before; i < machine_.warnings().size(); ++i) {
    const Warning& warning = machine_.warnings()[i];
    if (!note.empty()) note += "; ";
    note += std::string(warning_kind_name(warning.kind)) + ": " + warning.detail;
  }
  const std::string text = machine_.text_of(instruction, pc);
  options_.trace({machine_.steps(), pc, text, text_of(reads), write_text, note, reads, writes, next});
}

/// The possible writes without those of a fork that did not split.
std::vector<Location> ObservedRun::written(const isa::Instruction& instruction, const Accesses& accesses,
                                           u32 csp_before) const {
  const bool may_push = (isa::info(instruction.insn).effects.writes & isa::effect::stack) != 0;
  return may_push && csp() == csp_before ? std::vector<Location>{} : accesses.writes;
}

/// What a fork or a join did with the control stack; empty for everything else.
std::string ObservedRun::stack_note(const isa::Instruction& instruction, u32 csp_before) const {
  if (instruction.encoding != isa::EncodingClass::scalar) return {};
  const auto& effects = isa::info(instruction.insn).effects;
  if ((effects.reads & isa::effect::csp) == 0) return {};
  const bool is_fork = (effects.writes & isa::effect::stack) != 0;
  const std::string exec = "exec=" + hex(register_pair(code::exec), 16);
  if (csp() == csp_before) {
    return is_fork ? "fork: all lanes on one side, " + exec
                   : "join: CSP=" + std::to_string(csp()) + " as before the fork, go on";
  }
  // A pop leaves the entry's registers as they are, so the entry can still be read there.
  const u32 entry = is_fork ? csp_before : csp();
  const std::string stacked = "entry " + std::to_string(entry) + " {exec=" + hex(register_pair(entry * 4), 16) +
                              ", pc=" + hex(register_pair(entry * 4 + 2)) + "}";
  return (is_fork ? "fork: push " : "join: pop ") + stacked + ", go on with " + exec;
}

}  // namespace salu::core
