#include <array>

#include "debug/console.hpp"
#include "support/names.hpp"

namespace salu::debug {

// clang-format off
std::span<const Console::Command> Console::commands() {
  static constexpr std::array all = std::to_array<Command>({
      {"step", "s", "[N]", "Goes on to another source line, N times; into calls. Without lines, one instruction.", &Console::step, true},
      {"stepi", "si", "[N]", "Executes one instruction, or N.", &Console::step_instruction, true},
      {"next", "n", "[N]", "As step, but over calls.", &Console::next, true},
      {"nexti", "ni", "[N]", "As stepi, but over calls.", &Console::next_instruction, true},
      {"finish", "fin", "", "Goes on until the function that was called last has returned.", &Console::finish, true},
      {"until", "u", "[PLACE]", "Goes on to a place: an address, a label (loop, loop+8), a source line (12, file.s:12). Without one, to a line behind this one or out of the function: jumps back are run through.", &Console::until, true},
      {"advance", "adv", "PLACE", "As until, to a place.", &Console::advance, false},
      {"continue", "c", "[N]", "Goes on to the next breakpoint or watchpoint, or the end. With N, the breakpoint here stops again after N hits only.", &Console::go_on, true},
      {"run", "r", "", "Goes back to the start of the run.", &Console::restart, false},
      {"reverse-step", "rs", "[N]", "Goes back to the start of a source line, N times; into calls. Without lines, one instruction.", &Console::reverse_step, true},
      {"reverse-stepi", "rsi", "[N]", "Takes one instruction back, or N.", &Console::reverse_step_instruction, true},
      {"reverse-next", "rn", "[N]", "As reverse-step, but over calls.", &Console::reverse_next, true},
      {"reverse-nexti", "rni", "[N]", "As reverse-stepi, but over calls.", &Console::reverse_next_instruction, true},
      {"reverse-finish", "rfin", "", "Goes back to where the current function was called.", &Console::reverse_finish, true},
      {"reverse-until", "ru", "PLACE", "Goes back to a place.", &Console::reverse_until, false},
      {"reverse-continue", "rc", "", "Goes back to the last breakpoint or watchpoint, or the start.", &Console::reverse_continue, true},
      {"goto", "go", "POSITION|end", "Goes to where so many instructions have been executed, or to the end of the program, whatever lies between.", &Console::go_to, false},
      {"break", "b", "[PLACE] [if CONDITION]", "Stops in front of a place, or of every instruction with a mnemonic (break s_cbranch_*), where the condition holds. Without a place, here.", &Console::add_break, false},
      {"tbreak", "tb", "[PLACE] [if CONDITION]", "As break, once.", &Console::add_temporary_break, false},
      {"dprintf", "dp", "[PLACE] [if CONDITION], MESSAGE", "Prints a message at a place (without one, here) instead of stopping there, with the values of expressions in braces: dprintf loop, s0 is {s0}.", &Console::add_log, false},
      {"watch", "wa", "EXPRESSION [if CONDITION]", "Stops behind an instruction that changes the value: watch s0, watch mode.csp, watch [0x10000], watch s0 > 5.", &Console::add_watch, false},
      {"rwatch", "rw", "PLACE [if CONDITION]", "Stops behind an instruction that reads a register or memory.", &Console::add_read_watch, false},
      {"awatch", "aw", "PLACE [if CONDITION]", "Stops behind an instruction that reads or writes a register or memory, whatever the value.", &Console::add_access_watch, false},
      {"delete", "d", "[N...]", "Removes breakpoints and watchpoints by number; all without a number.", &Console::remove, false},
      {"enable", "en", "N...", "Lets breakpoints stop again.", &Console::enable, false},
      {"disable", "dis", "N...", "Keeps breakpoints without letting them stop.", &Console::disable, false},
      {"condition", "cond", "N [CONDITION]", "Gives a breakpoint another condition, or none.", &Console::condition, false},
      {"ignore", "ig", "N COUNT", "Passes over the next hits of a breakpoint.", &Console::ignore, false},
      {"info", "i", "TOPIC", "Shows breakpoints or watchpoints with their hits; registers [NAME...], * behind what has changed since the last stop; the control stack; display; line [PLACE]; symbols; warnings so far; program, where the run stands.", &Console::info, false},
      {"print", "p", "[/FORMAT] EXPRESSION", "Evaluates: s0, s[2:3], exec, [s[4:5] + 8], bcnt(exec), s0 > 5 && scc. Formats are those of x.", &Console::print_value, false},
      {"display", "disp", "[/FORMAT] [EXPRESSION]", "Shows an expression at every stop from here on. Without one, shows all of them now.", &Console::display, false},
      {"undisplay", "und", "[N...]", "Shows expressions no longer, by number; none without a number.", &Console::undisplay, false},
      {"x", "x", "[/FORMAT] [ADDRESS]", "Shows memory. The format is a count, a letter (x hexadecimal, z with all digits, d signed, u unsigned, t binary, o octal, a address, c character, f floating point, i instructions) and a size (b 1, h 2, w 4, g 8 bytes): x/4xb 0x1000. Without an address, goes on behind what it showed last.", &Console::examine, true},
      {"set", "", "PLACE = VALUE", "Sets a register, a field or memory. What came behind this position is forgotten.", &Console::set, false},
      {"disassemble", "disas", "[PLACE] [N]", "Shows the instructions around the PC, or N from a place on. => is the next one, * has a breakpoint.", &Console::disassemble, false},
      {"list", "l", "[PLACE|LINE|FIRST,LAST|-]", "Shows ten source lines around the PC or a place; then the next ten, or with - those before.", &Console::list, true},
      {"backtrace", "bt", "", "Shows the calls that have not returned.", &Console::backtrace, false},
      {"where", "", "", "As backtrace.", &Console::backtrace, false},
      {"lanes", "la", "[EXPRESSION...]", "Shows the lanes of EXEC and VCC, those that wait on the control stack, and those that wait in SGPRs where compiled code saved EXEC; or those of masks.", &Console::lanes, false},
      {"forks", "fo", "[N]", "Shows the forks and joins so far, the last 100 or N, indented by the depth of the control stack, with the join of each fork, and what the program does wrong with them.", &Console::forks, false},
      {"who", "w", "PLACE", "Shows the instruction that wrote a register or memory last.", &Console::who, false},
      {"changed", "ch", "EXPRESSION", "Shows the instruction that changed a value last.", &Console::changed, false},
      {"history", "hi", "EXPRESSION [N]", "Shows the values that an expression has had, the last 20 or N one by one.", &Console::history, false},
      {"help", "h", "[COMMAND]", "Lists the commands, or tells more about one.", &Console::help, false},
      {"quit", "q", "", "Ends.", &Console::quit, false},
  });
  return all;
}
// clang-format on

const Console::Command* Console::find_command(std::string_view word, std::string* problem) {
  if (word.empty()) {
    *problem = "expected a command; `help` lists them";
    return nullptr;
  }
  std::vector<const Command*> found;
  std::vector<std::string_view> names;
  std::vector<std::string_view> all_names;
  for (const Command& command : commands()) {
    if (word == command.name || (!command.short_name.empty() && word == command.short_name)) return &command;
    all_names.push_back(command.name);
    if (!command.name.starts_with(word)) continue;
    found.push_back(&command);
    names.push_back(command.name);
  }
  if (found.size() == 1) return found.front();
  if (!found.empty()) {
    *problem = support::quote(word) + " may be " + support::name_list(names);
    return nullptr;
  }
  const std::string nearest = support::did_you_mean(word, all_names);
  *problem = "there is no command " + support::quote(word) + (nearest.empty() ? "; `help` lists them" : nearest);
  return nullptr;
}

bool Console::help(std::string_view arguments) {
  if (!arguments.empty()) {
    std::string problem;
    const Command* const command = find_command(arguments, &problem);
    if (command == nullptr) return fail(problem);
    std::string usage(command->name);
    if (!command->arguments.empty()) usage += " " + std::string(command->arguments);
    line(usage + (command->short_name.empty() || command->short_name == command->name
                      ? ""
                      : "  (" + std::string(command->short_name) + ")"));
    line(command->help);
    if (command->repeats) line("An empty line does it again.");
    return true;
  }
  for (const Command& command : commands()) {
    std::string usage(command.name);
    if (!command.arguments.empty()) usage += " " + std::string(command.arguments);
    line(usage);
    line("    " + std::string(command.help));
  }
  return true;
}

bool Console::quit(std::string_view) {
  quits_ = true;
  return true;
}

}  // namespace salu::debug
