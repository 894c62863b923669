#pragma once

#include <salu/outcome.hpp>

#include <string>
#include <vector>

namespace salu::sweeping {

/// The end of a state's run: the stop reason and flags.
struct RunEnd {
  static constexpr u8 warned = 0x80;
  static constexpr u8 skipped_vector = 0x40;

  u8 code = 0;

  static RunEnd of(StopReason reason, bool has_warnings, bool has_skipped) {
    return {
        static_cast<u8>(static_cast<u32>(reason) | (has_warnings ? warned : 0U) | (has_skipped ? skipped_vector : 0U))};
  }
  [[nodiscard]] StopReason reason() const { return static_cast<StopReason>(code & ~(warned | skipped_vector)); }
  /// The text in rows: `end_program`, `end_program+warned`.
  [[nodiscard]] std::string text() const {
    std::string text(stop_reason_name(reason()));
    if ((code & warned) != 0) text += "+warned";
    if ((code & skipped_vector) != 0) text += "+skipped_vector";
    return text;
  }
};

/// Consecutive states: their inputs and results in columns.
struct Block {
  u64 first = 0;          ///< number of the first state
  std::size_t count = 0;  ///< number of states; those run if cancelled
  std::vector<std::vector<u64>> inputs;
  std::vector<std::vector<u64>> results;  ///< outputs, then registers of the expression
  std::vector<RunEnd> ends;
  std::vector<u64> steps;
  std::vector<bool> holds;  ///< result of the expression, by state

  void resize(std::size_t states) {
    count = states;
    for (std::vector<u64>& each : inputs) each.resize(states);
    for (std::vector<u64>& each : results) each.resize(states);
    ends.resize(states);
    steps.resize(states);
  }
};

}  // namespace salu::sweeping
