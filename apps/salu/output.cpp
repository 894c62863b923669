#include "output.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "exit_codes.hpp"
#include "isa/unknown_target.hpp"
#include "signals.hpp"
#include "support/file_identity.hpp"
#include "support/printable.hpp"
#include "support/replace_file.hpp"

namespace salu::app {
namespace {

/// Ends the program, because further output would be lost.
[[noreturn]] void end_without_output(int error) {
  (void)std::fprintf(stderr, "error: cannot write to standard output: %s\n", std::strerror(error));
  end_at_once(exit_code::bad_input);
}

/// True if the output may contain terminal styles.
bool may_colour = false;

bool is_input(const std::string& output, const std::string& input) {
  if (input == "-")
    return output != "-" && support::identity_of(STDIN_FILENO) == support::identity_of(output) &&
           support::identity_of(output).has_value();
  return output != "-" && support::is_same_file(output, input);
}

}  // namespace

void prepare_streams() {
  // The next file opened would get the number of a closed stream. The replacement is as unusable as a closed stream:
  // reads and writes fail.
  constexpr std::array<int, 3> useless = {O_WRONLY, O_RDONLY, O_RDWR};
  for (std::size_t stream = 0; stream < useless.size(); ++stream) {
    // open() returns the lowest free number.
    if (fcntl(static_cast<int>(stream), F_GETFD) < 0 && open("/dev/null", useless[stream]) < 0) return;
  }
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) handle_signal(number, end_by_signal);
  // Exceeding the limit of file sizes is an error of write().
  std::signal(SIGXFSZ, SIG_IGN);
  // If SIGCHLD were ignored, the exit status of child processes would be lost.
  std::signal(SIGCHLD, SIG_DFL);
}

void end_at_once(int exit_code) {
  put_right();
  std::_Exit(exit_code);
}

void end_out_of_memory() {
  static constexpr std::string_view message = "error: not enough memory\n";
  (void)!write(STDERR_FILENO, message.data(), message.size());
  end_at_once(exit_code::bad_input);
}

bool is_standard_output(const std::string& path) {
  struct stat output{};
  struct stat named{};
  return fstat(STDOUT_FILENO, &output) == 0 && stat(path.c_str(), &named) == 0 && output.st_dev == named.st_dev &&
         output.st_ino == named.st_ino;
}

void print(std::string_view text) {
  const auto keep = may_colour ? support::Keep::lines_and_styles : support::Keep::lines;
  support::is_printable(text, keep) ? print_data(text) : print_data(support::printable(text, keep));
}

void print_data(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) end_without_output(errno == 0 ? EIO : errno);
}

void send_output() {
  if (std::fflush(stdout) != 0) end_without_output(errno == 0 ? EIO : errno);
}

std::string output_problem(const std::vector<Output>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    if (!path) continue;
    if (path->empty()) return option + ": expected a file name, found ``";
    for (std::size_t k = 0; k < i; ++k) {
      const bool are_both_streams = outputs[k].path == "-" && *path == "-";
      if (outputs[k].path && (are_both_streams || support::is_same_file(*outputs[k].path, *path)))
        return fmt::format("{} and {} name the same file, {}", outputs[k].option, option, *path);
    }
    for (const std::string& input : inputs) {
      if (is_input(*path, input))
        return fmt::format("{} {}: the output would overwrite the input {}", option, *path, input);
    }
  }
  return {};
}

std::string write_problem(const std::vector<Output>& outputs) {
  for (const auto& [option, path] : outputs) {
    if (!path || *path == "-") continue;
    const std::string problem = support::why_not_writable(*path);
    if (!problem.empty()) return fmt::format("{}: error: cannot write {}: {}", option, *path, problem);
  }
  return {};
}

bool write_file(const std::string& path, std::string_view bytes, std::optional<std::string_view> before) {
  if (is_standard_output(path)) {
    print_data(bytes);
    return true;
  }
  const std::string problem = support::replace_file(path, bytes, before);
  if (problem.empty()) return true;
  spdlog::error("{}: error: cannot write the file: {}", path, problem);
  return false;
}

bool use_colour(ColourChoice choice) {
  // https://no-color.org: set and not empty.
  const char* const no_color = std::getenv("NO_COLOR");
  const bool is_wanted = isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
  may_colour = choice == ColourChoice::automatic ? is_wanted : choice == ColourChoice::always;
  return may_colour;
}

std::string target_problem(const std::string& name) {
  return find_target(name) != nullptr ? std::string() : isa::unknown_target(name);
}

}  // namespace salu::app
