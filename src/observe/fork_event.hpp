#pragma once

#include <salu/event.hpp>
#include <salu/integer.hpp>

#include <optional>
#include <string>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe {

/// What a fork or a join did, or whatever else changed CSP.
struct ForkEvent {
  enum class Kind : u8 {
    split,   ///< a fork whose lanes go both ways: it pushed one of them
    whole,   ///< a fork all of whose lanes go one way
    resume,  ///< a join that popped the side that waited
    rejoin,  ///< a join that found the CSP of its fork again and goes on
    set,     ///< an instruction that is neither a fork nor a join and that changed CSP
    edit,    ///< CSP was set from outside the program, here or since the event before
  };
  Kind kind{};
  u64 position = 0;  ///< instructions executed before it
  u64 pc = 0;
  u32 depth = 0;  ///< the lower one of CSP in front of it and behind it
  u32 csp_before = 0;
  u32 csp_after = 0;
  u64 lanes_before = 0;  ///< EXEC in front of it
  u64 lanes = 0;         ///< EXEC behind it
  u64 next_pc = 0;
  u64 waiting_lanes = 0;         ///< of a split: those that were pushed
  u64 waiting_pc = 0;            ///< of a split: where they will go on
  std::optional<u64> popped_at;  ///< of a split: the position of the join that popped what it pushed
  std::optional<u64> join_pc;    ///< of a split: the address of the join at `popped_at`
  std::optional<u64> ended_at;   ///< of a split: the position of the join that found both sides there
  std::optional<u64> end_pc;     ///< of a split: the address of the join at `ended_at`, mostly `join_pc`
};

/// Whether an instruction is a fork or a join.
bool is_fork(const isa::Instruction& instruction);
bool is_join(const isa::Instruction& instruction);
/// The same, or whether it may set CSP.
bool may_change_csp(Generation generation, const isa::Instruction& instruction);

/// What the next instruction does if it is a fork or a join; without what it does, if not.
ForkEvent predict_event(const core::Machine& machine);

/// SGPRs of an entry of the control stack.
inline constexpr u32 entry_dwords = 4;
/// `entry 1 (s[4:7])`.
std::string entry_text(u32 entry);
/// `2 lanes`.
std::string lanes_text(u64 mask);
/// `2 lanes wait`, `1 lane waits`.
std::string lanes_wait(u64 mask);
/// What an event did, as `OpenForks` wants it.
StackStep stack_step(const ForkEvent& event);

}  // namespace salu::observe
