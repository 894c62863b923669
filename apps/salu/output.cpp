#include "output.hpp"

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
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

bool is_standard_output(const std::string& path) {
  struct stat output{};
  struct stat named{};
  return fstat(STDOUT_FILENO, &output) == 0 && stat(path.c_str(), &named) == 0 && output.st_dev == named.st_dev &&
         output.st_ino == named.st_ino;
}

void print(std::string_view text) { note_failure(std::fwrite(text.data(), 1, text.size(), stdout) == text.size()); }

void send_output() { note_failure(std::fflush(stdout) == 0); }

bool flush_output() {
  send_output();
  if (output_errno == 0) return true;
  spdlog::error("error: cannot write to standard output: {}", std::strerror(output_errno));
  return false;
}

bool write_file(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (is_standard_output(path)) {
    print(bytes);
    return true;
  }
  // What is written beside a file takes its place in one step. A device or a pipe is written to as it is.
  const fs::file_status status = fs::status(path, ignored);
  const bool replaces = !fs::exists(status) || fs::is_regular_file(status);
  const fs::path target =
      fs::is_symlink(fs::symlink_status(path, ignored)) ? fs::weakly_canonical(path, ignored) : fs::path(path);
  const std::string written_to = replaces ? fmt::format("{}.new-{}", target.string(), getpid()) : path;
  std::unique_ptr<std::FILE, FileCloser> file(std::fopen(written_to.c_str(), "wb"));
  bool written = file && std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  written = file && std::fclose(file.release()) == 0 && written;
  int problem = errno;
  if (written && replaces) {
    std::error_code error;
    if (fs::exists(status)) fs::permissions(written_to, status.permissions(), ignored);
    fs::rename(written_to, target, error);
    written = !error;
    problem = error.value();
  }
  if (written) return true;
  if (replaces) fs::remove(written_to, ignored);
  spdlog::error("{}: error: cannot write the file: {}", path, std::strerror(problem));
  return false;
}

std::string write_problem(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty() || path == "-") return "expected the name of a file, found `" + path + "`";
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) return path + " is a folder";
  const bool replaces = !fs::exists(status) || fs::is_regular_file(status);
  const std::string folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path().string() : ".";
  if (access((replaces ? folder : path).c_str(), W_OK) == 0) return {};
  return fmt::format("cannot write to {}: {}", replaces ? folder : path, std::strerror(errno));
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

bool output_failed() { return output_errno != 0; }

}  // namespace salu::app
