#include <salu/session.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "api/opening.hpp"
#include "debug/console.hpp"
#include "debug/place_text.hpp"
#include "debug/session.hpp"
#include "debug/why_place.hpp"
#include "debug/why_text.hpp"
#include "support/numbers.hpp"

namespace salu {
namespace {

constexpr std::array<std::string_view, 8> pause_reason_names = {"start", "step",  "breakpoint",  "watchpoint",
                                                                "ended", "limit", "interrupted", "warning"};
static_assert(static_cast<std::size_t>(debug::Pause::Reason::warning) + 1 == pause_reason_names.size());
static_assert(static_cast<int>(PauseReason::warning) == static_cast<int>(debug::Pause::Reason::warning));
static_assert(static_cast<int>(PauseReason::interrupted) == static_cast<int>(debug::Pause::Reason::interrupted));
static_assert(static_cast<int>(WatchKind::access) == static_cast<int>(debug::WatchKind::access));

constexpr std::array<std::string_view, 3> wave_status_names = {"ready", "waits", "ended"};
static_assert(static_cast<int>(WaveStatus::waits) == static_cast<int>(debug::RunHistory::Wave::Status::waits));
static_assert(static_cast<int>(WaveStatus::ended) == static_cast<int>(debug::RunHistory::Wave::Status::ended));

Error not_ended() {
  return api::usage("the program has not ended at this position; `continue_` or `go_to_end` runs it to its end");
}

}  // namespace

std::string_view pause_reason_name(PauseReason reason) {
  return pause_reason_names.at(static_cast<std::size_t>(reason));
}

std::string_view wave_status_name(WaveStatus status) { return wave_status_names.at(static_cast<std::size_t>(status)); }

u32 Pause::hit() const {
  if (!breakpoints.empty()) return breakpoints.front();
  return watches.empty() ? 0 : watches.front().id;
}

struct Session::Implementation {
  Implementation(std::shared_ptr<const Scenario> of, const SessionOptions& options)
      : scenario(std::move(of)),
        session(*scenario, {.history_bytes = options.history_bytes, .check_undefined = options.check_undefined}) {
    take(debug::Pause{debug::Pause::Reason::start, {}, {}});
  }

  /// Keeps the reason and the place of a pause.
  const Pause& take(const debug::Pause& pause) {
    last = {static_cast<PauseReason>(pause.reason),
            session.run().position(),
            session.address(),
            pause.breakpoints,
            {},
            pause.warnings,
            session.wave().number};
    for (const debug::WatchHit& hit : pause.watches)
      last.watches.push_back({hit.id, hit.before.bits, hit.after.bits, hit.pc, hit.read, hit.written, hit.wave});
    return last;
  }
  Result<Pause> take(const Result<debug::Pause>& pause) {
    if (!pause) return pause.error();
    return take(*pause);
  }

  /// Changes a breakpoint. False for an unknown number.
  template <class Change>
  bool change(u32 id, const Change& change_breakpoint) {
    debug::Breakpoint* const breakpoint = session.find_breakpoint(id);
    if (breakpoint != nullptr) change_breakpoint(*breakpoint);
    return breakpoint != nullptr;
  }

  std::shared_ptr<const Scenario> scenario;
  debug::Session session;
  Pause last;
  bool was_interrupted = false;             ///< the last `why`
  std::string printed;                      ///< by the console
  std::unique_ptr<debug::Console> console;  ///< from the first command on
};

Session::Session(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::open(std::shared_ptr<const Scenario> scenario, const SessionOptions& options) {
  if (scenario->waves != nullptr && scenario->waves->count == 0) return api::usage("`waves` of the scenario is empty");
  return Session(std::make_unique<Implementation>(std::move(scenario), options));
}

Result<Session> Session::open(Scenario scenario, const SessionOptions& options) {
  return open(std::make_shared<const Scenario>(std::move(scenario)), options);
}

Result<Session> Session::load(const std::string& path, const LoadOptions& load, const ScenarioSelection& selection,
                              const SessionOptions& options) {
  Result<Scenario> scenario = api::load_selected(path, load, selection);
  if (!scenario) return scenario.error();
  return open(*std::move(scenario), options);
}

// ---- moving ----

Pause Session::step(u64 count) { return implementation_->take(implementation_->session.step(count)); }
Pause Session::reverse_step(u64 count) { return implementation_->take(implementation_->session.step_back(count)); }
Pause Session::next(u64 count) { return implementation_->take(implementation_->session.next(count)); }
Pause Session::reverse_next(u64 count) { return implementation_->take(implementation_->session.next_back(count)); }
Pause Session::continue_() { return implementation_->take(implementation_->session.go_on()); }
Pause Session::reverse_continue() { return implementation_->take(implementation_->session.go_back()); }

Pause Session::step_line(u64 count) { return implementation_->take(implementation_->session.step_line(false, count)); }
Pause Session::reverse_step_line(u64 count) {
  return implementation_->take(implementation_->session.step_line_back(false, count));
}
Pause Session::next_line(u64 count) { return implementation_->take(implementation_->session.step_line(true, count)); }
Pause Session::reverse_next_line(u64 count) {
  return implementation_->take(implementation_->session.step_line_back(true, count));
}

Result<Pause> Session::finish() { return implementation_->take(implementation_->session.finish()); }
Result<Pause> Session::reverse_finish() { return implementation_->take(implementation_->session.finish_back()); }

Result<Pause> Session::run_to(std::string_view place) {
  const Result<std::vector<u64>> addresses = implementation_->session.find_place(place);
  if (!addresses) return addresses.error();
  return implementation_->take(implementation_->session.run_to(*addresses));
}

Result<Pause> Session::reverse_run_to(std::string_view place) {
  const Result<std::vector<u64>> addresses = implementation_->session.find_place(place);
  if (!addresses) return addresses.error();
  return implementation_->take(implementation_->session.run_back_to(*addresses));
}

Pause Session::go_to(u64 position) { return implementation_->take(implementation_->session.go_to(position)); }
Pause Session::go_to_end() { return implementation_->take(implementation_->session.go_to_end()); }

void Session::set_limit(u64 instructions) { implementation_->session.set_limit(instructions); }
void Session::interrupt() { implementation_->session.interrupt(); }
void Session::clear_interrupt() { implementation_->session.clear_interrupt(); }

// ---- waves ----

std::vector<SessionWave> Session::waves() const {
  std::vector<SessionWave> result;
  for (const debug::RunHistory::Wave* const wave : implementation_->session.run().waves()) {
    const core::Machine& machine = wave->machine;
    result.push_back({wave->number, wave->name, static_cast<WaveStatus>(wave->status),
                      machine.stopped() ? machine.stop().pc : machine.pc()});
  }
  return result;
}

u64 Session::wave() const { return implementation_->session.wave().number; }

Result<u64> Session::select_wave(u64 number) {
  if (std::optional<Error> problem = implementation_->session.choose_wave(number)) return *std::move(problem);
  implementation_->last.pc = pc();
  implementation_->last.wave = number;
  return number;
}

// ---- breakpoints and watchpoints ----

Result<u32> Session::break_at(std::string_view place, std::string_view condition, bool temporary) {
  return implementation_->session.break_at(place, condition, temporary);
}

Result<u32> Session::watch(std::string_view expression, WatchKind kind, std::string_view condition) {
  return implementation_->session.watch(expression, static_cast<debug::WatchKind>(kind), condition);
}

std::vector<SessionBreakpoint> Session::breakpoints() const {
  std::vector<SessionBreakpoint> result;
  for (const debug::Breakpoint& each : implementation_->session.breakpoints()) {
    const bool is_watch = each.kind == debug::Breakpoint::Kind::watch;
    result.push_back({each.id, each.what, is_watch ? std::optional(static_cast<WatchKind>(each.watch)) : std::nullopt,
                      each.condition ? each.condition->text() : std::string(), each.ignore, each.hits, each.enabled,
                      each.temporary});
  }
  return result;
}

bool Session::remove(u32 id) { return implementation_->session.remove_breakpoint(id); }

bool Session::set_enabled(u32 id, bool enabled) {
  return implementation_->change(id, [&](debug::Breakpoint& breakpoint) { breakpoint.enabled = enabled; });
}

bool Session::set_ignore(u32 id, u64 hits) {
  return implementation_->change(id, [&](debug::Breakpoint& breakpoint) { breakpoint.ignore = hits; });
}

Result<u32> Session::set_condition(u32 id, std::string_view condition) {
  return implementation_->session.set_condition(id, condition);
}

void Session::catch_warnings(std::set<WarningKind> kinds) { implementation_->session.catch_warnings(std::move(kinds)); }

// ---- looking ----

const Pause& Session::where() const { return implementation_->last; }
u64 Session::position() const { return implementation_->session.run().position(); }
u64 Session::pc() const { return implementation_->session.address(); }
bool Session::ended() const { return implementation_->session.run().ended(); }
u64 Session::furthest() const { return implementation_->session.run().furthest(); }

std::string Session::instruction() const {
  const debug::Session& session = implementation_->session;
  return debug::instruction_text(session, session.address()) + debug::source_note(session.program(), session.address());
}

std::optional<Stop> Session::stop() const {
  return ended() ? std::optional(implementation_->session.run().stop()) : std::nullopt;
}

Result<Outcome> Session::outcome() {
  if (!ended()) return not_ended();
  return implementation_->session.outcome();
}

Result<std::vector<Mismatch>> Session::failed_expectations() {
  if (!ended()) return not_ended();
  return implementation_->session.failed_expectations();
}

std::vector<Warning> Session::warnings() const { return implementation_->session.run().warnings(); }
const Scenario& Session::scenario() const { return *implementation_->scenario; }

Result<u64> Session::evaluate(std::string_view expression) const {
  const debug::Session& session = implementation_->session;
  const Result<expr::Expression> parsed = session.parse(expression);
  if (!parsed) return parsed.error();
  if (std::optional<std::string> problem = parsed->find_problem(session.machine()))
    return api::usage(*std::move(problem));
  return parsed->evaluate(session.machine()).bits;
}

WaveState Session::state() const { return implementation_->session.machine().state(); }
bool Session::was_interrupted() const { return implementation_->was_interrupted; }
Memory Session::memory() { return implementation_->session.memory(); }

Result<std::vector<u8>> Session::read(u64 address, std::size_t size_bytes) const {
  return api::read_mapped(implementation_->session.machine().memory_now(), address, size_bytes);
}

Result<WhyAnswer> Session::why(std::string_view place, std::size_t most_steps) {
  debug::Session& session = implementation_->session;
  const Result<debug::WhyPlace> asked = debug::read_why_place(place);
  if (!asked) return asked.error();
  const u64 furthest = session.run().furthest();
  if (asked->step && *asked->step > furthest)
    return api::usage("the run has reached only step " + std::to_string(furthest) + " so far");
  const Result<std::vector<observe::Bits>> bits = debug::find_why_bits(session, *asked);
  implementation_->was_interrupted = asked->step && session.was_interrupted();
  if (!bits) return bits.error();
  observe::WhyOptions options;
  options.most_links = most_steps;
  const observe::WhyGraph graph = session.why(*bits, asked->step.value_or(session.run().position()), options);
  WhyAnswer answer{{}, graph.is_cut, debug::why_text(graph, session.program(), "a greater number of links")};
  for (const observe::WhyLink& link : graph.links)
    answer.steps.push_back({link.is_edit ? 0 : link.step(), link.pc, link.depth, link.text});
  return answer;
}

// ---- changing ----

Result<u64> Session::set(std::string_view place, std::string_view expression) {
  const Result<expr::Value> value = implementation_->session.set(place, expression);
  if (!value) return value.error();
  return value->bits;
}

Result<u64> Session::set(std::string_view place, u64 value) { return set(place, support::hex(value)); }

Result<std::string> Session::command(std::string_view line) {
  Implementation& parts = *implementation_;
  if (!parts.console) {
    parts.console = std::make_unique<debug::Console>(
        parts.session, [&parts](std::string_view text) { parts.printed += text; }, false);
  }
  parts.printed.clear();
  const u64 stops = parts.console->stop_count();
  const bool is_done = parts.console->execute(line);
  if (parts.console->stop_count() != stops) parts.take(parts.console->last_stop());
  if (parts.last.wave != wave()) (void)select_wave(wave());
  if (is_done) return parts.printed;
  constexpr std::string_view prefix = "error: ";
  return api::usage(parts.printed.substr(parts.printed.starts_with(prefix) ? prefix.size() : 0));
}

}  // namespace salu
