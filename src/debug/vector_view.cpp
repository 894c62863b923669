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

/// Registers in which a lane has a value of a format.
u32 registers_of(const ValueFormat& format) { return format.float_width() == 64 ? 2 : 1; }

/// `v3`, `v[2:3]`.
std::string vector_name(u32 number, const ValueFormat& format) {
  return isa::vector_register_name(RegisterName::in_vectors(number).index, registers_of(format) * state_index::lanes);
}

/// The value of a lane; a dash if it is unwritten.
std::string lane_text(const WaveState& now, u32 number, u32 lane, const ValueFormat& format) {
  const u32 count = registers_of(format);
  u64 value = 0;
  bool is_written = false;
  for (u32 i = 0; i < count; ++i) {
    value |= u64{now.vectors.lanes(number + i)[lane]} << (32 * i);
    is_written = is_written || is_defined(now, RegisterName::in_lane(number + i, lane).index);
  }
  if (value == 0 && !is_written) return "-";
  if (format.float_width() != 0) return floats_text(value, 32 * count, format.float_width());
  return format.letter == 0 ? support::hex(value, 8) : format_value(value, 32, format.letter);
}

bool has_changed(const ConsoleContext& console, const WaveState& now, u32 number, u32 lane, const ValueFormat& format) {
  for (u32 i = number; i < number + registers_of(format); ++i) {
    if (now.vectors.lanes(i)[lane] != console.stops.before.vectors.lanes(i)[lane]) return true;
  }
  return false;
}

/// A row of lanes, in cells of one width.
std::string row_of_lanes(const ConsoleContext& console, const WaveState& now, u32 number, u32 first, u32 count,
                         const ValueFormat& format, std::size_t widest = 10) {
  std::string row;
  for (u32 lane = first; lane < first + count; ++lane) {
    const bool is_changed = has_changed(console, now, number, lane, format);
    const std::string text = lane_text(now, number, lane, format);
    row += is_changed ? console.out.styled(text + "*", style::green) : text;
    const std::size_t used = text.size() + (is_changed ? 1 : 0);
    if (lane + 1 < first + count) row.append(std::max(widest + 2, used + 1) - used, ' ');
  }
  return row;
}

bool fail_for_pairs(const ConsoleContext& console) {
  return console.out.fail("f64 shows pairs of registers, as in `p/f64 v[2:3]`");
}

}  // namespace

bool show_vectors(const ConsoleContext& console, const WaveState& now, const ValueFormat& format) {
  constexpr u32 lanes_shown = 4;
  if (registers_of(format) != 1) return fail_for_pairs(console);
  const std::optional<u32> chosen = console.session.lane();
  bool any = false;
  for (u32 number = 0; now.vectors.has_any() && number < VectorRegisters::count; ++number) {
    if (!now.vectors.is_touched(number)) continue;
    any = true;
    const VectorRegisters::Lanes& lanes = now.vectors.lanes(number);
    const bool is_uniform =
        ~now.vectors.defined(number) == 0 && std::ranges::all_of(lanes, [&](u32 lane) { return lane == lanes[0]; });
    std::string name = vector_name(number, format);
    if (chosen) name += fmt::format("[{}]", *chosen);
    name.resize(std::max<std::size_t>(name.size() + 1, 5), ' ');
    console.out.line("  " + name +
                     (chosen       ? row_of_lanes(console, now, number, *chosen, 1, format)
                      : is_uniform ? row_of_lanes(console, now, number, 0, 1, format) + " in all lanes"
                                   : row_of_lanes(console, now, number, 0, lanes_shown, format) + "  ..."));
  }
  if (!any) console.out.line("No vector register has been written.");
  return true;
}

bool show_all_lanes(const ConsoleContext& console, const WaveState& now, const RegisterName& name,
                    const ValueFormat& format) {
  constexpr u32 lanes_per_row = 4;
  const u32 first = state_index::vector_of(name.index);
  if (name.vector_registers() % registers_of(format) != 0) return fail_for_pairs(console);
  for (u32 number = first; number < first + name.vector_registers(); number += registers_of(format)) {
    std::size_t widest = 10;
    for (u32 lane = 0; lane < now.wave_size; ++lane)
      widest = std::max(widest, lane_text(now, number, lane, format).size());
    for (u32 lane = 0; lane < now.wave_size; lane += lanes_per_row) {
      const std::string registers = vector_name(number, format);
      std::string label = fmt::format("{}[{}]", registers, lane);
      label.resize(std::max<std::size_t>(registers.size() + 5, 9), ' ');
      console.out.line("  " + label + row_of_lanes(console, now, number, lane, lanes_per_row, format, widest));
    }
  }
  return true;
}

}  // namespace salu::debug
