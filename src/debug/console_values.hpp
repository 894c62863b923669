#pragma once

#include <salu/error.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "debug/session.hpp"
#include "debug/value_format.hpp"

/// Parsing and printing of formats and expressions in the console.
namespace salu::debug {

struct ConsoleContext;

/// Takes a format from the start of the arguments, if there is one.
Result<ValueFormat> take_format(std::string_view& arguments);
/// Returns an error for a format of `print` or `display`, which accept only a letter.
std::optional<Error> letter_problem(std::string_view verb, const ValueFormat& format);
/// Returns an error for floats that have more bits than an expression.
std::optional<Error> width_problem(const expr::Expression& expression, const ValueFormat& format);
/// `/d `, `/f16 `: the letter of a format that has one.
std::string letter_text(const ValueFormat& format);
/// Parses an expression and checks that its memory is mapped.
Result<expr::Expression> parse_readable(const Session& session, std::string_view text);
/// The value of an expression in the letter of a format.
std::string formatted(const Session& session, const expr::Expression& expression, const ValueFormat& format);

/// Sets a register, a field or memory, and reports the part of the run that was discarded. Returns an error, or
/// nothing.
std::optional<Error> assign(ConsoleContext& console, std::string_view place, std::string_view value);

}  // namespace salu::debug
