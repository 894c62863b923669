#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Child processes.
namespace salu::support {

struct ProcessLimits {
  double seconds = 60;                                ///< wall-clock time
  std::size_t output_bytes = std::size_t{256} << 20;  ///< of standard output
  std::size_t error_bytes = std::size_t{1} << 20;     ///< of standard error
  std::size_t memory_bytes = 0;                       ///< of address space for each of its processes; 0: no limit
  const std::atomic<bool>* is_cancelled = nullptr;    ///< ends the program within milliseconds, as at the time limit
};

/// The end of a program, and its output.
struct ProcessResult {
  enum class End : unsigned char {
    exited,
    killed,       ///< by a signal
    timed_out,    ///< ended after `ProcessLimits::seconds`
    too_verbose,  ///< ended because its output exceeded `ProcessLimits`
    not_started,
  };
  /// `exited` also if the status is unknown, because this process ignores SIGCHLD or another part of it waits for the
  /// child. The caller then has to check that the program's output is complete.
  End end = End::not_started;
  int status = 0;  ///< exit code, number of the signal, or errno
  std::string output;
  std::string errors;                 ///< standard error
  std::size_t most_memory_bytes = 0;  ///< peak memory use

  [[nodiscard]] bool is_good() const { return end == End::exited && status == 0; }
};

/// Finds the first of these programs: a path, or a name that is found in PATH. Returns nothing if none exists.
std::optional<std::string> find_program(const std::vector<std::string>& names);

/// Runs a program and waits for it. `arguments` begin with its path; `input` is its standard input. Any thread may call
/// this. The program is killed when this process ends, for whatever reason, together with its own children in its
/// process group.
ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          const ProcessLimits& limits = {});

/// Kills all programs that `run_process` runs, and prevents it from starting more. Async-signal-safe, for handlers of
/// signals that end this process.
void end_processes();

}  // namespace salu::support
