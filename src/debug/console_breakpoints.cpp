#include "debug/console.hpp"

#include <algorithm>
#include <array>

#include "debug/console_text.hpp"
#include "debug/texts.hpp"
#include "support/names.hpp"

namespace salu::debug {

Result<u32> Console::add_break_of(std::string_view arguments, bool temporary) {
  const auto [place, condition] = split_condition(arguments);
  if (!place.empty()) return session_.break_at(place, condition, temporary);
  if (session_.timeline().ended())
    return Error{ErrorCode::usage, {}, "the program has ended: there is no instruction here", {}};
  return session_.break_at(hex(here()), condition, temporary);
}

bool Console::show_added(const Result<u32>& id) {
  if (!id) return fail(id.error());
  const Breakpoint& breakpoint = *session_.find_breakpoint(*id);
  std::string text = "Breakpoint " + std::to_string(*id) + ":";
  if (breakpoint.addresses.empty()) text += " every " + breakpoint.what;
  for (const u64 address : breakpoint.addresses)
    text += " " + place_text(address) + ": " + session_.machine().text_at(address) + source_text(address);
  line(text);
  return true;
}

bool Console::add_break(std::string_view arguments) { return show_added(add_break_of(arguments, false)); }

bool Console::add_temporary_break(std::string_view arguments) { return show_added(add_break_of(arguments, true)); }

/// `[PLACE] [if CONDITION], MESSAGE`; the message may stand in quotes.
bool Console::add_log(std::string_view arguments) {
  auto [place, text] = split_at_comma(arguments);
  if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
  if (text.empty()) return fail("expected a place, a comma and a message, as in `dprintf loop, s0 is {s0}`");
  Result<LogMessage> message = LogMessage::parse(text, session_.program());
  if (!message) return fail(message.error());
  const Result<u32> id = add_break_of(place, false);
  if (id) session_.find_breakpoint(*id)->log = *std::move(message);
  return show_added(id);
}

bool Console::add_watch_of(std::string_view arguments, WatchKind kind) {
  const auto [expression, condition] = split_condition(arguments);
  const Result<u32> id = session_.watch(expression, kind, condition);
  if (!id) return fail(id.error());
  const Breakpoint& breakpoint = *session_.find_breakpoint(*id);
  line("Watchpoint " + std::to_string(*id) + ": " + breakpoint.what + " = " +
       value_text(breakpoint.watched->evaluate(session_.machine()), breakpoint.watched->width()));
  return true;
}

bool Console::add_watch(std::string_view arguments) { return add_watch_of(arguments, WatchKind::change); }

bool Console::add_read_watch(std::string_view arguments) { return add_watch_of(arguments, WatchKind::read); }

bool Console::add_access_watch(std::string_view arguments) { return add_watch_of(arguments, WatchKind::access); }

/// The breakpoint of a number as the user wrote it, or null.
Breakpoint* Console::find_numbered(std::string_view number) {
  const auto id = parse_unsigned(number);
  return id && *id <= ~u32{0} ? session_.find_breakpoint(static_cast<u32>(*id)) : nullptr;
}

bool Console::remove(std::string_view arguments) {
  if (arguments.empty()) {
    while (!session_.breakpoints().empty()) session_.remove_breakpoint(session_.breakpoints().back().id);
    return true;
  }
  while (!arguments.empty()) {
    const std::string_view word = take_word(arguments);
    const Breakpoint* const breakpoint = find_numbered(word);
    if (breakpoint == nullptr) return fail("there is no breakpoint " + support::quote(word));
    session_.remove_breakpoint(breakpoint->id);
  }
  return true;
}

bool Console::switch_breakpoints(std::string_view arguments, bool enabled) {
  if (arguments.empty()) return fail("expected the number of a breakpoint; `info breakpoints` lists them");
  while (!arguments.empty()) {
    const std::string_view word = take_word(arguments);
    Breakpoint* const breakpoint = find_numbered(word);
    if (breakpoint == nullptr) return fail("there is no breakpoint " + support::quote(word));
    breakpoint->enabled = enabled;
  }
  return true;
}

bool Console::enable(std::string_view arguments) { return switch_breakpoints(arguments, true); }

bool Console::disable(std::string_view arguments) { return switch_breakpoints(arguments, false); }

bool Console::condition(std::string_view arguments) {
  const std::string_view word = take_word(arguments);
  if (!parse_unsigned(word)) return fail("expected the number of a breakpoint and a condition");
  const Breakpoint* const breakpoint = find_numbered(word);
  if (breakpoint == nullptr) return fail("there is no breakpoint " + support::quote(word));
  const Result<u32> changed = session_.set_condition(breakpoint->id, arguments);
  return changed || fail(changed.error());
}

bool Console::ignore(std::string_view arguments) {
  const std::string_view word = take_word(arguments);
  const auto count = parse_unsigned(arguments);
  if (!parse_unsigned(word) || !count)
    return fail("expected the number of a breakpoint and a count, as in `ignore 1 3`");
  Breakpoint* const breakpoint = find_numbered(word);
  if (breakpoint == nullptr) return fail("there is no breakpoint " + support::quote(word));
  breakpoint->ignore = *count;
  return true;
}

void Console::print_breakpoint(const Breakpoint& breakpoint) {
  constexpr std::array<std::string_view, 3> watches = {"watch", "rwatch", "awatch"};
  std::string text = std::to_string(breakpoint.id) + "  ";
  text += breakpoint.watched     ? watches[static_cast<std::size_t>(breakpoint.watch)]
          : breakpoint.log       ? "dprintf"
          : breakpoint.temporary ? "tbreak"
                                 : "break";
  text += " " + breakpoint.what;
  if (breakpoint.condition) text += " if " + breakpoint.condition->text();
  for (const u64 address : breakpoint.addresses) text += "  " + place_text(address);
  if (breakpoint.hit_condition) text += ", at hits " + breakpoint.hit_condition->text();
  if (breakpoint.log) text += ", says \"" + breakpoint.log->text() + "\"";
  text += breakpoint.hits == 0 ? ", never hit" : ", hit " + counted(breakpoint.hits, "time");
  if (breakpoint.ignore != 0) text += ", the next " + std::to_string(breakpoint.ignore) + " are passed over";
  if (!breakpoint.enabled) text += ", disabled";
  line(text);
}

bool Console::info_breakpoints(std::string_view) {
  if (session_.breakpoints().empty()) line("There are no breakpoints and no watchpoints.");
  for (const Breakpoint& each : session_.breakpoints()) print_breakpoint(each);
  return true;
}

bool Console::info_watchpoints(std::string_view) {
  const auto is_watch = [](const Breakpoint& each) { return each.watched.has_value(); };
  if (std::ranges::none_of(session_.breakpoints(), is_watch)) line("There are no watchpoints.");
  for (const Breakpoint& each : session_.breakpoints()) {
    if (is_watch(each)) print_breakpoint(each);
  }
  return true;
}

}  // namespace salu::debug
