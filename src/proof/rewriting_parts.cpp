#include <algorithm>
#include <array>
#include <bit>

#include "proof/borders.hpp"
#include "proof/terms.hpp"

/// Simplification of terms when they are created, based on their operands and the operands of these. Equivalent forms
/// are normalised to one. In this file:
///   - words are split into parts if a part is known or belongs to another term: a zero-extended byte, a masked word
///     and a shift by a known amount are adjacent parts (`join`, `slice`);
///   - complements are moved inwards to terms other than logic; `not` is an `exclusive` with all ones.
namespace salu::proof {

using support::ones;

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
  const Part whole{term, low, width};
  if (const auto known = slices_.find(whole.key()); known != slices_.end()) return known->second;
  const Nesting nesting(*this);
  if (nesting.is_deepest() && !is_constant(term)) return make(Op::slice, width, {term}, low);
  if (depth_ > deepest_slice) slice_parts_first(whole);
  const TermId result = slice_anew(term, low, width);
  slices_.emplace(whole.key(), result);
  return result;
}

void Terms::slice_parts_first(const Part& whole) {
  std::vector<Part> waiting = inner_parts(whole);
  while (!waiting.empty()) {
    note_work();
    const Part part = waiting.back();
    if (part.width == nodes_[part.term].width || slices_.contains(part.key())) {
      waiting.pop_back();
      continue;
    }
    const std::size_t before = waiting.size();
    for (const Part& inner : inner_parts(part)) {
      if (inner.width != nodes_[inner.term].width && !slices_.contains(inner.key())) waiting.push_back(inner);
    }
    if (waiting.size() != before) continue;
    const TermId result = slice_anew(part.term, part.low, part.width);
    slices_.emplace(part.key(), result);
    waiting.pop_back();
  }
}

std::vector<Terms::Part> Terms::inner_parts(const Part& part) const {
  const Node& node = nodes_[part.term];
  const std::span<const TermId> of = operands(part.term);
  std::vector<Part> parts;
  const auto add_all = [&](std::span<const TermId> operands) {
    for (const TermId operand : operands) parts.push_back({operand, part.low, part.width});
  };
  switch (node.op) {
    case Op::slice:
      parts.push_back({of[0], part.low + static_cast<u32>(node.value), part.width});
      break;
    case Op::join: {
      u32 at = node.width;
      for (const TermId operand : of) {
        const u32 top = at;
        at -= width(operand);
        const u32 first = std::max(at, part.low);
        const u32 end = std::min(top, part.low + part.width);
        if (first < end) parts.push_back({operand, first - at, end - first});
      }
      break;
    }
    case Op::conjunction:
    case Op::disjunction:
    case Op::exclusive:
      add_all(of);
      break;
    case Op::select:
      add_all(of.subspan(1));
      break;
    case Op::sign_extension: {
      const u32 inner = width(of[0]);
      const u32 first = std::min(part.low, inner - 1);
      const bool is_inside = part.low + part.width <= inner;
      parts.push_back({of[0], is_inside ? part.low : first, is_inside ? part.width : inner - first});
      break;
    }
    case Op::sum:
    case Op::product:
      if (const u32 zeros = moved_by(part.term); zeros != 0 && part.low >= zeros) {
        parts.push_back({of[0], part.low - zeros, part.width});
      } else if (part.low == 0) {
        add_all(of);
      } else if (part.low + part.width != node.width) {
        parts.push_back({part.term, 0, part.low + part.width});
      }
      break;
    default:
      break;
  }
  return parts;
}

TermId Terms::slice_anew(TermId term, u32 low, u32 width) {
  // Operands are copied, because creating terms moves them.
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
      // Merges consecutive bits of one word. The lowest bits of a sum or a product are a sum themselves.
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
  // A word shifted left is a product with a constant.
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
    const bool is_negative = (node.value >> (node.width - 1) & 1) != 0;
    return constant(width, is_negative ? node.value | ~ones(node.width) : node.value);
  }
  const Nesting nesting(*this);
  if (nesting.is_deepest()) return make(Op::sign_extension, width, {term});
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
  const Nesting nesting(*this);
  if (nesting.is_deepest() && node.op != Op::constant && node.op != Op::exclusive)
    return make(Op::exclusive, node.width, {term}, ones(node.width));
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
  const Nesting nesting(*this);
  if (nesting.is_deepest()) {
    if (op == Op::exclusive && is_constant(right)) return make(op, width, {left}, value(right));
    return make(op, width, {std::min(left, right), std::max(left, right)});
  }
  std::vector<u32> borders;
  add_borders(left, op != Op::exclusive, borders);
  add_borders(right, op != Op::exclusive, borders);
  if (!borders.empty()) return bitwise_in_parts(op, left, right, borders);
  return op == Op::exclusive ? gather_exclusive(left, right) : gather(op, left, right);
}

TermId Terms::bitwise_in_parts(Op op, TermId left, TermId right, const std::vector<u32>& borders) {
  std::vector<TermId> parts;
  for_each_part(nodes_[left].width, borders, [&](u32 low, u32 width) {
    parts.push_back(bitwise(op, slice(left, low, width), slice(right, low, width)));
  });
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
    // The search takes time even if no term is created.
    note_work();
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

}  // namespace salu::proof
