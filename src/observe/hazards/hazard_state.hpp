#pragma once

#include <salu/integer.hpp>
#include <salu/outcome.hpp>

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "isa/register_set.hpp"
#include "observe/hazards/hazard_facts.hpp"
#include "observe/hazards/hazard_table.hpp"

namespace salu::observe {

/// A hazard between two instructions.
struct HazardFinding {
  const HazardInfo* info = nullptr;
  u64 producer_pc = 0;
  u8 needed = 0;  ///< wait states, or `until_undone`
  u8 found = 0;
  isa::RegisterSet registers;  ///< the registers involved; may be empty

  /// The hazard in the form of warnings.
  [[nodiscard]] Hazard hazard() const;
};

/// The text of a warning: `reads registers that are still being loaded by s_load_dword s4, ... at 0x1000 (s4): ...`.
/// `producer`: its text and address.
std::string hazard_detail(Generation generation, const HazardFinding& finding, const std::string& producer);

/// The pending hazards. Used for the path of a run and for all paths of a program: `merge` combines the states at a
/// join, so that everything pending in one of them is pending afterwards.
class HazardState {
 public:
  /// Advances over the instruction at `pc`, and adds the hazards that it has. A reported hazard counts as fixed, so
  /// that a missing wait is reported once.
  void advance(const TargetHazards& hazards, const HazardFacts& facts, u64 pc, std::vector<HazardFinding>& findings);
  /// The last instruction did not continue at the next one.
  void jump();
  /// Forgets everything that a callee or caller must have waited for: all except stores in the cache.
  void forget_waits();
  /// Combines both states conservatively. Returns true if the state has changed.
  bool merge(const HazardState& other);

  [[nodiscard]] bool awaits_jump() const;
  /// True if nothing is pending.
  [[nodiscard]] bool is_empty() const { return pending_.empty(); }
  /// The number of pending events.
  [[nodiscard]] std::size_t size() const { return pending_.size(); }
  /// True if all pending events are unbounded (`is_resting`).
  [[nodiscard]] bool is_at_rest(const TargetHazards& hazards) const;
  [[nodiscard]] std::size_t hash() const;
  friend bool operator==(const HazardState&, const HazardState&) = default;

 private:
  struct Pending {
    HazardEvent event{};
    u64 pc = 0;
    u8 number = 0;              ///< id of the hardware register, or number of the VGPR
    u8 age = 0;                 ///< wait states since the event
    bool has_returned = false;  ///< for `vccz_doubt`: its load is complete
    isa::RegisterSet registers;

    [[nodiscard]] bool is_same_event(const Pending& other) const {
      return event == other.event && pc == other.pc && number == other.number;
    }
    friend auto operator<=>(const Pending&, const Pending&) = default;
  };

  static void check(const TargetHazards& hazards, const HazardFacts& facts, Pending& pending,
                    std::vector<HazardFinding>& findings);
  void overwrite_results(const TargetHazards& hazards, const HazardFacts& facts);
  static bool outlives(const TargetHazards& hazards, const HazardFacts& facts, Pending& pending);
  void add(Pending pending);
  void add_vgprs(const HazardFacts& facts, Pending pending);
  void add_events(const TargetHazards& hazards, const HazardFacts& facts, u64 pc);

  /// Limit for one kind of event, for programs that never wait; hardware has only a few outstanding loads.
  static constexpr std::size_t most_of_an_event = 256;

  std::vector<Pending> pending_;  ///< sorted by event, address and id; without duplicates
};

/// True if the event waits for another event, whatever registers later instructions access: it does not age.
bool is_resting(const TargetHazards& hazards, HazardEvent event);
/// True if an instruction may end such a wait.
bool may_end_rest(const HazardFacts& facts);

}  // namespace salu::observe
