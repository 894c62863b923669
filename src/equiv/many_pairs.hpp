#pragma once

#include <salu/for_each.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/table_runs.hpp"
#include "equiv/deadline.hpp"
#include "equiv/outputs.hpp"
#include "equiv/place.hpp"
#include "support/combinations.hpp"

namespace salu::equiv {

using support::Combinations;

/// Both programs, run from many inputs at once. What is found equal is; what is not has to be looked at one by one.
class ManyPairs {
 public:
  /// States of a part, of which there may be so many for threads to share.
  static constexpr std::size_t states_of_part = std::size_t{1} << 17;
  static constexpr std::size_t most_parts = 32;

  /// Nothing where every pair of runs has to be looked at anyway. What is named by reference has to outlive it.
  static std::unique_ptr<ManyPairs> make(const Programs& programs, const std::vector<Input>& inputs,
                                         const OutputSet& set, u64 max_steps);

  /// Runs `count` states (at most `states_of_part * most_parts`): the combinations from number `first` on. Returns how
  /// many have run, from the first on, when time ran out.
  std::size_t run(const Combinations& combinations, u64 first, std::size_t count, const ForEach& for_each,
                  const Deadline& deadline);
  /// The same for states whose values are given, state by state.
  std::size_t run(std::span<const u64> values, std::size_t count, const ForEach& for_each, const Deadline& deadline);

  // ---- about the last states ----

  /// How runs ended that came to a regular end, by `Ending`.
  using Endings = std::array<u64, batch::ending_count>;
  /// States that are equal, in a row, and what comes after them has to be looked at.
  struct Equal {
    u64 states = 0;
    std::array<Endings, 2> endings{};  ///< of both programs
  };
  /// The next ones: from the first state on, then from behind the one that had to be looked at.
  Equal next_equal();

 private:
  struct Part {
    std::array<std::unique_ptr<batch::TableRuns>, 2> runs;
    std::vector<std::size_t> compared;  ///< outputs; of several that are the same rows, the first
    std::size_t done = 0;               ///< states that have run
    std::vector<Equal> equal;           ///< up to each state that has to be looked at, and to the end of the part
  };
  using Fill = std::function<void(batch::TableRuns& runs, std::size_t first, std::size_t count)>;

  ManyPairs(const std::vector<Input>& inputs, const OutputSet& set, u64 max_steps)
      : inputs_(inputs), set_(set), max_steps_(max_steps) {}

  std::size_t run_parts(std::size_t count, const Fill& fill, const ForEach& for_each, const Deadline& deadline);
  void find_compared(Part& part) const;
  void compare(Part& part, std::size_t states) const;
  [[nodiscard]] bool are_equal(const Part& part, std::size_t states) const;
  void note(Part& part, std::size_t states, std::span<const u32> differs) const;
  void fill_combinations(const Combinations& combinations, batch::TableRuns& runs, u64 first, std::size_t count) const;

  const std::vector<Input>& inputs_;
  const OutputSet& set_;
  u64 max_steps_;
  std::array<std::optional<batch::PreparedTable>, 2> prepared_;
  std::vector<Part> parts_;
  std::size_t next_part_ = 0;
  std::size_t next_in_part_ = 0;
};

}  // namespace salu::equiv
