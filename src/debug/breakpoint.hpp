#pragma once

#include <salu/error.hpp>
#include <salu/outcome.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "expr/expression.hpp"

namespace salu::debug {

/// The events at which a watchpoint stops.
enum class WatchKind : u8 {
  change,  ///< the value changes
  read,    ///< an instruction reads it
  access,  ///< an instruction reads or writes it, even without a change
};

/// Selects hits of a breakpoint: `5` or `== 5`, `> 5`, `>= 5`, `< 5`, `<= 5`, `% 5` (every fifth).
class HitCondition {
 public:
  static Result<HitCondition> parse(std::string_view text);
  /// True if hit number `hits`, from 1, is selected.
  [[nodiscard]] bool holds(u64 hits) const;
  /// The source text.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  enum class Operator : u8 { equal, less, less_equal, greater, greater_equal, every };
  std::string text_;
  Operator op_ = Operator::equal;
  u64 number_ = 0;
};

/// The message that a breakpoint prints instead of stopping, with expressions in braces: `s0 is {s0}`.
class LogMessage {
 public:
  static Result<LogMessage> parse(std::string_view text, const Program& program, std::optional<u32> lane = {});
  /// The message with the current values.
  [[nodiscard]] std::string fill_in(const core::Machine& machine) const;
  /// The source text, with the lane of each vector register.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::variant<std::string, expr::Expression>> pieces_;
};

/// A breakpoint, watchpoint or mnemonic pattern.
struct Breakpoint {
  enum class Kind : u8 { address, mnemonic, watch };

  u32 id = 0;
  std::optional<u64> wave;  ///< number of the only wave that it concerns; nothing: all
  Kind kind = Kind::address;
  std::string what;                         ///< as the user wrote it
  std::vector<u64> addresses;               ///< of an `address`: one, or all of a source line
  std::optional<expr::Expression> watched;  ///< of a `watch`
  WatchKind watch = WatchKind::change;
  std::optional<expr::Expression> condition;
  u64 ignore = 0;  ///< hits to skip
  std::optional<HitCondition> hit_condition;
  std::optional<LogMessage> log;  ///< not of a `watch`
  u64 hits = 0;                   ///< so far, including skipped ones
  bool enabled = true;
  bool temporary = false;             ///< deleted after the first stop
  std::vector<std::string> commands;  ///< console commands to execute at a stop
};

/// A hit of a watchpoint.
struct WatchHit {
  u32 id = 0;
  expr::Value before;  ///< before the instruction
  expr::Value after;   ///< after it
  u64 pc = 0;          ///< of the instruction
  u64 wave = 0;        ///< number of the wave that executed it
  bool read = false;
  bool written = false;
};

/// The reason why a session has stopped.
struct Pause {
  enum class Reason : u8 {
    start,       ///< the start of the run, when going back
    step,        ///< the move is complete
    breakpoint,  ///< see `breakpoints`
    watchpoint,  ///< see `watches`
    ended,       ///< the program has ended
    limit,       ///< the limit of instructions of one move
    interrupted,
    warning,  ///< see `warnings`
  };
  Reason reason = Reason::step;
  std::vector<u32> breakpoints;
  std::vector<WatchHit> watches;
  std::vector<std::string> commands{};  ///< commands of all hits, in order
  std::vector<Warning> warnings{};      ///< the warnings of the last instruction at which the session stops
};

}  // namespace salu::debug
