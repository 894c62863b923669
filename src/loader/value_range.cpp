#include "loader/value_range.hpp"

#include <optional>

#include "loader/number.hpp"

namespace salu::loader {

std::string read_value_range(std::string_view text, u32 bits, support::ValueRange& range) {
  const std::size_t colon = text.find(':');
  const std::string_view ends = text.substr(0, colon);
  const std::size_t dots = ends.find("..");
  const std::optional<Number> low = parse_number(ends.substr(0, dots)).number;
  const std::optional<Number> high = dots == std::string_view::npos ? low : parse_number(ends.substr(dots + 2)).number;
  if (!low || !high) return "expected a range after `=`, as in s0=0..255";
  const Number step =
      colon == std::string_view::npos ? make_number(1) : parse_number(text.substr(colon + 1)).number.value_or(Number{});
  if (step.negative || step.is_zero() || !step.fits(64))
    return "expected a step of at least 1 after `:`, as in s0=0..100:5";
  if (!low->fits(bits) || !high->fits(bits)) return "the range does not fit in " + std::to_string(bits) + " bits";
  const u64 first = low->low64();
  const u64 last = high->low64();
  // A range from a negative to a positive number is not empty.
  const bool is_empty = high->negative != low->negative ? high->negative : last < first;
  if (is_empty) return "the range is empty: write the lower end first";
  range = {first & ones(bits), ((last - first) & ones(bits)) / step.low64(), step.low64(), bits};
  return {};
}

}  // namespace salu::loader
