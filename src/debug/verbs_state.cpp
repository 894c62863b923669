#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/console_values.hpp"
#include "debug/registers_view.hpp"
#include "debug/vector_view.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Printing and changing registers and memory.
namespace salu::debug {
VerbGroup state_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"x", "x", "[/FORMAT] [ADDRESS]", Repeats::yes,
       "Shows memory. The format is a count, a letter (x hexadecimal, z with all digits, d signed, u unsigned, t "
       "binary, o octal, a address, c character, f floating point, i instructions) and a size (b 1, h 2, w 4, g 8 "
       "bytes), or f16, f32 or f64: x/4xb 0x1000. Without an address, continues after the memory shown last.",
       [](ConsoleContext& console, std::string_view arguments) {
         Result<ValueFormat> format = take_format(arguments);
         if (!format) return console.out.fail(format.error());
         constexpr u64 most = 4096;
         if (format->count > most) {
           return console.out.fail(fmt::format("expected a count of at most {}, found {}", most, format->count));
         }
         const auto& last = console.examined.last;
         const bool goes_on = arguments.empty() || (console.is_repeated && last);
         if (goes_on && !last) return console.out.fail("expected an address, as in `x/4xw 0x1000`");
         u64 address = 0;
         if (goes_on) {
           address = last->next;
           if (console.is_repeated || format->letter == 0) format->letter = last->format.letter;
           if (console.is_repeated || format->size_bytes == 0) format->size_bytes = last->format.size_bytes;
         } else {
           const Result<expr::Expression> expression = parse_readable(console.session, arguments);
           if (!expression) return console.out.fail(expression.error());
           address = expression->evaluate(console.session.machine()).bits;
         }
         if (format->letter == 0) format->letter = 'z';
         if (format->letter == 'i') return examine_instructions(console, address, format->count);
         if (format->size_bytes == 0) format->size_bytes = format->letter == 'a' ? 8 : format->letter == 'c' ? 1 : 4;
         return examine_memory(console, address, *format);
       }},
      {"set", "", "PLACE = VALUE", Repeats::no,
       "Sets a register, a field or memory. Discards the rest of the run after this position.",
       [](ConsoleContext& console, std::string_view arguments) {
         const auto split = split_assignment(arguments);
         if (!split) return console.out.fail("expected PLACE = VALUE, as in `set s0 = 7`");
         const u64 pc = console.session.address();
         if (const auto problem = assign(console, split->first, split->second)) return console.out.fail(*problem);
         if (console.session.address() != pc) {
           show_changes(console);
           show_place(console);
           return true;
         }
         show_changes(console);
         return true;
       }},
  });
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"registers", "[..]",
       [](ConsoleContext& console, std::string_view names) {
         const core::Machine& machine = console.session.machine();
         const WaveState now = machine.state();
         if (names.empty()) {
           show_registers(console);
         }
         while (!names.empty()) {
           const std::string word(take_word(names));
           const Result<expr::Expression> expression = console.session.parse(word);
           if (!expression) return console.out.fail(expression.error());
           const bool has_changed = std::ranges::any_of(expression->registers(), [&](const RegisterName& name) {
             return read_register(now, name) != read_register(console.stops.before, name);
           });
           const std::string value = value_text(expression->evaluate(machine), expression->width());
           console.out.line(word + "=" + marked_value(console, value, has_changed));
         }
         return true;
       },
       Words::expressions},
      {"vector", "[..]",
       [](ConsoleContext& console, std::string_view names) {
         const Result<ValueFormat> format = take_format(names);
         if (!format) return console.out.fail(format.error());
         if (const auto problem = letter_problem("info vector", *format)) return console.out.fail(*problem);
         const WaveState now = console.session.machine().state();
         if (names.empty()) return show_vectors(console, now, *format);
         while (!names.empty()) {
           const std::string word(take_word(names));
           std::string problem;
           const auto name = parse_register_name(console.session.machine().generation(), word, &problem);
           if (!name) return console.out.fail(problem);
           if (name->vector_registers() == 0)
             return console.out.fail("expected vector registers, as in `info vector v3`, found `" + word + "`");
           if (!show_all_lanes(console, now, *name, *format)) return false;
         }
         return true;
       },
       Words::expressions},
  });
  return {verbs, topics, "data", "registers, memory and expressions"};
}

}  // namespace salu::debug
