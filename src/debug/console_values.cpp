#include "debug/console_values.hpp"

#include <fmt/core.h>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

Result<ValueFormat> take_format(std::string_view& arguments) {
  if (!arguments.starts_with('/')) return ValueFormat{};
  std::string problem;
  const std::optional<ValueFormat> format = parse_format(take_word(arguments).substr(1), problem);
  if (!format) return Error{ErrorCode::usage, {}, std::move(problem), {}};
  return *format;
}

std::optional<Error> letter_problem(std::string_view verb, const ValueFormat& format) {
  const bool has_size = format.size_bytes != 0 && format.float_width() == 0;
  if (format.count == 1 && !has_size && format.letter != 'i') return std::nullopt;
  const std::string name(verb);
  return Error{ErrorCode::usage,
               {},
               fmt::format("`{}` takes only a letter, as in {}/x; `x` shows memory and instructions", name, name),
               {}};
}

std::string letter_text(const ValueFormat& format) {
  if (format.float_width() != 0) return fmt::format("/f{} ", format.float_width());
  return format.letter == 0 ? "" : "/" + std::string(1, format.letter) + " ";
}

std::optional<Error> width_problem(const expr::Expression& expression, const ValueFormat& format) {
  const u32 width = expression.width();
  if (format.float_width() <= width) return std::nullopt;
  return Error{ErrorCode::usage,
               {},
               fmt::format("{} has {} bits, and f{} shows {}", support::quote(expression.text()), width,
                           format.float_width(), format.float_width()),
               {}};
}

Result<expr::Expression> parse_readable(const Session& session, std::string_view text) {
  Result<expr::Expression> expression = session.parse(text);
  if (!expression) {
    Error error = expression.error();
    if (error.where.column != 0) error.message += fmt::format(" (column {})", error.where.column);
    return error;
  }
  if (std::optional<std::string> problem = expression->find_problem(session.machine()))
    return Error{ErrorCode::usage, {}, *std::move(problem), {}};
  return expression;
}

std::string formatted(const Session& session, const expr::Expression& expression, const ValueFormat& format) {
  const expr::Value value = expression.evaluate(session.machine());
  // Computed values have as many digits as they need.
  const u32 width = expression.width() == 64 && !expression.is_register() ? 0 : expression.width();
  if (format.float_width() != 0) {
    const bool is_place = expression.is_register() || expression.is_memory();
    const u64 bits = is_place ? value.bits : value.bits & support::ones(format.float_width());
    return floats_text(bits, is_place ? expression.width() : format.float_width(), format.float_width());
  }
  if (format.letter == 0) return explained_value(value, width, session.program());
  if (format.letter == 'a') return address_text(session.program(), value.bits);
  return format_value(value.bits, width == 0 ? 64 : width, format.letter);
}

std::optional<Error> assign(ConsoleContext& console, std::string_view place, std::string_view value) {
  const u64 position = console.session.run().position();
  const u64 forgotten = console.session.run().furthest() - position;
  const Result<expr::Value> set = console.session.set(place, value);
  if (!set) return set.error();
  console.misuse.forget_from(position);
  if (forgotten != 0) {
    console.out.line("The " + support::counted(forgotten, "instruction") + " after this position " +
                     (forgotten == 1 ? "is" : "are") + " discarded.");
  }
  return std::nullopt;
}

}  // namespace salu::debug
