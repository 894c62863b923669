#include "observe/hazards/hazard_watch.hpp"

#include <algorithm>
#include <utility>

#include "observe/accesses.hpp"

namespace salu::observe {
namespace {

/// A vector instruction that VSKIP may skip: hardware may execute it all the same while VSKIP is being written.
HazardFacts skipped_vector(const HazardFacts& facts) {
  HazardFacts result;
  result.is_vector = true;
  result.dwords = facts.dwords;
  result.uses.set(static_cast<std::size_t>(HazardUse::vector));
  result.uses.set(static_cast<std::size_t>(HazardUse::no_nop));
  result.wait_states = 0;
  return result;
}

HazardFacts without_writes(HazardFacts facts) {
  facts.writes = {};
  facts.settle();
  return facts;
}

HazardFacts with_writes(HazardFacts facts) {
  facts.is_certain = true;
  return facts;
}

/// Limit for the states kept for an instruction; a counting loop has only a few.
constexpr std::size_t most_kept_states = 64;

isa::RegisterSet registers_in(const std::vector<Location>& locations) {
  isa::RegisterSet result;
  for (const Location& location : locations) {
    if (location.is_in_file()) result |= isa::RegisterSet::of(location.index, location.dwords);
  }
  return result;
}

}  // namespace

HazardWatch::HazardWatch(core::Machine& machine, std::optional<bool> xnack)
    : machine_(machine),
      hazards_(*machine.code().program().target, has_xnack(machine.code().program(), xnack)),
      reach_(machine, hazards_),
      first_version_(machine.code().version()),
      version_(first_version_) {
  for (const CodeBlock& block : machine.code().program().code)
    areas_.push_back({block.base, std::vector<Site>(block.words.size())});
  number_of({});
  interest_.follows_machine = true;
}

void HazardWatch::refresh() {
  version_ = machine_.code().version();
  for (Area& area : areas_) std::ranges::fill(area.sites, Site());
}

u32 HazardWatch::number_of(const HazardState& state) {
  const auto [place, is_new] = numbers_.try_emplace(state, static_cast<u32>(states_.size()));
  if (is_new) {
    kept_ += 1 + state.size();
    states_.push_back(&place->first);
    awaits_jump_.push_back(state.awaits_jump());
    rests_.push_back(state.is_empty() ? Rest::empty : state.is_at_rest(hazards_) ? Rest::something : Rest::none);
  }
  return place->second;
}

/// Starts again with only the current state, before the kept states use too much memory.
void HazardWatch::forget_many_states() {
  constexpr std::size_t most_kept = std::size_t{1} << 20;
  if (kept_ <= most_kept) return;
  const HazardState now = *states_[state_];
  refresh();
  kept_ = 0;
  numbers_.clear();
  states_.clear();
  awaits_jump_.clear();
  rests_.clear();
  number_of({});
  state_ = number_of(now);
}

HazardWatch::Site* HazardWatch::site_at(u64 pc) {
  if (version_ != machine_.code().version()) refresh();
  if (area_ == nullptr || (pc - area_->base) / 4 >= area_->sites.size()) {
    const auto found =
        std::ranges::find_if(areas_, [pc](const Area& area) { return (pc - area.base) / 4 < area.sites.size(); });
    if (found == areas_.end()) return nullptr;
    area_ = &*found;
  }
  Site& site = area_->sites[(pc - area_->base) / 4];
  if (site.kind == Site::Kind::unknown) decode(site, pc, machine_.code().words_at(pc));
  return &site;
}

void HazardWatch::decode(Site& site, u64 pc, std::span<const u32> words) const {
  const Program& program = machine_.code().program();
  if (words.empty() || program.function_end == pc || (program.kernel_end && program.kernel_end->address == pc)) {
    site.kind = Site::Kind::nothing;
    return;
  }
  const HazardFacts facts = HazardFacts::of(hazards_.generation(), words);
  if (facts.is_vector) {
    site.kind = Site::Kind::vector;
    site.variants = {{facts, {}}, {skipped_vector(facts), {}}};
  } else if (!facts.is_certain) {
    site.kind = Site::Kind::conditional;
    site.variants = {{with_writes(facts), {}}, {without_writes(facts), {}}};
  } else {
    site.kind = facts.depends_on_state ? Site::Kind::slow : Site::Kind::fixed;
    site.variants = {{facts, {}}};
  }
}

const HazardWatch::Transition& HazardWatch::transition(Variant& variant, u64 pc) {
  std::vector<Transition>& known = variant.transitions;
  const auto found = std::ranges::find(known, state_, &Transition::from);
  if (found != known.end()) {
    if (found != known.begin()) std::swap(*found, known.front());
    return known.front();
  }
  Transition made{state_, 0, {}};
  HazardState state = *states_[state_];
  state.advance(hazards_, variant.facts, pc, made.findings);
  made.to = number_of(state);
  if (known.size() >= most_kept_states) known.clear();
  known.insert(known.begin(), std::move(made));
  return known.front();
}

/// Advances over instructions that form a stretch, at most `most_steps`. If only unbounded hazards are pending, the
/// machine alone is faster, but takes as long as a few steps to start.
HazardWatch::Stretch HazardWatch::walk(u64 pc, u32 most_steps) {
  constexpr u32 short_stretch = 8;
  Stretch made{state_, state_, 0, pc};
  while (made.steps < most_steps) {
    Site* const site = site_at(made.behind);
    if (site == nullptr || site->kind != Site::Kind::fixed) break;
    Variant& variant = site->variants.front();
    const Transition& next = transition(variant, made.behind);
    if (!next.findings.empty()) break;
    state_ = next.to;
    ++made.steps;
    made.behind += u64{variant.facts.dwords} * 4;
    if (variant.facts.flow != isa::Flow::next || variant.facts.writes_memory) break;
    const Rest rest = rests_[state_];
    if (rest == Rest::empty || (rest == Rest::something && made.steps >= short_stretch)) break;
  }
  made.to = std::exchange(state_, made.from);
  return made;
}

const HazardWatch::Stretch& HazardWatch::stretch_from(Site& site, u64 pc) {
  constexpr u32 longest_stretch = 64;
  std::vector<Stretch>& known = site.stretches;
  const auto found = std::ranges::find(known, state_, &Stretch::from);
  if (found != known.end()) {
    if (found != known.begin()) std::swap(*found, known.front());
    return known.front();
  }
  if (known.size() >= most_kept_states) known.clear();
  known.insert(known.begin(), walk(pc, longest_stretch));
  return known.front();
}

bool HazardWatch::run_stretch(u64 most_steps, u64 end) {
  forget_many_states();
  const u64 pc = machine_.pc();
  Site* const site = site_at(pc);
  if (site == nullptr || site->kind != Site::Kind::fixed) return false;
  const Stretch& stretch = stretch_from(*site, pc);
  if (stretch.steps == 0 || stretch.steps > most_steps || stretch.behind > end) return false;
  const u64 executed = machine_.run_exactly(stretch.steps);
  if (executed == stretch.steps) {
    behind_ = stretch.behind;
    state_ = stretch.to;
    end_step(true);
  } else {
    // The run stopped before the last one.
    state_ = walk(pc, static_cast<u32>(executed)).to;
  }
  return true;
}

void HazardWatch::step_slowly(const HazardFacts& facts, u64 pc) {
  HazardFacts now = facts;
  const Accesses accesses = find_accesses(machine_, *machine_.code().instruction_at(pc));
  now.reads |= registers_in(accesses.reads);
  now.writes |= registers_in(accesses.writes);
  now.settle();
  findings_.clear();
  HazardState state = *states_[state_];
  state.advance(hazards_, now, pc, findings_);
  warn(pc, findings_);
  state_ = number_of(state);
}

void HazardWatch::begin_step() {
  forget_many_states();
  pc_ = machine_.pc();
  state_before_ = state_;
  Site* const site = site_at(pc_);
  if (site == nullptr || site->kind == Site::Kind::nothing) return;
  std::size_t number = 0;
  if (site->kind == Site::Kind::vector) number = machine_.wave().vskip() ? 1 : 0;
  if (site->kind == Site::Kind::conditional) number = machine_.wave().scc != 0 ? 0 : 1;
  Variant& variant = site->variants[number];
  behind_ = pc_ + u64{variant.facts.dwords} * 4;
  if (site->kind == Site::Kind::slow) return step_slowly(variant.facts, pc_);
  const Transition& made = transition(variant, pc_);
  state_ = made.to;
  if (!made.findings.empty()) warn(pc_, made.findings);
}

void HazardWatch::end_step(bool executed) {
  if (!executed) {
    state_ = state_before_;
  } else if (awaits_jump_[state_] && machine_.pc() != behind_) {
    HazardState state = *states_[state_];
    state.jump();
    state_ = number_of(state);
  }
}

/// Instructions are selected when they are decoded, so changed code is observed step by step.
bool HazardWatch::may_pass_over() {
  const Rest rest = rests_[state_];
  looks_at_rest_ |= rest == Rest::something;
  return rest != Rest::none && !machine_.wave().vskip() && machine_.code().version() == first_version_;
}

void HazardWatch::update_interest() {
  interest_.all = !may_pass_over();
  interest_.version = u64{looks_at_rest_};
}

u64 HazardWatch::run_on(u64 most_steps, CodeAhead& code) {
  const u64 first = machine_.steps();
  const u64 last = first + most_steps;
  do {
    const u64 pc = machine_.pc();
    const u64 quiet_end = code.quiet_end(pc);
    if (run_stretch(last - machine_.steps(), quiet_end)) continue;
    if (quiet_end <= pc) break;
    begin_step();
    end_step(machine_.run_exactly(1) != 0);
  } while (machine_.steps() < last && !machine_.stopped() && !machine_.waits() && !may_pass_over());
  return machine_.steps() - first;
}

void HazardWatch::warn(u64 pc, const std::vector<HazardFinding>& findings) {
  for (const HazardFinding& finding : findings) {
    // The run itself reports this (`stale_vccz`), with or without hazard checks.
    if (finding.info->event == HazardEvent::half_vcc_write) continue;
    machine_.warn(finding.hazard(), pc, [&] {
      const core::CodeCache& code = machine_.code();
      return hazard_detail(
          hazards_.generation(), finding,
          code.text_at(finding.producer_pc) + " at " + code.program().describe_place(finding.producer_pc));
    });
  }
}

}  // namespace salu::observe
