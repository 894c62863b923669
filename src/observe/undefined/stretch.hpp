#pragma once

#include <salu/integer.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include "core/wave.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/shadow.hpp"

namespace salu::observe::undefined {

/// What scalar instructions one behind the other made of what is undefined. They make the same of it again wherever
/// they find the same undefined, for the same reasons, beside the same bits that are defined: what is made of those and
/// is defined again has the same value again, so that only what they find at first has to be looked at.
class Stretch {
 public:
  [[nodiscard]] u32 steps() const { return steps_; }
  /// Whether they would find what they found.
  [[nodiscard]] bool fits(const Shadow& shadow, const core::Wave& wave) const;
  /// Takes the shadow past the first `executed` of them.
  void apply(Shadow& shadow, u64 executed) const;

 private:
  friend class StretchRecorder;
  /// A dword that they read before they write it.
  struct Found {
    u32 index = 0;
    Mask mask;
    u32 looked_at = 0;  ///< bits whose value matters, none of them undefined
    u32 value = 0;      ///< of these bits
  };
  /// What an instruction wrote.
  struct Made {
    u32 step = 0;  ///< counted from 0
    u32 index = 0;
    Mask mask;
  };

  u32 steps_ = 0;
  ScalarSet read_;     ///< before it is written
  ScalarSet touched_;  ///< what of that has undefined bits
  std::vector<Found> found_;
  ScalarSet written_;
  ScalarSet undefined_;     ///< of `written_`, behind all of them
  std::vector<Made> left_;  ///< the same with masks
  std::vector<Made> made_;  ///< one after the other
};

/// Looks on while instructions are executed one by one.
class StretchRecorder {
 public:
  /// In front of an instruction; false where no more can be said than by looking at it again.
  bool begin(const KnownInstruction& known, const Shadow& shadow, const core::Wave& wave);
  /// Behind it.
  void end(const KnownInstruction& known, const Shadow& shadow);

  [[nodiscard]] u32 steps() const { return stretch_.steps_; }
  /// What came of all that have ended.
  Stretch finish();

 private:
  [[nodiscard]] ScalarSet sources_of(u32 index) const;

  Stretch stretch_;
  ScalarSet valued_;                                          ///< of `read_`, what undefined bits were computed with
  std::array<ScalarSet, state_index::scalar_count> sources_;  ///< of what is written: the part of `read_` it is made of
};

/// What is known of the instructions from one address on.
class Stretches {
 public:
  /// None where nothing fits.
  [[nodiscard]] const Stretch* find(const Shadow& shadow, const core::Wave& wave);
  void add(Stretch stretch);
  /// Says that there is none to be found here.
  void give_up() { is_worth_it_ = false; }
  /// Whether it pays to look for more.
  [[nodiscard]] bool is_worth_it() const { return is_worth_it_ && added_ < 32 + found_ / 64; }

 private:
  static constexpr std::size_t most_kept = 8;

  std::vector<Stretch> kept_;  ///< the one used last is the first
  u64 added_ = 0;
  u64 found_ = 0;
  bool is_worth_it_ = true;
};

}  // namespace salu::observe::undefined
