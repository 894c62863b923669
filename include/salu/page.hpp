#pragma once

#include <salu/integer.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace salu {

/// What the page of a run (docs/how-to/report.md) shows.
struct PageOptions {
  /// The timelines show these steps, counted from 1; counts, fork tree and final state are those of the whole run.
  u64 first_step = 1;
  u64 last_step = ~u64{0};
  /// The lines of a source file, for the page to show beside the instructions; null where it cannot be read. Without
  /// it the page names files and lines alone.
  std::function<const std::vector<std::string>*(const std::string& file)> read_source{};
};

/// Watches a run and makes a page of it: one HTML file that needs nothing else. What it keeps is bounded however long
/// the run is: the more steps, the more of them share a column of the timelines, and the page says so.
///
///     PageRecorder recorder(scenario);
///     RunOptions options = scenario.options;
///     options.trace = [&](const TraceEvent& event) { recorder.add(event); };
///     const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, options);
///     write(recorder.page(outcome));
class PageRecorder {
 public:
  /// `scenario` has to outlive the recorder.
  explicit PageRecorder(const Scenario& scenario, const PageOptions& options = {});
  ~PageRecorder();
  PageRecorder(const PageRecorder&) = delete;
  PageRecorder& operator=(const PageRecorder&) = delete;
  PageRecorder(PageRecorder&&) noexcept;
  PageRecorder& operator=(PageRecorder&&) noexcept;

  /// One executed instruction; all of them, in order.
  void add(const TraceEvent& event);

  /// What the page shows, as one JSON object (`salu-page-v1`). `mismatches` may be null when nothing was checked.
  [[nodiscard]] std::string data(const Outcome& outcome, const std::vector<Mismatch>* mismatches = nullptr) const;
  /// The page itself, with that object, its script and its style sheet in it.
  [[nodiscard]] std::string page(const Outcome& outcome, const std::vector<Mismatch>* mismatches = nullptr) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace salu
