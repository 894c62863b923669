#include <algorithm>
#include <deque>

#include "debug/session.hpp"

namespace salu::debug {
// ---- history ----

/// The last of the picked instructions before this position that passes a test. The test executes it.
template <class Test>
std::optional<ValueChange> Session::search_back(const std::function<bool(u64)>& picks, const Test& test) {
  const u64 from = timeline_.position();
  was_interrupted_ = false;
  timeline_.set_filter(picks);
  std::optional<ValueChange> found;
  for (u64 end = from; end != 0 && !found && !was_interrupted_;) {
    timeline_.go_to_checkpoint(end - 1);
    const u64 start = timeline_.position();
    while (timeline_.position() < end && !was_interrupted_) {
      if (timeline_.is_picked()) {
        if (const std::optional<ValueChange> change = test()) found = change;
        was_interrupted_ = timeline_.take_interrupt();
      } else {
        was_interrupted_ = timeline_.advance(end) == Timeline::Arrival::interrupted;
      }
    }
    end = start;
  }
  timeline_.set_filter({});
  return_to(from);
  return was_interrupted_ ? std::nullopt : found;
}

std::optional<ValueChange> Session::last_write(const Expression& place) {
  const Dependencies on = dependencies(place);
  const auto test = [&]() -> std::optional<ValueChange> {
    ValueChange change{timeline_.position(), machine().pc(), place.evaluate(machine()), {}};
    bool wrote = false;
    timeline_.step([&](const TraceEvent& event) {
      for (const LocationValue& value : event.written) {
        wrote = wrote ||
                std::ranges::any_of(on.places, [&](const Location& mine) { return overlap(mine, value.location); });
      }
    });
    change.after = place.evaluate(machine());
    return wrote || change.before.bits != change.after.bits ? std::optional(change) : std::nullopt;
  };
  return search_back([&](u64 address) { return may_touch(address, on, false); }, test);
}

std::optional<ValueChange> Session::last_change(const Expression& expression) {
  const Dependencies on = dependencies(expression);
  const auto test = [&]() -> std::optional<ValueChange> {
    ValueChange change{timeline_.position(), machine().pc(), expression.evaluate(machine()), {}};
    timeline_.step();
    change.after = expression.evaluate(machine());
    return change.before.bits == change.after.bits ? std::nullopt : std::optional(change);
  };
  return search_back([&](u64 address) { return may_touch(address, on, false); }, test);
}

ValueHistory Session::history(const Expression& expression, std::size_t most) {
  const Dependencies on = dependencies(expression);
  ValueHistory result;
  std::deque<ValueChange> last;
  bool is_first = true;
  visit([&](u64 address) { return may_touch(address, on, false); },
        [&](const std::function<void()>& step) {
          ValueChange change{timeline_.position(), machine().pc(), expression.evaluate(machine()), {}};
          if (is_first) result.first = change.before;
          is_first = false;
          step();
          change.after = expression.evaluate(machine());
          if (change.before.bits == change.after.bits) return;
          ++result.count;
          last.push_back(change);
          if (last.size() > most) last.pop_front();
        });
  if (is_first) result.first = expression.evaluate(machine());
  result.changes.assign(last.begin(), last.end());
  return result;
}

void Session::visit(const std::function<bool(u64 address)>& picks,
                    const std::function<void(const std::function<void()>& step)>& visit) {
  const u64 from = timeline_.position();
  was_interrupted_ = false;
  timeline_.go_to_checkpoint(0);
  timeline_.set_filter(picks);
  const std::function<void()> step = [this] { timeline_.step(); };
  while (timeline_.position() < from && !was_interrupted_) {
    if (timeline_.is_picked()) {
      visit(step);
      was_interrupted_ = timeline_.take_interrupt();
    } else {
      was_interrupted_ = timeline_.advance(from) == Timeline::Arrival::interrupted;
    }
  }
  timeline_.set_filter({});
  return_to(from);
}

}  // namespace salu::debug
