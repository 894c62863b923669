#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "conformance/llvm.hpp"
#include "isa/decode.hpp"

/// Differences between LLVM and the tables for which the tables are right. docs/reference/llvm-differences.md explains
/// each under its name.
namespace salu::conformance {

/// Words that LLVM and salu treat differently.
struct Disagreement {
  Generation generation;
  Words words;
  isa::Instruction instruction;     ///< decoded by salu
  std::optional<std::string> llvm;  ///< nothing: LLVM rejects the words
  std::string salu;                 ///< `<invalid>`: salu rejects them
};

struct Difference {
  std::string_view name;
  Generation first;  ///< the generations of LLVM's disassembler that have the difference
  Generation last;
  bool (*explains)(const Disagreement&);
  Versions versions = {};  ///< of LLVM with the difference
  [[nodiscard]] bool is_of(Generation generation) const {
    return first <= generation && generation <= last && versions.has(llvm().version);
  }
};

/// Differences about valid instructions.
std::span<const Difference> disassembly_differences();

/// The difference that explains a disagreement, or null.
const Difference* find_difference(const Disagreement& disagreement);

}  // namespace salu::conformance
