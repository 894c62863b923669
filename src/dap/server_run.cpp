#include <algorithm>
#include <limits>
#include <utility>

#include "dap/server.hpp"
#include "dap/texts.hpp"
#include "support/numbers.hpp"

// Requests that let the program run, and what a client is told when it stands still.
namespace salu::dap {

using Reason = debug::Pause::Reason;

namespace {

debug::Pause paused(Reason reason) { return {reason, {}, {}}; }

}  // namespace

// ---- requests ----

Result<Json> Server::start(Move move) {
  if (debuggee_->session.timeline().ended() && !move.is_backward) {
    if (move.leaves_end) {
      end_program();
    } else {
      stand_at_end();
    }
    return Json();
  }
  constexpr u64 last = std::numeric_limits<u64>::max();
  const u64 most = debuggee_->scenario.options.max_steps;
  move.from = debuggee_->session.timeline().position();
  move.limit = move.from + std::min(most, last - move.from);
  debuggee_->session.clear_interrupt();
  is_resumable_ = move.resume != nullptr;
  move_ = std::move(move);
  state_ = State::running;
  return Json();
}

Result<Json> Server::go_on(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  Move move{.start = [&session] { return Result(session.go_on()); },
            .resume = [&session] { return Result(session.resume()); },
            .leaves_end = true};
  Result<Json> started = start(std::move(move));
  return started ? Result<Json>(Json{{"allThreadsContinued", true}}) : started;
}

Result<Json> Server::reverse_continue(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  const auto back = [this] { return Result(debuggee_->session.go_back()); };
  return start({.start = back, .resume = back, .is_backward = true});
}

Result<Json> Server::next(Arguments& arguments) { return start_step(arguments, false); }

Result<Json> Server::step_in(Arguments& arguments) { return start_step(arguments, true); }

Result<Json> Server::start_step(Arguments& arguments, bool into_calls) {
  const std::string granularity = arguments.text("granularity", "statement");
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  if (granularity == "instruction")
    return start({.start = [&session, into_calls] { return Result(into_calls ? session.step() : session.next()); }});
  return start({.start = [&session, into_calls] { return Result(session.step_line(!into_calls)); }});
}

Result<Json> Server::step_out(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  if (session.timeline().calls().depth() == 0 && !session.timeline().ended())
    return refusal("this is the outermost function: nothing has called it in this run");
  return start({.start = [&session] { return session.finish(); }});
}

Result<Json> Server::step_back(Arguments& arguments) {
  const std::string granularity = arguments.text("granularity", "statement");
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  const bool by_line = granularity != "instruction";
  return start(
      {.start = [&session, by_line] { return Result(by_line ? session.step_line_back(true) : session.next_back()); },
       .is_backward = true});
}

Result<Json> Server::pause(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  // One that stands already is where the client wants it.
  wants_pause_ = state_ == State::running;
  return Json();
}

Result<Json> Server::goto_targets(Arguments& arguments) {
  Arguments source = arguments.object("source");
  const u64 line = arguments.needed_count("line");
  if (arguments.problem()) return *arguments.problem();
  const Result<Sources::Id> id = debuggee_->sources.find(source);
  if (!id) return id.error();
  Json targets = Json::array();
  if (const auto found = debuggee_->sources.line_at_or_after(*id, line_from_client(line))) {
    for (const u64 address : found->addresses) {
      targets.push_back({{"id", goto_addresses_.size()},
                         {"label", address_text(debuggee_->scenario.program, address)},
                         {"line", line_to_client(found->line)},
                         {"instructionPointerReference", support::hex(address)}});
      goto_addresses_.push_back(address);
    }
  }
  return Json{{"targets", std::move(targets)}};
}

Result<Json> Server::go_to(Arguments& arguments) {
  const u64 target = arguments.needed_count("targetId");
  if (const auto problem = check_thread(arguments)) return *problem;
  if (target >= goto_addresses_.size()) return refusal("there is no target " + std::to_string(target));
  const u64 address = goto_addresses_[static_cast<std::size_t>(target)];
  const Result<debug::Value> value = debuggee_->session.set("pc", support::hex(address));
  if (!value) return value.error();
  say_stopped("goto", "Paused after the program counter was set", address_text(debuggee_->scenario.program, address));
  return Json();
}

// ---- running ----

void Server::work() {
  // With a message there is something to do first.
  if (state_ != State::running || has_message_.exchange(false)) return;
  const Result<debug::Pause> result = wants_pause_ ? Result(paused(Reason::interrupted)) : advance();
  const debug::Pause pause = result ? *result : paused(Reason::step);
  move_->was_interrupted = pause.reason == Reason::interrupted && !wants_pause_;
  if (!move_->was_interrupted) stand_still(pause);
}

void Server::print_log() {
  debuggee_->session.set_log([this](const std::string& message) { print(message); });
}

/// As far as the move goes without an interrupt.
Result<debug::Pause> Server::advance() {
  debug::Session& session = debuggee_->session;
  print_log();
  if (!has_message_) session.clear_interrupt();
  const bool is_resumed = move_->was_interrupted && move_->resume && session.timeline().position() != move_->from;
  // How far a step had come is not to be seen from outside.
  while (move_->was_interrupted && !is_resumed && session.go_to(move_->from).reason == Reason::interrupted) continue;
  session.set_limit(move_->limit - std::min(move_->limit, session.timeline().position()));
  return is_resumed ? move_->resume() : move_->start();
}

// ---- standing still ----

void Server::stand_still(const debug::Pause& pause) {
  wants_pause_ = false;
  move_.reset();
  is_resumable_ = false;
  state_ = State::stopped;
  debuggee_->session.set_limit(debuggee_->scenario.options.max_steps);
  tell_warnings();
  if (launch_.no_debug && pause.reason != Reason::interrupted) return end_program();
  // Where the program ends, that is the news, unless a watchpoint was hit by its last instruction.
  if (debuggee_->session.timeline().ended() && pause.reason != Reason::watchpoint) return stand_at_end();
  switch (pause.reason) {
    case Reason::breakpoint:
    case Reason::watchpoint:
      return say_hit(pause);
    case Reason::start:
      return say_stopped("entry", "Paused at the start of the program", "Nothing comes before it.");
    case Reason::limit:
      return say_stopped("pause", "Paused at the limit of instructions",
                         support::counted(debuggee_->scenario.options.max_steps, "instruction") +
                             " ran in one go; continue goes on, and `maxSteps` sets another limit.");
    case Reason::interrupted:
      return say_stopped("pause", "Paused");
    default:
      return say_stopped("step", "Paused after a step");
  }
}

/// An end that the client may look at, and go back from.
void Server::stand_at_end() {
  const Stop stop = debuggee_->session.machine().stop();
  const std::string text = stop_text(stop, debuggee_->session.timeline().position(), debuggee_->scenario.program);
  const bool is_fault = !is_regular_end(stop.reason);
  if (is_fault ? !stops_at_faults_ : !stops_at_end_) return end_program();
  if (is_fault) return say_stopped("exception", "Paused on " + std::string(stop.reason_name()), text);
  say_stopped("end of program", "Paused at the end of the program",
              text + "\nStep back goes back from here; continue ends the session.");
}

void Server::say_stopped(const char* reason, const std::string& description, const std::string& text,
                         const std::vector<u32>& ids) {
  Json body = {{"reason", reason}, {"description", description}, {"threadId", 1}, {"allThreadsStopped", true}};
  if (!text.empty()) body["text"] = text;
  if (!ids.empty()) body["hitBreakpointIds"] = ids;
  tell("stopped", std::move(body));
}

void Server::say_hit(const debug::Pause& pause) {
  const Breakpoints::Known known = breakpoints_.recognize(pause);
  const std::string kind = reason_of(known.kind);
  say_stopped(kind.c_str(), "Paused on " + kind, describe_hits(pause), known.ids);
}

std::string Server::describe_hits(const debug::Pause& pause) const {
  const Program& program = debuggee_->scenario.program;
  std::string text;
  for (const debug::WatchHit& hit : pause.watches) {
    const debug::Breakpoint* const breakpoint = debuggee_->session.find_breakpoint(hit.id);
    if (breakpoint != nullptr && breakpoint->watched)
      text += (text.empty() ? "" : "\n") + watch_text(*breakpoint, hit, debuggee_->session.machine(), program);
  }
  if (!pause.breakpoints.empty()) {
    const u64 pc = debuggee_->session.machine().pc();
    text += (text.empty() ? "" : "\n") + address_text(program, pc) + ": " + debuggee_->session.machine().text_at(pc);
  }
  return text;
}

}  // namespace salu::dap
