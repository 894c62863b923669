#include <algorithm>

#include "proof/borders.hpp"
#include "proof/terms.hpp"

/// Simplification of selects and comparisons. A select is split into the parts of a word that differ; unsigned
/// comparisons with a constant have the constant on the right.
namespace salu::proof {

using support::ones;

TermId Terms::select(TermId condition, TermId yes, TermId no) {
  if (is_constant(condition)) return value(condition) != 0 ? yes : no;
  if (is_complement(condition)) {
    condition = operands(condition)[0];
    std::swap(yes, no);
  }
  // A nested select with the same condition is already decided.
  const auto made = [&](TermId term, bool chosen) {
    const bool is_same = nodes_[term].op == Op::select && operands(term)[0] == condition;
    return is_same ? operands(term)[chosen ? 1 : 2] : term;
  };
  yes = made(yes, true);
  no = made(no, false);
  if (yes == no) return yes;
  const u32 width = nodes_[yes].width;
  const Nesting nesting(*this);
  if (nesting.is_deepest()) return make(Op::select, width, {condition, yes, no});
  if (width == 1) {
    if (is_constant(yes)) return value(yes) != 0 ? bit_or(condition, no) : bit_and(bit_not(condition), no);
    if (is_constant(no)) return value(no) != 0 ? bit_or(bit_not(condition), yes) : bit_and(condition, yes);
    if (yes == bit_not(no)) return bit_not(bit_xor(condition, yes));
  }
  if (nodes_[condition].op == Op::equal) {
    const TermId a = operands(condition)[0];
    const TermId b = operands(condition)[1];
    if ((yes == a && no == b) || (yes == b && no == a)) return no;
  }
  // Parts that are equal in both cases are not selected.
  std::vector<u32> borders;
  if (!(is_constant(yes) && is_constant(no))) {
    add_borders(yes, false, borders);
    add_borders(no, false, borders);
  } else if (width > 1) {
    add_borders(constant(width, value(yes) ^ value(no)), true, borders);
    if (value(yes) == ones(width) && value(no) == 0) borders.clear();
    if (value(no) == ones(width) && value(yes) == 0) borders.clear();
  }
  if (!borders.empty()) {
    std::vector<TermId> parts;
    for_each_part(width, borders, [&](u32 low, u32 part_width) {
      parts.push_back(select(condition, slice(yes, low, part_width), slice(no, low, part_width)));
    });
    return join_all(parts);
  }
  return make(Op::select, width, {condition, yes, no});
}

TermId Terms::equal_to_constant(TermId term, u64 value) {
  const Node node = nodes_[term];
  const u64 all = ones(node.width);
  const std::vector<TermId> of(operands(term).begin(), operands(term).end());
  if (node.width == 1) return value != 0 ? term : bit_not(term);
  const Nesting nesting(*this);
  if (nesting.is_deepest() && node.op != Op::constant) return make(Op::equal, 1, {term, constant(node.width, value)});
  if (node.op == Op::exclusive && of.size() == 1) return equal_to_constant(of[0], value ^ node.value);
  if (node.op == Op::sign_extension) {
    const u32 inner = width(of[0]);
    const TermId shorter = constant(inner, value);
    return is_constant(sign_extend(shorter, node.width), value) ? equal(of[0], shorter) : no();
  }
  if (node.op == Op::select && (is_constant(of[1]) || is_constant(of[2])))
    return select(of[0], equal_to_constant(of[1], value), equal_to_constant(of[2], value));
  if (node.op == Op::constant) return constant(1, node.value == value ? 1 : 0);
  const bool is_or = node.op == Op::disjunction && value == 0;
  if (is_or || (node.op == Op::conjunction && value == all)) {
    TermId result = yes();
    for (const TermId operand : of) result = bit_and(result, equal_to_constant(operand, value));
    return result;
  }
  if (node.op == Op::sum) {
    const std::vector<u64> factors(coefficients(term).begin(), coefficients(term).end());
    const u64 rest = (value - node.value) & all;
    if (of.size() == 1 && (factors[0] & 1) != 0) {
      // An odd factor has an inverse.
      u64 inverse = factors[0];
      for (int i = 0; i < 6; ++i) inverse *= 2 - factors[0] * inverse;
      return equal(of[0], constant(node.width, rest * inverse));
    }
    // The lowest coefficient determines the normalised sign.
    const bool is_turned = factors[0] > ((0 - factors[0]) & all);
    if (node.value != 0 || is_turned) {
      Linear sum{node.width, {}, 0};
      for (std::size_t i = 0; i < of.size(); ++i) add_to(sum, of[i], is_turned ? 0 - factors[i] : factors[i]);
      return equal(from(sum), constant(node.width, is_turned ? 0 - rest : rest));
    }
    if (of.size() == 2 && value == 0 && factors[0] == 1 && factors[1] == all) return equal(of[0], of[1]);
  }
  return make(Op::equal, 1, {term, constant(node.width, value)});
}

TermId Terms::equal_in_parts(TermId left, TermId right, const std::vector<u32>& borders) {
  TermId result = yes();
  for_each_part(nodes_[left].width, borders, [&](u32 low, u32 width) {
    result = bit_and(result, equal(slice(left, low, width), slice(right, low, width)));
  });
  return result;
}

TermId Terms::equal(TermId left, TermId right) {
  if (left == right) return yes();
  if (is_constant(left)) std::swap(left, right);
  const u32 width = nodes_[left].width;
  const Nesting nesting(*this);
  if (nesting.is_deepest() && !is_constant(left)) {
    if (!is_constant(right) && left > right) std::swap(left, right);
    return make(Op::equal, 1, {left, right});
  }
  if (width == 1 && !is_constant(right)) return bit_not(bit_xor(left, right));
  std::vector<u32> borders;
  add_borders(left, false, borders);
  add_borders(right, false, borders);
  if (!borders.empty()) return equal_in_parts(left, right, borders);
  if (is_constant(right)) return equal_to_constant(left, value(right));
  if (nodes_[left].op == Op::sum || nodes_[right].op == Op::sum) {
    const TermId difference = subtract(left, right);
    if (nodes_[difference].op != Op::sum) return equal(difference, constant(width, 0));
    // Compares the difference with 0, which normalises the sum.
    const TermId result = equal_to_constant(difference, 0);
    return result;
  }
  if (left > right) std::swap(left, right);
  return make(Op::equal, 1, {left, right});
}

TermId Terms::below(TermId left, TermId right) {
  if (left == right) return no();
  const u32 width = nodes_[left].width;
  const u64 all = ones(width);
  if (is_constant(left) && is_constant(right)) return constant(1, value(left) < value(right) ? 1 : 0);
  if (width == 1) return bit_and(bit_not(left), right);
  if (is_constant(right, 0) || is_constant(left, all)) return no();
  if (is_constant(right, 1)) return equal(left, constant(width, 0));
  if (is_constant(right, all)) return bit_not(equal(left, right));
  if (is_constant(left, 0)) return bit_not(equal(left, right));
  if (is_constant(left)) return bit_not(below(right, constant(width, value(left) + 1)));
  const Nesting nesting(*this);
  if (nesting.is_deepest()) return make(Op::below, 1, {left, right});
  const u32 zeros = std::min(known_zeros(left), known_zeros(right));
  if (zeros != 0) return below(slice(left, 0, width - zeros), slice(right, 0, width - zeros));
  if (is_constant(right) && known_zeros(left) != 0) {
    const u32 kept = width - known_zeros(left);
    return value(right) > ones(kept) ? yes() : below(slice(left, 0, kept), constant(kept, value(right)));
  }
  // If a sum is below one of its two summands, it is also below the other.
  if (nodes_[left].op == Op::sum) {
    const TermId other = subtract(left, right);
    if (is_constant(other)) return bit_not(below(right, constant(width, 0 - value(other))));
    if (nodes_[other].op != Op::sum && other < right) return make(Op::below, 1, {left, other});
  }
  return make(Op::below, 1, {left, right});
}

TermId Terms::below_signed(TermId left, TermId right) {
  if (left == right) return no();
  const u32 width = nodes_[left].width;
  const u64 greatest = ones(width - 1);
  const u64 least = greatest + 1;
  if (is_constant(left) && is_constant(right))
    return constant(1, (value(left) ^ least) < (value(right) ^ least) ? 1 : 0);
  if (width == 1) return bit_and(left, bit_not(right));
  if (is_constant(right, 0)) return slice(left, width - 1, 1);
  if (is_constant(right, least) || is_constant(left, greatest)) return no();
  if (is_constant(left)) return bit_not(below_signed(right, constant(width, value(left) + 1)));
  if (is_constant(right, greatest)) return bit_not(equal(left, right));
  const Nesting nesting(*this);
  if (nesting.is_deepest()) return make(Op::below_signed, 1, {left, right});
  const auto is_positive = [&](TermId term) { return known_zeros(term) != 0; };
  if (is_positive(left) && is_positive(right)) return below(left, right);
  const auto inner = [&](TermId term) {
    return nodes_[term].op == Op::sign_extension ? this->width(operands(term)[0]) : width - known_zeros(term) + 1;
  };
  const u32 kept = std::max(inner(left), inner(right));
  const bool are_extended = kept < width;
  if (are_extended && !is_constant(right)) return below_signed(slice(left, 0, kept), slice(right, 0, kept));
  return make(Op::below_signed, 1, {left, right});
}

}  // namespace salu::proof
