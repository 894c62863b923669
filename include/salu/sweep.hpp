#pragma once

#include <salu/error.hpp>
#include <salu/for_each.hpp>
#include <salu/integer.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Sweeps: one program runs from many states, given as ranges of values or table rows; the results are columns, counts
/// and checksums (docs/how-to/sweep.md).
namespace salu {

/// The format of the rows of a sweep. Each row is a state with its inputs and outputs.
enum class SweepFormat : u8 {
  csv,    ///< comma-separated values, as `cases:` reads them
  json,   ///< one list of objects
  jsonl,  ///< one object per line, as `cases:` reads them
  npy,    ///< an array of structures, as `numpy.load` reads it
};

/// The layout of an array in the caller's memory: little-endian numbers, one for each state.
struct SweepArray {
  u32 size_bytes = 4;      ///< size of a number: 1, 2, 4 or 8
  bool is_signed = false;  ///< numbers are signed, in two's complement
  i64 stride_bytes = 4;    ///< distance between numbers
};

/// An input whose values are in the caller's memory. They are read during the sweep by any of its threads.
struct SweepInput {
  std::string name;            ///< as in `SweepOptions::vary`
  const void* data = nullptr;  ///< of the first state
  SweepArray array{};
};

/// An output whose values are stored in the caller's memory. They are written during the sweep by any of its threads.
struct SweepResult {
  std::string name;      ///< as in `SweepOptions::outputs`; `stop` is stored as a numeric code (docs/how-to/sweep.md)
  void* data = nullptr;  ///< of the first state; the first `SweepReport::states` numbers are valid at the end
  SweepArray array{};
};

/// The states, outputs and limits of a sweep.
struct SweepOptions {
  /// Ranges of inputs: `s0=0..255`, `s1=0..100:5`. All combinations are run; the last input changes fastest.
  std::vector<std::string> vary{};
  /// Files of input rows: `FILE.csv`, `FILE.jsonl`, `FILE.npy`, `s0=FILE.npy`. Each row is combined with each
  /// combination of `vary`. If both are empty, the rows of the scenario's `cases:` are used.
  std::vector<std::string> rows{};
  /// Input rows in memory, instead of `rows`: `input_rows` states, each with a number for every input.
  std::vector<SweepInput> inputs{};
  u64 input_rows = 0;
  /// The inputs for the columns of a `FILE.npy`, in order.
  std::vector<std::string> columns{};
  /// Outputs: `s0`, `s1:8`, `scc`, `memory.0x10000:8`, `stop`, `steps`. Empty: chosen automatically.
  std::vector<std::string> outputs{};
  /// Outputs as arrays in memory, which must not overlap other columns. Not with `where`.
  std::vector<SweepResult> results{};
  /// Registers that must not be varied, written as in `LoadOptions::set`.
  std::vector<std::string> fixed{};
  /// The format in which rows are written, in the order of the states; empty: no rows.
  std::optional<SweepFormat> format{};
  /// A debugger expression over the final state: only rows for which it is true are written, at most `first` of them.
  /// Requires a format.
  std::optional<std::string> where{};
  u64 first = 10;
  bool statistics = true;  ///< minimum, maximum and checksum of each output
  bool histogram = false;  ///< count each value of each output
  Engine engine = Engine::batch;
  LoadOptions load{};                   ///< options for reading rows
  ForEach for_each = for_each_in_turn;  ///< runs the parts of the work, for example on threads
  /// Called at the end if rows were written as `npy`, with the final header. It has the length of the header that was
  /// written first, which it must replace, and gives the actual number of rows. Also called before an error is
  /// returned.
  std::function<void(std::string_view header)> correct_header{};
  /// Called from time to time with the number of finished states and the number of all states.
  std::function<void(u64 done, u64 count)> progress{};
  /// Polled from any thread; true ends the sweep with the results so far.
  std::function<bool()> is_cancelled{};
};

/// Statistics of the values of one output. States are numbered from 0.
struct SweepStatistics {
  std::string name;
  u32 bits = 32;
  u64 minimum = 0;
  u64 minimum_state = 0;  ///< the first state with the minimum
  u64 maximum = 0;
  u64 maximum_state = 0;                       ///< the first state with the maximum
  u64 checksum = 0;                            ///< the sum of value * (2 * number of the state + 1), modulo 2^64
  std::vector<std::pair<u64, u64>> histogram;  ///< values, ascending, with the number of states that have them
  bool has_too_many_values = false;            ///< more than `most_histogram_values`: the histogram is omitted
};
inline constexpr u64 most_histogram_values = 65'536;

/// The result of a sweep.
struct SweepReport {
  u64 states = 0;  ///< states that were run, from the first on
  u64 count = 0;   ///< all states
  u64 rows = 0;    ///< rows written
  bool cancelled = false;
  std::map<std::string, u64, std::less<>> stops;  ///< number of runs by stop reason
  u64 warned = 0;                                 ///< runs with a warning
  u64 skipped_vector = 0;                         ///< runs that skipped a vector instruction
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  bool outputs_are_named = false;           ///< the outputs are named by the options or by the scenario's expectations
  std::vector<SweepStatistics> statistics;  ///< by output
};

/// Runs a program from every state. `write` is called with pieces of the rows in order. Returns an error for invalid
/// options and for files that cannot be read; rows written before the error are complete and valid in their format.
Result<SweepReport> sweep(const Scenario& scenario, const SweepOptions& options,
                          const std::function<void(std::string_view)>& write = {});

/// The parts of a report that are shown in addition to its counts.
struct SweepView {
  bool extremes = true;
  bool checksums = true;
  bool histograms = false;
};

/// Formats the report as text.
std::string sweep_text(const SweepReport& report, const SweepView& view = {});

/// Formats the report as one line of JSON.
std::string sweep_json(const SweepReport& report, const SweepView& view = {});

}  // namespace salu
