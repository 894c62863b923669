#pragma once

#include <salu/location.hpp>

#include <vector>

#include "core/machine.hpp"
#include "observe/accesses.hpp"
#include "observe/why/why.hpp"

namespace salu::observe {

/// What the next instruction touches, whatever it is; nothing where there is none.
Accesses find_all_next_accesses(const core::Machine& machine);

/// Asks an instruction which bits of its inputs made some bits of its results what they are, by executing it with
/// others: it knows no instruction by name.
///
/// A bit mattered if the results differ with it flipped. Where no bit of an input does by itself, as in a comparison of
/// numbers that differ in several bits, all values of it together may. Where no input does by itself, as in 0 & 0,
/// those bits are named that would matter with other values of the inputs.
class Probe {
 public:
  /// In front of the instruction. Leaves the machine anywhere.
  explicit Probe(core::Machine& machine);

  /// Whether what it writes to these bits is another value than they have. The values behind it are put into `values`.
  bool changes(const std::vector<Bits>& asked, std::vector<u32>& values);
  /// `asked`: what it writes. The values behind it are put into `values`.
  std::vector<WhySource> find(const std::vector<Bits>& asked, std::vector<u32>& values);

 private:
  struct Input {
    Location place;
    u32 value = 0;
    u32 mask = 0;
    bool is_far = false;    ///< a lane that nobody asked about
    bool is_named = false;  ///< the instruction reads it; else what was there before
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
  bool changes_memory_ = false;  ///< memory has to be put back before each run
  std::vector<Input> inputs_;
  std::vector<Bits> asked_;
  std::vector<u32> expected_;
  u64 random_ = 0x9e3779b97f4a7c15;
};

}  // namespace salu::observe
