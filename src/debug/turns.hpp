#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace salu::debug {

/// The periods of a run in which one wave executes, by position.
class Turns {
 public:
  /// Records that a wave executes from a position on; turns that began there or later are forgotten.
  void begin(u64 position, u64 wave) {
    while (!turns_.empty() && turns_.back().position >= position) turns_.pop_back();
    if (turns_.empty() || turns_.back().wave != wave) turns_.push_back({position, wave});
  }
  /// Forgets the turns that began after a position.
  void forget_after(u64 position) {
    std::erase_if(turns_, [position](const Turn& turn) { return turn.position > position; });
  }

  /// Number of the wave that executed the instruction before a position; the position must not be 0.
  [[nodiscard]] u64 wave_before(u64 position) const { return std::prev(first_from(position))->wave; }
  /// The first position at which a wave from a number on executes, if one has.
  [[nodiscard]] std::optional<u64> first_of_waves_from(u64 number) const {
    const auto turn = std::ranges::find_if(turns_, [number](const Turn& each) { return each.wave >= number; });
    return turn == turns_.end() ? std::nullopt : std::optional(turn->position);
  }
  /// The last position before `position` at which a wave executed an instruction, if it has.
  [[nodiscard]] std::optional<u64> last_step_of(u64 wave, u64 position) const {
    u64 end = position;
    for (auto turn = first_from(position); turn != turns_.begin();) {
      --turn;
      if (turn->wave == wave) return end - 1;
      end = turn->position;
    }
    return std::nullopt;
  }
  /// The first position from `position` on at which a wave executes an instruction, if it does.
  [[nodiscard]] std::optional<u64> next_step_of(u64 wave, u64 position) const {
    auto turn = std::ranges::upper_bound(turns_, position, {}, &Turn::position);
    if (turn != turns_.begin()) --turn;
    turn = std::find_if(turn, turns_.end(), [wave](const Turn& each) { return each.wave == wave; });
    return turn == turns_.end() ? std::nullopt : std::optional(std::max(turn->position, position));
  }

 private:
  struct Turn {
    u64 position = 0;  ///< its start
    u64 wave = 0;      ///< number
  };
  [[nodiscard]] std::vector<Turn>::const_iterator first_from(u64 position) const {
    return std::ranges::lower_bound(turns_, position, {}, &Turn::position);
  }

  std::vector<Turn> turns_;
};

}  // namespace salu::debug
