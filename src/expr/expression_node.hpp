#pragma once

#include <memory>
#include <optional>
#include <string>

#include "expr/expression.hpp"

namespace salu::expr {

/// The operation of a node.
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

/// A node of the tree of an expression.
struct Expression::Node {
  using Operator = ExpressionOperator;

  Operator op{};
  u64 number = 0;  ///< for memory, its size in bytes
  RegisterName name{};
  std::shared_ptr<const Node> left;
  std::shared_ptr<const Node> right;

  [[nodiscard]] u32 width() const {
    if (op == Operator::reg) return name.width;
    return op == Operator::memory ? static_cast<u32>(number * 8) : 64;
  }
  [[nodiscard]] Value evaluate(const ExpressionState& state) const;
  /// See `Expression`.
  [[nodiscard]] std::optional<std::string> find_problem(const ExpressionState& state) const;

 private:
  [[nodiscard]] Value compared_with(const Value& other, const Value& value) const;
};

}  // namespace salu::expr
