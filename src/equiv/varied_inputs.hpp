#pragma once

#include <salu/equivalence.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "equiv/place.hpp"
#include "support/combinations.hpp"

namespace salu::equiv {

/// What two programs get values for.
struct VariedInputs {
  std::vector<Input> inputs;   ///< those of --exhaustive first
  std::size_t exhaustive = 0;  ///< of how many all combinations are tried; the others are drawn
  std::optional<support::Combinations> combinations;
  bool finds_others = false;  ///< nobody has named any: what the programs turn out to read is varied
};

/// What `options` names, or else the arguments of kernels; `not_varied` gets what of these cannot be varied, and why.
/// Returns what is wrong with the options.
Result<VariedInputs> read_inputs(const EquivalenceOptions& options, const Programs& programs,
                                 std::vector<std::string>& not_varied);

/// Whether any of the inputs has a bit of a place.
bool varies(std::span<const Input> inputs, const Place& place);

/// What is wrong where rows of `cases:` set what is to keep its value (`fixed`, as --set names it).
std::optional<Error> fixed_problem(const std::vector<std::string>& fixed, const Programs& programs,
                                   const std::vector<Input>& columns);

}  // namespace salu::equiv
