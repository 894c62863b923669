#pragma once

#include <salu/error.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Results go to standard output through here, diagnostics to standard error through spdlog.
namespace salu::app {

/// Makes the program end as it should wherever it is ended: standard streams that are closed stay so, whatever is
/// opened, and a signal leaves no unfinished file behind.
void prepare_streams();

/// Ends the program wherever it is. What is buffered for standard output does not arrive.
[[noreturn]] void end_at_once(int exit_code);

/// The same where there is no memory left, with a message.
[[noreturn]] void end_out_of_memory();

/// Writes text for people to standard output, without what would act on a terminal (`support::printable`). What cannot
/// arrive there ends the program, with a message on standard error.
void print(std::string_view text);

/// The same for what programs read, as it is.
void print_data(std::string_view bytes);

/// Hands on what is buffered, so that a reader sees it now and before any diagnostic that follows.
void send_output();

/// A file that a command writes, and the option that names it.
struct Output {
  std::string option;
  std::optional<std::string> path;
};

/// What is wrong with where a command writes: an output without a name, that another one or an input would destroy, or
/// that is an input. `-` is standard input or output. Empty when nothing is.
std::string output_problem(const std::vector<Output>& outputs, const std::vector<std::string>& inputs);
/// Why an output cannot be written, as far as that can be told before there is something to write; empty when it can.
std::string write_problem(const std::vector<Output>& outputs);

/// Writes a file, all of it or nothing (`support::replace_file`), but to standard output where the path leads there.
/// `before`: what it has to hold still. False, with a message on standard error, when it cannot.
bool write_file(const std::string& path, std::string_view bytes, std::optional<std::string_view> before = std::nullopt);

/// Whether a path (`/dev/stdout`, or the file that the shell sends the output to) leads to standard output.
bool is_standard_output(const std::string& path);

enum class ColourChoice { automatic, always, never };
/// Whether to colour standard output: on a terminal without NO_COLOR, unless the user chose.
bool use_colour(ColourChoice choice);

/// `unknown target ...; did you mean ...?` for a name that is no target; empty for one that is.
std::string target_problem(const std::string& name);

}  // namespace salu::app
