#pragma once

#include <algorithm>
#include <bit>

#include "proof/terms.hpp"

namespace salu::proof {

/// Returns the value of a term. `value(operand)` returns the value of an operand; for an input, `value(term)` returns
/// its own value.
template <class Value>
u64 work_out(const Terms& terms, TermId term, const Value& value) {
  const Terms::Node& node = terms.node(term);
  const std::span<const TermId> operands = terms.operands(term);
  const auto of = [&](std::size_t i) { return value(operands[i]); };
  const u32 width = operands.empty() ? node.width : terms.width(operands[0]);
  const auto extended = [width](u64 word) { return static_cast<i64>(word << (64 - width)) >> (64 - width); };
  u64 result = node.value;
  switch (node.op) {
    case Op::constant:
      break;
    case Op::input:
      result = value(term);
      break;
    case Op::conjunction:
      result = ~u64{0};
      for (const TermId operand : operands) result &= value(operand);
      break;
    case Op::disjunction:
      result = 0;
      for (const TermId operand : operands) result |= value(operand);
      break;
    case Op::exclusive:
      for (const TermId operand : operands) result ^= value(operand);
      break;
    case Op::sum:
      for (std::size_t i = 0; i < operands.size(); ++i) result += of(i) * terms.coefficients(term)[i];
      break;
    case Op::product:
      result = 1;
      for (const TermId operand : operands) result *= value(operand);
      break;
    case Op::shift_left:
      result = of(1) < width ? of(0) << of(1) : 0;
      break;
    case Op::shift_right:
      result = of(1) < width ? of(0) >> of(1) : 0;
      break;
    case Op::shift_right_signed:
      result = static_cast<u64>(extended(of(0)) >> std::min<u64>(of(1), width - 1));
      break;
    case Op::slice:
      result = of(0) >> node.value;
      break;
    case Op::join:
      result = 0;
      for (const TermId operand : operands) result = result << terms.width(operand) | value(operand);
      break;
    case Op::sign_extension:
      result = static_cast<u64>(extended(of(0)));
      break;
    case Op::select:
      result = of(0) != 0 ? of(1) : of(2);
      break;
    case Op::equal:
      result = of(0) == of(1) ? 1 : 0;
      break;
    case Op::below:
      result = of(0) < of(1) ? 1 : 0;
      break;
    case Op::below_signed:
      result = extended(of(0)) < extended(of(1)) ? 1 : 0;
      break;
    case Op::count_ones:
      result = static_cast<u64>(std::popcount(of(0)));
      break;
    case Op::leading_zeros:
      result = static_cast<u64>(std::countl_zero(of(0))) - (64 - width);
      break;
    case Op::trailing_zeros:
      result = of(0) == 0 ? width : static_cast<u64>(std::countr_zero(of(0)));
      break;
  }
  return result & support::ones(node.width);
}

}  // namespace salu::proof
