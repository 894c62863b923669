#pragma once

#include <optional>
#include <vector>

#include "assembler/lexer.hpp"

namespace salu::assembler {

/// The conditionals around a statement: `.if`, its `.elseif` and `.else`, up to `.endif`.
class Conditionals {
 public:
  /// True while statements are skipped.
  [[nodiscard]] bool is_ignoring() const { return !levels_.empty() && levels_.back().is_ignoring; }
  /// The number of open conditionals.
  [[nodiscard]] std::size_t depth() const { return levels_.size(); }
  /// The start of the innermost open conditional; nothing if none is open.
  [[nodiscard]] std::optional<TextPosition> innermost() const;

  /// Opens a conditional. `is_met` is ignored inside a skipped one.
  void open(const TextPosition& place, bool is_met);
  /// True if an `.elseif` here has to be evaluated: the enclosing conditionals are met and no branch before it was.
  [[nodiscard]] bool is_undecided() const;
  /// `.elseif`; false if it is not allowed here.
  [[nodiscard]] bool else_if(bool is_met);
  /// `.else`; false if it is not allowed here.
  [[nodiscard]] bool otherwise();
  /// `.endif`; false if no conditional is open.
  [[nodiscard]] bool close();
  /// Closes the conditionals beyond a depth.
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
