#pragma once

#include <salu/outcome.hpp>

#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "debug/call_stack.hpp"
#include "observe/work_groups.hpp"

namespace salu::debug {

/// The calls of each wave, by number; of those that have called.
using Calls = std::map<u64, CallStack>;

/// A state of a run, to return to it.
struct Checkpoint {
  std::shared_ptr<const observe::WorkGroups::Kept> kept;  ///< without observers if they follow nothing
  Calls calls;
  std::vector<Warning> earlier_warnings;
  u64 bytes = 0;  ///< memory that is not shared with the checkpoint before

  [[nodiscard]] u64 position() const { return kept->steps; }
};

/// The checkpoints of a run: some are spread over the whole run; a few temporary ones are denser near the current
/// position, because moves back tend to be repeated. Their memory is limited.
class Checkpoints {
 public:
  static constexpr u64 never = std::numeric_limits<u64>::max();

  /// `interval`: instructions between those of the whole run at first, doubled if memory is short; `never`: only those
  /// that `add` gets.
  Checkpoints(u64 interval, u64 most_bytes) : interval_(interval), most_bytes_(most_bytes) {}

  /// The last one at or before a position. One at 0 must have been added.
  [[nodiscard]] const Checkpoint& find(u64 position) const;
  /// Those of the whole run, by position.
  [[nodiscard]] const std::vector<Checkpoint>& of_whole_run() const { return whole_; }

  /// The position after `here` at which the next one is due; a run must stop there.
  [[nodiscard]] u64 next_due(u64 here) const;
  /// Adds those that are due at a position.
  void take_due(u64 here, const std::function<Checkpoint()>& make);
  /// Adds one of the whole run, after all others.
  void add(Checkpoint checkpoint);
  /// Plans the temporary ones for a move from `here` to a goal; 0: without one.
  void plan(u64 here, u64 goal);
  /// Drops those at a position and after it.
  void drop_from(u64 position);
  /// True if only those that `add` gets are kept.
  [[nodiscard]] bool are_off() const { return interval_ == never; }

  /// Their approximate memory.
  [[nodiscard]] u64 bytes() const { return whole_bytes_ + near_bytes_; }
  [[nodiscard]] std::size_t count() const { return whole_.size() + near_.size(); }

 private:
  void add_near(Checkpoint checkpoint);
  [[nodiscard]] std::size_t near_count() const;
  void drop_near_from(u64 position);
  [[nodiscard]] bool lack_room() const;
  void thin_out();
  void measure(std::size_t index);

  u64 interval_;
  u64 most_bytes_;
  std::vector<Checkpoint> whole_;
  u64 whole_bytes_ = 0;
  std::deque<Checkpoint> near_;  ///< the temporary ones, by position
  u64 near_bytes_ = 0;
  u64 near_due_ = never;  ///< position of the next temporary one
  u64 goal_ = 0;          ///< of the current move
};

}  // namespace salu::debug
