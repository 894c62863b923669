#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dap/server.hpp"

namespace salu::dap {

/// A client without a connection: requests are answered synchronously.
class Client {
 public:
  /// `token`: the token of the server. `defaults`: the options of its command line.
  explicit Client(const std::string& token = "", const Launch& defaults = {},
                  std::chrono::milliseconds progress_after = std::chrono::milliseconds(500))
      : server({.send = [this](const std::string& message) { messages.push_back(Json::parse(message)); },
                .exit_code_of =
                    [](const Stop& stop, const Expectation*, const std::vector<Mismatch>& mismatches) {
                      return !is_regular_end(stop.reason) ? 4 : mismatches.empty() ? 0 : 1;
                    },
                .defaults = defaults,
                .token = token,
                .progress_after = progress_after}) {}

  /// Sends a request and returns the response; the program does not run meanwhile.
  Json post(const std::string& command, const Json& arguments = Json::object()) {
    const Json request = {{"seq", ++seq}, {"type", "request"}, {"command", command}, {"arguments", arguments}};
    return post_text(request.dump());
  }
  Json post_text(std::string_view text) {
    const std::size_t first = messages.size();
    server.receive(text);
    for (std::size_t i = first; i < messages.size(); ++i) {
      if (messages[i]["type"] == "response") return messages[i];
    }
    return nullptr;
  }
  /// Runs the program until a message that is sent a little later interrupts it.
  void run_until_message(bool is_urgent) {
    std::atomic<bool> is_done = false;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      // Repeated until the interrupt has an effect, as the reader of messages does.
      while (!is_done) {
        server.interrupt(is_urgent);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    server.work();
    is_done = true;
    other.join();
  }
  /// Runs the program until it stops.
  void run() {
    while (server.is_running()) server.work();
  }
  /// Both.
  Json ask(const std::string& command, const Json& arguments = Json::object()) {
    Json response = post(command, arguments);
    run();
    return response;
  }
  /// The body of the response to a request, which must succeed.
  Json body(const std::string& command, const Json& arguments = Json::object()) {
    const Json response = ask(command, arguments);
    EXPECT_TRUE(response["success"].get<bool>()) << command << ": " << response.dump();
    return response.value("body", Json::object());
  }
  /// The message of a refused request.
  std::string refusal(const std::string& command, const Json& arguments = Json::object()) {
    const Json response = ask(command, arguments);
    EXPECT_FALSE(response["success"].get<bool>()) << command << ": " << response.dump();
    return response["success"].get<bool>() ? "" : response["body"]["error"]["format"].get<std::string>();
  }
  /// The last event with a name, or null.
  [[nodiscard]] Json last(const std::string& event) const {
    for (std::size_t i = messages.size(); i-- > 0;) {
      if (messages[i]["type"] == "event" && messages[i]["event"] == event) return messages[i].value("body", Json());
    }
    return nullptr;
  }
  [[nodiscard]] std::size_t count(const std::string& event) const {
    std::size_t number = 0;
    for (const Json& each : messages) number += each["type"] == "event" && each["event"] == event ? 1 : 0;
    return number;
  }
  /// Launches the program, before breakpoints are set.
  void launch(const Json& arguments) {
    body("initialize", {{"adapterID", "salu"}});
    body("launch", arguments);
  }
  /// Launches the program and stops at its entry.
  void start(const Json& arguments) {
    launch(arguments);
    body("configurationDone");
  }
  /// The address of the next instruction.
  std::string pc() {
    const Json frames = body("stackTrace", {{"threadId", 1}})["stackFrames"];
    return frames[0]["instructionPointerReference"].get<std::string>();
  }
  std::string value(const std::string& expression) {
    return body("evaluate", {{"expression", expression}})["result"].get<std::string>();
  }
  u64 number(const std::string& expression) { return std::stoull(value(expression), nullptr, 16); }

  std::vector<Json> messages;
  Server server;
  int seq = 0;
};

inline const std::string fork_join = std::string(SALU_PROGRAMS_DIR) + "/fork_join.yaml";
inline const Json thread = {{"threadId", 1}};
inline const Json by_instruction = {{"threadId", 1}, {"granularity", "instruction"}};

}  // namespace salu::dap
