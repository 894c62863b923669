#pragma once

#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <array>
#include <optional>
#include <vector>

namespace salu::core {

/// An entry of the control stack as it was pushed.
struct PushedEntry {
  /// The origin of the entry.
  enum class Origin : u8 {
    fork,   ///< a fork pushed it
    start,  ///< included in CSP when the run began, or since CSP was set from outside the program
    set,    ///< an instruction other than a fork or join raised CSP above it
  };
  u64 mask = 0;  ///< the waiting lanes
  u64 pc = 0;    ///< the address at which they continue
  u64 by = 0;    ///< address of the instruction that pushed it; 0 for `start`
  u64 push = 0;  ///< number of the push, counted from 1 over all forks; 0 if not pushed by a fork
  u32 entry = 0;
  Origin origin = Origin::fork;
  bool is_known = true;                 ///< `mask` and `pc` are the expected values
  std::optional<u64> given_up_by = {};  ///< address of the instruction that set CSP below it, if any
};

/// A shadow of the control stack from forks, joins and writes of CSP: a join compares it with the SGPRs. It costs other
/// instructions nothing, and forks and joins little as long as only they change CSP, between 0 and 6: the entries below
/// CSP are then those that forks pushed, one each. Otherwise a list of entries is kept.
class PushedEntries {
 public:
  /// Begins with the entries below the CSP of a state.
  void begin(const WaveState& state);

  void push(u32 entry, u64 mask, u64 pc, u64 fork_pc) {
    ++pushes_;
    if (is_plain_) [[likely]]
      plain_[entry] = {mask, pc, fork_pc, pushes_};
    else
      add({mask, pc, fork_pc, pushes_, entry});
  }
  /// Pushes an entry that the SGPRs cannot hold.
  void push_unknown(u32 entry, u64 fork_pc) {
    add({0, 0, fork_pc, ++pushes_, entry, PushedEntry::Origin::fork, false});
  }
  /// True the first time for an entry: its SGPRs must then be marked as written.
  bool needs_mark(u32 entry) {
    if ((marked_ >> entry & 1) != 0) [[likely]]
      return false;
    marked_ |= 1U << entry;
    return true;
  }
  /// True if a join pops the same mask and PC that a fork pushed, so that nothing else must be done.
  [[nodiscard]] bool pops_plain(u32 entry, u64 mask, u64 pc) const {
    return is_plain_ && plain_[entry].mask == mask && plain_[entry].pc == pc;
  }

  /// True if there can be entries at this CSP.
  [[nodiscard]] bool may_hold_some(u32 csp) const { return csp != 0 || !is_plain_; }

  /// Makes the list, unless it exists. The functions below need it.
  void make_list(u32 csp);
  /// The innermost entry with a number; null if none exists.
  [[nodiscard]] const PushedEntry* find(u32 entry) const;
  /// The last entry that a fork pushed, after `behind` if given; null if none exists.
  [[nodiscard]] const PushedEntry* last_fork(const PushedEntry* behind = nullptr) const;
  /// Removes an entry and all later ones.
  void pop(const PushedEntry* popped);
  /// Records that CSP was set by an instruction, or from outside the program.
  void set_csp(u32 before, u32 after, std::optional<u64> by);

  /// Number of pushes by forks.
  [[nodiscard]] u64 pushes() const { return pushes_; }
  /// True if the limit for recorded entries was exceeded.
  [[nodiscard]] bool has_forgotten() const { return has_forgotten_; }

 private:
  /// An entry that a fork pushed, by its number.
  struct Pushed {
    u64 mask = 0;
    u64 pc = 0;
    u64 by = 0;
    u64 push = 0;
  };

  void add(const PushedEntry& entry);

  /// Limit for recorded entries, for programs that fork and never join.
  static constexpr std::size_t most = 1024;

  bool is_plain_ = true;
  u32 marked_ = 0;                    ///< one bit per entry
  std::array<Pushed, 8> plain_{};     ///< without a list: the entries below CSP
  std::vector<PushedEntry> entries_;  ///< the list, in order of time
  u64 pushes_ = 0;
  bool has_forgotten_ = false;
};

/// Disagreement between forks, joins and the SGPRs of the control stack, as the machine detected it.
struct StackMisuse {
  enum class Kind : u8 {
    not_pushed,   ///< a join pops an entry that no fork pushed
    overwritten,  ///< the entry that a join pops has changed since it was pushed
    lost,         ///< the program ends, or a join pops a lower entry, while lanes wait
  };
  Kind kind{};
  std::size_t warning = 0;             ///< index in the list of warnings
  u64 pc = 0;                          ///< of the join, or of the instruction that ended the program
  u32 popped = 0;                      ///< the entry that the join popped
  bool ends_program = false;           ///< `lost`: at the end of the program, not by a join
  std::optional<PushedEntry> entry{};  ///< the pushed entry; nothing if no entry was pushed
};

}  // namespace salu::core
