#pragma once

#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <array>
#include <optional>
#include <vector>

namespace salu::core {

/// An entry of the control stack as it was when it came to be there.
struct PushedEntry {
  /// Who put it there.
  enum class Origin : u8 {
    fork,   ///< a fork pushed it
    start,  ///< CSP counted it when the run began, or since it was set from outside the program
    set,    ///< an instruction that is neither a fork nor a join raised CSP above it
  };
  u64 mask = 0;  ///< the lanes that wait
  u64 pc = 0;    ///< and where they go on
  u64 by = 0;    ///< address of the instruction that put it there; 0 for `start`
  u64 push = 0;  ///< which of the forks that pushed, counted from 1; 0 for others
  u32 entry = 0;
  Origin origin = Origin::fork;
  bool is_known = true;                 ///< `mask` and `pc` are what has to be there
  std::optional<u64> given_up_by = {};  ///< address of the instruction that set CSP below it, if one did
};

/// What lies on the control stack by what forks, joins and writes of CSP did: a join compares it with what it finds in
/// the SGPRs. Nothing else pays for it, and forks and joins little as long as they alone move CSP, between 0 and 6: the
/// entries below CSP are then those that forks pushed, one each. Otherwise there is a list of them.
class PushedEntries {
 public:
  /// The entries that the CSP of a state counts.
  void begin(const WaveState& state);

  void push(u32 entry, u64 mask, u64 pc, u64 fork_pc) {
    ++pushes_;
    if (is_plain_) [[likely]]
      plain_[entry] = {mask, pc, fork_pc, pushes_};
    else
      add({mask, pc, fork_pc, pushes_, entry});
  }
  /// The same where the SGPRs do not take it.
  void push_unknown(u32 entry, u64 fork_pc) {
    add({0, 0, fork_pc, ++pushes_, entry, PushedEntry::Origin::fork, false});
  }
  /// True once: when the SGPRs of an entry are yet to be marked as written.
  bool needs_mark(u32 entry) {
    if ((marked_ >> entry & 1) != 0) [[likely]]
      return false;
    marked_ |= 1U << entry;
    return true;
  }
  /// Whether a join that finds a mask and a PC in an entry pops what a fork pushed there, and no more is to be done.
  [[nodiscard]] bool pops_plain(u32 entry, u64 mask, u64 pc) const {
    return is_plain_ && plain_[entry].mask == mask && plain_[entry].pc == pc;
  }

  /// Whether, at a CSP, there may be entries at all.
  [[nodiscard]] bool may_hold_some(u32 csp) const { return csp != 0 || !is_plain_; }

  /// Makes the list, which all that follows needs, unless there is one.
  void make_list(u32 csp);
  /// The innermost one of a number; null when there is none.
  [[nodiscard]] const PushedEntry* find(u32 entry) const;
  /// The last one that a fork pushed behind another one, or of all; null when there is none.
  [[nodiscard]] const PushedEntry* last_fork(const PushedEntry* behind = nullptr) const;
  /// Takes one away, and all that came behind it.
  void pop(const PushedEntry* popped);
  /// CSP was set by an instruction, or from outside the program.
  void set_csp(u32 before, u32 after, std::optional<u64> by);

  /// How many forks have pushed.
  [[nodiscard]] u64 pushes() const { return pushes_; }
  /// Whether there were more than are remembered.
  [[nodiscard]] bool has_forgotten() const { return has_forgotten_; }

 private:
  /// What a fork pushed, by entry.
  struct Pushed {
    u64 mask = 0;
    u64 pc = 0;
    u64 by = 0;
    u64 push = 0;
  };

  void add(const PushedEntry& entry);

  /// Programs that fork and never join have no stack to speak of.
  static constexpr std::size_t most = 1024;

  bool is_plain_ = true;
  u32 marked_ = 0;                    ///< a bit an entry
  std::array<Pushed, 8> plain_{};     ///< without a list: those below CSP
  std::vector<PushedEntry> entries_;  ///< the list, in the order of time
  u64 pushes_ = 0;
  bool has_forgotten_ = false;
};

/// Something that forks, joins and the SGPRs below them do not agree on, as the machine noticed it.
struct StackMisuse {
  enum class Kind : u8 {
    not_pushed,   ///< a join pops an entry that no fork pushed
    overwritten,  ///< a join finds something else in an entry than what was put there
    lost,         ///< the program ends, or a join pops an entry below, while lanes wait
  };
  Kind kind{};
  std::size_t warning = 0;             ///< index in the list of warnings
  u64 pc = 0;                          ///< of the join, or of what ended the program
  u32 popped = 0;                      ///< the entry that the join popped
  bool ends_program = false;           ///< `lost`: not by a join
  std::optional<PushedEntry> entry{};  ///< what was there; nothing where nobody has put anything there
};

}  // namespace salu::core
