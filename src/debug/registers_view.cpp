#include "debug/registers_view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "debug/console_context.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

std::string marked_value(const ConsoleContext& console, const std::string& value, bool has_changed) {
  return has_changed ? console.out.styled(value + "*", style::green) : value;
}

namespace {

/// Prints the written SGPRs in rows of four, or of as many as fit on the terminal.
void print_sgprs(const ConsoleContext& console, const WaveState& now) {
  constexpr std::size_t widest = 18;
  const std::size_t columns = std::clamp<std::size_t>(console.out.columns() / widest, 1, 4);
  std::string row;
  std::size_t in_row = 0;
  for (u32 first = 0; first < now.sgprs; ++first) {
    if (!now.defined.test(first) && now.file[first] == 0) continue;
    std::string name = isa::register_name(console.session.machine().generation(), first, 1);
    name.resize(std::max<std::size_t>(name.size() + 1, 4), ' ');
    const bool has_changed = now.file[first] != console.stops.before.file[first];
    row += "  " + name + marked_value(console, support::hex(now.file[first], 8), has_changed);
    if (++in_row % columns == 0) {
      console.out.line(row.substr(0, row.find_last_not_of(' ') + 1));
      row.clear();
    } else if (!has_changed) {
      row += ' ';
    }
  }
  if (!row.empty()) console.out.line(row.substr(0, row.find_last_not_of(' ') + 1));
}

void print_special_registers(const ConsoleContext& console, const WaveState& now) {
  const WaveState& before = console.stops.before;
  const auto value = [&](u64 bits, u64 bits_before, u32 digits) {
    return marked_value(console, digits == 1 ? std::to_string(bits) : support::hex(bits, digits), bits != bits_before);
  };
  const std::array masks = {"exec " + value(now.exec(), before.exec(), 16), "vcc " + value(now.vcc(), before.vcc(), 16),
                            "scc " + value(now.scc ? 1 : 0, before.scc ? 1 : 0, 1),
                            "m0 " + value(now.file[state_index::m0], before.file[state_index::m0], 8)};
  console.out.pieces(masks, "   ");
  const std::array modes = {"pc " + support::hex(now.pc),
                            fmt::format("mode {} (csp {}, vskip {})", value(now.mode, before.mode, 8), now.csp(),
                                        mode_layout(console.session.machine().generation()).vskip.of(now.mode)),
                            "status " + value(now.full_status(), before.full_status(), 8)};
  console.out.pieces(modes, "   ");
}

}  // namespace

void show_registers(const ConsoleContext& console) {
  const WaveState now = console.session.machine().state();
  print_sgprs(console, now);
  print_special_registers(console, now);
}

}  // namespace salu::debug
