#pragma once

#include <salu/run.hpp>

#include <cstddef>
#include <optional>
#include <span>

#include "support/random.hpp"

namespace salu::core {

/// Chooses the waves that run, by a `Schedule`. A copy continues in the same way.
class Scheduler {
 public:
  explicit Scheduler(const Schedule& schedule) : schedule_(schedule), random_(schedule.seed.value_or(0)) {}

  struct Turn {
    std::size_t wave = 0;
    u64 steps = 0;  ///< at least 1
    /// In order of ids: every ready wave has had its turn since the last turn with this flag.
    bool begins_round = false;
  };
  /// Chooses among the waves for which `ready` is not 0; there must be one.
  Turn next(std::span<const u8> ready);
  /// The next turn is that of the first ready wave; waves have arrived at a barrier, passed it, or ended.
  void begin_round() {
    last_.reset();
    turns_alike_ = 0;
  }
  /// Called when waves made progress that is not a barrier passed by all.
  void note_progress() { turns_alike_ = 0; }

 private:
  /// A random order cannot show that waves repeat themselves forever: after so many turns of each wave without
  /// progress, the waves run in order of ids.
  static constexpr u64 most_random_turns = 64;

  Schedule schedule_;
  support::Random random_;
  std::optional<std::size_t> last_;
  u64 turns_alike_ = 0;  ///< since the last progress
};

}  // namespace salu::core
