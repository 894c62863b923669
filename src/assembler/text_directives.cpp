#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "assembler/text_assembly.hpp"
#include "support/names.hpp"

/// Directives that control which text is assembled: conditions, macros, repetitions, included files.
namespace salu::assembler {
namespace {

/// Limit for nested texts: macros that use each other, files that include each other.
constexpr std::size_t deepest_texts = 100;

/// Limit for the total size of macro expansions, repetitions and included files.
constexpr std::size_t most_expanded_bytes = std::size_t{16} << 20;

constexpr std::array<std::string_view, 1> macro_openers = {".macro"};
constexpr std::array<std::string_view, 2> macro_closers = {".endm", ".endmacro"};
constexpr std::array<std::string_view, 4> repetition_openers = {".rept", ".rep", ".irp", ".irpc"};
constexpr std::array<std::string_view, 1> repetition_closers = {".endr"};

constexpr std::array<std::string_view, 19> conditionals = {
    ".if",   ".ifeq",  ".ifne",  ".ifge",  ".ifgt",   ".ifle",     ".iflt",   ".ifb",  ".ifnb", ".ifc",
    ".ifnc", ".ifeqs", ".ifnes", ".ifdef", ".ifndef", ".ifnotdef", ".elseif", ".else", ".endif"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace

bool is_conditional(const Token& token) {
  return token.kind == TokenKind::identifier && std::ranges::find(conditionals, token.text) != conditionals.end();
}

void TextAssembly::enter_text() {
  outer_.push_back(lexer_);
  lexer_ = Lexer(sources_.at(*next_text_).text, *next_text_);
  next_text_.reset();
}

/// Returns to the text that used the current one; false at the end of the main text.
bool TextAssembly::leave_text() {
  if (outer_.empty() || is_ended_) return false;
  lexer_ = outer_.back();
  outer_.pop_back();
  return true;
}

/// Switches to another text after the current statement.
bool TextAssembly::bring_in(SourceText entry, std::string text) {
  const TextPosition place = entry.used_at;
  if (outer_.size() >= deepest_texts) {
    return fail(place,
                fmt::format("macros, repetitions and included files are nested more than {} deep", deepest_texts));
  }
  expanded_bytes_ += text.size();
  if (expanded_bytes_ > most_expanded_bytes) {
    return fail(place, fmt::format("macros, repetitions and included files exceed {} MiB", most_expanded_bytes >> 20));
  }
  if (text.empty()) return true;
  entry.open_levels = conditionals_.depth();
  next_text_ = sources_.add(std::move(entry), std::move(text));
  return true;
}

// ---- conditions ----

/// `.if`, `.ifne` and the other comparisons of a number with zero.
std::optional<bool> TextAssembly::compared_to_zero(std::string_view comparison) {
  const auto value = constant();
  if (!value) return std::nullopt;
  if (comparison == "eq") return *value == 0;
  if (comparison == "ge") return *value >= 0;
  if (comparison == "gt") return *value > 0;
  if (comparison == "le") return *value <= 0;
  if (comparison == "lt") return *value < 0;
  return *value != 0;
}

/// `.ifc one, other`; `.ifeqs "one", "other"`
std::optional<bool> TextAssembly::equal_texts(bool in_quotes) {
  if (in_quotes) {
    const auto first = quoted_text("two texts in quotes");
    if (!first) return std::nullopt;
    if (!lexer_.accept(",")) {
      fail(lexer_.peek().place, "expected ',' and another text in quotes");
      return std::nullopt;
    }
    const auto second = quoted_text("another text in quotes");
    if (!second) return std::nullopt;
    return *first == *second;
  }
  const TextPosition start = lexer_.place();
  while (!lexer_.peek().is(",") && !lexer_.peek().ends_statement()) lexer_.next();
  const std::string_view first = trimmed(lexer_.text_between(start, lexer_.place()));
  if (!lexer_.accept(",")) {
    fail(lexer_.peek().place, "expected ',' and the text to compare with");
    return std::nullopt;
  }
  return first == lexer_.take_statement();
}

std::optional<bool> TextAssembly::is_defined() {
  const Token name = lexer_.next();
  if (name.kind != TokenKind::identifier && name.kind != TokenKind::string) {
    fail(name.place, "expected a name");
    return std::nullopt;
  }
  return symbols_.is_defined(symbols_.intern(name.text));
}

/// The condition of `.if` and the like; nothing if it cannot be evaluated (reported).
std::optional<bool> TextAssembly::condition(const Token& directive) {
  const std::string_view name = directive.text.substr(std::string_view(".if").size());
  if (name == "b" || name == "nb") return lexer_.take_statement().empty() == (name == "b");
  std::optional<bool> is_met;
  if (name == "c" || name == "nc" || name == "eqs" || name == "nes") {
    is_met = equal_texts(name.ends_with('s'));
  } else if (name == "def" || name == "ndef" || name == "notdef") {
    is_met = is_defined();
  } else {
    return compared_to_zero(name);
  }
  if (is_met && name.front() == 'n') return !*is_met;
  return is_met;
}

bool TextAssembly::conditional(const Token& directive) {
  const std::string_view name = directive.text;
  if (name == ".endif") return conditionals_.close() || fail(directive.place, ".endif without .if");
  if (name == ".else") return conditionals_.otherwise() || fail(directive.place, ".else without .if, or after .else");
  if (name == ".elseif") {
    std::optional<bool> is_met = false;
    if (conditionals_.is_undecided()) {
      is_met = compared_to_zero({});
    } else {
      lexer_.skip_statement();
    }
    // A condition that cannot be evaluated counts as met, so that errors in its branch are reported.
    if (!conditionals_.else_if(is_met.value_or(true)))
      return fail(directive.place, ".elseif without .if, or after .else");
    return is_met.has_value();
  }
  if (conditionals_.is_ignoring()) {
    lexer_.skip_statement();
    conditionals_.open(directive.place, false);
    return true;
  }
  const std::optional<bool> is_met = condition(directive);
  conditionals_.open(directive.place, is_met.value_or(true));
  return is_met.has_value();
}

// ---- macros ----

bool TextAssembly::define_macro(const Token& directive) {
  auto macro = MacroReader(lexer_, diagnostics_, alternate_value()).definition();
  lexer_.skip_statement();
  const auto body = capture_body(lexer_, macro_openers, macro_closers);
  if (!body) return fail(directive.place, ".macro without .endm");
  if (!macro) return false;
  macro->body = *body;
  const auto [known, is_new] = macros_.try_emplace(macro->name, *macro);
  if (is_new) return true;
  return fail(macro->place, fmt::format("macro '{}' is already defined in {} (.purgem removes it)",
                                        support::beginning(macro->name, 40), line_of(known->second.place)));
}

ExpressionValue TextAssembly::alternate_value() {
  if (!alternate_) return {};
  return [this] { return constant(); };
}

SourceText TextAssembly::expansion_of(const CapturedBody& body, const TextPosition& used_at, std::string what) const {
  const SourceText& written = sources_.at(body.place.source);
  SourceText entry;
  entry.kind = SourceText::Kind::expansion;
  entry.file = written.file;
  entry.first_line = sources_.line_of(body.place);
  entry.first_column = written.first_column;
  entry.used_at = used_at;
  entry.what = std::move(what);
  return entry;
}

bool TextAssembly::use_macro(Macro& macro, const Token& name) {
  const auto arguments = MacroReader(lexer_, diagnostics_, alternate_value()).arguments(macro);
  if (!arguments) return false;
  const ExpansionCounts counts{expansions_++, macro.expansions++};
  // Collecting the arguments counts as work, even if the expansion is empty.
  expanded_bytes_ += arguments->size();
  return bring_in(expansion_of(macro.body, name.place, fmt::format("macro '{}'", support::beginning(macro.name, 40))),
                  expand(macro.body.text, macro.parameters, *arguments, counts, alternate_));
}

bool TextAssembly::exit_macro(const Token& directive) {
  const SourceText& source = sources_.at(directive.place.source);
  if (source.kind != SourceText::Kind::expansion) return fail(directive.place, ".exitm outside of a macro");
  conditionals_.close_beyond(source.open_levels);
  lexer_.skip_text();
  return true;
}

bool TextAssembly::purge_macro() {
  const Token name = lexer_.next();
  if (name.kind != TokenKind::identifier && name.kind != TokenKind::string) return fail(name.place, "expected a name");
  if (macros_.erase(name.text) != 0) return true;
  return fail(name.place, fmt::format("no macro named '{}'", support::beginning(name.text, 40)));
}

// ---- repetitions ----

/// `.rept count`
bool TextAssembly::repeat(const Token& directive) {
  const TextPosition place = lexer_.peek().place;
  const auto count = constant();
  const bool is_alone = count && end_of_statement(directive.text);
  lexer_.skip_statement();
  const auto body = capture_body(lexer_, repetition_openers, repetition_closers);
  if (!body) return fail(directive.place, ".rept without .endr");
  if (!is_alone) return false;
  if (*count < 0) return fail(place, "a repetition cannot have a negative count");
  if (body->text.empty()) return true;
  if (static_cast<u64>(*count) > most_expanded_bytes / body->text.size()) {
    return fail(place, fmt::format("macros, repetitions and included files exceed {} MiB", most_expanded_bytes >> 20));
  }
  std::string text;
  for (i64 round = 0; round < *count; ++round)
    text += expand(body->text, {}, {}, {std::nullopt, static_cast<u64>(round)}, false);
  return bring_in_rounds(*body, directive, std::move(text));
}

bool TextAssembly::bring_in_rounds(const CapturedBody& body, const Token& directive, std::string text) {
  SourceText entry = expansion_of(body, directive.place, std::string(directive.text));
  entry.repeated_lines = static_cast<u32>(std::ranges::count(body.text, '\n'));
  return bring_in(std::move(entry), std::move(text));
}

/// `.irp name, values`: an iteration for each value; `.irpc name, text`: one for each character.
bool TextAssembly::repeat_for_each(const Token& directive) {
  const Token name = lexer_.next();
  bool is_good = name.kind == TokenKind::identifier || fail(name.place, "expected a name");
  if (is_good && !lexer_.accept(",")) is_good = fail(lexer_.peek().place, "expected ',' and the values of the name");
  std::optional<std::vector<std::string>> values;
  if (is_good) values = MacroReader(lexer_, diagnostics_, alternate_value()).values();
  lexer_.skip_statement();
  const auto body = capture_body(lexer_, repetition_openers, repetition_closers);
  if (!body) return fail(directive.place, std::string(directive.text) + " without .endr");
  if (!values) return false;
  if (directive.text == ".irpc") {
    if (values->size() != 1)
      return fail(name.place, ".irpc takes one text and repeats the block for each of its characters");
    const std::string characters = std::exchange(*values, {}).front();
    for (const char c : characters) values->emplace_back(1, c);
  }
  ParameterList parameters;
  parameters.add({name.text, {}});
  std::string text;
  u64 round = 0;
  for (std::string& value : *values) {
    const MacroArgument argument = std::move(value);
    text += expand(body->text, parameters, {&argument, 1}, {expansions_, round++}, alternate_);
    if (text.size() > most_expanded_bytes) break;
  }
  return bring_in_rounds(*body, directive, std::move(text));
}

// ---- files and messages ----

std::optional<std::string_view> TextAssembly::quoted_text(std::string_view what) {
  const Token token = lexer_.next();
  if (token.kind == TokenKind::string) return token.text;
  fail(token.place, token.kind == TokenKind::invalid ? std::string(token.text) : fmt::format("expected {}", what));
  return std::nullopt;
}

std::optional<IncludedFile> TextAssembly::named_file() {
  const TextPosition place = lexer_.peek().place;
  const auto path = quoted_text("the name of a file in quotes");
  if (!path) return std::nullopt;
  if (!options_.include) {
    fail(place, "files cannot be included here");
    return std::nullopt;
  }
  Result<IncludedFile> file = options_.include(std::string(*path), sources_.locate(sources_.place_in_file(place)).file);
  if (file) {
    constexpr u64 most_included_bytes = u64{4} << 30;
    included_bytes_ += file->text.size();
    if (included_bytes_ <= most_included_bytes) return std::move(*file);
    fail(place, fmt::format("the files that are included exceed {} MiB", most_included_bytes >> 20));
    is_given_up_ = true;
    return std::nullopt;
  }
  assembly_.lacks_files = true;
  diagnostics_.error(place, file.error().message, file.error().code);
  return std::nullopt;
}

bool TextAssembly::include() {
  SourceText entry;
  entry.kind = SourceText::Kind::file;
  entry.used_at = lexer_.peek().place;
  auto file = named_file();
  if (!file) return false;
  entry.file = sources_.add_file(std::move(file->name));
  return bring_in(std::move(entry), std::move(file->text));
}

/// `.error "text"`, `.warning "text"`, `.print "text"`, `.err`
bool TextAssembly::message(const Token& directive) {
  std::string_view text = directive.text;
  if (!lexer_.peek().ends_statement()) {
    const auto quoted = quoted_text("a text in quotes");
    if (!quoted) return false;
    text = *quoted;
  }
  if (directive.text.starts_with(".err")) return fail(directive.place, std::string(text));
  diagnostics_.remark(directive.place, std::string(text));
  return true;
}

TextAssembly::DirectiveHandler TextAssembly::find_text_directive(std::string_view name) {
  static constexpr auto conditional = [](TextAssembly& text, const Token& token) { return text.conditional(token); };
  static constexpr auto message = [](TextAssembly& text, const Token& token) { return text.message(token); };
  static constexpr auto repeat = [](TextAssembly& text, const Token& token) { return text.repeat(token); };
  static constexpr auto each = [](TextAssembly& text, const Token& token) { return text.repeat_for_each(token); };
  static constexpr auto closes = [](TextAssembly& text, const Token& token) {
    return text.fail(token.place, std::string(token.text) + " does not close a block");
  };
  static constexpr std::array rows = std::to_array<DirectiveRow>({
      {".macro", [](TextAssembly& text, const Token& token) { return text.define_macro(token); }},
      {".exitm", [](TextAssembly& text, const Token& token) { return text.exit_macro(token); }},
      {".purgem", [](TextAssembly& text, const Token&) { return text.purge_macro(); }},
      {".altmacro", [](TextAssembly& text, const Token&) { return text.alternate_ = true; }},
      {".noaltmacro", [](TextAssembly& text, const Token&) { return !(text.alternate_ = false); }},
      {".rept", repeat},
      {".rep", repeat},
      {".irp", each},
      {".irpc", each},
      {".endm", closes},
      {".endmacro", closes},
      {".endr", closes},
      {".include", [](TextAssembly& text, const Token&) { return text.include(); }},
      {".error", message},
      {".err", message},
      {".warning", message},
      {".print", message},
      {".end", [](TextAssembly& text, const Token&) { return text.end(); }},
  });
  const auto* const found = std::ranges::find(rows, name, &DirectiveRow::name);
  if (found != rows.end()) return found->handler;
  return std::ranges::find(conditionals, name) == conditionals.end() ? nullptr : DirectiveHandler(conditional);
}

/// `.end`: the rest of all texts is not assembled.
bool TextAssembly::end() {
  is_ended_ = true;
  lexer_.skip_text();
  return true;
}

}  // namespace salu::assembler
