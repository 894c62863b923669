#include "debug/console.hpp"

#include "debug/console_text.hpp"
#include "debug/texts.hpp"
#include "support/names.hpp"

namespace salu::debug {

/// What a search says last.
bool Console::end_search() {
  // Not an interrupt of the command before, which may have been the last one to search.
  if (is_interrupted_ && session_.was_interrupted()) line("Interrupted: this is not all.");
  return true;
}

bool Console::show_change(const Expression& expression, const std::optional<ValueChange>& change,
                          std::string_view verb) {
  if (!change) {
    if (session_.was_interrupted()) return end_search();
    line("No instruction has " + std::string(verb) + " " + expression.text() + " so far.");
    return true;
  }
  const u32 width = expression.width();
  const std::string values = value_text(change->before, width) + " -> " + value_text(change->after, width);
  line("[" + std::to_string(change->position) + "] " +
       (change->is_edit ? "set from outside the program: " + values
                        : place_text(change->pc) + ": " + session_.machine().text_at(change->pc) + ": " + values +
                              source_text(change->pc)));
  return true;
}

bool Console::who(std::string_view arguments) {
  const Result<Expression> place = session_.parse(arguments);
  if (!place) return fail(place.error());
  if (!place->is_register() && !place->is_memory())
    return fail(support::quote(arguments) + " is neither a register nor memory; `changed` takes any expression");
  return show_change(*place, session_.last_write(*place), "written");
}

bool Console::changed(std::string_view arguments) {
  const Result<Expression> expression = session_.parse(arguments);
  if (!expression) return fail(expression.error());
  return show_change(*expression, session_.last_change(*expression), "changed");
}

bool Console::history(std::string_view arguments) {
  constexpr std::size_t usual = 20;
  std::size_t most = usual;
  Result<Expression> expression = session_.parse(arguments);
  const std::size_t blank = arguments.find_last_of(" \t");
  if (!expression && blank != std::string_view::npos) {
    if (const auto number = parse_unsigned(arguments.substr(blank + 1))) {
      constexpr u64 limit = 100'000;
      if (*number > limit)
        return fail("expected at most " + std::to_string(limit) + " values, found " + std::to_string(*number));
      most = static_cast<std::size_t>(*number);
      expression = session_.parse(trim(arguments.substr(0, blank)));
    }
  }
  if (!expression) return fail(expression.error());
  const ValueHistory values = session_.history(*expression, most);
  const u32 width = expression->width();
  line("[0] " + value_text(values.first, width));
  if (values.count > values.changes.size())
    line("... " + counted(values.count - values.changes.size(), "change") + " are left out");
  for (const ValueChange& change : values.changes) {
    line("[" + std::to_string(change.position) + "] " + value_text(change.after, width) + "  " +
         (change.is_edit ? "set from outside the program"
                         : place_text(change.pc) + ": " + session_.machine().text_at(change.pc)));
  }
  return end_search();
}

}  // namespace salu::debug
