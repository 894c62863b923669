#pragma once

#include <salu/trace.hpp>

#include <memory>

#include "support/text_buffer.hpp"

/// The formats of `TraceWriter`, one file each.
namespace salu::output {

/// How much of an instruction a trace shows.
enum class Shown : u8 {
  nothing,  ///< it is not among the steps that are asked for
  context,  ///< what it changed for others
  all,
};

/// Writes one format to the end of a text.
class TraceOutput {
 public:
  TraceOutput() = default;
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;
  virtual ~TraceOutput() = default;

  virtual void begin(const Scenario& scenario) = 0;
  /// Returns how many records came of it.
  virtual u64 see(const TraceEvent& event, Shown shown) = 0;
  virtual void end(const Outcome& outcome, const TraceCut& cut) = 0;
  virtual void finish() {}
  /// Whether it has to see instructions that are not shown as well.
  [[nodiscard]] virtual bool needs_context() const { return false; }
};

std::unique_ptr<TraceOutput> text_trace(support::TextBuffer& text, const TraceOptions& options);
std::unique_ptr<TraceOutput> jsonl_trace(support::TextBuffer& text);
std::unique_ptr<TraceOutput> perfetto_trace(support::TextBuffer& text);

/// A text in double quotes at the end of another one.
void append_quoted(support::TextBuffer& text, std::string_view quoted);

}  // namespace salu::output
