#include <algorithm>
#include <utility>

#include "dap/server.hpp"
#include "dap/texts.hpp"
#include "dap/views.hpp"
#include "support/numbers.hpp"

// Requests that look at the state of the program, and change it.
namespace salu::dap {
namespace {

/// The bits of a register or of memory; 0 for anything else.
u32 width_of(const std::string& place, const Debuggee& debuggee) {
  const Result<debug::Expression> parsed = debuggee.session.parse(place);
  return parsed && (parsed->is_register() || parsed->is_memory()) ? parsed->width() : 0;
}

}  // namespace

std::optional<Error> Server::check_thread(Arguments& arguments) const {
  const u64 thread = arguments.count("threadId", 1);
  if (arguments.problem()) return arguments.problem();
  if (thread == 1) return std::nullopt;
  return refusal("there is no thread " + std::to_string(thread) + ": the wave is thread 1");
}

std::optional<Error> Server::check_frame(Arguments& arguments) const {
  const u64 frame = arguments.count("frameId", 1);
  if (arguments.problem()) return arguments.problem();
  // 0 stands for no frame.
  if (frame <= debuggee_->session.timeline().calls().depth() + 1) return std::nullopt;
  return refusal("there is no stack frame " + std::to_string(frame));
}

/// The instruction that is next, or at which the program ended.
u64 Server::here() const {
  const core::Machine& machine = debuggee_->session.machine();
  return debuggee_->session.timeline().ended() ? machine.stop().pc : machine.pc();
}

Result<Json> Server::threads(Arguments&) {
  return Json{{"threads", {{{"id", 1}, {"name", "wave: " + debuggee_->scenario.name}}}}};
}

Json Server::frame_at(u64 id, u64 address) const {
  const std::string label = debuggee_->scenario.program.describe_address(address);
  Json frame = {{"id", id},
                {"name", label.empty() ? support::hex(address) : label},
                {"line", 0},
                {"column", 0},
                {"instructionPointerReference", support::hex(address)}};
  if (const auto place = debuggee_->sources.place_of(address)) {
    frame["source"] = place->source;
    frame["line"] = line_to_client(place->line);
    frame["column"] = columns_start_at_1_ ? 1 : 0;
  }
  return frame;
}

Result<Json> Server::stack_trace(Arguments& arguments) {
  const u64 first = arguments.count("startFrame", 0);
  const u64 levels = arguments.count("levels", 0);
  if (const auto problem = check_thread(arguments)) return *problem;
  constexpr u64 most = 1000;
  const u64 wanted = levels == 0 ? most : std::min(levels, most);
  const debug::CallStack& calls = debuggee_->session.timeline().calls();
  Json frames = Json::array();
  u64 number = 0;
  const auto add = [&](u64 address) {
    if (number >= first && frames.size() < wanted) frames.push_back(frame_at(number + 1, address));
    ++number;
  };
  add(here());
  for (const debug::Frame* frame = calls.top(); frame != nullptr && frames.size() < wanted; frame = frame->outer.get())
    add(frame->call_pc);
  return Json{{"stackFrames", std::move(frames)}, {"totalFrames", calls.depth() + 1}};
}

Result<Json> Server::scopes(Arguments& arguments) {
  arguments.needed_count("frameId");
  if (const auto problem = check_frame(arguments)) return *problem;
  return Json{{"scopes", list_scopes(*debuggee_)}};
}

Result<Json> Server::variables(Arguments& arguments) {
  const u64 reference = arguments.needed_count("variablesReference");
  const Window window{arguments.count("start", 0), arguments.count("count", 0)};
  const std::string filter = arguments.text("filter");
  if (arguments.problem()) return *arguments.problem();
  const Result<std::vector<Variable>> variables = list_variables(*debuggee_, reference, window);
  if (!variables) return variables.error();
  Json list = Json::array();
  // The dwords of memory have numbers, everything else has names.
  const bool are_indexed =
      !variables->empty() && variables->front().name.starts_with("0x") && variables->front().reference == 0;
  const bool are_wanted = filter.empty() || (filter == "indexed") == are_indexed;
  if (are_wanted) std::ranges::transform(*variables, std::back_inserter(list), &Variable::to_json);
  return Json{{"variables", std::move(list)}};
}

Result<Json> Server::set_variable(Arguments& arguments) {
  const u64 reference = arguments.needed_count("variablesReference");
  const std::string name = arguments.needed_text("name");
  const std::string value = arguments.needed_text("value");
  if (arguments.problem()) return *arguments.problem();
  const Result<Variable> variable = find_variable(*debuggee_, reference, name);
  if (!variable) return variable.error();
  if (variable->expression.empty()) return refusal("`" + name + "` cannot be set");
  const Result<debug::Value> set = debuggee_->session.set(variable->expression, value);
  if (!set) return set.error();
  tell_set(variable->expression);
  // A saved mask, an entry of the control stack may be gone with it.
  const Result<Variable> now = find_variable(*debuggee_, reference, name);
  if (!now)
    return Json{{"value", value_text(*set, width_of(variable->expression, *debuggee_))}, {"variablesReference", 0}};
  return Json{{"value", now->value}, {"type", now->type}, {"variablesReference", now->reference}};
}

Result<Json> Server::set_expression(Arguments& arguments) {
  const std::string expression = arguments.needed_text("expression");
  const std::string value = arguments.needed_text("value");
  if (const auto problem = check_frame(arguments)) return *problem;
  const Result<debug::Value> set = debuggee_->session.set(expression, value);
  if (!set) return set.error();
  tell_set(expression);
  Result<Json> now = evaluated(expression);
  if (!now) return Json{{"value", value_text(*set, width_of(expression, *debuggee_))}};
  (*now)["value"] = (*now)["result"];
  now->erase("result");
  const u32 width = width_of(expression, *debuggee_);
  if (width != 0) (*now)["type"] = std::to_string(width) + (width == 1 ? " bit" : " bits");
  return now;
}

Result<Json> Server::evaluated(const std::string& text) const {
  const Result<debug::Expression> expression = debuggee_->session.parse(text);
  if (!expression) return expression.error();
  const core::Machine& machine = debuggee_->session.machine();
  if (const auto unmapped = expression->find_unmapped(machine))
    return refusal("the memory at " + support::hex(*unmapped) + " is not mapped");
  const debug::Value value = expression->evaluate(machine);
  Json body = {{"result", explained(*expression, value, debuggee_->scenario.program)}, {"variablesReference", 0}};
  if (expression->is_memory()) {
    body["memoryReference"] = support::hex(expression->memory_address(machine));
  } else if (machine.memory_now().is_mapped(value.bits, 1)) {
    body["memoryReference"] = support::hex(value.bits);
  }
  return body;
}

Result<Json> Server::evaluate(Arguments& arguments) {
  const std::string text = arguments.needed_text("expression");
  const std::string context = arguments.text("context");
  if (const auto problem = check_frame(arguments)) return *problem;
  if (context != "repl") return evaluated(text);
  // A command by its whole name, an expression, or a command by the beginning of its name.
  const std::size_t start = std::min(text.find_first_not_of(" \t"), text.size());
  const std::string word = text.substr(start, text.find_first_of(" \t/", start) - start);
  const auto commands = debug::Console::commands();
  const bool is_command = std::ranges::any_of(commands, [&](const debug::Console::Command& each) {
    return word == each.name || (!word.empty() && word == each.short_name);
  });
  if (!is_command) {
    Result<Json> value = evaluated(text);
    if (value) return value;
    const bool is_beginning = std::ranges::any_of(
        commands, [&](const debug::Console::Command& each) { return !word.empty() && each.name.starts_with(word); });
    if (!is_beginning) return value;
  }
  return run_command(text);
}

/// A command of the console.
Result<Json> Server::run_command(const std::string& text) {
  debug::Session& session = debuggee_->session;
  const u64 position = session.timeline().position();
  const bool had_ended = session.timeline().ended();
  const WaveState state = session.machine().state();
  debuggee_->printed.clear();
  const bool is_good = debuggee_->console.execute(text);
  std::string printed = std::exchange(debuggee_->printed, {});
  while (printed.ends_with('\n')) printed.pop_back();
  for (Json& change : breakpoints_.take_removed()) tell("breakpoint", std::move(change));
  Arguments arguments(nullptr);
  if (debuggee_->console.wants_to_quit()) {
    (void)terminate(arguments);
  } else if (position != session.timeline().position() || had_ended != session.timeline().ended()) {
    tell_moved(text);
  } else if (const std::size_t equals = text.find('='); equals != std::string::npos) {
    const std::size_t start = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t word_end = std::min(text.find_first_of(" \t", start), equals);
    tell_set(text.substr(word_end, equals - word_end));
  } else if (state != session.machine().state()) {
    tell_changed();
  }
  if (!is_good) return refusal(printed.starts_with("error: ") ? printed.substr(7) : printed);
  return Json{{"result", printed}, {"variablesReference", 0}};
}

/// A command of the console has moved: what the client is told of where it stands.
void Server::tell_moved(const std::string& text) {
  state_ = State::stopped;
  tell("continued", {{"threadId", 1}, {"allThreadsContinued", true}});
  const debug::Pause& stop = debuggee_->console.last_stop();
  if (!stop.breakpoints.empty() || !stop.watches.empty()) {
    tell_warnings();
    return say_hit(stop);
  }
  const bool is_step = stop.reason == debug::Pause::Reason::step && !debuggee_->session.timeline().ended();
  if (!is_step) return stand_still(stop);
  tell_warnings();
  say_stopped("step", "Paused after `" + text + "`");
}

/// Something was set from outside: the client is told, and which memory it was.
void Server::tell_set(const std::string& place) {
  const Result<debug::Expression> parsed = debuggee_->session.parse(place);
  if (!parsed || !parsed->is_memory()) return tell_changed();
  tell_changed(parsed->memory_address(debuggee_->session.machine()), parsed->memory_bytes());
}

Result<Json> Server::completions(Arguments& arguments) {
  const std::string text = arguments.needed_text("text");
  const u64 column = arguments.needed_count("column");
  if (const auto problem = check_frame(arguments)) return *problem;
  const u64 typed = column - std::min<u64>(column, columns_start_at_1_ ? 1 : 0);
  const std::string line = text.substr(0, static_cast<std::size_t>(std::min<u64>(typed, text.size())));
  const std::size_t start = line.find_last_of(" \t") + 1;
  Json targets = Json::array();
  for (const std::string& word : debuggee_->console.complete(line))
    targets.push_back({{"label", word}, {"start", start}, {"length", line.size() - start}});
  return Json{{"targets", std::move(targets)}};
}

Result<Json> Server::exception_info(Arguments& arguments) {
  if (const auto problem = check_thread(arguments)) return *problem;
  const debug::Timeline& timeline = debuggee_->session.timeline();
  const core::Machine& machine = debuggee_->session.machine();
  if (!timeline.ended() || is_regular_end(machine.stop_reason()))
    return refusal("the program stands here for no fault");
  const Stop stop = machine.stop();
  const std::string name(stop.reason_name());
  const std::string text = stop_text(stop, timeline.position(), debuggee_->scenario.program);
  return Json{{"exceptionId", name},
              {"description", text},
              {"breakMode", "unhandled"},
              {"details",
               {{"typeName", name},
                {"message", stop.detail.empty() ? text : stop.detail},
                {"stackTrace", debuggee_->scenario.program.describe_place(stop.pc) + ": " + stop.instruction}}}};
}

void Server::tell_warnings() {
  for (const Warning& warning : debuggee_->session.machine().warnings()) {
    if (!told_warnings_.emplace(warning.kind, warning.pc).second) continue;
    print("warning: " + std::string(warning_kind_name(warning.kind)) + " at " +
          address_text(debuggee_->scenario.program, warning.pc) + ": " + warning.detail);
  }
}

void Server::tell_changed(std::optional<u64> address, u64 count) {
  if (takes_invalidated_) tell("invalidated", {{"areas", {"all"}}});
  if (takes_memory_ && address)
    tell("memory", {{"memoryReference", support::hex(*address)}, {"offset", 0}, {"count", count}});
}

}  // namespace salu::dap
