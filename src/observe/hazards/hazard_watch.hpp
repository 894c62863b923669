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

/// Warns of the hazards on the path of a run. States are numbered, and what an instruction makes of a state is kept, so
/// that the usual step is one look at what came of it before.
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
  /// What an instruction makes of a state.
  struct Transition {
    u32 from = 0;
    u32 to = 0;
    std::vector<HazardFinding> findings;
  };
  /// An instruction as it does one of the things that it may do.
  struct Variant {
    HazardFacts facts;
    std::vector<Transition> transitions;  ///< the one used last is the first
  };
  /// Instructions one behind the other of which nothing is to be said where the first finds a state: one step. None but
  /// the last goes on elsewhere or writes memory, which may be code.
  struct Stretch {
    u32 from = 0;
    u32 to = 0;
    u32 steps = 0;
    u64 behind = 0;  ///< the address behind the last one
  };
  struct Site {
    enum class Kind : u8 {
      unknown,
      nothing,      ///< the run ends in front of it
      fixed,        ///< always the same
      conditional,  ///< the second variant where SCC is 0: it writes nothing
      vector,       ///< the second variant where MODE.VSKIP is set
      slow,         ///< it depends on the state which registers it touches
    };
    Kind kind = Kind::unknown;
    std::vector<Variant> variants;
    std::vector<Stretch> stretches;  ///< the one used last is the first
  };
  /// What of a state can be passed over quickly.
  enum class Rest : u8 { none, something, empty };
  struct StateHash {
    std::size_t operator()(const HazardState& state) const { return state.hash(); }
  };

  /// Before an instruction: warns if it comes too early.
  void begin_step();
  /// After it. `executed`: false if the run ended before it.
  void end_step(bool executed);
  /// Executes several instructions as one, no more than `most_steps`, all before an address. False: none were executed,
  /// the next one has to be looked at by itself.
  bool run_stretch(u64 most_steps, u64 end);
  /// True if nothing is pending, or only what rests, so that no more than `wants` has to be looked at.
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
  bool looks_at_rest_ = false;  ///< something has been resting, which changes `wants`
  u32 state_ = 0;               ///< by number; 0 is that of a run that begins
  u32 state_before_ = 0;
  u64 pc_ = 0;             ///< of the step that has begun
  u64 behind_ = 0;         ///< the next address
  u64 first_version_ = 0;  ///< of the code, as the run began
  u64 version_ = 0;
  /// The code block that the last instruction was in, an entry a dword.
  struct Area {
    u64 base = 0;
    std::vector<Site> sites;
  };
  std::vector<Area> areas_;
  Area* area_ = nullptr;
  std::unordered_map<HazardState, u32, StateHash> numbers_;
  std::size_t kept_ = 0;                    ///< how large all of them are together
  std::vector<const HazardState*> states_;  ///< by number
  std::vector<bool> awaits_jump_;           ///< likewise
  std::vector<Rest> rests_;                 ///< likewise
  std::vector<HazardFinding> findings_;
};

}  // namespace salu::observe
