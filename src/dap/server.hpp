#pragma once

#include <salu/outcome.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "dap/adapter.hpp"

namespace salu::dap {

/// A debug adapter: takes the messages of one client and answers them. It does no input and output of its own. What
/// each request does stands with its declaration (dap/request.hpp).
///
/// `receive` answers at once; a request that lets the program run only notes that, and `work` runs it. Whoever feeds
/// the server calls both from one thread: `receive` for every message that is there, then `work` while `is_running`.
/// `interrupt` may be called from any thread, and makes `work` return soon so that a message can be received.
class Server {
 public:
  struct Options {
    std::function<void(const std::string& message)> send;  ///< gets JSON on one line, without a header
    ExitCodeOf exit_code_of;                               ///< for `exited`
    Launch defaults{};                                     ///< what `launch` need not say
    /// What the client has to send as an argument `token`, of `initialize` or `launch`, before anything else is done
    /// for it: otherwise it is refused, and has left. Empty: nothing.
    std::string token{};
    std::chrono::milliseconds progress_after{500};  ///< how long a command may take until its progress is told
  };
  explicit Server(Options options);

  /// Answers a message, whatever is in it.
  void receive(std::string_view message);
  /// Runs the program until it stands still, which the client is told, or until `interrupt`.
  void work() { adapter_.run.work(); }
  [[nodiscard]] bool is_running() const { return adapter_.life.state() == State::running; }
  /// The client has begun a session, by `initialize`, and has sent the token.
  [[nodiscard]] bool has_begun() const { return token_.empty() && adapter_.life.state() != State::fresh; }
  /// The client has said goodbye, or has been refused.
  [[nodiscard]] bool has_ended() const { return adapter_.life.has_left(); }
  /// A message waits. One that is urgent stops what runs; another one lets it go on after the answer. The effect may be
  /// lost while `work` is just starting: call it again as long as the message waits.
  void interrupt(bool is_urgent) { adapter_.run.interrupt(is_urgent); }
  /// Whether a message asks for the end of what runs.
  static bool is_urgent(std::string_view message);

 private:
  std::string find_missing_token(const RequestId& id, Arguments& arguments);

  Adapter adapter_;
  std::string token_;  ///< empty once it has been sent
};

}  // namespace salu::dap
