#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dap/arguments.hpp"

namespace salu::dap {

/// The fields of an answer that identify its request.
struct RequestId {
  u64 seq = 0;
  std::string command;

  /// Reads the ID of a message, as far as it has one.
  static RequestId of(const Json& message);
};

/// The messages to the client: an answer to each request, and events, which wait until the current request has been
/// answered.
class Messages {
 public:
  /// `send` receives JSON on one line, without a header.
  explicit Messages(std::function<void(const std::string& message)> send) : send_(std::move(send)) {}

  /// The error IDs of the protocol.
  enum class Problem : u8 { malformed = 1, unknown_request, wrong_state, refused };
  /// Refuses a message. `text` is for the user, `message` for the client.
  void refuse(const RequestId& request, Problem problem, const std::string& text, const std::string& message);

  /// Starts the answer to a request: events wait until it is complete.
  void begin_answer() { is_answering_ = true; }
  /// Answers the request. `shows_user`: an error is about an action of the user.
  void answer(const RequestId& request, const Result<Json>& result, bool shows_user);

  void tell(const char* event, Json body);
  /// Sends an event before the current answer.
  void tell_now(const char* event, Json body);
  /// Prints a line of output.
  void print(std::string_view text);

 private:
  void send(Json message);

  std::function<void(const std::string& message)> send_;
  u64 next_seq_ = 1;
  bool is_answering_ = false;
  std::vector<std::pair<const char*, Json>> waiting_;  ///< events
};

}  // namespace salu::dap
