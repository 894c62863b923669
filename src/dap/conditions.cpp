#include "dap/conditions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "dap/arguments.hpp"
#include "dap/texts.hpp"

namespace salu::dap {

Result<HitCondition> HitCondition::parse(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 7> operators = {{{"==", Operator::equal},
                                                                                      {">=", Operator::greater_equal},
                                                                                      {"<=", Operator::less_equal},
                                                                                      {"=", Operator::equal},
                                                                                      {">", Operator::greater},
                                                                                      {"<", Operator::less},
                                                                                      {"%", Operator::every}}};
  HitCondition condition;
  std::string_view rest = text;
  const auto skip_blanks = [&rest] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
  skip_blanks();
  for (const auto& [word, op] : operators) {
    if (!rest.starts_with(word)) continue;
    condition.op_ = op;
    rest.remove_prefix(word.size());
    break;
  }
  skip_blanks();
  rest = rest.substr(0, rest.find_last_not_of(" \t") + 1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), condition.number_);
  const bool is_number = !rest.empty() && error == std::errc{} && end == rest.data() + rest.size();
  if (!is_number || (condition.op_ == Operator::every && condition.number_ == 0)) {
    return refusal("`" + std::string(text) +
                   "` is no hit condition: expected a count, as in `5`, `>= 5` or `% 5` (every fifth)");
  }
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

Result<LogMessage> LogMessage::parse(std::string_view text, const debug::Session& session) {
  LogMessage message;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) {
      message.pieces_.emplace_back(std::string(text));
      break;
    }
    if (open != 0) message.pieces_.emplace_back(std::string(text.substr(0, open)));
    Result<debug::Expression> expression = session.parse(text.substr(open + 1, close - open - 1));
    if (!expression) return refusal("in {} of the message: " + expression.error().message);
    message.pieces_.emplace_back(*std::move(expression));
    text.remove_prefix(close + 1);
  }
  return message;
}

std::string LogMessage::fill_in(const debug::Session& session) const {
  std::string text;
  for (const auto& piece : pieces_) {
    if (const auto* const words = std::get_if<std::string>(&piece)) {
      text += *words;
    } else {
      const auto& expression = std::get<debug::Expression>(piece);
      const bool has_width = expression.is_register() || expression.is_memory();
      text += value_text(expression.evaluate(session.machine()), has_width ? expression.width() : 0);
    }
  }
  return text;
}

}  // namespace salu::dap
