#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dap/lifecycle.hpp"
#include "dap/notices.hpp"

namespace salu::dap {

/// Lets the program run, makes it stand still, and says so.
class Execution {
 public:
  /// What it refers to has to outlive it.
  Execution(Lifecycle& life, Notices& notices) : life_(life), notices_(notices) {}

  /// What a client wants the session to do.
  struct Move {
    std::function<Result<debug::Pause>(debug::Session& session)> start{};
    /// Behind an interrupt; none: it starts again.
    std::function<Result<debug::Pause>(debug::Session& session)> resume{};
    bool is_backward = false;
    bool leaves_end = false;  ///< at the end of the program it ends the session
  };
  /// Notes a move, which `work` makes; at the end of the program there is none to make.
  void start(const Move& move);
  /// The move of `continue`.
  void go_on();
  /// A program that was loaded, whose client has set its breakpoints, begins to run, or stands at its entry.
  void begin();
  /// Makes the move that was noted until the program stands still, which the client is told, or until `interrupt`.
  void work();
  /// Makes what runs stand still as soon as `work` goes on.
  void pause();
  /// Another program has been loaded: whatever was to be done was for the one before.
  void forget();
  /// The program stands still.
  void stand_still(const debug::Pause& pause);
  /// A command of the console has moved.
  void stand_behind_command(const std::string& command);

  /// A message waits, which `is_urgent` when it ends what runs; from any thread.
  void interrupt(bool is_urgent);
  /// A request is handled: what came before it was for another one.
  void take_request();

  bool stops_at_faults = true;  ///< otherwise they end the session
  bool stops_at_end = true;     ///< likewise
  /// Makes the program stop at warnings of the kinds that it is checked for, or not.
  void catch_warnings(bool stops);
  /// The warnings at which the program stands, if it stopped because of them.
  [[nodiscard]] const std::vector<Warning>& caught() const { return caught_; }

 private:
  /// A move on its way.
  struct Going {
    Move move;
    u64 from = 0;
    u64 limit = 0;  ///< the position up to which it may go forwards
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
