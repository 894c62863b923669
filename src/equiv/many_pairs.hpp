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

/// Runs both programs from many inputs at once. States found equal are equal; all others have to be examined
/// individually.
class ManyPairs {
 public:
  /// The number of states of a part, and the maximum number of parts, which threads share.
  static constexpr std::size_t states_of_part = std::size_t{1} << 17;
  static constexpr std::size_t most_parts = 32;

  /// Returns null if every pair of runs has to be examined individually. The referenced objects must outlive the
  /// result.
  static std::unique_ptr<ManyPairs> make(const Programs& programs, const std::vector<Input>& inputs,
                                         const OutputSet& set, u64 max_steps);

  /// Runs `count` states (at most `states_of_part * most_parts`): the combinations from number `first` on. Returns the
  /// number of states run, which is smaller if time ran out.
  std::size_t run(const Combinations& combinations, u64 first, std::size_t count, const ForEach& for_each,
                  const Deadline& deadline);
  /// Runs states with given values, state by state.
  std::size_t run(std::span<const u64> values, std::size_t count, const ForEach& for_each, const Deadline& deadline);

  // ---- about the last states ----

  /// The number of runs with a regular end, by `Ending`.
  using Endings = std::array<u64, batch::ending_count>;
  /// Consecutive equal states, which precede a state that has to be examined.
  struct Equal {
    u64 states = 0;
    std::array<Endings, 2> endings{};  ///< by program
  };
  /// Returns the next equal states: from the first state on, then after each state that had to be examined.
  Equal next_equal();

 private:
  struct Part {
    std::array<std::unique_ptr<batch::TableRuns>, 2> runs;
    std::vector<std::size_t> compared;  ///< outputs; only the first of several with the same row
    std::size_t done = 0;               ///< states that have run
    std::vector<Equal> equal;           ///< up to each state that has to be examined, and up to the end of the part
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
