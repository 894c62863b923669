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

/// What a watchpoint looks for.
enum class WatchKind : u8 {
  change,  ///< another value than before
  read,    ///< an instruction that reads it
  access,  ///< an instruction that reads or writes it, whatever the value
};

/// Which hits of a breakpoint count: `5` or `== 5`, `> 5`, `>= 5`, `< 5`, `<= 5`, `% 5` (every fifth).
class HitCondition {
 public:
  static Result<HitCondition> parse(std::string_view text);
  /// Whether hit number `hits`, from 1, counts.
  [[nodiscard]] bool holds(u64 hits) const;
  /// As it was written.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  enum class Operator : u8 { equal, less, less_equal, greater, greater_equal, every };
  std::string text_;
  Operator op_ = Operator::equal;
  u64 number_ = 0;
};

/// What a breakpoint says instead of stopping, with expressions in braces: `s0 is {s0}`.
class LogMessage {
 public:
  static Result<LogMessage> parse(std::string_view text, const Program& program, std::optional<u32> lane = {});
  /// The message with the values of here and now.
  [[nodiscard]] std::string fill_in(const core::Machine& machine) const;
  /// As it was written, with the lane of each vector register.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::variant<std::string, expr::Expression>> pieces_;
};

/// Where, or at what, a run is to stand still.
struct Breakpoint {
  enum class Kind : u8 { address, mnemonic, watch };

  u32 id = 0;
  Kind kind = Kind::address;
  std::string what;                         ///< as the user wrote it
  std::vector<u64> addresses;               ///< of an `address`: one, or all that a source line has
  std::optional<expr::Expression> watched;  ///< of a `watch`
  WatchKind watch = WatchKind::change;
  std::optional<expr::Expression> condition;
  u64 ignore = 0;  ///< hits to pass over
  std::optional<HitCondition> hit_condition;
  std::optional<LogMessage> log;  ///< not of a `watch`
  u64 hits = 0;                   ///< so far, those that were passed over included
  bool enabled = true;
  bool temporary = false;             ///< gone after the first stop
  std::vector<std::string> commands;  ///< of the console, when it has stopped here
};

/// A watchpoint that was hit.
struct WatchHit {
  u32 id = 0;
  expr::Value before;  ///< before the instruction
  expr::Value after;   ///< after it
  u64 pc = 0;          ///< of the instruction
  bool read = false;
  bool written = false;
};

/// Why a session stands still.
struct Pause {
  enum class Reason : u8 {
    start,       ///< of the run: there is nothing to go back to
    step,        ///< what was asked for is done
    breakpoint,  ///< `breakpoints` says which
    watchpoint,  ///< `watches` says which
    ended,       ///< the program has ended
    limit,       ///< so many instructions were executed in one go
    interrupted,
    warning,  ///< `warnings` says which
  };
  Reason reason = Reason::step;
  std::vector<u32> breakpoints;
  std::vector<WatchHit> watches;
  std::vector<std::string> commands{};  ///< those of what was hit, one behind the other
  std::vector<Warning> warnings{};      ///< the warnings of the last instruction at which the session stops
};

}  // namespace salu::debug
