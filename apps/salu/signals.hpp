#pragma once

#include <csignal>
#include <string>

/// Signals: what they do, and what is put right before one of them ends the program.
namespace salu::app {

/// Lets a signal be handled. One that is ignored stays so: whoever started the program wants it. Calls that a signal
/// interrupts go on behind it.
void handle_signal(int signal, void (*handler)(int signal));

/// Lets a signal be handled as long as this lives (`handle_signal`).
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

/// Brings back the modes of the terminal, removes the socket and the file that is being written, and ends the programs
/// that are waited for: what has to be done before the program ends, wherever it is. Does only what a handler may.
void put_right();

/// The handler of what ends the program: puts right what is to be put right, and lets the signal end it, so that a
/// shell says 128 + its number. Does only what a handler may.
void end_by_signal(int signal);

/// Keeps the modes of the terminal on standard input, and brings them back in the end, by a signal as well.
class KeptTerminal {
 public:
  KeptTerminal();
  ~KeptTerminal();
  KeptTerminal(const KeptTerminal&) = delete;
  KeptTerminal& operator=(const KeptTerminal&) = delete;

  /// Brings them back for now. Does only what a handler may.
  static void restore();
};

/// Removes the socket of a path in the end, by a signal as well, unless something else has taken its place.
class RemovedSocket {
 public:
  /// There is one at a time; the path is one that a socket can have.
  explicit RemovedSocket(const std::string& path);
  ~RemovedSocket();
  RemovedSocket(const RemovedSocket&) = delete;
  RemovedSocket& operator=(const RemovedSocket&) = delete;
};

}  // namespace salu::app
