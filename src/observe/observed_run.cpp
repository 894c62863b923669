#include "observe/observed_run.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "isa/operand.hpp"
#include "isa/table.hpp"
#include "observe/vector_accesses.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
ObservedRun::ObservedRun(core::Machine& machine, Options options, const WaveState& initial)
    : machine_(machine), options_(std::move(options)) {
  tracking_.defined = initial.defined;
  if (options_.check_undefined == CheckUndefined::bits) tracking_.undefined.emplace(initial, options_.uninitialised);
  if (options_.follows_inexact) tracking_.inexact.emplace(undefined::State::of_inexact());
  if (options_.check_hazards) hazards_.emplace(machine, options_.xnack);
}

std::optional<Affected> ObservedRun::affected() const {
  if (!tracking_.inexact) return std::nullopt;
  const undefined::State& inexact = *tracking_.inexact;
  return Affected{inexact.affects_control_flow, inexact.affects_address, undefined::followed_places(inexact, machine_)};
}

void ObservedRun::end(const RunOptions& compared, Outcome& outcome) {
  if (!tracking_.undefined) return;
  undefined::check_results(*tracking_.undefined, machine_, compared.compared);
  undefined::check_memory(*tracking_.undefined, machine_, compared.compared_memory);
  check_outputs(compared.compared_memory, compared.named_memory);
  outcome.undefined_bits = undefined::undefined_bits(*tracking_.undefined);
  outcome.undefined_memory = undefined::undefined_memory(*tracking_.undefined);
}

void ObservedRun::check_outputs(std::span<const MemoryRegion> compared, std::span<const NamedMemory> names) {
  const bool is_complete = machine_.stopped() && is_regular_end(machine_.stop_reason());
  if (tracking_.undefined && is_complete) undefined::check_outputs(*tracking_.undefined, machine_, compared, names);
}

/// Whether the one check alone looks at the run: each has a way of its own to pass over what cannot matter to it.
bool ObservedRun::watches_hazards_alone() const {
  return hazards_ && !options_.trace && options_.check_undefined == CheckUndefined::off && !tracking_.inexact &&
         machine_.on_vector() != OnVector::skip;
}

/// Whether what there is to see can be told from the words of an instruction.
bool ObservedRun::passes_over() const {
  return !options_.trace && (follows_any() || hazards_ || options_.check_undefined == CheckUndefined::reads);
}

undefined::ScalarSet ObservedRun::followed_scalars() const {
  undefined::ScalarSet scalars;
  if (tracking_.undefined) scalars |= tracking_.undefined->shadow.touched();
  if (tracking_.inexact) scalars |= tracking_.inexact->shadow.touched();
  const bool checks_reads = options_.check_undefined == CheckUndefined::reads;
  if (tracking_.missing.none() && !checks_reads) return scalars;
  for (u32 index = 0; index < state_index::defined_count; ++index) {
    if (tracking_.missing.test(index) || (checks_reads && !tracking_.defined.test(index))) scalars.set(index);
  }
  return scalars;
}

bool ObservedRun::follows_memory() const {
  return (tracking_.undefined && !tracking_.undefined->shadow.is_memory_defined()) ||
         (tracking_.inexact && !tracking_.inexact->shadow.is_memory_defined());
}

void ObservedRun::run(u64 max_steps) {
  if (watches_hazards_alone()) hazards_->run(max_steps);
  if (passes_over()) run_to_what_matters(max_steps);
  while (machine_.steps() < max_steps && !machine_.stopped()) step();
  // Whoever used up the limit may have come to the end of the function, or of the code, all the same.
  machine_.run_exactly(0);
}

/// The instruction at an address, looked at anew where the code has changed; null where there is none.
const KnownInstruction* ObservedRun::known_at(u64 pc) {
  constexpr std::size_t most_known = 1 << 16;
  const std::span<const u32> words = machine_.code().words_at(pc);
  if (words.empty()) return nullptr;
  if (machine_.wave().allocation() != known_allocation_ || known_.size() >= most_known) {
    known_.clear();
    std::ranges::fill(sites_, Site());
    vector_accesses_.clear();
    blocks_.clear();
    known_allocation_ = machine_.wave().allocation();
  }
  KnownInstruction& known = known_[pc];
  if (!known.is_still(words)) known = KnownInstruction(machine_, pc, words);
  return &known;
}

/// Whether the run may end in front of the instruction that stands there.
bool ObservedRun::may_end_at(u64 pc) const { return machine_.steps() == 0 || is_end(pc); }

bool ObservedRun::is_end(u64 pc) const {
  const Program& program = machine_.code().program();
  return program.function_end == pc || program.return_address == pc ||
         (program.kernel_end && program.kernel_end->address == pc);
}

u64 ObservedRun::step() {
  const std::size_t warnings = machine_.warnings().size();
  if (hazards_) hazards_->begin_step();
  const u64 executed = observe_step(warnings);
  if (hazards_) hazards_->end_step(executed != 0);
  return executed;
}

/// `warnings`: how many there were before the step.
u64 ObservedRun::observe_step(std::size_t warnings) {
  const u64 pc = machine_.pc();
  const KnownInstruction* const known = known_at(pc);
  if (known == nullptr) return machine_.run_exactly(1);
  const bool is_vector = known->instruction().encoding == isa::EncodingClass::vector;
  const bool vskip = machine_.wave().vskip();
  const Accesses* accesses = known->fixed_accesses();
  const Assumption* const assumed = is_vector && vskip ? nullptr : machine_.code().program().find_assumption(pc);
  const bool runs_vector = assumed == nullptr && known->vector() != nullptr && machine_.executes_vectors();
  if (assumed != nullptr) {
    find_accesses(machine_, *assumed, accesses_);
    accesses = &accesses_;
  } else if (runs_vector) {
    accesses_.clear();
    find_accesses(machine_, *known->vector(), accesses_);
    accesses = &accesses_;
  } else if (accesses == nullptr) {
    find_accesses(machine_, known->instruction(), accesses_);
    accesses = &accesses_;
  }
  Before before{0, csp(), warnings};
  const bool checks_reads = options_.check_undefined == CheckUndefined::reads;
  if ((follows_any() || checks_reads) && may_end_at(pc)) {
    machine_.run_exactly(0);
    if (machine_.stopped()) return 0;
  }
  const std::optional<u64> culprit = find_missing(*accesses);
  if (culprit && (checks_reads || known->decides())) warn_of_missing(pc, *accesses, *culprit);
  if (checks_reads) check_reads(pc, *accesses);
  for_followed([&](undefined::State& state) {
    undefined::advance(state, machine_, {pc, *known, *accesses, runs_vector, assumed});
  });
  if (options_.trace) {
    before.exec = register_pair(code::exec);
    read_values(accesses->reads, read_);
    read_vectors(accesses->vectors_read, vectors_read_);
  }
  const u64 executed = execute_one();
  if (!machine_.misuses().empty() && options_.explain_misuse) options_.explain_misuse();
  // A fork that did not split wrote nothing of what it may write.
  const bool wrote = known->flow() != isa::Flow::fork || csp() != before.csp;
  const std::span<const Location> writes = wrote ? std::span<const Location>(accesses->writes) : std::span<Location>();
  const bool is_fixed = known->fixed_accesses() != nullptr && !runs_vector && assumed == nullptr;
  define(is_fixed ? &known->defines() : nullptr, writes, culprit);
  const bool skipped = is_vector && !runs_vector && assumed == nullptr && executed != 0 && !machine_.stopped();
  if (skipped && !vskip) lose_results(pc);
  // Nothing ran when PC is the end of the function.
  if (options_.trace && executed != 0) {
    using Skipped = TraceEvent::Skipped;
    report(pc, *known, *accesses, writes,
           !skipped ? Skipped::no
           : vskip  ? Skipped::by_vskip
                    : Skipped::by_option,
           before);
  }
  return executed;
}

/// Executes an instruction, and takes down what going to a trap handler after it writes.
u64 ObservedRun::execute_one() {
  const u64 traps = machine_.traps_entered();
  const u64 executed = machine_.run_exactly(1);
  if (machine_.traps_entered() == traps) return executed;
  const Location ttmps{ttmp_code(machine_.generation()), 2};
  define(nullptr, {&ttmps, 1}, std::nullopt);
  for_followed([&](undefined::State& state) {
    for (u32 i = 0; i < ttmps.dwords; ++i) state.shadow.set_scalar(ttmps.index + i, {});
  });
  return executed;
}

/// Takes down that an instruction has written to these places. `always`: that it writes whatever the state is.
void ObservedRun::define(const core::DefinedSet* always, std::span<const Location> writes, std::optional<u64> culprit) {
  if (always != nullptr && !culprit && tracking_.missing.none()) {
    tracking_.defined |= *always;
    return;
  }
  for (const Location& location : writes) {
    visit_defined_indices(location, [this, culprit](u32 index) {
      tracking_.defined.set(index);
      set_missing(index, culprit);
    });
  }
}

/// Address of the vector instruction whose result one of these reads lacks.
std::optional<u64> ObservedRun::find_missing(const Accesses& accesses) const {
  if (tracking_.missing.none()) return std::nullopt;
  for (const Location& location : accesses.reads) {
    for (const u32 index : defined_indices(location)) {
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
  for_followed(
      [&](undefined::State& state) { undefined::skip(state, machine_, pc, machine_.code().scalar_results_at(pc)); });
  if (tracking_.undefined) return;
  for (const isa::RegisterSpan& span : machine_.code().scalar_results_at(pc)) {
    for (u32 code = span.code; code < u32{span.code} + span.dwords; ++code) set_missing(code, pc);
  }
}

void ObservedRun::warn_of_missing(u64 pc, const Accesses& accesses, u64 culprit) {
  machine_.warn(WarningKind::undefined_read, pc, [&] {
    std::string text = machine_.code().text_at(culprit) + " at " + support::hex(culprit) +
                       " was skipped, and this instruction depends on what it writes";
    for (const Location& location : accesses.reads) {
      const std::vector<u32> all = defined_indices(location);
      if (std::ranges::any_of(all, [this](u32 index) { return tracking_.missing.test(index); })) {
        return location_name(machine_.generation(), location) + " is undefined: " + text;
      }
    }
    return text;
  });
}

void ObservedRun::check_reads(u64 pc, const Accesses& accesses) {
  const auto instruction = machine_.code().instruction_at(pc);
  // S_SET_GPR_IDX_ON, _IDX and _MODE read M0 to keep the bits that they do not set.
  const auto keeps_m0 = [&instruction] {
    if (!instruction || instruction->encoding != isa::EncodingClass::scalar) return false;
    const isa::InstructionInfo& info = isa::info(instruction->insn);
    return (info.reads & info.writes & isa::effect::m0) != 0;
  };
  for (const Location& location : accesses.reads) {
    if (location.index == code::m0 && keeps_m0()) continue;
    for (const u32 index : defined_indices(location)) {
      if (tracking_.defined.test(index) || tracking_.missing.test(index)) continue;
      machine_.warn(WarningKind::undefined_read, pc, [&] {
        return location_name(machine_.generation(), location) + " is read, but nothing has written it";
      });
      break;
    }
  }
  for (const Accesses::Lanes& touched : accesses.vectors_read) {
    const u64 defined = machine_.vectors() == nullptr ? 0 : machine_.vectors()->defined(touched.number);
    const u64 undefined = touched.lanes & ~defined;
    if (undefined == 0) continue;
    machine_.warn(WarningKind::undefined_read, pc, [&] {
      const u32 first = RegisterName::in_vectors(touched.number).index + static_cast<u32>(std::countr_zero(undefined));
      const int others = std::popcount(undefined) - 1;
      return isa::vector_register_name(first, 1) +
             (others == 0 ? "" : " (and " + support::counted(static_cast<u64>(others), "other lane") + ")") +
             " is read, but nothing has written it";
    });
  }
}

void ObservedRun::read_values(std::span<const Location> locations, std::vector<LocationValue>& values) const {
  values.clear();
  for (const Location& location : locations) values.push_back(value_at(machine_, location));
}

void ObservedRun::read_vectors(std::span<const Accesses::Lanes> registers, std::vector<VectorValue>& values) const {
  values.clear();
  for (const Accesses::Lanes& touched : registers) {
    VectorValue& value = values.emplace_back(VectorValue{touched.number, touched.lanes, {}});
    if (machine_.vectors() == nullptr) continue;
    std::copy_n(machine_.vectors()->lanes(touched.number), value.values.size(), value.values.begin());
  }
}

void ObservedRun::report(u64 pc, const KnownInstruction& known, const Accesses& accesses,
                         std::span<const Location> writes, TraceEvent::Skipped skipped, const Before& before) {
  const u64 next = machine_.pc();
  // What led out of the code has done all that it does.
  const bool faulted = machine_.stopped() && is_fault(machine_.stop_reason()) && next == pc;
  read_values(faulted ? std::span<const Location>() : writes, written_);
  read_vectors(faulted ? std::span<const Accesses::Lanes>() : accesses.vectors_written, vectors_written_);
  TraceEvent event;
  event.step = machine_.steps();
  event.pc = pc;
  event.next_pc = next;
  event.words = known.words();
  event.instruction = &known.instruction();
  event.read = read_;
  event.written = written_;
  event.vectors_read = vectors_read_;
  event.vectors_written = vectors_written_;
  event.stack = stack_step(pc, known, before);
  event.warnings = std::span(machine_.warnings()).subspan(before.warnings);
  event.skipped = skipped;
  event.known = &known;
  options_.trace(event);
}

/// What a fork or a join did with the control stack; `none` for everything else.
StackStep ObservedRun::stack_step(u64 pc, const KnownInstruction& known, const Before& before) const {
  const bool is_fork = known.flow() == isa::Flow::fork;
  if (!is_fork && known.flow() != isa::Flow::join) return {};
  using Kind = StackStep::Kind;
  StackStep step{machine_.steps(), pc, machine_.pc(), before.exec, register_pair(code::exec), before.csp, csp()};
  if (csp() == before.csp) {
    step.kind = is_fork ? Kind::whole : Kind::go_on;
    return step;
  }
  step.kind = is_fork ? Kind::push : Kind::pop;
  // A pop leaves the entry's registers as they are, so the entry can still be read there; s[0:1] where it is beyond the
  // allocation.
  const u32 entry = step.entry() * 4;
  const bool is_there = machine_.wave().in_allocation(entry, 4);
  step.entry_exec = register_pair(is_there ? entry : 0);
  step.entry_pc = register_pair(is_there ? entry + 2 : 0);
  return step;
}

}  // namespace salu::observe
