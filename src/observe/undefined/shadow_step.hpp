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

/// What must not depend on what is followed: a clause's subject, as `the branch`, and what of the run it is part of.
struct Use {
  enum class Kind : u8 { control_flow, address, result };
  std::string_view what;
  Kind kind = Kind::control_flow;
};

/// One instruction of a run, before the machine executes it: what it reads that is undefined, what it makes of that,
/// and what it does that must not depend on it.
class ShadowStep {
 public:
  ShadowStep(core::Machine& machine, State& state, u64 pc)
      : machine_(machine), state_(state), pc_(pc), step_(machine.steps() + 1) {}

  [[nodiscard]] const core::Wave& wave() const { return machine_.wave(); }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  [[nodiscard]] Generation generation() const { return machine_.generation(); }
  /// True if undefined bits are followed, and not results that are not exact.
  [[nodiscard]] bool follows_undefined() const { return state_.about == State::About::undefined; }
  [[nodiscard]] Shadow& shadow() const { return state_.shadow; }
  [[nodiscard]] u64 pc() const { return pc_; }

  /// What is undefined of a source operand of one or two dwords.
  [[nodiscard]] Mask source(u8 code, u32 dwords);
  /// Whether it is undefined whether a pair of registers is zero.
  [[nodiscard]] Mask zero_test(u32 code) const;

  /// The registers behind a destination's operand code become undefined so, where they take what is written.
  void write(u8 code, u32 dwords, const Mask& mask);
  void write_index(u32 index, const Mask& mask) { state_.shadow.set_scalar(index, made_here(mask)); }
  /// A mask as it is in a place that this instruction writes.
  [[nodiscard]] Mask made_here(const Mask& mask) {
    return mask.bits == 0 ? Mask{} : Mask{mask.bits, made_here(mask.origin)};
  }
  [[nodiscard]] OriginId made_here(OriginId from) { return state_.origins.derive(from, pc_, step_); }
  /// A result of which nothing is known, and why.
  [[nodiscard]] Mask unknown(Origin::Kind why, const Location& place) {
    return {~u64{0}, state_.origins.begin(why, pc_, place, step_)};
  }
  /// The same of a result that the manuals do not define.
  [[nodiscard]] Mask unspecified(const Location& place) { return unknown(Origin::Kind::unspecified_result, place); }
  /// Makes a scalar register undefined because this instruction is passed over.
  void skip(u32 index) { state_.shadow.set_scalar(index, unknown(Origin::Kind::skipped_vector, {index})); }

  /// Warns of a use that depends on what is undefined, or takes down that one depends on what is not exact.
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

/// A scalar instruction, by its semantic function. `plan`: of the instruction, or one that knows nothing.
void propagate(ShadowStep& step, const isa::Instruction& instruction, const ShadowPlan& plan = {});
/// A scalar memory instruction.
void propagate_memory(ShadowStep& step, const isa::Instruction& instruction, const Accesses& accesses);
/// A vector instruction that is executed.
void propagate_lanes(ShadowStep& step, const isa::vector::Instruction& instruction, const Accesses& accesses);

/// The sentence of a warning, and its data.
struct Finding {
  UndefinedRead read;
  std::string detail;
};
Finding describe(const core::Machine& machine, const Origins& origins, const Location& operand, const Mask& mask,
                 std::string_view what);
/// The cause of undefined bits and the instructions that moved them, which are also written to `read`.
std::string describe_origin(const core::Machine& machine, const Origins& origins, OriginId origin, UndefinedRead& read);

}  // namespace salu::observe::undefined
