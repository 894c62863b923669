#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dap/arguments.hpp"

namespace salu::dap {

/// What an answer says of the request that it belongs to.
struct RequestId {
  u64 seq = 0;
  std::string command;

  /// That of a message, as far as it has one.
  static RequestId of(const Json& message);
};

/// What goes to the client: an answer to each request, and events, which wait for the answer to the request that is
/// being handled.
class Messages {
 public:
  /// `send` gets JSON on one line, without a header.
  explicit Messages(std::function<void(const std::string& message)> send) : send_(std::move(send)) {}

  /// The numbers that errors have.
  enum class Problem : u8 { malformed = 1, unknown_request, wrong_state, refused };
  /// Refuses a message that is not handled. `text` is for the user, `message` for the client.
  void refuse(const RequestId& request, Problem problem, const std::string& text, const std::string& message);

  /// A request is being handled: events wait from here on until it is answered.
  void begin_answer() { is_answering_ = true; }
  /// Answers it. `shows_user`: an error is about something that the user has just done.
  void answer(const RequestId& request, const Result<Json>& result, bool shows_user);

  void tell(const char* event, Json body);
  /// The same in front of the answer that is being made.
  void tell_now(const char* event, Json body);
  /// A line of output.
  void print(std::string_view text);

 private:
  void send(Json message);

  std::function<void(const std::string& message)> send_;
  u64 next_seq_ = 1;
  bool is_answering_ = false;
  std::vector<std::pair<const char*, Json>> waiting_;  ///< events
};

}  // namespace salu::dap
