#pragma once

#include <salu/integer.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace salu {

/// Options of the HTML page of a run (docs/how-to/report.md).
struct PageOptions {
  /// The steps shown in the timelines, counted from 1; counts, fork tree and final state cover the whole run.
  u64 first_step = 1;
  u64 last_step = ~u64{0};
  /// The wave that the page shows first, in a run of several; the steps above are those of this wave. Empty: the wave
  /// that ended the run irregularly, or the first one with a warning, or the one whose final state the run has.
  std::optional<u64> wave{};
  /// Returns the lines of a source file, which the page shows next to the instructions, or null if it cannot be read.
  /// Without it the page shows only file names and line numbers.
  std::function<const std::vector<std::string>*(const std::string& file)> read_source{};
};

/// Records a run and writes an HTML page of it: one file without external resources. The memory it takes is bounded: in
/// a long run several steps share one column of the timelines, with a note on the page. Of a run of several waves up to
/// 16 are recorded, and the page shows one of them at a time.
///
///     PageRecorder recorder(scenario);
///     const Outcome outcome = recorder.run(scenario.options);
///     write(recorder.page(outcome));
class PageRecorder {
 public:
  /// Creates a recorder; `scenario` must outlive it.
  explicit PageRecorder(const Scenario& scenario, const PageOptions& options = {});
  ~PageRecorder();
  PageRecorder(const PageRecorder&) = delete;
  PageRecorder& operator=(const PageRecorder&) = delete;
  PageRecorder(PageRecorder&&) noexcept;
  PageRecorder& operator=(PageRecorder&&) noexcept;

  /// Runs the scenario, with all its waves, and records it. `options.trace` is not used.
  Outcome run(const RunOptions& options);
  /// Adds an executed instruction of a run of one wave, instead of `run`. Must be called for all instructions in order.
  void add(const TraceEvent& event);
  /// Returns the number of recorded steps, of the wave that the page shows first.
  [[nodiscard]] u64 steps() const;

  /// Returns the data of the page as one JSON object (`salu-page-v1`). `mismatches` may be null if nothing was checked.
  [[nodiscard]] std::string data(const Outcome& outcome, const std::vector<Mismatch>* mismatches = nullptr) const;
  /// Returns the page, with its data, script and style sheet embedded.
  [[nodiscard]] std::string page(const Outcome& outcome, const std::vector<Mismatch>* mismatches = nullptr) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace salu
