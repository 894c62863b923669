#include "sweeping/tally.hpp"

#include <algorithm>
#include <functional>

namespace salu::sweeping {
namespace {

constexpr std::size_t small_count = 65'536;

}  // namespace

void Histogram::add(std::span<const u64> values) {
  if (has_too_many_ || values.empty()) return;
  small_.resize(small_count);
  for (std::size_t i = 0; i < values.size();) {
    const u64 value = values[i];
    std::size_t end = i + 1;
    while (end < values.size() && values[end] == value) ++end;
    if (value < small_count) {
      u64& count = small_[static_cast<std::size_t>(value)];
      small_values_ += count == 0 ? 1U : 0U;
      count += end - i;
    } else {
      large_[value] += end - i;
    }
    i = end;
  }
  look_at_size();
}

void Histogram::add(const Histogram& other) {
  has_too_many_ = has_too_many_ || other.has_too_many_;
  if (!has_too_many_ && !other.small_.empty()) {
    small_.resize(small_count);
    std::ranges::transform(small_, other.small_, small_.begin(), std::plus<>());
    small_values_ = small_.size() - static_cast<std::size_t>(std::ranges::count(small_, u64{0}));
    for (const auto& [value, count] : other.large_) large_[value] += count;
  }
  look_at_size();
}

void Histogram::look_at_size() {
  has_too_many_ = has_too_many_ || small_values_ + large_.size() > most_histogram_values;
  if (!has_too_many_) return;
  small_.clear();
  large_.clear();
}

std::vector<std::pair<u64, u64>> Histogram::counts() const {
  std::vector<std::pair<u64, u64>> counts;
  for (std::size_t value = 0; value < small_.size(); ++value) {
    if (small_[value] != 0) counts.emplace_back(value, small_[value]);
  }
  const std::size_t small_values = counts.size();
  counts.insert(counts.end(), large_.begin(), large_.end());
  std::sort(counts.begin() + static_cast<std::ptrdiff_t>(small_values), counts.end());
  return counts;
}

void Extremes::add(std::span<const u64> values, u64 first) {
  if (values.empty()) return;
  u64 least = values[0];
  u64 greatest = values[0];
  u64 sum = 0;
  u64 factor = 2 * first + 1;
  for (const u64 value : values) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
    sum += value * factor;
    factor += 2;
  }
  take(least, greatest,
       [&](u64 value) { return first + static_cast<u64>(std::ranges::find(values, value) - values.begin()); });
  checksum += sum;
  states += values.size();
}

void Extremes::add(std::span<const u32> values, u32 bits, u64 first, const batch::RowLoopTable& loops) {
  if (values.empty()) return;
  const batch::RowSums sums = loops.sums(values.data(), bits, values.size());
  take(sums.least, sums.greatest, [&](u64 value) {
    const auto found = std::ranges::find(values, value, [bits](u32 each) { return each & bits; });
    return first + static_cast<u64>(found - values.begin());
  });
  // The sum of each value times 2 * (first + its number in the row) + 1.
  checksum += sums.sum * (2 * first + 1) + 2 * sums.sum_by_number;
  states += values.size();
}

/// Updates minimum and maximum, before `states` is updated; `first_with` finds the first state with a value.
template <class FindState>
void Extremes::take(u64 least, u64 greatest, const FindState& first_with) {
  if (states == 0 || least < minimum) {
    minimum = least;
    minimum_state = first_with(least);
  }
  if (states == 0 || greatest > maximum) {
    maximum = greatest;
    maximum_state = first_with(greatest);
  }
}

void Extremes::add(const Extremes& later) {
  if (later.states == 0) return;
  if (states == 0 || later.minimum < minimum) {
    minimum = later.minimum;
    minimum_state = later.minimum_state;
  }
  if (states == 0 || later.maximum > maximum) {
    maximum = later.maximum;
    maximum_state = later.maximum_state;
  }
  checksum += later.checksum;
  states += later.states;
}

void Tally::add(const Block& block) {
  add_ends(std::span(block.ends).first(block.count));
  for (std::size_t i = 0; i < std::max(extremes_.size(), histograms_.size()); ++i)
    add_values(i, std::span(block.results[i]).first(block.count), block.first);
}

void Tally::add_values(std::size_t output, std::span<const u64> values, u64 first) {
  if (!extremes_.empty()) extremes_[output].add(values, first);
  if (!histograms_.empty()) histograms_[output].add(values);
}

void Tally::add_ends(RunEnd end, u64 states) {
  states_ += states;
  ends_[end.code] += states;
}

void Tally::add_ends(std::span<const RunEnd> ends) {
  states_ += ends.size();
  if (ends.empty()) return;
  // Most often all end alike.
  const u8 usual = ends[0].code;
  u8 differs = 0;
  for (const RunEnd end : ends) differs = static_cast<u8>(differs | (end.code ^ usual));
  if (differs == 0) {
    ends_[usual] += ends.size();
  } else {
    for (const RunEnd end : ends) ++ends_[end.code];
  }
}

void Tally::add(const Tally& later) {
  states_ += later.states_;
  std::ranges::transform(ends_, later.ends_, ends_.begin(), std::plus<>());
  for (std::size_t i = 0; i < extremes_.size(); ++i) extremes_[i].add(later.extremes_[i]);
  for (std::size_t i = 0; i < histograms_.size(); ++i) histograms_[i].add(later.histograms_[i]);
}

void Tally::report(const std::vector<u32>& bits, SweepReport& report) const {
  report.states = states_;
  for (std::size_t code = 0; code < ends_.size(); ++code) {
    if (ends_[code] == 0) continue;
    const RunEnd end{static_cast<u8>(code)};
    report.stops[std::string(stop_reason_name(end.reason()))] += ends_[code];
    if ((end.code & RunEnd::warned) != 0) report.warned += ends_[code];
    if ((end.code & RunEnd::skipped_vector) != 0) report.skipped_vector += ends_[code];
  }
  for (std::size_t i = 0; i < bits.size() && states_ != 0; ++i) {
    SweepStatistics statistics;
    statistics.name = report.outputs[i];
    statistics.bits = bits[i];
    if (!extremes_.empty()) {
      statistics.minimum = extremes_[i].minimum;
      statistics.minimum_state = extremes_[i].minimum_state;
      statistics.maximum = extremes_[i].maximum;
      statistics.maximum_state = extremes_[i].maximum_state;
      statistics.checksum = extremes_[i].checksum;
    }
    if (!histograms_.empty()) {
      statistics.histogram = histograms_[i].counts();
      statistics.has_too_many_values = histograms_[i].has_too_many();
    }
    report.statistics.push_back(std::move(statistics));
  }
}

}  // namespace salu::sweeping
