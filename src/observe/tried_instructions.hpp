#pragma once

#include <salu/fidelity.hpp>

#include <set>
#include <span>

namespace salu::observe {

/// Which instructions of a generation have been executed, and in which forms.
class TriedInstructions {
 public:
  /// The instruction that begins with these words.
  void add(Generation generation, std::span<const u32> words);
  [[nodiscard]] InstructionCoverage coverage(Generation generation) const;

 private:
  // Numbers that stand for instructions and for their forms.
  std::set<u32> scalar_;
  std::set<u32> operand_forms_;
  std::set<u32> vector_;
  std::set<u32> vector_forms_;
};

}  // namespace salu::observe
