#include "terminal_window.hpp"

#include <fmt/core.h>
#include <sys/ioctl.h>

#include <cstdlib>

namespace salu::app {
namespace {

/// The largest window, in characters, that lines are edited in: libedit allocates memory for each of them.
constexpr u64 most_window_places = u64{1} << 22;

/// Reads a size from the environment. libedit uses it if the system reports no size.
u64 size_in_environment(const char* variable, u64 usual) {
  const char* const text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no thread writes it
  const long size = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return size > 0 ? static_cast<u64>(size) : usual;
}

}  // namespace

Window window_in_environment() { return {size_in_environment("LINES", 24), size_in_environment("COLUMNS", 80)}; }

Window window_of_terminal(const Window& usual) {
  winsize size{};
  if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0) return usual;
  return {size.ws_row != 0 ? size.ws_row : usual.rows, size.ws_col != 0 ? size.ws_col : usual.columns};
}

std::string window_problem(const Window& window) {
  const auto [rows, columns] = window;
  if (rows <= most_window_places && columns <= most_window_places && rows * columns <= most_window_places) return {};
  return fmt::format("the window has {} rows of {} columns, too many to edit lines in: {} places are possible", rows,
                     columns, most_window_places);
}

}  // namespace salu::app
