#include "dap/server.hpp"

#include <utility>

#include "dap/request.hpp"
#include "support/names.hpp"

namespace salu::dap {

using Problem = Messages::Problem;

namespace {

/// Whether two texts are the same, in a time that does not tell how much of them is.
bool is_same_secret(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned char>(right[i]);
  return difference == 0;
}

}  // namespace

Server::Server(Options options)
    : adapter_(std::move(options.send), std::move(options.exit_code_of), std::move(options.defaults)),
      token_(std::move(options.token)) {
  adapter_.progress_after = options.progress_after;
}

/// Why a request of a client that has not sent the token is not handled; nothing when it is.
std::string Server::find_missing_token(const RequestId& id, Arguments& arguments) {
  if (token_.empty() || id.command == "disconnect") return "";
  if (arguments.has("token")) {
    if (!is_same_secret(arguments.text("token"), token_)) return "the `token` is not the one of this server";
    token_.clear();
    return "";
  }
  if (id.command == "initialize") return "";
  return "`token` is missing: this server asks for the one that it printed, as an argument of `launch`";
}

bool Server::is_urgent(std::string_view message) {
  const std::optional<Json> json = parse_json(message);
  if (!json || !json->is_object()) return false;
  const Request* const request = find_request(RequestId::of(*json).command);
  return request != nullptr && request->is_urgent;
}

void Server::receive(std::string_view message) {
  Messages& messages = adapter_.messages;
  const std::optional<Json> json = parse_json(message);
  if (!json || !json->is_object()) {
    const std::string text = json ? "a message has to be a JSON object" : "a message that is no JSON, or no UTF-8";
    return messages.refuse({}, Problem::malformed, text, text);
  }
  const std::string type = Arguments(&*json).text("type", "request");
  // This server asks nothing, so there is nothing to be answered, and clients send no events.
  if (type == "response" || type == "event") return;
  const RequestId id = RequestId::of(*json);
  Arguments fields(&*json);
  fields.needed_count("seq");
  if (fields.text("type") != "request") fields.refuse("type", "\"request\"");
  fields.needed_text("command");
  if (fields.problem())
    return messages.refuse(id, Problem::malformed, fields.problem()->message, fields.problem()->message);
  Arguments arguments(fields.find("arguments"));
  if (const std::string text = find_missing_token(id, arguments); !text.empty()) {
    messages.refuse(id, Problem::refused, text, text);
    return adapter_.life.leave();
  }
  const Request* const request = find_request(id.command);
  if (request == nullptr) {
    const std::string text = "salu has no request `" + std::string(support::beginning(id.command, 100)) + "`";
    return messages.refuse(id, Problem::unknown_request, text, text);
  }
  if (const auto obstacle = adapter_.life.find_obstacle(request->name, request->states))
    return messages.refuse(id, Problem::wrong_state, obstacle->text, obstacle->message);
  messages.begin_answer();
  adapter_.run.take_request();
  Result<Json> result = arguments.problem() ? Result<Json>(*arguments.problem()) : request->handle(adapter_, arguments);
  // Whatever else was wrong with the arguments.
  if (result && arguments.problem()) result = *arguments.problem();
  messages.answer(id, result, request->shows_user);
}

}  // namespace salu::dap
