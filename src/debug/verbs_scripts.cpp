#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "debug/console_context.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"

// Commands from files.
namespace salu::debug {
namespace {

bool follow_file(ConsoleContext& console, std::string_view file, std::string_view text) {
  u64 number = 0;
  const bool was_collecting = console.collecting.has_value();
  const auto fail = [&](std::string_view problem) {
    return console.out.fail(fmt::format("{}:{}: {}", file, number, problem));
  };
  while (!text.empty() && !console.quits) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (!console.follow(line)) return fail("the command " + support::quote(line) + " failed");
    if (console.is_interrupted) return fail("interrupted");
  }
  if (was_collecting || !console.collecting) return true;
  console.collecting.reset();
  return fail("`commands` without `end`");
}

}  // namespace

VerbGroup script_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"layout", "", "[all|src|asm|split|regs|lanes|off]", Repeats::no,
       "Draws the source, the registers, the lanes and the control stack above the commands at every stop, as far as "
       "they fit on the terminal; or some of them; or none.",
       choose_layout, Words::none},
      {"source", "", "FILE", Repeats::no,
       "Executes the commands in a file, up to the first that fails. Files may be nested.",
       [](ConsoleContext& console, std::string_view file) {
         constexpr u32 deepest = 32;
         if (file.empty()) return console.out.fail("expected a file of commands, as in `source stops.txt`");
         if (!console.host.read_file) return console.out.fail("files cannot be read here");
         // The commands of breakpoints count as well: a script that continues the run may execute them.
         if (console.script_depth >= deepest) {
           return console.out.fail(
               fmt::format("scripts and commands of breakpoints are nested more than {} deep: does one "
                           "call itself?",
                           deepest));
         }
         const Result<std::string> text = console.host.read_file(std::string(file));
         if (!text) return console.out.fail(text.error());
         ++console.script_depth;
         const bool is_good = follow_file(console, file, *text);
         --console.script_depth;
         return is_good;
       },
       Words::none},
  });
  return {verbs, {}, "console", "the console itself"};
}

}  // namespace salu::debug
