#include "dap/server.hpp"

#include <utility>

#include "dap/request.hpp"
#include "support/names.hpp"

namespace salu::dap {

using Problem = Messages::Problem;

namespace {

/// Compares two secrets in a time that does not depend on their common prefix.
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

/// Returns the reason to refuse a request without the token, or "".
std::string Server::find_missing_token(const RequestId& id, Arguments& arguments) {
  if (token_.empty() || id.command == "disconnect") return "";
  if (arguments.has("token")) {
    if (!is_same_secret(arguments.text("token"), token_)) return "wrong `token`";
    token_.clear();
    return "";
  }
  if (id.command == "initialize") return "";
  return "missing `token`: pass the token that this server printed as an argument of `launch`";
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
    const std::string text = json ? "expected a JSON object" : "the message is not valid JSON or UTF-8";
    return messages.refuse({}, Problem::malformed, text, text);
  }
  const std::string type = Arguments(&*json).text("type", "request");
  // The server sends no requests, so responses are unexpected, and clients send no events.
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
    const std::string text = "unsupported request `" + std::string(support::beginning(id.command, 100)) + "`";
    return messages.refuse(id, Problem::unknown_request, text, text);
  }
  if (const auto obstacle = adapter_.life.find_obstacle(request->name, request->states))
    return messages.refuse(id, Problem::wrong_state, obstacle->text, obstacle->message);
  messages.begin_answer();
  adapter_.run.take_request();
  Result<Json> result = arguments.problem() ? Result<Json>(*arguments.problem()) : request->handle(adapter_, arguments);
  // Reports errors in unused arguments too.
  if (result && arguments.problem()) result = *arguments.problem();
  messages.answer(id, result, request->shows_user);
}

}  // namespace salu::dap
