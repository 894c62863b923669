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

/// An instruction that came too early behind another one.
struct HazardFinding {
  const HazardInfo* info = nullptr;
  u64 producer_pc = 0;
  u8 needed = 0;  ///< wait states, or `until_undone`
  u8 found = 0;
  isa::RegisterSet registers;  ///< that it is about; empty where it is about none

  /// As warnings have it.
  [[nodiscard]] Hazard hazard() const;
};

/// The sentence of a warning: `reads what is still being loaded by s_load_dword s4, ... at 0x1000 (s4): ...`.
/// `producer`: text and place.
std::string hazard_detail(Generation generation, const HazardFinding& finding, const std::string& producer);

/// What later instructions may come too early for. The same on the path of a run and for all paths of a program: there
/// states meet by `merge`, and what any of them waits for is waited for then.
class HazardState {
 public:
  /// Goes on over the instruction at `pc`, and adds what it came too early for. What is reported counts as mended, so
  /// that one missing wait is one report.
  void advance(const TargetHazards& hazards, const HazardFacts& facts, u64 pc, std::vector<HazardFinding>& findings);
  /// The instruction advanced over last went on somewhere else.
  void jump();
  /// Forgets what whoever was called or comes back has to have waited for: all but stores that are in the cache.
  void forget_waits();
  /// Takes the worse of both. Returns whether it has changed.
  bool merge(const HazardState& other);

  [[nodiscard]] bool awaits_jump() const;
  /// Whether nothing is pending.
  [[nodiscard]] bool is_empty() const { return pending_.empty(); }
  /// How much is pending.
  [[nodiscard]] std::size_t size() const { return pending_.size(); }
  /// Whether all that is pending is resting (`is_resting`).
  [[nodiscard]] bool is_at_rest(const TargetHazards& hazards) const;
  [[nodiscard]] std::size_t hash() const;
  friend bool operator==(const HazardState&, const HazardState&) = default;

 private:
  struct Pending {
    HazardEvent event{};
    u64 pc = 0;
    u8 number = 0;              ///< id of the hardware register, or number of the VGPR
    u8 age = 0;                 ///< wait states since
    bool has_returned = false;  ///< of `vccz_doubt`: its load is done
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

  /// What nothing waits for may be very much; hardware itself has no more than a few loads under way.
  static constexpr std::size_t most_of_an_event = 256;

  std::vector<Pending> pending_;  ///< sorted by event, address and id; each once
};

/// Whether what is left behind waits for something to happen, whatever registers later instructions touch: it does not
/// age.
bool is_resting(const TargetHazards& hazards, HazardEvent event);
/// Whether an instruction may end such a wait.
bool may_end_rest(const HazardFacts& facts);

}  // namespace salu::observe
