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

/// Text that stands for other text: macros and repetitions, with the rules of LLVM's assembler for ELF targets.
namespace salu::assembler {

/// The lines between a directive and the one that closes it.
struct CapturedBody {
  std::string_view text;
  TextPosition place;  ///< of its first line
};

/// Lines up to the statement that begins with one of `closers`, which is consumed; those that `openers` open are
/// inside. The lexer stands at the end of the opening statement. Nothing where it is not closed.
std::optional<CapturedBody> capture_body(Lexer& lexer, std::span<const std::string_view> openers,
                                         std::span<const std::string_view> closers);

/// Lines of any text up to the one that is one of `closers`, which is consumed but for its line break. The lexer stands
/// at the end of the opening line. Nothing where it is not closed.
std::optional<std::string_view> capture_lines(Lexer& lexer, std::span<const std::string_view> closers);

/// What a macro is given for one of its parameters, as text.
using MacroArgument = std::optional<std::string>;

struct MacroParameter {
  std::string_view name;
  MacroArgument standard;    ///< after `=`
  bool is_required = false;  ///< `:req`
  bool is_rest = false;      ///< `:vararg`: all that is left of the statement
};

/// Parameters in their order, each with a name of its own.
class ParameterList {
 public:
  /// False when there is one of that name.
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
  TextPosition place;  ///< of its name where it is defined
  u64 expansions = 0;  ///< so far, for `\+`
};

/// Works out the expression that is next, for `%expression` under `.altmacro`. Nothing when it has no value (reported).
using ExpressionValue = std::function<std::optional<i64>()>;

/// Reads the parts of macros and reports what is wrong with them. With `alternate` (`.altmacro`), `%expression` and
/// `<text>` are arguments too.
class MacroReader {
 public:
  MacroReader(Lexer& lexer, Diagnostics& diagnostics, ExpressionValue alternate = {})
      : lexer_(lexer), diagnostics_(diagnostics), alternate_(std::move(alternate)) {}

  /// What follows `.macro`, up to the end of the statement; the body is not read.
  std::optional<Macro> definition();
  /// What follows the name of a macro: an argument for each parameter.
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
  std::size_t unclosed_to_ = 0;  ///< up to this offset of the text no `<` is closed
};

/// How often macros have been expanded.
struct ExpansionCounts {
  std::optional<u64> all;  ///< `\@`: macros before this one; none where it stands for itself
  u64 own = 0;             ///< `\+`: expansions of this one before
};

/// The body with `\name` replaced by the argument of that name, `\@` and `\+` by counts, and `\()` by nothing. With
/// `alternate` a name alone is replaced as well.
std::string expand(std::string_view body, const ParameterList& parameters, std::span<const MacroArgument> arguments,
                   const ExpansionCounts& counts, bool alternate);

}  // namespace salu::assembler
