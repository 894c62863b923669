#include "debug/breakpoint.hpp"

#include <array>
#include <utility>

#include "debug/value_format.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

Result<HitCondition> HitCondition::parse(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 7> operators = {{{"==", Operator::equal},
                                                                                      {">=", Operator::greater_equal},
                                                                                      {"<=", Operator::less_equal},
                                                                                      {"=", Operator::equal},
                                                                                      {">", Operator::greater},
                                                                                      {"<", Operator::less},
                                                                                      {"%", Operator::every}}};
  HitCondition condition;
  std::string_view rest = support::trim(text);
  condition.text_ = std::string(rest);
  for (const auto& [word, op] : operators) {
    if (!rest.starts_with(word)) continue;
    condition.op_ = op;
    rest.remove_prefix(word.size());
    break;
  }
  const std::optional<u64> number = support::parse_unsigned(support::trim(rest));
  if (!number || (condition.op_ == Operator::every && *number == 0)) {
    const std::string message =
        support::quote(text) + " is not a hit condition; expected a count, e.g. `5`, `>= 5` or `% 5` (every fifth)";
    return Error{ErrorCode::usage, {}, message, {}};
  }
  condition.number_ = *number;
  return condition;
}

bool HitCondition::holds(u64 hits) const {
  switch (op_) {
    case Operator::equal:
      return hits == number_;
    case Operator::less:
      return hits < number_;
    case Operator::less_equal:
      return hits <= number_;
    case Operator::greater:
      return hits > number_;
    case Operator::greater_equal:
      return hits >= number_;
    case Operator::every:
      return hits % number_ == 0;
  }
  return true;
}

Result<LogMessage> LogMessage::parse(std::string_view text, const Program& program, std::optional<u32> lane) {
  LogMessage message;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    if (open == std::string_view::npos) {
      message.pieces_.emplace_back(std::string(text));
      message.text_ += text;
      break;
    }
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos)
      return Error{
          ErrorCode::usage, {}, "missing `}` after " + support::quote(text.substr(open)) + " of the message", {}};
    message.text_ += text.substr(0, open);
    if (open != 0) message.pieces_.emplace_back(std::string(text.substr(0, open)));
    Result<expr::Expression> expression =
        expr::Expression::parse(text.substr(open + 1, close - open - 1), program, lane);
    if (!expression) return Error{ErrorCode::usage, {}, "in {} of the message: " + expression.error().message, {}};
    message.text_ += "{" + expression->text() + "}";
    message.pieces_.emplace_back(*std::move(expression));
    text.remove_prefix(close + 1);
  }
  return message;
}

std::string LogMessage::fill_in(const core::Machine& machine) const {
  std::string text;
  for (const auto& piece : pieces_) {
    if (const auto* const words = std::get_if<std::string>(&piece)) {
      text += *words;
    } else {
      const auto& expression = std::get<expr::Expression>(piece);
      if (const auto problem = expression.find_problem(machine)) {
        text += "(" + *problem + ")";
        continue;
      }
      const bool has_width = expression.is_register() || expression.is_memory();
      text += value_text(expression.evaluate(machine), has_width ? expression.width() : 0);
    }
  }
  return text;
}

}  // namespace salu::debug
