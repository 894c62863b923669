#pragma once

#include <salu/location.hpp>

#include <vector>

#include "core/machine.hpp"
#include "observe/accesses.hpp"
#include "observe/why/why.hpp"

namespace salu::observe {

/// The accesses of the next instruction of any kind; empty if none exists.
Accesses find_all_next_accesses(const core::Machine& machine);

/// Finds the input bits of an instruction that determined some bits of its results, by executing it with other inputs;
/// it does not distinguish instructions by name.
///
/// A bit mattered if the results differ with it flipped. If no single bit of an input matters, as in a comparison of
/// numbers that differ in several bits, its value as a whole may. If no input matters alone, as in 0 & 0, the bits are
/// reported that would matter with other values of the inputs.
class Probe {
 public:
  /// The machine must be before the instruction; it is left in an undefined state.
  explicit Probe(core::Machine& machine);

  /// True if the instruction changes these bits. Their values after it are stored in `values`.
  bool changes(const std::vector<Bits>& asked, std::vector<u32>& values);
  /// `asked`: bits that it writes. Their values after it are stored in `values`.
  std::vector<WhySource> find(const std::vector<Bits>& asked, std::vector<u32>& values);

 private:
  struct Input {
    Location place;
    u32 value = 0;
    u32 mask = 0;
    bool is_far = false;    ///< a lane that is not part of the question
    bool is_named = false;  ///< the instruction reads it; otherwise it is a previous value
    bool follows = false;   ///< the next dword of an operand
  };
  enum class Ran : u8 { no, faulted, yes };

  void add_input(const Location& place, bool is_named, u64 asked_lanes);
  void collect_inputs(const std::vector<Bits>& asked);
  void set(const Location& place, u32 value);
  Ran run();
  [[nodiscard]] bool is_same(const std::vector<u32>& values) const;
  [[nodiscard]] std::vector<u32> results() const;
  bool differs(const Location& place, u32 value, u32 before);
  u32 find_bits(Input& input);
  bool changes_as_a_whole(const Input& input);
  void find_possible();
  [[nodiscard]] WhySource::Role role_of(const Input& input, const std::vector<Bits>& asked);
  [[nodiscard]] bool leads_elsewhere();
  u32 next_random();

  core::Machine& machine_;
  core::Machine::Snapshot start_;
  Accesses accesses_;
  bool is_vector_ = false;
  bool changes_memory_ = false;  ///< memory must be restored before each run
  std::vector<Input> inputs_;
  std::vector<Bits> asked_;
  std::vector<u32> expected_;
  u64 random_ = 0x9e3779b97f4a7c15;
};

}  // namespace salu::observe
