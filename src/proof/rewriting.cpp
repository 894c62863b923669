#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "proof/terms.hpp"

/// How terms are made simpler when they are made: by the operands, and what these are made of. Where several forms say
/// the same there is one that is taken:
///   - words are taken apart at the places where a part of one is known or comes from elsewhere: zeros above a byte, a
///     mask, a shift by a known amount are parts that stand beside each other (`join`, `slice`);
///   - sums, differences and products by a constant are one `sum`; parts that do not overlap are a `join`, not a sum;
///   - complements are next to what is not made by logic; `not` is an `exclusive` with all ones;
///   - comparisons without sign with a constant have it on the right.
namespace salu::proof {

using support::ones;

namespace {

/// More parts than these are not taken into sums.
constexpr std::size_t most_parts_in_sums = 4;
/// Products of sums that come to more terms are left as they are.
constexpr std::size_t most_products = 8;
/// Products of more factors are left as products of products: a square has twice as many as its root.
constexpr std::size_t most_factors = 16;

u64 sign_bit(u32 width) { return u64{1} << (width - 1); }

}  // namespace

bool Terms::is_complement(TermId term) const {
  const Node& node = nodes_[term];
  return node.op == Op::exclusive && node.count == 1 && node.value == ones(node.width);
}

void Terms::add_borders(TermId term, bool of_constants, std::vector<u32>& borders) const {
  const Node& node = nodes_[term];
  if (node.op == Op::join) {
    u32 at = node.width;
    for (const TermId part : operands(term)) {
      at -= width(part);
      if (at != 0) borders.push_back(at);
    }
  } else if (const u32 zeros = moved_by(term); zeros != 0) {
    borders.push_back(zeros);
  } else if (node.op == Op::constant && of_constants) {
    for (u32 at = 1; at < node.width; ++at) {
      if ((node.value >> at & 1) != (node.value >> (at - 1) & 1)) borders.push_back(at);
    }
  }
}

u32 Terms::moved_by(TermId term) const {
  const Node& node = nodes_[term];
  if (node.op != Op::sum || node.count != 1 || node.value != 0) return 0;
  const u64 coefficient = coefficients(term)[0];
  return std::has_single_bit(coefficient) ? static_cast<u32>(std::countr_zero(coefficient)) : 0;
}

u32 Terms::known_zeros(TermId term) const {
  const Node& node = nodes_[term];
  if (node.op == Op::constant) return static_cast<u32>(std::countl_zero(node.value)) - (64 - node.width);
  if (node.op != Op::join) return 0;
  const TermId top = operands(term)[0];
  return is_constant(top, 0) ? width(top) : 0;
}

// ---- slices and joins ----

TermId Terms::slice(TermId term, u32 low, u32 width) {
  if (width == nodes_[term].width) return term;
  const u64 key = u64{term} << 16 | u64{low} << 8 | width;
  if (const auto known = slices_.find(key); known != slices_.end()) return known->second;
  const TermId result = slice_anew(term, low, width);
  slices_.emplace(key, result);
  return result;
}

TermId Terms::slice_anew(TermId term, u32 low, u32 width) {
  // Operands are copied: making terms moves them.
  const Node node = nodes_[term];
  const std::vector<TermId> of(operands(term).begin(), operands(term).end());
  switch (node.op) {
    case Op::constant:
      return constant(width, node.value >> low);
    case Op::slice:
      return slice(of[0], low + static_cast<u32>(node.value), width);
    case Op::join: {
      std::vector<TermId> parts;
      u32 at = node.width;
      for (const TermId part : of) {
        const u32 top = at;
        at -= this->width(part);
        const u32 first = std::max(at, low);
        const u32 end = std::min(top, low + width);
        if (first < end) parts.push_back(slice(part, first - at, end - first));
      }
      return join_all(parts);
    }
    case Op::conjunction:
    case Op::disjunction: {
      TermId result = slice(of[0], low, width);
      for (std::size_t i = 1; i < of.size(); ++i) result = bitwise(node.op, result, slice(of[i], low, width));
      return result;
    }
    case Op::exclusive: {
      TermId result = constant(width, node.value >> low);
      for (const TermId operand : of) result = bit_xor(result, slice(operand, low, width));
      return result;
    }
    case Op::select:
      return select(of[0], slice(of[1], low, width), slice(of[2], low, width));
    case Op::sign_extension: {
      const u32 inner = this->width(of[0]);
      if (low + width <= inner) return slice(of[0], low, width);
      const u32 first = std::min(low, inner - 1);
      return sign_extend(slice(of[0], first, inner - first), width);
    }
    case Op::sum: {
      if (const u32 zeros = moved_by(term); zeros != 0 && low >= zeros) return slice(of[0], low - zeros, width);
      if (low != 0) {
        if (low + width == node.width) break;
        return slice(slice(term, 0, low + width), low, width);
      }
      const std::vector<u64> factors(coefficients(term).begin(), coefficients(term).end());
      Linear sum{width, {}, node.value & ones(width)};
      for (std::size_t i = 0; i < of.size(); ++i) add_to(sum, slice(of[i], 0, width), factors[i]);
      return from(sum);
    }
    case Op::product: {
      if (low != 0) {
        if (low + width == node.width) break;
        return slice(slice(term, 0, low + width), low, width);
      }
      TermId result = slice(of[0], 0, width);
      for (std::size_t i = 1; i < of.size(); ++i) result = multiply(result, slice(of[i], 0, width));
      return result;
    }
    default:
      break;
  }
  return make(Op::slice, width, {term}, low);
}

TermId Terms::join_all(const std::vector<TermId>& parts) {
  std::vector<TermId> flat;
  for (const TermId part : parts) {
    if (nodes_[part].op == Op::join) {
      const std::span<const TermId> inner = operands(part);
      flat.insert(flat.end(), inner.begin(), inner.end());
    } else {
      flat.push_back(part);
    }
  }
  std::vector<TermId> merged;
  u32 all = 0;
  for (const TermId part : flat) {
    all += width(part);
    if (!merged.empty()) {
      const Node above = nodes_[merged.back()];
      const Node node = nodes_[part];
      if (above.op == Op::constant && node.op == Op::constant) {
        merged.back() = constant(above.width + node.width, above.value << node.width | node.value);
        continue;
      }
      // Bits of one word that follow each other. The lowest bits of a sum or a product are a sum themselves.
      if (above.op == Op::slice) {
        const TermId word = operands(merged.back())[0];
        const bool follows =
            node.op == Op::slice && operands(part)[0] == word && node.value + node.width == above.value;
        const bool is_rest = above.value == node.width && part == slice(word, 0, node.width);
        if (follows || is_rest) {
          const u32 low = follows ? static_cast<u32>(node.value) : 0;
          merged.back() = slice(word, low, above.width + node.width);
          continue;
        }
      }
    }
    merged.push_back(part);
  }
  if (merged.size() == 1) return merged[0];
  // A word moved to the left is that word times a number.
  if (merged.size() == 2 && is_constant(merged[1], 0)) {
    const Node cut = nodes_[merged[0]];
    const TermId word = cut.op == Op::slice && cut.value == 0 ? operands(merged[0])[0] : merged[0];
    if (width(word) >= all) {
      const u64 factor = u64{1} << width(merged[1]);
      return make(Op::sum, all, std::array{slice(word, 0, all)}, 0, std::array{factor});
    }
  }
  return make(Op::join, all, merged);
}

TermId Terms::join(TermId high, TermId low) { return join_all({high, low}); }

TermId Terms::zero_extend(TermId term, u32 width) {
  const u32 more = width - nodes_[term].width;
  return more == 0 ? term : join_all({constant(more, 0), term});
}

TermId Terms::sign_extend(TermId term, u32 width) {
  const Node node = nodes_[term];
  if (node.width == width) return term;
  if (node.op == Op::constant) {
    const bool is_negative = (node.value & sign_bit(node.width)) != 0;
    return constant(width, is_negative ? node.value | ~ones(node.width) : node.value);
  }
  if (node.width == 1) return select(term, constant(width, ~u64{0}), constant(width, 0));
  if (known_zeros(term) != 0) return zero_extend(term, width);
  if (node.op == Op::sign_extension) return sign_extend(operands(term)[0], width);
  if (node.op == Op::select) {
    const TermId condition = operands(term)[0];
    const TermId first = operands(term)[1];
    const TermId second = operands(term)[2];
    return select(condition, sign_extend(first, width), sign_extend(second, width));
  }
  return make(Op::sign_extension, width, {term});
}

// ---- logic ----

TermId Terms::bit_not(TermId term) {
  if (const auto known = complements_.find(term); known != complements_.end()) return known->second;
  const Node node = nodes_[term];
  const std::vector<TermId> of(operands(term).begin(), operands(term).end());
  TermId result = term;
  switch (node.op) {
    case Op::constant:
      result = constant(node.width, ~node.value);
      break;
    case Op::exclusive:
      result = is_complement(term) ? of[0] : make(Op::exclusive, node.width, of, ~node.value & ones(node.width));
      break;
    case Op::conjunction:
    case Op::disjunction: {
      const Op op = node.op == Op::conjunction ? Op::disjunction : Op::conjunction;
      result = bit_not(of[0]);
      for (std::size_t i = 1; i < of.size(); ++i) result = bitwise(op, result, bit_not(of[i]));
      break;
    }
    case Op::join: {
      std::vector<TermId> parts;
      parts.reserve(of.size());
      for (const TermId part : of) parts.push_back(bit_not(part));
      result = join_all(parts);
      break;
    }
    case Op::select:
      result = select(of[0], bit_not(of[1]), bit_not(of[2]));
      break;
    case Op::sign_extension:
      result = sign_extend(bit_not(of[0]), node.width);
      break;
    case Op::sum: {
      Linear sum{node.width, {}, ~u64{0}};
      add_to(sum, term, ~u64{0});
      result = from(sum);
      break;
    }
    default:
      result = make(Op::exclusive, node.width, {term}, ones(node.width));
      break;
  }
  complements_.emplace(term, result);
  return result;
}

TermId Terms::bitwise(Op op, TermId left, TermId right) {
  const u32 width = nodes_[left].width;
  const u64 all = ones(width);
  if (is_constant(left)) std::swap(left, right);
  if (is_constant(right)) {
    const u64 by = value(right);
    if (is_constant(left)) {
      const u64 word = value(left);
      return constant(width, op == Op::conjunction ? word & by : op == Op::disjunction ? word | by : word ^ by);
    }
    if (by == 0) return op == Op::conjunction ? right : left;
    if (by == all) return op == Op::conjunction ? left : op == Op::disjunction ? right : bit_not(left);
  }
  if (left == right) return op == Op::exclusive ? constant(width, 0) : left;
  std::vector<u32> borders;
  add_borders(left, op != Op::exclusive, borders);
  add_borders(right, op != Op::exclusive, borders);
  if (!borders.empty()) return bitwise_in_parts(op, left, right, borders);
  return op == Op::exclusive ? gather_exclusive(left, right) : gather(op, left, right);
}

TermId Terms::bitwise_in_parts(Op op, TermId left, TermId right, const std::vector<u32>& borders) {
  std::vector<u32> places = borders;
  places.push_back(0);
  std::ranges::sort(places, std::greater<>());
  const auto rest = std::ranges::unique(places);
  places.erase(rest.begin(), rest.end());
  std::vector<TermId> parts;
  u32 top = nodes_[left].width;
  for (const u32 low : places) {
    parts.push_back(bitwise(op, slice(left, low, top - low), slice(right, low, top - low)));
    top = low;
  }
  return join_all(parts);
}

TermId Terms::gather(Op op, TermId left, TermId right) {
  std::vector<TermId> all;
  for (const TermId side : {left, right}) {
    if (nodes_[side].op == op) {
      const std::span<const TermId> inner = operands(side);
      all.insert(all.end(), inner.begin(), inner.end());
    } else {
      all.push_back(side);
    }
  }
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  const u32 width = nodes_[left].width;
  const auto has = [&all](TermId term) { return std::ranges::binary_search(all, term); };
  const Op other = op == Op::conjunction ? Op::disjunction : Op::conjunction;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TermId term = all[i];
    if (has(bit_not(term))) return constant(width, op == Op::conjunction ? 0 : ~u64{0});
    if (nodes_[term].op != other) continue;
    // a & (a | b) is a; a & (~a | b) is a & b.
    const std::vector<TermId> inner(operands(term).begin(), operands(term).end());
    std::vector<TermId> kept;
    bool is_implied = false;
    for (const TermId operand : inner) {
      is_implied = is_implied || has(operand);
      if (!has(bit_not(operand))) kept.push_back(operand);
    }
    if (!is_implied && kept.size() == inner.size()) continue;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    TermId result = all[0];
    for (std::size_t k = 1; k < all.size(); ++k) result = bitwise(op, result, all[k]);
    if (is_implied) return result;
    TermId part = constant(width, op == Op::conjunction ? 0 : ~u64{0});
    for (const TermId operand : kept) part = bitwise(other, part, operand);
    return bitwise(op, result, part);
  }
  return all.size() == 1 ? all[0] : make(op, width, all);
}

TermId Terms::gather_exclusive(TermId left, TermId right) {
  const u32 width = nodes_[left].width;
  std::vector<TermId> all;
  u64 by = 0;
  for (const TermId side : {left, right}) {
    const Node& node = nodes_[side];
    if (node.op == Op::exclusive) {
      by ^= node.value;
      const std::span<const TermId> inner = operands(side);
      all.insert(all.end(), inner.begin(), inner.end());
    } else if (node.op == Op::constant) {
      by ^= node.value;
    } else {
      all.push_back(side);
    }
  }
  std::ranges::sort(all);
  std::vector<TermId> odd;
  for (const TermId term : all) {
    if (!odd.empty() && odd.back() == term) {
      odd.pop_back();
    } else {
      odd.push_back(term);
    }
  }
  if (odd.empty()) return constant(width, by);
  if (odd.size() == 1)
    return by == 0 ? odd[0] : by == ones(width) ? bit_not(odd[0]) : make(Op::exclusive, width, odd, by);
  return make(Op::exclusive, width, odd, by);
}

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
  if (node.op == Op::sum) {
    const std::vector<u64> factors(coefficients(term).begin(), coefficients(term).end());
    sum.constant += coefficient * node.value;
    for (std::size_t i = 0; i < of.size(); ++i) add_to(sum, of[i], coefficient * factors[i]);
    return;
  }
  if (is_complement(term)) {
    sum.constant -= coefficient;
    add_to(sum, of[0], 0 - coefficient);
    return;
  }
  const bool is_extension = node.op == Op::join && of.size() == 2 && is_constant(of[0], 0) && !is_constant(of[1]);
  if (node.op == Op::join && of.size() <= most_parts_in_sums && !is_extension) {
    u32 at = node.width;
    for (const TermId part : of) {
      at -= width(part);
      TermId word = part;
      // Of the highest part the bits above do not count: it may be all of the word that it was cut from.
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

/// The same beside each other, where no bits of the terms overlap; 0, which is no such term, where they do.
TermId Terms::joined(const Linear& sum) {
  struct Part {
    u32 low;
    u32 end;
    TermId term;
  };
  std::vector<Part> parts;
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
  std::ranges::sort(parts, std::greater<>(), &Part::low);
  std::vector<TermId> all;
  u32 top = sum.width;
  for (const Part& part : parts) {
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
  // One bit more or less is an exchange.
  if (sum.width == 1) {
    TermId result = constant(1, constant_part);
    for (const auto& [term, factor] : sum.terms) result = bit_xor(result, term);
    return result;
  }
  // A word that is moved to the left stays one, unless nothing of it is lost.
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
  // The upper half of a product with signs is one without signs and two corrections.
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

// ---- choices ----

TermId Terms::select(TermId condition, TermId yes, TermId no) {
  if (is_constant(condition)) return value(condition) != 0 ? yes : no;
  if (is_complement(condition)) {
    condition = operands(condition)[0];
    std::swap(yes, no);
  }
  // One choice within another of the same kind is made already.
  const auto made = [&](TermId term, bool chosen) {
    const bool is_same = nodes_[term].op == Op::select && operands(term)[0] == condition;
    return is_same ? operands(term)[chosen ? 1 : 2] : term;
  };
  yes = made(yes, true);
  no = made(no, false);
  if (yes == no) return yes;
  const u32 width = nodes_[yes].width;
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
  // Parts that are the same either way are no matter of choice.
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
    std::ranges::sort(borders, std::greater<>());
    const auto rest = std::ranges::unique(borders);
    borders.erase(rest.begin(), rest.end());
    borders.push_back(0);
    std::vector<TermId> parts;
    u32 top = width;
    for (const u32 low : borders) {
      parts.push_back(select(condition, slice(yes, low, top - low), slice(no, low, top - low)));
      top = low;
    }
    return join_all(parts);
  }
  return make(Op::select, width, {condition, yes, no});
}

TermId Terms::equal_to_constant(TermId term, u64 value) {
  const Node node = nodes_[term];
  const u64 all = ones(node.width);
  const std::vector<TermId> of(operands(term).begin(), operands(term).end());
  if (node.width == 1) return value != 0 ? term : bit_not(term);
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
    // The lowest coefficient says which of the two signs is taken.
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
  std::vector<u32> places = borders;
  places.push_back(0);
  std::ranges::sort(places, std::greater<>());
  const auto rest = std::ranges::unique(places);
  places.erase(rest.begin(), rest.end());
  TermId result = yes();
  u32 top = nodes_[left].width;
  for (const u32 low : places) {
    result = bit_and(result, equal(slice(left, low, top - low), slice(right, low, top - low)));
    top = low;
  }
  return result;
}

TermId Terms::equal(TermId left, TermId right) {
  if (left == right) return yes();
  if (is_constant(left)) std::swap(left, right);
  const u32 width = nodes_[left].width;
  if (width == 1 && !is_constant(right)) return bit_not(bit_xor(left, right));
  std::vector<u32> borders;
  add_borders(left, false, borders);
  add_borders(right, false, borders);
  if (!borders.empty()) return equal_in_parts(left, right, borders);
  if (is_constant(right)) return equal_to_constant(left, value(right));
  if (nodes_[left].op == Op::sum || nodes_[right].op == Op::sum) {
    const TermId difference = subtract(left, right);
    if (nodes_[difference].op != Op::sum) return equal(difference, constant(width, 0));
    // Two that are there already are not made one by the other.
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
  const u32 zeros = std::min(known_zeros(left), known_zeros(right));
  if (zeros != 0) return below(slice(left, 0, width - zeros), slice(right, 0, width - zeros));
  if (is_constant(right) && known_zeros(left) != 0) {
    const u32 kept = width - known_zeros(left);
    return value(right) > ones(kept) ? yes() : below(slice(left, 0, kept), constant(kept, value(right)));
  }
  // Where a sum is below one of the two that it is made of, it is below the other, too.
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
  const u64 least = sign_bit(width);
  const u64 greatest = least - 1;
  if (is_constant(left) && is_constant(right))
    return constant(1, (value(left) ^ least) < (value(right) ^ least) ? 1 : 0);
  if (width == 1) return bit_and(left, bit_not(right));
  if (is_constant(right, 0)) return slice(left, width - 1, 1);
  if (is_constant(right, least) || is_constant(left, greatest)) return no();
  if (is_constant(left)) return bit_not(below_signed(right, constant(width, value(left) + 1)));
  if (is_constant(right, greatest)) return bit_not(equal(left, right));
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

// ---- other operands ----

TermId Terms::rebuild(TermId term, std::span<const TermId> of) {
  const Node node = nodes_[term];
  switch (node.op) {
    case Op::constant:
    case Op::input:
      return term;
    case Op::conjunction:
    case Op::disjunction:
    case Op::product: {
      TermId result = of[0];
      for (std::size_t i = 1; i < of.size(); ++i)
        result = node.op == Op::product ? multiply(result, of[i]) : bitwise(node.op, result, of[i]);
      return result;
    }
    case Op::exclusive: {
      TermId result = constant(node.width, node.value);
      for (const TermId operand : of) result = bit_xor(result, operand);
      return result;
    }
    case Op::sum: {
      const std::vector<u64> factors(coefficients(term).begin(), coefficients(term).end());
      Linear sum{node.width, {}, node.value};
      for (std::size_t i = 0; i < of.size(); ++i) add_to(sum, of[i], factors[i]);
      return from(sum);
    }
    case Op::shift_left:
    case Op::shift_right:
    case Op::shift_right_signed:
      return shift(node.op, of[0], of[1]);
    case Op::slice:
      return slice(of[0], static_cast<u32>(node.value), node.width);
    case Op::join:
      return join_all({of.begin(), of.end()});
    case Op::sign_extension:
      return sign_extend(of[0], node.width);
    case Op::select:
      return select(of[0], of[1], of[2]);
    case Op::equal:
      return equal(of[0], of[1]);
    case Op::below:
      return below(of[0], of[1]);
    case Op::below_signed:
      return below_signed(of[0], of[1]);
    case Op::count_ones:
    case Op::leading_zeros:
    case Op::trailing_zeros:
      return count(node.op, of[0]);
  }
  return term;
}

TermId Terms::substitute(TermId in, TermId what, TermId by) {
  std::unordered_map<TermId, TermId> made{{what, by}};
  for (const TermId term : all_within(*this, std::array{in})) {
    if (term == what) continue;
    std::vector<TermId> others(operands(term).begin(), operands(term).end());
    bool is_other = false;
    for (TermId& operand : others) {
      const TermId other = made.at(operand);
      is_other = is_other || other != operand;
      operand = other;
    }
    made[term] = is_other ? rebuild(term, others) : term;
  }
  return made.at(in);
}

}  // namespace salu::proof
