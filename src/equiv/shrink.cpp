#include "equiv/shrink.hpp"

#include <algorithm>

namespace salu::equiv {
namespace {

/// A limit for programs with long runs, which would otherwise take hours.
constexpr u64 most_runs = 200'000;

class Shrinker {
 public:
  Shrinker(std::span<const Input> inputs, std::vector<u64> values,
           const std::function<bool(std::span<const u64>)>& keeps, const Deadline& deadline, u64& runs)
      : inputs_(inputs), values_(std::move(values)), keeps_(keeps), deadline_(deadline), runs_(runs) {}

  std::vector<u64> run() {
    shrink_blocks();
    for (bool progress = true; progress && runs_ < most_runs;) {
      progress = false;
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        progress = shrink_group({i}) || progress;
        progress = shrink_group(others_of_value(i)) || progress;
      }
    }
    return std::move(values_);
  }

 private:
  /// Gives blocks of consecutive inputs their simplest values, first large ones: single inputs of a buffer take too
  /// many runs.
  void shrink_blocks() {
    constexpr std::size_t smallest_block = 8;
    for (std::size_t size = inputs_.size(); size >= smallest_block; size = (size + 1) / 2) {
      for (std::size_t first = 0; first < inputs_.size(); first += size) {
        std::vector<u64> candidate = values_;
        const std::size_t end = std::min(first + size, inputs_.size());
        for (std::size_t i = first; i < end; ++i) candidate[i] = simplest(i);
        if (candidate != values_) try_candidate(std::move(candidate));
      }
    }
  }

  /// Returns the inputs with the same value as this one; empty if it is the only one.
  [[nodiscard]] std::vector<std::size_t> others_of_value(std::size_t input) const {
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (values_[i] == values_[input]) group.push_back(i);
    }
    return group.size() > 1 ? group : std::vector<std::size_t>{};
  }

  [[nodiscard]] u64 simplest(std::size_t input) const { return inputs_[input].allows(0) ? 0 : inputs_[input].first; }
  /// The distance from the simplest value of the range, which every step must reduce.
  [[nodiscard]] u64 measure(std::size_t input, u64 value) const {
    const Input& range = inputs_[input];
    return range.allows(0) ? value : (value - range.first) & low_bits(range.bits);
  }

  bool try_value(const std::vector<std::size_t>& group, u64 value) {
    const bool simpler = std::ranges::all_of(group, [&](std::size_t i) {
      return inputs_[i].allows(value) && value <= low_bits(inputs_[i].bits) &&
             measure(i, value) < measure(i, values_[i]);
    });
    if (!simpler) return false;
    std::vector<u64> candidate = values_;
    for (const std::size_t i : group) candidate[i] = value;
    return try_candidate(std::move(candidate));
  }

  bool try_candidate(std::vector<u64> candidate) {
    if (runs_ >= most_runs || deadline_.is_over()) return false;
    ++runs_;
    if (!keeps_(candidate)) return false;
    values_ = std::move(candidate);
    return true;
  }

  /// Takes steps with one input, or several with the same value, as long as they succeed.
  bool shrink_group(const std::vector<std::size_t>& group) {
    bool any = false;
    while (!group.empty() && step(group)) any = true;
    return any;
  }

  bool step(const std::vector<std::size_t>& group) {
    const std::size_t first = group.front();
    const u64 value = values_[first];
    if (value == simplest(first)) return false;
    if (try_value(group, simplest(first))) return true;
    for (u32 bit = inputs_[first].bits; bit-- > 0;) {
      if ((value >> bit & 1) != 0 && try_value(group, value & ~(u64{1} << bit))) return true;
    }
    if (try_value(group, value >> 1)) return true;
    for (u32 bit = inputs_[first].bits; bit-- > 0;) {
      if (try_value(group, (value - (u64{1} << bit)) & low_bits(inputs_[first].bits))) return true;
    }
    return false;
  }

  std::span<const Input> inputs_;
  std::vector<u64> values_;
  const std::function<bool(std::span<const u64>)>& keeps_;
  const Deadline& deadline_;
  u64& runs_;
};

}  // namespace

std::vector<u64> shrink(std::span<const Input> inputs, std::vector<u64> values,
                        const std::function<bool(std::span<const u64>)>& keeps, const Deadline& deadline, u64& runs) {
  return Shrinker(inputs, std::move(values), keeps, deadline, runs).run();
}

}  // namespace salu::equiv
