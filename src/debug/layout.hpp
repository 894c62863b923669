#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "debug/console_host.hpp"

namespace salu::debug {

struct ConsoleContext;

/// A part of the screen that `layout` draws.
enum class Pane : u8 { source, instructions, registers, lanes, stack };

/// What a terminal shows above the commands, drawn again at every stop.
struct Layout {
  std::vector<Pane> panes;  ///< from top to bottom; empty: nothing
};

/// Draws it, as far as the terminal has room, and nothing where there is none.
void draw_layout(ConsoleContext& console);
/// The action of `layout`.
bool choose_layout(ConsoleContext& console, std::string_view name);

}  // namespace salu::debug
