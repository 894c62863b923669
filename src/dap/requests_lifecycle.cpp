#include <array>

#include "dap/request.hpp"

// The start and end of a session.
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
                           "supportsCancelRequest",
                           "supportsInstructionBreakpoints"}) {
    json[name] = true;
  }
  json["completionTriggerCharacters"] = {" ", "."};
  json["exceptionBreakpointFilters"] = {
      {{"filter", "faults"},
       {"label", "Faults"},
       {"description", "Stop at faults instead of ending the session"},
       {"default", true}},
      {{"filter", "warnings"},
       {"label", "Warnings of checks"},
       {"description",
        "Stop after an instruction with a hazard, a race or an undefined read, if the program is checked for them"},
       {"default", true}},
      {{"filter", "end"},
       {"label", "End of the program"},
       {"description", "Stop at the end, where stepping back is possible, instead of ending the session"},
       {"default", true}}};
  return json;
}

/// Loads a program, which replaces the current one on success.
std::optional<Error> load_program(Adapter& adapter, const Launch& launch) {
  if (auto error = adapter.life.load(launch)) return error;
  adapter.run.forget();
  adapter.life.enter(State::loaded);
  return std::nullopt;
}

/// The action of a request that ends the session.
template <void (Lifecycle::*end)()>
Result<Json> end_session(Adapter& adapter, Arguments&) {
  (adapter.life.*end)();
  return Json();
}

}  // namespace

std::span<const Request> lifecycle_requests() {
  static constexpr std::array requests = std::to_array<Request>({
      {.name = "initialize",
       .states = static_cast<States>(State::fresh),
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         adapter.client = {.lines_start_at_1 = arguments.flag("linesStartAt1", true),
                           .columns_start_at_1 = arguments.flag("columnsStartAt1", true),
                           .takes_invalidated = arguments.flag("supportsInvalidatedEvent", false),
                           .takes_memory = arguments.flag("supportsMemoryEvent", false),
                           .takes_progress = arguments.flag("supportsProgressReporting", false)};
         const std::string format = arguments.text("pathFormat", "path");
         if (arguments.problem()) return *arguments.problem();
         if (format != "path") return refusal("`pathFormat`: expected paths (\"path\"), not \"" + format + "\"");
         adapter.life.enter(State::initialized);
         return capabilities();
       }},
      {.name = "launch",
       .states = static_cast<States>(State::initialized),
       .shows_user = true,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const Result<Launch> launch = read_launch(arguments, adapter.life.defaults());
         if (!launch) return launch.error();
         if (const auto error = load_program(adapter, *launch)) return *error;
         adapter.messages.tell("initialized", nullptr);
         if (adapter.life.is_configured()) adapter.run.begin();
         return Json();
       }},
      {.name = "attach",
       .states = states::any,
       .shows_user = true,
       .handle = [](Adapter&, Arguments&) -> Result<Json> {
         return refusal("salu runs the program itself, and cannot attach; use \"request\": \"launch\"");
       }},
      {.name = "configurationDone",
       .states = State::initialized | State::loaded,
       .handle = [](Adapter& adapter, Arguments&) -> Result<Json> {
         if (adapter.life.is_configured()) return refusal("`configurationDone` was sent before");
         adapter.life.configure();
         if (adapter.life.state() == State::loaded) adapter.run.begin();
         return Json();
       }},
      {.name = "restart",
       .states = states::with_program,
       .is_urgent = true,
       .shows_user = true,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         Arguments inner = arguments.object("arguments");
         const Result<Launch> launch =
             arguments.has("arguments") ? read_launch(inner, adapter.life.defaults()) : adapter.life.launch();
         if (!launch) return launch.error();
         if (const auto error = load_program(adapter, *launch)) return *error;
         if (adapter.life.is_configured()) adapter.run.begin();
         return Json();
       }},
      {.name = "terminate",
       .states = states::not_fresh,
       .is_urgent = true,
       .handle = end_session<&Lifecycle::terminate>},
      // As an urgent request it has already ended the search of a command; the partial result is the answer.
      {.name = "cancel",
       .states = states::any,
       .is_urgent = true,
       .handle = [](Adapter&, Arguments& arguments) -> Result<Json> {
         (void)arguments.count("requestId", 0);
         return Json();
       }},
      {.name = "disconnect", .states = states::any, .is_urgent = true, .handle = end_session<&Lifecycle::leave>},
  });
  return requests;
}

}  // namespace salu::dap
