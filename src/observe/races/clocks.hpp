#pragma once

#include <salu/integer.hpp>

#include <array>
#include <cstddef>
#include <vector>

/// Detection of data races: accesses of two waves to the same memory that nothing orders.
namespace salu::observe::races {

/// A wave of a launch, numbered in the order in which the waves started.
using WaveId = u32;

/// The queues of memory operations of a wave. Each is drained separately.
enum class Queue : u8 { lds, vector, scalar };
inline constexpr std::size_t queue_count = 3;

/// A period of the operations in a queue of a wave.
using Epoch = u32;
using Epochs = std::array<Epoch, queue_count>;

/// The operations of other waves that happen before a point of a run: for each wave and queue, the last such epoch.
class Clock {
 public:
  /// The last epoch; 0 if no operation of the wave happens before the point.
  [[nodiscard]] Epoch of(WaveId wave, Queue queue) const {
    const Entry* const entry = find(wave);
    return entry == nullptr ? 0 : entry->epochs[static_cast<std::size_t>(queue)];
  }
  /// Raises the epochs of one wave.
  void advance(WaveId wave, const Epochs& epochs);
  /// Raises the epochs of all waves to those of another clock.
  void join(const Clock& other);
  /// True if no epoch of another clock is later.
  [[nodiscard]] bool covers(const Clock& other) const;

 private:
  struct Entry {
    WaveId wave = 0;
    Epochs epochs{};
  };

  [[nodiscard]] const Entry* find(WaveId wave) const;

  std::vector<Entry> entries_;  ///< sorted by wave
};

/// The epochs of a wave's own operations.
class OwnEpochs {
 public:
  /// The epoch of an operation that is issued now.
  Epoch issue(Queue queue) {
    used_[place(queue)] = true;
    return now_[place(queue)];
  }
  /// Ends the current epoch: later operations belong to the next one.
  void end(Queue queue) {
    if (used_[place(queue)]) ++now_[place(queue)];
    used_[place(queue)] = false;
  }
  /// Records that all operations of a queue have completed.
  void drain(Queue queue) {
    end(queue);
    drained_[place(queue)] = now_[place(queue)] - 1;
  }
  /// The last epochs whose operations have completed.
  [[nodiscard]] const Epochs& drained() const { return drained_; }
  /// Ends the current epochs of all queues and returns them.
  Epochs end_all();

 private:
  static std::size_t place(Queue queue) { return static_cast<std::size_t>(queue); }

  Epochs now_{1, 1, 1};
  Epochs drained_{};  ///< 0: no operation
  std::array<bool, queue_count> used_{};
};

}  // namespace salu::observe::races
