#include "history_file.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "loader/text_file.hpp"
#include "support/descriptor.hpp"
#include "support/replace_file.hpp"

namespace salu::app {
namespace {

constexpr std::size_t most_lines = 1000;
constexpr std::size_t most_bytes = std::size_t{1} << 20;
constexpr std::size_t longest_line = 4096;

/// True for a regular file. Devices and pipes could block.
bool is_file(const support::Descriptor& descriptor) {
  struct stat status{};
  return descriptor.is_open() && fstat(descriptor.number(), &status) == 0 && S_ISREG(status.st_mode);
}

constexpr int quiet = O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

/// An absolute path in an environment variable. Relative paths are ignored, as XDG specifies.
std::optional<std::string> absolute_path(const char* variable) {
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): no thread writes it
  if (value == nullptr || *value != '/') return std::nullopt;
  return std::string(value);
}

/// The last lines of the file, at most `most_bytes`.
std::string read_end(const std::string& path) {
  const support::Descriptor file(open(path.c_str(), O_RDONLY | quiet));
  if (!is_file(file)) return {};
  const off_t size = lseek(file.number(), 0, SEEK_END);
  const off_t start = std::max<off_t>(size - static_cast<off_t>(most_bytes), 0);
  if (size < 0 || lseek(file.number(), start, SEEK_SET) < 0) return {};
  std::string text;
  std::array<char, 4096> buffer{};
  while (text.size() < most_bytes) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  // The first line may be incomplete.
  if (start != 0) text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return text;
}

/// Returns an error message, or "".
std::string append(const std::string& path, const std::string& line) {
  const support::Descriptor file(open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | quiet, S_IRUSR | S_IWUSR));
  if (!file.is_open()) return std::strerror(errno);
  if (!is_file(file)) return "not a regular file";
  // One write, so that lines of two runs are not mixed.
  const ssize_t written = write(file.number(), line.data(), line.size());
  return written == static_cast<ssize_t>(line.size()) ? "" : std::strerror(written < 0 ? errno : ENOSPC);
}

}  // namespace

std::optional<HistoryPlace> find_history_place() {
  const char* const chosen = std::getenv("SALU_HISTORY");  // NOLINT(concurrency-mt-unsafe): no thread writes it
  if (chosen != nullptr) return *chosen == '\0' ? std::nullopt : std::optional(HistoryPlace{chosen, true});
  std::optional<std::string> folder = absolute_path("XDG_STATE_HOME");
  if (!folder) {
    const std::optional<std::string> home = absolute_path("HOME");
    if (!home) return std::nullopt;
    folder = *home + "/.local/state";
  }
  return HistoryPlace{*folder + "/salu/history", false};
}

std::vector<std::string> HistoryFile::read() {
  const std::string text = read_end(place_.path);
  std::vector<std::string> lines;
  std::size_t count = 0;
  for (std::string_view rest = text; !rest.empty(); ++count) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (!line.empty() && line.size() <= longest_line && loader::find_non_text(line) == std::string::npos)
      lines.emplace_back(line);
  }
  if (lines.size() > most_lines) lines.erase(lines.begin(), lines.end() - most_lines);
  if (count > 2 * most_lines || text.size() > most_bytes / 2) {
    std::string kept;
    for (const std::string& line : lines) kept += line + '\n';
    // A failure is ignored: the next run tries again.
    (void)support::replace_file(place_.path, kept);
  }
  return lines;
}

void HistoryFile::add(std::string_view line) {
  const bool is_blank = line.find_first_not_of(" \t") == std::string_view::npos;
  if (!is_usable_ || is_blank || line.size() > longest_line || line.find('\n') != std::string_view::npos) return;
  if (!place_.is_chosen) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(place_.path).parent_path();
    std::filesystem::create_directories(folder.parent_path(), error);
    mkdir(folder.c_str(), S_IRWXU);
  }
  const std::string problem = append(place_.path, std::string(line) + '\n');
  if (problem.empty()) return;
  is_usable_ = false;
  if (place_.is_chosen) spdlog::warn("warning: SALU_HISTORY: cannot write {}: {}", place_.path, problem);
}

}  // namespace salu::app
