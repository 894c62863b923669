#include "dap/messages.hpp"

namespace salu::dap {
namespace {

Json response_to(const RequestId& request, bool is_good) {
  return {{"type", "response"}, {"request_seq", request.seq}, {"command", request.command}, {"success", is_good}};
}

Json error_body(Messages::Problem problem, const std::string& text, bool shows_user) {
  return {{"error", {{"id", static_cast<int>(problem)}, {"format", text}, {"showUser", shows_user}}}};
}

}  // namespace

RequestId RequestId::of(const Json& message) {
  Arguments fields(&message);
  return {fields.count("seq", 0), fields.text("command")};
}

void Messages::refuse(const RequestId& request, Problem problem, const std::string& text, const std::string& message) {
  Json response = response_to(request, false);
  response["message"] = message;
  response["body"] = error_body(problem, text, false);
  send(std::move(response));
}

void Messages::answer(const RequestId& request, const Result<Json>& result, bool shows_user) {
  Json response = response_to(request, result.has_value());
  if (result) {
    if (!result->is_null()) response["body"] = *result;
  } else {
    // Includes the file and the line of the error, if known.
    const Error& error = result.error();
    const std::string text = error.where.file.empty() ? error.message : error.to_string();
    response["message"] = text.substr(0, text.find('\n'));
    response["body"] = error_body(Problem::refused, text, shows_user);
  }
  send(std::move(response));
  is_answering_ = false;
  for (auto& [event, body] : std::exchange(waiting_, {})) tell(event, std::move(body));
}

void Messages::tell(const char* event, Json body) {
  if (is_answering_) {
    waiting_.emplace_back(event, std::move(body));
    return;
  }
  tell_now(event, std::move(body));
}

void Messages::tell_now(const char* event, Json body) {
  Json message = {{"type", "event"}, {"event", event}};
  if (!body.is_null()) message["body"] = std::move(body);
  send(std::move(message));
}

void Messages::print(std::string_view text) {
  tell("output", {{"category", "console"}, {"output", std::string(text) + "\n"}});
}

void Messages::send(Json message) {
  message["seq"] = next_seq_++;
  send_(to_text(message));
}

}  // namespace salu::dap
