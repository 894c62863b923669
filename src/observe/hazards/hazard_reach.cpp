#include "observe/hazards/hazard_reach.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "observe/hazards/hazard_state.hpp"

namespace salu::observe {
namespace {

/// True for events that change the behaviour of later instructions or have their own counting rules.
bool is_always_looked_at(HazardEvent event) {
  return event == HazardEvent::vskip_set || event == HazardEvent::vskip_written ||
         event == HazardEvent::icache_invalidation;
}

}  // namespace

HazardReach::HazardReach(const core::Machine& machine, const TargetHazards& hazards)
    : machine_(machine), hazards_(hazards) {
  for (std::size_t i = 0; i < hazard_event_count; ++i) {
    for (const TargetHazards::HazardRow& row : hazards.rows_of(static_cast<HazardEvent>(i)))
      uses_[i].set(static_cast<std::size_t>(row.info->use));
  }
}

const PlacedFacts& HazardReach::facts_at(u64 pc) {
  if (version_ != machine_.code().version()) facts_.clear();
  version_ = machine_.code().version();
  const auto [place, is_new] = facts_.try_emplace(pc);
  if (is_new) place->second = PlacedFacts::at(hazards_.generation(), pc, machine_.code().words_at(pc));
  return place->second;
}

bool HazardReach::matters(u64 address, bool rests) {
  const PlacedFacts& placed = facts_at(address);
  const HazardFacts& facts = placed.facts;
  const bool uses_stack = facts.flow == isa::Flow::fork || facts.flow == isa::Flow::join;
  const bool is_relative = facts.depends_on_state && facts.is_certain && !uses_stack;
  if (!placed.node.is_instruction || is_relative) return true;
  if (rests && may_end_rest(facts)) return true;
  for (std::size_t i = 0; i < hazard_event_count; ++i) {
    const auto event = static_cast<HazardEvent>(i);
    if (rests && (facts.uses & uses_[i]).any() && is_resting(hazards_, event)) return true;
    // The control stack is in SGPRs.
    if (!facts.does(event) && !(uses_stack && event == HazardEvent::salu_result)) continue;
    if (is_always_looked_at(event)) return true;
    if (!hazards_.matters(event)) continue;
    // The consumer of an unbounded hazard can be anywhere.
    if (hazards_.lifetime(event) == until_undone || is_in_clause(event) || reaches(placed, event)) return true;
  }
  return false;
}

/// True if a consumer may be reached before the required number of wait states.
bool HazardReach::reaches(const PlacedFacts& producer, HazardEvent event) {
  constexpr std::size_t most_visited = 64;
  const u32 lifetime = hazards_.lifetime(event);
  std::vector<std::pair<u64, u32>> open;  // next address, and wait states since the producer
  const auto go_on = [&open](const PlacedFacts& placed, u32 between) {
    if (placed.node.target) open.emplace_back(*placed.node.target, between);
    if (placed.node.falls_through) open.emplace_back(placed.node.next, between);
  };
  if (producer.node.has_computed_target()) return is_in_code(event);
  go_on(producer, 0);
  for (std::size_t visited = 0; !open.empty(); ++visited) {
    const auto [pc, between] = open.back();
    open.pop_back();
    if (between >= lifetime) continue;
    const PlacedFacts& placed = facts_at(pc);
    if ((placed.facts.uses & uses_[static_cast<std::size_t>(event)]).any()) return true;
    if (!placed.node.is_instruction || placed.node.has_computed_target() || visited == most_visited)
      return is_in_code(event);
    go_on(placed, between + placed.facts.wait_states);
  }
  return false;
}

/// True if the code contains a consumer of the event, whatever the targets of jumps are.
bool HazardReach::is_in_code(HazardEvent event) {
  constexpr std::size_t most_words = 4096;
  if (!code_uses_) {
    code_uses_.emplace();
    for (const CodeBlock& block : machine_.code().program().code) {
      if (block.words.size() > most_words) return code_uses_->set().any();
      // A jump may target the second word of an instruction.
      for (std::size_t i = 0; i < block.words.size(); ++i) *code_uses_ |= facts_at(block.base + i * 4).facts.uses;
    }
  }
  return (*code_uses_ & uses_[static_cast<std::size_t>(event)]).any();
}

}  // namespace salu::observe
