#include "assembler/macros.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::assembler {
namespace {

/// A blank next to one of these operators does not separate two arguments (LLVM: isOperator in
/// lib/MC/MCParser/AsmParser.cpp).
bool is_operator(const Token& token) {
  constexpr std::array<std::string_view, 21> operators = {"+",  "-", "~",  "/", "*",  "=",  "==", "|", "||", "^", "&",
                                                          "&&", "!", "!=", "<", "<=", "<<", "<>", ">", ">=", ">>"};
  if (token.kind == TokenKind::identifier) return token.text == ".";
  return token.kind == TokenKind::punctuation && std::ranges::find(operators, token.text) != operators.end();
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

const MacroArgument* find_argument(const ParameterList& parameters, std::span<const MacroArgument> arguments,
                                   std::string_view name) {
  const std::optional<std::size_t> number = parameters.find(name);
  return number ? &arguments[*number] : nullptr;
}

}  // namespace

std::optional<CapturedBody> capture_body(Lexer& lexer, std::span<const std::string_view> openers,
                                         std::span<const std::string_view> closers) {
  lexer.next();
  const TextPosition start = lexer.place();
  for (u64 depth = 0; !lexer.at_end(); lexer.next()) {
    const Token token = lexer.peek();
    if (token.kind == TokenKind::identifier && contains(openers, token.text)) ++depth;
    if (token.kind == TokenKind::identifier && contains(closers, token.text) && depth-- == 0) {
      lexer.next();
      return CapturedBody{lexer.text_between(start, token.place), start};
    }
    lexer.skip_statement();
  }
  return std::nullopt;
}

std::optional<std::string_view> capture_lines(Lexer& lexer, std::span<const std::string_view> closers) {
  const TextPosition start = lexer.place();
  while (!lexer.at_end()) {
    lexer.next();
    const TextPosition line = lexer.place();
    const bool is_end = contains(closers, lexer.rest_of_line());
    lexer.skip_line();
    if (is_end) return lexer.text_between(start, line);
  }
  return std::nullopt;
}

bool MacroReader::fail(const TextPosition& place, std::string message) {
  diagnostics_.error(place, std::move(message));
  return false;
}

std::optional<std::string_view> MacroReader::name(const std::string& what) {
  const Token token = lexer_.peek();
  if (token.kind == TokenKind::identifier || token.kind == TokenKind::string) return lexer_.next().text;
  fail(token.place, "expected " + what);
  return std::nullopt;
}

bool MacroReader::qualifier(MacroParameter& parameter) {
  const TextPosition place = lexer_.peek().place;
  const auto word = name("'req' or 'vararg'");
  if (!word) return false;
  if (*word == "req") return parameter.is_required = true;
  if (*word == "vararg") return parameter.is_rest = true;
  return fail(
      place, fmt::format("'{}' is not a kind of parameter; expected 'req' or 'vararg'", support::beginning(*word, 40)));
}

bool ParameterList::add(MacroParameter parameter) {
  if (!numbers_.emplace(parameter.name, parameters_.size()).second) return false;
  parameters_.push_back(std::move(parameter));
  return true;
}

std::optional<std::size_t> ParameterList::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Macro> MacroReader::definition() {
  Macro macro;
  macro.place = lexer_.peek().place;
  const auto own = name("the name of the macro");
  if (!own) return std::nullopt;
  macro.name = *own;
  lexer_.accept(",");
  while (!lexer_.peek().ends_statement()) {
    const TextPosition place = lexer_.peek().place;
    const std::span<const MacroParameter> before = macro.parameters.all();
    if (!before.empty() && before.back().is_rest) {
      fail(place, "a 'vararg' parameter takes all remaining arguments and must be the last one");
      return std::nullopt;
    }
    MacroParameter parameter;
    const auto its = name("the name of a parameter");
    if (!its) return std::nullopt;
    parameter.name = *its;
    if (lexer_.accept(":") && !qualifier(parameter)) return std::nullopt;
    if (lexer_.accept("=") && !plain_argument(parameter.standard)) return std::nullopt;
    if (!macro.parameters.add(std::move(parameter))) {
      fail(place, fmt::format("macro '{}' has two parameters '{}'", macro.name, *its));
      return std::nullopt;
    }
    lexer_.accept(",");
  }
  return macro;
}

/// Appends a token as written; a string without its quotes.
void MacroReader::append_token(MacroArgument& argument) {
  const Token token = lexer_.next();
  if (!argument) argument.emplace();
  *argument += token.kind == TokenKind::string ? token.text : lexer_.text_since(token.place);
}

/// Reads up to a comma, or to a blank that is neither inside parentheses nor next to an operator.
bool MacroReader::plain_argument(MacroArgument& argument) {
  const TextPosition start = lexer_.peek().place;
  u32 parentheses = 0;
  std::size_t end = start.offset;
  while (true) {
    const Token token = lexer_.peek();
    if (token.ends_statement()) break;
    if (token.is("=") || token.kind == TokenKind::end_of_text)
      return fail(token.place, "unexpected '=' in the arguments of a macro");
    const bool is_apart = token.place.offset != end;
    if (parentheses == 0) {
      if (token.is(",")) break;
      if (is_operator(token)) {
        append_token(argument);
        // A blank after an operator does not separate arguments.
        end = lexer_.peek().place.offset;
        continue;
      }
      if (is_apart) break;
    } else if (is_apart) {
      *argument += ' ';
    }
    if (token.is("(")) ++parentheses;
    if (token.is(")") && parentheses != 0) --parentheses;
    append_token(argument);
    end = lexer_.place().offset;
  }
  return parentheses == 0 || fail(start, "the parentheses of this argument are not closed");
}

/// `%expression`
bool MacroReader::computed_argument(MacroArgument& argument) {
  lexer_.next();
  const auto value = alternate_();
  if (value) argument = std::to_string(*value);
  return value.has_value();
}

/// `<text>`, in which `!` escapes the next character. False if it is not closed: `<` is an operator then.
bool MacroReader::bracketed_argument(MacroArgument& argument) {
  const TextPosition start = lexer_.peek().place;
  // No `<` up to this offset can be closed.
  if (start.offset < unclosed_to_) return false;
  Lexer ahead = lexer_;
  ahead.skip_line();
  const std::string_view line = ahead.text_between(start, ahead.place());
  std::string text;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '>') {
      while (lexer_.place().offset < start.offset + i + 1) lexer_.next();
      argument = std::move(text);
      return true;
    }
    if (line[i] == '!' && i + 1 < line.size()) ++i;
    text += line[i];
  }
  unclosed_to_ = ahead.place().offset;
  return false;
}

bool MacroReader::argument(MacroArgument& argument) {
  const Token token = lexer_.peek();
  if (alternate_ && token.is("%")) return computed_argument(argument);
  if (alternate_ && token.is("<") && bracketed_argument(argument)) return true;
  return plain_argument(argument);
}

/// `name=`: the number of that parameter. For an unknown name, reports an error and returns an invalid number.
std::optional<std::size_t> MacroReader::keyword(const Macro& macro) {
  Lexer ahead = lexer_;
  const Token token = ahead.next();
  if (token.kind != TokenKind::identifier || !ahead.accept("=")) return std::nullopt;
  lexer_ = ahead;
  if (const std::optional<std::size_t> number = macro.parameters.find(token.text)) return number;
  fail(token.place, fmt::format("macro '{}' does not have a parameter '{}'", support::beginning(macro.name, 40),
                                support::beginning(token.text, 40)));
  return macro.parameters.all().size();
}

/// Fills in the default values of omitted parameters.
bool MacroReader::check_given(const Macro& macro, std::vector<MacroArgument>& given, const TextPosition& place) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const MacroParameter& parameter = macro.parameters.all()[i];
    if (given[i]) continue;
    if (parameter.is_required) {
      return fail(place, fmt::format("macro '{}' needs its parameter '{}'", support::beginning(macro.name, 40),
                                     support::beginning(parameter.name, 40)));
    }
    given[i] = parameter.standard;
  }
  return true;
}

std::optional<std::vector<MacroArgument>> MacroReader::arguments(const Macro& macro) {
  std::vector<MacroArgument> given(macro.parameters.all().size());
  bool by_name = false;
  bool is_behind_comma = false;  // after a comma there is an argument, even if it is empty
  for (std::size_t position = 0;; ++position) {
    const Token token = lexer_.peek();
    const bool is_end = token.ends_statement();
    if (is_end && !is_behind_comma) {
      if (!check_given(macro, given, token.place)) return std::nullopt;
      return given;
    }
    if (position == given.size()) {
      fail(token.place,
           fmt::format("macro '{}' has {}", support::beginning(macro.name, 40),
                       given.empty() ? "no parameters" : "only " + support::counted(given.size(), "parameter")));
      return std::nullopt;
    }
    const auto named = keyword(macro);
    if (named && *named == given.size()) return std::nullopt;
    if (by_name && !named) {
      fail(token.place, "an argument without a name cannot follow one with a name");
      return std::nullopt;
    }
    is_behind_comma = false;
    if (is_end) continue;
    by_name = by_name || named;
    MacroArgument text;
    if (macro.parameters.all()[position].is_rest) {
      text = std::string(lexer_.take_statement());
    } else if (!argument(text)) {
      return std::nullopt;
    }
    if (text) given[named.value_or(position)] = std::move(text);
    is_behind_comma = lexer_.accept(",");
  }
}

std::optional<std::vector<std::string>> MacroReader::values() {
  std::vector<std::string> values;
  std::size_t count = 0;  // without omitted arguments at the end
  while (!lexer_.peek().ends_statement()) {
    MacroArgument text;
    if (!argument(text)) return std::nullopt;
    values.push_back(text.value_or(std::string()));
    if (text) count = values.size();
    lexer_.accept(",");
  }
  values.resize(count);
  return values;
}

std::string expand(std::string_view body, const ParameterList& parameters, std::span<const MacroArgument> arguments,
                   const ExpansionCounts& counts, bool alternate) {
  std::string text;
  if (!alternate && body.find('\\') == std::string_view::npos) return std::string(body);
  text.reserve(body.size());
  std::size_t i = 0;
  const auto word = [&] {
    const std::size_t start = i;
    while (i < body.size() && is_name_part(body[i])) ++i;
    return body.substr(start, i - start);
  };
  const auto add = [&](const MacroArgument& argument) {
    text += argument.value_or(std::string());
    // `name&` joins the argument to the following text.
    if (alternate && i < body.size() && body[i] == '&') ++i;
  };
  while (i < body.size()) {
    const std::string_view rest = body.substr(i);
    if (rest.front() != '\\' || rest.size() == 1) {
      if (!is_name_part(rest.front())) {
        text += body[i++];
        continue;
      }
      const std::string_view name = word();
      const MacroArgument* argument = alternate ? find_argument(parameters, arguments, name) : nullptr;
      if (argument == nullptr) {
        text += name;
      } else {
        add(*argument);
      }
    } else if (rest.starts_with("\\()")) {
      i += 3;
    } else if (counts.all && rest.starts_with("\\@")) {
      text += std::to_string(*counts.all);
      i += 2;
    } else if (rest.starts_with("\\+")) {
      text += std::to_string(counts.own);
      i += 2;
    } else {
      ++i;
      const std::string_view name = word();
      if (const MacroArgument* argument = find_argument(parameters, arguments, name)) {
        add(*argument);
      } else {
        text += '\\';
        text += name;
      }
    }
  }
  return text;
}

}  // namespace salu::assembler
