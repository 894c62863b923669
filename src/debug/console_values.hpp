#pragma once

#include <salu/error.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "debug/session.hpp"
#include "debug/value_format.hpp"

/// How the verbs of the console read formats and expressions, and show what these come to.
namespace salu::debug {

struct ConsoleContext;

/// The format at the beginning of the arguments, if there is one.
Result<ValueFormat> take_format(std::string_view& arguments);
/// What is wrong with a format of `print` or `display`, which take a letter alone.
std::optional<Error> letter_problem(std::string_view verb, const ValueFormat& format);
/// `/d `, the letter of a format that has one.
std::string letter_text(const ValueFormat& format);
/// An expression whose memory is there.
Result<expr::Expression> parse_readable(const Session& session, std::string_view text);
/// What an expression comes to here, by the letter of a format.
std::string formatted(const Session& session, const expr::Expression& expression, const ValueFormat& format);

/// Sets a register, a field or memory, and says what was forgotten by that. Nothing when all went well.
std::optional<Error> assign(ConsoleContext& console, std::string_view place, std::string_view value);

}  // namespace salu::debug
