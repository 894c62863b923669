#pragma once

#include <salu/integer.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace salu::app {

/// The size of a window, in rows and columns of characters.
struct Window {
  u64 rows = 0;
  u64 columns = 0;
  bool operator==(const Window&) const = default;
};

/// Returns the size of a window if the system does not report it: from LINES and COLUMNS, otherwise 24 by 80.
Window window_in_environment();

/// Returns the size of the window of standard input now; `usual` replaces what the system does not report.
Window window_of_terminal(const Window& usual);

/// Returns why lines cannot be edited in a window; empty if they can.
std::string window_problem(const Window& window);

/// libedit's own descriptor of the terminal, which can be hidden. libedit reads the size of the window when it begins a
/// line, and crashes if the window has just become too large for its memory; with the terminal hidden it keeps the size
/// that has been checked.
class LibraryInput {
 public:
  LibraryInput() = default;
  ~LibraryInput() {
    if (number_ >= 0) close(number_);
    if (null_ >= 0) close(null_);
  }
  LibraryInput(const LibraryInput&) = delete;
  LibraryInput& operator=(const LibraryInput&) = delete;

  [[nodiscard]] int number() const { return number_ >= 0 ? number_ : STDIN_FILENO; }
  void hide() const { refer_to(null_); }
  void show() const { refer_to(STDIN_FILENO); }

 private:
  void refer_to(int descriptor) const {
    if (number_ >= 0 && null_ >= 0) dup3(descriptor, number_, O_CLOEXEC);
  }

  int number_ = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  int null_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
};

}  // namespace salu::app
