#include "dap/notices.hpp"

#include <fmt/core.h>

#include <utility>

#include "dap/threads.hpp"
#include "debug/place_text.hpp"
#include "support/numbers.hpp"

namespace salu::dap {
namespace {

std::string describe_hits(Debuggee& debuggee, const debug::Pause& pause) {
  debug::Session& session = debuggee.session;
  std::string text;
  const auto add = [&text](const std::string& line) { text += (text.empty() ? "" : "\n") + line; };
  for (const debug::WatchHit& hit : pause.watches) {
    const debug::Breakpoint* const breakpoint = session.find_breakpoint(hit.id);
    if (breakpoint != nullptr && breakpoint->watched) add(watch_text(session, *breakpoint, hit));
  }
  if (!pause.breakpoints.empty()) add(instruction_text(session, session.machine().pc()));
  return text;
}

/// Text about misuse of the control stack, with the instruction that caused it and the instruction affected.
std::string misuse_text(const debug::Session& session, const Warning& warning) {
  const auto place = [&](u64 pc) { return instruction_text(session, pc) + debug::source_note(session.program(), pc); };
  std::string text = "Misuse of the control stack: " + warning.detail;
  if (warning.culprit_pc) text += "\nDone by " + place(*warning.culprit_pc);
  if (warning.victim_pc) text += "\nAffected: " + place(*warning.victim_pc);
  if (!warning.culprit_pc && !warning.victim_pc) text += "\nAt " + place(warning.pc);
  return text;
}

}  // namespace

void Notices::say_started(const Debuggee& debuggee) {
  messages_.tell("process", {{"name", debuggee.scenario.name}, {"startMethod", "launch"}});
  threads_.clear();
  tell_threads(debuggee);
}

/// Reports the threads that have ended and started since the last time.
void Notices::tell_threads(const Debuggee& debuggee) {
  std::set<u64> now;
  for (const debug::RunHistory::Wave* const wave : debuggee.session.run().waves()) now.insert(wave->number + 1);
  const auto tell = [this](const char* reason, const std::set<u64>& threads, const std::set<u64>& others) {
    for (const u64 thread : threads) {
      if (!others.contains(thread)) messages_.tell("thread", {{"reason", reason}, {"threadId", thread}});
    }
  };
  tell("exited", threads_, now);
  tell("started", now, threads_);
  threads_ = std::move(now);
}

void Notices::say_continued(const Debuggee& debuggee) {
  messages_.tell("continued", {{"threadId", thread_of(debuggee.session)}, {"allThreadsContinued", true}});
}

void Notices::say_stopped(const Debuggee& debuggee, const char* reason, const std::string& description,
                          const std::string& text, const std::vector<u32>& ids) {
  tell_threads(debuggee);
  Json body = {{"reason", reason},
               {"description", description},
               {"threadId", thread_of(debuggee.session)},
               {"allThreadsStopped", true}};
  const std::string misuse = std::exchange(misuse_, {});
  if (!misuse.empty()) body["description"] = description + "; the control stack was misused";
  const std::string whole = text + (text.empty() || misuse.empty() ? "" : "\n") + misuse;
  if (!whole.empty()) body["text"] = whole;
  if (!ids.empty()) body["hitBreakpointIds"] = ids;
  messages_.tell("stopped", std::move(body));
}

void Notices::say_hit(Debuggee& debuggee, const debug::Pause& pause) {
  const Breakpoints::Known known = breakpoints_.recognize(pause);
  const std::string kind = reason_of(known.kind);
  say_stopped(debuggee, kind.c_str(), "Paused on " + kind, describe_hits(debuggee, pause), known.ids);
}

void Notices::tell_warnings(Debuggee& debuggee) {
  for (const Warning& warning : debuggee.session.run().warnings()) {
    const u64 other = warning.hazard ? warning.hazard->producer_pc : warning.race ? warning.race->other_pc : 0;
    if (!debuggee.told_warnings.emplace(warning.kind, warning.pc, other).second) continue;
    messages_.print(fmt::format("{}: {} at {}: {}", warning.is_info() ? "info" : "warning",
                                warning_kind_name(warning.kind),
                                debug::address_text(debuggee.scenario.program, warning.pc), warning.detail));
    if (warning.kind != WarningKind::control_stack_misuse) continue;
    misuse_ += (misuse_.empty() ? "" : "\n") + misuse_text(debuggee.session, warning);
  }
}

std::string Notices::tell_expectations(Debuggee& debuggee) {
  std::string text;
  for (const Mismatch& mismatch : debuggee.session.failed_expectations()) {
    const std::string line = debug::failure_text(mismatch);
    if (!debuggee.has_told_expectations) messages_.print(line);
    text += "\n" + line;
  }
  debuggee.has_told_expectations = true;
  return text;
}

void Notices::print_log(Debuggee& debuggee) {
  debuggee.session.set_log([this](const std::string& message) { messages_.print(message); });
}

void Notices::tell_changed(std::optional<u64> address, u64 count) {
  if (client_.takes_invalidated) messages_.tell("invalidated", {{"areas", {"all"}}});
  if (client_.takes_memory && address)
    messages_.tell("memory", {{"memoryReference", support::hex(*address)}, {"offset", 0}, {"count", count}});
}

void Notices::tell_set(const Debuggee& debuggee, const std::string& place) {
  const Result<expr::Expression> parsed = debuggee.session.parse(place);
  if (!parsed || !parsed->is_memory()) return tell_changed();
  tell_changed(parsed->memory_address(debuggee.session.machine()), parsed->memory_bytes());
}

}  // namespace salu::dap
