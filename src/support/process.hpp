#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Other programs, run to their end.
namespace salu::support {

struct ProcessLimits {
  double seconds = 60;                                ///< on a clock on the wall
  std::size_t output_bytes = std::size_t{256} << 20;  ///< of standard output
  std::size_t error_bytes = std::size_t{1} << 20;     ///< of standard error
  std::size_t memory_bytes = 0;                       ///< of address space for each of its processes; 0: no limit
  const std::atomic<bool>* is_cancelled = nullptr;    ///< ends it within milliseconds, as if the time were up
};

/// How a program ended, and what it said.
struct ProcessResult {
  enum class End : unsigned char {
    exited,
    killed,       ///< by a signal
    timed_out,    ///< it was ended after `ProcessLimits::seconds`
    too_verbose,  ///< it was ended after what `ProcessLimits` allows
    not_started,
  };
  /// `exited` also where nobody can tell, because this process ignores SIGCHLD or waits for children that it has not
  /// started: then what the program wrote tells whether it came to its end.
  End end = End::not_started;
  int status = 0;  ///< exit code, number of the signal, or errno
  std::string output;
  std::string errors;                 ///< what it wrote to standard error
  std::size_t most_memory_bytes = 0;  ///< that it had in memory at once

  [[nodiscard]] bool is_good() const { return end == End::exited && status == 0; }
};

/// The first of these programs that is in a folder of PATH, or a path that is given as such; nothing when none is.
std::optional<std::string> find_program(const std::vector<std::string>& names);

/// Runs a program: `arguments` begin with its path. It reads `input` as its standard input. Any thread may call this.
/// The program ends when this process does, however that happens; what it has started itself, and left in its process
/// group, ends with it.
ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          const ProcessLimits& limits = {});

/// Ends all that `run_process` runs now; it starts nothing any more. For handlers of signals that end this process:
/// does only what these may.
void end_processes();

}  // namespace salu::support
