#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

#include "support/descriptor.hpp"

namespace salu::support {
namespace {

using Clock = std::chrono::steady_clock;

struct Ends {
  Descriptor own;
  Descriptor theirs;
};

/// Two connected ends that no other program inherits. Sockets, because writing to one whose reader has gone is an error
/// that can be told from a signal.
std::optional<Ends> connect_ends() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
  return Ends{Descriptor(ends[0]), Descriptor(ends[1])};
}

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  void put(const Descriptor& from, int to) { ::posix_spawn_file_actions_adddup2(&actions_, from.number(), to); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// A running program and what is exchanged with it.
class Exchange {
 public:
  Exchange(pid_t process, Ends input, Ends output, Ends errors, std::string_view text, const ProcessLimits& limits)
      : process_(process),
        input_(std::move(input.own)),
        output_(std::move(output.own)),
        errors_(std::move(errors.own)),
        text_(text),
        limits_(limits),
        deadline_(Clock::now() +
                  std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limits.seconds))) {}

  ProcessResult run() {
    while (output_.is_open() || errors_.is_open()) {
      if (!wait_for_either()) return stop(ProcessResult::End::timed_out);
      if (result_.output.size() > limits_.output_bytes || result_.errors.size() > limits_.error_bytes)
        return stop(ProcessResult::End::too_verbose);
    }
    return collect();
  }

 private:
  /// False when the time is up.
  bool wait_for_either() {
    if (text_.empty()) (void)input_.close();
    std::array<pollfd, 3> polled = {
        {{output_.number(), POLLIN, 0}, {errors_.number(), POLLIN, 0}, {input_.number(), POLLOUT, 0}}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    if (left <= 0 || is_cancelled()) return false;
    // Closed descriptors are negative, which poll passes over.
    constexpr long long longest = 60'000;
    constexpr long long between_looks = 5;
    const long long most = limits_.is_cancelled == nullptr ? longest : between_looks;
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(std::min<long long>(left, most)));
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) return true;
    if (polled[0].revents != 0) read(output_, result_.output);
    if (polled[1].revents != 0) read(errors_, result_.errors);
    if (polled[2].revents != 0) write();
    return true;
  }

  [[nodiscard]] bool is_cancelled() const { return limits_.is_cancelled != nullptr && *limits_.is_cancelled; }

  static void read(Descriptor& from, std::string& into) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(from.number(), buffer.data(), buffer.size());
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) (void)from.close();
  }

  void write() {
    const ssize_t count = ::send(input_.number(), text_.data(), text_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) text_.remove_prefix(static_cast<std::size_t>(count));
    // Whoever does not read to the end has its reasons.
    if (count < 0 && errno != EINTR && errno != EAGAIN) text_ = {};
  }

  ProcessResult stop(ProcessResult::End end) {
    ::kill(process_, SIGKILL);
    collect();
    result_.end = end;
    result_.status = 0;
    return std::move(result_);
  }

  ProcessResult collect() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    const bool has_exited = WIFEXITED(status);
    result_.end = has_exited ? ProcessResult::End::exited : ProcessResult::End::killed;
    result_.status = has_exited ? WEXITSTATUS(status) : WTERMSIG(status);
    return std::move(result_);
  }

  pid_t process_;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
  std::string_view text_;  ///< what is left to send
  const ProcessLimits& limits_;
  Clock::time_point deadline_;
  ProcessResult result_;
};

}  // namespace

std::optional<std::string> find_program(const std::vector<std::string>& names) {
  const char* const variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody writes it
  const std::string_view folders = variable == nullptr ? "/usr/bin:/bin" : variable;
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) {
      if (::access(name.c_str(), X_OK) == 0) return name;
      continue;
    }
    for (std::size_t start = 0; start <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', start), folders.size());
      std::string path(folders.substr(start, end - start));
      path += '/';
      path += name;
      if (end != start && ::access(path.c_str(), X_OK) == 0) return path;
      start = end + 1;
    }
  }
  return std::nullopt;
}

ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input,
                          const ProcessLimits& limits) {
  ProcessResult failure;
  auto to_input = connect_ends();
  auto from_output = connect_ends();
  auto from_errors = connect_ends();
  if (!to_input || !from_output || !from_errors) {
    failure.status = errno;
    return failure;
  }
  std::vector<std::string> owned = arguments;
  std::vector<char*> pointers;
  for (std::string& each : owned) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  pid_t process = 0;
  {
    FileActions actions;
    actions.put(to_input->theirs, STDIN_FILENO);
    actions.put(from_output->theirs, STDOUT_FILENO);
    actions.put(from_errors->theirs, STDERR_FILENO);
    failure.status = ::posix_spawn(&process, owned.front().c_str(), actions.get(), nullptr, pointers.data(), environ);
  }
  if (failure.status != 0) return failure;
  (void)to_input->theirs.close();
  (void)from_output->theirs.close();
  (void)from_errors->theirs.close();
  return Exchange(process, std::move(*to_input), std::move(*from_output), std::move(*from_errors), input, limits).run();
}

}  // namespace salu::support
