#include "debug/lanes_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/fork_log.hpp"
#include "debug/lane_text.hpp"
#include "debug/place_text.hpp"
#include "debug/saved_masks.hpp"

namespace salu::debug {
namespace {

/// The masks to show if none is named: active and waiting lanes.
std::vector<ShownMask> all_masks(Session& session, bool searches) {
  const WaveState state = session.machine().state();
  std::vector<ShownMask> masks = {{"exec", state.exec()}, {"vcc", state.vcc()}};
  for (const StackEntry& entry : control_stack(session.machine()))
    masks.push_back({fmt::format("waiting {}", entry.index), entry.lanes});
  if (!searches) return masks;
  for (const SavedMask& saved : list_saved_masks(session)) {
    masks.push_back({"in " + pair_name(saved.first_sgpr), saved.lanes,
                     fmt::format("saved by {}: {}", step_text(saved.position), instruction_text(session, saved.pc))});
  }
  return masks;
}

/// The last writer of an entry of the control stack.
std::string entry_writer(Session& session, const StackEntry& entry) {
  std::optional<ValueChange> last;
  for (u32 pair = entry.first_sgpr; pair < entry.first_sgpr + 4; pair += 2) {
    if (pair + 2 > session.machine().wave().sgprs) return ", beyond the SGPRs that the wave has";
    const Result<expr::Expression> place = session.parse(pair_name(pair));
    if (!place) return {};
    const std::optional<ValueChange> change = session.last_write(*place);
    // An edit at a position precedes the instruction there.
    const auto order = [](const ValueChange& each) { return std::pair(each.position, !each.is_edit); };
    if (change && (!last || order(*change) > order(*last))) last = change;
  }
  if (!last) return ", not pushed by a fork";
  const std::string moment = moment_text(last->position, last->is_edit);
  if (last->is_edit) return ", set from outside the program at " + moment;
  const auto instruction = session.machine().code().instruction_at(last->pc);
  if (instruction && is_fork(*instruction))
    return fmt::format(", pushed by {}: {}", moment, address_text(session.program(), last->pc));
  return fmt::format(", overwritten by {}: {}", moment, instruction_text(session, last->pc));
}

}  // namespace

void print_masks(const ConsoleContext& console, std::span<const ShownMask> masks) {
  constexpr std::size_t widest_count = 4;
  const auto width_of = [](u32 lanes) { return lanes + lanes / 8 - 1 + widest_count; };
  const std::size_t columns = console.out.columns();
  std::size_t name_width = 14;
  const u32 lanes = console.session.machine().wave().wave_size;
  u32 in_row = lanes;
  if (name_width + 1 + width_of(in_row) > columns) {
    name_width = 4;
    for (const ShownMask& mask : masks) name_width = std::max(name_width, mask.name.size());
    while (in_row > 8 && name_width + 1 + width_of(in_row) > columns) in_row /= 2;
  }
  const bool is_whole = in_row == lanes;
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
  };
  for (u32 first = 0; first < lanes; first += in_row) {
    std::string heading = padded("lane", name_width);
    for (u32 lane = first; lane < first + in_row; lane += 8)
      heading += " " + padded(std::to_string(lane), lane + 8 == first + in_row ? 0 : 8);
    console.out.line(heading);
    for (const ShownMask& mask : masks) {
      const std::string picture =
          lanes_picture(mask.lanes, lanes).substr(std::size_t{first} + first / 8, std::size_t{in_row} + in_row / 8 - 1);
      std::string row = padded(mask.name, name_width) + " " + picture;
      if (first == 0) row += fmt::format("  {}", std::popcount(mask.lanes));
      const bool has_room = is_whole && columns_of(row) + 2 + columns_of(mask.note) <= columns;
      console.out.line(mask.note.empty() || !has_room ? row : row + "  " + mask.note);
      if (is_whole && !has_room && !mask.note.empty())
        console.out.wrapped(std::string(name_width + 1, ' ') + mask.note, name_width + 1);
    }
  }
  for (const ShownMask& mask : masks) {
    if (!is_whole && !mask.note.empty()) console.out.wrapped(mask.name + "  " + mask.note, 4);
  }
}

void show_lanes(ConsoleContext& console, bool searches) { print_masks(console, all_masks(console.session, searches)); }

void show_stack(ConsoleContext& console, bool searches) {
  Session& session = console.session;
  const std::vector<StackEntry> entries = control_stack(session.machine());
  if (entries.empty()) console.out.line("The control stack is empty (CSP is 0).");
  for (const StackEntry& entry : entries) {
    console.out.wrapped(
        fmt::format("{}  s[{}:{}]  {}, to continue at {}{}", entry.index, entry.first_sgpr, entry.first_sgpr + 3,
                    lanes_do(entry.lanes, "wait"), address_text(session.program(), entry.pc),
                    searches ? entry_writer(session, entry) : ""),
        3);
  }
}

}  // namespace salu::debug
