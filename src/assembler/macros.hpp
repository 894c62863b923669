#pragma once

#include <salu/integer.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "assembler/diagnostics.hpp"
#include "assembler/lexer.hpp"

/// Text substitution: macros and repetitions, with the rules of LLVM's assembler for ELF targets.
namespace salu::assembler {

/// The lines between a directive and its closing directive.
struct CapturedBody {
  std::string_view text;
  TextPosition place;  ///< of its first line
};

/// Captures the lines up to the statement that begins with one of `closers`, which is consumed; blocks that `openers`
/// open are skipped as a whole. The lexer must be at the end of the opening statement. Nothing if the block is not
/// closed.
std::optional<CapturedBody> capture_body(Lexer& lexer, std::span<const std::string_view> openers,
                                         std::span<const std::string_view> closers);

/// Captures lines of arbitrary text up to the line that equals one of `closers`, which is consumed without its line
/// break. The lexer must be at the end of the opening line. Nothing if the block is not closed.
std::optional<std::string_view> capture_lines(Lexer& lexer, std::span<const std::string_view> closers);

/// The argument of a macro for one of its parameters, as text.
using MacroArgument = std::optional<std::string>;

struct MacroParameter {
  std::string_view name;
  MacroArgument standard;    ///< after `=`
  bool is_required = false;  ///< `:req`
  bool is_rest = false;      ///< `:vararg`: takes the rest of the statement
};

/// The parameters in order, with unique names.
class ParameterList {
 public:
  /// Returns false if the name exists already.
  bool add(MacroParameter parameter);
  /// The number of the parameter with a name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] std::span<const MacroParameter> all() const { return parameters_; }

 private:
  std::vector<MacroParameter> parameters_;
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

struct Macro {
  std::string_view name;
  ParameterList parameters;
  CapturedBody body;
  TextPosition place;  ///< of its name in the definition
  u64 expansions = 0;  ///< so far, for `\+`
};

/// Evaluates the next expression, for `%expression` under `.altmacro`. Reports an error and returns nothing if it has
/// no value.
using ExpressionValue = std::function<std::optional<i64>()>;

/// Parses macro definitions and arguments and reports errors in them. With `alternate` (`.altmacro`), `%expression` and
/// `<text>` are also arguments.
class MacroReader {
 public:
  MacroReader(Lexer& lexer, Diagnostics& diagnostics, ExpressionValue alternate = {})
      : lexer_(lexer), diagnostics_(diagnostics), alternate_(std::move(alternate)) {}

  /// Parses the rest of a `.macro` statement; the body is not read.
  std::optional<Macro> definition();
  /// Parses the arguments after the name of a macro, one for each parameter.
  std::optional<std::vector<MacroArgument>> arguments(const Macro& macro);
  /// The values of `.irp` and `.irpc`.
  std::optional<std::vector<std::string>> values();

 private:
  bool fail(const TextPosition& place, std::string message);
  std::optional<std::string_view> name(const std::string& what);
  bool qualifier(MacroParameter& parameter);
  std::optional<std::size_t> keyword(const Macro& macro);
  bool argument(MacroArgument& argument);
  bool plain_argument(MacroArgument& argument);
  bool computed_argument(MacroArgument& argument);
  bool bracketed_argument(MacroArgument& argument);
  bool check_given(const Macro& macro, std::vector<MacroArgument>& given, const TextPosition& place);
  void append_token(MacroArgument& argument);

  Lexer& lexer_;
  Diagnostics& diagnostics_;
  ExpressionValue alternate_;
  std::size_t unclosed_to_ = 0;  ///< no `<` is closed up to this offset of the text
};

/// The numbers of macro expansions so far.
struct ExpansionCounts {
  std::optional<u64> all;  ///< `\@`: expansions of all macros before this one; nothing: `\@` is not replaced
  u64 own = 0;             ///< `\+`: earlier expansions of this macro
};

/// The body with `\name` replaced by the argument of that name, `\@` and `\+` by counts, and `\()` by nothing. With
/// `alternate`, a bare name is replaced as well.
std::string expand(std::string_view body, const ParameterList& parameters, std::span<const MacroArgument> arguments,
                   const ExpansionCounts& counts, bool alternate);

}  // namespace salu::assembler
