#include "signals.hpp"

#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "support/process.hpp"
#include "support/replace_file.hpp"

namespace salu::app {
namespace {

// Data for signal handlers. Each flag is set after the data that it guards.
volatile std::sig_atomic_t has_terminal_modes = 0;
termios terminal_modes{};
volatile std::sig_atomic_t has_socket = 0;
std::array<char, sizeof(sockaddr_un::sun_path)> socket_path{};
struct stat socket_identity{};

void remove_socket() {
  if (has_socket == 0) return;
  has_socket = 0;
  struct stat now{};
  const bool is_ours = lstat(socket_path.data(), &now) == 0 && now.st_dev == socket_identity.st_dev &&
                       now.st_ino == socket_identity.st_ino;
  if (is_ours) unlink(socket_path.data());
}

}  // namespace

void handle_signal(int signal, void (*handler)(int signal)) {
  struct sigaction action{};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

SignalHandler::SignalHandler(int signal, Handler handler) : signal_(signal) {
  sigaction(signal, nullptr, &before_);
  handle_signal(signal, handler);
}

SignalHandler::~SignalHandler() { sigaction(signal_, &before_, nullptr); }

void put_right() {
  KeptTerminal::restore();
  remove_socket();
  support::end_processes();
  support::remove_unfinished_file();
}

void end_by_signal(int signal) {
  put_right();
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  // The signal is blocked until this handler returns.
  raise(signal);
}

KeptTerminal::KeptTerminal() {
  if (tcgetattr(STDIN_FILENO, &terminal_modes) == 0) has_terminal_modes = 1;
}

KeptTerminal::~KeptTerminal() {
  restore();
  has_terminal_modes = 0;
}

void KeptTerminal::restore() {
  // In the background the terminal belongs to another process.
  if (has_terminal_modes != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp())
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal_modes);
}

RemovedSocket::RemovedSocket(const std::string& path) {
  std::ranges::copy(path.substr(0, socket_path.size() - 1), socket_path.begin());
  if (lstat(socket_path.data(), &socket_identity) == 0) has_socket = 1;
}

RemovedSocket::~RemovedSocket() { remove_socket(); }

}  // namespace salu::app
