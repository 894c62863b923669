#include "proof/terms.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "proof/work_out.hpp"

namespace salu::proof {

using support::ones;

Terms::Terms() : table_(16, Hash{this}, Same{this}) { constant(1, 0); }

std::size_t Terms::Hash::operator()(TermId term) const {
  constexpr u64 factor = 0x9e3779b97f4a7c15;
  const Node& node = terms->nodes_[term];
  u64 hash = static_cast<u64>(node.op) << 8 | node.width;
  const auto mix = [&hash](u64 word) { hash = std::rotl((hash ^ word) * factor, 29); };
  mix(node.value);
  for (u32 i = 0; i < node.count; ++i) {
    mix(terms->operands_[node.first + i]);
    mix(terms->coefficients_[node.first + i]);
  }
  return static_cast<std::size_t>(hash);
}

bool Terms::Same::operator()(TermId left, TermId right) const {
  const Node& a = terms->nodes_[left];
  const Node& b = terms->nodes_[right];
  return a.op == b.op && a.width == b.width && a.count == b.count && a.value == b.value &&
         std::ranges::equal(terms->operands(left), terms->operands(right)) &&
         std::ranges::equal(terms->coefficients(left), terms->coefficients(right));
}

TermId Terms::make(Op op, u32 width, std::span<const TermId> operands, u64 value, std::span<const u64> coefficients) {
  note_work();
  const auto term = static_cast<TermId>(nodes_.size());
  const auto first = static_cast<u32>(operands_.size());
  nodes_.push_back({op, static_cast<u8>(width), static_cast<u32>(operands.size()), first, value});
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
  coefficients_.resize(operands_.size());
  const auto [found, is_new] = table_.insert(term);
  if (is_new) return term;
  nodes_.pop_back();
  operands_.resize(first);
  coefficients_.resize(first);
  return *found;
}

TermId Terms::constant(u32 width, u64 value) { return make(Op::constant, width, {}, value & ones(width)); }
TermId Terms::input(u32 width, u32 number) { return make(Op::input, width, {}, number); }

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

u64 Evaluation::value(TermId term) {
  if (values_.size() < terms_.size()) {
    values_.resize(terms_.size());
    is_known_.resize(terms_.size());
  }
  std::vector<TermId> waiting = {term};
  while (!waiting.empty()) {
    terms_.note_work();
    const TermId next = waiting.back();
    const std::size_t before = waiting.size();
    if (!is_known_[next]) {
      for (const TermId operand : terms_.operands(next)) {
        if (!is_known_[operand]) waiting.push_back(operand);
      }
      if (waiting.size() != before) continue;
      const Terms::Node& node = terms_.node(next);
      if (node.op == Op::input && node.value < inputs_.size())
        values_[next] = inputs_[static_cast<std::size_t>(node.value)] & ones(node.width);
      else
        values_[next] = work_out(terms_, next, [this](TermId operand) { return values_[operand]; });
      is_known_[next] = true;
    }
    waiting.pop_back();
  }
  return values_[term];
}

std::vector<TermId> all_within(const Terms& terms, std::span<const TermId> of) {
  std::vector<bool> is_there(terms.size());
  std::vector<TermId> waiting(of.begin(), of.end());
  std::vector<TermId> found;
  while (!waiting.empty()) {
    const TermId term = waiting.back();
    waiting.pop_back();
    if (is_there[term]) continue;
    is_there[term] = true;
    found.push_back(term);
    const std::span<const TermId> operands = terms.operands(term);
    waiting.insert(waiting.end(), operands.begin(), operands.end());
  }
  // Operands have lower numbers than the terms that use them.
  std::ranges::sort(found);
  return found;
}

std::set<u32> inputs_of(const Terms& terms, std::span<const TermId> of) {
  std::set<u32> numbers;
  for (const TermId term : all_within(terms, of)) {
    if (terms.node(term).op == Op::input) numbers.insert(static_cast<u32>(terms.node(term).value));
  }
  return numbers;
}

}  // namespace salu::proof
