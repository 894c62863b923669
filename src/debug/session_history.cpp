#include <algorithm>
#include <deque>

#include "debug/session.hpp"
#include "observe/touches.hpp"

namespace salu::debug {
// ---- history ----

void Session::walk(const expr::Expression& expression, const Dependencies& on, u64 end, bool wants_writes,
                   const std::function<void(const ValueChange&)>& found) {
  expr::Value value = expression.evaluate(machine());
  while (run_.position() < end && !was_interrupted_) {
    if (run_.is_picked()) {
      const bool is_own = is_turn();
      ValueChange change{run_.wave().number, run_.position(), run_.machine().pc(), value, value, false};
      bool wrote = false;
      const auto see = [&](const TraceEvent& event) {
        wrote = std::ranges::any_of(
            on.places, [&](const Location& place) { return (is_own || place.is_memory()) && writes_to(event, place); });
      };
      run_.step(wants_writes ? see : std::function<void(const TraceEvent&)>(), [&] {
        if (is_own || expression.reads_memory()) change.after = expression.evaluate(machine());
      });
      if (wrote || change.before.bits != change.after.bits) found(change);
      value = change.after;
      was_interrupted_ = run_.take_interrupt();
    } else {
      was_interrupted_ = run_.advance(std::min(end, run_.next_edit())) == RunHistory::Arrival::interrupted;
    }
    const expr::Value now = expression.evaluate(machine());
    if (now.bits != value.bits) found({wave_, run_.position(), machine().pc(), value, now, true});
    value = now;
  }
}

/// Goes to a checkpoint before a position, but not to one before `first`.
void Session::go_to_checkpoint(u64 position, u64 first) {
  if (run_.checkpoint_before(position) < first) return return_to(first);
  run_.go_to_checkpoint(position);
}

std::optional<ValueChange> Session::search_back(const expr::Expression& expression, bool wants_writes) {
  const Dependencies on = dependencies(expression, machine());
  const u64 from = run_.position();
  const u64 first = first_position();
  was_interrupted_ = false;
  std::optional<ValueChange> last;
  for (u64 end = from; end > first && !last && !was_interrupted_;) {
    go_to_checkpoint(end - 1, first);
    run_.set_filter([&](u64 address) { return may_touch(address, on, false); });
    const u64 start = run_.position();
    walk(expression, on, end, wants_writes, [&](const ValueChange& change) { last = change; });
    end = start;
  }
  run_.set_filter({});
  return_to(from);
  return was_interrupted_ ? std::nullopt : last;
}

std::optional<ValueChange> Session::last_write(const expr::Expression& place) {
  return search_back(fixed(place), true);
}

std::optional<ValueChange> Session::last_change(const expr::Expression& expression) {
  return search_back(expression, false);
}

ValueHistory Session::history(const expr::Expression& expression, std::size_t most) {
  const Dependencies on = dependencies(expression, machine());
  const u64 from = run_.position();
  was_interrupted_ = false;
  return_to(first_position());
  ValueHistory result;
  result.first = expression.evaluate(machine());
  std::deque<ValueChange> last;
  run_.set_filter([&](u64 address) { return may_touch(address, on, false); });
  u64 count = 0;
  walk(expression, on, from, false, [&](const ValueChange& change) {
    ++count;
    last.push_back(change);
    if (last.size() > most) last.pop_front();
  });
  run_.set_filter({});
  return_to(from);
  result.changes.assign(last.begin(), last.end());
  result.count = count;
  result.is_complete = count == result.changes.size();
  return result;
}

ValueHistory Session::latest_history(const expr::Expression& expression, std::size_t most) {
  const Dependencies on = dependencies(expression, machine());
  const u64 from = run_.position();
  const u64 first = first_position();
  was_interrupted_ = false;
  ValueHistory result;
  // One more than requested, to detect whether there are others.
  for (u64 end = from; end > first && result.changes.size() <= most && !was_interrupted_;) {
    go_to_checkpoint(end - 1, first);
    run_.set_filter([&](u64 address) { return may_touch(address, on, false); });
    const u64 start = run_.position();
    std::deque<ValueChange> found;
    walk(expression, on, end, false, [&](const ValueChange& change) {
      found.push_back(change);
      if (found.size() > most + 1) found.pop_front();
    });
    result.changes.insert(result.changes.begin(), found.begin(), found.end());
    end = start;
  }
  run_.set_filter({});
  return_to(first);
  result.first = expression.evaluate(machine());
  return_to(from);
  result.is_complete = result.changes.size() <= most;
  if (!result.is_complete)
    result.changes.erase(result.changes.begin(), result.changes.end() - static_cast<std::ptrdiff_t>(most));
  return result;
}

bool Session::look_at(u64 position, const std::function<void()>& look) {
  const u64 from = run_.position();
  was_interrupted_ = !run_.go_to(position);
  if (!was_interrupted_) look();
  return_to(from);
  return !was_interrupted_;
}

void Session::visit(const std::function<bool(u64 address)>& picks,
                    const std::function<void(const std::function<void()>& step)>& visit) {
  const u64 from = run_.position();
  was_interrupted_ = false;
  return_to(first_position());
  run_.set_filter(picks);
  const std::function<void()> step = [this] { run_.step(); };
  while (run_.position() < from && !was_interrupted_) {
    if (run_.is_picked()) {
      is_turn() ? visit(step) : step();
      was_interrupted_ = run_.take_interrupt();
    } else {
      was_interrupted_ = run_.advance(from) == RunHistory::Arrival::interrupted;
    }
  }
  run_.set_filter({});
  return_to(from);
}

}  // namespace salu::debug
