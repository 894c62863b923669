#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "dap/progress.hpp"
#include "dap/request.hpp"
#include "dap/views.hpp"
#include "debug/console_values.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Requests about expressions and commands of the console.
namespace salu::dap {
namespace {

/// The first word of a text: up to a blank, or the slash of a format.
std::string_view first_word(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.substr(0, text.find_first_of(" \t/"));
}

/// Removes a format after the last comma, as in `s0,f` and `v3[7],f16`. Without one, the format is empty.
debug::ValueFormat take_suffix(std::string& text) {
  const std::size_t comma = text.rfind(',');
  std::string problem;
  const auto format = debug::parse_format(
      comma == std::string::npos ? std::string_view() : support::trim(std::string_view(text).substr(comma + 1)),
      problem);
  if (!format || format->letter == 0 || debug::letter_problem({}, *format)) return {};
  text.resize(comma);
  return *format;
}

Result<Json> evaluated(const debug::Session& session, std::string text) {
  const debug::ValueFormat format = take_suffix(text);
  const Result<expr::Expression> expression = session.parse(text);
  if (!expression) return expression.error();
  const core::Machine& machine = session.machine();
  if (std::optional<std::string> problem = expression->find_problem(machine)) return refusal(*std::move(problem));
  if (const auto problem = debug::width_problem(*expression, format)) return *problem;
  const expr::Value value = expression->evaluate(machine);
  const std::string result = format.letter == 0
                                 ? debug::explained_value(value, place_width(*expression), session.program())
                                 : debug::formatted(session, *expression, format);
  Json body = {{"result", result}, {"variablesReference", 0}};
  if (expression->is_memory()) {
    body["memoryReference"] = support::hex(expression->memory_address(machine));
  } else if (machine.memory_now().is_mapped(value.bits, 1)) {
    body["memoryReference"] = support::hex(value.bits);
  }
  return body;
}

/// The moment before a console command.
struct Before {
  explicit Before(const debug::Session& session)
      : position(session.run().position()),
        had_ended(session.run().ended()),
        wave(session.wave().number),
        state(session.machine().state()) {}

  u64 position;
  bool had_ended;
  u64 wave;  ///< the selected one
  WaveState state;
};

/// Reports the effects of a console command, in addition to its output.
void tell_effects(Adapter& adapter, const std::string& command, const Before& before) {
  const debug::Session& session = adapter.session();
  for (Json& change : adapter.breakpoints.take_removed()) adapter.messages.tell("breakpoint", std::move(change));
  const std::size_t equals = command.find('=');
  if (adapter.debuggee().console.wants_to_quit()) {
    adapter.life.terminate();
  } else if (before.position != session.run().position() || before.had_ended != session.run().ended()) {
    adapter.run.stand_behind_command(command);
  } else if (before.wave != session.wave().number) {
    // Clients show the thread of the last stop.
    adapter.notices.say_stopped(adapter.debuggee(), "pause", "Paused", "Selected: " + session.wave().name);
  } else if (equals != std::string::npos) {
    const std::size_t start = std::min(command.find_first_not_of(" \t"), command.size());
    const std::size_t word_end = std::min(command.find_first_of(" \t", start), equals);
    adapter.notices.tell_set(adapter.debuggee(), command.substr(word_end, equals - word_end));
  } else if (before.state != session.machine().state()) {
    adapter.notices.tell_changed();
  }
}

Result<Json> run_command(Adapter& adapter, const std::string& command) {
  Debuggee& debuggee = adapter.debuggee();
  const Before before(debuggee.session);
  debuggee.printed.clear();
  std::optional<Progress> progress;
  if (adapter.client.takes_progress)
    progress.emplace(adapter.messages, debuggee.session, command, adapter.progress_after);
  const bool is_good = debuggee.console.execute(command);
  progress.reset();
  std::string printed = std::exchange(debuggee.printed, {});
  while (printed.ends_with('\n')) printed.pop_back();
  tell_effects(adapter, command, before);
  if (!is_good) return refusal(printed.starts_with("error: ") ? printed.substr(7) : printed);
  return Json{{"result", printed}, {"variablesReference", 0}};
}

}  // namespace

std::span<const Request> expression_requests() {
  static constexpr std::array requests = std::to_array<Request>({
      {.name = "evaluate",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const std::string text = arguments.needed_text("expression");
         const std::string context = arguments.text("context");
         if (const auto problem = select_frame(adapter, arguments)) return *problem;
         if (context != "repl") return evaluated(adapter.session(), text);
         // In this order: the full name of a command, an expression, a prefix of a command.
         const std::string_view word = first_word(text);
         const auto is_some_verb = [&](const auto& is_meant) {
           return !word.empty() && std::ranges::any_of(debug::all_verbs(), is_meant);
         };
         if (is_some_verb([&](const debug::Verb& each) { return word == each.name || word == each.short_name; }))
           return run_command(adapter, text);
         Result<Json> value = evaluated(adapter.session(), text);
         if (value || !is_some_verb([&](const debug::Verb& each) { return each.name.starts_with(word); })) return value;
         return run_command(adapter, text);
       }},
      {.name = "setExpression",
       .shows_user = true,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const std::string expression = arguments.needed_text("expression");
         const std::string value = arguments.needed_text("value");
         if (const auto problem = select_frame(adapter, arguments)) return *problem;
         debug::Session& session = adapter.session();
         const Result<expr::Value> set = session.set(expression, value);
         if (!set) return set.error();
         adapter.notices.tell_set(adapter.debuggee(), expression);
         const u32 width = place_width(session, expression);
         Result<Json> now = evaluated(session, expression);
         if (!now) return Json{{"value", debug::value_text(*set, width)}};
         (*now)["value"] = (*now)["result"];
         now->erase("result");
         if (width != 0) (*now)["type"] = bits_text(width);
         return now;
       }},
      {.name = "completions",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const std::string text = arguments.needed_text("text");
         const u64 column = arguments.needed_count("column");
         if (const auto problem = select_frame(adapter, arguments)) return *problem;
         const u64 typed = column - std::min<u64>(column, adapter.client.columns_start_at_1 ? 1 : 0);
         const std::string line = text.substr(0, static_cast<std::size_t>(std::min<u64>(typed, text.size())));
         const std::size_t start = line.find_last_of(" \t") + 1;
         Json targets = Json::array();
         for (const std::string& word : adapter.debuggee().console.complete(line))
           targets.push_back({{"label", word}, {"start", start}, {"length", line.size() - start}});
         return Json{{"targets", std::move(targets)}};
       }},
  });
  return requests;
}

}  // namespace salu::dap
