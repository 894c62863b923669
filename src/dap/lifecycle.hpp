#pragma once

#include <salu/outcome.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dap/breakpoints.hpp"
#include "dap/client_traits.hpp"
#include "dap/launch.hpp"
#include "dap/messages.hpp"

namespace salu::dap {

/// Where a session with a client is; one bit each, so that a request can name those in which it is allowed.
enum class State : u8 {
  fresh = 1,        ///< before `initialize`
  initialized = 2,  ///< no program yet
  loaded = 4,       ///< a program, which `configurationDone` starts
  stopped = 8,
  running = 16,
  over = 32,  ///< the program has ended, and the client knows
};

/// Some states.
using States = u8;
constexpr States operator|(State left, State right) { return static_cast<u8>(left) | static_cast<u8>(right); }
constexpr States operator|(States left, State right) { return left | static_cast<u8>(right); }
namespace states {
inline constexpr States still = State::loaded | State::stopped;
inline constexpr States with_program = still | State::running | State::over;
inline constexpr States not_fresh = with_program | State::initialized;
inline constexpr States any = not_fresh | State::fresh;
}  // namespace states

/// Returns the exit code of a run for `exited`. `expected` is null where nothing is expected, or the run did not end.
using ExitCodeOf =
    std::function<int(const Stop& stop, const Expectation* expected, const std::vector<Mismatch>& mismatches)>;

/// How a session with a client begins and ends, and the program between.
class Lifecycle {
 public:
  /// What it refers to has to outlive it. `defaults`: what `launch` need not say.
  Lifecycle(Messages& messages, const ClientTraits& client, Breakpoints& breakpoints, Launch defaults,
            ExitCodeOf exit_code_of);

  [[nodiscard]] State state() const { return state_; }
  void enter(State state) { state_ = state; }
  /// Why a request is refused in this state; nothing when it is not.
  struct Obstacle {
    std::string text;     ///< for the user
    std::string message;  ///< for the client
  };
  [[nodiscard]] std::optional<Obstacle> find_obstacle(std::string_view request, States allowed) const;

  /// The client has said goodbye.
  [[nodiscard]] bool has_left() const { return has_left_; }
  void leave();
  /// The client has said what it wants to say before the program runs.
  [[nodiscard]] bool is_configured() const { return is_configured_; }
  void configure() { is_configured_ = true; }

  /// What was launched last, or nothing yet: the defaults.
  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const Launch& defaults() const { return defaults_; }
  /// Takes the place of the program that is there, if all goes well.
  std::optional<Error> load(const Launch& launch);
  [[nodiscard]] bool has_program() const { return debuggee_ != nullptr; }
  /// Needs a program.
  [[nodiscard]] Debuggee& debuggee() { return *debuggee_; }
  [[nodiscard]] const Debuggee& debuggee() const { return *debuggee_; }
  /// Makes what runs stop soon, from any thread.
  void interrupt();

  /// The program is over: the client is told how it was.
  void end_program();
  /// Whatever the program does: the client is told that it is over.
  void terminate();

 private:
  Messages& messages_;
  const ClientTraits& client_;
  Breakpoints& breakpoints_;
  ExitCodeOf exit_code_of_;
  Launch defaults_;
  Launch launch_;
  State state_ = State::fresh;
  bool is_configured_ = false;
  bool has_left_ = false;
  std::mutex debuggee_mutex_;  ///< for `interrupt`
  std::unique_ptr<Debuggee> debuggee_;
};

}  // namespace salu::dap
