#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace salu {

/// The rounding of the results that hardware approximates: reciprocals, roots, exponential functions, logarithms, sines
/// and cosines. The manuals specify their error, but not their bits.
struct Approximations {
  enum class Rounding : u8 {
    nearest,  ///< to the nearest float
    low,      ///< down, unless the exact result is a float
    high,     ///< up, unless the exact result is a float
    seeded,   ///< each result down or up, as the seed and the operand determine
  };
  Rounding rounding = Rounding::nearest;
  u64 seed = 0;  ///< of `seeded`
  friend bool operator==(const Approximations&, const Approximations&) = default;
};

/// Parses `nearest`, `low`, `high`, `seed N` or `seed=N`. Returns nothing for another text.
std::optional<Approximations> parse_approximations(std::string_view text);
/// The text that `parse_approximations` reads, such as `seed 7`.
std::string approximations_text(const Approximations& approximations);

}  // namespace salu
