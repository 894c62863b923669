#include "dap/breakpoints.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <list>
#include <string_view>
#include <utility>

#include "dap/threads.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::dap {

const char* reason_of(BreakpointKind kind) {
  switch (kind) {
    case BreakpointKind::function:
      return "function breakpoint";
    case BreakpointKind::instruction:
      return "instruction breakpoint";
    case BreakpointKind::data:
      return "data breakpoint";
    default:
      return "breakpoint";
  }
}

namespace {
constexpr std::string_view in_wave = " wave ";
}

std::string data_id_in_wave(const std::string& expression, u64 wave) {
  return fmt::format("{}{}{}", expression, in_wave, wave);
}

void read_data_id(const std::string& id, BreakpointWish& wish) {
  const std::size_t end = id.rfind(in_wave);
  if (end != std::string::npos) wish.wave = support::parse_unsigned(id.substr(end + in_wave.size()));
  wish.what = wish.wave ? id.substr(0, end) : id;
}

Json Breakpoints::replace(BreakpointKind kind, const std::string& path, const std::vector<BreakpointWish>& wishes) {
  // Clients usually keep the order of unchanged breakpoints, so that the first entry matches.
  std::list<Entry> old;
  std::vector<Entry> others;
  for (Entry& each : entries_) {
    const bool goes = each.wish.kind == kind && (kind != BreakpointKind::source || each.wish.path == path);
    goes ? old.push_back(std::move(each)) : others.push_back(std::move(each));
  }
  entries_ = std::move(others);
  // An unchanged breakpoint keeps its ID and its hits.
  std::vector<Entry> wanted;
  for (const BreakpointWish& wish : wishes) {
    const auto same = std::ranges::find(old, wish, &Entry::wish);
    if (same != old.end()) {
      wanted.push_back(std::move(*same));
      old.erase(same);
    } else {
      wanted.push_back({.wish = wish, .id = next_id_++});
    }
  }
  for (Entry& each : old) unset(each);
  Json answer = Json::array();
  for (Entry& each : wanted) {
    if (!each.session_id) set(each);
    answer.push_back(describe(each));
  }
  std::ranges::move(wanted, std::back_inserter(entries_));
  return answer;
}

std::vector<Json> Breakpoints::set_in(Debuggee* debuggee) {
  debuggee_ = debuggee;
  is_without_debugging_ = debuggee == nullptr;
  std::vector<Json> changes;
  for (Entry& each : entries_) {
    each.session_id.reset();
    set(each);
    changes.push_back({{"reason", "changed"}, {"breakpoint", describe(each)}});
  }
  return changes;
}

std::vector<Json> Breakpoints::take_removed() {
  std::vector<Json> changes;
  std::erase_if(entries_, [&](const Entry& each) {
    if (!each.session_id || debuggee_->session.find_breakpoint(*each.session_id) != nullptr) return false;
    changes.push_back({{"reason", "removed"}, {"breakpoint", {{"id", each.id}, {"verified", false}}}});
    return true;
  });
  return changes;
}

void Breakpoints::unset(Entry& entry) {
  if (entry.session_id && debuggee_ != nullptr) debuggee_->session.remove_breakpoint(*entry.session_id);
  entry.session_id.reset();
}

void Breakpoints::set(Entry& entry) {
  entry.problem =
      is_without_debugging_ ? "the program was launched without debugging" : "the program has not been launched yet";
  if (debuggee_ == nullptr) return;
  const Result<u32> id = set_in_session(entry);
  entry.problem = id ? "" : id.error().message;
  if (id) entry.session_id = *id;
}

Result<u32> Breakpoints::set_in_session(Entry& entry) {
  debug::Session& session = debuggee_->session;
  std::optional<debug::HitCondition> hit_condition;
  if (!support::trim(entry.wish.hit_condition).empty()) {
    const Result<debug::HitCondition> parsed = debug::HitCondition::parse(entry.wish.hit_condition);
    if (!parsed) return parsed.error();
    hit_condition = *parsed;
  }
  std::optional<debug::LogMessage> log;
  if (!entry.wish.log_message.empty()) {
    Result<debug::LogMessage> parsed =
        debug::LogMessage::parse(entry.wish.log_message, debuggee_->scenario.program, debuggee_->session.lane());
    if (!parsed) return std::move(parsed).error();
    log = *std::move(parsed);
  }
  entry.address = 0;
  Result<u32> id = set_place(entry);
  if (!id) return id;
  const Result<u32> conditioned = session.set_condition(*id, support::trim(entry.wish.condition));
  if (!conditioned) {
    session.remove_breakpoint(*id);
    return refusal("condition: " + conditioned.error().message);
  }
  debug::Breakpoint& breakpoint = *session.find_breakpoint(*id);
  breakpoint.hit_condition = hit_condition;
  breakpoint.log = std::move(log);
  if (!breakpoint.addresses.empty()) entry.address = breakpoint.addresses.front();
  return id;
}

Result<u32> Breakpoints::set_place(const Entry& entry) {
  switch (entry.wish.kind) {
    case BreakpointKind::source:
      return set_at_line(entry);
    case BreakpointKind::data:
      return set_watch(entry.wish);
    default:
      return debuggee_->session.break_at(entry.wish.what);
  }
}

/// Sets a watchpoint, of the registers of the wave that its ID names.
Result<u32> Breakpoints::set_watch(const BreakpointWish& wish) {
  debug::Session& session = debuggee_->session;
  if (!wish.wave) return session.watch(wish.what, wish.watch);
  const u64 count = session.run().launch().count;
  if (*wish.wave >= count)
    return refusal(fmt::format("no wave {}: the run has {}", *wish.wave, support::counted(count, "wave")));
  const SelectedWave selected(session, *wish.wave);
  const Result<u32> id = session.watch(wish.what, wish.watch);
  debug::Breakpoint* const breakpoint = id ? session.find_breakpoint(*id) : nullptr;
  if (breakpoint != nullptr && breakpoint->wave) breakpoint->wave = wish.wave;
  return id;
}

/// Sets a breakpoint before the first line with code from the wanted one on.
Result<u32> Breakpoints::set_at_line(const Entry& entry) {
  const Json wanted =
      entry.wish.path.empty() ? Json{{"sourceReference", Sources::listing_reference}} : Json{{"path", entry.wish.path}};
  Arguments arguments(&wanted);
  const Result<Sources::Id> source = debuggee_->sources.find(arguments);
  if (!source) return source.error();
  const auto line = debuggee_->sources.line_at_or_after(*source, entry.wish.line);
  if (!line) return refusal(fmt::format("no code at line {} or after it", entry.wish.line));
  const std::string what = fmt::format("{}:{}", entry.wish.path.empty() ? "listing" : entry.wish.path, line->line);
  return debuggee_->session.break_at(line->addresses, what);
}

Json Breakpoints::describe(const Entry& entry) const {
  Json json = {{"id", entry.id}, {"verified", entry.session_id.has_value()}};
  if (!entry.session_id) {
    json["message"] = entry.problem;
    json["reason"] = debuggee_ == nullptr && !is_without_debugging_ ? "pending" : "failed";
    return json;
  }
  const debug::Breakpoint* const breakpoint = debuggee_->session.find_breakpoint(*entry.session_id);
  if (breakpoint == nullptr || breakpoint->addresses.empty()) return json;
  json["instructionReference"] = support::hex(entry.address);
  if (const auto place = debuggee_->sources.origin_of(entry.address)) {
    json["source"] = place->source;
    json["line"] = place->line;
  }
  return json;
}

const Breakpoints::Entry* Breakpoints::find(u32 session_id) const {
  const auto found = std::ranges::find(entries_, std::optional(session_id), &Entry::session_id);
  return found == entries_.end() ? nullptr : &*found;
}

Breakpoints::Known Breakpoints::recognize(const debug::Pause& pause) const {
  Known known;
  if (pause.breakpoints.empty() && !pause.watches.empty()) known.kind = BreakpointKind::data;
  const auto look_at = [&](u32 session_id) {
    const Entry* const entry = find(session_id);
    if (entry == nullptr) return;
    if (known.ids.empty()) known.kind = entry->wish.kind;
    known.ids.push_back(entry->id);
  };
  for (const u32 id : pause.breakpoints) look_at(id);
  for (const debug::WatchHit& hit : pause.watches) look_at(hit.id);
  return known;
}

}  // namespace salu::dap
