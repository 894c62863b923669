#include "equiv/draw.hpp"

#include <array>

namespace salu::equiv {
namespace {

/// Maps a random value to the range of an input.
u64 into_range(const Input& input, u64 value) {
  value &= low_bits(input.bits);
  if (input.allows(value)) return value;
  // Offsets from the start of the range, so that edges of the range are as frequent as values near zero.
  return (input.first + value % (input.span + 1)) & low_bits(input.bits);
}

/// True for two 32-bit registers that form a pair.
bool is_pair(const Input& low, const Input& high) {
  const auto is_dword = [](const Input& input) {
    return !input.place.is_memory && input.place.registers[0].is_in_file() && input.bits == 32 && input.is_whole();
  };
  if (!is_dword(low) || !is_dword(high)) return false;
  const u32 first = low.place.registers[0].index;
  return first % 2 == 0 && high.place.registers[0].index == first + 1;
}

}  // namespace

u64 Draw::edge(u32 bits) {
  const u64 power = u64{1} << below(bits);
  switch (below(8)) {
    case 0:
      return power;
    case 1:
      return power - 1;
    case 2:
      return power + 1;
    case 3:
      return ~power;
    case 4:
      return u64{1} << (bits - 1);
    case 5:
      return (u64{1} << (bits - 1)) - 1;
    case 6:
      return ~u64{0} - below(2);
    default:
      return below(3);
  }
}

u64 Draw::value(u32 bits, std::span<const u64> before) {
  const u64 random = next();
  switch (below(10)) {
    case 0:
    case 1:
      return edge(bits);
    case 2:
      return random % 65;
    case 3:
      return (random & low_bits(bits)) >> below(bits);
    case 4:
      return random & next() & next();
    case 5:
      return random | next() | next();
    case 6:
      if (!before.empty()) return before[static_cast<std::size_t>(below(before.size()))] + below(3) - 1;
      return random;
    case 7:
      if (!constants_.empty()) return constants_[static_cast<std::size_t>(below(constants_.size()))] + below(3) - 1;
      return edge(bits) + below(5) - 2;
    default:
      return random;
  }
}

void Draw::fill(std::span<const Input> inputs, u64 number, std::span<u64> values) {
  constexpr std::array<u64, 4> simple = {0, 1, ~u64{0}, 2};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& input = inputs[i];
    u64 drawn = 0;
    if (number < simple.size()) {
      drawn = simple[static_cast<std::size_t>(number)];
    } else if (number == simple.size()) {
      drawn = u64{1} << (input.bits - 1);
    } else {
      drawn = value(input.bits, values.first(i));
    }
    values[i] = into_range(input, drawn);
  }
  if (number <= simple.size()) return;
  // The halves of a 64-bit value are related: sometimes a pair is drawn as a whole.
  for (std::size_t i = 0; i + 1 < inputs.size(); ++i) {
    if (!is_pair(inputs[i], inputs[i + 1]) || below(4) != 0) continue;
    const u64 whole = value(64, {});
    values[i] = whole & low_bits(32);
    values[i + 1] = whole >> 32;
  }
}

}  // namespace salu::equiv
