#pragma once

#include <salu/fidelity.hpp>

#include <set>
#include <span>

namespace salu::observe {

/// The instructions of a generation that have been executed, and the kinds of their operands.
class TriedInstructions {
 public:
  /// Adds the instruction that begins with these words.
  void add(Generation generation, std::span<const u32> words);
  [[nodiscard]] InstructionCoverage coverage(Generation generation) const;

 private:
  // Numbers of instructions and of their forms.
  std::set<u32> scalar_;
  std::set<u32> operand_forms_;
  std::set<u32> vector_;
  std::set<u32> vector_forms_;
};

}  // namespace salu::observe
