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

/// The options of `salu run` that make a trace, and where it goes.
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

  /// Any of the options asks for a trace.
  [[nodiscard]] bool is_wanted() const {
    return trace || file || format || words || !only.empty() || !at.empty() || !writes.empty() || steps || limit;
  }
};

/// Adds the options; `arguments` has to live as long as the application.
void add_trace_options(Command& command, TraceArguments& arguments);

/// The trace of all runs of a command.
class Trace {
 public:
  /// `report` is the format of the results, `quiet` whether there are none. Returns what is wrong with the arguments;
  /// nothing when all is well.
  static Result<std::unique_ptr<Trace>> open(const TraceArguments& arguments, ReportFormat report, bool quiet);

  /// Whether it stands among the results, as text on standard output.
  [[nodiscard]] bool is_among_results() const { return among_results_; }
  [[nodiscard]] TraceWriter& writer() { return *writer_; }
  /// Says on standard error what a run's trace lacks.
  void tell_of(const TraceCut& cut, const Outcome& outcome, const std::string& scenario) const;
  /// The first run, or another one, begins: what the file held goes.
  void begin();
  /// The last run is over, and everything has been written. Without any run the file is as it was.
  void close();

 private:
  Trace() = default;
  void write(std::string_view text);

  std::optional<StreamedFile> file_;
  std::FILE* stream_ = nullptr;  ///< where there is no file
  bool has_begun_ = false;
  bool quiet_ = false;
  bool among_results_ = false;
  std::unique_ptr<TraceWriter> writer_;
};

}  // namespace salu::app
