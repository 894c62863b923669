#pragma once

#include <salu/sweep.hpp>

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "batch/row_loop.hpp"
#include "sweeping/block.hpp"

/// Statistics of the outputs of many states. Parts of the states are counted separately and merged.
namespace salu::sweeping {

/// The counts of each value; empty if there are too many values.
class Histogram {
 public:
  void add(std::span<const u64> values);
  void add(const Histogram& other);
  [[nodiscard]] bool has_too_many() const { return has_too_many_; }
  /// The counts, ascending by value.
  [[nodiscard]] std::vector<std::pair<u64, u64>> counts() const;

 private:
  void look_at_size();

  std::vector<u64> small_;        ///< counts of the values from 0 on
  std::size_t small_values_ = 0;  ///< number of nonzero counts in `small_`
  std::unordered_map<u64, u64> large_;
  bool has_too_many_ = false;
};

/// Minimum, maximum and checksum of an output.
struct Extremes {
  u64 states = 0;
  u64 minimum = 0;
  u64 minimum_state = 0;
  u64 maximum = 0;
  u64 maximum_state = 0;
  u64 checksum = 0;

  void add(std::span<const u64> values, u64 first);
  /// Adds `values & bits`.
  void add(std::span<const u32> values, u32 bits, u64 first, const batch::RowLoopTable& loops);
  /// Adds the extremes of later states.
  void add(const Extremes& later);

 private:
  template <class FindState>
  void take(u64 least, u64 greatest, const FindState& first_with);
};

/// Counts of some of the states.
class Tally {
 public:
  Tally() = default;
  Tally(std::size_t outputs, bool statistics, bool histogram)
      : extremes_(statistics ? outputs : 0), histograms_(histogram ? outputs : 0) {}

  /// Adds the next states.
  void add(const Block& block);
  void add_ends(std::span<const RunEnd> ends);
  /// Adds the next states, which have the same end.
  void add_ends(RunEnd end, u64 states);
  /// Adds the values of an output in the next states, from number `first` on.
  void add_values(std::size_t output, std::span<const u64> values, u64 first);
  /// Adds the values of an output, masked with `bits`, from dwords. Only without histograms.
  void add_row(std::size_t output, std::span<const u32> values, u32 bits, u64 first, const batch::RowLoopTable& loops) {
    if (!extremes_.empty()) extremes_[output].add(values, bits, first, loops);
  }
  [[nodiscard]] bool needs_no_values() const { return histograms_.empty(); }
  void add(const Tally& later);

  [[nodiscard]] u64 states() const { return states_; }
  /// Fills in the statistics of a report.
  void report(const std::vector<u32>& bits, SweepReport& report) const;

 private:
  u64 states_ = 0;
  std::array<u64, 256> ends_{};  ///< by `RunEnd::code`
  std::vector<Extremes> extremes_;
  std::vector<Histogram> histograms_;
};

}  // namespace salu::sweeping
