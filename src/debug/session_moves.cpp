#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "debug/session.hpp"

namespace salu::debug {
namespace {

constexpr u64 no_limit = std::numeric_limits<u64>::max();

Error outermost() {
  return Error{ErrorCode::usage, {}, "this is the outermost function: its caller is not part of this run", {}};
}

Error ended(u64 wave) {
  return Error{
      ErrorCode::usage, {}, "wave " + std::to_string(wave) + " has ended: go back, or select another wave", {}};
}

}  // namespace

// ---- parts of moves ----

Pause Session::arrived() {
  Pause pause;
  select_existing();
  if (!run_.ended()) return pause;
  select_at_end();
  pause.reason = Pause::Reason::ended;
  return pause;
}

u64 Session::limited_end() const { return run_.position() + std::min(limit_, no_limit - run_.position()); }

std::optional<Session::SourceLine> Session::line_here() const {
  const LineEntry* const entry = wave_ended() ? nullptr : program().find_line(machine().pc());
  return entry == nullptr ? std::nullopt : std::optional(SourceLine{entry->file, entry->line});
}

bool Session::is_lane_on() const { return !lane_ || (machine().wave().pair(state_index::exec) >> *lane_ & 1) != 0; }

std::function<bool(u64)> Session::picks(bool (*is_one)(const isa::Instruction&)) const {
  return [this, is_one](u64 address) {
    const auto instruction = run_.machine().code().instruction_at(address);
    return instruction && is_one(*instruction);
  };
}

Session::Goal Session::at_position(u64 position) const { return {{}, {}, {}, position}; }

Session::Goal Session::at_addresses(const std::vector<u64>& addresses) const {
  std::vector<u64> sorted = addresses;
  std::ranges::sort(sorted);
  const auto is_there = [sorted = std::move(sorted)](u64 address) {
    return std::ranges::binary_search(sorted, address);
  };
  return {is_there, [this, is_there] { return is_there(machine().pc()); }, {}, {}};
}

Session::Goal Session::at_call(u64 position) const {
  return {picks(is_call), [this, position] { return run_.position() == position; }, {}, {}};
}

Session::Goal Session::returned_to(std::size_t depth) const {
  return {picks(may_return), {}, [this, depth] { return calls().depth() <= depth; }, {}};
}

class Session::Catching {
 public:
  explicit Catching(Session& session) : run_(session.run_) {
    if (session.caught_kinds_.empty()) return;
    run_.set_catch([kinds = session.caught_kinds_](const Warning& warning) {
      return kinds.contains(warning.kind) && !warning.is_info();
    });
  }
  Catching(const Catching&) = delete;
  Catching& operator=(const Catching&) = delete;
  ~Catching() { run_.set_catch({}); }

 private:
  RunHistory& run_;
};

bool Session::add_warnings(std::vector<Warning> caught, Pause& pause) {
  if (caught.empty()) return false;
  if (pause.reason == Pause::Reason::step) pause.reason = Pause::Reason::warning;
  pause.warnings = std::move(caught);
  return true;
}

bool Session::step_to_hit(Pause& pause) {
  const u64 executor = run_.wave().number;
  const bool is_watched = count_hits({}, step_and_watch(), pause);
  const bool is_hit = add_warnings(run_.caught(), pause) || is_watched;
  if (is_hit) select(executor);
  return is_hit;
}

Pause Session::run_forward(const Goal& goal, bool has_moved) {
  const Catching catching(*this);
  const u64 end = std::min(limited_end(), goal.position.value_or(no_limit));
  run_.set_filter(make_filter(goal));
  run_.set_stops_at_turns(goal.is_own());
  Pause pause;
  // The next instruction of another wave than that of the last move has not been passed.
  const bool has_passed = counted_at_ ? counted_at_ == run_.position() : is_turn();
  has_moved = has_moved || (has_several_waves() && !run_.ended() && !has_passed);
  while (true) {
    if (run_.ended()) {
      pause.reason = Pause::Reason::ended;
      break;
    }
    const bool is_picked = run_.is_picked();
    if (is_picked && has_moved && count_hits_here(pause)) {
      select(run_.wave().number);
      break;
    }
    if (is_picked && has_moved && goal.in_front && is_turn() && goal.in_front()) break;
    if ((goal.is_turn && is_turn()) || (goal.is_own() && run_.has_ended(wave_))) break;
    if (run_.position() >= end) {
      pause.reason = end == goal.position ? Pause::Reason::step : Pause::Reason::limit;
      break;
    }
    has_moved = true;
    if (!is_picked) {
      const u64 executor = run_.wave().number;
      const RunHistory::Arrival arrival = run_.advance(end);
      if (arrival == RunHistory::Arrival::warned) {
        add_warnings(run_.caught(), pause);
        select(run_.position() == 0 ? executor : run_.turns().wave_before(run_.position()));
        pause = landed(std::move(pause));
        break;
      }
      if (arrival != RunHistory::Arrival::interrupted) continue;
      pause.reason = Pause::Reason::interrupted;
      break;
    }
    const bool is_own = is_turn();
    if (step_to_hit(pause) || (goal.behind && is_own && goal.behind())) {
      pause = landed(std::move(pause));
      break;
    }
    if (run_.take_interrupt()) {
      pause.reason = Pause::Reason::interrupted;
      break;
    }
  }
  if (pause.reason == Pause::Reason::warning && run_.ended()) pause.reason = Pause::Reason::ended;
  run_.set_filter({});
  run_.set_stops_at_turns(false);
  forget_temporary(pause);
  if (pause.reason == Pause::Reason::interrupted || pause.reason == Pause::Reason::limit) select(run_.wave().number);
  if (run_.ended()) select_at_end();
  select_existing();
  return pause;
}

/// Runs other waves until the selected one executes next, or has ended.
Pause Session::run_to_turn() {
  Goal goal;
  goal.is_turn = true;
  return run_forward(goal, false);
}

bool Session::count_hits_here(Pause& pause) {
  counted_at_ = run_.position();
  return count_hits(find_hits_here(), {}, pause);
}

std::optional<Session::Stops> Session::find_stops(u64 first, u64 end, const Goal& goal) {
  constexpr std::size_t most = 4096;
  return_to(first);
  Stops stops{{}, first};
  while (run_.position() < end) {
    if (!run_.is_picked()) {
      if (run_.advance(end) == RunHistory::Arrival::interrupted) return std::nullopt;
      continue;
    }
    Stop stop{run_.position(), run_.wave().number, goal.in_front && is_turn() && goal.in_front(), find_hits_here(), {}};
    stop.watches = step_and_watch();
    if (stop.is_goal || !stop.breakpoints.empty() || !stop.watches.empty()) {
      // A move backwards ends at its goal.
      if (stop.is_goal) stops.last.clear();
      stops.last.push_back(std::move(stop));
      if (stops.last.size() > most) stops.last.pop_front();
      if (stops.last.size() == most || stops.last.back().is_goal) stops.first = stops.last.front().position;
    }
    if (run_.take_interrupt()) return std::nullopt;
  }
  return stops;
}

Pause Session::run_backward(const Goal& goal) {
  const u64 from = run_.position();
  run_.set_filter(make_filter(goal));
  // A goal of the selected wave is searched up to its first instruction.
  const u64 own = goal.is_own() ? run_.turns().next_step_of(wave_, 0).value_or(from) : 0;
  const u64 first = goal.position.value_or(std::min(own, from));
  Pause pause{goal.position ? Pause::Reason::step : Pause::Reason::start, {}, {}};
  u64 target = from;
  bool has_stopped = false;
  // Stops are usually near: a checkpoint just before the target keeps the first search short.
  bool is_interrupted = target > first && !run_.go_to(target - 1);
  while (target > first && !has_stopped && !is_interrupted) {
    // Searches from a checkpoint to the part already searched, then from the checkpoint before.
    const u64 start = std::max(first, run_.checkpoint_before(target - 1));
    const std::optional<Stops> stops = find_stops(start, target, goal);
    is_interrupted = !stops;
    if (is_interrupted) break;
    target = stops->first;
    // The newest stop counts first.
    for (auto stop = stops->last.rbegin(); stop != stops->last.rend() && !has_stopped; ++stop) {
      const bool stops_behind = stop->is_goal && goal.stops_behind;
      has_stopped = stops_behind || count_hits(stop->breakpoints, stop->watches, pause) || stop->is_goal;
      if (!has_stopped) continue;
      select(stop->wave);
      target = stop->position;
      if (stops_behind) target = std::min(from, run_.turns().next_step_of(wave_, target + 1).value_or(target + 1));
      if (pause.reason == Pause::Reason::start) pause.reason = Pause::Reason::step;
    }
  }
  if (is_interrupted) pause.reason = Pause::Reason::interrupted;
  run_.set_filter({});
  return_to(target);
  counted_at_ = target;
  forget_temporary(pause);
  select_existing();
  return pause;
}

Pause Session::landed(Pause pause) {
  const Pause::Reason reason = pause.reason;
  if (run_.ended() || is_turn()) count_hits_here(pause);
  if (reason != Pause::Reason::step) pause.reason = reason;
  return pause;
}

Pause Session::look_here() {
  Pause pause = landed(arrived());
  forget_temporary(pause);
  return pause;
}

void Session::return_to(u64 position) {
  // Repeated after every interrupt, so that the session is not left at an arbitrary position.
  while (!run_.go_to(position)) continue;
}

// ---- by instructions ----

Pause Session::step_once() {
  if (run_.ended()) return arrived();
  select_running();
  if (!is_turn()) {
    Pause pause = run_to_turn();
    if (pause.reason != Pause::Reason::step || !is_turn()) return pause;
  }
  const Catching catching(*this);
  Pause pause;
  const bool is_hit = step_to_hit(pause);
  // A barrier has been passed when the wave goes on.
  if (!is_hit && wave().status == RunHistory::Wave::Status::waits) return run_to_turn();
  if (run_.ended()) select_at_end();
  if (run_.ended() && pause.watches.empty()) pause.reason = Pause::Reason::ended;
  pause = landed(std::move(pause));
  forget_temporary(pause);
  select_existing();
  return pause;
}

Pause Session::step(u64 count) {
  if (count <= 1) return count == 0 ? arrived() : step_once();
  if (has_several_waves()) return repeat(count, [this] { return step_once(); });
  const u64 target = run_.position() + std::min(count, no_limit - run_.position());
  return run_forward(at_position(target), false);
}

Pause Session::step_back(u64 count) {
  const u64 here = run_.position();
  if (count == 0) return arrived();
  if (has_several_waves() && count > 1) return repeat(count, [this] { return step_back(); });
  const std::optional<u64> before = has_several_waves() ? run_.turns().last_step_of(wave_, here) : std::nullopt;
  if (here == 0 || (has_several_waves() && !before)) return {Pause::Reason::start, {}, {}};
  const u64 target = before.value_or(here - std::min(count, here));
  Pause pause;
  const auto has_enabled = [this](bool watchpoints) {
    return std::ranges::any_of(breakpoints_,
                               [&](const Breakpoint& each) { return each.enabled && (!watchpoints || each.watched); });
  };
  if (!has_enabled(true) && (here - target == 1 || !has_enabled(false))) {
    return_to(target);
    pause = look_here();
  } else {
    pause = run_backward(at_position(target));
  }
  if (pause.reason == Pause::Reason::step && count > here) pause.reason = Pause::Reason::start;
  return pause;
}

Pause Session::next_once() {
  select_running();
  const u64 wave = wave_;
  const std::size_t depth = calls().depth();
  Pause pause = step_once();
  if (pause.reason != Pause::Reason::step || wave_ != wave || calls().depth() <= depth) return pause;
  return run_forward(returned_to(depth), false);
}

Pause Session::repeat(u64 count, const std::function<Pause()>& move) {
  if (count == 0) return arrived();
  const u64 end = limited_end();
  Pause pause;
  for (u64 i = 0; i < count; ++i) {
    pause = move();
    if (pause.reason != Pause::Reason::step) break;
    // A single move may be too short to be interrupted or to reach the limit.
    if (run_.take_interrupt()) return {Pause::Reason::interrupted, {}, {}};
    if (run_.position() >= end && i + 1 < count) return {Pause::Reason::limit, {}, {}};
  }
  return pause;
}

Pause Session::next(u64 count) {
  return repeat(count, [this] { return next_once(); });
}

Pause Session::next_back_once() {
  const std::size_t depth = calls().depth();
  Pause pause = step_back();
  if (pause.reason != Pause::Reason::step) return pause;
  const CallFrame* frame = calls().top();
  while (frame != nullptr && frame->depth > depth + 1) frame = frame->outer.get();
  if (frame == nullptr || frame->depth <= depth) return pause;
  // To the instruction that called.
  return run_backward(at_call(frame->position));
}

Pause Session::next_back(u64 count) {
  return repeat(count, [this] { return next_back_once(); });
}

// ---- by source lines ----

Pause Session::step_line(bool over_calls, u64 count) {
  return repeat(count, [this, over_calls] { return step_line_once(over_calls); });
}

Pause Session::step_line_back(bool over_calls, u64 count) {
  return repeat(count, [this, over_calls] { return step_line_back_once(over_calls); });
}

Pause Session::step_line_once(bool over_calls) {
  select_running();
  const u64 wave = wave_;
  const auto start = line_here();
  const bool was_on = is_lane_on();
  const u64 end = limited_end();
  while (true) {
    const std::size_t depth = calls().depth();
    Pause pause = over_calls ? next_once() : step_once();
    // The line ends with its wave.
    if (wave_ != wave || wave_ended()) return pause;
    const bool has_called = calls().depth() > depth;
    // A function without lines is passed over.
    if (pause.reason == Pause::Reason::step && start && has_called && !line_here())
      pause = run_forward(returned_to(depth), false);
    if (pause.reason != Pause::Reason::step) return pause;
    const auto here = line_here();
    const bool is_elsewhere = !start || !was_on || (here && here != start);
    if (is_elsewhere && is_lane_on()) return pause;
    if (run_.take_interrupt()) return {Pause::Reason::interrupted, {}, {}};
    if (run_.position() >= end) return {Pause::Reason::limit, {}, {}};
  }
}

Pause Session::step_line_back_once(bool over_calls) {
  const bool had_line = line_here().has_value() || wave_ended();
  const std::size_t depth_before = calls().depth();
  Pause pause = over_calls ? next_back_once() : step_back();
  if (pause.reason != Pause::Reason::step || !had_line) return pause;
  if (!line_here() && calls().depth() > depth_before) {
    // A function without lines is passed over.
    const CallFrame* frame = calls().top();
    while (frame->depth > depth_before + 1) frame = frame->outer.get();
    pause = run_backward(at_call(frame->position));
    if (pause.reason != Pause::Reason::step) return pause;
  }
  // Code without a line does not belong to another line, and code in which the selected lane is off does not count.
  const auto counts = [this, depth_before] { return is_lane_on() && (line_here() || calls().depth() < depth_before); };
  if (!counts()) {
    const auto is_there = [this, counts, depth_before, over_calls] {
      return counts() && !(over_calls && calls().depth() > depth_before);
    };
    pause = run_backward({[](u64) { return true; }, is_there, {}, {}});
    if (pause.reason != Pause::Reason::step) return pause;
  }
  const auto line = line_here();
  if (!line) return pause;
  // Moves back over the whole line, to after the last instruction before it. Calls of the line are included if
  // requested, or if the callee has no source lines.
  const std::size_t depth = calls().depth();
  const auto is_elsewhere = [this, line, depth, over_calls] {
    const auto here = line_here();
    const std::size_t depth_here = calls().depth();
    if (here ? depth_here > depth && over_calls : depth_here >= depth) return false;
    return here != line && is_lane_on();
  };
  const auto is_of_other_line = [this, line](u64 address) {
    const LineEntry* const entry = program().find_line(address);
    return entry == nullptr || SourceLine{entry->file, entry->line} != *line;
  };
  pause = run_backward({is_of_other_line, is_elsewhere, {}, {}, true});
  if (pause.reason == Pause::Reason::start) pause = {Pause::Reason::step, {}, {}};
  if (pause.reason != Pause::Reason::step) return pause;
  // The instruction before it may have called a function that is to be skipped.
  run_.set_filter(picks(may_return));
  while (calls().depth() > depth) {
    if (!run_.is_picked()) run_.advance(no_limit);
    run_.step();
  }
  run_.set_filter({});
  while (!wave_ended() && (!is_turn() || !is_lane_on() || !line_here())) run_.step();
  return pause;
}

// ---- to places ----

Result<Pause> Session::finish() {
  const std::size_t depth = calls().depth();
  if (depth == 0) return outermost();
  if (!run_.ended() && wave_ended()) return ended(wave_);
  return run_forward(returned_to(depth - 1), false);
}

Result<Pause> Session::finish_back() {
  const CallFrame* const frame = calls().top();
  if (frame == nullptr) return outermost();
  return run_backward(at_call(frame->position));
}

Pause Session::run_to(const std::vector<u64>& addresses) {
  select_running();
  return run_forward(at_addresses(addresses), false);
}

Pause Session::run_to_later() {
  if (run_.ended()) return arrived();
  select_running();
  const u64 start = machine().pc();
  const std::size_t depth = calls().depth();
  const auto line = line_here();
  const CodeBlock* const block = program().find_block(start);
  const auto is_later = [this, start, line, end = block == nullptr ? start : block->end()](u64 address) {
    const LineEntry* const entry = line ? program().find_line(address) : nullptr;
    const bool is_same_line = entry != nullptr && SourceLine{entry->file, entry->line} == *line;
    return address > start && address < end && !is_same_line;
  };
  const CallFrame* const frame = calls().top();
  const u64 back = frame == nullptr ? start : frame->return_address;
  // Code of callees may have a later address, and is not the goal.
  const auto is_there = [this, is_later, depth, back] {
    const std::size_t now = calls().depth();
    return is_lane_on() && (now < depth ? machine().pc() == back : now == depth && is_later(machine().pc()));
  };
  return run_forward(
      {[is_later, back, start](u64 address) { return is_later(address) || (back != start && address == back); },
       is_there,
       {},
       {}},
      false);
}

Pause Session::run_back_to(const std::vector<u64>& addresses) { return run_backward(at_addresses(addresses)); }

Pause Session::go_on() { return run_forward({}, false); }

Pause Session::go_back() { return run_backward({}); }

Pause Session::resume() { return run_forward({}, true); }

Pause Session::go_to(u64 position) {
  const bool is_there = run_.go_to(position);
  counted_at_ = run_.position();
  Pause pause = arrived();
  if (!is_there) pause.reason = Pause::Reason::interrupted;
  return pause;
}

Pause Session::go_to_end() {
  Pause pause = go_to(limited_end());
  if (pause.reason == Pause::Reason::step) pause.reason = Pause::Reason::limit;
  return pause;
}

}  // namespace salu::debug
