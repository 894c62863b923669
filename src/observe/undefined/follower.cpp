#include "observe/undefined/follower.hpp"

#include <algorithm>
#include <utility>

#include "observe/vector_accesses.hpp"

namespace salu::observe::undefined {

Follower::Follower(core::Machine& machine, State state) : machine_(machine), state_(std::move(state)) { watch(); }

void Follower::watch() {
  watched_.watch(machine_, state_.shadow.touched(), !state_.shadow.is_memory_defined(), interest_);
}

void Follower::restore(const Kept& kept) {
  state_ = kept.state ? *static_cast<const State*>(kept.state.get()) : State::of_inexact();
  // Blocks contain origin numbers, which are not valid in the new state.
  sites_.clear();
  watch();
}

/// Registers refer to origins, too. All waves start with the same origins, and the others are only appended.
void Follower::take_memory_of(Observer& other) {
  State& from = static_cast<Follower&>(other).state_;
  std::swap(state_.origins, from.origins);
  state_.shadow.exchange_memory(from.shadow);
  watch();
}

void Follower::forget_sites() {
  sites_.assign(site_count, {});
  vector_accesses_.clear();
  blocks_.clear();
  code_version_ = machine_.code().version();
  allocation_ = machine_.wave().allocation();
}

void Follower::define(const Location& place) {
  for (u32 index = place.index; index < place.index + place.dwords; ++index) {
    if (state_index::is_lane(index)) {
      state_.shadow.define_lanes(state_index::vector_of(index), u64{1} << state_index::lane_of(index));
    } else if (index < state_index::scalar_count) {
      state_.shadow.set_scalar(index, {});
    }
  }
}

void Follower::define(u64 address, u64 size_bytes) {
  const u64 end = address + size_bytes;
  for (u64 dword = address - address % 4; dword < end; dword += 4) {
    u32 written = 0;
    for (u32 byte = 0; byte < 4; ++byte) {
      if (dword + byte >= address && dword + byte < end) written |= u32{0xff} << (8 * byte);
    }
    state_.shadow.set_dword(dword, {}, written);
  }
}

Follower::Site& Follower::site_at(u64 pc, const KnownInstruction& known) {
  if (sites_.empty() || code_version_ != machine_.code().version() || allocation_ != machine_.wave().allocation())
      [[unlikely]]
    forget_sites();
  Site& site = sites_[pc / 4 % site_count];
  if (site.pc == pc) [[likely]]
    return site;
  site = {};
  site.pc = pc;
  const Program& program = machine_.code().program();
  if (is_end(program, pc) || program.find_assumption(pc) != nullptr) return site;
  if (known.vector() != nullptr && has_settled_accesses(*known.vector())) site.vector = &vector_accesses_[pc];
  site.is_plain = known.instruction().encoding == isa::EncodingClass::scalar && !known.has_operand_fault() &&
                  known.fixed_accesses() != nullptr && !known.is_approximate() &&
                  !isa::info(known.instruction().insn).is_barrier;
  if (site.is_plain) site.plan = ShadowPlan(machine_, known.instruction());
  return site;
}

/// The accesses of an executed vector instruction.
const Accesses& Follower::vector_accesses(ObservedStep& step, VectorAccesses* kept) {
  const core::Wave& wave = machine_.wave();
  if (wave.gpr_idx_on()) kept = nullptr;
  const u64 exec = wave.pair(code::exec);
  if (kept != nullptr && kept->is_known && kept->exec == exec && kept->mode == wave.mode && kept->status == wave.status)
    return kept->accesses;
  Accesses& accesses = kept != nullptr ? kept->accesses : accesses_;
  accesses.clear();
  find_accesses_in_rows(machine_, *step.known.vector(), accesses);
  if (kept != nullptr) {
    kept->is_known = true;
    kept->exec = exec;
    kept->mode = wave.mode;
    kept->status = wave.status;
  }
  return accesses;
}

void Follower::before(ObservedStep& step) {
  const Site& site = site_at(step.pc, step.known);
  if (site.is_plain)
    advance_plain(state_, machine_, {step.pc, step.known, *step.known.fixed_accesses()}, site.plan);
  else
    advance(state_, machine_,
            {step.pc, step.known, step.runs_vector ? vector_accesses(step, site.vector) : step.accesses(),
             step.runs_vector, step.assumed});
}

void Follower::after(ObservedStep& step) {
  if (step.enters_trap) {
    const u32 ttmp = ttmp_code(machine_.generation());
    for (u32 i = 0; i < 2; ++i) state_.shadow.set_scalar(ttmp + i, {});
  }
  if (step.skipped == TraceEvent::Skipped::by_option)
    skip(state_, machine_, step.pc, machine_.code().scalar_results_at(step.pc));
  watch();
}

/// Processes blocks as long as they contain undefined bits.
u64 Follower::run_on(u64 most_steps, CodeAhead& code) {
  constexpr u64 most_at_once = 4096;
  constexpr u32 fewest = 3;  // shorter blocks are faster one by one
  u64 pc = machine_.pc();
  if (sites_.empty()) forget_sites();
  if (const Site& site = sites_[pc / 4 % site_count]; site.pc == pc && !site.is_plain) return 0;
  if (machine_.wave().traps_each() || machine_.steps() == 0) return 0;
  ShadowBlock* block = block_at(pc, code);
  if (block == nullptr || block->steps() < fewest) return 0;
  most_steps = std::min(most_steps, most_at_once);
  ShadowPass pass(state_, machine_, *cells_);
  while (block != nullptr && block->steps() >= fewest && pass.steps() + block->steps() <= most_steps &&
         pass.go_through(*block)) {
    pc = pass.pc();
    block = block_at(pc, code);
  }
  if (pass.steps() == 0) return 0;
  pass.end();
  watch();
  return pass.steps();
}

/// The block of plain instructions from an address on. It ends before an instruction that another observer wants. Null
/// outside the code.
ShadowBlock* Follower::block_at(u64 pc, CodeAhead& code) {
  const u64 quiet_end = code.quiet_end(pc);
  if (const Site& site = sites_[pc / 4 % site_count];
      site.pc == pc && site.block != nullptr && site.block->end <= quiet_end &&
      code_version_ == machine_.code().version() && allocation_ == machine_.wave().allocation())
    return &site.block->instructions;
  const KnownInstruction* known = code.known_at(pc);
  if (known == nullptr) return nullptr;
  site_at(pc, *known);
  if (cells_ == nullptr) cells_ = std::make_unique<ShadowCells>();
  Block& block = blocks_[pc];
  if (block.end == 0 || block.end > quiet_end) {
    block = {};
    block.end = pc;
    while (known != nullptr && block.end < quiet_end && !block.instructions.is_complete() &&
           site_at(block.end, *known).is_plain && block.instructions.add(*cells_, machine_, block.end, *known)) {
      block.end += known->words().size_bytes();
      known = code.known_at(block.end);
    }
  }
  site_at(pc, *code.known_at(pc)).block = &block;
  return &block.instructions;
}

}  // namespace salu::observe::undefined
