#pragma once

#include <salu/event.hpp>

#include "observe/location_names.hpp"
#include "support/text_buffer.hpp"

/// The texts of events, fast enough for millions of them.
namespace salu::observe {

/// Appends the reads, writes and notes of an event to a text.
class EventText {
 public:
  void append_reads(support::TextBuffer& text, const InstructionInputs& event) {
    append(text, event.generation, event.read, event.vectors_read);
  }
  [[nodiscard]] static bool has_reads(const InstructionInputs& event) {
    return !event.read.empty() || !event.vectors_read.empty();
  }
  /// Includes the PC if the run continues elsewhere.
  void append_writes(support::TextBuffer& text, const TraceEvent& event);
  [[nodiscard]] static bool has_writes(const TraceEvent& event) {
    return !event.written.empty() || !event.vectors_written.empty() || !event.falls_through();
  }

 private:
  void append(support::TextBuffer& text, Generation generation, std::span<const LocationValue> values,
              std::span<const VectorValue> vectors);

  LocationNames names_;
};

/// `push entry 0 {exec=0x..., pc=0x...}, continue with exec=0x...`; empty for instructions other than forks and joins.
std::string stack_text(const StackStep& step);
/// `dropped_write: ...; undefined_read: ...`; empty without warnings.
std::string warnings_text(std::span<const Warning> warnings);

}  // namespace salu::observe
