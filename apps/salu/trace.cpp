#include "trace.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>

#include "command_line.hpp"
#include "exit_codes.hpp"
#include "output.hpp"
#include "support/numbers.hpp"

namespace salu::app {

void add_trace_options(Command& command, TraceArguments& arguments) {
  const Choices<TraceFormat> formats = {
      {"text", TraceFormat::text}, {"jsonl", TraceFormat::jsonl}, {"perfetto", TraceFormat::perfetto}};
  const OptionGroup group(command, "Traces");
  command.flag("--trace", arguments.trace,
               "print each instruction with its reads and writes (to standard error with --format yaml or json)");
  command.option("--trace-file", arguments.file, "write the trace to FILE; - is standard output", "FILE");
  command.choice("--trace-format", arguments.format, formats,
                 "text, jsonl (one JSON object per line) or perfetto, for ui.perfetto.dev (default: text)");
  command.flag("--trace-words", arguments.words, "with text, also print the words of each instruction");
  command.list("--trace-only", arguments.only, "trace only these instructions, e.g. s_cbranch_*, s_add_?32 or vector",
               "PATTERN,...");
  command.list("--trace-at", arguments.at,
               "trace only these addresses: loop (a label or function), 0x1010, loop+0x8..done", "PLACE,...");
  command.list("--trace-writes", arguments.writes,
               "trace only writes to these: s12, exec, mode, memory, memory.0x10000:64 (bytes)", "NAME,...");
  command.option("--trace-steps", arguments.steps, "trace only these steps, counted from 1; either end may be omitted",
                 "FIRST..LAST");
  command.option("--trace-limit", arguments.limit,
                 "maximum number of records of a run, 0 for no limit (default: 10 million; perfetto: 1 million)",
                 "RECORDS");
}

Result<std::unique_ptr<Trace>> Trace::open(const TraceArguments& arguments, ReportFormat report, bool quiet) {
  TraceOptions options;
  options.format = arguments.format.value_or(TraceFormat::text);
  options.only.mnemonics = arguments.only;
  options.only.places = arguments.at;
  options.only.writes = arguments.writes;
  options.words = arguments.words;
  std::string problem;
  if (arguments.steps)
    problem = read_step_range("--trace-steps", *arguments.steps, options.only.first_step, options.only.last_step);
  if (problem.empty() && arguments.limit) {
    u64 limit = 0;
    problem = read_count("--trace-limit", *arguments.limit, "a number of records", limit);
    options.limit = limit;
  }
  const bool is_text = options.format == TraceFormat::text;
  if (problem.empty() && options.words && !is_text) problem = "--trace-words: jsonl and perfetto are not text";
  const bool no_file = !arguments.file;
  // /dev/null may be standard output too, but is not among the results.
  const bool to_stdout =
      arguments.file == "-" || (!no_file && arguments.file != "/dev/null" && is_standard_output(*arguments.file));
  // Mixed with the trace, a machine-readable result could not be read, and neither could a machine-readable trace.
  const bool to_stderr = no_file && is_text && report != ReportFormat::text;
  const bool among_results = (no_file || to_stdout) && !to_stderr && !quiet;
  if (problem.empty() && among_results && !(is_text && report == ReportFormat::text)) {
    problem =
        "the trace would be mixed with the results; write it to a file (--trace-file FILE), or omit the results (-q)";
  }
  if (!problem.empty()) return Error{ErrorCode::usage, {}, problem, {}};

  std::unique_ptr<Trace> trace(new Trace);
  trace->quiet_ = quiet;
  trace->among_results_ = among_results;
  if (no_file || to_stdout) {
    trace->stream_ = to_stderr ? stderr : stdout;
  } else {
    Result<StreamedFile> file = StreamedFile::open(*arguments.file);
    if (!file) return std::move(file).error();
    trace->file_ = std::move(*file);
    options.titles = true;
  }
  Trace* const self = trace.get();
  trace->writer_ =
      std::make_unique<TraceWriter>(std::move(options), [self](std::string_view text) { self->write(text); });
  return trace;
}

void Trace::begin() {
  if (file_ && !has_begun_) file_->begin();
  has_begun_ = true;
}

void Trace::write(std::string_view text) {
  if (file_) return file_->write(text);
  if (stream_ == stdout) return print_data(text);
  // The trace on standard error is a result too: a failure to write it could not be reported there.
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) end_at_once(exit_code::bad_input);
}

void Trace::tell_of(const TraceCut& cut, const Outcome& outcome, const std::string& scenario) const {
  if (quiet_) return;
  if (cut.is_cut()) spdlog::warn("{}: warning: {}", scenario, cut.to_string());
  if (cut.shown == 0 && outcome.steps != 0)
    spdlog::warn("{}: warning: the trace is empty: none of the {} executed matches the filters", scenario,
                 support::counted(outcome.steps, "instruction"));
}

void Trace::close() {
  if (has_begun_) writer_->finish();
  if (file_) file_->close();
}

}  // namespace salu::app
