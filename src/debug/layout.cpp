#include "debug/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "debug/console_context.hpp"
#include "debug/lanes_view.hpp"
#include "debug/registers_view.hpp"
#include "support/names.hpp"

namespace salu::debug {
namespace {

/// Rows below the panes, for the stop, which needs more if they are short, and for commands.
std::size_t rows_of_commands(const ScreenSize& screen) { return screen.columns < 60 ? 11 : 7; }
/// The least number of rows of a listing.
constexpr std::size_t fewest_rows = 5;

struct Choice {
  std::string_view name;
  std::array<std::optional<Pane>, 4> panes;
};
constexpr std::optional<Pane> none;
/// GDB's names, and names for the panes that GDB does not have.
constexpr std::array<Choice, 6> choices = {{
    {"src", {Pane::source, none, none, none}},
    {"asm", {Pane::instructions, none, none, none}},
    {"split", {Pane::source, Pane::instructions, none, none}},
    {"regs", {Pane::source, Pane::registers, none, none}},
    {"lanes", {Pane::source, Pane::lanes, Pane::stack, none}},
    {"all", {Pane::source, Pane::registers, Pane::lanes, Pane::stack}},
}};

std::string_view title_of(Pane pane) {
  constexpr std::array<std::string_view, 5> titles = {"source", "instructions", "registers", "lanes", "control stack"};
  return titles[static_cast<std::size_t>(pane)];
}

/// Truncates a row to the screen, without counting styles.
std::string cut(std::string_view text, std::size_t columns) {
  std::string row;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      const std::size_t end = std::min(text.find('m', i), text.size() - 1);
      row += text.substr(i, end - i + 1);
      i = end;
      continue;
    }
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (begins && taken++ == columns) break;
    row += text[i];
  }
  // The part cut off may have ended a style.
  return row.size() == text.size() || row.find('\x1b') == std::string::npos ? row : row + std::string(style::plain);
}

/// The rows of a pane. `room`: limit for the rows of a listing, which can have any length.
std::vector<std::string> rows_of(ConsoleContext& console, Pane pane, std::size_t room) {
  Session& session = console.session;
  // Searches that repeat the whole run are left to explicit commands.
  constexpr u64 most_instructions = 100'000;
  const bool searches = session.run().position() <= most_instructions;
  return console.out.capture([&] {
    switch (pane) {
      case Pane::source: {
        const LineEntry* const entry = session.program().find_line(session.address());
        // Without source, shows the instructions.
        const bool has_source =
            entry != nullptr && console.listing.files.find(session.program().files[entry->file]) != nullptr;
        if (has_source) {
          const u64 before = room / 2;
          (void)list_lines(console, entry->file, entry->line > before ? entry->line - before : 1,
                           (entry->line > before ? entry->line - before : 1) + room - 1);
          // `list` still starts at the PC.
          console.listing.forget();
          return;
        }
        [[fallthrough]];
      }
      case Pane::instructions:
        (void)disassemble(console, session.address(), room / 2, room);
        return;
      case Pane::registers:
        return show_registers(console);
      case Pane::lanes:
        return show_lanes(console, searches);
      case Pane::stack:
        return show_stack(console, searches);
    }
  });
}

}  // namespace

void draw_layout(ConsoleContext& console) {
  const std::optional<ScreenSize> screen = console.out.screen();
  const std::vector<Pane>& panes = console.layout.panes;
  if (!screen || panes.empty() || screen->rows < rows_of_commands(*screen) + fewest_rows) return;
  const std::size_t rows = screen->rows - rows_of_commands(*screen);
  const auto is_listing = [](Pane pane) { return pane == Pane::source || pane == Pane::instructions; };
  const auto listings = static_cast<std::size_t>(std::ranges::count_if(panes, is_listing));
  // Listings take the remaining rows.
  std::vector<std::vector<std::string>> shown(panes.size());
  std::size_t taken = panes.size();
  for (std::size_t i = 0; i < panes.size(); ++i) {
    if (is_listing(panes[i])) continue;
    shown[i] = rows_of(console, panes[i], rows);
    const std::size_t most = rows - std::min(rows, listings * fewest_rows);
    const std::size_t room = taken < most ? most - taken : 0;
    if (shown[i].size() > room) shown[i].resize(room);
    taken += shown[i].size();
  }
  const std::size_t room = listings == 0 || rows <= taken ? 0 : (rows - taken) / listings;
  for (std::size_t i = 0; i < panes.size(); ++i) {
    if (is_listing(panes[i]) && room != 0) shown[i] = rows_of(console, panes[i], room);
    if (shown[i].size() > room && is_listing(panes[i])) shown[i].resize(room);
    if (shown[i].empty()) continue;
    std::string title = fmt::format("-- {} ", title_of(panes[i]));
    title.resize(std::max<std::size_t>(title.size(), screen->columns), '-');
    shown[i].insert(shown[i].begin(), console.out.styled(title.substr(0, screen->columns), style::faint));
  }
  if (console.host.clear_screen) console.host.clear_screen();
  for (const std::vector<std::string>& pane : shown) {
    for (const std::string& row : pane) console.out.line(cut(row, screen->columns));
  }
}

bool choose_layout(ConsoleContext& console, std::string_view name) {
  if (!console.out.screen()) return console.out.fail("`layout` needs a terminal");
  std::vector<std::string_view> names = {"off"};
  if (name == "off") {
    console.layout.panes.clear();
    if (console.host.clear_screen) console.host.clear_screen();
    show_place(console);
    return true;
  }
  for (const Choice& choice : choices) {
    names.push_back(choice.name);
    if (choice.name != (name.empty() ? "all" : name)) continue;
    console.layout.panes.clear();
    for (const auto& pane : choice.panes) {
      if (pane) console.layout.panes.push_back(*pane);
    }
    draw_layout(console);
    show_place(console);
    return true;
  }
  return console.out.fail(fmt::format("`layout` takes {}, found {}", support::name_list(names), support::quote(name)));
}

}  // namespace salu::debug
