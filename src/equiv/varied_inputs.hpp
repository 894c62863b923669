#pragma once

#include <salu/equivalence.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "equiv/place.hpp"
#include "support/combinations.hpp"

namespace salu::equiv {

/// The inputs of two programs that are varied.
struct VariedInputs {
  std::vector<Input> inputs;   ///< those of --exhaustive first
  std::size_t exhaustive = 0;  ///< number of inputs whose combinations are all tried; the others get random values
  std::optional<support::Combinations> combinations;
  bool finds_others = false;  ///< no inputs are named: those that the programs read are added
};

/// Returns the inputs in `options`, otherwise the arguments of kernels. Arguments that cannot be varied are added to
/// `not_varied` with the reason. Returns an error for invalid options.
Result<VariedInputs> read_inputs(const EquivalenceOptions& options, const Programs& programs,
                                 std::vector<std::string>& not_varied);

/// True if one of the inputs shares a bit with a place.
bool varies(std::span<const Input> inputs, const Place& place);

/// Returns an error if rows of `cases:` set a register that --set (`fixed`) also sets.
std::optional<Error> fixed_problem(const std::vector<std::string>& fixed, const Programs& programs,
                                   const std::vector<Input>& columns);

}  // namespace salu::equiv
