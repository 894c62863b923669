#pragma once

#include <csignal>
#include <string>

/// Signal handling, and the cleanup before a signal ends the program.
namespace salu::app {

/// Installs a signal handler. An ignored signal stays ignored, as the parent process requested. Interrupted system
/// calls are restarted.
void handle_signal(int signal, void (*handler)(int signal));

/// Installs a signal handler for its lifetime (`handle_signal`).
class SignalHandler {
 public:
  using Handler = void (*)(int signal);

  SignalHandler(int signal, Handler handler);
  ~SignalHandler();
  SignalHandler(const SignalHandler&) = delete;
  SignalHandler& operator=(const SignalHandler&) = delete;

 private:
  int signal_;
  struct sigaction before_{};
};

/// Cleans up before the program ends: restores the terminal, removes the socket and the unfinished file, and ends child
/// processes. Async-signal-safe.
void put_right();

/// The handler of signals that end the program: cleans up and raises the signal again, so that the shell returns 128 +
/// its number. Async-signal-safe.
void end_by_signal(int signal);

/// Restores the modes of the terminal on standard input at the end of its lifetime, or if a signal ends the program.
class KeptTerminal {
 public:
  KeptTerminal();
  ~KeptTerminal();
  KeptTerminal(const KeptTerminal&) = delete;
  KeptTerminal& operator=(const KeptTerminal&) = delete;

  /// Restores the modes now. Async-signal-safe.
  static void restore();
};

/// Removes a socket at the end of its lifetime, or if a signal ends the program, unless another file has replaced it.
class RemovedSocket {
 public:
  /// `path` must be short enough for a socket. Only one object may exist at a time.
  explicit RemovedSocket(const std::string& path);
  ~RemovedSocket();
  RemovedSocket(const RemovedSocket&) = delete;
  RemovedSocket& operator=(const RemovedSocket&) = delete;
};

}  // namespace salu::app
