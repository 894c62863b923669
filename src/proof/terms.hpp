#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "support/numbers.hpp"

/// Terms: words as functions of inputs.
namespace salu::proof {

/// The number of a term in its pool.
using TermId = u32;

/// The operation of a term. Words have 1 to 64 bits; a truth value is a word of 1 bit.
enum class Op : u8 {
  constant,            ///< `value`
  input,               ///< number `value`
  conjunction,         ///< bitwise and of all operands
  disjunction,         ///< bitwise or of all operands
  exclusive,           ///< exclusive or of all operands and `value`; a complement has one operand and all ones
  sum,                 ///< sum of the operands times their coefficients, and of `value`
  product,             ///< product of all operands
  shift_left,          ///< 0 for shifts of the width or more
  shift_right,         ///< 0 for shifts of the width or more
  shift_right_signed,  ///< all sign bits for shifts of the width or more
  slice,               ///< from bit `value` on
  join,                ///< concatenation of the operands, the highest first
  sign_extension,
  select,        ///< the second operand if the first is true, otherwise the third
  equal,         ///< 1 bit
  below,         ///< 1 bit; unsigned
  below_signed,  ///< 1 bit; signed
  count_ones,    ///< the result of these three has the width of the operand
  leading_zeros,
  trailing_zeros,
};

/// All terms of a proof. Terms are unique and simplified when they are created, so equal functions are often the same
/// term; different terms may still be equal functions.
///
/// All operands of an operation have the same width. Operations wrap unless stated otherwise.
class Terms {
 public:
  struct Node {
    Op op = Op::constant;
    u8 width = 1;
    u32 count = 0;  ///< number of operands
    u32 first = 0;  ///< index of the first operand in the pool's list
    u64 value = 0;
  };

  Terms();

  [[nodiscard]] const Node& node(TermId term) const { return nodes_[term]; }
  [[nodiscard]] u32 width(TermId term) const { return nodes_[term].width; }
  [[nodiscard]] std::span<const TermId> operands(TermId term) const {
    return std::span(operands_).subspan(nodes_[term].first, nodes_[term].count);
  }
  /// The coefficients of a sum.
  [[nodiscard]] std::span<const u64> coefficients(TermId term) const {
    return std::span(coefficients_).subspan(nodes_[term].first, nodes_[term].count);
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  /// Approximate memory use.
  [[nodiscard]] u64 bytes() const {
    // Overhead of a hash table node and of an entry of each map.
    constexpr u64 bytes_of_entry = 40;
    return nodes_.size() * (sizeof(Node) + bytes_of_entry) + operands_.size() * (sizeof(TermId) + sizeof(u64)) +
           (slices_.size() + complements_.size()) * bytes_of_entry;
  }
  [[nodiscard]] bool is_constant(TermId term) const { return nodes_[term].op == Op::constant; }
  [[nodiscard]] bool is_constant(TermId term, u64 value) const {
    return is_constant(term) && nodes_[term].value == value;
  }
  /// The value of a constant.
  [[nodiscard]] u64 value(TermId term) const { return nodes_[term].value; }

  // ---- leaves ----

  TermId constant(u32 width, u64 value);
  TermId input(u32 width, u32 number);
  TermId yes() { return constant(1, 1); }
  TermId no() { return constant(1, 0); }

  // ---- bits ----

  TermId bit_and(TermId left, TermId right) { return bitwise(Op::conjunction, left, right); }
  TermId bit_or(TermId left, TermId right) { return bitwise(Op::disjunction, left, right); }
  TermId bit_xor(TermId left, TermId right) { return bitwise(Op::exclusive, left, right); }
  TermId bit_not(TermId term);
  /// `width` bits from bit `low` on.
  TermId slice(TermId term, u32 low, u32 width);
  /// Concatenates two words.
  TermId join(TermId high, TermId low);
  TermId zero_extend(TermId term, u32 width);
  TermId sign_extend(TermId term, u32 width);
  TermId shift_left(TermId term, TermId amount);
  TermId shift_right(TermId term, TermId amount);
  TermId shift_right_signed(TermId term, TermId amount);
  TermId count_ones(TermId term) { return count(Op::count_ones, term); }
  TermId leading_zeros(TermId term) { return count(Op::leading_zeros, term); }
  TermId trailing_zeros(TermId term) { return count(Op::trailing_zeros, term); }

  // ---- numbers ----

  TermId add(TermId left, TermId right);
  TermId subtract(TermId left, TermId right);
  TermId multiply(TermId left, TermId right);

  // ---- selects ----

  TermId select(TermId condition, TermId yes, TermId no);
  TermId equal(TermId left, TermId right);
  TermId below(TermId left, TermId right);
  TermId below_signed(TermId left, TermId right);

  /// Sets a function to call regularly while terms are created and evaluated. It may throw.
  void watch(std::function<void()> look) { look_ = std::move(look); }
  /// Counts some work for the function set by `watch`.
  void note_work() const {
    constexpr u32 between_looks = 1024;
    if (++work_ % between_looks == 0 && look_) look_();
  }

  /// Replaces a term inside another one.
  TermId substitute(TermId in, TermId what, TermId by);

 private:
  /// A sum under construction: terms in ascending order with their coefficients.
  struct Linear {
    u32 width = 0;
    std::map<TermId, u64> terms{};
    u64 constant = 0;
  };

  /// Limit for nested calls of simplification, which recurses into operands. Beyond it, a term is created without
  /// simplification, with the same meaning.
  static constexpr u32 deepest = 64;
  /// Beyond this depth, the parts of a slice are created iteratively before the slice.
  static constexpr u32 deepest_slice = 32;
  class Nesting {
   public:
    explicit Nesting(Terms& terms) : depth_(terms.depth_) { ++depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --depth_; }
    [[nodiscard]] bool is_deepest() const { return depth_ > deepest; }

   private:
    u32& depth_;
  };

  TermId make(Op op, u32 width, std::span<const TermId> operands, u64 value = 0,
              std::span<const u64> coefficients = {});
  TermId make(Op op, u32 width, std::initializer_list<TermId> operands, u64 value = 0) {
    return make(op, width, std::span(operands.begin(), operands.size()), value);
  }
  TermId bitwise(Op op, TermId left, TermId right);
  TermId bitwise_in_parts(Op op, TermId left, TermId right, const std::vector<u32>& borders);
  TermId gather(Op op, TermId left, TermId right);
  TermId gather_exclusive(TermId left, TermId right);
  TermId join_all(const std::vector<TermId>& parts);
  /// A part of a term.
  struct Part {
    TermId term = 0;
    u32 low = 0;
    u32 width = 0;
    [[nodiscard]] u64 key() const { return u64{term} << 16 | u64{low} << 8 | width; }
  };
  TermId slice_anew(TermId term, u32 low, u32 width);
  void slice_parts_first(const Part& whole);
  /// The parts of operands that a slice consists of.
  [[nodiscard]] std::vector<Part> inner_parts(const Part& part) const;
  TermId count(Op op, TermId term);
  TermId shift(Op op, TermId term, TermId amount);
  void add_to(Linear& sum, TermId term, u64 coefficient);
  TermId from(const Linear& sum);
  TermId joined(const Linear& sum);
  TermId multiply_sums(TermId left, TermId right);
  TermId multiply_factors(TermId left, TermId right);
  TermId equal_in_parts(TermId left, TermId right, const std::vector<u32>& borders);
  TermId equal_to_constant(TermId term, u64 value);
  /// The same operation with other operands.
  TermId rebuild(TermId term, std::span<const TermId> of);

  [[nodiscard]] bool is_complement(TermId term) const;
  /// Adds the positions at which the parts of a join begin, except the lowest; for a constant, the positions at which
  /// runs of equal bits begin.
  void add_borders(TermId term, bool of_constants, std::vector<u32>& borders) const;
  /// The shift distance of a word that is another word shifted left; 0 for all others.
  [[nodiscard]] u32 moved_by(TermId term) const;
  /// The number of leading bits that are 0 for all inputs.
  [[nodiscard]] u32 known_zeros(TermId term) const;

  struct Hash {
    const Terms* terms;
    std::size_t operator()(TermId term) const;
  };
  struct Same {
    const Terms* terms;
    bool operator()(TermId left, TermId right) const;
  };
  std::vector<Node> nodes_;
  std::vector<TermId> operands_;
  std::vector<u64> coefficients_;
  std::unordered_set<TermId, Hash, Same> table_;
  std::unordered_map<u64, TermId> slices_;
  std::unordered_map<TermId, TermId> complements_;
  std::function<void()> look_;
  u32 depth_ = 0;  ///< nested calls
  mutable u32 work_ = 0;
};

/// The values of terms for one value of each input. Each term is evaluated once.
class Evaluation {
 public:
  /// Both must outlive the object. Missing inputs are 0.
  Evaluation(const Terms& terms, std::span<const u64> inputs) : terms_(terms), inputs_(inputs) {}
  u64 value(TermId term);

 private:
  const Terms& terms_;
  std::span<const u64> inputs_;
  std::vector<u64> values_;
  std::vector<bool> is_known_;
};

/// The terms and all their direct and indirect operands, without duplicates, in the order of creation.
std::vector<TermId> all_within(const Terms& terms, std::span<const TermId> of);

/// The numbers of the inputs that the terms depend on.
std::set<u32> inputs_of(const Terms& terms, std::span<const TermId> of);

}  // namespace salu::proof
