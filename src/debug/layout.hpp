#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "debug/console_host.hpp"

namespace salu::debug {

struct ConsoleContext;

/// A part of the screen that `layout` draws.
enum class Pane : u8 { source, instructions, registers, lanes, stack };

/// The panes above the command line, drawn again at every stop.
struct Layout {
  std::vector<Pane> panes;  ///< from top to bottom; empty: nothing
};

/// Draws the panes that fit on the terminal; nothing without a terminal.
void draw_layout(ConsoleContext& console);
/// The action of `layout`.
bool choose_layout(ConsoleContext& console, std::string_view name);

}  // namespace salu::debug
