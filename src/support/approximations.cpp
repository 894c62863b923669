#include <salu/approximations.hpp>

#include <array>
#include <utility>

#include "support/numbers.hpp"

namespace salu {
namespace {

using Rounding = Approximations::Rounding;

constexpr std::array<std::pair<std::string_view, Rounding>, 3> roundings = {
    {{"nearest", Rounding::nearest}, {"low", Rounding::low}, {"high", Rounding::high}}};
constexpr std::string_view seed_word = "seed";

}  // namespace

std::optional<Approximations> parse_approximations(std::string_view text) {
  for (const auto& [name, rounding] : roundings) {
    if (text == name) return Approximations{rounding, 0};
  }
  const bool is_seeded = text.starts_with(seed_word) && text.size() > seed_word.size() &&
                         (text[seed_word.size()] == ' ' || text[seed_word.size()] == '=');
  if (!is_seeded) return std::nullopt;
  const std::optional<u64> seed = support::parse_unsigned(text.substr(seed_word.size() + 1));
  if (!seed) return std::nullopt;
  return Approximations{Rounding::seeded, *seed};
}

std::string approximations_text(const Approximations& approximations) {
  for (const auto& [name, rounding] : roundings) {
    if (approximations.rounding == rounding) return std::string(name);
  }
  return std::string(seed_word) + " " + std::to_string(approximations.seed);
}

}  // namespace salu
