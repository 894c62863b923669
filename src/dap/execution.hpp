#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dap/lifecycle.hpp"
#include "dap/notices.hpp"

namespace salu::dap {

/// Runs and stops the program, and reports it to the client.
class Execution {
 public:
  /// The arguments must outlive this object.
  Execution(Lifecycle& life, Notices& notices) : life_(life), notices_(notices) {}

  /// A move that the client requests.
  struct Move {
    std::function<Result<debug::Pause>(debug::Session& session)> start{};
    /// Continues the move after an interrupt; if empty, it is repeated.
    std::function<Result<debug::Pause>(debug::Session& session)> resume{};
    bool is_backward = false;
    bool leaves_end = false;  ///< ends the session at the end of the program
  };
  /// Registers a move for `work`. At the end of the program nothing moves.
  void start(const Move& move);
  /// Registers the move of `continue`.
  void go_on();
  /// Starts a loaded program after the client has set its breakpoints, or stops it at its entry.
  void begin();
  /// Makes the registered move until the program stops, which is reported, or until `interrupt`.
  void work();
  /// Requests a stop of the running program at the next `work`.
  void pause();
  /// Drops the moves of the previous program.
  void forget();
  /// Reports a stop.
  void stand_still(const debug::Pause& pause);
  /// Reports the stop after a command of the console has moved.
  void stand_behind_command(const std::string& command);

  /// Notes a pending message; `is_urgent` stops the program. May be called from any thread.
  void interrupt(bool is_urgent);
  /// Clears interrupts that came before the current request.
  void take_request();

  bool stops_at_faults = true;  ///< if false, faults end the session
  bool stops_at_end = true;     ///< if false, the end of the program ends the session
  /// Enables or disables stops at the warnings of the checks.
  void catch_warnings(bool stops);
  /// The warnings at which the program has stopped.
  [[nodiscard]] const std::vector<Warning>& caught() const { return caught_; }

 private:
  /// A move in progress.
  struct Going {
    Move move;
    u64 from = 0;
    u64 wave = 0;   ///< the wave that moves
    u64 limit = 0;  ///< the limit of its position
    bool was_interrupted = false;
  };

  Result<debug::Pause> advance();
  void stand_at_end();
  void apply_catch();

  Lifecycle& life_;
  Notices& notices_;
  std::optional<Going> going_;
  bool stops_at_warnings_ = true;
  std::vector<Warning> caught_;
  bool wants_pause_ = false;
  std::atomic<bool> has_message_ = false;
  std::atomic<bool> is_resumable_ = false;
};

}  // namespace salu::dap
