#include "observe/observed_run.hpp"

#include <algorithm>
#include <utility>

#include "support/numbers.hpp"

namespace salu::observe {
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

ObservedRun::ObservedRun(core::Machine& machine, Options options, const core::DefinedSet& defined)
    : machine_(machine), options_(std::move(options)) {
  tracking_.defined = defined;
}

void ObservedRun::run(u64 max_steps) {
  while (machine_.steps() < max_steps && !machine_.stopped()) step();
  // Whoever used up the limit may have come to the end of the function, or of the code, all the same.
  machine_.run_exactly(0);
}

ObservedRun::Known ObservedRun::look_at(std::span<const u32> words) const {
  Known known;
  known.word_count = static_cast<u32>(std::min(words.size(), known.words.size()));
  std::copy_n(words.begin(), known.word_count, known.words.begin());
  known.instruction = isa::decode(machine_.generation(), words);
  known.fixed = has_fixed_accesses(machine_.generation(), known.instruction);
  known.decides = decides(known.instruction);
  if (known.instruction.encoding == isa::EncodingClass::scalar) {
    const isa::Effects& effects = isa::info(known.instruction.insn).effects;
    known.touches_csp = (effects.reads & isa::effect::csp) != 0;
    known.pushes = (effects.writes & isa::effect::stack) != 0;
  }
  if (!known.fixed) return known;
  known.accesses = find_accesses(machine_, known.instruction);
  for (const Location& location : known.accesses.writes) {
    visit_defined_indices(machine_.generation(), location, [&known](u32 index) { known.defines.set(index); });
  }
  return known;
}

/// The instruction at an address, looked at anew where the code has changed; null where there is none.
const ObservedRun::Known* ObservedRun::known_at(u64 pc) {
  constexpr std::size_t most_known = 1 << 16;
  const std::span<const u32> words = machine_.words_at(pc);
  if (words.empty()) return nullptr;
  if (machine_.allocated_sgprs() != known_sgprs_ || known_.size() >= most_known) {
    known_.clear();
    known_sgprs_ = machine_.allocated_sgprs();
  }
  Known& known = known_[pc];
  const bool same = known.word_count == std::min(words.size(), known.words.size()) && known.words[0] == words[0] &&
                    (known.word_count == 1 || known.words[1] == words[1]);
  if (!same) known = look_at(words);
  if (options_.trace && known.text.empty()) known.text = machine_.text_of(known.instruction, pc);
  return &known;
}

u64 ObservedRun::step() {
  const u64 pc = machine_.pc();
  const Known* const known = known_at(pc);
  if (known == nullptr) return machine_.run_exactly(1);
  const bool is_vector = known->instruction.encoding == isa::EncodingClass::vector;
  const bool vskip = (machine_.mode >> mode_bit::vskip & 1) != 0;
  if (!known->fixed) find_accesses(machine_, known->instruction, accesses_);
  const Accesses& accesses = known->fixed ? known->accesses : accesses_;
  const std::size_t warnings_before = machine_.warnings().size();
  const std::optional<u64> culprit = find_missing(accesses);
  if (culprit && (options_.check_undefined || known->decides)) warn_of_missing(pc, accesses, *culprit);
  if (options_.check_undefined) check_reads(pc, accesses);
  if (options_.trace) read_values(accesses.reads, read_);
  const u32 csp_before = csp();
  const u64 executed = machine_.run_exactly(1);
  // A fork that did not split wrote nothing of what it may write.
  const bool wrote = !known->pushes || csp() != csp_before;
  const std::span<const Location> writes = wrote ? std::span<const Location>(accesses.writes) : std::span<Location>();
  define(*known, writes, culprit);
  const bool skipped = is_vector && executed != 0 && !machine_.stopped();
  if (skipped && !vskip) lose_results(pc);
  // Nothing ran when PC is the end of the function.
  if (options_.trace && executed != 0) {
    report(pc, *known, writes, skipped ? (vskip ? "skipped by VSKIP" : "skipped") : stack_note(*known, csp_before),
           warnings_before);
  }
  return executed;
}

/// Takes down that an instruction has written to these places.
void ObservedRun::define(const Known& known, std::span<const Location> writes, std::optional<u64> culprit) {
  if (known.fixed && !culprit && tracking_.missing.none()) {
    tracking_.defined |= known.defines;
    return;
  }
  for (const Location& location : writes) {
    visit_defined_indices(machine_.generation(), location, [this, culprit](u32 index) {
      tracking_.defined.set(index);
      set_missing(index, culprit);
    });
  }
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
    std::string text = machine_.text_at(culprit) + " at " + support::hex(culprit) +
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

void ObservedRun::read_values(std::span<const Location> locations, std::vector<LocationValue>& values) const {
  values.clear();
  for (const Location& location : locations) values.push_back(value_at(machine_, location));
}

void ObservedRun::write_text(std::span<const LocationValue> values, support::TextBuffer& text) {
  text.clear();
  for (const LocationValue& value : values) {
    if (!text.empty()) text.append(' ');
    append_value(text, names_.of(machine_.generation(), value.location), value);
  }
}

void ObservedRun::report(u64 pc, const Known& known, std::span<const Location> locations, std::string note,
                         std::size_t warnings_before) {
  const u64 next = machine_.pc();
  // What led out of the code has done all that it does.
  const bool faulted = machine_.stopped() && is_fault(machine_.stop_reason()) && next == pc;
  read_values(faulted ? std::span<const Location>() : locations, written_);
  write_text(read_, reads_text_);
  write_text(written_, writes_text_);
  const bool fell_through = next == pc + u64{known.instruction.dwords} * 4 || next == pc;
  if (!fell_through) {
    writes_text_.append(writes_text_.empty() ? "pc=" : " pc=");
    writes_text_.append_hex(next);
  }
  for (std::size_t i = warnings_before; i < machine_.warnings().size(); ++i) {
    const Warning& warning = machine_.warnings()[i];
    if (!note.empty()) note += "; ";
    note += std::string(warning_kind_name(warning.kind)) + ": " + warning.detail;
  }
  options_.trace({machine_.steps(), pc, known.text, reads_text_.view(), writes_text_.view(), note, read_, written_,
                  next, std::span(known.words).first(std::min<u32>(known.instruction.dwords, known.word_count))});
}

/// What a fork or a join did with the control stack; empty for everything else.
std::string ObservedRun::stack_note(const Known& known, u32 csp_before) const {
  if (!known.touches_csp) return {};
  const std::string exec = "exec=" + support::hex(register_pair(code::exec), 16);
  if (csp() == csp_before) {
    return known.pushes ? "fork: all lanes on one side, " + exec
                        : "join: CSP=" + std::to_string(csp()) + " as before the fork, go on";
  }
  // A pop leaves the entry's registers as they are, so the entry can still be read there.
  const u32 entry = known.pushes ? csp_before : csp();
  const std::string stacked = "entry " + std::to_string(entry) +
                              " {exec=" + support::hex(register_pair(entry * 4), 16) +
                              ", pc=" + support::hex(register_pair(entry * 4 + 2)) + "}";
  return (known.pushes ? "fork: push " : "join: pop ") + stacked + ", go on with " + exec;
}

}  // namespace salu::observe
