#include <algorithm>
#include <bit>
#include <functional>

#include "proof/terms.hpp"

/// Simplification of arithmetic: sums, differences and products with a constant are one `sum`; parts that do not
/// overlap are a `join`, not a sum.
namespace salu::proof {

using support::ones;

namespace {

/// Limit for the parts of a join that is split into summands.
constexpr std::size_t most_parts_in_sums = 4;
/// Limit for the terms of an expanded product of sums.
constexpr std::size_t most_products = 8;
/// Limit for the factors of a flattened product: a square has twice as many factors as its root.
constexpr std::size_t most_factors = 16;

}  // namespace

// ---- shifts and counts ----

TermId Terms::shift(Op op, TermId term, TermId amount) {
  const u32 width = nodes_[term].width;
  if (width == 1) return op == Op::shift_right_signed ? term : bit_and(term, bit_not(amount));
  if (is_constant(term, 0)) return term;
  if (!is_constant(amount)) return make(op, width, {term, amount});
  const u64 by = value(amount);
  if (by == 0) return term;
  if (op == Op::shift_right_signed) {
    const u32 low = static_cast<u32>(std::min<u64>(by, width - 1));
    return sign_extend(slice(term, low, width - low), width);
  }
  if (by >= width) return constant(width, 0);
  const auto moved = static_cast<u32>(by);
  if (op == Op::shift_right) return zero_extend(slice(term, moved, width - moved), width);
  Linear sum{width, {}, 0};
  add_to(sum, term, u64{1} << moved);
  return from(sum);
}

TermId Terms::shift_left(TermId term, TermId amount) { return shift(Op::shift_left, term, amount); }
TermId Terms::shift_right(TermId term, TermId amount) { return shift(Op::shift_right, term, amount); }
TermId Terms::shift_right_signed(TermId term, TermId amount) { return shift(Op::shift_right_signed, term, amount); }

TermId Terms::count(Op op, TermId term) {
  const u32 width = nodes_[term].width;
  if (width == 1) return op == Op::count_ones ? term : bit_not(term);
  if (!is_constant(term)) return make(op, width, {term});
  const u64 word = value(term);
  const u64 result = op == Op::count_ones      ? static_cast<u64>(std::popcount(word))
                     : op == Op::leading_zeros ? static_cast<u64>(std::countl_zero(word)) - (64 - width)
                     : word == 0               ? width
                                               : static_cast<u64>(std::countr_zero(word));
  return constant(width, result);
}

// ---- sums and products ----

void Terms::add_to(Linear& sum, TermId term, u64 coefficient) {
  const Node node = nodes_[term];
  coefficient &= ones(sum.width);
  if (coefficient == 0) return;
  const std::vector<TermId> of(operands(term).begin(), operands(term).end());
  if (node.op == Op::constant) {
    sum.constant += coefficient * node.value;
    return;
  }
  const Nesting nesting(*this);
  if (node.op == Op::sum && !nesting.is_deepest()) {
    const std::vector<u64> factors(coefficients(term).begin(), coefficients(term).end());
    sum.constant += coefficient * node.value;
    for (std::size_t i = 0; i < of.size(); ++i) add_to(sum, of[i], coefficient * factors[i]);
    return;
  }
  if (is_complement(term) && !nesting.is_deepest()) {
    sum.constant -= coefficient;
    add_to(sum, of[0], 0 - coefficient);
    return;
  }
  const bool is_extension = node.op == Op::join && of.size() == 2 && is_constant(of[0], 0) && !is_constant(of[1]);
  if (node.op == Op::join && of.size() <= most_parts_in_sums && !is_extension && !nesting.is_deepest()) {
    u32 at = node.width;
    for (const TermId part : of) {
      at -= width(part);
      TermId word = part;
      // The upper bits of the highest part are irrelevant, so the whole word can replace a slice of it.
      const Node cut = nodes_[part];
      const bool is_cut = cut.op == Op::slice && cut.value == 0 && width(operands(part)[0]) == node.width;
      word = at + cut.width == node.width && is_cut ? operands(part)[0] : zero_extend(part, node.width);
      add_to(sum, word, coefficient << at);
    }
    return;
  }
  u64& total = sum.terms[term];
  total = (total + coefficient) & ones(sum.width);
  if (total == 0) sum.terms.erase(term);
}

/// Converts a sum to a join if no bits of its terms overlap; returns 0, which is not a valid result, if they do.
TermId Terms::joined(const Linear& sum) {
  struct Piece {
    u32 low;
    u32 end;
    TermId term;
  };
  std::vector<Piece> parts;
  u64 taken = sum.constant & ones(sum.width);
  for (const auto& [term, coefficient] : sum.terms) {
    if (!std::has_single_bit(coefficient)) return 0;
    const auto low = static_cast<u32>(std::countr_zero(coefficient));
    const u32 end = std::min(sum.width, low + sum.width - known_zeros(term));
    const u64 bits = ones(end) & ~ones(low);
    if ((taken & bits) != 0) return 0;
    taken |= bits;
    parts.push_back({low, end, term});
  }
  std::ranges::sort(parts, std::greater<>(), &Piece::low);
  std::vector<TermId> all;
  u32 top = sum.width;
  for (const Piece& part : parts) {
    if (part.end < top) all.push_back(constant(top - part.end, sum.constant >> part.end));
    all.push_back(slice(part.term, 0, part.end - part.low));
    top = part.low;
  }
  if (top != 0) all.push_back(constant(top, sum.constant));
  return join_all(all);
}

TermId Terms::from(const Linear& sum) {
  const u64 constant_part = sum.constant & ones(sum.width);
  if (sum.terms.empty()) return constant(sum.width, constant_part);
  const auto& [first, coefficient] = *sum.terms.begin();
  if (sum.terms.size() == 1 && coefficient == 1 && constant_part == 0) return first;
  if (sum.terms.size() == 1 && coefficient == ones(sum.width) && constant_part == ones(sum.width))
    return bit_not(first);
  // Adding one bit is an exclusive or.
  if (sum.width == 1) {
    TermId result = constant(1, constant_part);
    for (const auto& [term, factor] : sum.terms) result = bit_xor(result, term);
    return result;
  }
  // A word that is shifted left stays a sum, unless no bits are lost.
  const auto moved = static_cast<u32>(std::countr_zero(coefficient));
  const bool is_moved = sum.terms.size() == 1 && constant_part == 0 && known_zeros(first) < moved;
  if (const TermId parts = is_moved ? 0 : joined(sum); parts != 0) return parts;
  std::vector<TermId> terms;
  std::vector<u64> factors;
  for (const auto& [term, factor] : sum.terms) {
    terms.push_back(term);
    factors.push_back(factor);
  }
  return make(Op::sum, sum.width, terms, constant_part, factors);
}

TermId Terms::add(TermId left, TermId right) {
  Linear sum{nodes_[left].width, {}, 0};
  add_to(sum, left, 1);
  add_to(sum, right, 1);
  return from(sum);
}
TermId Terms::subtract(TermId left, TermId right) {
  Linear sum{nodes_[left].width, {}, 0};
  add_to(sum, left, 1);
  add_to(sum, right, ~u64{0});
  return from(sum);
}

TermId Terms::multiply(TermId left, TermId right) {
  const u32 width = nodes_[left].width;
  if (width == 1) return bit_and(left, right);
  const Nesting nesting(*this);
  if (nesting.is_deepest()) return make(Op::product, width, {std::min(left, right), std::max(left, right)});
  // The upper half of a signed product is that of the unsigned product with two corrections.
  for (int turn = 0; turn < 2; ++turn, std::swap(left, right)) {
    const Node node = nodes_[left];
    if (node.op != Op::sign_extension || is_constant(right)) continue;
    const TermId inner = operands(left)[0];
    const u32 bits = this->width(inner);
    if (bits * 2 != width) continue;
    const TermId sign = slice(inner, bits - 1, 1);
    const TermId correction = shift_left(select(sign, right, constant(width, 0)), constant(width, bits));
    return subtract(multiply(zero_extend(inner, width), right), correction);
  }
  return multiply_sums(left, right);
}

TermId Terms::multiply_sums(TermId left, TermId right) {
  const u32 width = nodes_[left].width;
  Linear a{width, {}, 0};
  Linear b{width, {}, 0};
  add_to(a, left, 1);
  add_to(b, right, 1);
  const auto count = [](const Linear& sum) { return sum.terms.size() + (sum.constant == 0 ? 0 : 1); };
  if (count(a) > 1 && count(b) > 1 && count(a) * count(b) > most_products) return multiply_factors(left, right);
  Linear result{width, {}, a.constant * b.constant};
  for (const auto& [term, coefficient] : a.terms) add_to(result, term, coefficient * b.constant);
  for (const auto& [term, coefficient] : b.terms) add_to(result, term, coefficient * a.constant);
  for (const auto& [term, coefficient] : a.terms) {
    for (const auto& [other, factor] : b.terms) add_to(result, multiply_factors(term, other), coefficient * factor);
  }
  return from(result);
}

TermId Terms::multiply_factors(TermId left, TermId right) {
  std::vector<TermId> all;
  for (const TermId side : {left, right}) {
    if (nodes_[side].op == Op::product) {
      const std::span<const TermId> inner = operands(side);
      all.insert(all.end(), inner.begin(), inner.end());
    } else {
      all.push_back(side);
    }
  }
  if (all.size() > most_factors) all = {left, right};
  std::ranges::sort(all);
  return make(Op::product, nodes_[left].width, all);
}

}  // namespace salu::proof
