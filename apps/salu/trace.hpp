#pragma once

#include <salu/report.hpp>
#include <salu/trace.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "streamed_file.hpp"

/// The trace options of `salu run`, and the output of traces.
namespace salu::app {

struct TraceArguments {
  bool trace = false;
  std::optional<std::string> file;
  std::optional<TraceFormat> format;
  bool words = false;
  std::vector<std::string> only;
  std::vector<std::string> at;
  std::vector<std::string> writes;
  std::optional<std::string> steps;  ///< as written
  std::optional<std::string> limit;

  /// True if one of the options requests a trace.
  [[nodiscard]] bool is_wanted() const {
    return trace || file || format || words || !only.empty() || !at.empty() || !writes.empty() || steps || limit;
  }
};

/// Adds the trace options. `arguments` must live as long as the application.
void add_trace_options(Command& command, TraceArguments& arguments);

/// The trace of all runs of a command.
class Trace {
 public:
  /// `report` is the format of the results; `quiet`: they are not printed. Fails for conflicting arguments.
  static Result<std::unique_ptr<Trace>> open(const TraceArguments& arguments, ReportFormat report, bool quiet);

  /// True if the trace is text on standard output, mixed with the results.
  [[nodiscard]] bool is_among_results() const { return among_results_; }
  [[nodiscard]] TraceWriter& writer() { return *writer_; }
  /// Warns on standard error if the trace of a run is cut or empty.
  void tell_of(const TraceCut& cut, const Outcome& outcome, const std::string& scenario) const;
  /// To be called before each run. The first call truncates the file.
  void begin();
  /// Finishes the file after the last run. Without any run the file is unchanged.
  void close();

 private:
  Trace() = default;
  void write(std::string_view text);

  std::optional<StreamedFile> file_;
  std::FILE* stream_ = nullptr;  ///< used instead of a file
  bool has_begun_ = false;
  bool quiet_ = false;
  bool among_results_ = false;
  std::unique_ptr<TraceWriter> writer_;
};

}  // namespace salu::app
