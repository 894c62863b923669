#pragma once

#include <salu/error.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Output of results to standard output and files. Diagnostics are written to standard error through spdlog.
namespace salu::app {

/// Prepares standard streams and signals: no file that is opened takes the place of a closed stream, and a signal
/// leaves no unfinished file.
void prepare_streams();

/// Ends the program at once. Buffered output is lost.
[[noreturn]] void end_at_once(int exit_code);

/// Ends the program at once with the message that it is out of memory.
[[noreturn]] void end_out_of_memory();

/// Prints text for people to standard output, without terminal control characters (`support::printable`). A failing
/// write ends the program with an error message.
void print(std::string_view text);

/// Prints machine-readable output unchanged. A failing write ends the program with an error message.
void print_data(std::string_view bytes);

/// Flushes standard output, so that it precedes the following diagnostics.
void send_output();

/// A file that a command writes, and the option that names it.
struct Output {
  std::string option;
  std::optional<std::string> path;
};

/// Returns an error message if an output has an empty name, or names the same file as another output or an input; "" if
/// not. `-` is standard input or output.
std::string output_problem(const std::vector<Output>& outputs, const std::vector<std::string>& inputs);
/// Returns an error message if an output cannot be written, as far as this is known before the write; "" if it can.
std::string write_problem(const std::vector<Output>& outputs);

/// Writes a whole file or nothing (`support::replace_file`). If the path names standard output, writes there. `before`:
/// the expected old content. Returns false, after an error message, on failure.
bool write_file(const std::string& path, std::string_view bytes, std::optional<std::string_view> before = std::nullopt);

/// True if a path (`/dev/stdout`, or the file to which the shell redirects the output) names standard output.
bool is_standard_output(const std::string& path);

enum class ColourChoice { automatic, always, never };
/// True if standard output is to be coloured: by default on a terminal, unless NO_COLOR is set.
bool use_colour(ColourChoice choice);

/// The error message for a name that is not a target; "" for a target.
std::string target_problem(const std::string& name);

}  // namespace salu::app
