#pragma once

#include <salu/error.hpp>
#include <salu/target.hpp>

#include <string>
#include <string_view>

/// Results go to standard output through here, diagnostics to standard error through spdlog.
namespace salu::app {

/// Writes to standard output.
void print(std::string_view text);

/// Hands on what is buffered, so that a reader sees it now and before any diagnostic that follows.
void send_output();

/// True when everything printed so far has arrived; says so on standard error otherwise.
bool flush_output();

/// Writes a file, all of it or nothing: who is stopped in the middle leaves the old file whole. Devices, pipes and what
/// standard output goes to are written to as they are. False, with a message on standard error, when it cannot.
bool write_file(const std::string& path, std::string_view bytes);

/// Whether a path (`/dev/stdout`, or the file that the shell sends the output to) leads to standard output.
bool is_standard_output(const std::string& path);

/// Why a file cannot be written, as far as that can be told before there is something to write; empty when it can.
std::string write_problem(const std::string& path);

enum class ColourChoice { automatic, always, never };
/// Whether to colour standard output: on a terminal without NO_COLOR, unless the user chose.
bool use_colour(ColourChoice choice);

/// `unknown target ...; did you mean ...?` for a name that is no target; empty for one that is.
std::string target_problem(const std::string& name);

/// Whether something that was printed could not be written: nothing that follows needs to be computed.
bool output_failed();

}  // namespace salu::app
