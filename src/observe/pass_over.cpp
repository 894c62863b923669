#include <algorithm>
#include <span>
#include <utility>

#include "isa/memory_table.hpp"
#include "observe/observed_run.hpp"
#include "observe/vector_accesses.hpp"

/// Checks at full speed between instructions that have to be looked at, and with less to ask where one has.
namespace salu::observe {

/// Entries of the control stack, a bit each, that are not what they should be in all bits: a fork that pushes one makes
/// it so, and a join that pops one depends on it.
u32 ObservedRun::watched_entries(const undefined::ScalarSet& followed) const {
  constexpr u32 entries = 8;
  constexpr u32 dwords_of_entry = 4;
  const auto low = static_cast<u32>((followed & undefined::ScalarSet(~u32{0})).to_ulong());
  u32 watched = 0;
  for (u32 entry = 0; entry < entries; ++entry) {
    // Where it is beyond the allocation s[0:1] are read in its place.
    const u32 dwords = machine_.wave().in_allocation(entry * dwords_of_entry, dwords_of_entry)
                           ? low >> (entry * dwords_of_entry) & 15
                           : low & 3;
    watched |= u32{dwords != 0} << entry;
  }
  return watched;
}

/// Watches what is followed now.
void ObservedRun::watch() {
  watched_.scalars = followed_scalars();
  watched_.memory = follows_memory();
  ++watch_;
  machine_.ask_pause_filter_again();
}

/// At full speed between instructions that could change what is undefined, or could have something to do with it. Those
/// are picked when they are decoded, by what is undefined then: what has become defined since is looked at in vain, and
/// after some of that the instructions are picked anew. Forks and joins are looked at where the entry of the control
/// stack is undefined.
void ObservedRun::run_to_what_matters(u64 max_steps) {
  constexpr u64 first_patience = 256;
  u64 patience = first_patience;
  u64 in_vain = 0;
  if (machine_.wave().allocation() != known_allocation_) forget_sites();
  machine_.set_pause_filter(
      [this](u64 address) { return matters(address) || (hazards_ && hazards_->matters(address)); });
  watch();
  undefined::ScalarSet followed = watched_.scalars;
  u32 entries = watched_entries(followed);
  while (machine_.steps() < max_steps && !machine_.stopped()) {
    // Asked first: what rests changes what matters.
    const bool may_pass_over = !hazards_ || hazards_->may_pass_over();
    const Site* site = &site_at(machine_.pc());
    if (may_pass_over && !site->matters && !site->has_hazards) {
      machine_.run_to_entries(max_steps - machine_.steps(), entries);
      if (!machine_.misuses().empty() && options_.explain_misuse) options_.explain_misuse();
      if (machine_.steps() >= max_steps || machine_.stopped()) break;
      site = &site_at(machine_.pc());
    }
    if (!site->matters && !site->uses_stack && hazards_) {
      if (hazards_->run_stretch(max_steps - machine_.steps(), quiet_end(*site))) continue;
      hazards_->begin_step();
      hazards_->end_step(machine_.run_exactly(1) != 0);
      continue;
    }
    const bool has_hazards = hazards_ && (site->has_hazards || !may_pass_over);
    if (has_hazards || !site->is_plain || !run_blocks(max_steps - machine_.steps())) step_at(*site, has_hazards);
    const undefined::ScalarSet now = followed_scalars();
    const bool is_memory_new = watched_.memory != follows_memory();
    if (now == followed && !is_memory_new && now == watched_.scalars) continue;
    if (((now ^ followed) & undefined::ScalarSet(~u32{0})).any()) entries = watched_entries(now);
    followed = now;
    if (is_memory_new || (now & ~watched_.scalars).any()) {
      watch();
    } else if (now != watched_.scalars && ++in_vain == patience) {
      in_vain = 0;
      patience *= 2;
      watch();
    }
  }
  machine_.set_pause_filter({});
}

/// The same as `step` with less to ask, where an instruction does nothing out of the ordinary. `has_hazards`: something
/// is pending, or it leaves something behind.
void ObservedRun::step_at(const Site& site, bool has_hazards) {
  const bool is_ordinary = site.is_plain || (site.is_vector && machine_.executes_vectors());
  if (!is_ordinary || tracking_.missing.any() || machine_.steps() == 0) {
    step();
    return;
  }
  if (has_hazards) hazards_->begin_step();
  if (site.is_plain) {
    for_followed([&](undefined::State& state) {
      undefined::advance_plain(state, machine_, {site.pc, *site.known, *site.known->fixed_accesses()}, site.plan);
    });
  } else {
    const Accesses& accesses = vector_accesses(site);
    for_followed(
        [&](undefined::State& state) { undefined::advance(state, machine_, {site.pc, *site.known, accesses, true}); });
  }
  const u64 executed = execute_one();
  if (!machine_.misuses().empty() && options_.explain_misuse) options_.explain_misuse();
  if (has_hazards) hazards_->end_step(executed != 0);
}

/// Goes through basic blocks as long as something in them is undefined. False: none were executed.
bool ObservedRun::run_blocks(u64 most_steps) {
  constexpr u64 most_at_once = 4096;
  constexpr u32 fewest = 3;  // Fewer are faster one by one.
  const bool is_one = tracking_.undefined.has_value() != tracking_.inexact.has_value();
  if (!is_one || machine_.wave().traps_each() || tracking_.missing.any() || machine_.steps() == 0) return false;
  most_steps = std::min(most_steps, most_at_once);
  if (cells_ == nullptr) cells_ = std::make_unique<undefined::ShadowCells>();
  undefined::ShadowPass pass(*(tracking_.undefined ? tracking_.undefined : tracking_.inexact), machine_, *cells_);
  u64 pc = machine_.pc();
  while (true) {
    undefined::ShadowBlock& block = block_at(pc);
    if (block.steps() < fewest || pass.steps() + block.steps() > most_steps) break;
    if (!pass.go_through(block)) break;
    pc = pass.pc();
  }
  if (pass.steps() == 0) return false;
  pass.end();
  return true;
}

/// What plain instructions from an address on are as a block; an empty one where none can be part of one.
undefined::ShadowBlock& ObservedRun::block_at(u64 pc) {
  if (undefined::ShadowBlock* const known = site_at(pc).block) return *known;
  auto found = blocks_.find(pc);
  if (found == blocks_.end()) {
    undefined::ShadowBlock block;
    for (u64 at = pc; !block.is_complete();) {
      const Site& site = site_at(at);
      if (!site.is_plain || (hazards_ && site.has_hazards) || !block.add(*cells_, machine_, at, *site.known)) break;
      at += site.known->words().size_bytes();
    }
    site_at(pc);
    found = blocks_.emplace(pc, std::move(block)).first;
  }
  // Looked for by its address: it is a place in a table of few.
  sites_[pc / 4 % sites_.size()].block = &found->second;
  return found->second;
}

/// Up to which address no instruction has to do with what is watched.
u64 ObservedRun::quiet_end(const Site& site) {
  constexpr u32 longest = 64;
  if (site.quiet_end != 0) return site.quiet_end;
  const u64 pc = site.pc;
  u64 end = pc;
  for (u32 i = 0; i < longest; ++i) {
    const Site& next = site_at(end);
    if (next.matters || next.uses_stack) break;
    end += next.known->words().size_bytes();
  }
  // Looked for by its address: it is a place in a table of few.
  sites_[pc / 4 % sites_.size()].quiet_end = end;
  return end;
}

/// What the next instruction, one that the vector unit executes, touches.
const Accesses& ObservedRun::vector_accesses(const Site& site) {
  const core::Wave& wave = machine_.wave();
  VectorAccesses* const kept = site.vector;
  const bool is_kept = kept != nullptr && !wave.gpr_idx_on();
  if (is_kept && kept->is_known && kept->exec == register_pair(code::exec) && kept->mode == wave.mode &&
      kept->status == wave.status)
    return kept->accesses;
  Accesses& accesses = is_kept ? kept->accesses : accesses_;
  accesses.clear();
  find_accesses_in_rows(machine_, *site.known->vector(), accesses);
  if (is_kept) {
    kept->is_known = true;
    kept->exec = register_pair(code::exec);
    kept->mode = wave.mode;
    kept->status = wave.status;
  }
  return accesses;
}

/// What is known of an address, asked anew where something else is watched.
const ObservedRun::Site& ObservedRun::site_at(u64 pc) {
  constexpr std::size_t sites = 512;
  if (sites_version_ != machine_.code().version()) forget_sites();
  sites_version_ = machine_.code().version();
  if (sites_.empty()) sites_.resize(sites);
  Site& site = sites_[pc / 4 % sites];
  const bool looks_at_rest = hazards_ && hazards_->looks_at_rest();
  if (site.pc != pc || site.watch != watch_ || site.looks_at_rest != looks_at_rest) [[unlikely]]
    fill(site, pc);
  return site;
}

void ObservedRun::forget_sites() {
  sites_.clear();
  vector_accesses_.clear();
  blocks_.clear();
}

void ObservedRun::fill(Site& site, u64 pc) {
  if (site.pc != pc) {
    const KnownInstruction* const known_here = known_at(pc);
    site = {};
    site.pc = pc;
    site.known = known_here;
    if (site.known != nullptr) {
      const KnownInstruction& known = *site.known;
      site.uses_stack = known.flow() == isa::Flow::fork || known.flow() == isa::Flow::join;
      const bool is_scalar = known.instruction().encoding == isa::EncodingClass::scalar;
      const bool is_followed = follows_any() && options_.check_undefined != CheckUndefined::reads && !is_end(pc) &&
                               machine_.code().program().find_assumption(pc) == nullptr;
      site.is_plain = is_followed && is_scalar && !known.has_operand_fault() && known.fixed_accesses() != nullptr &&
                      !site.uses_stack && !known.is_approximate();
      site.is_vector = is_followed && known.vector() != nullptr;
      if (site.is_plain) site.plan = undefined::Plan(machine_, known.instruction());
      if (site.is_vector && has_settled_accesses(*known.vector())) site.vector = &vector_accesses_[pc];
    }
  }
  site.matters = matters(pc);
  site.quiet_end = 0;
  site.block = nullptr;
  site.has_hazards = hazards_ && hazards_->matters(pc);
  site.looks_at_rest = hazards_ && hazards_->looks_at_rest();
  if (site.looks_at_rest != blocks_look_at_rest_) {
    // What has hazards is no part of one.
    blocks_.clear();
    blocks_look_at_rest_ = site.looks_at_rest;
  }
  site.watch = watch_;
}

/// Whether an instruction has to do with what is watched, or with more than can be told beforehand.
bool ObservedRun::matters(u64 address) {
  // One of its own: the machine may be decoding in the middle of a step, which has one from `known_`.
  const std::span<const u32> words = machine_.code().words_at(address);
  if (words.empty()) return true;
  const KnownInstruction known(machine_, address, words);
  const bool is_scalar = known.instruction().encoding == isa::EncodingClass::scalar;
  if (!is_scalar || known.may_be_unspecified() || known.is_approximate() ||
      machine_.code().program().find_assumption(address) != nullptr)
    return true;
  if (known.fixed_accesses() != nullptr) return ((known.touches() | known.writes()) & watched_.scalars).any();
  const bool uses_stack = known.flow() == isa::Flow::fork || known.flow() == isa::Flow::join;
  if (uses_stack) {
    if (!find_accesses_beside_stack(machine_, known.instruction(), decoded_accesses_)) return true;
  } else {
    if (!isa::is_scalar_memory(known.instruction().insn) || watched_.memory) return true;
    find_accesses(machine_, known.instruction(), decoded_accesses_);
  }
  const auto is_watched = [this](const Location& location) {
    for (u32 i = 0; i < location.dwords && location.index + i < state_index::scalar_count; ++i) {
      if (watched_.scalars.test(location.index + i)) return true;
    }
    return false;
  };
  return std::ranges::any_of(decoded_accesses_.reads, is_watched) ||
         std::ranges::any_of(decoded_accesses_.writes, is_watched);
}

}  // namespace salu::observe
