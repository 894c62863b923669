#include "debug/session.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <utility>

#include "core/accesses.hpp"
#include "core/text.hpp"
#include "debug/touches.hpp"
#include "debug/values.hpp"

namespace salu::debug {
namespace {

constexpr u64 no_limit = ~u64{0};

Error usage(std::string message) { return Error{ErrorCode::usage, {}, std::move(message), {}}; }

std::optional<u64> parse_number(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Whether a text is like a pattern, in which `*` stands for any text and `?` for any character.
bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    for (std::size_t taken = 0; taken <= text.size(); ++taken) {
      if (matches(text.substr(taken), pattern.substr(1))) return true;
    }
    return false;
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches(text.substr(1), pattern.substr(1));
}

bool same(const Value& left, const Value& right) { return left.bits == right.bits; }

}  // namespace

Session::Session(const Scenario& scenario, const TimelineOptions& options)
    : scenario_(scenario), timeline_(scenario, options), limit_(scenario.options.max_steps) {}

// ---- moving ----

Pause Session::arrived() const {
  Pause pause;
  if (timeline_.ended()) pause.reason = Pause::Reason::ended;
  return pause;
}

Pause Session::step(u64 count) {
  const u64 target = timeline_.position() + std::min(count, no_limit - timeline_.position());
  const bool is_single = target == timeline_.position() + 1;
  // Watchpoints count in a single step, too; a breakpoint where it ends is no news.
  const bool watches =
      std::ranges::any_of(breakpoints_, [](const Breakpoint& each) { return each.enabled && each.watched; });
  if (is_single && !watches) {
    timeline_.step();
    return arrived();
  }
  const u64 end = std::min(target, timeline_.position() + limit_);
  Goal goal;
  goal.in_front = [&] { return timeline_.position() >= end; };
  goal.picks = [](u64) { return true; };
  Pause pause = run_forward(goal, false);
  if (pause.reason == Pause::Reason::step && end != target) pause.reason = Pause::Reason::limit;
  return pause;
}

Pause Session::step_back(u64 count) {
  const u64 here = timeline_.position();
  if (here == 0) return {Pause::Reason::start, {}, {}};
  const u64 target = here - std::min(count, here);
  const bool stops = std::ranges::any_of(breakpoints_, &Breakpoint::enabled);
  if (count == 1 || !stops) {
    if (!timeline_.go_to(target)) return {Pause::Reason::interrupted, {}, {}};
    return {count > here ? Pause::Reason::start : Pause::Reason::step, {}, {}};
  }
  Goal goal;
  goal.picks = [](u64) { return true; };
  goal.in_front = [&] { return timeline_.position() == target; };
  return run_backward(goal);
}

Pause Session::next(u64 count) {
  Pause pause;
  for (u64 i = 0; i < count; ++i) {
    const std::size_t depth = timeline_.calls().depth();
    pause = step();
    if (pause.reason != Pause::Reason::step) return pause;
    if (timeline_.calls().depth() <= depth) continue;
    Goal goal;
    goal.picks = [this](u64 address) { return may_return(*machine().instruction_at(address)); };
    goal.behind = [&] { return timeline_.calls().depth() <= depth; };
    pause = run_forward(goal, true);
    if (pause.reason != Pause::Reason::step) return pause;
  }
  return pause;
}

Pause Session::next_back(u64 count) {
  Pause pause;
  for (u64 i = 0; i < count; ++i) {
    const std::size_t depth = timeline_.calls().depth();
    pause = step_back();
    if (pause.reason != Pause::Reason::step) return pause;
    const Frame* frame = timeline_.calls().top();
    while (frame != nullptr && frame->depth > depth + 1) frame = frame->outer.get();
    if (frame == nullptr || frame->depth <= depth) continue;
    // Behind a call: to the instruction that called.
    const u64 call = frame->position;
    Goal goal;
    goal.picks = [this](u64 address) { return is_call(*machine().instruction_at(address)); };
    goal.in_front = [&] { return timeline_.position() == call; };
    pause = run_backward(goal);
    if (pause.reason != Pause::Reason::step) return pause;
  }
  return pause;
}

Pause Session::step_line(bool over_calls) {
  const auto line_here = [this] {
    const LineEntry* const entry = timeline_.ended() ? nullptr : program().find_line(machine().pc());
    return entry == nullptr ? std::pair<u32, u32>{} : std::pair{entry->file + 1, entry->line};
  };
  const auto start = line_here();
  const u64 end = timeline_.position() + std::min(limit_, no_limit - timeline_.position());
  while (true) {
    const std::size_t depth = timeline_.calls().depth();
    Pause pause = over_calls ? next() : step();
    const bool has_called = timeline_.calls().depth() > depth;
    if (pause.reason == Pause::Reason::step && has_called && line_here().second == 0) {
      // A function without lines is passed over.
      Result<Pause> back = finish();
      if (back) pause = *back;
    }
    if (pause.reason != Pause::Reason::step || start.second == 0) return pause;
    const auto here = line_here();
    if (here.second != 0 && here != start) return pause;
    std::vector<u32> hits = here == start ? find_hits_here() : std::vector<u32>{};
    if (!hits.empty()) {
      pause.breakpoints = std::move(hits);
      pause.reason = Pause::Reason::breakpoint;
      if (count_hits(pause)) return pause;
    }
    if (timeline_.position() >= end) return {Pause::Reason::limit, {}, {}};
  }
}

Result<Pause> Session::finish() {
  const Frame* const frame = timeline_.calls().top();
  if (frame == nullptr) return usage("this is the outermost function: nothing has called it in this run");
  const std::size_t depth = frame->depth;
  Goal goal;
  goal.picks = [this](u64 address) { return may_return(*machine().instruction_at(address)); };
  goal.behind = [&] { return timeline_.calls().depth() < depth; };
  return run_forward(goal, false);
}

Result<Pause> Session::finish_back() {
  const Frame* const frame = timeline_.calls().top();
  if (frame == nullptr) return usage("this is the outermost function: nothing has called it in this run");
  const u64 call = frame->position;
  Goal goal;
  goal.picks = [this](u64 address) { return is_call(*machine().instruction_at(address)); };
  goal.in_front = [&] { return timeline_.position() == call; };
  return run_backward(goal);
}

Pause Session::run_to(const std::vector<u64>& addresses) {
  const auto is_there = [&](u64 address) { return std::ranges::find(addresses, address) != addresses.end(); };
  Goal goal;
  goal.picks = is_there;
  goal.in_front = [&] { return is_there(machine().pc()); };
  return run_forward(goal, false);
}

Pause Session::run_back_to(const std::vector<u64>& addresses) {
  const auto is_there = [&](u64 address) { return std::ranges::find(addresses, address) != addresses.end(); };
  Goal goal;
  goal.picks = is_there;
  goal.in_front = [&] { return is_there(machine().pc()); };
  return run_backward(goal);
}

Pause Session::go_on() { return run_forward({}, false); }

Pause Session::go_back() { return run_backward({}); }

Pause Session::go_to(u64 position) {
  timeline_.clear_interrupt();
  if (!timeline_.go_to(position)) return {Pause::Reason::interrupted, {}, {}};
  return arrived();
}

Pause Session::go_to_end() {
  const u64 target = timeline_.position() + std::min(limit_, no_limit - timeline_.position());
  Pause pause = go_to(target);
  if (pause.reason == Pause::Reason::step) pause.reason = Pause::Reason::limit;
  return pause;
}

Pause Session::run_forward(const Goal& goal, bool has_moved) {
  timeline_.clear_interrupt();
  const u64 end = timeline_.position() + std::min(limit_, no_limit - timeline_.position());
  timeline_.set_filter(make_filter(goal));
  Pause pause;
  while (true) {
    if (timeline_.ended()) {
      pause.reason = Pause::Reason::ended;
      break;
    }
    if (timeline_.position() >= end) {
      pause.reason = Pause::Reason::limit;
      break;
    }
    if (!timeline_.is_picked()) {
      has_moved = true;
      if (timeline_.advance(end) != Timeline::Arrival::interrupted) continue;
      pause.reason = Pause::Reason::interrupted;
      break;
    }
    if (has_moved) {
      pause.breakpoints = find_hits_here();
      pause.reason = Pause::Reason::breakpoint;
      if (!pause.breakpoints.empty() && count_hits(pause)) break;
      pause.breakpoints.clear();
      pause.reason = Pause::Reason::step;
      if (goal.in_front && goal.in_front()) break;
    }
    has_moved = true;
    pause.watches = step_and_watch();
    pause.reason = Pause::Reason::watchpoint;
    if (!pause.watches.empty() && count_hits(pause)) break;
    pause.watches.clear();
    pause.reason = Pause::Reason::step;
    if (goal.behind && goal.behind()) break;
  }
  timeline_.set_filter({});
  forget_temporary(pause);
  return pause;
}

Pause Session::run_backward(const Goal& goal) {
  timeline_.clear_interrupt();
  const u64 from = timeline_.position();
  timeline_.set_filter(make_filter(goal));
  u64 end = from;
  Pause pause{Pause::Reason::start, {}, {}};
  u64 target = 0;
  while (end != 0) {
    // The last stop between a checkpoint and `end`; without one, between the checkpoint before it and this one.
    timeline_.go_to_checkpoint(end - 1);
    const u64 start = timeline_.position();
    bool found = false;
    while (timeline_.position() < end) {
      if (!timeline_.is_picked()) {
        if (timeline_.advance(end) != Timeline::Arrival::interrupted) continue;
        timeline_.set_filter({});
        timeline_.go_to(from);
        return {Pause::Reason::interrupted, {}, {}};
      }
      const u64 here = timeline_.position();
      std::vector<u32> hits = find_hits_here();
      const bool is_goal = goal.in_front && goal.in_front();
      std::vector<WatchHit> watches = step_and_watch();
      const bool is_goal_behind = goal.behind && goal.behind() && timeline_.position() < from;
      if (hits.empty() && watches.empty() && !is_goal && !is_goal_behind) continue;
      found = true;
      target = here;
      pause.reason = !hits.empty()      ? Pause::Reason::breakpoint
                     : !watches.empty() ? Pause::Reason::watchpoint
                                        : Pause::Reason::step;
      pause.breakpoints = std::move(hits);
      pause.watches = std::move(watches);
    }
    if (found && (pause.reason == Pause::Reason::step || count_hits(pause))) break;
    end = found ? target : start;
    target = 0;
    pause = {Pause::Reason::start, {}, {}};
  }
  timeline_.set_filter({});
  if (!timeline_.go_to(target)) pause = {Pause::Reason::interrupted, {}, {}};
  forget_temporary(pause);
  return pause;
}

std::function<bool(u64)> Session::make_filter(const Goal& goal) const {
  struct Watched {
    Dependencies on;
    bool reads;
  };
  std::vector<Watched> watched;
  std::vector<const Breakpoint*> places;
  for (const Breakpoint& each : breakpoints_) {
    if (!each.enabled) continue;
    if (each.watched) {
      watched.push_back({dependencies(*each.watched), each.watch != WatchKind::change});
    } else {
      places.push_back(&each);
    }
  }
  return [this, picks = goal.picks, watched = std::move(watched), places = std::move(places)](u64 address) {
    if (picks && picks(address)) return true;
    return std::ranges::any_of(places, [&](const Breakpoint* each) { return is_picked_by(*each, address); }) ||
           std::ranges::any_of(watched, [&](const Watched& each) { return may_touch(address, each.on, each.reads); });
  };
}

bool Session::is_picked_by(const Breakpoint& breakpoint, u64 address) const {
  if (breakpoint.kind == Breakpoint::Kind::address) return std::ranges::binary_search(breakpoint.addresses, address);
  if (breakpoint.kind == Breakpoint::Kind::watch) return false;
  const auto instruction = machine().instruction_at(address);
  return instruction && instruction->encoding == isa::EncodingClass::scalar &&
         matches(isa::info(instruction->insn).mnemonic, breakpoint.what);
}

/// The breakpoints in front of the next instruction whose conditions hold.
std::vector<u32> Session::find_hits_here() const {
  std::vector<u32> hits;
  for (const Breakpoint& each : breakpoints_) {
    if (!each.enabled || each.watched || timeline_.ended() || !is_picked_by(each, machine().pc())) continue;
    if (!each.condition || each.condition->evaluate(machine()).is_true()) hits.push_back(each.id);
  }
  return hits;
}

/// Executes the next instruction and tells which watchpoints it hits.
std::vector<WatchHit> Session::step_and_watch() {
  std::vector<std::pair<const Breakpoint*, WatchHit>> candidates;
  const u64 pc = machine().pc();
  for (const Breakpoint& each : breakpoints_) {
    if (!each.enabled || !each.watched) continue;
    WatchHit hit{each.id, each.watched->evaluate(machine()), {}, pc, false, false};
    if (each.watch != WatchKind::change) {
      const auto instruction = machine().instruction_at(pc);
      const core::Accesses accesses = core::find_accesses(machine(), *instruction);
      const Dependencies on = dependencies(*each.watched);
      const auto touches = [&](const Location& place) {
        return std::ranges::any_of(on.places, [&](const Location& mine) { return overlap(mine, place); });
      };
      hit.read = std::ranges::any_of(accesses.reads, touches);
      hit.written = std::ranges::any_of(accesses.writes, touches);
    }
    candidates.emplace_back(&each, hit);
  }
  timeline_.step();
  std::vector<WatchHit> hits;
  for (auto& [breakpoint, hit] : candidates) {
    hit.after = breakpoint->watched->evaluate(machine());
    const bool changed = !same(hit.before, hit.after);
    const bool is_hit = breakpoint->watch == WatchKind::change ? changed
                        : breakpoint->watch == WatchKind::read ? hit.read
                                                               : hit.read || hit.written;
    if (!is_hit) continue;
    hit.written = hit.written || changed;
    if (!breakpoint->condition || breakpoint->condition->evaluate(machine()).is_true()) hits.push_back(hit);
  }
  return hits;
}

/// Counts what was hit; false when all of it is to be passed over.
bool Session::count_hits(Pause& pause) {
  const auto passes = [this](u32 id) {
    Breakpoint& breakpoint = *find_breakpoint(id);
    ++breakpoint.hits;
    if (breakpoint.ignore == 0) return false;
    --breakpoint.ignore;
    return true;
  };
  std::erase_if(pause.breakpoints, passes);
  std::erase_if(pause.watches, [&](const WatchHit& hit) { return passes(hit.id); });
  return !pause.breakpoints.empty() || !pause.watches.empty();
}

void Session::forget_temporary(const Pause& pause) {
  for (const u32 id : pause.breakpoints) {
    if (find_breakpoint(id)->temporary) remove_breakpoint(id);
  }
}

// ---- breakpoints and watchpoints ----

Breakpoint* Session::find_breakpoint(u32 id) {
  const auto found = std::ranges::find(breakpoints_, id, &Breakpoint::id);
  return found == breakpoints_.end() ? nullptr : &*found;
}

bool Session::remove_breakpoint(u32 id) {
  return std::erase_if(breakpoints_, [id](const Breakpoint& each) { return each.id == id; }) != 0;
}

Result<u32> Session::add(Breakpoint breakpoint, std::string_view condition) {
  if (!condition.empty()) {
    Result<Expression> parsed = parse(condition);
    if (!parsed) return std::move(parsed).error();
    breakpoint.condition = *std::move(parsed);
  }
  breakpoint.id = next_id_++;
  breakpoints_.push_back(std::move(breakpoint));
  return breakpoints_.back().id;
}

Result<u32> Session::break_at(std::string_view place, std::string_view condition, bool temporary) {
  Result<std::vector<u64>> addresses = find_place(place);
  if (!addresses) return std::move(addresses).error();
  Breakpoint breakpoint;
  breakpoint.what = std::string(place);
  breakpoint.addresses = *std::move(addresses);
  breakpoint.temporary = temporary;
  return add(std::move(breakpoint), condition);
}

Result<u32> Session::break_on(std::string_view mnemonic, std::string_view condition, bool temporary) {
  bool exists = false;
  for (std::size_t i = 0; i < isa::insn_count && !exists; ++i) {
    const isa::InstructionInfo& info = isa::info(static_cast<isa::Insn>(i));
    exists = info.opcode(program().generation()) != isa::absent && matches(info.mnemonic, mnemonic);
  }
  if (!exists) {
    return usage("no scalar instruction of " + std::string(generation_name(program().generation())) + " is called `" +
                 std::string(mnemonic) + "`");
  }
  Breakpoint breakpoint;
  breakpoint.kind = Breakpoint::Kind::mnemonic;
  breakpoint.what = std::string(mnemonic);
  breakpoint.temporary = temporary;
  return add(std::move(breakpoint), condition);
}

Result<u32> Session::watch(std::string_view expression, WatchKind kind, std::string_view condition) {
  Result<Expression> parsed = parse(expression);
  if (!parsed) return std::move(parsed).error();
  if (parsed->registers().empty() && !parsed->reads_memory())
    return usage("`" + std::string(expression) + "` never changes: it depends on no register and no memory");
  const bool is_place = parsed->is_register() || parsed->is_memory();
  if (kind != WatchKind::change && (!is_place || dependencies(*parsed).everything))
    return usage("`" + std::string(expression) + "` is no register and no memory that an instruction reads as such");
  Breakpoint breakpoint;
  breakpoint.kind = Breakpoint::Kind::watch;
  breakpoint.what = std::string(expression);
  breakpoint.watched = *std::move(parsed);
  breakpoint.watch = kind;
  return add(std::move(breakpoint), condition);
}

Result<u32> Session::set_condition(u32 id, std::string_view condition) {
  Breakpoint* const breakpoint = find_breakpoint(id);
  if (breakpoint == nullptr) return usage("there is no breakpoint " + std::to_string(id));
  if (condition.empty()) {
    breakpoint->condition.reset();
    return id;
  }
  Result<Expression> parsed = parse(condition);
  if (!parsed) return std::move(parsed).error();
  breakpoint->condition = *std::move(parsed);
  return id;
}

Session::Dependencies Session::dependencies(const Expression& expression) const {
  Dependencies result;
  for (const RegisterName& name : expression.registers()) {
    const std::optional<Location> place = core::location_of(name);
    if (place) {
      result.places.push_back(*place);
    } else {
      result.everything = true;
    }
  }
  if (expression.is_memory()) {
    const u64 address = expression.memory_address(machine());
    const u64 first = address & ~u64{3};
    const u64 end = address + expression.memory_bytes();
    result.places.push_back({Location::Kind::memory, 0, static_cast<u8>((end - first + 3) / 4), first});
  } else if (expression.reads_memory()) {
    result.places.push_back({Location::Kind::memory, 0, 1, 0});
  }
  return result;
}

bool Session::may_touch(u64 address, const Dependencies& on, bool reads) const {
  const auto instruction = machine().instruction_at(address);
  if (!instruction) return false;
  return on.everything || std::ranges::any_of(on.places, [&](const Location& place) {
           return may_write(*instruction, place) ||
                  (reads && may_read(*instruction, place, machine().allocated_sgprs()));
         });
}

// ---- looking ----

Result<Expression> Session::parse(std::string_view expression) const {
  return Expression::parse(expression, program());
}

Result<Value> Session::evaluate(std::string_view expression) const {
  const Result<Expression> parsed = parse(expression);
  if (!parsed) return parsed.error();
  return parsed->evaluate(machine());
}

Result<std::vector<u64>> Session::find_place(std::string_view place) const {
  const std::string quoted = "`" + std::string(place) + "`";
  if (place.starts_with('*')) place.remove_prefix(1);
  const std::size_t colon = place.rfind(':');
  const std::optional<u64> line =
      colon == std::string_view::npos ? parse_number(place) : parse_number(place.substr(colon + 1));
  const bool is_line = line && !place.substr(colon == std::string_view::npos ? 0 : colon + 1).starts_with("0x");
  if (is_line) {
    const std::string_view file = colon == std::string_view::npos ? std::string_view() : place.substr(0, colon);
    std::vector<u64> addresses;
    bool knows_file = false;
    for (std::size_t i = 0; i < program().lines.size(); ++i) {
      const LineEntry& entry = program().lines[i];
      const std::string& name = program().files[entry.file];
      const bool is_file = file.empty() || name == file || name.ends_with("/" + std::string(file));
      knows_file = knows_file || is_file;
      // Of instructions in a row that one line has, the first.
      const bool goes_on =
          i != 0 && program().lines[i - 1].file == entry.file && program().lines[i - 1].line == entry.line;
      if (is_file && entry.line == *line && !goes_on) addresses.push_back(entry.address);
    }
    if (!addresses.empty()) return addresses;
    if (!knows_file) return usage(quoted + ": no code comes from a file of that name");
    return usage(quoted + ": no instruction comes from line " + std::to_string(*line) + "; an address starts with 0x");
  }
  const Result<Value> address = evaluate(place);
  if (!address) {
    Error error = address.error();
    error.message = quoted + " is no address, label or source line: " + error.message;
    error.where.column = 0;
    error.source_line.clear();
    return error;
  }
  if (program().find_block(address->bits) == nullptr || address->bits % 4 != 0)
    return usage(quoted + ": there is no instruction at " + core::hex(address->bits));
  return std::vector<u64>{address->bits};
}

// ---- changing ----

Result<Value> Session::set(std::string_view place, std::string_view value) {
  const Result<Expression> target = parse(place);
  if (!target) return target.error();
  const Result<Value> wanted = evaluate(value);
  if (!wanted) return wanted.error();
  if (timeline_.ended()) return usage("the program has ended: go back to change something and run on from there");
  const std::string quoted = "`" + std::string(place) + "`";
  const u32 width = target->width();
  const bool is_negative = wanted->is_signed && static_cast<i64>(wanted->bits) < 0;
  const u64 all = width >= 64 ? ~u64{0} : (u64{1} << width) - 1;
  const u64 bits = wanted->bits & all;
  const bool fits = is_negative ? (~wanted->bits >> (width - 1)) == 0 : bits == wanted->bits;
  if (!fits)
    return usage(core::hex(wanted->bits) + " does not fit in the " + std::to_string(width) + " bits of " + quoted);
  Edit edit;
  if (target->is_register()) {
    const RegisterName& name = target->register_name();
    const u32 dwords = name.width / 32U;
    const bool is_sgpr = name.kind == RegisterName::Kind::file && name.first < code::flat_scratch;
    if (is_sgpr && name.first + dwords > machine().allocated_sgprs()) {
      return usage(quoted + " is beyond the " + std::to_string(machine().allocated_sgprs()) +
                   " SGPRs that the wave has");
    }
    if (name.kind == RegisterName::Kind::pc && (program().find_block(bits) == nullptr || bits % 4 != 0))
      return usage("there is no instruction at " + core::hex(bits));
    edit.name = name;
    edit.value = bits;
  } else if (target->is_memory()) {
    edit.address = target->memory_address(machine());
    if (!machine().memory_now().is_mapped(edit.address, target->memory_bytes()))
      return usage("the memory at " + core::hex(edit.address) + " is not mapped");
    for (u32 i = 0; i < target->memory_bytes(); ++i) edit.bytes.push_back(static_cast<u8>(bits >> (8 * i)));
  } else {
    return usage(quoted + " is neither a register nor memory: nothing can be put there");
  }
  timeline_.edit(std::move(edit));
  return Value{bits, false};
}

// ---- history ----

/// The last of the picked instructions before this position that passes a test. The test executes it.
template <class Test>
std::optional<ValueChange> Session::search_back(const std::function<bool(u64)>& picks, const Test& test) {
  timeline_.clear_interrupt();
  const u64 from = timeline_.position();
  timeline_.set_filter(picks);
  std::optional<ValueChange> found;
  for (u64 end = from; end != 0 && !found;) {
    timeline_.go_to_checkpoint(end - 1);
    const u64 start = timeline_.position();
    while (timeline_.position() < end) {
      if (timeline_.is_picked()) {
        if (const std::optional<ValueChange> change = test()) found = change;
      } else if (timeline_.advance(end) == Timeline::Arrival::interrupted) {
        end = start;
        break;
      }
    }
    end = start;
  }
  timeline_.set_filter({});
  timeline_.go_to(from);
  return found;
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
    return wrote || !same(change.before, change.after) ? std::optional(change) : std::nullopt;
  };
  return search_back([&](u64 address) { return may_touch(address, on, false); }, test);
}

std::optional<ValueChange> Session::last_change(const Expression& expression) {
  const Dependencies on = dependencies(expression);
  const auto test = [&]() -> std::optional<ValueChange> {
    ValueChange change{timeline_.position(), machine().pc(), expression.evaluate(machine()), {}};
    timeline_.step();
    change.after = expression.evaluate(machine());
    return same(change.before, change.after) ? std::nullopt : std::optional(change);
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
          if (same(change.before, change.after)) return;
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
  timeline_.clear_interrupt();
  const u64 from = timeline_.position();
  timeline_.go_to_checkpoint(0);
  timeline_.set_filter(picks);
  const std::function<void()> step = [this] { timeline_.step(); };
  while (timeline_.position() < from) {
    if (timeline_.is_picked()) {
      visit(step);
    } else if (timeline_.advance(from) == Timeline::Arrival::interrupted) {
      break;
    }
  }
  timeline_.set_filter({});
  timeline_.go_to(from);
}

}  // namespace salu::debug
