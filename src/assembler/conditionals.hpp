#pragma once

#include <optional>
#include <vector>

#include "assembler/lexer.hpp"

namespace salu::assembler {

/// The conditionals around a statement: `.if`, its `.elseif` and `.else`, up to `.endif`.
class Conditionals {
 public:
  /// Whether statements are passed over here.
  [[nodiscard]] bool is_ignoring() const { return !levels_.empty() && levels_.back().is_ignoring; }
  /// How many are open.
  [[nodiscard]] std::size_t depth() const { return levels_.size(); }
  /// Where the innermost one begins; nothing when none is open.
  [[nodiscard]] std::optional<TextPosition> innermost() const;

  /// Opens one. Inside one that is ignored, `is_met` does not count.
  void open(const TextPosition& place, bool is_met);
  /// Whether the condition of an `.elseif` here decides: nothing before it was met, and all around is.
  [[nodiscard]] bool is_undecided() const;
  /// `.elseif`; false where none can be.
  [[nodiscard]] bool else_if(bool is_met);
  /// `.else`; false where none can be.
  [[nodiscard]] bool otherwise();
  /// `.endif`; false where none is open.
  [[nodiscard]] bool close();
  /// Closes those beyond a depth.
  void close_beyond(std::size_t depth);

 private:
  struct Level {
    TextPosition place;
    bool is_outer_ignored = false;
    bool was_met = false;  ///< one of its branches has been assembled
    bool is_ignoring = false;
    bool has_else = false;
  };
  std::vector<Level> levels_;
};

}  // namespace salu::assembler
