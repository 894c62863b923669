#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "assembler/lexer.hpp"
#include "expr/expression_node.hpp"
#include "support/compiler.hpp"
#include "support/numbers.hpp"

namespace salu::expr {
namespace {

using Operator = ExpressionOperator;

/// The spelling of an operator or a function.
struct Spelling {
  std::string_view text;
  Operator op;
  int number;  ///< the precedence of an operator, the arguments of a function
};
/// The precedence of C.
constexpr std::array<Spelling, 18> binary_operators = {{
    {"*", Operator::multiply, 10},
    {"/", Operator::divide, 10},
    {"%", Operator::remainder, 10},
    {"+", Operator::add, 9},
    {"-", Operator::subtract, 9},
    {"<<", Operator::shift_left, 8},
    {">>", Operator::shift_right, 8},
    {"<", Operator::less, 7},
    {"<=", Operator::less_equal, 7},
    {">", Operator::greater, 7},
    {">=", Operator::greater_equal, 7},
    {"==", Operator::equal, 6},
    {"!=", Operator::not_equal, 6},
    {"&", Operator::bit_and, 5},
    {"^", Operator::bit_xor, 4},
    {"|", Operator::bit_or, 3},
    {"&&", Operator::logical_and, 2},
    {"||", Operator::logical_or, 1},
}};
constexpr std::array<Spelling, 4> functions = {{
    {"i32", Operator::as_i32, 1},
    {"i64", Operator::as_i64, 1},
    {"bcnt", Operator::count_ones, 1},
    {"lane", Operator::lane, 2},
}};

}  // namespace

/// Precedence climbing over the tokens of the assembler.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Program& program, std::optional<u32> lane,
                   std::span<const Value> values)
      : text_(text), lexer_(text), program_(program), lane_(lane), values_(values) {
    result_.text_ = std::string(text);
  }

  Result<Expression> parse() {
    result_.root_ = parse_binary(1);
    // A line break ends the expression; text after it is an error.
    while (lexer_.peek().kind == TokenKind::end_of_statement) lexer_.next();
    if (const assembler::Token token = lexer_.peek(); !problem_ && token.kind != TokenKind::end_of_text) {
      fail(token, fmt::format("expected an operator or the end{}, found `{}`",
                              token.place.line == 0 ? "" : " of the expression before a line break", token.text));
    }
    if (problem_) return std::move(*problem_);
    return std::move(result_);
  }

 private:
  using Node = Expression::Node;
  using NodePointer = std::shared_ptr<const Node>;
  using TokenKind = assembler::TokenKind;

  static constexpr u32 deepest = 100;
  /// Limits the recursion of the evaluation.
  static constexpr u32 most_operators = 1000;

  NodePointer fail(const assembler::Token& token, std::string message) {
    if (!problem_) {
      problem_ = Error{
          ErrorCode::usage, {"", 1, static_cast<u32>(token.place.offset) + 1}, std::move(message), std::string(text_)};
    }
    return nullptr;
  }

  static NodePointer make(Operator op, NodePointer left, NodePointer right = nullptr) {
    return std::make_shared<const Node>(Node{op, 0, {}, std::move(left), std::move(right)});
  }

  NodePointer parse_binary(int least_precedence) {
    if (++depth_ > deepest) return fail(lexer_.peek(), "the expression is nested too deeply");
    NodePointer left = parse_unary();
    while (left != nullptr) {
      const assembler::Token token = lexer_.peek();
      const auto found = std::ranges::find_if(binary_operators, [&](const auto& each) { return token.is(each.text); });
      if (found == binary_operators.end() || found->number < least_precedence) break;
      if (++operators_ > most_operators)
        return fail(token, fmt::format("the expression has more than {} operators", most_operators));
      lexer_.next();
      NodePointer right = parse_binary(found->number + 1);
      if (right == nullptr) return nullptr;
      left = make(found->op, std::move(left), std::move(right));
    }
    --depth_;
    return left;
  }

  NodePointer parse_unary() {
    constexpr std::array<std::pair<std::string_view, Operator>, 3> unary = {
        {{"!", Operator::logical_not}, {"~", Operator::bit_not}, {"-", Operator::negate}}};
    for (const auto& [text, op] : unary) {
      if (!lexer_.accept(text)) continue;
      if (++depth_ > deepest) return fail(lexer_.peek(), "the expression is nested too deeply");
      NodePointer operand = parse_unary();
      --depth_;
      return operand == nullptr ? nullptr : make(op, std::move(operand));
    }
    return parse_primary();
  }

  NodePointer parse_primary() {
    const assembler::Token token = lexer_.next();
    if (token.kind == TokenKind::integer)
      return std::make_shared<const Node>(Node{Operator::number, token.integer, {}, {}, {}});
    if (token.kind == TokenKind::identifier) {
      for (const Spelling& function : functions) {
        if (token.text == function.text && lexer_.peek().is("(")) return parse_call(function);
      }
      return parse_name(token);
    }
    if (token.is("(")) {
      NodePointer inner = parse_binary(1);
      return inner == nullptr || expect(")") ? inner : nullptr;
    }
    if (token.is("[")) return parse_memory();
    // The text of the token is an error message.
    if (token.kind == TokenKind::invalid) return fail(token, std::string(token.text));
    const std::string found = token.ends_statement() ? "the end" : "`" + std::string(token.text) + "`";
    return fail(token, "expected a register, a number, a label or `[`, found " + found);
  }

  bool expect(std::string_view punctuation) {
    if (lexer_.accept(punctuation)) return true;
    fail(lexer_.peek(), "expected `" + std::string(punctuation) + "`");
    return false;
  }

  NodePointer parse_memory() {
    NodePointer address = parse_binary(1);
    if (address == nullptr) return nullptr;
    u64 size_bytes = 4;
    if (lexer_.accept(":")) {
      const assembler::Token size = lexer_.next();
      size_bytes = size.integer;
      const bool is_size = size.kind == TokenKind::integer && size_bytes <= 8 && std::has_single_bit(size_bytes);
      if (!is_size) return fail(size, "memory is read in 1, 2, 4 or 8 bytes");
    }
    if (!expect("]")) return nullptr;
    result_.reads_memory_ = true;
    return std::make_shared<const Node>(Node{Operator::memory, size_bytes, {}, std::move(address), {}});
  }

  /// Parses a register or a symbol. Not inlined, to keep its large frame out of the recursion.
  SALU_NOINLINE NodePointer parse_name(const assembler::Token& token) {
    const std::string written(token.text);
    // GDB writes registers with a dollar sign.
    const bool has_dollar = written.starts_with('$') && program_.find_symbol(written) == nullptr;
    if (has_dollar && written.find_first_not_of("$0123456789") == std::string::npos) return parse_printed(token);
    const std::string name = has_dollar ? written.substr(1) : written;
    // `s[2:3]` and `ttmp[4:5]`, unless it is a label followed by memory.
    const Generation generation = program_.generation();
    std::string full = name;
    const auto known = parse_register_name(generation, name);
    if (lexer_.peek().is("[") && (!known || known->vector_registers() != 0)) {
      lexer_.next();
      const assembler::Token first = lexer_.next();
      full += fmt::format("[{}", first.integer);
      const bool has_last = lexer_.accept(":");
      const assembler::Token last = has_last ? lexer_.next() : first;
      if (has_last) full += fmt::format(":{}", last.integer);
      if (first.kind != TokenKind::integer || last.kind != TokenKind::integer)
        return fail(token, "expected registers by number, as in s[2:3], or a lane, as in v3[7]");
      if (!expect("]")) return nullptr;
      full += "]";
    }
    if (auto reg = find_register(full)) {
      constexpr u32 widest = 64;
      if (reg->vector_registers() == 1 && lane_) reg = take_lane(*reg, lexer_.peek());
      if (reg->vector_registers() != 0)
        return fail(token, fmt::format("`{}` has {} lanes; take one, as in v3[7]", full, wave_size(generation)));
      if (reg->width > widest) return fail(token, "`" + full + "` has more than 64 bits; take its pairs one by one");
      if (std::ranges::find(result_.registers_, *reg) == result_.registers_.end()) result_.registers_.push_back(*reg);
      return std::make_shared<const Node>(Node{Operator::reg, 0, *reg, {}, {}});
    }
    if (const Symbol* symbol = program_.find_symbol(written))
      return std::make_shared<const Node>(Node{Operator::number, symbol->address, {}, {}, {}});
    std::string message =
        std::string(has_dollar ? "`$" : "`") + full + "` is not a register, label or symbol of this program";
    const std::vector<std::string> near = nearest_register_names(generation, full);
    if (!near.empty() && near.front() != full) message += "; did you mean `" + near.front() + "`?";
    return fail(token, message);
  }

  /// Parses `$`, `$$`, `$$3` or `$3`: a printed value.
  SALU_NOINLINE NodePointer parse_printed(const assembler::Token& token) {
    const bool is_from_end = token.text.starts_with("$$") || token.text == "$";
    const std::string_view digits = token.text.substr(token.text.starts_with("$$") ? 2 : 1);
    const std::optional<u64> number =
        digits.empty() ? std::optional<u64>(token.text.size() - 1) : support::parse_unsigned(digits);
    const u64 count = values_.size();
    if (!number || (is_from_end ? *number >= count : *number == 0 || *number > count)) {
      return fail(token, fmt::format("`{}` is not a printed value: {} so far", token.text, count));
    }
    const Value& value = values_[static_cast<std::size_t>(is_from_end ? count - 1 - *number : *number - 1)];
    NodePointer node = std::make_shared<const Node>(Node{Operator::number, value.bits, {}, {}, {}});
    return value.is_signed ? make(Operator::as_i64, std::move(node)) : node;
  }

  /// Selects the lane of a vector register, whose name ends before a token.
  RegisterName take_lane(const RegisterName& reg, const assembler::Token& behind) {
    std::size_t end = behind.ends_statement() ? text_.size() : behind.place.offset;
    end = text_.find_last_not_of(" \t", end - 1) + 1;
    const std::string lane = fmt::format("[{}]", *lane_);
    result_.text_.insert(end + result_.text_.size() - text_.size(), lane);
    return RegisterName::in_lane(state_index::vector_of(reg.index), *lane_);
  }

  NodePointer parse_call(const Spelling& function) {
    lexer_.next();
    NodePointer first = parse_binary(1);
    NodePointer second;
    if (first != nullptr && function.number == 2) {
      if (!expect(",")) return nullptr;
      second = parse_binary(1);
      if (second == nullptr) return nullptr;
    }
    if (first == nullptr || !expect(")")) return nullptr;
    return make(function.op, std::move(first), std::move(second));
  }

  /// Finds a register, or a field with its register: `mode.csp`.
  [[nodiscard]] std::optional<RegisterName> find_register(const std::string& name) const {
    const Generation generation = program_.generation();
    const std::size_t point = name.find('.');
    if (point == std::string::npos) return parse_register_name(generation, name);
    const auto field = parse_register_name(generation, name.substr(point + 1));
    const std::string_view owner = std::string_view(name).substr(0, point);
    if (!field) return std::nullopt;
    if (field->width >= 32) return std::nullopt;
    const bool fits = (owner == "mode" && field->index == state_index::mode) ||
                      (owner == "status" && (field->index == state_index::status || field->is_scc()));
    return fits ? field : std::nullopt;
  }

  std::string_view text_;
  assembler::Lexer lexer_;
  const Program& program_;
  std::optional<u32> lane_;
  std::span<const Value> values_;
  Expression result_;
  std::optional<Error> problem_;
  u32 depth_ = 0;
  u32 operators_ = 0;
};

Result<Expression> Expression::parse(std::string_view text, const Program& program, std::optional<u32> lane,
                                     std::span<const Value> values) {
  // The assembler would treat the rest as a comment.
  for (const std::string_view comment : {"//", "/*", ";"}) {
    const std::size_t at = text.find(comment);
    if (at == std::string_view::npos) continue;
    const std::string message = "expected the end of the expression, found `" + std::string(comment) + "`";
    return Error{ErrorCode::usage, {{}, 1, static_cast<u32>(at) + 1}, message, std::string(text)};
  }
  return ExpressionParser(text, program, lane, values).parse();
}

}  // namespace salu::expr
