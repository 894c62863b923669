#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/machine.hpp"
#include "observe/observer.hpp"
#include "observe/undefined/shadow_block.hpp"
#include "observe/undefined/shadow_plan.hpp"
#include "observe/undefined/tracker.hpp"
#include "observe/undefined/watched_state.hpp"

namespace salu::observe::undefined {

/// Tracks undefined (or inexact) bits through the instructions of a run.
class Follower : public Observer {
 public:
  Follower(core::Machine& machine, State state);

  bool wants(u64 address, const KnownInstruction& known) override {
    return watched_.concerns(machine_, address, known);
  }
  void before(ObservedStep& step) override;
  void after(ObservedStep& step) override;
  bool runs_on(const KnownInstruction& known) override {
    return known.instruction().encoding == isa::EncodingClass::scalar;
  }
  u64 run_on(u64 most_steps, CodeAhead& code) override;
  void define(const Location& place) override;
  void define(u64 address, u64 size_bytes) override;
  [[nodiscard]] Kept keep() const override { return keep_copy(state_); }
  void restore(const Kept& kept) override;
  void take_memory_of(Observer& other) override;

  [[nodiscard]] const State& state() const { return state_; }

 protected:
  [[nodiscard]] core::Machine& machine() const { return machine_; }
  [[nodiscard]] State& state() { return state_; }

 private:
  /// The accesses of an executed vector instruction, valid while EXEC, MODE and STATUS are unchanged.
  struct VectorAccesses {
    bool is_known = false;
    u64 exec = 0;
    u32 mode = 0;
    u32 status = 0;
    Accesses accesses;
  };
  /// Plain instructions in a straight line.
  struct Block {
    ShadowBlock instructions;
    u64 end = 0;
  };
  /// Cached information about an address.
  struct Site {
    static constexpr u64 no_pc = 1;  ///< not a valid instruction address
    u64 pc = no_pc;
    bool is_plain = false;             ///< a scalar instruction whose effects on the shadow are all in `plan`
    VectorAccesses* vector = nullptr;  ///< for a vector instruction whose accesses can be cached
    Block* block = nullptr;            ///< the block that starts at this address, created on demand
    ShadowPlan plan{};
  };

  static constexpr std::size_t site_count = 512;

  void watch();
  void forget_sites();
  Site& site_at(u64 pc, const KnownInstruction& known);
  const Accesses& vector_accesses(ObservedStep& step, VectorAccesses* kept);
  ShadowBlock* block_at(u64 pc, CodeAhead& code);

  core::Machine& machine_;
  State state_;
  WatchedState watched_;
  u64 code_version_ = 0;
  core::Allocation allocation_;  ///< the allocation for which the sites are valid
  std::vector<Site> sites_;      ///< indexed by low bits of the address
  Accesses accesses_;
  std::unordered_map<u64, VectorAccesses> vector_accesses_;  ///< by address
  std::unordered_map<u64, Block> blocks_;                    ///< by address
  std::unique_ptr<ShadowCells> cells_;                       ///< shared by the blocks
};

}  // namespace salu::observe::undefined
