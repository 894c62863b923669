#include "observe/hazards/hazard_state.hpp"

#include <salu/state.hpp>

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>

#include "isa/operand.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
namespace {

using isa::RegisterSet;
using enum HazardEvent;

constexpr RegisterSet whole_vcc = RegisterSet::of(gcn::operands.vcc, 2);

/// True if producer and consumer must access the same registers.
bool is_about_registers(HazardEvent event) {
  return event == scalar_load || event == partly_awaited_load || event == clause_load || event == clause_source ||
         event == salu_result || event == valu_result || event == replaced_result;
}

bool is_store(HazardEvent event) { return event == scalar_store || event == written_through; }

/// True if only the last event of this kind counts.
bool replaces_older(HazardEvent event) {
  return is_store(event) || event == vccz_doubt || event == message_sent || event == half_vcc_write ||
         event == icache_invalidation;
}

bool writes_whole_vcc(const HazardFacts& facts) { return (facts.writes & whole_vcc) == whole_vcc; }

std::string register_list(Generation generation, RegisterSet registers) {
  std::string text;
  while (registers.any()) {
    const u32 first = registers.first();
    text += (text.empty() ? "" : ", ") + isa::register_name(generation, first, 1);
    registers = registers - RegisterSet::of(first, 1);
  }
  return text;
}

}  // namespace

Hazard HazardFinding::hazard() const {
  Hazard result;
  result.id = info->id;
  result.producer_pc = producer_pc;
  result.is_info = info->is_info;
  if (needed == until_undone) {
    result.insert = remedy_text(info->remedy, 1);
    return result;
  }
  result.needed = needed;
  result.found = found;
  result.insert = remedy_text(info->remedy, needed - std::min(needed, found));
  return result;
}

std::string hazard_detail(Generation generation, const HazardFinding& finding, const std::string& producer) {
  const Hazard hazard = finding.hazard();
  std::string text = std::string(finding.info->what) + " " + producer;
  if (finding.registers.any()) text += " (" + register_list(generation, finding.registers) + ")";
  if (hazard.needed && finding.info->remedy != HazardRemedy::jump) {
    text += ": " + support::counted(*hazard.needed, "wait state") + (*hazard.needed == 1 ? " is" : " are") +
            " required, found " + std::to_string(*hazard.found);
  }
  if (!hazard.insert.empty()) text += "; insert " + hazard.insert;
  return text;
}

void HazardState::check(const TargetHazards& hazards, const HazardFacts& facts, Pending& pending,
                        std::vector<HazardFinding>& findings) {
  u8 mended = pending.age;
  bool is_undone = false;
  const std::size_t before = findings.size();
  for (const TargetHazards::HazardRow& row : hazards.rows_of(pending.event)) {
    const HazardInfo& info = *row.info;
    if (!facts.uses_it(info.use)) continue;
    if (row.needed != until_undone && pending.age >= row.needed) continue;
    RegisterSet registers;
    if (is_about_registers(pending.event)) {
      registers = pending.registers & registers_of(info.use, facts);
      if (!registers.any()) continue;
    }
    if (pending.event == hwreg_write) {
      const u64 ids = info.use == HazardUse::hwreg_read ? facts.hwregs_read : facts.hwregs_written;
      if ((ids >> pending.number & 1) == 0) continue;
    }
    if (is_about_vgpr(pending.event) && !touches_vgpr(info.use, facts, pending.number)) continue;
    // One report for each pair of instructions is enough.
    if (findings.size() > before && (info.is_info || row.needed == until_undone)) continue;
    findings.push_back({&info, pending.pc, row.needed, pending.age, registers});
    if (row.needed == until_undone) {
      is_undone = true;
    } else {
      mended = std::max(mended, row.needed);
    }
  }
  pending.age = is_undone ? until_undone : mended;
}

/// Removes the registers that an instruction overwrites from pending results of the vector ALU. A scalar instruction
/// waits for the vector ALU before it writes the same register, so a later reader gets the new value.
void HazardState::overwrite_results(const TargetHazards& hazards, const HazardFacts& facts) {
  const RegisterSet written = facts.writes | facts.loads;
  const bool is_valu = facts.unit == HazardFacts::Class::valu;
  if (!facts.is_certain || !written.any()) return;
  std::vector<Pending> replaced;
  std::erase_if(pending_, [&](Pending& pending) {
    if (pending.event != valu_result && pending.event != replaced_result) return false;
    Pending part = pending;
    part.event = replaced_result;
    part.registers = pending.registers & written;
    if (!part.registers.any()) return false;
    if (!is_valu && hazards.matters(replaced_result)) replaced.push_back(part);
    pending.registers = pending.registers - written;
    return !pending.registers.any();
  });
  for (const Pending& pending : replaced) add(pending);
}

/// Ages a pending event by one instruction; returns false if it can be dropped.
bool HazardState::outlives(const TargetHazards& hazards, const HazardFacts& facts, Pending& pending) {
  const HazardEvent event = pending.event;
  if (pending.age == until_undone) return false;
  const bool writes_vcc = facts.is_certain && writes_whole_vcc(facts);
  if (facts.waits_for_lgkm) {
    if (event == scalar_load || event == partly_awaited_load || event == message_sent) return false;
    if (event == vccz_doubt) pending.has_returned = true;
  }
  if (facts.waits_for_lgkm_partly && event == scalar_load) pending.event = partly_awaited_load;
  if (writes_vcc && (event == half_vcc_write || (event == vccz_doubt && pending.has_returned))) return false;
  if (facts.writes_scalar_cache_back && is_store(event)) return false;
  if (is_in_clause(event)) return facts.unit == HazardFacts::Class::scalar_memory && pending.age == 0;
  const u8 lifetime = hazards.lifetime(event);
  if (lifetime == until_undone) return true;
  const u32 wait_states = event == icache_invalidation ? u32{facts.is_nop} : facts.wait_states;
  pending.age = static_cast<u8>(std::min(u32{pending.age} + wait_states, 254U));
  return pending.age < lifetime;
}

void HazardState::advance(const TargetHazards& hazards, const HazardFacts& facts, u64 pc,
                          std::vector<HazardFinding>& findings) {
  for (Pending& pending : pending_) check(hazards, facts, pending, findings);
  overwrite_results(hazards, facts);
  std::erase_if(pending_, [&](Pending& pending) { return !outlives(hazards, facts, pending); });
  if (facts.waits_for_lgkm_partly) {
    // An insufficient wait changes the kind of some events, which may make them equal to others.
    std::vector<Pending> changed;
    changed.swap(pending_);
    for (const Pending& pending : changed) add(pending);
  }
  if (facts.events.any()) add_events(hazards, facts, pc);
}

void HazardState::add_events(const TargetHazards& hazards, const HazardFacts& facts, u64 pc) {
  for (std::size_t number = 0; number < hazard_event_count; ++number) {
    const auto event = static_cast<HazardEvent>(number);
    if (!facts.does(event) || !hazards.matters(event)) continue;
    if (replaces_older(event) && facts.is_certain)
      std::erase_if(pending_, [event](const Pending& older) { return older.event == event; });
    Pending pending;
    pending.event = event;
    pending.pc = pc;
    if (event == scalar_load || event == clause_load) pending.registers = facts.loads;
    if (event == clause_source) pending.registers = facts.reads;
    if (event == salu_result || event == valu_result) pending.registers = facts.writes;
    if (event == hwreg_write) pending.number = static_cast<u8>(std::countr_zero(facts.hwregs_written));
    if (is_about_vgpr(event)) {
      add_vgprs(facts, pending);
    } else {
      add(pending);
    }
  }
}

/// Adds one event for each affected VGPR. If a VGPR is written several times, only the last write counts.
void HazardState::add_vgprs(const HazardFacts& facts, Pending pending) {
  const bool is_write = pending.event != wide_store;
  const u32 first = is_write ? facts.vgpr : facts.stored_vgpr;
  const u32 count = is_write ? facts.vgprs_written : facts.stored_vgprs;
  for (u32 i = 0; i < count; ++i) {
    pending.number = static_cast<u8>(first + i);
    if (is_write) {
      std::erase_if(pending_, [&](const Pending& older) {
        return older.event == pending.event && older.number == pending.number;
      });
    }
    add(pending);
  }
}

/// Adds an event, or merges it with the same event of the same instruction.
void HazardState::add(Pending pending) {
  const auto place = std::ranges::lower_bound(pending_, pending, [](const Pending& a, const Pending& b) {
    return std::tie(a.event, a.pc, a.number) < std::tie(b.event, b.pc, b.number);
  });
  if (place == pending_.end() || !place->is_same_event(pending)) {
    pending_.insert(place, pending);
    // Beyond the limit, drops the event with the lowest address, so that the result does not depend on the order.
    const auto same = std::ranges::equal_range(pending_, pending.event, {}, &Pending::event);
    if (same.size() > most_of_an_event) pending_.erase(same.begin());
    return;
  }
  place->registers |= pending.registers;
  place->age = std::min(place->age, pending.age);
  place->has_returned = place->has_returned && pending.has_returned;
}

void HazardState::jump() {
  std::erase_if(pending_, [](const Pending& pending) { return pending.event == icache_invalidation; });
}

bool HazardState::awaits_jump() const {
  return std::ranges::any_of(pending_, [](const Pending& pending) { return pending.event == icache_invalidation; });
}

bool HazardState::is_at_rest(const TargetHazards& hazards) const {
  return std::ranges::all_of(pending_, [&](const Pending& pending) {
    return pending.age != until_undone && is_resting(hazards, pending.event);
  });
}

bool is_resting(const TargetHazards& hazards, HazardEvent event) {
  return hazards.matters(event) && hazards.lifetime(event) == until_undone && !is_about_registers(event) &&
         !is_in_clause(event);
}

bool may_end_rest(const HazardFacts& facts) {
  return facts.waits_for_lgkm || facts.waits_for_lgkm_partly || facts.writes_scalar_cache_back ||
         writes_whole_vcc(facts);
}

void HazardState::forget_waits() {
  std::erase_if(pending_, [](const Pending& pending) { return !is_store(pending.event); });
}

bool HazardState::merge(const HazardState& other) {
  const std::vector<Pending> before = pending_;
  for (const Pending& pending : other.pending_) add(pending);
  return pending_ != before;
}

std::size_t HazardState::hash() const {
  std::size_t result = pending_.size();
  const auto mix = [&result](u64 value) { result = (result ^ std::hash<u64>()(value)) * 0x9e3779b97f4a7c15 + 1; };
  for (const Pending& pending : pending_) {
    mix(pending.pc);
    mix(static_cast<u64>(pending.event) | u64{pending.number} << 8 | u64{pending.age} << 16 |
        u64{pending.has_returned} << 24);
    mix(pending.registers.hash());
  }
  return result;
}

}  // namespace salu::observe
