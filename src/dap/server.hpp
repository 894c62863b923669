#pragma once

#include <salu/outcome.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "dap/adapter.hpp"

namespace salu::dap {

/// A debug adapter: receives the messages of one client and answers them. It does no input or output. The requests are
/// declared in dap/request.hpp. `receive` answers at once; a request that runs the program only registers the move, and
/// `work` makes it. The owner calls both from one thread: `receive` for every pending message, then `work` while
/// `is_running`. `interrupt` may be called from any thread, and lets `work` return soon so that a message can be
/// received.
class Server {
 public:
  struct Options {
    std::function<void(const std::string& message)> send;  ///< receives JSON on one line, without a header
    ExitCodeOf exit_code_of;                               ///< for `exited`
    Launch defaults{};                                     ///< for missing arguments of `launch`
    /// The token that the client must send as an argument `token` of `initialize` or `launch` before any other request;
    /// otherwise the client is refused and the session ends. Empty: no token.
    std::string token{};
    std::chrono::milliseconds progress_after{500};  ///< the time before progress is reported
  };
  explicit Server(Options options);

  /// Answers a message, which may be malformed.
  void receive(std::string_view message);
  /// Runs the program until it stops, which is reported, or until `interrupt`.
  void work() { adapter_.run.work(); }
  [[nodiscard]] bool is_running() const { return adapter_.life.state() == State::running; }
  /// True after `initialize`, with the token if one is needed.
  [[nodiscard]] bool has_begun() const { return token_.empty() && adapter_.life.state() != State::fresh; }
  /// True after the client has disconnected or was refused.
  [[nodiscard]] bool has_ended() const { return adapter_.life.has_left(); }
  /// Notes a pending message. An urgent one stops the program; others let it continue after the answer. The effect may
  /// be lost while `work` is starting: call again while the message is pending.
  void interrupt(bool is_urgent) { adapter_.run.interrupt(is_urgent); }
  /// True for a message that stops the running program.
  static bool is_urgent(std::string_view message);

 private:
  std::string find_missing_token(const RequestId& id, Arguments& arguments);

  Adapter adapter_;
  std::string token_;  ///< empty after the client has sent it
};

}  // namespace salu::dap
