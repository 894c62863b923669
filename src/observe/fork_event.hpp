#pragma once

#include <salu/event.hpp>
#include <salu/integer.hpp>

#include <optional>
#include <string>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe {

/// A fork, a join, or another change of CSP.
struct ForkEvent {
  enum class Kind : u8 {
    split,   ///< a fork with lanes on both sides: it pushed one side
    whole,   ///< a fork with all lanes on one side
    resume,  ///< a join that popped the waiting side
    rejoin,  ///< a join that found the CSP of its fork again and continues
    set,     ///< an instruction other than a fork or join that changed CSP
    edit,    ///< CSP was set from outside the program, here or since the previous event
  };
  Kind kind{};
  u64 position = 0;  ///< instructions executed before it
  u64 pc = 0;
  u32 depth = 0;  ///< the lower one of CSP before and after it
  u32 csp_before = 0;
  u32 csp_after = 0;
  u64 lanes_before = 0;  ///< EXEC before it
  u64 lanes = 0;         ///< EXEC after it
  u64 next_pc = 0;
  u64 waiting_lanes = 0;         ///< of a split: the pushed lanes
  u64 waiting_pc = 0;            ///< of a split: the address where they will continue
  std::optional<u64> popped_at;  ///< of a split: the position of the join that popped its entry
  std::optional<u64> join_pc;    ///< of a split: the address of the join at `popped_at`
  std::optional<u64> ended_at;   ///< of a split: the position of the join where both sides met
  std::optional<u64> end_pc;     ///< of a split: the address of the join at `ended_at`, usually `join_pc`
};

/// True if an instruction is a fork or a join.
bool is_fork(const isa::Instruction& instruction);
bool is_join(const isa::Instruction& instruction);
/// True if an instruction is a fork or a join, or may set CSP.
bool may_change_csp(Generation generation, const isa::Instruction& instruction);

/// The event of the next instruction if it is a fork or a join; otherwise without an effect.
ForkEvent predict_event(const core::Machine& machine);

/// SGPRs of an entry of the control stack.
inline constexpr u32 entry_dwords = 4;
/// `entry 1 (s[4:7])`.
std::string entry_text(u32 entry);
/// `2 lanes`.
std::string lanes_text(u64 mask);
/// `2 lanes wait`, `1 lane waits`.
std::string lanes_wait(u64 mask);
/// The effect of an event, for `OpenForks`.
StackStep stack_step(const ForkEvent& event);

}  // namespace salu::observe
