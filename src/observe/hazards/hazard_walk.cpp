#include "observe/hazards/hazard_walk.hpp"

#include <map>
#include <set>
#include <tuple>

#include "core/program_words.hpp"
#include "isa/disassemble.hpp"

namespace salu::observe {
namespace {

/// Visits all paths up to a fixed point.
class Walk {
 public:
  Walk(const Program& program, std::optional<bool> xnack)
      : program_(program), hazards_(*program.target, has_xnack(program, xnack)) {}

  std::vector<PathHazard> find(std::span<const u64> entries) {
    entries_.insert(entries.begin(), entries.end());
    find_leaders(entries);
    for (const u64 entry : entries) reach(entry, {});
    // In order of address, repeatedly: in most programs two passes are enough.
    for (u64 last = 0; !open_.empty();) {
      auto next = open_.upper_bound(last);
      if (next == open_.end()) next = open_.begin();
      last = *next;
      open_.erase(next);
      walk_from(last);
    }
    std::vector<PathHazard> result;
    for (const auto& [place, finding] : found_) result.push_back({std::get<0>(place), finding});
    return result;
  }

 private:
  const PlacedFacts& decode(u64 pc) {
    const auto [place, is_new] = decoded_.try_emplace(pc);
    if (is_new) place->second = PlacedFacts::at(program_.generation(), pc, core::words_at(program_, pc));
    return place->second;
  }

  /// Leaders: entries and branch targets.
  void find_leaders(std::span<const u64> entries) {
    exec::Cfg cfg(program_.generation(), [this](u64 address) { return core::words_at(program_, address); });
    leaders_.insert(entries.begin(), entries.end());
    for (const u64 entry : entries) {
      cfg.add(entry, [this](const exec::CfgNode& node) {
        if (node.target) leaders_.insert(*node.target);
        return true;
      });
    }
  }

  void reach(u64 leader, const HazardState& state) {
    const auto [place, is_new] = states_.try_emplace(leader, state);
    if (is_new || place->second.merge(state)) open_.insert(leader);
  }

  void walk_from(u64 leader) {
    HazardState state = states_.at(leader);
    u64 pc = leader;
    while (true) {
      const PlacedFacts& decoded = decode(pc);
      if (!decoded.node.is_instruction) return;
      const HazardFacts& facts = decoded.facts;
      findings_.clear();
      state.advance(hazards_, facts, pc, findings_);
      for (const HazardFinding& finding : findings_) note(pc, finding);
      if (decoded.node.target) {
        HazardState taken = state;
        taken.jump();
        reach(*decoded.node.target, taken);
      }
      if (!decoded.node.falls_through) return;
      if (facts.flow == isa::Flow::call || facts.flow == isa::Flow::trap) state.forget_waits();
      pc = decoded.node.next;
      // A function without a final instruction is assumed not to run into the next function.
      if (entries_.contains(pc)) return;
      if (leaders_.contains(pc)) return reach(pc, state);
    }
  }

  void note(u64 pc, const HazardFinding& finding) {
    const auto [place, is_new] = found_.try_emplace({pc, finding.info->id, finding.producer_pc}, finding);
    if (is_new) return;
    // A warning on any path has priority over an informational finding.
    const auto rank = [](const HazardFinding& each) { return std::pair(each.info->is_info, each.found); };
    if (rank(finding) < rank(place->second)) place->second = finding;
  }

  const Program& program_;
  TargetHazards hazards_;
  std::map<u64, PlacedFacts> decoded_;
  std::set<u64> entries_;
  std::set<u64> leaders_;
  std::map<u64, HazardState> states_;  ///< before each leader
  std::set<u64> open_;
  std::map<std::tuple<u64, std::string_view, u64>, HazardFinding> found_;
  std::vector<HazardFinding> findings_;
};

}  // namespace

std::vector<PathHazard> walk_hazards(const Program& program, std::span<const u64> entries, std::optional<bool> xnack) {
  return Walk(program, xnack).find(entries);
}

std::string path_hazard_detail(const Program& program, const PathHazard& hazard) {
  const u64 producer = hazard.finding.producer_pc;
  const isa::Instruction instruction = isa::decode(program.generation(), core::words_at(program, producer));
  const isa::LabelResolver label = [&program](u64 address) { return program.describe_address(address); };
  return hazard_detail(program.generation(), hazard.finding,
                       isa::disassemble(program.generation(), instruction, {.address = producer, .label = &label}) +
                           " at " + program.describe_place(producer));
}

}  // namespace salu::observe
