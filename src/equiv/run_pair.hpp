#pragma once

#include <array>
#include <span>
#include <vector>

#include "equiv/code_map.hpp"
#include "equiv/deadline.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// Both programs, run from the same inputs, and what of their code that has executed.
class RunPair {
 public:
  /// The scenarios must outlive it.
  RunPair(const Programs& programs, u64 max_steps)
      : sides_{Side(*programs[0], 0, max_steps), Side(*programs[1], 1, max_steps)},
        maps_{CodeMap(programs[0]->program), CodeMap(programs[1]->program)} {}

  /// What the runs from now on set; all else is as in the scenarios.
  void use(std::vector<Input> inputs);
  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }

  /// Runs both with a value for each of the inputs. One that reaches the step limit alone is run again with more
  /// patience. False when time ran out.
  bool run(std::span<const u64> values, const Deadline& deadline);
  /// Runs A alone, up to its own step limit.
  bool run_a(std::span<const u64> values, const Deadline& deadline);
  /// Marks what the last runs executed; true when something was executed for the first time.
  bool mark_executed();

  [[nodiscard]] const Side& a() const { return sides_[0]; }
  [[nodiscard]] const Side& b() const { return sides_[1]; }
  [[nodiscard]] const std::array<Side, 2>& sides() const { return sides_; }
  [[nodiscard]] const std::array<CodeMap, 2>& maps() const { return maps_; }
  [[nodiscard]] u64 steps() const { return sides_[0].steps() + sides_[1].steps(); }
  /// How many times the step limit the last runs had.
  [[nodiscard]] u64 patience() const { return patience_; }

 private:
  std::array<Side, 2> sides_;
  std::array<CodeMap, 2> maps_;
  std::vector<Input> inputs_;
  u64 patience_ = 1;
};

}  // namespace salu::equiv
