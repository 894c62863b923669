#pragma once

#include <salu/error.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "debug/session.hpp"

namespace salu::dap {

/// Which hits of a breakpoint count: `5` or `== 5`, `> 5`, `>= 5`, `< 5`, `<= 5`, `% 5` (every fifth).
class HitCondition {
 public:
  static Result<HitCondition> parse(std::string_view text);
  /// Whether hit number `hits`, from 1, counts.
  [[nodiscard]] bool holds(u64 hits) const;

 private:
  enum class Operator : u8 { equal, less, less_equal, greater, greater_equal, every };
  Operator op_ = Operator::equal;
  u64 number_ = 0;
};

/// The message of a log point, with expressions in braces: `s0 is {s0}`.
class LogMessage {
 public:
  static Result<LogMessage> parse(std::string_view text, const debug::Session& session);
  /// The message with the values of here and now.
  [[nodiscard]] std::string fill_in(const debug::Session& session) const;

 private:
  std::vector<std::variant<std::string, debug::Expression>> pieces_;
};

}  // namespace salu::dap
