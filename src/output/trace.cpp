#include <salu/trace.hpp>

#include <fmt/core.h>

#include <utility>

#include "output/trace_filter.hpp"
#include "output/trace_formats.hpp"
#include "support/text_buffer.hpp"

namespace salu {

u64 default_trace_limit(TraceFormat format) { return format == TraceFormat::perfetto ? 1'000'000 : 10'000'000; }

std::string TraceCut::to_string() const {
  if (!is_cut()) return "the trace is complete";
  return fmt::format(
      "the trace ends before step {}, at its limit of {} records; {} {} missing; --trace-limit raises it (0: none), "
      "--trace-steps {}.. shows the rest",
      step, limit, instructions, instructions == 1 ? "instruction is" : "instructions are", step);
}

class TraceWriter::Implementation {
 public:
  Implementation(TraceOptions options, Sink sink) : options_(std::move(options)), sink_(std::move(sink)) {
    limit_ = options_.limit.value_or(default_trace_limit(options_.format));
    switch (options_.format) {
      case TraceFormat::text:
        output_ = output::text_trace(text_, options_);
        break;
      case TraceFormat::jsonl:
        output_ = output::jsonl_trace(text_);
        break;
      case TraceFormat::perfetto:
        output_ = output::perfetto_trace(text_);
        break;
    }
    if (limit_ == 0) limit_ = ~u64{0};
  }

  std::optional<Error> begin(const Scenario& scenario) {
    Result<output::TraceFilter> filter = output::TraceFilter::make(options_.only, scenario.program);
    if (!filter) return std::move(filter).error();
    filter_ = std::move(*filter);
    records_ = 0;
    cut_ = {};
    output_->begin(scenario);
    return std::nullopt;
  }

  void see(const TraceEvent& event) {
    const bool in_steps = filter_.is_step_asked_for(event.step);
    const bool is_shown = in_steps && filter_.lets_through(event);
    if (cut_.is_cut() || (records_ >= limit_ && (is_shown || (in_steps && output_->needs_context())))) {
      if (!cut_.is_cut()) cut_ = {event.step, 0, limit_, cut_.shown};
      cut_.instructions += is_shown ? 1 : 0;
      return;
    }
    if (!is_shown && !output_->needs_context()) return;
    cut_.shown += is_shown ? 1 : 0;
    records_ += output_->see(event, is_shown   ? output::Shown::all
                                    : in_steps ? output::Shown::context
                                               : output::Shown::nothing);
    if (text_.size() >= piece_bytes) hand_on();
  }

  TraceCut end(const Outcome& outcome) {
    output_->end(outcome, cut_);
    hand_on();
    return cut_;
  }

  void finish() {
    output_->finish();
    hand_on();
  }

 private:
  /// Fits into a cache, and is large enough to make a write per line cheap.
  static constexpr std::size_t piece_bytes = 256 * 1024;

  void hand_on() {
    if (!text_.empty()) sink_(text_.view());
    text_.clear();
  }

  TraceOptions options_;
  Sink sink_;
  u64 limit_ = 0;
  support::TextBuffer text_;
  std::unique_ptr<output::TraceOutput> output_;
  output::TraceFilter filter_;
  u64 records_ = 0;  ///< of this run
  TraceCut cut_;
};

TraceWriter::TraceWriter(TraceOptions options, Sink sink)
    : implementation_(std::make_unique<Implementation>(std::move(options), std::move(sink))) {}
TraceWriter::TraceWriter(TraceWriter&&) noexcept = default;
TraceWriter& TraceWriter::operator=(TraceWriter&&) noexcept = default;
TraceWriter::~TraceWriter() = default;

std::optional<Error> TraceWriter::begin(const Scenario& scenario) { return implementation_->begin(scenario); }
void TraceWriter::see(const TraceEvent& event) { implementation_->see(event); }
TraceCut TraceWriter::end(const Outcome& outcome) { return implementation_->end(outcome); }
void TraceWriter::finish() { implementation_->finish(); }

}  // namespace salu
