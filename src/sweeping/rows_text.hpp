#pragma once

#include <salu/sweep.hpp>

#include <array>
#include <string>
#include <vector>

#include "support/text_buffer.hpp"
#include "sweeping/block.hpp"
#include "sweeping/outputs.hpp"
#include "sweeping/states.hpp"

namespace salu::sweeping {

/// Writes states as rows of some format: inputs, outputs (`expect.s0`, as `cases:` has them), `steps` where that is
/// asked for, and how the run ended.
class RowsText {
 public:
  RowsText(SweepFormat format, const std::vector<CasePlace>& inputs, const Outputs& outputs);

  /// What stands before so many rows; `rows` has to be right for an array, and is nothing to the others.
  [[nodiscard]] std::string begin(u64 rows) const;
  /// A state of a block; `is_first`: no row stands before it.
  void add(const Block& block, std::size_t index, support::TextBuffer& text) const;
  /// What stands between two rows, which `add` puts before each.
  [[nodiscard]] std::string_view separator() const { return format_ == SweepFormat::json ? ",\n" : ""; }
  /// What stands behind the last row.
  [[nodiscard]] std::string_view end() const { return format_ == SweepFormat::json ? "\n]\n" : ""; }

 private:
  void add_csv(const Block& block, std::size_t index, support::TextBuffer& text) const;
  void add_json(const Block& block, std::size_t index, support::TextBuffer& text) const;
  void add_bytes(const Block& block, std::size_t index, support::TextBuffer& text) const;

  SweepFormat format_;
  std::size_t inputs_;
  std::size_t outputs_;
  bool steps_;
  std::vector<std::string> names_;         ///< by column
  std::vector<u32> sizes_;                 ///< by column: bytes in an array
  std::vector<std::string> keys_;          ///< by column, as JSON has them, with what stands before them
  std::array<std::string, 256> end_text_;  ///< by `RunEnd::code`
};

}  // namespace salu::sweeping
