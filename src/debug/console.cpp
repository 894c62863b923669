#include "debug/console.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "debug/command_words.hpp"
#include "debug/completion.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

bool end_search(const ConsoleContext& console) {
  // Only an interrupt of this command counts, not one of the command before.
  if (console.is_interrupted && console.session.was_interrupted())
    console.out.line("Interrupted: the result is incomplete.");
  return true;
}

Console::Console(Session& session, std::function<void(std::string_view)> print, bool colour, ConsoleHost host)
    : context_(session, std::move(print), colour, std::move(host)) {
  context_.follow = [this](std::string_view line) { return follow(line); };
}

bool Console::execute(std::string_view text) {
  constexpr std::size_t longest = 65'536;
  if (text.size() > longest) {
    return context_.out.fail(
        fmt::format("a command of {}; the longest has {}", support::counted(text.size(), "byte"), longest));
  }
  // An interrupt between commands has no effect.
  context_.is_interrupted = false;
  context_.session.clear_interrupt();
  context_.session.set_log([this](const std::string& message) { context_.out.line(message); });
  text = support::trim(text);
  if (context_.collecting) return collect(text);
  if (text.starts_with('#')) return true;
  context_.is_repeated = text.empty();
  if (context_.is_repeated) {
    if (last_line_.empty()) return true;
    text = last_line_;
  }
  const bool is_good = execute_verb(std::string(text));
  const std::string last_line = last_line_;
  const bool are_good = execute_pending();
  last_line_ = last_line;
  return is_good && are_good;
}

/// Executes a line of a script. An empty line does not repeat the last command.
bool Console::follow(std::string_view line) {
  line = support::trim(line);
  if (context_.collecting) return collect(line);
  if (line.empty() || line.starts_with('#')) return true;
  context_.is_repeated = false;
  const bool is_good = execute_verb(std::string(line));
  return execute_pending() && is_good;
}

/// Takes a line of a breakpoint's command list; `end` attaches the list to the breakpoint.
bool Console::collect(std::string_view line) {
  CommandList& list = *context_.collecting;
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  constexpr std::size_t most = 10'000;
  if (list.lines.size() == most) {
    context_.collecting.reset();
    return context_.out.fail(fmt::format("more than {} commands for a breakpoint", most));
  }
  if (const Result<const Verb*> verb = find_verb(word); verb && (*verb)->name == "commands") ++list.depth;
  if (word == "end" && rest.empty() && list.depth-- == 0) {
    for (const u32 id : list.breakpoints) {
      if (Breakpoint* const breakpoint = context_.session.find_breakpoint(id)) breakpoint->commands = list.lines;
    }
    context_.collecting.reset();
    return true;
  }
  if (!line.empty()) list.lines.emplace_back(line);
  return true;
}

/// Executes the commands of the breakpoints at which the run has stopped, and those of further stops.
bool Console::execute_pending() {
  // The commands may continue the run to the same place forever.
  const u64 most = context_.session.run().scenario().options.max_steps;
  u64 gone = 0;
  bool is_good = true;
  while (is_good && !context_.stops.pending.empty() && !context_.quits) {
    const std::vector<std::string> commands = std::exchange(context_.stops.pending, {});
    if (context_.is_interrupted || gone >= most) {
      context_.out.line(context_.is_interrupted ? "Interrupted: the commands of the breakpoint are skipped."
                                                : "Stopped at the limit of instructions for one command; the commands "
                                                  "of the breakpoint are skipped.");
      break;
    }
    const u64 before = context_.session.run().position();
    is_good = execute_list(commands);
    const u64 now = context_.session.run().position();
    gone += std::max<u64>(now > before ? now - before : before - now, 1);
  }
  context_.stops.pending.clear();
  return is_good;
}

/// Executes commands up to the first that moves the run: the others belong to the earlier stop.
bool Console::execute_list(const std::vector<std::string>& commands) {
  const u64 stops = context_.stops.count;
  // Scripts are not asked questions.
  ++context_.script_depth;
  bool is_good = true;
  for (const std::string& command : commands) {
    if (command == "silent" || command.starts_with('#')) continue;
    is_good = context_.collecting ? collect(command) : execute_verb(command);
    if (!is_good || context_.stops.count != stops || context_.is_interrupted || context_.quits) break;
  }
  // An unfinished list within a list ends with it.
  context_.collecting.reset();
  --context_.script_depth;
  return is_good;
}

bool Console::execute_verb(const std::string& command) {
  const ConsoleOutput& out = context_.out;
  std::string_view rest = command;
  std::string_view word = take_word(rest);
  // `x/4 0x1000`.
  const std::size_t slash = word.find('/');
  std::string with_slash;
  if (slash != std::string_view::npos) {
    with_slash = std::string(word.substr(slash)) + " " + std::string(rest);
    rest = with_slash;
    word = word.substr(0, slash);
  }
  const Result<const Verb*> found = find_verb(word);
  last_line_.clear();
  if (!found) return out.fail(found.error());
  const Verb& verb = **found;
  if (verb.arguments.empty() && !rest.empty())
    return out.fail(fmt::format("`{}` takes no arguments, found {}", verb.name, support::quote(rest)));
  const bool is_good = verb.run(context_, rest);
  // A line executed by a script meanwhile is not repeated.
  last_line_ = verb.repeats == Repeats::yes ? command : "";
  return is_good;
}

std::vector<std::string> Console::complete(std::string_view text) const {
  return is_collecting() ? completions(context_.session, context_.displays, text, {"end"})
                         : completions(context_.session, context_.displays, text, {});
}

}  // namespace salu::debug
