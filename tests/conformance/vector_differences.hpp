#pragma once

#include <salu/target.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "conformance/llvm.hpp"

/// Differences between LLVM and salu about vector instructions. docs/reference/llvm-differences.md explains each under
/// its name.
namespace salu::conformance::vector {

/// Words that LLVM and salu treat differently.
struct Disagreement {
  std::string_view processor;
  Generation generation{};
  Words words;
  std::optional<std::string> llvm;  ///< nothing: LLVM rejects the words
  std::optional<std::string> salu;  ///< nothing: salu rejects them
};

struct Difference {
  std::string_view name;
  Generation first;  ///< the generations of LLVM's disassembler that have the difference
  Generation last;
  std::string_view processor;  ///< if not empty, the only processor with it; after `!` the only one without it
  bool (*explains)(const Disagreement&);
  Versions versions = {};  ///< of LLVM with the difference
};

/// True if processors of GCN 1.4 before gfx906 do not have the instruction with this name.
bool starts_with_gfx906(std::string_view name);

/// True for the name of an atomic of memory on floats.
bool is_float_atomic(std::string_view name);

/// True for a sum of floats in global memory whose result is in accumulation registers.
bool is_float_sum_in_accumulators(std::string_view text);

/// Differences about valid instructions.
std::span<const Difference> all_differences();

/// True if a difference occurs on a processor that represents a generation.
bool is_of(const Difference& difference, std::string_view processor, Generation generation);

/// The difference that explains a disagreement, or null.
const Difference* find_difference(const Disagreement& disagreement);

/// The remaining reason if only LLVM prints the words: it ignores some of their bits, and salu prints the words without
/// these bits.
inline constexpr std::string_view bits_that_llvm_ignores = "bits-that-llvm-ignores";

}  // namespace salu::conformance::vector
