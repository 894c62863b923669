#include <utility>

#include "dap/server.hpp"
#include "dap/texts.hpp"

// How a session with a client begins and ends.
namespace salu::dap {
namespace {

Json capabilities() {
  Json json = Json::object();
  for (const char* name : {"supportsConfigurationDoneRequest",
                           "supportsFunctionBreakpoints",
                           "supportsConditionalBreakpoints",
                           "supportsHitConditionalBreakpoints",
                           "supportsEvaluateForHovers",
                           "supportsStepBack",
                           "supportsSetVariable",
                           "supportsGotoTargetsRequest",
                           "supportsCompletionsRequest",
                           "supportsRestartRequest",
                           "supportsExceptionInfoRequest",
                           "supportsDelayedStackTraceLoading",
                           "supportsLoadedSourcesRequest",
                           "supportsLogPoints",
                           "supportsSetExpression",
                           "supportsTerminateRequest",
                           "supportsDataBreakpoints",
                           "supportsDataBreakpointBytes",
                           "supportsReadMemoryRequest",
                           "supportsWriteMemoryRequest",
                           "supportsDisassembleRequest",
                           "supportsBreakpointLocationsRequest",
                           "supportsClipboardContext",
                           "supportsSteppingGranularity",
                           "supportsInstructionBreakpoints"}) {
    json[name] = true;
  }
  json["completionTriggerCharacters"] = {" ", "."};
  json["exceptionBreakpointFilters"] = {
      {{"filter", "faults"},
       {"label", "Faults"},
       {"description", "Stop where the program did something illegal, instead of ending the session"},
       {"default", true}},
      {{"filter", "end"},
       {"label", "End of the program"},
       {"description", "Stop at the end, from where one can step back, instead of ending the session"},
       {"default", true}}};
  return json;
}

}  // namespace

Result<Json> Server::initialize(Arguments& arguments) {
  lines_start_at_1_ = arguments.flag("linesStartAt1", true);
  columns_start_at_1_ = arguments.flag("columnsStartAt1", true);
  takes_invalidated_ = arguments.flag("supportsInvalidatedEvent", false);
  takes_memory_ = arguments.flag("supportsMemoryEvent", false);
  const std::string format = arguments.text("pathFormat", "path");
  if (arguments.problem()) return *arguments.problem();
  if (format != "path") return refusal("`pathFormat`: salu takes paths (\"path\"), not \"" + format + "\"");
  state_ = State::initialized;
  return capabilities();
}

Result<Json> Server::attach(Arguments&) {
  return refusal("salu runs the program itself, so there is nothing to attach to: use \"request\": \"launch\"");
}

Result<Json> Server::launch(Arguments& arguments) {
  const Result<Launch> launch = read_launch(arguments, options_.defaults);
  if (!launch) return launch.error();
  Result<Json> loaded = load(*launch);
  if (!loaded) return loaded;
  state_ = State::loaded;
  tell("initialized", nullptr);
  if (is_configured_) begin();
  return Json();
}

/// Takes the place of the program that is there, if all goes well.
Result<Json> Server::load(const Launch& launch) {
  Result<Scenario> scenario = loader::load_one(launch.program, launch.load, launch.choice);
  if (!scenario) return std::move(scenario).error();
  move_.reset();
  wants_pause_ = false;
  launch_ = launch;
  replace_debuggee(std::make_unique<Debuggee>(*std::move(scenario), launch.timeline));
  told_warnings_.clear();
  goto_addresses_.clear();
  for (const Remark& remark : debuggee_->scenario.remarks) print(remark.to_string());
  for (Json& change : breakpoints_.set_in(launch.no_debug ? nullptr : debuggee_.get())) {
    adjust_lines(change["breakpoint"]);
    tell("breakpoint", std::move(change));
  }
  return Json();
}

void Server::replace_debuggee(std::unique_ptr<Debuggee> debuggee) {
  const std::lock_guard lock(debuggee_mutex_);
  std::swap(debuggee_, debuggee);
}

Result<Json> Server::configuration_done(Arguments&) {
  if (is_configured_) return refusal("`configurationDone` has been said before");
  is_configured_ = true;
  if (state_ == State::loaded) begin();
  return Json();
}

/// The client knows the program and has set its breakpoints.
void Server::begin() {
  state_ = State::stopped;
  tell("process", {{"name", debuggee_->scenario.name}, {"startMethod", "launch"}});
  tell("thread", {{"reason", "started"}, {"threadId", 1}});
  // What goes on from here passes over the breakpoints in front of the first instruction.
  print_log();
  const debug::Pause here = launch_.no_debug ? debug::Pause{} : debuggee_->session.look_here();
  if ((launch_.stop_on_entry && !launch_.no_debug) || debuggee_->session.timeline().ended())
    return stand_still({debug::Pause::Reason::start, {}, {}});
  if (here.reason == debug::Pause::Reason::breakpoint) return stand_still(here);
  Arguments nothing(nullptr);
  (void)go_on(nothing);
}

Result<Json> Server::restart(Arguments& arguments) {
  Arguments inner = arguments.object("arguments");
  Result<Launch> launch = arguments.has("arguments") ? read_launch(inner, options_.defaults) : launch_;
  if (!launch) return launch.error();
  Result<Json> loaded = load(*launch);
  if (!loaded) return loaded;
  if (is_configured_) {
    begin();
  } else {
    state_ = State::loaded;
  }
  return Json();
}

Result<Json> Server::terminate(Arguments&) {
  move_.reset();
  if (state_ != State::over) tell("terminated", nullptr);
  state_ = State::over;
  return Json();
}

Result<Json> Server::disconnect(Arguments&) {
  move_.reset();
  state_ = State::over;
  has_ended_ = true;
  return Json();
}

/// The client is told that it is over, and how it was.
void Server::end_program() {
  const debug::Timeline& timeline = debuggee_->session.timeline();
  Stop stop;
  if (timeline.ended()) {
    stop = debuggee_->session.machine().stop();
    print(stop_text(stop, timeline.position(), debuggee_->scenario.program));
  }
  move_.reset();
  state_ = State::over;
  tell("exited", {{"exitCode", options_.exit_code_of(stop)}});
  tell("terminated", nullptr);
}

}  // namespace salu::dap
