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

/// One program over many states: ranges of values or rows of a table in, columns, counts and sums out
/// (docs/how-to/sweep.md).
namespace salu {

/// How the rows of a sweep are written: a state each, with its inputs and outputs.
enum class SweepFormat : u8 {
  csv,    ///< comma-separated values, as `cases:` takes them
  json,   ///< one list of objects
  jsonl,  ///< an object a line, as `cases:` takes them
  npy,    ///< an array of structures, as `numpy.load` reads it
};

/// Where numbers of one kind lie in the caller's memory, little-endian, a state each.
struct SweepArray {
  u32 size_bytes = 4;      ///< of a number: 1, 2, 4 or 8
  bool is_signed = false;  ///< negative numbers are taken in two's complement
  i64 stride_bytes = 4;    ///< from a number to the next
};

/// An input whose values the caller has: read while the sweep runs, by any of its threads.
struct SweepInput {
  std::string name;            ///< as of `SweepOptions::vary`
  const void* data = nullptr;  ///< of the first state
  SweepArray array{};
};

/// An output whose values the caller wants: written while the sweep runs, by any of its threads.
struct SweepResult {
  std::string name;      ///< as of `SweepOptions::outputs`; of `stop` the code that arrays have (docs/how-to/sweep.md)
  void* data = nullptr;  ///< of the first state; numbers of the first `SweepReport::states` are there in the end
  SweepArray array{};
};

/// Which states there are, and what is asked of them.
struct SweepOptions {
  /// `s0=0..255`, `s1=0..100:5`: every value of these, in every combination; the last one changes fastest.
  std::vector<std::string> vary{};
  /// `FILE.csv`, `FILE.jsonl`, `FILE.npy`, `s0=FILE.npy`: a state for each row, together with each combination of
  /// `vary`. Neither of the two: the rows of the scenario's `cases:`.
  std::vector<std::string> rows{};
  /// The same from memory, instead of `rows`: so many states, each with a number of every input.
  std::vector<SweepInput> inputs{};
  u64 input_rows = 0;
  /// The inputs that the columns of a `FILE.npy` are, in their order.
  std::vector<std::string> columns{};
  /// `s0`, `s1:8`, `scc`, `memory.0x10000:8`, `stop`, `steps`. Empty: chosen.
  std::vector<std::string> outputs{};
  /// Outputs as numbers in memory, of which none is another column's. Not with `where`.
  std::vector<SweepResult> results{};
  /// Registers that keep their values, as `LoadOptions::set` names them: they may not be varied.
  std::vector<std::string> fixed{};
  /// Write rows, in the order of the states.
  std::optional<SweepFormat> format{};
  /// An expression of the debugger's over the state that a run leaves: only rows for which it holds, and no more than
  /// `first`. Needs a format.
  std::optional<std::string> where{};
  u64 first = 10;
  bool statistics = true;  ///< least and greatest value, and checksum of each output
  bool histogram = false;  ///< the values of each output, and how often they come
  Engine engine = Engine::batch;
  LoadOptions load{};                   ///< what rows are read with
  ForEach for_each = for_each_in_turn;  ///< who does the parts of the work
  /// Called in the end, when rows were written as an array, with what has to stand in the place of the header that was
  /// written: as long as that, for the rows that there are. Also before an error comes out.
  std::function<void(std::string_view header)> correct_header{};
  /// Told now and then how many states are done, of how many.
  std::function<void(u64 done, u64 count)> progress{};
  /// Asked now and then, from any thread: true ends it, with what is known so far.
  std::function<bool()> is_cancelled{};
};

/// What the values of one output come to. Numbers of states count from 0.
struct SweepStatistics {
  std::string name;
  u32 bits = 32;
  u64 minimum = 0;
  u64 minimum_state = 0;  ///< the first that has it
  u64 maximum = 0;
  u64 maximum_state = 0;
  u64 checksum = 0;                            ///< the sum of value * (2 * number of the state + 1), modulo 2^64
  std::vector<std::pair<u64, u64>> histogram;  ///< values, ascending, and how many states have them
  bool has_too_many_values = false;            ///< more than `most_histogram_values`: there is no histogram
};
inline constexpr u64 most_histogram_values = 65'536;

/// What a sweep came to.
struct SweepReport {
  u64 states = 0;  ///< that were run, from the first on
  u64 count = 0;   ///< that there are
  u64 rows = 0;    ///< that were written
  bool cancelled = false;
  std::map<std::string, u64, std::less<>> stops;  ///< how many runs ended how
  u64 warned = 0;                                 ///< runs with a warning
  u64 skipped_vector = 0;                         ///< runs that passed over a vector instruction
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  bool outputs_are_named = false;           ///< by the options, or by what the scenario expects
  std::vector<SweepStatistics> statistics;  ///< by output
};

/// Runs a program from every state. `write` is called with pieces of the rows, one after the other. Errors are about
/// the options and the files that they name; rows that were written before one comes out stay, and are whole in their
/// format.
Result<SweepReport> sweep(const Scenario& scenario, const SweepOptions& options,
                          const std::function<void(std::string_view)>& write = {});

/// What of a report is shown beside its counts.
struct SweepView {
  bool extremes = true;
  bool checksums = true;
  bool histograms = false;
};

/// The report as text for people.
std::string sweep_text(const SweepReport& report, const SweepView& view = {});

/// The report as one line of JSON.
std::string sweep_json(const SweepReport& report, const SweepView& view = {});

}  // namespace salu
