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

/// The state of a session with a client; one bit each, so that a request can name the allowed states.
enum class State : u8 {
  fresh = 1,        ///< before `initialize`
  initialized = 2,  ///< no program yet
  loaded = 4,       ///< a program is loaded; `configurationDone` starts it
  stopped = 8,
  running = 16,
  over = 32,  ///< the program has ended, and the client was informed
};

/// A set of states.
using States = u8;
constexpr States operator|(State left, State right) { return static_cast<u8>(left) | static_cast<u8>(right); }
constexpr States operator|(States left, State right) { return left | static_cast<u8>(right); }
namespace states {
inline constexpr States still = State::loaded | State::stopped;
inline constexpr States with_program = still | State::running | State::over;
inline constexpr States not_fresh = with_program | State::initialized;
inline constexpr States any = not_fresh | State::fresh;
}  // namespace states

/// Returns the exit code of a run for `exited`. `expected` is null without expectations, or if the run did not end.
using ExitCodeOf =
    std::function<int(const Stop& stop, const Expectation* expected, const std::vector<Mismatch>& mismatches)>;

/// The start and end of a session with a client, and its program.
class Lifecycle {
 public:
  /// The arguments must outlive this object. `defaults`: for missing arguments of `launch`.
  Lifecycle(Messages& messages, const ClientTraits& client, Breakpoints& breakpoints, Launch defaults,
            ExitCodeOf exit_code_of);

  [[nodiscard]] State state() const { return state_; }
  void enter(State state) { state_ = state; }
  /// The reason why a request is refused in this state.
  struct Obstacle {
    std::string text;     ///< for the user
    std::string message;  ///< for the client
  };
  [[nodiscard]] std::optional<Obstacle> find_obstacle(std::string_view request, States allowed) const;

  /// True after the client has disconnected.
  [[nodiscard]] bool has_left() const { return has_left_; }
  void leave();
  /// True after `configurationDone`.
  [[nodiscard]] bool is_configured() const { return is_configured_; }
  void configure() { is_configured_ = true; }

  /// The last launch, or the defaults.
  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] const Launch& defaults() const { return defaults_; }
  /// Loads a program, which replaces the current one on success.
  std::optional<Error> load(const Launch& launch);
  [[nodiscard]] bool has_program() const { return debuggee_ != nullptr; }
  /// The program; there must be one.
  [[nodiscard]] Debuggee& debuggee() { return *debuggee_; }
  [[nodiscard]] const Debuggee& debuggee() const { return *debuggee_; }
  /// Interrupts the current move. May be called from any thread.
  void interrupt();

  /// Reports the end of the program and its outcome.
  void end_program();
  /// Ends the session and reports this to the client.
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
