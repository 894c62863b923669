#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "conformance/llvm.hpp"
#include "isa/decode.hpp"

/// Where LLVM and the tables differ and the tables win. Each difference has a name;
/// docs/reference/llvm-differences.md explains it under that name.
namespace salu::conformance {

/// Words that LLVM and salu do not agree about.
struct Disagreement {
  Generation generation;
  Words words;
  isa::Instruction instruction;     ///< decoded by salu
  std::optional<std::string> llvm;  ///< nothing: LLVM rejects the words
  std::string salu;                 ///< `<invalid>`: salu does
};

struct Difference {
  std::string_view name;
  Generation first;  ///< the generations of LLVM's disassembler where the difference shows
  Generation last;
  bool (*explains)(const Disagreement&);
  Versions versions = {};  ///< of LLVM that have it
  [[nodiscard]] bool is_of(Generation generation) const {
    return first <= generation && generation <= last && versions.has(llvm().version);
  }
};

/// Differences in what is a valid instruction.
std::span<const Difference> disassembly_differences();

/// The difference that explains a disagreement, or null.
const Difference* find_difference(const Disagreement& disagreement);

}  // namespace salu::conformance
