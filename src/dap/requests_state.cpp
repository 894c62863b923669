#include <algorithm>
#include <array>
#include <iterator>

#include "dap/request.hpp"
#include "dap/stop_text.hpp"
#include "dap/threads.hpp"
#include "dap/views.hpp"
#include "support/numbers.hpp"

// Requests that inspect and change the state of the program.
namespace salu::dap {
namespace {

Json frame_at(Adapter& adapter, u64 id, u64 address) {
  const std::string label = adapter.session().program().describe_address(address);
  Json frame = {{"id", id},
                {"name", label.empty() ? support::hex(address) : label},
                {"line", 0},
                {"column", 0},
                {"instructionPointerReference", support::hex(address)}};
  if (const auto origin = adapter.debuggee().sources.origin_of(address)) {
    frame["source"] = origin->source;
    frame["line"] = adapter.client.line_to(origin->line);
    frame["column"] = adapter.client.columns_start_at_1 ? 1 : 0;
  }
  return frame;
}

}  // namespace

std::span<const Request> state_requests() {
  static constexpr std::array requests = std::to_array<Request>({
      {.name = "threads",
       .states = states::still | State::running,
       .handle = [](Adapter& adapter, Arguments&) -> Result<Json> {
         return Json{{"threads", list_threads(adapter.session(), adapter.debuggee().scenario.name)}};
       }},
      {.name = "stackTrace",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const u64 first = arguments.count("startFrame", 0);
         const u64 levels = arguments.count("levels", 0);
         const Result<u64> wave = read_thread(adapter, arguments);
         if (!wave) return wave.error();
         const SelectedWave selected(adapter.session(), *wave);
         constexpr u64 most = 1000;
         const u64 wanted = levels == 0 ? most : std::min(levels, most);
         const debug::CallStack calls = adapter.session().calls();
         const u64 last = adapter.session().run().waves().size() == 1 ? calls.depth() + 1 : ids_per_wave - 1;
         Json frames = Json::array();
         u64 number = 0;
         const auto add = [&](u64 address) {
           if (number >= first && number < last && frames.size() < wanted)
             frames.push_back(frame_at(adapter, first_id(adapter.session()) + number + 1, address));
           ++number;
         };
         add(adapter.session().address());
         for (const debug::CallFrame* frame = calls.top(); frame != nullptr && frames.size() < wanted;
              frame = frame->outer.get()) {
           add(frame->call_pc);
         }
         return Json{{"stackFrames", std::move(frames)}, {"totalFrames", calls.depth() + 1}};
       }},
      {.name = "scopes",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         arguments.needed_count("frameId");
         const Result<u64> wave = read_frame(adapter, arguments);
         if (!wave) return wave.error();
         const SelectedWave selected(adapter.session(), *wave);
         return Json{{"scopes", list_scopes(adapter.debuggee())}};
       }},
      {.name = "variables",
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const u64 reference = arguments.needed_count("variablesReference");
         const Window window{arguments.count("start", 0), arguments.count("count", 0)};
         const std::string filter = arguments.text("filter");
         if (arguments.problem()) return *arguments.problem();
         const Result<std::vector<Variable>> variables = list_variables(adapter.debuggee(), reference, window);
         if (!variables) return variables.error();
         Json list = Json::array();
         // Dwords of memory and lanes are indexed, everything else is named.
         const bool are_indexed = !variables->empty() && variables->front().reference == 0 &&
                                  (variables->front().name.starts_with("0x") || variables->front().name[0] == '[');
         const bool are_wanted = filter.empty() || (filter == "indexed") == are_indexed;
         if (are_wanted) std::ranges::transform(*variables, std::back_inserter(list), &Variable::to_json);
         return Json{{"variables", std::move(list)}};
       }},
      {.name = "setVariable",
       .shows_user = true,
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         const u64 reference = arguments.needed_count("variablesReference");
         const std::string name = arguments.needed_text("name");
         const std::string value = arguments.needed_text("value");
         if (arguments.problem()) return *arguments.problem();
         Debuggee& debuggee = adapter.debuggee();
         const Result<u64> wave = wave_of_variables(debuggee, reference);
         if (!wave) return wave.error();
         const SelectedWave selected(debuggee.session, *wave);
         const Result<Variable> variable = find_variable(debuggee, reference, name);
         if (!variable) return variable.error();
         if (variable->expression.empty()) return refusal("`" + name + "` cannot be set");
         const Result<expr::Value> set = debuggee.session.set(variable->expression, value);
         if (!set) return set.error();
         adapter.notices.tell_set(debuggee, variable->expression);
         // The change may have removed a saved mask or an entry of the control stack.
         const Result<Variable> now = find_variable(debuggee, reference, name);
         if (!now) {
           const u32 width = place_width(debuggee.session, variable->expression);
           return Json{{"value", debug::value_text(*set, width)}, {"variablesReference", 0}};
         }
         return Json{{"value", now->value}, {"type", now->type}, {"variablesReference", now->reference}};
       }},
      {.name = "exceptionInfo",
       .states = static_cast<States>(State::stopped),
       .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
         if (const Result<u64> wave = read_thread(adapter, arguments); !wave) return wave.error();
         const debug::RunHistory& run = adapter.session().run();
         const Program& program = adapter.session().program();
         if (!run.ended() && !adapter.run.caught().empty()) {
           const Warning& warning = adapter.run.caught().front();
           const std::string kind(warning_kind_name(warning.kind));
           return Json{{"exceptionId", kind},
                       {"description", debug::warning_text(adapter.session(), warning)},
                       {"breakMode", "always"},
                       {"details",
                        {{"typeName", kind},
                         {"message", warning.detail},
                         {"stackTrace", program.describe_place(warning.pc) + ": " + warning.instruction}}}};
         }
         if (!run.ended() || is_regular_end(run.stop().reason))
           return refusal("the program has not stopped at a fault or a warning");
         const Stop stop = run.stop();
         const std::string name(stop.reason_name());
         const std::string text = stop_text(stop, run.position(), program);
         return Json{{"exceptionId", name},
                     {"description", text},
                     {"breakMode", "unhandled"},
                     {"details",
                      {{"typeName", name},
                       {"message", stop.detail.empty() ? text : stop.detail},
                       {"stackTrace", program.describe_place(stop.pc) + ": " + stop.instruction}}}};
       }},
  });
  return requests;
}

}  // namespace salu::dap
