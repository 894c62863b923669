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

/// Writes states as rows: inputs, outputs (`expect.s0`, as in `cases:`), `steps` if requested, and the end of the run.
class RowsText {
 public:
  RowsText(SweepFormat format, const std::vector<CasePlace>& inputs, const Outputs& outputs);

  /// The text before the rows. `rows` must be the final number for `npy`, and is ignored for other formats.
  [[nodiscard]] std::string begin(u64 rows) const;
  /// Appends a row for a state of a block.
  void add(const Block& block, std::size_t index, support::TextBuffer& text) const;
  /// The separator between two rows.
  [[nodiscard]] std::string_view separator() const { return format_ == SweepFormat::json ? ",\n" : ""; }
  /// The text after the last row.
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
  std::vector<std::string> keys_;          ///< by column, as in JSON, with the preceding punctuation
  std::array<std::string, 256> end_text_;  ///< by `RunEnd::code`
};

}  // namespace salu::sweeping
