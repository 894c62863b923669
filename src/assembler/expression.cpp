#include "assembler/expression.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <unordered_set>
#include <utility>

#include "support/names.hpp"

namespace salu::assembler {
namespace {

struct BinaryOperator {
  std::string_view text;
  Operation operation;
  u8 precedence;
};

// LLVM: getGNUBinOpPrecedence in lib/MC/MCParser/AsmParser.cpp.
constexpr std::array<BinaryOperator, 20> binary_operators = {{
    {"||", Operation::logical_or, 1},  {"&&", Operation::logical_and, 2}, {"==", Operation::equal, 3},
    {"!=", Operation::not_equal, 3},   {"<>", Operation::not_equal, 3},   {"<", Operation::less, 3},
    {"<=", Operation::less_equal, 3},  {">", Operation::greater, 3},      {">=", Operation::greater_equal, 3},
    {"+", Operation::add, 4},          {"-", Operation::subtract, 4},     {"|", Operation::bit_or, 5},
    {"^", Operation::bit_xor, 5},      {"&", Operation::bit_and, 5},      {"*", Operation::multiply, 6},
    {"/", Operation::divide, 6},       {"%", Operation::remainder, 6},    {"<<", Operation::shift_left, 6},
    {">>", Operation::shift_right, 6}, {"!", Operation::bit_or, 5},
}};

constexpr std::array<RelocationName, 6> relocation_names = {{
    {"abs32@lo", Relocation::abs32_lo},
    {"abs32@hi", Relocation::abs32_hi},
    {"rel32@lo", Relocation::rel32_lo},
    {"rel32@hi", Relocation::rel32_hi},
    {"gotpcrel32@lo", Relocation::rel32_lo, true},
    {"gotpcrel32@hi", Relocation::rel32_hi, true},
}};

const BinaryOperator* find_operator(const Token& token) {
  if (token.kind != TokenKind::punctuation) return nullptr;
  const auto* const found = std::ranges::find(binary_operators, token.text, &BinaryOperator::text);
  return found == binary_operators.end() ? nullptr : found;
}

class ExpressionParser {
 public:
  ExpressionParser(Lexer& lexer, SymbolTable& symbols, Diagnostics& diagnostics, const Value& location)
      : lexer_(lexer), symbols_(symbols), diagnostics_(diagnostics), location_(location) {}

  std::optional<Expression> parse() {
    const Token first = lexer_.peek();
    expression_.place = first.place;
    if (!binary(1, 0)) return std::nullopt;
    expression_.in_digits = expression_.steps.size() == 1 && first.kind == TokenKind::integer &&
                            first.text.size() > 1 && first.text[0] == '0';
    expression_.text = lexer_.text_since(first.place);
    return std::move(expression_);
  }

 private:
  bool fail(const TextPosition& place, std::string message) {
    diagnostics_.error(place, std::move(message));
    return false;
  }

  bool push(Operation operation, const Token& token, u32 symbol = 0, const Value& value = {}) {
    if (expression_.steps.size() >= most_steps) return fail(token.place, "this expression is too long");
    expression_.steps.push_back({operation, symbol, value, token.place});
    return true;
  }

  bool push(const Value& value, const Token& token) {
    return push(value.addresses == 0 ? Operation::number : Operation::location, token, 0, value);
  }

  /// Precedence climbing; the recursion depth is the number of precedence levels times the nesting of parentheses.
  bool binary(u8 lowest, u32 depth) {
    if (!unary(depth)) return false;
    while (true) {
      const Token token = lexer_.peek();
      const BinaryOperator* found = find_operator(token);
      if (found == nullptr || found->precedence < lowest) return true;
      lexer_.next();
      if (!binary(static_cast<u8>(found->precedence + 1), depth + 1)) return false;
      // a ! b is a | ~b.
      if (token.is("!") && !push(Operation::complement, token)) return false;
      if (!push(found->operation, token)) return false;
    }
  }

  bool unary(u32 depth) {
    if (lexer_.peek().ends_statement()) return fail(lexer_.peek().place, "expected a number, a name or '('");
    const Token token = lexer_.next();
    if (depth > deepest_nesting) return fail(token.place, "this expression is nested too deeply");
    if (token.is("+")) return unary(depth + 1);
    if (token.is("-")) return unary(depth + 1) && push(Operation::negate, token);
    if (token.is("~")) return unary(depth + 1) && push(Operation::complement, token);
    if (token.is("!")) return unary(depth + 1) && push(Operation::logical_not, token);
    if (token.is("(")) {
      if (!binary(1, depth + 1)) return false;
      if (lexer_.accept(")")) return true;
      return fail(lexer_.peek().place, "expected ')'");
    }
    switch (token.kind) {
      case TokenKind::integer:
        return push({static_cast<i64>(token.integer), 0}, token);
      case TokenKind::identifier:
      case TokenKind::string:
        return name(token, depth);
      case TokenKind::directional:
        return numeric_label(token);
      case TokenKind::floating:
        return fail(token.place, "a floating-point number is not allowed in an expression");
      case TokenKind::invalid:
        return fail(token.place, std::string(token.text));
      default:
        return fail(token.place, "expected a number, a name or '('");
    }
  }

  /// The arguments of a function; the next token is `(`.
  bool call(const FunctionInfo& function, const Token& token, u32 depth) {
    lexer_.next();
    u32 count = 0;
    do {
      if (!binary(1, depth + 1)) return false;
      ++count;
    } while (lexer_.accept(","));
    if (!lexer_.accept(")")) return fail(lexer_.peek().place, "expected ',' or ')'");
    if (count < function.arguments || (count > function.arguments && !function.takes_more)) {
      return fail(token.place, fmt::format("{}() takes {}{} arguments, not {}", function.name,
                                           function.takes_more ? "at least " : "", function.arguments, count));
    }
    if (!push(Operation::call, token)) return false;
    expression_.steps.back().function = function.function;
    expression_.steps.back().arguments = count;
    return true;
  }

  bool name(const Token& token, u32 depth) {
    if (token.text == ".") return push(location_, token);
    const FunctionInfo* const function = token.kind == TokenKind::identifier ? find_function(token.text) : nullptr;
    if (lexer_.peek().is("(")) {
      if (function != nullptr) return call(*function, token, depth);
      return fail(token.place, fmt::format("unknown function '{}'; expected one of {}",
                                           support::beginning(token.text, 40), fmt::join(function_names(), ", ")));
    }
    const RelocationName* relocated = nullptr;
    if (lexer_.peek().is("@") && (relocated = relocation()) == nullptr) return false;
    const u32 symbol = symbols_.intern(token.text);
    if (relocated != nullptr && relocated->of_table)
      return push(Operation::symbol, token, symbols_.table_entry(symbol, token.place));
    SymbolTable::Entry& entry = symbols_.at(symbol);
    // A name of `.set` is replaced by its current value: it may be set again later.
    if (entry.kind == SymbolTable::Kind::constant) return push(entry.value, token);
    entry.awaited = true;
    return push(Operation::symbol, token, symbol);
  }

  const RelocationName* relocation() {
    const TextPosition place = lexer_.peek().place;
    std::string spelling;
    while (lexer_.accept("@")) {
      if (!spelling.empty()) spelling += '@';
      if (lexer_.peek().kind == TokenKind::identifier) spelling += lexer_.next().text;
    }
    const auto* const found = std::ranges::find(relocation_names, std::string_view(spelling), &RelocationName::name);
    if (found != relocation_names.end()) {
      expression_.relocation = found->relocation;
      return found;
    }
    fail(place, "'@" + spelling.substr(0, 40) +
                    "' needs a linker; only @abs32, @rel32 and @gotpcrel32 with @lo and @hi are resolved here");
    return nullptr;
  }

  bool numeric_label(const Token& token) {
    if (token.text.back() == 'f') return push(Operation::symbol, token, symbols_.next_numeric(token.integer));
    const std::optional<u32> last = symbols_.last_numeric(token.integer);
    if (!last) return fail(token.place, fmt::format("no label '{}:' before this", token.integer));
    return push(Operation::symbol, token, *last);
  }

  Lexer& lexer_;
  SymbolTable& symbols_;
  Diagnostics& diagnostics_;
  Value location_;
  Expression expression_;
};

/// 64-bit arithmetic like that of LLVM's assembler: wrapping, logical right shift, comparisons that yield -1.
std::optional<Value> apply(Operation operation, const Value& left, const Value& right) {
  const auto a = static_cast<u64>(left.number);
  const auto b = static_cast<u64>(right.number);
  const auto number = [](u64 bits) { return Value{static_cast<i64>(bits), 0}; };
  const auto truth = [](bool value) { return Value{value ? -1 : 0, 0}; };
  const auto sum = [&](u64 bits, u64 addresses) {
    return Value{static_cast<i64>(bits), addresses, addresses == 0 ? 0 : std::max(left.section, right.section)};
  };
  switch (operation) {
    case Operation::add:
      return sum(a + b, left.addresses + right.addresses);
    case Operation::subtract:
      return sum(a - b, left.addresses - right.addresses);
    case Operation::multiply:
      return number(a * b);
    case Operation::divide:
    case Operation::remainder:
      if (right.number == 0) return std::nullopt;
      // The only quotient that overflows; it wraps.
      if (right.number == -1) return number(operation == Operation::divide ? 0 - a : 0);
      return Value{operation == Operation::divide ? left.number / right.number : left.number % right.number, 0};
    case Operation::shift_left:
      return number(b < 64 ? a << b : 0);
    case Operation::shift_right:
      return number(b < 64 ? a >> b : 0);
    case Operation::bit_and:
      return number(a & b);
    case Operation::bit_or:
      return number(a | b);
    case Operation::bit_xor:
      return number(a ^ b);
    case Operation::equal:
      return truth(a == b);
    case Operation::not_equal:
      return truth(a != b);
    case Operation::less:
      return truth(left.number < right.number);
    case Operation::less_equal:
      return truth(left.number <= right.number);
    case Operation::greater:
      return truth(left.number > right.number);
    case Operation::greater_equal:
      return truth(left.number >= right.number);
    case Operation::logical_and:
      return number(u64{a != 0 && b != 0});
    case Operation::logical_or:
      return number(u64{a != 0 || b != 0});
    default:
      return std::nullopt;
  }
}

/// True if a result depends on the addresses of sections that are not placed yet.
bool needs_places(Operation operation, const Value& left, const Value& right) {
  const bool is_sum = operation == Operation::add || operation == Operation::subtract;
  if (left.addresses != 0 && right.addresses != 0) return left.section != right.section;
  return !is_sum && (left.section != 0 || right.section != 0);
}

Value apply(Operation operation, const Value& value) {
  const auto bits = static_cast<u64>(value.number);
  if (operation == Operation::negate) return {static_cast<i64>(0 - bits), 0 - value.addresses, value.section};
  if (operation == Operation::complement) return {static_cast<i64>(~bits), 0};
  return {value.number == 0 ? 1 : 0, 0};
}

constexpr const char* unknown_places =
    "this depends on the addresses of data sections, which are not known before the end of the text";

class Evaluator {
 public:
  Evaluator(SymbolTable& symbols, Diagnostics& diagnostics, Reported reported)
      : symbols_(symbols), diagnostics_(diagnostics), reported_(reported) {}

  std::optional<Value> run(const Expression& expression, u32 depth) {
    symbols_.count_steps(expression.steps.size());
    std::vector<Value> stack;
    for (const ExpressionStep& step : expression.steps) {
      if (step.operation == Operation::number || step.operation == Operation::location) {
        stack.push_back(symbols_.placed(step.value));
      } else if (step.operation == Operation::symbol) {
        const std::optional<Value> value = symbol(step, depth);
        if (!value) return std::nullopt;
        stack.push_back(*value);
      } else if (step.operation == Operation::call) {
        const std::optional<Value> value = call(step, std::span(stack).last(step.arguments));
        if (!value) return std::nullopt;
        stack.resize(stack.size() - step.arguments);
        stack.push_back(*value);
      } else if (step.operation <= Operation::logical_not) {
        if (step.operation != Operation::negate && stack.back().section != 0) return fail(step.place, unknown_places);
        stack.back() = apply(step.operation, stack.back());
      } else {
        const Value right = stack.back();
        stack.pop_back();
        if (needs_places(step.operation, stack.back(), right)) return fail(step.place, unknown_places);
        const std::optional<Value> value = apply(step.operation, stack.back(), right);
        if (!value) return fail(step.place, "division by zero", Reported::divisions);
        stack.back() = *value;
      }
    }
    return stack.back();
  }

 private:
  /// `among`: the most restrictive filter under which this error is still reported.
  std::optional<Value> fail(const TextPosition& place, std::string message, Reported among = Reported::all) {
    if (reported_ <= among) diagnostics_.error(place, std::move(message));
    return std::nullopt;
  }

  std::optional<Value> call(const ExpressionStep& step, std::span<const Value> values) {
    std::vector<i64> arguments;
    for (const Value& each : values) {
      if (each.addresses != 0) return fail(step.place, "an argument of a function is a number, not an address");
      arguments.push_back(each.number);
    }
    const std::optional<i64> value = assembler::evaluate(step.function, arguments, symbols_.target());
    if (!value) return fail(step.place, "alignment to multiples of 0", Reported::divisions);
    return Value{*value, 0};
  }

  std::optional<Value> symbol(const ExpressionStep& step, u32 depth) {
    SymbolTable::Entry& entry = symbols_.at(step.symbol);
    switch (entry.kind) {
      case SymbolTable::Kind::label:
      case SymbolTable::Kind::constant:
        return entry.value;
      case SymbolTable::Kind::undefined:
        return fail(step.place, symbols_.describe(step.symbol) +
                                    (entry.elsewhere ? " is in a section that is not assembled" : " is not defined"));
      case SymbolTable::Kind::deferred:
        break;
    }
    // Circular definitions also end here; the budget limits trees of definitions that grow exponentially.
    if (depth >= deepest_definition || ++definitions_ > most_definitions) {
      return fail(step.place, symbols_.describe(step.symbol) + " is defined by itself or through too many other names");
    }
    const std::optional<Value> value = run(entry.expression, depth + 1);
    if (value) {
      entry.kind = SymbolTable::Kind::constant;
      entry.value = *value;
    }
    return value;
  }

  static constexpr u32 most_definitions = 1000;

  SymbolTable& symbols_;
  Diagnostics& diagnostics_;
  Reported reported_;
  u32 definitions_ = 0;
};

}  // namespace

bool Expression::is_constant() const {
  return relocation == Relocation::none && std::ranges::none_of(steps, [](const ExpressionStep& step) {
           return step.operation == Operation::symbol || step.operation == Operation::location;
         });
}

bool Expression::has_location() const {
  return std::ranges::find(steps, Operation::location, &ExpressionStep::operation) != steps.end();
}

u32 SymbolTable::intern(std::string_view name) {
  const auto [position, is_new] = by_name_.try_emplace(name, static_cast<u32>(entries_.size()));
  if (is_new) entries_.emplace_back().name = name;
  return position->second;
}

u32 SymbolTable::add_anonymous() {
  entries_.emplace_back();
  return static_cast<u32>(entries_.size() - 1);
}

u32 SymbolTable::table_entry(u32 symbol, const TextPosition& used_at) {
  if (const auto known = at(symbol).table_entry) return *known;
  const u32 entry = add_anonymous();
  at(entry).entry_of = symbol;
  at(symbol).table_entry = entry;
  at(symbol).used_at = used_at;
  table_entries_.emplace_back(symbol, entry);
  return entry;
}

void SymbolTable::place(std::vector<u64> bases) {
  bases_ = std::move(bases);
  for (Entry& entry : entries_) entry.value = placed(entry.value);
}

Value SymbolTable::placed(Value value) const {
  if (bases_.empty() || value.section == 0) return value;
  value.number += static_cast<i64>(bases_[value.section] * value.addresses);
  value.section = 0;
  return value;
}

u32 SymbolTable::next_numeric(u64 number) {
  std::optional<u32>& next = numeric_[number].next;
  if (!next) {
    next = add_anonymous();
    at(*next).value.number = static_cast<i64>(number);
  }
  return *next;
}

std::optional<u32> SymbolTable::last_numeric(u64 number) const {
  const auto found = numeric_.find(number);
  return found == numeric_.end() ? std::nullopt : found->second.last;
}

u32 SymbolTable::define_numeric(u64 number) {
  const u32 symbol = next_numeric(number);
  numeric_[number] = {symbol, std::nullopt};
  return symbol;
}

bool SymbolTable::is_defined(u32 symbol) {
  std::vector<u32> open = {symbol};
  std::unordered_set<u32> seen;
  while (!open.empty()) {
    const Entry& entry = at(open.back());
    open.pop_back();
    if (entry.kind == Kind::undefined || entry.implied) return false;
    if (entry.kind != Kind::deferred) continue;
    count_steps(entry.expression.steps.size());
    for (const ExpressionStep& step : entry.expression.steps) {
      if (step.operation == Operation::symbol && seen.insert(step.symbol).second) open.push_back(step.symbol);
    }
  }
  return true;
}

void SymbolTable::settle_weak() {
  for (Entry& entry : entries_) {
    if (entry.weak && entry.kind == Kind::undefined && !entry.elsewhere) entry.kind = Kind::constant;
  }
}

std::string SymbolTable::describe(u32 symbol) const {
  const Entry& entry = at(symbol);
  if (!entry.name.empty()) return "'" + std::string(support::beginning(entry.name, 80)) + "'";
  return fmt::format("label '{}:'", entry.value.number);
}

std::string describe_value(std::string_view written, i64 value) {
  constexpr std::size_t longest = 40;
  std::string_view digits = written;
  if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
  const bool is_number = !digits.empty() && is_digit(digits.front()) && std::ranges::all_of(digits, is_name_part);
  if (is_number) return std::string(written.substr(0, longest));
  std::string number = std::to_string(value);
  if (written == "(" + number + ")") return number;
  if (written.empty() || written.size() > longest || written.find('\n') != std::string_view::npos) return number;
  return fmt::format("{} ({})", written, number);
}

std::optional<Expression> parse_expression(Lexer& lexer, SymbolTable& symbols, Diagnostics& diagnostics,
                                           const Value& location) {
  return ExpressionParser(lexer, symbols, diagnostics, location).parse();
}

std::optional<Value> evaluate(const Expression& expression, SymbolTable& symbols, Diagnostics& diagnostics,
                              Reported reported) {
  return Evaluator(symbols, diagnostics, reported).run(expression, 0);
}

}  // namespace salu::assembler
