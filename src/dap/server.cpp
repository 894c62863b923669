#include "dap/server.hpp"

#include <algorithm>
#include <array>

namespace salu::dap {
namespace {

/// The numbers that errors have in the protocol.
constexpr int malformed = 1;
constexpr int unknown_request = 2;
constexpr int wrong_state = 3;
constexpr int refused = 4;

Json error_body(int id, const std::string& text, bool shows_user) {
  return {{"error", {{"id", id}, {"format", text}, {"showUser", shows_user}}}};
}

}  // namespace

Server::Server(Options options) : options_(std::move(options)), launch_(options_.defaults) {}

// clang-format off
std::span<const Server::Request> Server::requests() {
  constexpr u8 fresh = static_cast<u8>(State::fresh);
  constexpr u8 initialized = static_cast<u8>(State::initialized);
  constexpr u8 loaded = static_cast<u8>(State::loaded);
  constexpr u8 stopped = static_cast<u8>(State::stopped);
  constexpr u8 running = static_cast<u8>(State::running);
  constexpr u8 over = static_cast<u8>(State::over);
  constexpr u8 still = loaded | stopped;
  constexpr u8 with_program = still | running | over;
  constexpr u8 not_fresh = initialized | with_program;
  static constexpr std::array all = std::to_array<Request>({
      {"initialize", &Server::initialize, fresh},
      {"launch", &Server::launch, initialized, false, true},
      {"attach", &Server::attach, fresh | not_fresh, false, true},
      {"configurationDone", &Server::configuration_done, initialized | loaded},
      {"restart", &Server::restart, with_program, true, true},
      {"terminate", &Server::terminate, not_fresh, true},
      {"disconnect", &Server::disconnect, fresh | not_fresh, true},
      {"setBreakpoints", &Server::set_breakpoints, not_fresh},
      {"setFunctionBreakpoints", &Server::set_function_breakpoints, not_fresh},
      {"setInstructionBreakpoints", &Server::set_instruction_breakpoints, not_fresh},
      {"setDataBreakpoints", &Server::set_data_breakpoints, not_fresh},
      {"setExceptionBreakpoints", &Server::set_exception_breakpoints, not_fresh},
      {"dataBreakpointInfo", &Server::data_breakpoint_info, still},
      {"breakpointLocations", &Server::breakpoint_locations, with_program},
      {"continue", &Server::go_on, stopped},
      {"next", &Server::next, stopped},
      {"stepIn", &Server::step_in, stopped},
      {"stepOut", &Server::step_out, stopped, false, true},
      {"stepBack", &Server::step_back, stopped},
      {"reverseContinue", &Server::reverse_continue, stopped},
      {"pause", &Server::pause, stopped | running, true},
      {"gotoTargets", &Server::goto_targets, stopped},
      {"goto", &Server::go_to, stopped, false, true},
      {"threads", &Server::threads, still | running},
      {"stackTrace", &Server::stack_trace, still},
      {"scopes", &Server::scopes, still},
      {"variables", &Server::variables, still},
      {"setVariable", &Server::set_variable, still, false, true},
      {"setExpression", &Server::set_expression, still, false, true},
      {"evaluate", &Server::evaluate, still},
      {"completions", &Server::completions, still},
      {"exceptionInfo", &Server::exception_info, stopped},
      {"readMemory", &Server::read_memory, still},
      {"writeMemory", &Server::write_memory, still, false, true},
      {"disassemble", &Server::disassemble, still},
      {"loadedSources", &Server::loaded_sources, with_program},
      {"source", &Server::source, with_program},
  });
  return all;
}
// clang-format on

const Server::Request* Server::find_request(std::string_view name) {
  const auto found = std::ranges::find(requests(), name, &Request::name);
  return found == requests().end() ? nullptr : &*found;
}

bool Server::is_urgent(std::string_view message) {
  const std::optional<Json> json = parse_json(message);
  if (!json || !json->is_object()) return false;
  Arguments arguments(&*json);
  const Request* const request = find_request(arguments.text("command"));
  return request != nullptr && request->is_urgent;
}

// ---- messages ----

void Server::receive(std::string_view message) {
  const std::optional<Json> json = parse_json(message);
  if (!json || !json->is_object()) {
    const std::string problem = json ? "a message has to be a JSON object" : "a message that is no JSON, or no UTF-8";
    send({{"type", "response"},
          {"request_seq", 0},
          {"command", ""},
          {"success", false},
          {"message", problem},
          {"body", error_body(malformed, problem, false)}});
    return;
  }
  Arguments fields(&*json);
  const std::string type = fields.text("type", "request");
  // This server asks nothing, so there is nothing to be answered, and clients send no events.
  if (type == "response" || type == "event") return;
  handle(*json, fields.text("command"));
}

void Server::handle(const Json& message, const std::string& name) {
  const auto refuse = [&](int id, const std::string& text, const std::string& kind, bool shows_user) {
    Arguments fields(&message);
    send({{"type", "response"},
          {"request_seq", fields.count("seq", 0)},
          {"command", name},
          {"success", false},
          {"message", kind},
          {"body", error_body(id, text, shows_user)}});
  };
  Arguments fields(&message);
  fields.needed_count("seq");
  if (fields.text("type") != "request") fields.refuse("type", "\"request\"");
  fields.needed_text("command");
  if (fields.problem()) return refuse(malformed, fields.problem()->message, fields.problem()->message, false);
  const Request* const request = find_request(name);
  if (request == nullptr) {
    const std::string text = "salu has no request `" + name.substr(0, 100) + "`";
    return refuse(unknown_request, text, text, false);
  }
  if (const auto text = find_obstacle(*request)) {
    const bool is_busy = state_ == State::running && text->starts_with("the program is running");
    return refuse(wrong_state, *text, is_busy ? "notStopped" : *text, false);
  }
  Arguments arguments(fields.find("arguments"));
  is_handling_ = true;
  // What came before this request, and for another one.
  has_message_ = false;
  if (debuggee_ != nullptr) debuggee_->session.clear_interrupt();
  Result<Json> result = arguments.problem() ? Result<Json>(*arguments.problem()) : (this->*request->handle)(arguments);
  // Whatever else was wrong with the arguments.
  if (result && arguments.problem()) result = *arguments.problem();
  answer(message, name, result, request->shows_user);
}

std::optional<std::string> Server::find_obstacle(const Request& request) const {
  constexpr u8 later = static_cast<u8>(State::stopped) | static_cast<u8>(State::running);
  const bool has_program = debuggee_ != nullptr;
  const bool needs_program = (request.states & static_cast<u8>(State::initialized)) == 0 &&
                             (request.states & static_cast<u8>(State::fresh)) == 0;
  if ((request.states & static_cast<u8>(state_)) != 0) {
    if (state_ != State::over || has_program || !needs_program) return std::nullopt;
    return "the session has ended, without a program";
  }
  // What is said once, before the program runs.
  const bool is_early = (request.states & later) == 0;
  const bool is_first = (request.states & static_cast<u8>(State::fresh)) != 0;
  if (is_early && request.states < static_cast<u8>(state_) && (has_program || is_first))
    return "`" + std::string(request.name) + "` has been said before";
  switch (state_) {
    case State::running:
      return "the program is running: pause it for `" + std::string(request.name) + "`";
    case State::over:
      return has_program ? "the program has ended" : "the session has ended, without a program";
    case State::fresh:
      return "`initialize` has to come first";
    case State::initialized:
      return "no program has been launched yet";
    default:
      return "`configurationDone` starts the program";
  }
}

void Server::answer(const Json& message, const std::string& name, const Result<Json>& result, bool shows_user) {
  Arguments fields(&message);
  Json response = {{"type", "response"}, {"request_seq", fields.count("seq", 0)}, {"command", name}};
  response["success"] = result.has_value();
  if (result) {
    if (!result->is_null()) response["body"] = *result;
  } else {
    // With the file that it is about, and the line where that is known.
    const Error& error = result.error();
    const std::string text = error.where.file.empty() ? error.message : error.to_string();
    response["message"] = text.substr(0, text.find('\n'));
    response["body"] = error_body(refused, text, shows_user);
  }
  send(std::move(response));
  is_handling_ = false;
  for (auto& [event, body] : std::exchange(events_, {})) tell(event, std::move(body));
}

void Server::send(Json message) {
  message["seq"] = next_seq_++;
  options_.send(to_text(message));
}

void Server::tell(const char* name, Json body) {
  if (is_handling_) {
    events_.emplace_back(name, std::move(body));
    return;
  }
  Json message = {{"type", "event"}, {"event", name}};
  if (!body.is_null()) message["body"] = std::move(body);
  send(std::move(message));
}

void Server::print(std::string_view text, const char* category) {
  tell("output", {{"category", category}, {"output", std::string(text) + "\n"}});
}

void Server::interrupt(bool is_urgent) {
  has_message_ = true;
  if (!is_urgent && !is_resumable_) return;
  const std::lock_guard lock(debuggee_mutex_);
  if (debuggee_ != nullptr) debuggee_->console.interrupt();
}

}  // namespace salu::dap
