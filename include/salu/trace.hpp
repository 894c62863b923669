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

/// How a trace is written (docs/reference/traces.md).
enum class TraceFormat : u8 {
  text,      ///< a line an instruction, for people
  jsonl,     ///< a JSON object a line, `salu-trace-v1`
  perfetto,  ///< trace events in JSON, for ui.perfetto.dev; times are step numbers
};

/// Which instructions a trace shows, in a user's words. Of one list any may fit; a list without words fits always; an
/// instruction is shown when all of them fit.
struct TraceSelection {
  std::vector<std::string> mnemonics{};  ///< `s_cbranch_*`: `*` is any text, `?` one letter; `vector` for all of those
  std::vector<std::string> places{};     ///< `loop`, `0x1010`, `loop+0x8..done`; both ends of a range count
  std::vector<std::string> writes{};     ///< `s12`, `exec`, `csp`, `memory`, `memory.0x10000:64` (bytes)
  u64 first_step = 1;
  u64 last_step = std::numeric_limits<u64>::max();
};

struct TraceOptions {
  TraceFormat format = TraceFormat::text;
  TraceSelection only{};
  std::optional<u64> limit{};  ///< records a run at most, 0 for no limit; default: `default_trace_limit`
  bool words = false;          ///< text: the words of an instruction in front of it
  bool titles = false;         ///< text: name and target of each run in front of it
};

/// Records a run: 10 million, and 1 million for `perfetto`, whose viewers hold all of them in memory.
u64 default_trace_limit(TraceFormat format);

/// What a trace of one run holds, and what it left out.
struct TraceCut {
  u64 step = 0;          ///< the first that is not in it, counted from 1; 0 when nothing is missing
  u64 instructions = 0;  ///< how many that it would have shown
  u64 limit = 0;         ///< the limit that it came to
  u64 shown = 0;         ///< how many instructions it shows

  [[nodiscard]] bool is_cut() const { return step != 0; }
  /// What is missing and how to get it, as a sentence without a full stop.
  [[nodiscard]] std::string to_string() const;
};

/// Writes the traces of runs, one after the other, in large pieces.
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

  /// A run begins; the scenario has to outlive it. Returns what is wrong with the selection for this program: a label,
  /// a register or an instruction that it does not have.
  [[nodiscard]] std::optional<Error> begin(const Scenario& scenario);
  /// The next instruction of the run, for `RunOptions::trace`.
  void see(const TraceEvent& event);
  /// The run is over; everything of it is handed on.
  TraceCut end(const Outcome& outcome);
  /// There are no more runs.
  void finish();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace salu
