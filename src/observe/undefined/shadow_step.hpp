#pragma once

#include <string>
#include <string_view>

#include "core/machine.hpp"
#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "observe/accesses.hpp"
#include "observe/undefined/origins.hpp"
#include "observe/undefined/shadow.hpp"
#include "observe/undefined/shadow_plan.hpp"
#include "observe/undefined/tracker.hpp"

namespace salu::observe::undefined {

/// A use that must not depend on undefined bits: the subject of the message, such as `the branch`, and its kind.
struct Use {
  enum class Kind : u8 { control_flow, address, result };
  std::string_view what;
  Kind kind = Kind::control_flow;
};

/// The effect of one instruction on the shadow, before the machine executes it: the undefined operands, the results,
/// and uses that must not depend on them.
class ShadowStep {
 public:
  ShadowStep(core::Machine& machine, State& state, u64 pc)
      : machine_(machine), state_(state), pc_(pc), step_(machine.steps() + 1) {}

  [[nodiscard]] const core::Wave& wave() const { return machine_.wave(); }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  [[nodiscard]] Generation generation() const { return machine_.generation(); }
  /// True if undefined bits are tracked; false for inexact results.
  [[nodiscard]] bool follows_undefined() const { return state_.about == State::About::undefined; }
  [[nodiscard]] Shadow& shadow() const { return state_.shadow; }
  [[nodiscard]] u64 pc() const { return pc_; }

  /// The undefined bits of a source operand of one or two dwords.
  [[nodiscard]] Mask source(u8 code, u32 dwords);
  /// Undefined if it cannot be determined whether a pair of registers is zero.
  [[nodiscard]] Mask zero_test(u32 code) const;

  /// Sets the masks of the registers of a destination, if the write takes effect.
  void write(u8 code, u32 dwords, const Mask& mask);
  void write_index(u32 index, const Mask& mask) { state_.shadow.set_scalar(index, made_here(mask)); }
  /// A mask whose origin is this instruction.
  [[nodiscard]] Mask made_here(const Mask& mask) {
    return mask.bits == 0 ? Mask{} : Mask{mask.bits, made_here(mask.origin)};
  }
  [[nodiscard]] OriginId made_here(OriginId from) { return state_.origins.derive(from, pc_, step_); }
  /// A completely undefined result, with the reason.
  [[nodiscard]] Mask unknown(Origin::Kind why, const Location& place) {
    return {~u64{0}, state_.origins.begin(why, pc_, place, step_)};
  }
  /// A result that the manuals do not define.
  [[nodiscard]] Mask unspecified(const Location& place) { return unknown(Origin::Kind::unspecified_result, place); }
  /// Makes a scalar register undefined because this instruction is skipped.
  void skip(u32 index) { state_.shadow.set_scalar(index, unknown(Origin::Kind::skipped_vector, {index})); }

  /// Warns about a use that depends on undefined bits, or records one that depends on inexact results.
  void report(const Location& operand, const Mask& mask, const Use& use) {
    if (mask.bits != 0) report_undefined(operand, mask, use);
  }

 private:
  void report_undefined(const Location& operand, const Mask& mask, const Use& use);

  core::Machine& machine_;
  State& state_;
  u64 pc_;
  u64 step_;
};

/// Processes a scalar instruction with its semantic function. `plan`: the plan of the instruction, or an empty plan.
void propagate(ShadowStep& step, const isa::Instruction& instruction, const ShadowPlan& plan = {});
/// Processes a scalar memory instruction.
void propagate_memory(ShadowStep& step, const isa::Instruction& instruction, const Accesses& accesses);
/// Processes an executed vector instruction.
void propagate_lanes(ShadowStep& step, const isa::vector::Instruction& instruction, const Accesses& accesses);

/// The text of a warning, and its data.
struct Finding {
  UndefinedRead read;
  std::string detail;
};
Finding describe(const core::Machine& machine, const Origins& origins, const Location& operand, const Mask& mask,
                 std::string_view what);
/// Describes the origin of undefined bits and the instructions that moved them, which are also added to `read`.
std::string describe_origin(const core::Machine& machine, const Origins& origins, OriginId origin, UndefinedRead& read);

}  // namespace salu::observe::undefined
