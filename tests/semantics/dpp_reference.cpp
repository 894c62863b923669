#include "semantics/dpp_reference.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace salu::test {
namespace {

constexpr std::ptrdiff_t row_size = 16;

/// Calls `move(begin, end)` for each group of lanes.
template <class Move>
void for_groups(DppSources& lanes, std::ptrdiff_t size, Move move) {
  for (auto begin = lanes.begin(); begin != lanes.end(); begin += size) move(begin, begin + size);
}

/// Moves the values of a group towards lane 0; the last lanes are empty then.
constexpr auto shift_left = [](auto begin, auto end, std::ptrdiff_t count) {
  std::fill(std::shift_left(begin, end, count), end, std::nullopt);
};
constexpr auto shift_right = [](auto begin, auto end, std::ptrdiff_t count) {
  std::fill(begin, std::shift_right(begin, end, count), std::nullopt);
};

}  // namespace

DppSources dpp_sources(u32 control) {
  DppSources lanes;
  std::iota(lanes.begin(), lanes.end(), 0U);
  const auto count = static_cast<std::ptrdiff_t>(control % 16);
  if (control <= 0xff) {
    for_groups(lanes, 4, [control](auto begin, auto end) {
      const std::vector<std::optional<u32>> quad(begin, end);
      u32 left = control;
      for (auto lane = begin; lane != end; ++lane, left /= 4) *lane = quad[left % 4];
    });
  } else if (control >= 0x101 && control <= 0x10f) {
    for_groups(lanes, row_size, [count](auto begin, auto end) { shift_left(begin, end, count); });
  } else if (control >= 0x111 && control <= 0x11f) {
    for_groups(lanes, row_size, [count](auto begin, auto end) { shift_right(begin, end, count); });
  } else if (control >= 0x121 && control <= 0x12f) {
    for_groups(lanes, row_size, [count](auto begin, auto end) { std::rotate(begin, end - count, end); });
  } else if (control == 0x130) {
    shift_left(lanes.begin(), lanes.end(), 1);
  } else if (control == 0x134) {
    std::rotate(lanes.begin(), lanes.begin() + 1, lanes.end());
  } else if (control == 0x138) {
    shift_right(lanes.begin(), lanes.end(), 1);
  } else if (control == 0x13c) {
    std::rotate(lanes.begin(), lanes.end() - 1, lanes.end());
  } else if (control == 0x140) {
    for_groups(lanes, row_size, [](auto begin, auto end) { std::reverse(begin, end); });
  } else if (control == 0x141) {
    for_groups(lanes, row_size / 2, [](auto begin, auto end) { std::reverse(begin, end); });
  } else if (control == 0x142) {
    lanes.fill(std::nullopt);
    std::fill(lanes.begin() + 16, lanes.begin() + 32, 15U);
    std::fill(lanes.begin() + 32, lanes.begin() + 48, 31U);
    std::fill(lanes.begin() + 48, lanes.end(), 47U);
  } else if (control == 0x143) {
    std::fill(lanes.begin(), lanes.begin() + 32, std::nullopt);
    std::fill(lanes.begin() + 32, lanes.end(), 31U);
  } else if (control >= 0x150 && control <= 0x15f) {
    for_groups(lanes, row_size, [count](auto begin, auto end) { std::fill(begin, end, *(begin + count)); });
  } else {
    throw std::runtime_error("a reserved control of DPP");
  }
  return lanes;
}

u64 dpp_enabled_lanes(u32 row_mask, u32 bank_mask) {
  u64 lanes = 0;
  for (u32 row = 0; row < 4; ++row) {
    for (u32 bank = 0; bank < 4; ++bank) {
      if ((row_mask & 1U << row) != 0 && (bank_mask & 1U << bank) != 0) lanes |= u64{0xf} << (16 * row + 4 * bank);
    }
  }
  return lanes;
}

std::vector<u32> dpp_controls(Generation generation, bool is_wide) {
  std::vector<u32> controls;
  const auto add = [&](u32 first, u32 last) {
    for (u32 control = first; control <= last; ++control) controls.push_back(control);
  };
  if (generation >= Generation::cdna2) add(0x150, 0x15f);
  if (is_wide) return controls;
  controls.insert(controls.end(), {0x00, 0x1b, 0xb1, 0xe4, 0x130, 0x134, 0x138, 0x13c});
  add(0x101, 0x10f);
  add(0x111, 0x11f);
  add(0x121, 0x12f);
  add(0x140, 0x143);
  return controls;
}

}  // namespace salu::test
