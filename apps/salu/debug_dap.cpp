#include "debug_dap.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dap/framing.hpp"
#include "dap/server.hpp"
#include "exit_codes.hpp"
#include "signals.hpp"
#include "support/descriptor.hpp"

namespace salu::app {
namespace {

using support::Descriptor;

/// True if a failed call is to be repeated.
bool is_passing(int error) { return error == EINTR || error == EAGAIN || error == EWOULDBLOCK; }

/// Returns false if the other end is closed, or has read nothing for half a minute.
bool send_all(int descriptor, std::string_view bytes) {
  constexpr int most_milliseconds = 30'000;
  while (!bytes.empty()) {
    pollfd one{descriptor, POLLOUT, 0};
    const int ready = poll(&one, 1, most_milliseconds);
    if (ready == 0) return false;
    if (ready < 0 && !is_passing(errno)) return false;
    if (ready < 0) continue;
    // A write of PIPE_BUF bytes does not block after poll() has reported that the descriptor is writable.
    const ssize_t written = write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    if (written < 0 && is_passing(errno)) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The conversation with one client. A second thread reads messages and interrupts the run; this thread answers them.
class Conversation {
 public:
  /// `listener`: the socket on which further clients are refused meanwhile, or -1. `token`: the token that the client
  /// must send, or "".
  Conversation(int in, int out, int listener, const dap::Launch& defaults, const std::string& token)
      : in_(in), out_(out), listener_(listener), server_(make_options(defaults, token)) {}
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation() = default;

  /// Serves the client until it leaves. Returns an error message for malformed messages, or "".
  std::string hold() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return std::string("cannot make a pipe: ") + std::strerror(errno);
    const Descriptor wake(ends[0]);
    const Descriptor waker(ends[1]);
    std::thread reader([&] { read_messages(wake.number()); });
    answer_messages();
    send_all(waker.number(), "x");
    reader.join();
    return problem_;
  }

 private:
  struct Message {
    std::string text;
    bool is_urgent = false;
  };

  using Clock = std::chrono::steady_clock;

  dap::Server::Options make_options(const dap::Launch& defaults, const std::string& token) {
    return {.send =
                [this](const std::string& message) {
                  // The client may reconnect as soon as it has read the answer to `disconnect`.
                  if (server_.has_ended()) is_leaving_ = true;
                  if (!is_gone_) is_gone_ = !send_all(out_, dap::framed(message));
                },
            .exit_code_of =
                [](const Stop& stop, const Expectation* expected, const std::vector<Mismatch>& mismatches) {
                  return expected == nullptr ? exit_code_of(stop) : exit_code_of(stop, *expected, mismatches);
                },
            .defaults = defaults,
            .token = token};
  }

  void answer_messages() {
    while (!server_.has_ended() && !is_gone_) {
      std::unique_lock lock(mutex_);
      if (!server_.is_running()) something_.wait(lock, [this] { return !messages_.empty() || is_closed_; });
      if (!messages_.empty()) {
        const Message message = std::move(messages_.front());
        messages_.pop_front();
        queued_bytes_ -= message.text.size();
        lock.unlock();
        server_.receive(message.text);
        has_begun_ = server_.has_begun();
      } else if (is_closed_) {
        return;
      } else {
        lock.unlock();
        server_.work();
      }
    }
  }

  void read_messages(int wake) {
    constexpr int again_milliseconds = 5;
    constexpr std::size_t most_queued_bytes = std::size_t{32} << 20;
    dap::Framing framing;
    const auto deadline = Clock::now() + std::chrono::seconds(most_silent_seconds);
    while (true) {
      bool waits = false;
      bool has_room = true;
      {
        const std::lock_guard lock(mutex_);
        waits = is_closed_ || !messages_.empty();
        has_room = queued_bytes_ < most_queued_bytes;
      }
      // poll() ignores negative descriptors.
      std::array<pollfd, 3> all = {{{wake, POLLIN, 0},
                                    {is_closed_ || !has_room ? -1 : in_, POLLIN, 0},
                                    {is_leaving_ ? -1 : listener_, POLLIN, 0}}};
      const bool is_awaited = listener_ >= 0 && !has_begun_ && !is_closed_;
      const int milliseconds = waits ? again_milliseconds : is_awaited ? milliseconds_until(deadline) : -1;
      if (poll(all.data(), all.size(), milliseconds) < 0 && errno != EINTR)
        return give_up(fmt::format("poll() failed ({})", std::strerror(errno)));
      if (all[0].revents != 0) return;
      if (all[2].revents != 0 && !is_leaving_) turn_away();
      if (all[1].revents != 0) read_some(framing);
      if (is_awaited && !has_begun_ && Clock::now() >= deadline)
        give_up(fmt::format("the client did not start a session within {} seconds", most_silent_seconds));
      interrupt();
    }
  }

  static int milliseconds_until(Clock::time_point time) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now());
    return static_cast<int>(std::max<std::chrono::milliseconds::rep>(left.count(), 0));
  }

  /// Closes the conversation, e.g. with a client that keeps others waiting and does not start a session.
  void give_up(std::string problem) {
    const std::lock_guard lock(mutex_);
    problem_ = std::move(problem);
    is_closed_ = true;
    something_.notify_one();
  }

  /// Reads the messages that have arrived.
  void read_some(dap::Framing& framing) {
    std::array<char, 65'536> bytes{};
    const ssize_t count = read(in_, bytes.data(), bytes.size());
    if (count < 0 && is_passing(errno)) return;
    if (count > 0) framing.feed(std::string_view(bytes.data(), static_cast<std::size_t>(count)));
    // Parses without the lock, because long messages take a while.
    std::vector<Message> taken;
    while (std::optional<std::string> text = framing.next()) {
      const bool is_urgent = dap::Server::is_urgent(*text);
      taken.push_back({*std::move(text), is_urgent});
    }
    const std::lock_guard lock(mutex_);
    for (Message& message : taken) {
      queued_bytes_ += message.text.size();
      messages_.push_back(std::move(message));
    }
    problem_ = framing.problem();
    if (count <= 0 && framing.is_inside()) problem_ = "the input ends within a message";
    is_closed_ = count <= 0 || !problem_.empty();
    something_.notify_one();
  }

  /// Interrupts the run while messages are pending or the client is gone. Repeated, because an interrupt may come too
  /// early to have an effect.
  void interrupt() {
    const std::lock_guard lock(mutex_);
    const bool has_urgent = std::ranges::any_of(messages_, &Message::is_urgent);
    if (is_closed_ || !messages_.empty()) server_.interrupt(is_closed_ || has_urgent);
  }

  /// Refuses another client: there is one at a time.
  void turn_away() {
    const int other = accept(listener_, nullptr, nullptr);
    if (other >= 0) {
      close(other);
    } else if (!is_passing(errno) && errno != ECONNABORTED) {
      // Too many open files, for example. The others wait until this client has left.
      listener_ = -1;
    }
  }

  static constexpr int most_silent_seconds = 10;

  int in_;
  int out_;
  int listener_;
  dap::Server server_;
  bool is_gone_ = false;                  ///< the client no longer reads the answers
  std::atomic<bool> has_begun_ = false;   ///< the client has begun a session
  std::atomic<bool> is_leaving_ = false;  ///< the client has disconnected: the next one need not wait
  std::mutex mutex_;                      ///< protects the members below
  std::condition_variable something_;
  std::deque<Message> messages_;
  std::size_t queued_bytes_ = 0;
  bool is_closed_ = false;
  std::string problem_;
};

/// Waits until a client has read all answers and closes its end. Closing with unread input could lose the answer to
/// `disconnect`.
void see_off(int client) {
  constexpr int most_milliseconds = 300;
  shutdown(client, SHUT_WR);
  std::array<char, 4096> ignored{};
  pollfd one{client, POLLIN, 0};
  constexpr int most_reads = 1000;
  // A client that keeps sending must not keep others waiting.
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(most_milliseconds);
  for (int i = 0; i < most_reads && std::chrono::steady_clock::now() < end && poll(&one, 1, most_milliseconds) > 0;
       ++i) {
    if (read(client, ignored.data(), ignored.size()) <= 0) return;
  }
}

/// Serves the clients that connect to a socket, one after the other. `find_reason` returns a reason to refuse a client,
/// or "". Returns with `errno` if accept() fails.
void serve_all(int listener, const dap::Launch& defaults, const std::string& token,
               const std::function<std::string(int client)>& find_reason) {
  while (true) {
    const Descriptor client(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (!client.is_open() && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (!client.is_open()) return;
    if (const std::string reason = find_reason(client.number()); !reason.empty()) {
      spdlog::warn("salu: refused a client: {}", reason);
      continue;
    }
    const int yes = 1;
    setsockopt(client.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const std::string problem = Conversation(client.number(), client.number(), listener, defaults, token).hold();
    if (!problem.empty()) spdlog::error("error: the client's messages cannot be read: {}", problem);
    see_off(client.number());
  }
}

/// True for users whose clients are served. Clients can read files with the rights of this process.
bool is_trusted(uid_t user) { return user == 0 || user == geteuid(); }

/// True if the user ID of this process identifies its user. In a user namespace all unmapped users share one ID, which
/// this process may have.
bool is_user_told_apart() {
  constexpr uid_t usual = 65534;
  std::ifstream file("/proc/sys/kernel/overflowuid");
  uid_t unknown = 0;
  return geteuid() != (file >> unknown ? unknown : usual);
}

// ---- a port ----

/// The owner of one end of a connection, from /proc/net/tcp.
struct SocketOwner {
  uid_t user = 0;
  u64 inode = 0;  ///< 0 for a closed socket, whose user is meaningless
};

/// The owner of the socket with `address` that is connected to `other`; nothing if the table does not have it.
std::optional<SocketOwner> find_owner(const sockaddr_in& address, const sockaddr_in& other) {
  // The prefix of an IPv4 address mapped to IPv6.
  const std::string mapped = fmt::format("{:016X}{:08X}", 0, htonl(0xffff));
  const auto end_text = [](const std::string& prefix, const sockaddr_in& end) {
    return fmt::format("{}{:08X}:{:04X}", prefix, end.sin_addr.s_addr, ntohs(end.sin_port));
  };
  for (const auto& [path, prefix] : {std::pair("/proc/net/tcp", std::string()), std::pair("/proc/net/tcp6", mapped)}) {
    const std::string local = end_text(prefix, address);
    const std::string remote = end_text(prefix, other);
    std::ifstream table(path);
    std::string line;
    while (std::getline(table, line)) {
      // The number of the line, both ends, the state, queues, a timer, retransmissions, the user, a timeout, the inode.
      std::istringstream fields(line);
      std::string passed;
      std::string from;
      std::string to;
      SocketOwner owner;
      fields >> passed >> from >> to;
      if (from != local || to != remote) continue;
      fields >> passed >> passed >> passed >> passed >> owner.user >> passed >> owner.inode;
      if (fields && owner.inode != 0) return owner;
    }
  }
  return std::nullopt;
}

/// Returns the reason to refuse a client on a port, or "" for a trusted user.
std::string refusal_on_port(int client) {
  sockaddr_in here{};
  sockaddr_in there{};
  socklen_t here_size = sizeof here;
  socklen_t there_size = sizeof there;
  if (getsockname(client, reinterpret_cast<sockaddr*>(&here), &here_size) != 0 ||
      getpeername(client, reinterpret_cast<sockaddr*>(&there), &there_size) != 0)
    return "it has disconnected";
  const auto owner = find_owner(there, here);
  // A socket that is closed while the kernel writes its table entry appears to be root's. A socket that is still in the
  // table at the second read was open at the first.
  const auto again = owner ? find_owner(there, here) : std::nullopt;
  if (!owner || !again || owner->inode != again->inode) return "it has disconnected, or its user is unknown";
  return is_trusted(owner->user) ? "" : fmt::format("it is one of user {}", owner->user);
}

/// 128 random bits; "" if the system has none.
std::string make_token() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

int serve_on_port(const dap::Launch& defaults, u16 port, bool need_token) {
  const auto fail = [&](const char* what) {
    spdlog::error("error: port {} of 127.0.0.1: {}: {}", port, what, std::strerror(errno));
    return exit_code::bad_input;
  };
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.is_open()) return fail("cannot make a socket");
  const int yes = 1;
  setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  constexpr int backlog = 4;
  if (bind(listener.number(), generic, size) != 0) return fail("cannot be used");
  if (listen(listener.number(), backlog) != 0) return fail("cannot listen");
  if (getsockname(listener.number(), generic, &size) != 0) return fail("cannot read its number");
  // The entry of the own socket shows whether the table can be trusted.
  const auto own = find_owner(address, sockaddr_in{});
  const bool tells_owners = own && own->user == geteuid() && is_user_told_apart();
  std::string token;
  if (need_token || !tells_owners) {
    token = make_token();
    if (token.empty()) return fail("cannot make a token");
  }
  spdlog::info("salu: waiting for a debug client on 127.0.0.1:{}{}", ntohs(address.sin_port),
               token.empty() ? "" : ", which has to send the token " + token);
  serve_all(listener.number(), defaults, token,
            [&](int client) { return tells_owners ? refusal_on_port(client) : std::string(); });
  return fail("cannot accept a client");
}

// ---- a socket ----

/// Returns the reason to refuse a client on a Unix domain socket, or "".
std::string refusal_on_socket(int client) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return "its user is unknown";
  return is_trusted(peer.uid) ? "" : fmt::format("it is one of user {}", peer.uid);
}

/// Removes a socket of this user that is no longer in use. Returns an error message if the path is occupied, or "".
std::string clear_path(const std::string& path, const sockaddr_un& address) {
  struct stat there{};
  if (lstat(path.c_str(), &there) != 0) return errno == ENOENT ? "" : std::strerror(errno);
  if (!S_ISSOCK(there.st_mode)) return "the file exists and is not a socket";
  if (there.st_uid != geteuid()) return "the socket belongs to another user";
  const Descriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool is_stale = connect(probe.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
                        errno == ECONNREFUSED;
  if (!is_stale) return "the socket is already in use";
  return unlink(path.c_str()) == 0 ? "" : std::strerror(errno);
}

int serve_on_socket(const dap::Launch& defaults, const std::string& path) {
  const auto fail = [&](const std::string& what) {
    spdlog::error("error: {}: {}", path, what);
    return exit_code::bad_input;
  };
  const auto fail_at = [&](const std::string& what) { return fail(what + ": " + std::strerror(errno)); };
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return fail(fmt::format("the path of a socket has at most {} bytes", sizeof address.sun_path - 1));
  std::ranges::copy(path, std::begin(address.sun_path));
  if (const std::string obstacle = clear_path(path, address); !obstacle.empty()) return fail(obstacle);
  const Descriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.is_open()) return fail_at("cannot make a socket");
  // The file is accessible to this user only from the start.
  constexpr mode_t none_but_owner_connects = 0177;
  const mode_t mask = umask(none_but_owner_connects);
  const bool is_bound = bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  umask(mask);
  if (!is_bound) return fail_at("cannot be used");
  const RemovedSocket removed(path);
  const SignalHandler on_interrupt(SIGINT, end_by_signal);
  const SignalHandler on_end(SIGTERM, end_by_signal);
  const SignalHandler on_hangup(SIGHUP, end_by_signal);
  constexpr int backlog = 4;
  if (listen(listener.number(), backlog) != 0) return fail_at("cannot listen");
  spdlog::info("salu: waiting for a debug client on {}", path);
  serve_all(listener.number(), defaults, "", refusal_on_socket);
  return fail_at("cannot accept a client");
}

}  // namespace

int serve_debug_clients(const dap::Launch& defaults, const DebugClients& clients) {
  // A write to a disconnected client must not end the process.
  std::signal(SIGPIPE, SIG_IGN);
  if (clients.port) return serve_on_port(defaults, *clients.port, clients.need_token);
  if (!clients.socket.empty()) return serve_on_socket(defaults, clients.socket);
  const std::string problem = Conversation(STDIN_FILENO, STDOUT_FILENO, -1, defaults, "").hold();
  if (problem.empty()) return exit_code::good;
  spdlog::error("error: the client's messages cannot be read: {}", problem);
  return exit_code::bad_input;
}

}  // namespace salu::app
