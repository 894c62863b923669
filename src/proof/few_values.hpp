#pragma once

#include <optional>
#include <vector>

#include "proof/symbolic_state.hpp"

namespace salu::proof {

/// A word that a few bits of the inputs determine, such as an index into a table or an array, and its value for each
/// choice of these bits. The bits can belong to several parts of terms.
class FewValues {
 public:
  /// Returns nothing if the term may have more than `most` values, as far as the conditions of the path show.
  static std::optional<FewValues> of(const Terms& terms, TermId term, const Path& path, u64 most);

  /// The number of choices, some of which may not be possible.
  [[nodiscard]] u64 count() const { return u64{1} << bits_; }
  [[nodiscard]] bool is_possible(u64 choice) const;
  /// The value of the word for a choice.
  [[nodiscard]] u64 value(const Terms& terms, u64 choice) const;
  /// The condition under which a choice is made.
  [[nodiscard]] TermId condition(Terms& terms, u64 choice) const;

  /// The word that is `word_of(choice)` for each choice.
  template <class WordOf>
  [[nodiscard]] TermId choose(Terms& terms, const WordOf& word_of) const {
    return choose_among(terms, word_of, bits_, 0).value_or(0);
  }

 private:
  struct Part {
    TermId term = 0;
    u32 bits = 0;      ///< number of relevant bits; those above are 0
    u64 greatest = 0;  ///< upper bound of the value
  };
  /// Selects among the choices that agree with `begins` in all bits except the lowest `undecided` ones.
  template <class WordOf>
  std::optional<TermId> choose_among(Terms& terms, const WordOf& word_of, u32 undecided, u64 begins) const {
    if (undecided == 0) {
      if (!is_possible(begins)) return std::nullopt;
      return word_of(begins);
    }
    const u32 bit = undecided - 1;
    const std::optional<TermId> no = choose_among(terms, word_of, bit, begins);
    const std::optional<TermId> yes = choose_among(terms, word_of, bit, begins | u64{1} << bit);
    if (!yes || !no) return yes ? yes : no;
    return terms.select(bit_of(terms, bit), *yes, *no);
  }
  [[nodiscard]] TermId bit_of(Terms& terms, u32 bit) const;

  std::vector<Part> parts_;    ///< the lowest bits of a choice are those of the first part
  std::vector<TermId> order_;  ///< the terms between the parts and the word, the word last
  u32 bits_ = 0;
};

}  // namespace salu::proof
