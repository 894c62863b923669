#include <fmt/core.h>

#include <array>

#include "dap/request.hpp"
#include "dap/threads.hpp"
#include "debug/place_text.hpp"
#include "support/numbers.hpp"

// Requests that move the program, forwards and backwards.
namespace salu::dap {
namespace {

using Move = Execution::Move;

Result<Json> start_move(Adapter& adapter, Arguments& arguments, const Move& move) {
  if (const auto problem = select_thread(adapter, arguments)) return *problem;
  adapter.run.start(move);
  return Json();
}

/// The action of a step: by instructions or by source lines, as `granularity` says.
template <auto by_instruction, auto by_line, bool is_backward = false>
Result<Json> step(Adapter& adapter, Arguments& arguments) {
  const bool has_lines = arguments.text("granularity", "statement") != "instruction";
  const auto start = [has_lines](debug::Session& session) {
    return Result(has_lines ? by_line(session) : by_instruction(session));
  };
  return start_move(adapter, arguments, {.start = start, .is_backward = is_backward});
}

}  // namespace

std::span<const Request> moving_requests() {
  static constexpr auto stopped = static_cast<States>(State::stopped);
  static constexpr std::array requests =
      std::to_array<Request>({
          {.name = "continue",
           .states = stopped,
           .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
             if (const auto problem = select_thread(adapter, arguments)) return *problem;
             adapter.run.go_on();
             return Json{{"allThreadsContinued", true}};
           }},
          {.name = "next",
           .states = stopped,
           .handle = step<[](debug::Session& session) { return session.next(); },
                          [](debug::Session& session) { return session.step_line(true); }>},
          {.name = "stepIn",
           .states = stopped,
           .handle = step<[](debug::Session& session) { return session.step(); },
                          [](debug::Session& session) { return session.step_line(false); }>},
          {.name = "stepOut",
           .states = stopped,
           .shows_user = true,
           .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
             if (const auto problem = select_thread(adapter, arguments)) return *problem;
             const debug::RunHistory& run = adapter.session().run();
             if (adapter.session().calls().depth() == 0 && !run.ended())
               return refusal("this is the outermost function: its caller is not part of this run");
             adapter.run.start({.start = [](debug::Session& session) { return session.finish(); }});
             return Json();
           }},
          {.name = "stepBack",
           .states = stopped,
           .handle = step<[](debug::Session& session) { return session.next_back(); },
                          [](debug::Session& session) { return session.step_line_back(true); }, true>},
          {.name = "reverseContinue",
           .states = stopped,
           .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
             const auto back = [](debug::Session& session) { return Result(session.go_back()); };
             return start_move(adapter, arguments, {.start = back, .resume = back, .is_backward = true});
           }},
          {.name = "pause",
           .states = State::stopped | State::running,
           .is_urgent = true,
           .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
             // The thread may have ended since the client has seen it.
             const debug::Session& session = adapter.session();
             const u64 thread = arguments.count("threadId", thread_of(session));
             if (arguments.problem()) return *arguments.problem();
             if (thread == 0 || thread > session.run().launch().count)
               return find_wave_of_thread(session, thread).error();
             adapter.run.pause();
             return Json();
           }},
          {.name = "gotoTargets",
           .states = stopped,
           .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
             Arguments source = arguments.object("source");
             const u64 line = arguments.needed_count("line");
             if (arguments.problem()) return *arguments.problem();
             Debuggee& debuggee = adapter.debuggee();
             const Result<Sources::Id> id = debuggee.sources.find(source);
             if (!id) return id.error();
             Json targets = Json::array();
             if (const auto found = debuggee.sources.line_at_or_after(*id, adapter.client.line_from(line))) {
               for (const u64 address : found->addresses) {
                 targets.push_back({{"id", debuggee.goto_addresses.size()},
                                    {"label", debug::address_text(debuggee.scenario.program, address)},
                                    {"line", adapter.client.line_to(found->line)},
                                    {"instructionPointerReference", support::hex(address)}});
                 debuggee.goto_addresses.push_back(address);
               }
             }
             return Json{{"targets", std::move(targets)}};
           }},
          {.name = "goto",
           .states = stopped,
           .shows_user = true,
           .handle = [](Adapter& adapter, Arguments& arguments) -> Result<Json> {
             const u64 target = arguments.needed_count("targetId");
             if (const auto problem = select_thread(adapter, arguments)) return *problem;
             const std::vector<u64>& addresses = adapter.debuggee().goto_addresses;
             if (target >= addresses.size()) return refusal(fmt::format("no target {}", target));
             const u64 address = addresses[static_cast<std::size_t>(target)];
             const Result<expr::Value> value = adapter.session().set("pc", support::hex(address));
             if (!value) return value.error();
             adapter.notices.say_stopped(adapter.debuggee(), "goto", "Paused after the program counter was set",
                                         debug::address_text(adapter.session().program(), address));
             return Json();
           }},
      });
  return requests;
}

}  // namespace salu::dap
