#include "dap/execution.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "dap/stop_text.hpp"
#include "support/numbers.hpp"

namespace salu::dap {

using Reason = debug::Pause::Reason;

namespace {

debug::Pause paused(Reason reason) { return {reason, {}, {}}; }

}  // namespace

// ---- moving ----

void Execution::start(const Move& move) {
  debug::Session& session = life_.debuggee().session;
  if (session.run().ended() && !move.is_backward) {
    if (move.leaves_end) {
      life_.end_program();
    } else {
      stand_at_end();
    }
    return;
  }
  constexpr u64 last = std::numeric_limits<u64>::max();
  const u64 from = session.run().position();
  const u64 most = life_.debuggee().scenario.options.max_steps;
  session.clear_interrupt();
  life_.debuggee().has_told_expectations = false;
  caught_.clear();
  is_resumable_ = move.resume != nullptr;
  going_ = {move, from, session.wave().number, from + std::min(most, last - from)};
  life_.enter(State::running);
}

void Execution::go_on() {
  start({.start = [](debug::Session& session) { return Result(session.go_on()); },
         .resume = [](debug::Session& session) { return Result(session.resume()); },
         .leaves_end = true});
}

void Execution::begin() {
  Debuggee& debuggee = life_.debuggee();
  life_.enter(State::stopped);
  apply_catch();
  notices_.say_started(debuggee);
  // A move ignores breakpoints before its first instruction.
  notices_.print_log(debuggee);
  const bool is_watched = !life_.launch().no_debug;
  const debug::Pause here = is_watched ? debuggee.session.look_here() : debug::Pause{};
  if ((life_.launch().stop_on_entry && is_watched) || debuggee.session.run().ended())
    return stand_still(paused(Reason::start));
  if (here.reason == Reason::breakpoint) return stand_still(here);
  go_on();
}

void Execution::work() {
  // Pending messages come first.
  if (life_.state() != State::running || has_message_.exchange(false)) return;
  const Result<debug::Pause> result = wants_pause_ ? Result(paused(Reason::interrupted)) : advance();
  const debug::Pause pause = result ? *result : paused(Reason::step);
  going_->was_interrupted = pause.reason == Reason::interrupted && !wants_pause_;
  if (!going_->was_interrupted) stand_still(pause);
}

/// Makes the move until it is complete or interrupted.
Result<debug::Pause> Execution::advance() {
  debug::Session& session = life_.debuggee().session;
  notices_.print_log(life_.debuggee());
  if (!has_message_) session.clear_interrupt();
  const Move& move = going_->move;
  const bool is_resumed = going_->was_interrupted && move.resume && session.run().position() != going_->from;
  // An interrupted step is repeated from its start.
  if (going_->was_interrupted && !is_resumed) {
    while (session.go_to(going_->from).reason == Reason::interrupted) continue;
    (void)session.choose_wave(going_->wave);
  }
  session.set_limit(going_->limit - std::min(going_->limit, session.run().position()));
  return is_resumed ? move.resume(session) : move.start(session);
}

// ---- warnings ----

void Execution::catch_warnings(bool stops) {
  stops_at_warnings_ = stops;
  if (life_.has_program()) apply_catch();
}

void Execution::apply_catch() {
  debug::Session& session = life_.debuggee().session;
  const bool stops = stops_at_warnings_ && !life_.launch().no_debug;
  session.catch_warnings(stops ? session.run().checked_kinds() : std::set<WarningKind>());
}

// ---- interrupting ----

void Execution::interrupt(bool is_urgent) {
  has_message_ = true;
  if (is_urgent || is_resumable_) life_.interrupt();
}

void Execution::take_request() {
  has_message_ = false;
  if (life_.has_program()) life_.debuggee().session.clear_interrupt();
}

// A stopped program needs nothing.
void Execution::pause() { wants_pause_ = life_.state() == State::running; }

void Execution::forget() {
  going_.reset();
  caught_.clear();
  wants_pause_ = false;
}

// ---- standing still ----

void Execution::stand_still(const debug::Pause& pause) {
  Debuggee& debuggee = life_.debuggee();
  const u64 most = debuggee.scenario.options.max_steps;
  forget();
  is_resumable_ = false;
  life_.enter(State::stopped);
  debuggee.session.set_limit(most);
  notices_.tell_warnings(debuggee);
  if (life_.launch().no_debug && pause.reason != Reason::interrupted) return life_.end_program();
  // The end of the program takes precedence, unless its last instruction hit a watchpoint.
  if (debuggee.session.run().ended() && pause.reason != Reason::watchpoint) return stand_at_end();
  switch (pause.reason) {
    case Reason::breakpoint:
    case Reason::watchpoint:
      return notices_.say_hit(debuggee, pause);
    case Reason::start:
      if (debuggee.session.run().position() != 0)
        return notices_.say_stopped(debuggee, "entry", "Paused at the start of the wave", "The wave starts here.");
      return notices_.say_stopped(debuggee, "entry", "Paused at the start of the program", "The run starts here.");
    case Reason::limit:
      return notices_.say_stopped(
          debuggee, "pause", "Paused at the limit of instructions",
          support::counted(most, "instruction") +
              " were executed by one request; continue resumes, and `maxSteps` changes the limit.");
    case Reason::warning: {
      caught_ = pause.warnings;
      std::string text;
      for (const Warning& warning : caught_)
        text += (text.empty() ? "" : "\n") + debug::warning_text(debuggee.session, warning);
      return notices_.say_stopped(debuggee, "exception", "Paused on a warning", text);
    }
    case Reason::interrupted:
      return notices_.say_stopped(debuggee, "pause", "Paused");
    default:
      return notices_.say_stopped(debuggee, "step", "Paused after a step");
  }
}

/// Stops at the end, so that the client can inspect the state and go back.
void Execution::stand_at_end() {
  Debuggee& debuggee = life_.debuggee();
  const debug::RunHistory& run = debuggee.session.run();
  const Stop stop = run.stop();
  const bool is_fault = !is_regular_end(stop.reason);
  if (is_fault ? !stops_at_faults : !stops_at_end) return life_.end_program();
  const std::string failed = notices_.tell_expectations(debuggee);
  const std::string text = stop_text(stop, run.position(), debuggee.scenario.program) + failed;
  if (is_fault)
    return notices_.say_stopped(debuggee, "exception", "Paused on " + std::string(stop.reason_name()), text);
  notices_.say_stopped(
      debuggee, "end of program",
      failed.empty() ? "Paused at the end of the program" : "Paused at the end of the program; expectations failed",
      text + "\nStep back is possible; continue ends the session.");
}

void Execution::stand_behind_command(const std::string& command) {
  Debuggee& debuggee = life_.debuggee();
  life_.enter(State::stopped);
  // The console has printed the expectations in its answer.
  debuggee.has_told_expectations = debuggee.session.run().ended();
  caught_.clear();
  notices_.say_continued(debuggee);
  const debug::Pause& stop = debuggee.console.last_stop();
  const bool is_hit = !stop.breakpoints.empty() || !stop.watches.empty();
  const bool is_step = stop.reason == Reason::step && !debuggee.session.run().ended();
  if (!is_hit && !is_step) return stand_still(stop);
  notices_.tell_warnings(debuggee);
  if (is_hit) return notices_.say_hit(debuggee, stop);
  notices_.say_stopped(debuggee, "step", "Paused after `" + command + "`");
}

}  // namespace salu::dap
