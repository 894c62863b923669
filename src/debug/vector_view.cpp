#include "debug/vector_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/value_format.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

std::string vector_name(u32 number) {
  return isa::vector_register_name(RegisterName::in_vectors(number).index, state_index::lanes);
}

/// The value of a lane; a dash if it is unwritten.
std::string lane_text(const WaveState& now, u32 number, u32 lane, char letter) {
  const u32 value = now.vectors.lanes(number)[lane];
  if (value == 0 && !is_defined(now, RegisterName::in_lane(number, lane).index)) return "-";
  return letter == 0 ? support::hex(value, 8) : format_value(value, 32, letter);
}

/// A row of lanes, in cells of one width.
std::string row_of_lanes(const ConsoleContext& console, const WaveState& now, u32 number, u32 first, u32 count,
                         char letter = 0, std::size_t widest = 10) {
  std::string row;
  for (u32 lane = first; lane < first + count; ++lane) {
    const bool has_changed = now.vectors.lanes(number)[lane] != console.stops.before.vectors.lanes(number)[lane];
    const std::string text = lane_text(now, number, lane, letter);
    row += has_changed ? console.out.styled(text + "*", style::green) : text;
    if (lane + 1 < first + count) row.append(widest + 2 - text.size() - (has_changed ? 1 : 0), ' ');
  }
  return row;
}

}  // namespace

void show_vectors(const ConsoleContext& console, const WaveState& now) {
  constexpr u32 lanes_shown = 4;
  const std::optional<u32> chosen = console.session.lane();
  bool any = false;
  for (u32 number = 0; now.vectors.has_any() && number < VectorRegisters::count; ++number) {
    if (!now.vectors.is_touched(number)) continue;
    any = true;
    const VectorRegisters::Lanes& lanes = now.vectors.lanes(number);
    const bool is_uniform =
        ~now.vectors.defined(number) == 0 && std::ranges::all_of(lanes, [&](u32 lane) { return lane == lanes[0]; });
    std::string name = vector_name(number);
    if (chosen) name += fmt::format("[{}]", *chosen);
    name.resize(std::max<std::size_t>(name.size() + 1, 5), ' ');
    console.out.line("  " + name +
                     (chosen       ? row_of_lanes(console, now, number, *chosen, 1)
                      : is_uniform ? row_of_lanes(console, now, number, 0, 1) + " in all lanes"
                                   : row_of_lanes(console, now, number, 0, lanes_shown) + "  ..."));
  }
  if (!any) console.out.line("No vector register has been written.");
}

void show_all_lanes(const ConsoleContext& console, const WaveState& now, const RegisterName& name, char letter) {
  constexpr u32 lanes_per_row = 4;
  const u32 first = state_index::vector_of(name.index);
  for (u32 number = first; number < first + name.vector_registers(); ++number) {
    std::size_t widest = 10;
    for (u32 lane = 0; lane < now.wave_size; ++lane)
      widest = std::max(widest, lane_text(now, number, lane, letter).size());
    for (u32 lane = 0; lane < now.wave_size; lane += lanes_per_row) {
      std::string label = fmt::format("{}[{}]", vector_name(number), lane);
      label.resize(std::max<std::size_t>(label.size() + 1, 9), ' ');
      console.out.line("  " + label + row_of_lanes(console, now, number, lane, lanes_per_row, letter, widest));
    }
  }
}

}  // namespace salu::debug
