#include "debug/expression.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "asm/lexer.hpp"
#include "core/text.hpp"
#include "debug/machine_registers.hpp"

namespace salu::debug {

/// What a node of an expression does.
enum class ExpressionOperator : u8 {
  number,
  reg,
  memory,
  bit_not,
  logical_not,
  negate,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  as_i32,
  as_i64,
  count_ones,
  lane,
};

namespace {

using Operator = ExpressionOperator;

struct BinaryOperator {
  std::string_view text;
  Operator op;
  int precedence;
};
/// As in C.
constexpr std::array<BinaryOperator, 18> binary_operators = {{
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

struct Function {
  std::string_view name;
  Operator op;
  u32 arguments;
};
constexpr std::array<Function, 4> functions = {{
    {"i32", Operator::as_i32, 1},
    {"i64", Operator::as_i64, 1},
    {"bcnt", Operator::count_ones, 1},
    {"lane", Operator::lane, 2},
}};

u64 divide(u64 left, u64 right, bool is_signed, bool wants_remainder) {
  // What C leaves undefined is 0 here: a condition is no place to fail.
  if (right == 0) return 0;
  if (!is_signed) return wants_remainder ? left % right : left / right;
  const auto a = static_cast<i64>(left);
  const auto b = static_cast<i64>(right);
  if (b == -1) return wants_remainder ? 0 : ~left + 1;
  return static_cast<u64>(wants_remainder ? a % b : a / b);
}

u64 shift(u64 value, u64 count, bool is_signed, bool left) {
  if (left) return count < 64 ? value << count : 0;
  if (is_signed) return static_cast<u64>(static_cast<i64>(value) >> std::min<u64>(count, 63));
  return count < 64 ? value >> count : 0;
}

Value combine(Operator op, const Value& left, const Value& right) {
  const u64 a = left.bits;
  const u64 b = right.bits;
  const bool is_signed = left.is_signed || right.is_signed;
  const auto truth = [](bool holds) { return Value{holds ? u64{1} : 0, false}; };
  const bool less = is_signed ? static_cast<i64>(a) < static_cast<i64>(b) : a < b;
  switch (op) {
    case Operator::multiply:
      return {a * b, is_signed};
    case Operator::divide:
      return {divide(a, b, is_signed, false), is_signed};
    case Operator::remainder:
      return {divide(a, b, is_signed, true), is_signed};
    case Operator::add:
      return {a + b, is_signed};
    case Operator::subtract:
      return {a - b, is_signed};
    case Operator::shift_left:
      return {shift(a, b, left.is_signed, true), left.is_signed};
    case Operator::shift_right:
      return {shift(a, b, left.is_signed, false), left.is_signed};
    case Operator::less:
      return truth(less);
    case Operator::less_equal:
      return truth(less || a == b);
    case Operator::greater:
      return truth(!less && a != b);
    case Operator::greater_equal:
      return truth(!less);
    case Operator::equal:
      return truth(a == b);
    case Operator::not_equal:
      return truth(a != b);
    case Operator::bit_and:
      return {a & b, is_signed};
    case Operator::bit_xor:
      return {a ^ b, is_signed};
    case Operator::bit_or:
      return {a | b, is_signed};
    case Operator::lane:
      return truth(b < 64 && (a >> b & 1) != 0);
    default:
      return {};
  }
}

}  // namespace

struct Expression::Node {
  Operator op{};
  u64 number = 0;  ///< or, of memory, its size in bytes
  RegisterName name{};
  std::shared_ptr<const Node> left;
  std::shared_ptr<const Node> right;

  [[nodiscard]] u32 width() const {
    if (op == Operator::reg) return name.width;
    return op == Operator::memory ? static_cast<u32>(number * 8) : 64;
  }

  [[nodiscard]] Value evaluate(const core::Machine& machine) const {
    switch (op) {
      case Operator::number:
        return {number, false};
      case Operator::reg:
        return {read_register(machine, name), false};
      case Operator::memory: {
        std::array<u8, 8> bytes{};
        machine.memory_now().read(left->evaluate(machine).bits, std::span(bytes).first(number));
        return {std::bit_cast<u64>(bytes), false};
      }
      case Operator::bit_not:
        return {~left->evaluate(machine).bits, false};
      case Operator::logical_not:
        return {left->evaluate(machine).is_true() ? u64{0} : 1, false};
      case Operator::negate:
        return {~left->evaluate(machine).bits + 1, true};
      case Operator::logical_and:
        return {left->evaluate(machine).is_true() && right->evaluate(machine).is_true() ? u64{1} : 0, false};
      case Operator::logical_or:
        return {left->evaluate(machine).is_true() || right->evaluate(machine).is_true() ? u64{1} : 0, false};
      case Operator::as_i32:
        return {static_cast<u64>(i64{static_cast<i32>(left->evaluate(machine).bits)}), true};
      case Operator::as_i64:
        return {left->evaluate(machine).bits, true};
      case Operator::count_ones:
        return {static_cast<u64>(std::popcount(left->evaluate(machine).bits)), false};
      case Operator::less:
      case Operator::less_equal:
      case Operator::greater:
      case Operator::greater_equal:
      case Operator::equal:
      case Operator::not_equal: {
        const Value a = left->evaluate(machine);
        const Value b = right->evaluate(machine);
        return combine(op, left->compared_with(b, a), right->compared_with(a, b));
      }
      default:
        return combine(op, left->evaluate(machine), right->evaluate(machine));
    }
  }

  /// Beside a signed number a register or memory is signed, too, in the bits that it has: s0 == -1 where all are set.
  [[nodiscard]] Value compared_with(const Value& other, const Value& value) const {
    const bool is_place = (op == Operator::reg && name.width == 32) || op == Operator::memory;
    if (!is_place || !other.is_signed) return value;
    const u32 unused = 64 - width();
    return {static_cast<u64>(static_cast<i64>(value.bits << unused) >> unused), true};
  }

  /// An address that this reads and where nothing is mapped.
  [[nodiscard]] std::optional<u64> find_unmapped(const core::Machine& machine) const {
    if (op == Operator::memory) {
      const u64 address = left->evaluate(machine).bits;
      if (!machine.memory_now().is_mapped(address, number)) return address;
    }
    std::optional<u64> found = left == nullptr ? std::nullopt : left->find_unmapped(machine);
    return found || right == nullptr ? found : right->find_unmapped(machine);
  }
};

/// Precedence climbing over the tokens of the assembler.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Program& program) : text_(text), lexer_(text), program_(program) {}

  Result<Expression> parse() {
    result_.text_ = std::string(text_);
    result_.root_ = parse_binary(1);
    if (!problem_ && !lexer_.peek().ends_statement())
      fail(lexer_.peek(), "expected an operator or the end, found `" + std::string(lexer_.peek().text) + "`");
    if (problem_) return std::move(*problem_);
    return std::move(result_);
  }

 private:
  using Node = Expression::Node;
  using NodePointer = std::shared_ptr<const Node>;
  using TokenKind = assembler::TokenKind;

  static constexpr u32 deepest = 200;
  /// So that what evaluates a row of operators does not go too deep either.
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
      if (found == binary_operators.end() || found->precedence < least_precedence) break;
      if (++operators_ > most_operators)
        return fail(token, "the expression has more than " + std::to_string(most_operators) + " operators");
      lexer_.next();
      NodePointer right = parse_binary(found->precedence + 1);
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
    if (token.kind == TokenKind::identifier) return parse_name(token);
    if (token.is("(")) {
      NodePointer inner = parse_binary(1);
      return inner == nullptr || expect(")") ? inner : nullptr;
    }
    if (token.is("[")) return parse_memory();
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

  NodePointer parse_name(const assembler::Token& token) {
    const std::string written(token.text);
    // As GDB writes registers.
    const bool has_dollar = written.starts_with('$') && program_.find_symbol(written) == nullptr;
    const std::string name = has_dollar ? written.substr(1) : written;
    for (const Function& function : functions) {
      if (written == function.name && lexer_.peek().is("(")) return parse_call(function);
    }
    // `s[2:3]` and `ttmp[4:5]`, unless it is a label with memory behind it.
    const Generation generation = program_.generation();
    std::string full = name;
    if (lexer_.peek().is("[") && !parse_register_name(generation, name)) {
      lexer_.next();
      const assembler::Token first = lexer_.next();
      full += "[" + std::to_string(first.integer);
      const bool has_last = lexer_.accept(":");
      const assembler::Token last = has_last ? lexer_.next() : first;
      if (has_last) full += ":" + std::to_string(last.integer);
      if (first.kind != TokenKind::integer || last.kind != TokenKind::integer)
        return fail(token, "expected registers by number, as in s[2:3]");
      if (!expect("]")) return nullptr;
      full += "]";
    }
    if (const auto reg = find_register(full)) {
      constexpr u32 widest = 64;
      if (reg->width > widest) return fail(token, "`" + full + "` has more than 64 bits; take its pairs one by one");
      if (std::ranges::find(result_.registers_, *reg) == result_.registers_.end()) result_.registers_.push_back(*reg);
      return std::make_shared<const Node>(Node{Operator::reg, 0, *reg, {}, {}});
    }
    if (const Symbol* symbol = program_.find_symbol(written))
      return std::make_shared<const Node>(Node{Operator::number, symbol->address, {}, {}, {}});
    std::string message =
        std::string(has_dollar ? "`$" : "`") + full + "` is no register, label or symbol of this program";
    const std::vector<std::string> near = nearest_register_names(generation, full);
    if (!near.empty()) message += "; did you mean `" + near.front() + "`?";
    return fail(token, message);
  }

  NodePointer parse_call(const Function& function) {
    lexer_.next();
    NodePointer first = parse_binary(1);
    NodePointer second;
    if (first != nullptr && function.arguments == 2) {
      if (!expect(",")) return nullptr;
      second = parse_binary(1);
      if (second == nullptr) return nullptr;
    }
    if (first == nullptr || !expect(")")) return nullptr;
    return make(function.op, std::move(first), std::move(second));
  }

  /// A register, or a field with the register that it is in: `mode.csp`.
  [[nodiscard]] std::optional<RegisterName> find_register(const std::string& name) const {
    using Kind = RegisterName::Kind;
    const Generation generation = program_.generation();
    const std::size_t point = name.find('.');
    if (point == std::string::npos) return parse_register_name(generation, name);
    const auto field = parse_register_name(generation, name.substr(point + 1));
    const std::string_view owner = std::string_view(name).substr(0, point);
    if (!field) return std::nullopt;
    const bool fits = (owner == "mode" && field->kind == Kind::mode_field) ||
                      (owner == "status" && (field->kind == Kind::status_field || field->kind == Kind::scc));
    return fits ? field : std::nullopt;
  }

  std::string_view text_;
  assembler::Lexer lexer_;
  const Program& program_;
  Expression result_;
  std::optional<Error> problem_;
  u32 depth_ = 0;
  u32 operators_ = 0;
};

Result<Expression> Expression::parse(std::string_view text, const Program& program) {
  // The assembler would take what follows for a comment.
  for (const std::string_view comment : {"//", "/*", ";"}) {
    const std::size_t at = text.find(comment);
    if (at == std::string_view::npos) continue;
    const std::string message = "expected the end of the expression, found `" + std::string(comment) + "`";
    return Error{ErrorCode::usage, {{}, 1, static_cast<u32>(at) + 1}, message, std::string(text)};
  }
  return ExpressionParser(text, program).parse();
}

Value Expression::evaluate(const core::Machine& machine) const { return root_->evaluate(machine); }

std::optional<u64> Expression::find_unmapped(const core::Machine& machine) const {
  return root_->find_unmapped(machine);
}

bool Expression::is_register() const { return root_->op == Operator::reg; }

bool Expression::is_memory() const { return root_->op == Operator::memory; }

u64 Expression::memory_address(const core::Machine& machine) const { return root_->left->evaluate(machine).bits; }

u32 Expression::memory_bytes() const { return static_cast<u32>(root_->number); }

u32 Expression::width() const { return root_->width(); }

}  // namespace salu::debug
