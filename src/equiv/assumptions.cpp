#include "equiv/assumptions.hpp"

#include <algorithm>

#include "expr/expression_node.hpp"
#include "support/numbers.hpp"

namespace salu::equiv {
namespace {

using expr::Expression;
using Operator = expr::ExpressionOperator;
using proof::TermId;

class StartOfRun final : public expr::ExpressionState {
 public:
  explicit StartOfRun(const Side& side) : side_(side) {}
  [[nodiscard]] u64 read(const RegisterName& name) const override { return read_register(side_.start(), name); }
  [[nodiscard]] const Memory& memory() const override { return side_.memory_before(); }

 private:
  const Side& side_;
};

/// The value of an expression, as in expr::Value: 64 bits, or one bit for a truth value.
struct Term {
  TermId bits = 0;
  bool is_signed = false;
};

class Translation {
 public:
  Translation(proof::Terms& terms, proof::SymbolicState& start) : terms_(terms), start_(start) {}

  std::string problem;

  Term translate(const Expression::Node& node) {
    switch (node.op) {
      case Operator::number:
        return {number(node.number), false};
      case Operator::reg:
        return {read(node.name), false};
      case Operator::memory:
        return {load(translate(*node.left).bits, static_cast<u32>(node.number)), false};
      case Operator::bit_not:
        return {terms_.bit_not(translate(*node.left).bits), false};
      case Operator::logical_not:
        return truth(terms_.bit_not(is_true(*node.left)));
      case Operator::negate:
        return {terms_.subtract(number(0), translate(*node.left).bits), true};
      case Operator::logical_and:
        return truth(terms_.bit_and(is_true(*node.left), is_true(*node.right)));
      case Operator::logical_or:
        return truth(terms_.bit_or(is_true(*node.left), is_true(*node.right)));
      case Operator::as_i32:
        return {terms_.sign_extend(terms_.slice(translate(*node.left).bits, 0, 32), 64), true};
      case Operator::as_i64:
        return {translate(*node.left).bits, true};
      case Operator::count_ones:
        return {terms_.count_ones(translate(*node.left).bits), false};
      case Operator::lane: {
        const TermId moved = terms_.shift_right(translate(*node.left).bits, translate(*node.right).bits);
        return truth(terms_.slice(moved, 0, 1));
      }
      default:
        return combine(node);
    }
  }
  TermId is_true(const Expression::Node& node) { return terms_.bit_not(terms_.equal(translate(node).bits, number(0))); }

 private:
  TermId number(u64 value) { return terms_.constant(64, value); }
  Term truth(TermId bit) { return {terms_.zero_extend(bit, 64), false}; }

  TermId read(const RegisterName& name) {
    if (name.width > 64) {
      problem = "more than 64 bits";
      return number(0);
    }
    return terms_.zero_extend(start_.read(name), 64);
  }
  TermId load(TermId address, u32 bytes) {
    if (!terms_.is_constant(address)) {
      problem = "memory at an address that the inputs decide";
      return number(0);
    }
    const u64 first = terms_.value(address);
    if (!start_.start().memory->is_mapped(first, bytes)) {
      problem = "memory that is not mapped";
      return number(0);
    }
    const TermId low = start_.read_bytes(first, std::min<u32>(bytes, 4));
    return terms_.zero_extend(bytes == 8 ? terms_.join(start_.read_bytes(first + 4, 4), low) : low, 64);
  }
  /// In a comparison with a signed number, a register or memory is also signed, in its own width.
  Term compared(const Expression::Node& node, const Term& term, const Term& other) {
    const bool is_place = (node.op == Operator::reg && node.name.width == 32) || node.op == Operator::memory;
    if (!is_place || !other.is_signed) return term;
    return {terms_.sign_extend(terms_.slice(term.bits, 0, node.width()), 64), true};
  }
  Term combine(const Expression::Node& node) {
    Term left = translate(*node.left);
    Term right = translate(*node.right);
    const Term plain = left;
    const bool compares = node.op >= Operator::less && node.op <= Operator::not_equal;
    if (compares) {
      left = compared(*node.left, left, right);
      right = compared(*node.right, right, plain);
    }
    const bool is_signed = left.is_signed || right.is_signed;
    const auto less = [&](const Term& a, const Term& b) {
      return is_signed ? terms_.below_signed(a.bits, b.bits) : terms_.below(a.bits, b.bits);
    };
    switch (node.op) {
      case Operator::multiply:
        return {terms_.multiply(left.bits, right.bits), is_signed};
      case Operator::add:
        return {terms_.add(left.bits, right.bits), is_signed};
      case Operator::subtract:
        return {terms_.subtract(left.bits, right.bits), is_signed};
      case Operator::shift_left:
        return {terms_.shift_left(left.bits, right.bits), left.is_signed};
      case Operator::shift_right:
        return {left.is_signed ? terms_.shift_right_signed(left.bits, right.bits)
                               : terms_.shift_right(left.bits, right.bits),
                left.is_signed};
      case Operator::less:
        return truth(less(left, right));
      case Operator::less_equal:
        return truth(terms_.bit_not(less(right, left)));
      case Operator::greater:
        return truth(less(right, left));
      case Operator::greater_equal:
        return truth(terms_.bit_not(less(left, right)));
      case Operator::equal:
        return truth(terms_.equal(left.bits, right.bits));
      case Operator::not_equal:
        return truth(terms_.bit_not(terms_.equal(left.bits, right.bits)));
      case Operator::bit_and:
        return {terms_.bit_and(left.bits, right.bits), is_signed};
      case Operator::bit_xor:
        return {terms_.bit_xor(left.bits, right.bits), is_signed};
      case Operator::bit_or:
        return {terms_.bit_or(left.bits, right.bits), is_signed};
      default:
        problem = "a quotient or remainder";
        return {number(0), false};
    }
  }

  proof::Terms& terms_;
  proof::SymbolicState& start_;
};

}  // namespace

Result<Assumptions> Assumptions::parse(const std::vector<std::string>& texts, const Scenario& a) {
  Assumptions assumptions;
  for (const std::string& text : texts) {
    Result<Expression> expression = Expression::parse(text, a.program);
    if (!expression) {
      Error error = std::move(expression).error();
      error.where.file = "--assume";
      return error;
    }
    assumptions.expressions_.push_back(std::move(*expression));
  }
  return assumptions;
}

bool Assumptions::hold(const Side& a) const {
  const StartOfRun start(a);
  return std::ranges::all_of(expressions_,
                             [&](const Expression& expression) { return expression.evaluate(start).is_true(); });
}

Assumed term_of(const Expression& expression, proof::Terms& terms, proof::SymbolicState& start) {
  Translation translation(terms, start);
  Assumed assumed;
  assumed.condition = translation.is_true(expression.root());
  assumed.problem = std::move(translation.problem);
  return assumed;
}

}  // namespace salu::equiv
