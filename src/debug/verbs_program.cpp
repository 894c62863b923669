#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <vector>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// The program: instructions, source lines, calls, and the current position.
namespace salu::debug {
namespace {

bool show_calls(ConsoleContext& console, std::string_view) {
  const Session& session = console.session;
  const Program& program = session.program();
  const u64 pc = session.address();
  u64 number = 0;
  console.out.line("#0  " + address_text(program, pc) + source_note(program, pc));
  constexpr u64 most = 100;
  for (const CallFrame* frame = session.calls().top(); frame != nullptr; frame = frame->outer.get()) {
    if (++number == most) {
      console.out.line(fmt::format("... and {} more", frame->depth));
      break;
    }
    console.out.line(fmt::format("#{}  {}, to return to {}, called by {}{}", number,
                                 address_text(program, frame->call_pc), support::hex(frame->return_address),
                                 step_text(frame->position), source_note(program, frame->call_pc)));
  }
  return true;
}

}  // namespace

VerbGroup program_verbs() {
  static constexpr u64 usual_instructions = 11;
  static constexpr u64 usual_lines = 10;
  static constexpr std::array verbs = std::to_array<Verb>({
      {"disassemble", "disas", "[PLACE] [N]", Repeats::no,
       "Shows the instructions around the PC, or N from a place on. => marks the next one, * a breakpoint.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty())
           return disassemble(console, console.session.address(), usual_instructions / 2, usual_instructions);
         const Result<std::vector<u64>> place = console.session.find_place(take_word(arguments));
         if (!place) return console.out.fail(place.error());
         const auto count = arguments.empty() ? std::optional(usual_instructions) : support::parse_unsigned(arguments);
         if (!count || *count == 0)
           return console.out.fail("expected a count of at least 1, found " + support::quote(arguments));
         return disassemble(console, place->front(), 0, *count);
       },
       Words::places},
      {"list", "l", "[PLACE|LINE|FIRST,LAST|-]", Repeats::yes,
       "Shows ten source lines around the PC or a place; then the next ten, or with - the ten before.",
       [](ConsoleContext& console, std::string_view arguments) {
         const auto& listed = console.listing.lines;
         if (arguments == "-") {
           if (!listed)
             return console.out.fail("nothing has been listed here yet: `list` shows the lines around the PC");
           const u64 first = listed->first;
           if (first == 1) return console.out.fail("line 1 has been listed: there is nothing before it");
           return list_lines(console, listed->file, first > usual_lines ? first - usual_lines : 1, first - 1);
         }
         if (listed && (arguments.empty() || console.is_repeated))
           return list_lines(console, listed->file, listed->last + 1, listed->last + usual_lines);
         const std::size_t comma = arguments.find(',');
         if (comma == std::string_view::npos) return list_around(console, arguments);
         const auto first = support::parse_unsigned(support::trim(arguments.substr(0, comma)));
         const auto last = support::parse_unsigned(support::trim(arguments.substr(comma + 1)));
         if (!first || !last || *first == 0 || *last < *first)
           return console.out.fail("expected FIRST,LAST as in `list 5,9`, found " + support::quote(arguments));
         const LineEntry* const entry = console.session.program().find_line(console.session.address());
         if (entry == nullptr && !listed)
           return console.out.fail("no source line is known here; `disassemble` shows the instructions");
         return list_lines(console, listed ? listed->file : entry->file, *first, *last);
       },
       Words::places},
      {"backtrace", "bt", "", Repeats::no, "Shows the calls that have not returned yet.", show_calls, Words::none},
      {"where", "", "", Repeats::no, "As backtrace.", show_calls, Words::none},
  });
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"line", "[..]",
       [](ConsoleContext& console, std::string_view arguments) {
         u64 address = console.session.address();
         if (!arguments.empty()) {
           const Result<std::vector<u64>> place = console.session.find_place(arguments);
           if (!place) return console.out.fail(place.error());
           address = place->front();
         }
         const Program& program = console.session.program();
         const LineEntry* const entry = program.find_line(address);
         if (entry == nullptr) return console.out.fail("no source line is known for " + address_text(program, address));
         // The first address of the contiguous instructions of this line, and the address after the last.
         const std::span<const LineEntry> lines = program.lines;
         const auto is_same = [&](const LineEntry& other) {
           return other.file == entry->file && other.line == entry->line;
         };
         auto first = static_cast<std::size_t>(entry - lines.data());
         while (first != 0 && is_same(lines[first - 1])) --first;
         auto last = static_cast<std::size_t>(entry - lines.data());
         while (last + 1 < lines.size() && is_same(lines[last + 1])) ++last;
         const CodeBlock* const block = program.find_block(address);
         u64 end = block == nullptr ? lines[last].address : block->end();
         if (last + 1 < lines.size()) end = std::min(end, lines[last + 1].address);
         console.out.line(fmt::format("Line {} of {} starts at {} and ends before {}", entry->line,
                                      program.files[entry->file], address_text(program, lines[first].address),
                                      address_text(program, end)));
         return true;
       },
       Words::places},
      {"program", "",
       [](ConsoleContext& console, std::string_view) {
         const RunHistory& run = console.session.run();
         console.out.line(fmt::format("{} on {}, {} executed, {} at most so far", run.scenario().name,
                                      console.session.program().target->name,
                                      support::counted(run.position(), "instruction"), run.furthest()));
         console.out.line(fmt::format("history: {}, {} KiB", support::counted(run.checkpoint_count(), "checkpoint"),
                                      (run.history_bytes() + 1023) / 1024));
         show_place(console);
         return true;
       }},
      {"symbols", "",
       [](ConsoleContext& console, std::string_view) {
         const Program& program = console.session.program();
         if (program.symbols.empty()) console.out.line("The program does not have labels or symbols.");
         for (const Symbol& symbol : program.symbols)
           console.out.line(support::hex(symbol.address) + "  " + symbol.name);
         return true;
       }},
      {"warnings", "",
       [](ConsoleContext& console, std::string_view) {
         const std::vector<Warning> warnings = console.session.run().warnings();
         if (warnings.empty()) console.out.line("No warnings so far.");
         for (const Warning& warning : warnings) console.out.line(warning_text(console.session, warning));
         return true;
       }},
      {"expectations", "",
       [](ConsoleContext& console, std::string_view) {
         show_expectations(console);
         return true;
       }},
  });
  return {verbs, topics, "program", "instructions, source lines and calls"};
}

}  // namespace salu::debug
