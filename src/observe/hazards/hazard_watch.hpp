#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/machine.hpp"
#include "observe/hazards/hazard_facts.hpp"
#include "observe/hazards/hazard_reach.hpp"
#include "observe/hazards/hazard_state.hpp"
#include "observe/hazards/hazard_table.hpp"
#include "observe/observer.hpp"

namespace salu::observe {

/// Warns about hazards on the path of a run. States are numbered, and transitions between them are cached, so that most
/// steps are a lookup.
class HazardWatch : public Observer {
 public:
  HazardWatch(core::Machine& machine, std::optional<bool> xnack);

  void update_interest() override;
  bool wants(u64 address, const KnownInstruction& /*known*/) override {
    return reach_.matters(address, looks_at_rest_);
  }
  void before(ObservedStep& /*step*/) override { begin_step(); }
  void after(ObservedStep& step) override { end_step(step.executed != 0); }
  bool runs_on(const KnownInstruction& /*known*/) override { return true; }
  u64 run_on(u64 most_steps, CodeAhead& code) override;
  /// The state before the next instruction.
  [[nodiscard]] Kept keep() const override { return keep_copy(*states_[state_]); }
  void restore(const Kept& kept) override {
    state_ = number_of(kept.state ? *static_cast<const HazardState*>(kept.state.get()) : HazardState());
  }

 private:
  /// The effect of an instruction on a state.
  struct Transition {
    u32 from = 0;
    u32 to = 0;
    std::vector<HazardFinding> findings;
  };
  /// One of the possible behaviours of an instruction.
  struct Variant {
    HazardFacts facts;
    std::vector<Transition> transitions;  ///< most recently used first
  };
  /// Consecutive instructions without findings from a given state, handled as one step. Only the last one may branch or
  /// write memory, which may contain code.
  struct Stretch {
    u32 from = 0;
    u32 to = 0;
    u32 steps = 0;
    u64 behind = 0;  ///< the address after the last one
  };
  struct Site {
    enum class Kind : u8 {
      unknown,
      nothing,      ///< the run ends before it
      fixed,        ///< always the same
      conditional,  ///< the second variant if SCC is 0: it writes nothing
      vector,       ///< the second variant if MODE.VSKIP is set
      slow,         ///< the accessed registers depend on the state
    };
    Kind kind = Kind::unknown;
    std::vector<Variant> variants;
    std::vector<Stretch> stretches;  ///< most recently used first
  };
  /// The part of a state that allows running at full speed.
  enum class Rest : u8 { none, something, empty };
  struct StateHash {
    std::size_t operator()(const HazardState& state) const { return state.hash(); }
  };

  /// Called before an instruction: warns about hazards.
  void begin_step();
  /// Called after it. `executed`: false if the run ended before it.
  void end_step(bool executed);
  /// Executes several instructions as one step, at most `most_steps`, all before address `end`. False if none were
  /// executed: the next one must be handled separately.
  bool run_stretch(u64 most_steps, u64 end);
  /// True if nothing is pending, or only unbounded hazards, so that only the instructions of `wants` must be observed.
  bool may_pass_over();
  Site* site_at(u64 pc);
  void decode(Site& site, u64 pc, std::span<const u32> words) const;
  void refresh();
  u32 number_of(const HazardState& state);
  void forget_many_states();
  const Transition& transition(Variant& variant, u64 pc);
  const Stretch& stretch_from(Site& site, u64 pc);
  Stretch walk(u64 pc, u32 most_steps);
  void step_slowly(const HazardFacts& facts, u64 pc);
  void warn(u64 pc, const std::vector<HazardFinding>& findings);

  core::Machine& machine_;
  TargetHazards hazards_;
  HazardReach reach_;
  bool looks_at_rest_ = false;  ///< an unbounded hazard has been pending, which changes `wants`
  u32 state_ = 0;               ///< by number; 0 is the initial state of a run
  u32 state_before_ = 0;
  u64 pc_ = 0;             ///< of the current step
  u64 behind_ = 0;         ///< the address after it
  u64 first_version_ = 0;  ///< of the code, at the start of the run
  u64 version_ = 0;
  /// The code block of the last instruction, with one entry per dword.
  struct Area {
    u64 base = 0;
    std::vector<Site> sites;
  };
  std::vector<Area> areas_;
  Area* area_ = nullptr;
  std::unordered_map<HazardState, u32, StateHash> numbers_;
  std::size_t kept_ = 0;                    ///< total size of all kept states
  std::vector<const HazardState*> states_;  ///< by number
  std::vector<bool> awaits_jump_;           ///< by number
  std::vector<Rest> rests_;                 ///< by number
  std::vector<HazardFinding> findings_;
};

}  // namespace salu::observe
