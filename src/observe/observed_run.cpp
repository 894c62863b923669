#include "observe/observed_run.hpp"

#include <bit>
#include <utility>

#include "observe/fidelity.hpp"
#include "observe/hazards/hazard_watch.hpp"
#include "observe/races/race_watch.hpp"
#include "observe/stack_misuse.hpp"
#include "observe/trace.hpp"
#include "observe/undefined/register_reads.hpp"
#include "observe/undefined/undefined_check.hpp"

namespace salu::observe {

Observers make_observers(core::Machine& machine, const RunOptions& options, const WaveState& initial,
                         std::function<void()> explain_misuse, races::WaveRaces* races) {
  const bool checks_bits = options.check_undefined == CheckUndefined::bits;
  const bool checks_reads = options.check_undefined == CheckUndefined::reads;
  Observers list;
  list.push_back(std::make_unique<MisuseExplainer>(machine, std::move(explain_misuse)));
  if (options.check_hazards) list.push_back(std::make_unique<HazardWatch>(machine, options.xnack));
  if (options.check_races) list.push_back(std::make_unique<races::RaceWatch>(machine, options.named_memory, races));
  if (checks_reads || (!checks_bits && options.on_vector == OnVector::skip))
    list.push_back(std::make_unique<undefined::RegisterReads>(machine, initial, checks_reads));
  if (checks_bits) list.push_back(std::make_unique<undefined::UndefinedCheck>(machine, initial, options.uninitialised));
  if (options.fidelity == FidelityReport::followed) list.push_back(std::make_unique<InexactFollower>(machine));
  if (options.trace) list.push_back(std::make_unique<Tracer>(machine, options.trace));
  return list;
}

ObservedRun::ObservedRun(core::Machine& machine, Observers observers)
    : machine_(machine),
      observers_(std::move(observers)),
      everyone_(static_cast<u32>((u64{1} << observers_.size()) - 1)) {}

void ObservedRun::end(const RunOptions& options, Outcome& outcome) {
  for (const auto& observer : observers_) observer->end(options, outcome);
}

void ObservedRun::define_from_outside(const Location& place) {
  for (const auto& observer : observers_) observer->define(place);
}

void ObservedRun::define_from_outside(u64 address, u64 size_bytes) {
  for (const auto& observer : observers_) observer->define(address, size_bytes);
}

void ObservedRun::take_memory_of(ObservedRun& other) {
  for (std::size_t i = 0; i < observers_.size(); ++i) observers_[i]->take_memory_of(*other.observers_[i]);
}

core::DefinedSet ObservedRun::missing() const {
  core::DefinedSet missing;
  for (const auto& observer : observers_) missing |= observer->missing();
  return missing;
}

ObservedRun::Kept ObservedRun::keep() const {
  Kept kept;
  for (const auto& observer : observers_) kept.push_back(observer->keep());
  return kept;
}

void ObservedRun::restore(const Kept& kept) {
  for (std::size_t i = 0; i < observers_.size(); ++i) observers_[i]->restore(kept.empty() ? Observer::Kept() : kept[i]);
}

void ObservedRun::run(u64 max_steps) {
  while (machine_.steps() < max_steps && !machine_.stopped() && !machine_.waits()) {
    ask();
    Site* site = &site_at(machine_.pc());
    u32 to = site->wanted_by | interests_.all;
    if (to == 0) {
      if (!std::exchange(filters_, true)) machine_.set_pause_filter([this](u64 address) { return is_wanted(address); });
      machine_.run_to_entries(max_steps - machine_.steps(), interests_.entries);
      if (machine_.steps() >= max_steps || machine_.stopped() || machine_.waits()) break;
      ask();
      site = &site_at(machine_.pc());
      to = site->wanted_by | interests_.all;
    }
    if (site->uses_stack) to |= interests_.stack;
    // The machine does not skip this instruction by itself.
    if (to == 0) to = everyone_;
    if ((to & (to - 1)) == 0 && (to & site->runs_on) != 0) {
      alone_ = to;
      Observer& observer = *observers_[static_cast<std::size_t>(std::countr_zero(to))];
      if (observer.run_on(max_steps - machine_.steps(), *this) != 0 || machine_.stopped()) continue;
      site = &site_at(machine_.pc());
    }
    show(site->pc, site->known, to | interests_.along);
  }
  if (std::exchange(filters_, false)) machine_.set_pause_filter({});
  // A run that has used its steps may have reached the end of the function or of the code.
  machine_.run_exactly(0);
}

void ObservedRun::run_on(u64 max_steps, const core::TimeLimit& limit) {
  limit.run(max_steps, core::observed_slice_steps, [this](u64 steps) {
    const u64 before = machine_.steps();
    run(before + steps);
    return machine_.steps() - before;
  });
}

u64 ObservedRun::step() { return show(machine_.pc(), known_at(machine_.pc()), everyone_); }

/// Executes an instruction and shows it to some observers (one bit each).
u64 ObservedRun::show(u64 pc, const KnownInstruction* known, u32 to) {
  if (known == nullptr) return machine_.run_exactly(1);
  if (machine_.steps() == 0 || is_end(machine_.code().program(), pc)) {
    machine_.run_exactly(0);
    if (machine_.stopped()) return 0;
  }
  ObservedStep step(machine_, pc, *known, accesses_);
  const auto observer = [&](u32 bits) -> Observer& {
    return *observers_[static_cast<std::size_t>(std::countr_zero(bits))];
  };
  for (u32 left = to; left != 0; left &= left - 1) observer(left).before(step);
  const bool vskip = machine_.wave().vskip();
  const u64 traps = machine_.traps_entered();
  step.executed = machine_.run_exactly(1);
  step.enters_trap = machine_.traps_entered() != traps;
  const bool is_vector = known->instruction().encoding == isa::EncodingClass::vector;
  if (is_vector && !step.runs_vector && step.assumed == nullptr && step.executed != 0 && !machine_.stopped())
    step.skipped = vskip ? TraceEvent::Skipped::by_vskip : TraceEvent::Skipped::by_option;
  for (u32 left = to; left != 0; left &= left - 1) observer(left).after(step);
  return step.executed;
}

/// The instruction at an address, decoded again if the code has changed; null outside the code.
const KnownInstruction* ObservedRun::known_at(u64 pc) {
  constexpr std::size_t most_known = 1 << 16;
  const std::span<const u32> words = machine_.code().words_at(pc);
  if (words.empty()) return nullptr;
  if (machine_.wave().allocation() != known_allocation_ || known_.size() >= most_known) {
    known_.clear();
    sites_.clear();
    known_allocation_ = machine_.wave().allocation();
  }
  KnownInstruction& known = known_[pc];
  if (!known.is_still(words)) known = KnownInstruction(machine_, pc, words);
  return &known;
}

/// Queries the interest of all observers.
void ObservedRun::ask() {
  Interests now;
  for (u32 bit = 1; const auto& observer : observers_) {
    const Observer::Interest& interest = observer->interest();
    if (interest.follows_machine) observer->update_interest();
    if (interest.all) now.all |= bit;
    if (interest.along) now.along |= bit;
    if (interest.entries != 0) now.stack |= bit;
    now.entries |= interest.entries;
    now.version += interest.version;
    bit <<= 1;
  }
  if (now.version != interests_.version && filters_) machine_.ask_pause_filter_again();
  interests_ = now;
}

/// The observers that fulfil a predicate, one bit each.
template <class Predicate>
u32 ObservedRun::observers_that(const Predicate& predicate) {
  u32 result = 0;
  for (u32 bit = 1; const auto& observer : observers_) {
    if (predicate(*observer)) result |= bit;
    bit <<= 1;
  }
  return result;
}

u32 ObservedRun::wanted_by(u64 address, const KnownInstruction& known) {
  return observers_that([&](Observer& observer) { return observer.wants(address, known); });
}

bool ObservedRun::is_wanted(u64 address) {
  const std::span<const u32> words = machine_.code().words_at(address);
  // Does not use `known_`: the machine may be decoding during a step that refers to an entry.
  return words.empty() || wanted_by(address, KnownInstruction(machine_, address, words)) != 0;
}

ObservedRun::Site& ObservedRun::site_at(u64 pc) {
  constexpr std::size_t sites = 512;
  if (sites_version_ != machine_.code().version() || machine_.wave().allocation() != known_allocation_) sites_.clear();
  sites_version_ = machine_.code().version();
  const std::size_t place = pc / 4 % sites;
  const auto is_known = [&] { return !sites_.empty() && sites_[place].pc == pc; };
  if (!is_known()) {
    const KnownInstruction* const known = known_at(pc);
    if (sites_.empty()) sites_.resize(sites);
    const bool uses_stack = known != nullptr && (known->flow() == isa::Flow::fork || known->flow() == isa::Flow::join);
    sites_[place] = {pc, known, ~interests_.version, 0, 0, uses_stack, 0, 0};
  }
  Site& site = sites_[place];
  if (site.version != interests_.version) {
    site.version = interests_.version;
    const KnownInstruction* const known = site.known;
    site.wanted_by = known == nullptr ? everyone_ : wanted_by(pc, *known);
    site.runs_on = known == nullptr ? 0 : observers_that([&](Observer& observer) { return observer.runs_on(*known); });
    site.quiet_for = 0;
  }
  return site;
}

u64 ObservedRun::quiet_end(u64 pc) {
  constexpr u32 longest = 64;
  const u32 others = everyone_ & ~interests_.along & ~alone_;
  if (others == 0) return ~u64{0};
  if (const Site& site = site_at(pc); site.quiet_for == others) return site.quiet_end;
  u64 end = pc;
  for (u32 i = 0; i < longest; ++i) {
    const Site& next = site_at(end);
    if ((next.wanted_by & others) != 0 || next.uses_stack || next.known == nullptr) break;
    end += next.known->words().size_bytes();
  }
  Site& site = site_at(pc);
  site.quiet_for = others;
  site.quiet_end = end;
  return end;
}

}  // namespace salu::observe
