#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "conformance/llvm.hpp"

/// Where LLVM and salu differ about vector instructions. Each difference has a name;
/// docs/reference/llvm-differences.md explains it under that name.
namespace salu::conformance::vector {

/// Words that LLVM and salu do not agree about.
struct Disagreement {
  std::string_view processor;
  Generation generation{};
  Words words;
  std::optional<std::string> llvm;  ///< nothing: LLVM rejects the words
  std::optional<std::string> salu;  ///< nothing: salu does
};

struct Difference {
  std::string_view name;
  Generation first;  ///< the generations of LLVM's disassembler where the difference shows
  Generation last;
  std::string_view processor;  ///< the only one of them where it does, if not empty; after `!` the only one where not
  bool (*explains)(const Disagreement&);
  Versions versions = {};  ///< of LLVM that have it
};

/// True if processors of GCN 1.4 before gfx906 lack the instruction with this name.
bool starts_with_gfx906(std::string_view name);

/// Differences in what is a valid instruction.
std::span<const Difference> all_differences();

/// Whether a difference shows on a processor that stands for a generation.
bool is_of(const Difference& difference, std::string_view processor, Generation generation);

/// The difference that explains a disagreement, or null.
const Difference* find_difference(const Disagreement& disagreement);

/// What is left when nothing else explains that LLVM alone prints the words: it prints the same without some of their
/// bits, and salu prints it then, too.
inline constexpr std::string_view bits_that_llvm_ignores = "bits-that-llvm-ignores";

}  // namespace salu::conformance::vector
