#include "proof/few_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <unordered_map>

#include "proof/work_out.hpp"

namespace salu::proof {
namespace {

/// Finds the parts of a word that determine it with the fewest bits.
class Search {
 public:
  Search(const Terms& terms, const Path& path) : terms_(terms) {
    for (const TermId condition : path.conditions()) note(condition);
  }

  using Parts = std::set<TermId>;

  const Parts& parts_of(TermId term) {
    // Operands have lower numbers than the terms that use them.
    for (const TermId each : all_within(terms_, std::array{term})) {
      if (!known_.contains(each)) known_.emplace(each, search(each));
    }
    return known_.at(term);
  }
  [[nodiscard]] u64 greatest(TermId term) const {
    const Terms::Node& node = terms_.node(term);
    u32 width = node.width;
    if (node.op == Op::join) {
      const TermId top = terms_.operands(term)[0];
      if (terms_.is_constant(top, 0)) width -= terms_.width(top);
    }
    const auto bound = bounds_.find(term);
    return bound == bounds_.end() ? support::ones(width) : std::min(bound->second, support::ones(width));
  }
  [[nodiscard]] u32 bits(TermId term) const { return static_cast<u32>(std::bit_width(greatest(term))); }
  [[nodiscard]] u32 bits(const Parts& parts) const {
    u32 all = 0;
    for (const TermId part : parts) all += bits(part);
    return all;
  }

 private:
  /// The parts of a term whose operands have been searched.
  [[nodiscard]] Parts search(TermId term) const {
    if (terms_.is_constant(term)) return {};
    Parts inner;
    for (const TermId operand : terms_.operands(term)) {
      const Parts& more = known_.at(operand);
      inner.insert(more.begin(), more.end());
    }
    const bool has_inner = !terms_.operands(term).empty();
    return has_inner && bits(inner) <= bits(term) ? inner : Parts{term};
  }
  /// Derives upper bounds for words from a condition.
  void note(TermId condition) {
    std::vector<TermId> waiting = {condition};
    while (!waiting.empty()) {
      const Terms::Node& node = terms_.node(waiting.back());
      const std::span<const TermId> of = terms_.operands(waiting.back());
      waiting.pop_back();
      if (node.op == Op::conjunction) {
        waiting.insert(waiting.end(), of.begin(), of.end());
      } else if (node.op == Op::below && terms_.is_constant(of[1])) {
        // The condition is not `below 0`, which is constant.
        bound(of[0], terms_.value(of[1]) - 1);
      }
    }
  }
  void bound(TermId term, u64 greatest) {
    for (;;) {
      const auto [found, is_new] = bounds_.try_emplace(term, greatest);
      if (!is_new) found->second = std::min(found->second, greatest);
      // A part with zeros above it has the same bound.
      const std::span<const TermId> of = terms_.operands(term);
      if (terms_.node(term).op != Op::join || of.size() != 2 || !terms_.is_constant(of[0], 0)) return;
      term = of[1];
    }
  }

  const Terms& terms_;
  std::map<TermId, u64> bounds_;
  std::map<TermId, Parts> known_;
};

}  // namespace

std::optional<FewValues> FewValues::of(const Terms& terms, TermId term, const Path& path, u64 most) {
  Search search(terms, path);
  FewValues values;
  for (const TermId part : search.parts_of(term)) {
    values.parts_.push_back({part, search.bits(part), search.greatest(part)});
    values.bits_ += search.bits(part);
  }
  if (values.bits_ >= 64 || values.count() > most) return std::nullopt;
  const auto is_part = [&](TermId each) {
    return std::ranges::any_of(values.parts_, [each](const Part& part) { return part.term == each; });
  };
  // Excludes the operands of the parts themselves.
  std::set<TermId> seen;
  std::vector<TermId> waiting = {term};
  while (!waiting.empty()) {
    const TermId next = waiting.back();
    waiting.pop_back();
    if (!seen.insert(next).second || is_part(next)) continue;
    values.order_.push_back(next);
    waiting.insert(waiting.end(), terms.operands(next).begin(), terms.operands(next).end());
  }
  // Operands have lower numbers than the terms that use them.
  std::ranges::sort(values.order_);
  if (values.order_.empty()) values.order_.push_back(term);
  return values;
}

bool FewValues::is_possible(u64 choice) const {
  for (const Part& part : parts_) {
    if ((choice & support::ones(part.bits)) > part.greatest) return false;
    choice >>= part.bits;
  }
  return true;
}

u64 FewValues::value(const Terms& terms, u64 choice) const {
  std::unordered_map<TermId, u64> values;
  for (const Part& part : parts_) {
    values[part.term] = choice & support::ones(part.bits);
    choice >>= part.bits;
  }
  for (const TermId term : order_) {
    if (!values.contains(term)) values[term] = work_out(terms, term, [&](TermId of) { return values.at(of); });
  }
  return values.at(order_.back());
}

TermId FewValues::condition(Terms& terms, u64 choice) const {
  TermId all = terms.yes();
  for (const Part& part : parts_) {
    const u64 value = choice & support::ones(part.bits);
    all = terms.bit_and(all, terms.equal(part.term, terms.constant(terms.width(part.term), value)));
    choice >>= part.bits;
  }
  return all;
}

TermId FewValues::bit_of(Terms& terms, u32 bit) const {
  for (const Part& part : parts_) {
    if (bit < part.bits) return terms.slice(part.term, bit, 1);
    bit -= part.bits;
  }
  return terms.no();
}

}  // namespace salu::proof
