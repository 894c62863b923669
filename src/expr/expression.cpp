#include "expr/expression.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "expr/expression_node.hpp"
#include "expr/machine_registers.hpp"
#include "support/numbers.hpp"

namespace salu::expr {
namespace {

using Operator = ExpressionOperator;

u64 divide(u64 left, u64 right, bool is_signed, bool wants_remainder) {
  // Undefined in C, 0 here: a condition must not fail.
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

/// The state of a machine between two steps.
class StandingMachine final : public ExpressionState {
 public:
  explicit StandingMachine(const core::Machine& machine) : machine_(machine) {}

  [[nodiscard]] u64 read(const RegisterName& name) const override { return read_register(machine_, name); }
  [[nodiscard]] const Memory& memory() const override { return machine_.memory_now(); }

 private:
  const core::Machine& machine_;
};

}  // namespace

Value Expression::Node::evaluate(const ExpressionState& state) const {
  switch (op) {
    case Operator::number:
      return {number, false};
    case Operator::reg:
      return {state.read(name), false};
    case Operator::memory: {
      std::array<u8, 8> bytes{};
      state.memory().read(left->evaluate(state).bits, std::span(bytes).first(number));
      return {std::bit_cast<u64>(bytes), false};
    }
    case Operator::bit_not:
      return {~left->evaluate(state).bits, false};
    case Operator::logical_not:
      return {left->evaluate(state).is_true() ? u64{0} : 1, false};
    case Operator::negate:
      return {~left->evaluate(state).bits + 1, true};
    case Operator::logical_and:
      return {left->evaluate(state).is_true() && right->evaluate(state).is_true() ? u64{1} : 0, false};
    case Operator::logical_or:
      return {left->evaluate(state).is_true() || right->evaluate(state).is_true() ? u64{1} : 0, false};
    case Operator::as_i32:
      return {static_cast<u64>(i64{static_cast<i32>(left->evaluate(state).bits)}), true};
    case Operator::as_i64:
      return {left->evaluate(state).bits, true};
    case Operator::count_ones:
      return {static_cast<u64>(std::popcount(left->evaluate(state).bits)), false};
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
    case Operator::equal:
    case Operator::not_equal: {
      const Value a = left->evaluate(state);
      const Value b = right->evaluate(state);
      return combine(op, left->compared_with(b, a), right->compared_with(a, b));
    }
    default:
      return combine(op, left->evaluate(state), right->evaluate(state));
  }
}

/// Compared with a signed number, a register or memory is sign-extended from its width: s0 == -1 if all bits are set.
Value Expression::Node::compared_with(const Value& other, const Value& value) const {
  const bool is_place = (op == Operator::reg && name.width == 32) || op == Operator::memory;
  if (!is_place || !other.is_signed) return value;
  const u32 unused = 64 - width();
  return {static_cast<u64>(static_cast<i64>(value.bits << unused) >> unused), true};
}

std::optional<std::string> Expression::Node::find_problem(const ExpressionState& state) const {
  std::optional<std::string> found = left == nullptr ? std::nullopt : left->find_problem(state);
  if (found) return found;
  // Short-circuit evaluation, as in C.
  const bool is_decided = (op == Operator::logical_and && !left->evaluate(state).is_true()) ||
                          (op == Operator::logical_or && left->evaluate(state).is_true());
  if (is_decided) return std::nullopt;
  if (right != nullptr) found = right->find_problem(state);
  if (found) return found;
  if ((op == Operator::divide || op == Operator::remainder) && right->evaluate(state).bits == 0) return "division by 0";
  if (op != Operator::memory) return std::nullopt;
  const u64 address = left->evaluate(state).bits;
  if (state.memory().is_mapped(address, number)) return std::nullopt;
  return "the memory at " + support::hex(address) + " is not mapped";
}

Value Expression::evaluate(const ExpressionState& state) const { return root_->evaluate(state); }

Value Expression::evaluate(const core::Machine& machine) const { return root_->evaluate(StandingMachine(machine)); }

std::optional<std::string> Expression::find_problem(const core::Machine& machine) const {
  return root_->find_problem(StandingMachine(machine));
}

bool Expression::is_register() const { return root_->op == Operator::reg; }

bool Expression::is_memory() const { return root_->op == Operator::memory; }

u64 Expression::memory_address(const core::Machine& machine) const {
  return root_->left->evaluate(StandingMachine(machine)).bits;
}

u32 Expression::memory_bytes() const { return static_cast<u32>(root_->number); }

u32 Expression::width() const { return root_->width(); }

}  // namespace salu::expr
