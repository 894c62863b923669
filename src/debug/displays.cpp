#include "debug/displays.hpp"

#include <fmt/core.h>

#include <utility>

#include "debug/console_context.hpp"
#include "debug/console_values.hpp"

namespace salu::debug {

const Display& Displays::add(expr::Expression expression, const ValueFormat& format) {
  return all_.emplace_back(Display{next_id_++, std::move(expression), format});
}

bool Displays::remove(u64 id) {
  return std::erase_if(all_, [id](const Display& each) { return each.id == id; }) != 0;
}

void show_display(const ConsoleContext& console, const Display& display) {
  const std::optional<std::string> problem = display.expression.find_problem(console.session.machine());
  console.out.line(fmt::format("{}: {}{} = {}", display.id, letter_text(display.format), display.expression.text(),
                               problem ? *problem : formatted(console.session, display.expression, display.format)));
}

void show_displays(const ConsoleContext& console) {
  for (const Display& each : console.displays.all()) show_display(console, each);
}

}  // namespace salu::debug
