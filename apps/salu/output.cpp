#include "output.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace salu::app {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// `errno` of the first write to standard output that failed.
int output_errno = 0;

void note_failure(bool good) {
  if (!good && output_errno == 0) output_errno = errno == 0 ? EIO : errno;
}

}  // namespace

void print(std::string_view text) { note_failure(std::fwrite(text.data(), 1, text.size(), stdout) == text.size()); }

void send_output() { note_failure(std::fflush(stdout) == 0); }

bool flush_output() {
  send_output();
  if (output_errno == 0) return true;
  spdlog::error("error: cannot write to standard output: {}", std::strerror(output_errno));
  return false;
}

bool write_file(const std::string& path, std::string_view bytes) {
  std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "wb"));
  bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  written = file && std::fclose(file.release()) == 0 && written;
  if (!written) spdlog::error("{}: error: cannot write the file: {}", path, std::strerror(errno));
  return written;
}

bool use_colour(ColourChoice choice) {
  if (choice != ColourChoice::automatic) return choice == ColourChoice::always;
  // https://no-color.org: set and not empty.
  const char* no_color = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

std::string target_problem(const std::string& name) {
  if (find_target(name) != nullptr) return {};
  std::string text = "unknown target `" + name + "`";
  const auto near = nearest_target_names(name);
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ";
    text.append("`").append(near[i]).append("`");
  }
  return text + (near.empty() ? "; `salu targets` lists them" : "?");
}

}  // namespace salu::app
