#pragma once

#include <salu/trace.hpp>

#include <memory>

#include "support/text_buffer.hpp"

/// The formats of `TraceWriter`, one file each.
namespace salu::output {

/// The part of an instruction that a trace shows.
enum class Shown : u8 {
  nothing,  ///< outside of the selected steps
  context,  ///< only its effects on later instructions
  all,
};

/// Appends one format to a text.
class TraceOutput {
 public:
  TraceOutput() = default;
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;
  virtual ~TraceOutput() = default;

  virtual void begin(const Scenario& scenario) = 0;
  /// Returns the number of records written.
  virtual u64 see(const TraceEvent& event, Shown shown) = 0;
  virtual void end(const Outcome& outcome, const TraceCut& cut) = 0;
  virtual void finish() {}
  /// True if the format also needs instructions that are not shown.
  [[nodiscard]] virtual bool needs_context() const { return false; }
};

std::unique_ptr<TraceOutput> text_trace(support::TextBuffer& text, const TraceOptions& options);
std::unique_ptr<TraceOutput> jsonl_trace(support::TextBuffer& text);
std::unique_ptr<TraceOutput> perfetto_trace(support::TextBuffer& text);

/// Appends a text in double quotes.
void append_quoted(support::TextBuffer& text, std::string_view quoted);

}  // namespace salu::output
