#include <salu/sweep.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "observe/one_wave.hpp"
#include "support/text_buffer.hpp"
#include "sweeping/arrays.hpp"
#include "sweeping/block_runner.hpp"
#include "sweeping/outputs.hpp"
#include "sweeping/rows_text.hpp"
#include "sweeping/states.hpp"
#include "sweeping/tally.hpp"

namespace salu {
namespace sweeping {
namespace {

/// The number of parts per round, and the number of states per part: enough to keep threads busy, but few enough to
/// keep the results until earlier parts are done.
constexpr std::size_t parts_of_round = 16;
constexpr u64 first_states_of_part = 64;
constexpr u64 greatest_states_of_part = u64{1} << 17;
constexpr double short_round_seconds = 0.05;
constexpr double long_round_seconds = 0.5;

/// A part of the states, with its results of this round.
struct Part {
  explicit Part(const Task& task) : runner(task) {}

  BlockRunner runner;
  Block block;
  u64 wanted = 0;
  Tally tally;
  std::optional<Error> problem;
  support::TextBuffer rows;
  /// A row for which the expression is true.
  struct Found {
    u64 state = 0;
    std::size_t end = 0;  ///< end of its text in `rows`
  };
  std::vector<Found> found;
  std::vector<RunEnd> ends;  ///< by state, if there is an expression
};

class Sweep {
 public:
  Sweep(const Scenario& scenario, const SweepOptions& options, const std::function<void(std::string_view)>& write,
        States states, Outputs outputs, ResultArrays results)
      : options_(options),
        write_(write),
        states_(std::move(states)),
        outputs_(std::move(outputs)),
        results_(std::move(results)),
        task_{scenario, states_, outputs_.places, outputs_.places.size(), {}, {}, outputs_.steps, options.is_cancelled},
        tally_(make_tally()) {
    if (options.format) rows_.emplace(*options.format, states_.inputs(), outputs_);
  }

  /// Parses the expression. Returns an error if it is invalid.
  std::optional<Error> prepare() {
    if (options_.where) {
      Result<expr::Expression> parsed = expr::Expression::parse(*options_.where, task_.scenario.program);
      if (!parsed) {
        Error error = std::move(parsed).error();
        error.where.file = "--where";
        return error;
      }
      task_.where = std::move(*parsed);
      for (const RegisterName& name : task_.where->registers()) {
        CasePlace place;
        place.column.kind = CaseColumn::Kind::expected_register;
        place.column.name = name;
        place.bits = std::min<u32>(name.width, 64);
        task_.results.push_back(std::move(place));
      }
    }
    task_.prepare(options_.engine);
    return std::nullopt;
  }

  Result<SweepReport> run() {
    using Clock = std::chrono::steady_clock;
    const u64 count = states_.count();
    u64 states_of_part = first_states_of_part;
    while (tally_.states() < count && !is_over_) {
      const Clock::time_point begin = Clock::now();
      const u64 first = tally_.states();
      run_round(first, std::min(count - first, parts_of_round * states_of_part), states_of_part);
      for (std::size_t i = 0; i < parts_.size() && !is_over_; ++i) {
        if (parts_[i]->wanted != 0) take(*parts_[i]);
      }
      if (problem_) {
        // Rows written before the error are completed in their format.
        if (has_rows_) end_rows();
        return *std::move(problem_);
      }
      if (options_.progress) options_.progress(tally_.states(), count);
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      if (seconds < short_round_seconds) states_of_part = std::min(greatest_states_of_part, states_of_part * 2);
      if (seconds > long_round_seconds) states_of_part = std::max(first_states_of_part, states_of_part / 2);
    }
    // If cancelled before the first row, do not write an empty table.
    if (rows_ && (has_rows_ || !cancelled_)) end_rows();
    return report(count);
  }

 private:
  [[nodiscard]] Tally make_tally() const { return {outputs_.places.size(), options_.statistics, options_.histogram}; }

  void emit(std::string_view text) const {
    if (write_ && !text.empty()) write_(text);
  }

  /// Writes the text before the rows once, and only when there is a row, so that the file keeps its old contents until
  /// then.
  void begin_rows() {
    // With an expression the number of rows is known only at the end.
    if (!has_begun_) emit(rows_->begin(task_.where ? 0 : states_.count()));
    has_begun_ = true;
  }

  void end_rows() {
    begin_rows();
    emit(rows_->end());
    const bool is_array = options_.format == SweepFormat::npy && options_.correct_header;
    if (is_array) options_.correct_header(rows_->begin(written_rows()));
  }

  [[nodiscard]] u64 written_rows() const { return task_.where ? found_ : tally_.states(); }

  void run_round(u64 first, u64 states, u64 states_of_part) {
    const auto parts = static_cast<std::size_t>((states + states_of_part - 1) / states_of_part);
    while (parts_.size() < parts) parts_.push_back(std::make_unique<Part>(task_));
    for (const std::unique_ptr<Part>& part : parts_) {
      part->wanted = 0;
      part->tally = make_tally();
      part->rows.clear();
      part->found.clear();
      part->ends.clear();
    }
    for (std::size_t i = 0; i < parts; ++i) parts_[i]->wanted = std::min(states_of_part, states - i * states_of_part);
    options_.for_each(parts, [&](std::size_t i) { return run_part(*parts_[i], first + i * states_of_part); });
  }

  /// Runs a part. Returns false if later parts are not needed.
  bool run_part(Part& part, u64 first) const {
    for (u64 done = 0; done < part.wanted;) {
      const u64 left = std::min<u64>(part.wanted - done, BlockRunner::states_at_once);
      const bool wants_columns = rows_ || !results_.empty();
      Tally* const tally = wants_columns ? nullptr : &part.tally;
      part.problem = part.runner.run(first + done, static_cast<std::size_t>(left), part.block, tally);
      if (part.problem) return false;
      add_rows(part);
      results_.write(part.block);
      if (task_.where) {
        const std::span<const RunEnd> ends = std::span(part.block.ends).first(part.block.count);
        part.ends.insert(part.ends.end(), ends.begin(), ends.end());
      } else if (wants_columns) {
        part.tally.add(part.block);
      }
      if (part.block.count < left || (task_.where && part.found.size() >= options_.first - found_)) return false;
      done += left;
    }
    return true;
  }

  void add_rows(Part& part) const {
    if (!rows_) return;
    for (std::size_t i = 0; i < part.block.count; ++i) {
      if (task_.where && !part.block.holds[i]) continue;
      rows_->add(part.block, i, part.rows);
      if (task_.where) part.found.push_back({part.block.first + i, part.rows.size()});
    }
  }

  /// Takes the results of a part. If it is incomplete, later parts are ignored.
  void take(Part& part) {
    std::string_view text = part.rows.view();
    if (task_.where) {
      std::span<const RunEnd> ends = part.ends;
      const u64 room = options_.first - found_;
      if (part.found.size() >= room) {
        // States after the last requested row are not counted.
        const Part::Found& last = part.found[static_cast<std::size_t>(room) - 1];
        text = text.substr(0, last.end);
        ends = ends.first(static_cast<std::size_t>(last.state - tally_.states()) + 1);
        is_over_ = true;
      }
      found_ += std::min<u64>(room, part.found.size());
      part.tally.add_ends(ends);
    }
    if (!text.empty()) {
      begin_rows();
      if (!has_rows_) text.remove_prefix(rows_->separator().size());
      has_rows_ = true;
      emit(text);
    }
    const bool is_whole = part.tally.states() == part.wanted;
    tally_.add(part.tally);
    problem_ = std::move(part.problem);
    cancelled_ = !is_whole && !is_over_ && !problem_;
    is_over_ = is_over_ || !is_whole;
  }

  SweepReport report(u64 count) const {
    SweepReport report;
    report.count = count;
    report.cancelled = cancelled_;
    for (const CasePlace& input : states_.inputs()) report.inputs.push_back(input.name());
    std::vector<u32> bits;
    for (const CasePlace& output : outputs_.places) {
      report.outputs.push_back(output.name());
      bits.push_back(output.bits);
    }
    report.outputs_are_named = outputs_.is_named;
    tally_.report(bits, report);
    if (task_.where) report.statistics.clear();
    if (rows_) report.rows = written_rows();
    return report;
  }

  const SweepOptions& options_;
  const std::function<void(std::string_view)>& write_;
  States states_;
  Outputs outputs_;
  ResultArrays results_;
  Task task_;
  std::optional<RowsText> rows_;
  std::vector<std::unique_ptr<Part>> parts_;
  Tally tally_;
  u64 found_ = 0;
  bool has_begun_ = false;  ///< the text before the rows has been written
  bool has_rows_ = false;
  bool is_over_ = false;
  bool cancelled_ = false;
  std::optional<Error> problem_;
};

/// Returns an error for invalid options, before files are read.
std::optional<Error> find_problem(const Scenario& scenario, const SweepOptions& options) {
  if (std::optional<Error> problem = observe::find_waves_problem(scenario)) return problem;
  if (options.where && options.first == 0)
    return Error{ErrorCode::usage, {"--first 0"}, "expected a number of rows above 0", {}};
  if (options.where && !options.format)
    return Error{ErrorCode::usage, {"--where"}, "it selects rows, so a row format is required", {}};
  if (options.where && !options.results.empty())
    return Error{ErrorCode::usage,
                 {options.results.front().name},
                 "arrays contain all states and cannot be combined with --where",
                 {}};
  return std::nullopt;
}

}  // namespace
}  // namespace sweeping

Result<SweepReport> sweep(const Scenario& scenario, const SweepOptions& options,
                          const std::function<void(std::string_view)>& write) {
  using namespace sweeping;
  if (auto problem = find_problem(scenario, options)) return *std::move(problem);
  Result<States> states = States::make(scenario, options);
  if (!states) return std::move(states).error();
  Result<Outputs> outputs = Outputs::choose(scenario, options, *states);
  if (!outputs) return std::move(outputs).error();
  Result<ResultArrays> results = ResultArrays::make(options.results, *outputs);
  if (!results) return std::move(results).error();
  if (auto problem = find_overlap(options, states->count())) return *std::move(problem);
  Sweep run(scenario, options, write, std::move(*states), std::move(*outputs), std::move(*results));
  if (auto problem = run.prepare()) return *std::move(problem);
  return run.run();
}

}  // namespace salu
