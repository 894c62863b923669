#include <algorithm>
#include <limits>
#include <utility>

#include "core/text.hpp"
#include "dap/server.hpp"
#include "dap/texts.hpp"

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
  is_resumable_ = move.is_resumable;
  move_ = std::move(move);
  state_ = State::running;
  return Json();
}

Result<Json> Server::go_on(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  Move move{.start = [&session] { return Result(session.go_on()); },
            .go_on = [this, &session]() -> Result<debug::Pause> {
              // An interrupt may have come right in front of a breakpoint, and `go_on` would pass over that one.
              const u64 position = session.timeline().position();
              if (move_->progress == Move::Progress::interrupted && position > move_->from) session.go_to(position - 1);
              limit_rest();
              return session.go_on();
            },
            .is_resumable = true,
            .leaves_end = true};
  Result<Json> started = start(std::move(move));
  return started ? Result<Json>(Json{{"allThreadsContinued", true}}) : started;
}

Result<Json> Server::reverse_continue(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  const auto back = [this] { return Result(debuggee_->session.go_back()); };
  // What it has found so far would be lost with every message.
  return start({.start = back, .go_on = back, .is_backward = true});
}

Result<Json> Server::next(Arguments& arguments) { return start_step(arguments, false); }

Result<Json> Server::step_in(Arguments& arguments) { return start_step(arguments, true); }

Result<Json> Server::start_step(Arguments& arguments, bool into_calls) {
  const std::string granularity = arguments.text("granularity", "statement");
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  const Step step = step_from_here(granularity != "instruction", into_calls);
  return start({.start =
                    [&session, step] {
                      if (step.by_line) return Result(session.step_line(!step.into_calls));
                      return Result(step.into_calls ? session.step() : session.next());
                    },
                .go_on = [this, step] { return go_on_stepping(step); }});
}

Result<Json> Server::step_out(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  const std::size_t depth = session.timeline().calls().depth();
  if (depth == 0 && !session.timeline().ended())
    return refusal("this is the outermost function: nothing has called it in this run");
  return start({.start = [&session] { return session.finish(); },
                .go_on = [&session, depth]() -> Result<debug::Pause> {
                  while (session.timeline().calls().depth() >= depth) {
                    Result<debug::Pause> pause = session.finish();
                    if (!pause || pause->reason != Reason::step) return pause;
                  }
                  return paused(Reason::step);
                }});
}

Result<Json> Server::step_back(Arguments& arguments) {
  const std::string granularity = arguments.text("granularity", "statement");
  if (const auto problem = check_thread(arguments)) return *problem;
  debug::Session& session = debuggee_->session;
  const Step step = step_from_here(granularity != "instruction", false);
  return start(
      {.start = [&session, step] { return Result(step.by_line ? session.step_line_back(true) : session.next_back()); },
       .go_on = [this, step] { return go_back_on_stepping(step); },
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
                         {"instructionPointerReference", core::hex(address)}});
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
  const Result<debug::Value> value = debuggee_->session.set("pc", core::hex(address));
  if (!value) return value.error();
  say_stopped("goto", "Paused after the program counter was set", address_text(debuggee_->scenario.program, address));
  return Json();
}

// ---- running ----

void Server::work() {
  // With a message there is something to do first.
  if (state_ != State::running || has_message_.exchange(false)) return;
  while (true) {
    Result<debug::Pause> result = wants_pause_ ? Result(paused(Reason::interrupted)) : advance(*move_);
    debug::Pause pause = result ? *std::move(result) : paused(Reason::step);
    if (pause.reason == Reason::interrupted && !wants_pause_) {
      move_->progress = Move::Progress::interrupted;
      return;
    }
    const bool is_at_breakpoint = pause.reason == Reason::breakpoint || pause.reason == Reason::watchpoint;
    Breakpoints::Verdict verdict;
    if (is_at_breakpoint) verdict = breakpoints_.judge(pause);
    for (const std::string& message : verdict.messages) print(message);
    if (!is_at_breakpoint || verdict.stops) return stand_still(pause, verdict);
    move_->progress = Move::Progress::stopped;
    if (has_message_) return;
  }
}

Result<debug::Pause> Server::advance(Move& move) {
  if (!has_message_) debuggee_->session.clear_interrupt();
  limit_rest();
  return move.progress == Move::Progress::none ? move.start() : carry_on(move);
}

/// The rest of a move that stood still on its way.
Result<debug::Pause> Server::carry_on(Move& move) {
  const u64 position = debuggee_->session.timeline().position();
  // An interrupt may have come right in front of a breakpoint, and a step would pass over that one.
  const bool may_stand_at_one = move.progress == Move::Progress::interrupted && !move.is_resumable &&
                                !move.is_backward && position > move.from && move.looked_at != position;
  if (may_stand_at_one) {
    move.looked_at = position;
    debug::Pause pause = debuggee_->session.look_here();
    if (!pause.breakpoints.empty()) return pause;
  }
  return move.go_on();
}

void Server::limit_rest() {
  const u64 position = debuggee_->session.timeline().position();
  debuggee_->session.set_limit(move_->limit - std::min(move_->limit, position));
}

Server::Step Server::step_from_here(bool by_line, bool into_calls) const {
  return {by_line, into_calls, debuggee_->session.timeline().calls().depth(), line_here()};
}

/// The file and line of the next instruction; the line is 0 where there is none.
std::pair<u32, u32> Server::line_here() const {
  const LineEntry* const entry = debuggee_->scenario.program.find_line(here());
  return entry == nullptr ? std::pair<u32, u32>{} : std::pair{entry->file, entry->line};
}

/// The rest of a step that stood still on its way.
Result<debug::Pause> Server::go_on_stepping(const Step& step) {
  debug::Session& session = debuggee_->session;
  // A function without lines is passed over as well.
  const auto is_passed_over = [&] {
    const bool has_no_lines = step.by_line && step.line.second != 0 && line_here().second == 0;
    return session.timeline().calls().depth() > step.depth && (!step.into_calls || has_no_lines);
  };
  while (is_passed_over()) {
    Result<debug::Pause> pause = session.finish();
    if (!pause || pause->reason != Reason::step) return pause;
  }
  const bool is_done = !step.by_line || step.line.second == 0 || line_here() != step.line;
  return is_done ? paused(Reason::step) : session.step_line(!step.into_calls);
}

Result<debug::Pause> Server::go_back_on_stepping(const Step& step) {
  debug::Session& session = debuggee_->session;
  if (move_->progress == Move::Progress::interrupted) {
    // How far it had come is not to be seen from here.
    while (session.go_to(move_->from).reason == Reason::interrupted) continue;
    return step.by_line ? session.step_line_back(true) : session.next_back();
  }
  while (session.timeline().calls().depth() > step.depth) {
    Result<debug::Pause> pause = session.finish_back();
    if (!pause || pause->reason != Reason::step) return pause;
  }
  const bool is_done = !step.by_line || step.line.second == 0 || line_here() != step.line;
  return is_done ? paused(Reason::step) : session.step_line_back(true);
}

// ---- standing still ----

void Server::stand_still(const debug::Pause& pause, const Breakpoints::Verdict& verdict) {
  const char* const reason = move_ ? move_->reason : "entry";
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
    case Reason::watchpoint: {
      const std::string kind = reason_of(verdict.kind);
      return say_stopped(kind.c_str(), "Paused on " + kind, describe_hits(pause), verdict.ids);
    }
    case Reason::start:
      return say_stopped("entry", "Paused at the start of the program", "Nothing comes before it.");
    case Reason::limit:
      return say_stopped("pause", "Paused at the limit of instructions",
                         core::counted(debuggee_->scenario.options.max_steps, "instruction") +
                             " ran in one go; continue goes on, and `maxSteps` sets another limit.");
    case Reason::interrupted:
      return say_stopped("pause", "Paused");
    default:
      return say_stopped(reason, "Paused after a step");
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
