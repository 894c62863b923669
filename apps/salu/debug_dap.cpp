#include "debug_dap.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dap/framing.hpp"
#include "dap/server.hpp"
#include "exit_codes.hpp"

namespace salu::app {
namespace {

/// A file descriptor that is closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Whether a call is to be made again.
bool is_passing(int error) { return error == EINTR || error == EAGAIN || error == EWOULDBLOCK; }

/// False when nobody reads any more: the other end is closed, or has taken nothing for half a minute.
bool write_all(int descriptor, std::string_view bytes) {
  constexpr int most_milliseconds = 30'000;
  while (!bytes.empty()) {
    pollfd one{descriptor, POLLOUT, 0};
    const int ready = poll(&one, 1, most_milliseconds);
    if (ready == 0) return false;
    if (ready < 0 && !is_passing(errno)) return false;
    if (ready < 0) continue;
    // So much does not block where there is room for something.
    const ssize_t written = write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
    if (written < 0 && is_passing(errno)) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// A standard stream that is closed would be the number of the next file that is opened.
void open_closed_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest number that is free.
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return;
  }
}

/// One client: a thread reads its messages and interrupts what runs, this one answers.
class Conversation {
 public:
  /// `listener`: where other clients are turned away meanwhile; -1 for nowhere.
  Conversation(int in, int out, int listener, const dap::Launch& defaults)
      : in_(in), out_(out), listener_(listener), server_(make_options(defaults)) {}
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation() = default;

  /// Returns what was wrong with the client's messages; nothing when it has left.
  std::string hold() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return std::string("cannot make a pipe: ") + std::strerror(errno);
    const Descriptor wake(ends[0]);
    const Descriptor waker(ends[1]);
    std::thread reader([&] { read_messages(wake.number()); });
    answer_messages();
    write_all(waker.number(), "x");
    reader.join();
    return problem_;
  }

 private:
  struct Message {
    std::string text;
    bool is_urgent = false;
  };

  dap::Server::Options make_options(const dap::Launch& defaults) {
    return {.send =
                [this](const std::string& message) {
                  if (!is_gone_) is_gone_ = !write_all(out_, dap::framed(message));
                },
            .exit_code_of = [](const Stop& stop) { return exit_code_of(stop); },
            .defaults = defaults};
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
    while (true) {
      bool waits = false;
      bool has_room = true;
      {
        const std::lock_guard lock(mutex_);
        waits = is_closed_ || !messages_.empty();
        has_room = queued_bytes_ < most_queued_bytes;
      }
      // A negative descriptor is passed over.
      std::array<pollfd, 3> all = {
          {{wake, POLLIN, 0}, {is_closed_ || !has_room ? -1 : in_, POLLIN, 0}, {listener_, POLLIN, 0}}};
      if (poll(all.data(), all.size(), waits ? again_milliseconds : -1) < 0 && errno != EINTR) return;
      if (all[0].revents != 0) return;
      if (all[2].revents != 0) turn_away();
      if (all[1].revents != 0) read_some(framing);
      interrupt();
    }
  }

  /// Takes what the client has sent.
  void read_some(dap::Framing& framing) {
    std::array<char, 65'536> bytes{};
    const ssize_t count = read(in_, bytes.data(), bytes.size());
    if (count < 0 && is_passing(errno)) return;
    if (count > 0) framing.feed(std::string_view(bytes.data(), static_cast<std::size_t>(count)));
    // A long message takes a while to be looked at: whoever answers need not wait for that.
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
    if (count <= 0 && framing.is_inside()) problem_ = "they end in the middle of a message";
    is_closed_ = count <= 0 || !problem_.empty();
    something_.notify_one();
  }

  /// As long as a message waits, or the client has gone: an interrupt may come too early to have an effect.
  void interrupt() {
    const std::lock_guard lock(mutex_);
    const bool has_urgent = std::ranges::any_of(messages_, &Message::is_urgent);
    if (is_closed_ || !messages_.empty()) server_.interrupt(is_closed_ || has_urgent);
  }

  /// There is one client at a time.
  void turn_away() {
    const int other = accept(listener_, nullptr, nullptr);
    if (other >= 0) {
      close(other);
    } else if (!is_passing(errno) && errno != ECONNABORTED) {
      // There are too many open files, perhaps. The others wait until this client has left.
      listener_ = -1;
    }
  }

  int in_;
  int out_;
  int listener_;
  dap::Server server_;
  bool is_gone_ = false;  ///< nobody reads the answers
  std::mutex mutex_;      ///< for what follows
  std::condition_variable something_;
  std::deque<Message> messages_;
  std::size_t queued_bytes_ = 0;
  bool is_closed_ = false;
  std::string problem_;
};

/// Waits until a client has read what was sent and closes its end: to close with something unread could lose the answer
/// to its goodbye.
void see_off(int client) {
  constexpr int most_milliseconds = 300;
  shutdown(client, SHUT_WR);
  std::array<char, 4096> ignored{};
  pollfd one{client, POLLIN, 0};
  constexpr int most_reads = 1000;
  for (int i = 0; i < most_reads && poll(&one, 1, most_milliseconds) > 0; ++i) {
    if (read(client, ignored.data(), ignored.size()) <= 0) return;
  }
}

int serve_on_port(const dap::Launch& defaults, u16 port) {
  const auto fail = [&](const char* what) {
    spdlog::error("error: port {} of 127.0.0.1: {}: {}", port, what, std::strerror(errno));
    return exit_code::bad_input;
  };
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (listener.number() < 0) return fail("cannot make a socket");
  const int yes = 1;
  setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  constexpr int backlog = 4;
  if (bind(listener.number(), generic, size) != 0) return fail("cannot be had");
  if (listen(listener.number(), backlog) != 0) return fail("cannot listen");
  if (getsockname(listener.number(), generic, &size) != 0) return fail("cannot tell its number");
  spdlog::info("salu: waiting for a debug client on 127.0.0.1:{}", ntohs(address.sin_port));
  while (true) {
    const Descriptor client(accept(listener.number(), nullptr, nullptr));
    if (client.number() < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (client.number() < 0) return fail("cannot take a client");
    setsockopt(client.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    const std::string problem = Conversation(client.number(), client.number(), listener.number(), defaults).hold();
    if (!problem.empty()) spdlog::error("error: the client's messages cannot be read: {}", problem);
    see_off(client.number());
  }
}

}  // namespace

int serve_debug_clients(const dap::Launch& defaults, std::optional<u16> port) {
  open_closed_streams();
  // Who does not read the answers has gone; that is no reason to be killed.
  std::signal(SIGPIPE, SIG_IGN);
  if (port) return serve_on_port(defaults, *port);
  const std::string problem = Conversation(STDIN_FILENO, STDOUT_FILENO, -1, defaults).hold();
  if (problem.empty()) return exit_code::good;
  spdlog::error("error: the client's messages cannot be read: {}", problem);
  return exit_code::bad_input;
}

}  // namespace salu::app
