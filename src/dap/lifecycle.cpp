#include "dap/lifecycle.hpp"

#include <utility>

#include "dap/stop_text.hpp"
#include "loader/scenario/one_scenario.hpp"

namespace salu::dap {

Lifecycle::Lifecycle(Messages& messages, const ClientTraits& client, Breakpoints& breakpoints, Launch defaults,
                     ExitCodeOf exit_code_of)
    : messages_(messages),
      client_(client),
      breakpoints_(breakpoints),
      exit_code_of_(std::move(exit_code_of)),
      defaults_(std::move(defaults)),
      launch_(defaults_) {}

std::optional<Lifecycle::Obstacle> Lifecycle::find_obstacle(std::string_view request, States allowed) const {
  constexpr States first = State::fresh | State::initialized;
  constexpr States later = State::stopped | State::running;
  const auto here = static_cast<States>(state_);
  const auto refuse = [](const std::string& text) { return Obstacle{text, text}; };
  if ((allowed & here) != 0) {
    const bool needs_program = (allowed & first) == 0;
    if (state_ != State::over || has_program() || !needs_program) return std::nullopt;
    return refuse("the session has ended, without a program");
  }
  const std::string name = "`" + std::string(request) + "`";
  // Requests that are allowed once, before the program runs.
  const bool is_early = (allowed & later) == 0;
  const bool is_first = (allowed & static_cast<States>(State::fresh)) != 0;
  if (is_early && allowed < here && (has_program() || is_first)) return refuse(name + " was sent before");
  switch (state_) {
    case State::running:
      return Obstacle{"the program is running: pause it before " + name, "notStopped"};
    case State::over:
      return refuse(has_program() ? "the program has ended" : "the session has ended, without a program");
    case State::fresh:
      return refuse("`initialize` must come first");
    case State::initialized:
      return refuse("no program has been launched yet");
    default:
      return refuse("`configurationDone` starts the program");
  }
}

std::optional<Error> Lifecycle::load(const Launch& launch) {
  Result<Scenario> scenario = loader::load_one(launch.program, launch.load, launch.choice);
  if (!scenario) return std::move(scenario).error();
  launch_ = launch;
  auto debuggee = std::make_unique<Debuggee>(*std::move(scenario), launch.history);
  if (launch.wave) {
    if (std::optional<Error> problem = debuggee->session.start_at_wave(*launch.wave)) return problem;
  }
  {
    const std::lock_guard lock(debuggee_mutex_);
    std::swap(debuggee_, debuggee);
  }
  for (const Remark& remark : debuggee_->scenario.remarks) messages_.print(remark.to_string());
  for (Json& change : breakpoints_.set_in(launch.no_debug ? nullptr : debuggee_.get())) {
    client_.adjust_lines(change["breakpoint"]);
    messages_.tell("breakpoint", std::move(change));
  }
  return std::nullopt;
}

void Lifecycle::interrupt() {
  const std::lock_guard lock(debuggee_mutex_);
  if (debuggee_ != nullptr) debuggee_->console.interrupt();
}

void Lifecycle::end_program() {
  const debug::RunHistory& run = debuggee_->session.run();
  Stop stop;
  const Expectation* expected = nullptr;
  std::vector<Mismatch> mismatches;
  if (run.ended()) {
    stop = run.stop();
    messages_.print(stop_text(stop, run.position(), debuggee_->scenario.program));
    if (debuggee_->scenario.expect) expected = &*debuggee_->scenario.expect;
    mismatches = debuggee_->session.failed_expectations();
    if (!debuggee_->has_told_expectations) {
      for (const Mismatch& mismatch : mismatches) messages_.print(debug::failure_text(mismatch));
    }
  }
  state_ = State::over;
  messages_.tell("exited", {{"exitCode", exit_code_of_(stop, expected, mismatches)}});
  messages_.tell("terminated", nullptr);
}

void Lifecycle::terminate() {
  if (state_ != State::over) messages_.tell("terminated", nullptr);
  state_ = State::over;
}

void Lifecycle::leave() {
  state_ = State::over;
  has_left_ = true;
}

}  // namespace salu::dap
