#include "support/combinations.hpp"

#include <bit>
#include <cmath>

namespace salu::support {
namespace {

std::string product_text(std::span<const ValueRange> ranges) {
  u64 product = 1;
  bool fits = true;
  int power_of_two = 0;
  double logarithm = 0;
  for (const ValueRange& range : ranges) {
    const u64 count = range.last_index + 1;  // 0 means 2^64
    constexpr int bits_of_all = 64;
    const bool is_power = count == 0 || std::has_single_bit(count);
    power_of_two =
        power_of_two < 0 || !is_power ? -1 : power_of_two + (count == 0 ? bits_of_all : std::countr_zero(count));
    logarithm += std::log10(static_cast<double>(range.last_index) + 1);
    fits = fits && count != 0 && product <= ~u64{0} / count;
    if (fits) product *= count;
  }
  if (fits) return std::to_string(product);
  if (power_of_two > 0) return "2^" + std::to_string(power_of_two);
  return "about 10^" + std::to_string(static_cast<u64>(std::lround(logarithm)));
}

}  // namespace

Combinations::Combinations(std::span<const ValueRange> ranges) : count_text_(product_text(ranges)) {
  for (const ValueRange& range : ranges) {
    const u64 each = range.last_index + 1;  // 0 means 2^64
    wheels_.push_back({range, each, 1});
    count_ = each == 0 || each > limit || count_ > limit / each ? 0 : count_ * each;
    if (count_ == 0) return;
  }
  u64 period = 1;
  for (std::size_t i = wheels_.size(); i-- > 0;) {
    wheels_[i].period = period;
    period *= wheels_[i].count;
  }
}

void Combinations::fill(u64 number, std::span<u64> values) const {
  for (std::size_t i = 0; i < wheels_.size(); ++i) values[i] = value(i, number);
}

}  // namespace salu::support
