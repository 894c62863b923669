#include "core/scheduler.hpp"

#include <algorithm>

namespace salu::core {

Scheduler::Turn Scheduler::next(std::span<const u8> ready) {
  const bool is_random = schedule_.seed && turns_alike_ < most_random_turns * ready.size();
  ++turns_alike_;
  Turn turn;
  turn.steps = schedule_.slice;
  if (is_random) {
    const auto count = static_cast<u64>(std::ranges::count_if(ready, [](u8 each) { return each != 0; }));
    u64 chosen = random_.below(count);
    turn.steps = 1 + random_.below(schedule_.slice);
    while (ready[turn.wave] == 0 || chosen-- != 0) ++turn.wave;
    last_ = turn.wave;
    return turn;
  }
  const auto first_from = [&](std::size_t wave) {
    while (wave < ready.size() && ready[wave] == 0) ++wave;
    return wave;
  };
  turn.wave = last_ ? first_from(*last_ + 1) : ready.size();
  if (turn.wave == ready.size()) {
    turn.wave = first_from(0);
    turn.begins_round = last_.has_value();
  }
  last_ = turn.wave;
  return turn;
}

}  // namespace salu::core
