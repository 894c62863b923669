#include "support/process.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "support/descriptor.hpp"

namespace salu::support {
namespace {

using Clock = std::chrono::steady_clock;

/// A limit, because longer times overflow the clock.
constexpr double most_seconds = 1e9;

struct Ends {
  Descriptor own;
  Descriptor theirs;
};

/// Returns two connected ends that other programs do not inherit. These are sockets, because writing without a reader
/// then returns an error instead of raising a signal.
std::optional<Ends> connect_ends() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
  return Ends{Descriptor(ends[0]), Descriptor(ends[1])};
}

// ---- running programs ----

/// The process groups of running programs, for signal handlers; 0 for a free entry. A program without an entry is
/// killed by PR_SET_PDEATHSIG.
constexpr std::size_t most_noted = 256;
std::array<std::atomic<pid_t>, most_noted> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

/// Set before running programs are killed. Programs that are already noted are killed; programs noted later check this
/// flag.
std::atomic<bool> nothing_more_starts = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note_running(pid_t process) {
  for (std::atomic<pid_t>& place : running) {
    pid_t none = 0;
    if (place.compare_exchange_strong(none, process)) return;
  }
}

void forget_running(pid_t process) {
  for (std::atomic<pid_t>& place : running) {
    pid_t here = process;
    if (place.compare_exchange_strong(here, 0)) return;
  }
}

// ---- starting ----

/// The data that a new process needs for execve. It shares its memory with this process until then.
struct Start {
  char* const* arguments;
  std::array<int, 3> streams;
  std::size_t memory_bytes;
  pid_t parent = ::getpid();
  sigset_t signals{};
  volatile int error = 0;  ///< errno if the program could not be executed
};

[[noreturn]] void become(Start& start) {
  // Signal handlers would run in the memory of the parent as soon as signals are unblocked.
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action{};
    if (::sigaction(number, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
  // Its own process group, so that it can be killed with all its children. Noted here, because the program may already
  // have children before its parent continues.
  ::setpgid(0, 0);
  note_running(::getpid());
  if (nothing_more_starts) ::_exit(1);
  // Covers the case that the parent is killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != start.parent) ::_exit(1);
  if (rlimit limit{}; start.memory_bytes != 0 && ::getrlimit(RLIMIT_AS, &limit) == 0) {
    limit.rlim_max = std::min<rlim_t>(limit.rlim_max, start.memory_bytes);
    limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
    ::setrlimit(RLIMIT_AS, &limit);
  }
  for (std::size_t stream = 0; stream < start.streams.size(); ++stream)
    ::dup2(start.streams[stream], static_cast<int>(stream));
  // Unblock all signals, regardless of the mask of the starting thread, so that others can end the program.
  sigset_t none{};
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(start.arguments[0], start.arguments, environ);
  start.error = errno;
  ::_exit(1);
}

/// Starts a process, which is noted as running. On failure `start.error` is set.
pid_t start_process(Start& start) {
  sigset_t all{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &start.signals);
  // vfork, because copying the page tables of a large process is slow and may fail. posix_spawn is not enough: it
  // cannot set limits, and lets a program outlive its parent.
  const pid_t process = ::vfork();  // NOLINT(bugprone-unsafe-functions,clang-analyzer-security*)
  if (process == 0) become(start);
  if (process < 0) start.error = errno;
  if (process > 0 && start.error != 0) forget_running(process);
  ::pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
  if (process > 0 && start.error != 0) {
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  return process;
}

/// A running program and its streams.
class Exchange {
 public:
  Exchange(pid_t process, Ends input, Ends output, Ends errors, std::string_view text, const ProcessLimits& limits)
      : process_(process),
        input_(std::move(input.own)),
        output_(std::move(output.own)),
        errors_(std::move(errors.own)),
        text_(text),
        limits_(limits),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(std::min(limits.seconds, most_seconds)))) {}

  ProcessResult run() {
    while (output_.is_open() || errors_.is_open()) {
      if (is_over()) return stop(ProcessResult::End::timed_out);
      // Check this before reading: then everything that the program has written can be read.
      const bool has_ended = this->has_ended();
      if (has_ended) end_group();
      // A stream that is still open then belongs to another process, which may keep it open for any time.
      if (!exchange(has_ended) && has_ended) break;
      if (result_.output.size() > limits_.output_bytes || result_.errors.size() > limits_.error_bytes)
        return stop(ProcessResult::End::too_verbose);
    }
    constexpr std::chrono::microseconds first_wait(50);
    constexpr std::chrono::microseconds longest_wait(5000);
    for (std::chrono::microseconds wait = first_wait; !has_ended(); wait = std::min(2 * wait, longest_wait)) {
      if (is_over()) return stop(ProcessResult::End::timed_out);
      std::this_thread::sleep_for(wait);
    }
    return collect();
  }

 private:
  /// Reads and writes as far as possible, now or within milliseconds. Returns false if nothing was transferred.
  bool exchange(bool has_ended) {
    if (has_ended) text_ = {};
    if (text_.empty()) (void)input_.close();
    // Closed descriptors are negative, and poll ignores these.
    std::array<pollfd, 3> polled = {
        {{output_.number(), POLLIN, 0}, {errors_.number(), POLLIN, 0}, {input_.number(), POLLOUT, 0}}};
    constexpr long long between_looks = 50;
    constexpr long long between_looks_at_cancelled = 5;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    const long long most = limits_.is_cancelled == nullptr ? between_looks : between_looks_at_cancelled;
    const long long wait = has_ended ? 0 : std::clamp<long long>(left, 0, most);
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(wait));
    // The system may be out of memory only temporarily.
    if (ready < 0 && errno != EINTR) std::this_thread::sleep_for(std::chrono::milliseconds(wait));
    if (ready <= 0) return false;
    if (polled[0].revents != 0) read(output_, result_.output);
    if (polled[1].revents != 0) read(errors_, result_.errors);
    if (polled[2].revents != 0) write();
    return true;
  }

  [[nodiscard]] bool is_over() const { return Clock::now() >= deadline_ || is_cancelled(); }
  /// The process id is not reused before `collect`.
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    const int found = ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT);
    return found == 0 ? info.si_pid == process_ : errno != EINTR;
  }
  void end_group() const { ::kill(-process_, SIGKILL); }
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
    // A program that does not read all its input is not an error.
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
    end_group();
    forget_running(process_);
    // The status stays 0 if this process ignores SIGCHLD, or another thread has waited for the child.
    int status = 0;
    rusage usage{};
    while (::wait4(process_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    constexpr std::size_t kibibyte = 1024;
    const bool has_exited = WIFEXITED(status);
    result_.end = has_exited ? ProcessResult::End::exited : ProcessResult::End::killed;
    result_.status = has_exited ? WEXITSTATUS(status) : WTERMSIG(status);
    result_.most_memory_bytes = static_cast<std::size_t>(usage.ru_maxrss) * kibibyte;
    return std::move(result_);
  }

  pid_t process_;
  Descriptor input_;
  Descriptor output_;
  Descriptor errors_;
  std::string_view text_;  ///< input that is not sent yet
  const ProcessLimits& limits_;
  Clock::time_point deadline_;
  ProcessResult result_;
};

bool is_program(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::optional<std::string> find_program(const std::vector<std::string>& names) {
  const char* const variable = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): never written
  const std::string_view folders = variable == nullptr ? "/usr/bin:/bin" : variable;
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) {
      if (is_program(name)) return name;
      continue;
    }
    for (std::size_t start = 0; start <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', start), folders.size());
      std::string path(folders.substr(start, end - start));
      path += '/';
      path += name;
      if (end != start && is_program(path)) return path;
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
  Start start{.arguments = pointers.data(),
              .streams = {to_input->theirs.number(), from_output->theirs.number(), from_errors->theirs.number()},
              .memory_bytes = limits.memory_bytes};
  const pid_t process = start_process(start);
  failure.status = start.error;
  if (failure.status != 0) return failure;
  (void)to_input->theirs.close();
  (void)from_output->theirs.close();
  (void)from_errors->theirs.close();
  return Exchange(process, std::move(*to_input), std::move(*from_output), std::move(*from_errors), input, limits).run();
}

void end_processes() {
  nothing_more_starts = true;
  for (const std::atomic<pid_t>& place : running) {
    if (const pid_t process = place; process != 0) ::kill(-process, SIGKILL);
  }
}

}  // namespace salu::support
