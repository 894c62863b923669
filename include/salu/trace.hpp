#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// The format of a trace (docs/reference/traces.md).
enum class TraceFormat : u8 {
  text,      ///< one line per instruction, for reading
  jsonl,     ///< one JSON object per line, `salu-trace-v1`
  perfetto,  ///< trace events in JSON, for ui.perfetto.dev; times are step numbers
};

/// The filters of a trace, as written by the user. An instruction is shown if it matches at least one entry of each
/// list; an empty list matches all instructions.
struct TraceSelection {
  std::vector<std::string> mnemonics{};  ///< `s_cbranch_*` (wildcards `*` and `?`); `vector`: all vector instructions
  std::vector<std::string> places{};     ///< `loop`, `0x1010`, `loop+0x8..done` (both ends included)
  std::vector<std::string> writes{};     ///< `s12`, `exec`, `csp`, `memory`, `memory.0x10000:64` (bytes)
  u64 first_step = 1;
  u64 last_step = std::numeric_limits<u64>::max();
};

struct TraceOptions {
  TraceFormat format = TraceFormat::text;
  TraceSelection only{};
  std::optional<u64> limit{};  ///< most records per run; 0: no limit; default: `default_trace_limit`
  bool words = false;          ///< text: show the words before each instruction
  bool titles = false;         ///< text: show name and target before each run
};

/// Returns the default limit of records per run: 10 million, but 1 million for `perfetto`, because its viewers keep all
/// records in memory.
u64 default_trace_limit(TraceFormat format);

/// The part of a run that a trace shows, and the part that the limit cut off.
struct TraceCut {
  u64 step = 0;          ///< the first omitted step, counted from 1; 0 if the trace is complete
  u64 instructions = 0;  ///< number of matching instructions
  u64 limit = 0;         ///< the limit that was reached
  u64 shown = 0;         ///< number of instructions shown

  [[nodiscard]] bool is_cut() const { return step != 0; }
  /// Returns a sentence, without a full stop, about the missing part and how to get it.
  [[nodiscard]] std::string to_string() const;
};

/// Writes the traces of runs, one after the other. Output is buffered.
///
///     TraceWriter trace(options, [&](std::string_view text) { file.write(text.data(), text.size()); });
///     if (const auto error = trace.begin(scenario)) return report(*error);
///     run_options.trace = [&](const TraceEvent& event) { trace.see(event); };
///     trace.end(run(scenario.program, scenario.initial, scenario.memory, run_options));
///     trace.finish();
class TraceWriter {
 public:
  using Sink = std::function<void(std::string_view)>;

  TraceWriter(TraceOptions options, Sink sink);
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter(TraceWriter&&) noexcept;
  TraceWriter& operator=(const TraceWriter&) = delete;
  TraceWriter& operator=(TraceWriter&&) noexcept;
  ~TraceWriter();

  /// Begins a run; the scenario must outlive it. Returns an error if the selection is invalid for this program: an
  /// unknown label, register or instruction.
  [[nodiscard]] std::optional<Error> begin(const Scenario& scenario);
  /// Adds the next instruction of the run, for `RunOptions::trace`.
  void see(const TraceEvent& event);
  /// Ends a run and writes the rest of it.
  TraceCut end(const Outcome& outcome);
  /// Ends the output after the last run.
  void finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu
