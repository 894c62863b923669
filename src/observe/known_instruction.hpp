#pragma once

#include <salu/event.hpp>

#include <array>
#include <bitset>
#include <optional>
#include <string>
#include <string_view>

#include "core/machine.hpp"
#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "observe/accesses.hpp"

namespace salu::observe {

/// A decoded instruction with all properties that do not depend on the state.
class KnownInstruction {
 public:
  KnownInstruction() = default;
  KnownInstruction(const core::Machine& machine, u64 address, std::span<const u32> words);

  /// True if these words are still the instruction.
  [[nodiscard]] bool is_still(std::span<const u32> words) const;

  [[nodiscard]] Generation generation() const { return machine_->generation(); }
  [[nodiscard]] const isa::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] std::span<const u32> words() const {
    return std::span(words_).first(std::min<u32>(instruction_.dwords, word_count_));
  }
  /// The vector instruction, if it can be executed; otherwise null.
  [[nodiscard]] const isa::vector::Instruction* vector() const { return vector_ ? &*vector_ : nullptr; }
  [[nodiscard]] isa::Flow flow() const { return flow_; }
  /// True if an undefined source affects more than the results: control flow, the accessed registers or memory, or
  /// state that is not tracked.
  [[nodiscard]] bool decides() const { return decides_; }
  /// The accesses, if they do not depend on the state; otherwise null.
  [[nodiscard]] const Accesses* fixed_accesses() const { return fixed_ ? &accesses_ : nullptr; }
  /// True if an operand is illegal on the generation. Such an instruction stops the run.
  [[nodiscard]] bool has_operand_fault() const { return has_operand_fault_; }
  /// Dwords of the scalar state that the fixed accesses read or partially write.
  [[nodiscard]] const std::bitset<state_index::scalar_count>& touches() const { return touches_; }
  /// True if the manuals do not define the result for some operands.
  [[nodiscard]] bool may_be_unspecified() const { return may_be_unspecified_; }
  /// True if results on hardware may differ.
  [[nodiscard]] bool is_approximate() const { return is_approximate_; }
  /// Dwords of the scalar state that the fixed accesses write.
  [[nodiscard]] const std::bitset<state_index::scalar_count>& writes() const { return writes_; }
  /// `s_add_u32`; `vector` for every vector instruction, `<invalid>` or `<truncated>` for invalid words.
  [[nodiscard]] std::string_view mnemonic() const { return mnemonic_; }
  /// Its text, built on the first call.
  [[nodiscard]] std::string_view text() const;

 private:
  const core::Machine* machine_ = nullptr;
  u64 address_ = 0;
  std::array<u32, isa::longest_instruction> words_{};
  u32 word_count_ = 0;  ///< number of words that were decoded
  isa::Instruction instruction_;
  std::optional<isa::vector::Instruction> vector_;
  std::string_view mnemonic_;
  isa::Flow flow_ = isa::Flow::next;
  bool has_operand_fault_ = false;
  bool fixed_ = false;
  bool decides_ = false;
  bool may_be_unspecified_ = false;
  bool is_approximate_ = false;
  Accesses accesses_;
  std::bitset<state_index::scalar_count> touches_;
  std::bitset<state_index::scalar_count> writes_;
  mutable std::string text_;
};

}  // namespace salu::observe
