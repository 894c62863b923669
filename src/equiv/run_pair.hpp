#pragma once

#include <array>
#include <span>
#include <vector>

#include "equiv/code_map.hpp"
#include "equiv/deadline.hpp"
#include "equiv/side.hpp"

namespace salu::equiv {

/// Runs both programs from the same inputs, and records the executed code.
class RunPair {
 public:
  /// The scenarios must outlive it.
  RunPair(const Programs& programs, u64 max_steps)
      : sides_{Side(*programs[0], 0, max_steps), Side(*programs[1], 1, max_steps)},
        maps_{CodeMap(programs[0]->program), CodeMap(programs[1]->program)} {}

  /// Sets the inputs of the following runs; all other values are those of the scenarios.
  void use(std::vector<Input> inputs);
  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }

  /// Runs both with a value for each input. If only one reaches the step limit, it is run again with a higher limit.
  /// Returns false if time ran out.
  bool run(std::span<const u64> values, const Deadline& deadline);
  /// Runs A alone, up to its own step limit.
  bool run_a(std::span<const u64> values, const Deadline& deadline);
  /// Marks the code that the last runs executed; true if some of it was executed for the first time.
  bool mark_executed();

  [[nodiscard]] const Side& a() const { return sides_[0]; }
  [[nodiscard]] const Side& b() const { return sides_[1]; }
  /// True if either program runs several waves.
  [[nodiscard]] bool runs_several_waves() const {
    return sides_[0].runs_several_waves() || sides_[1].runs_several_waves();
  }
  [[nodiscard]] const std::array<Side, 2>& sides() const { return sides_; }
  [[nodiscard]] const std::array<CodeMap, 2>& maps() const { return maps_; }
  [[nodiscard]] u64 steps() const { return sides_[0].steps() + sides_[1].steps(); }
  /// The factor of the step limit in the last runs.
  [[nodiscard]] u64 patience() const { return patience_; }

 private:
  std::array<Side, 2> sides_;
  std::array<CodeMap, 2> maps_;
  std::vector<Input> inputs_;
  u64 patience_ = 1;
};

}  // namespace salu::equiv
