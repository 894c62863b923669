#pragma once

#include <string>
#include <string_view>

#include "core/machine.hpp"
#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "observe/accesses.hpp"
#include "observe/undefined/origins.hpp"
#include "observe/undefined/shadow.hpp"

namespace salu::observe::undefined {

/// One instruction of a run, before the machine executes it: what it reads that is undefined, what it makes of that,
/// and what it does that must not depend on it.
class Step {
 public:
  Step(core::Machine& machine, Shadow& shadow, Origins& origins, u64 pc)
      : machine_(machine), shadow_(shadow), origins_(origins), pc_(pc), step_(machine.steps() + 1) {}

  [[nodiscard]] const core::Wave& wave() const { return machine_.wave(); }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  [[nodiscard]] Generation generation() const { return machine_.generation(); }
  [[nodiscard]] Shadow& shadow() const { return shadow_; }
  [[nodiscard]] u64 pc() const { return pc_; }

  /// What is undefined of a source operand of one or two dwords.
  [[nodiscard]] Mask source(u8 code, u32 dwords);
  /// Whether it is undefined whether a pair of registers is zero.
  [[nodiscard]] Mask zero_test(u32 code) const;

  /// The registers behind a destination's operand code become undefined so, where they take what is written.
  void write(u8 code, u32 dwords, const Mask& mask);
  void write_index(u32 index, const Mask& mask);
  /// A mask as it is in a place that this instruction writes.
  [[nodiscard]] Mask made_here(const Mask& mask, const Location& place) {
    return mask.bits == 0 ? Mask{} : Mask{mask.bits, origins_.derive(mask.origin, pc_, place, step_)};
  }
  /// The same of a result that the manuals do not define.
  [[nodiscard]] Mask unspecified(const Location& place) {
    return {~u64{0}, origins_.begin(Origin::Kind::unspecified_result, pc_, place, step_)};
  }
  /// Makes a scalar register undefined because this instruction is passed over.
  void skip(u32 index) {
    shadow_.set_scalar(index, {~u32{0}, origins_.begin(Origin::Kind::skipped_vector, pc_, {index}, step_)});
  }

  /// Warns of a use that must not depend on what is undefined: `what` is what does, as `the branch`.
  void report(const Location& operand, const Mask& mask, std::string_view what);

 private:
  core::Machine& machine_;
  Shadow& shadow_;
  Origins& origins_;
  u64 pc_;
  u64 step_;
};

/// A scalar instruction, by its semantic function.
void propagate(Step& step, const isa::Instruction& instruction);
/// A scalar memory instruction.
void propagate_memory(Step& step, const isa::Instruction& instruction, const Accesses& accesses);
/// A vector instruction that is executed.
void propagate_lanes(Step& step, const isa::vector::Instruction& instruction, const Accesses& accesses);

/// The sentence of a warning, and its data.
struct Finding {
  UndefinedRead read;
  std::string detail;
};
Finding describe(const core::Machine& machine, const Origins& origins, const Location& operand, const Mask& mask,
                 std::string_view what);

}  // namespace salu::observe::undefined
