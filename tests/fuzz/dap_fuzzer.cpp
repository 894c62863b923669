#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "dap/framing.hpp"
#include "dap/server.hpp"
#include "fuzz/fuzzing.hpp"

// A client of the Debug Adapter Protocol that sends arbitrary data. An input that starts with `{` or a space has a
// message per line; any other input is a stream of bytes that arrives in pieces.
namespace salu::fuzzing {
namespace {

using dap::Json;

/// True if a command would take too long for a test: `goto` has no limit, and counts multiply.
bool takes_long(const std::string& text) {
  const std::size_t word = std::min(text.find_first_not_of(" \t"), text.size());
  if (text.substr(word).starts_with("g")) return true;
  std::size_t digits = 0;
  for (const char character : text) {
    digits = std::isxdigit(static_cast<unsigned char>(character)) != 0 ? digits + 1 : 0;
    if (digits > 3 && text.find("0x") == std::string::npos) return true;
  }
  return false;
}

/// Prevents a message from naming other files than the program, and from taking too long.
std::string tame(std::string_view message) {
  std::optional<Json> json = dap::parse_json(message);
  if (!json || !json->is_object() || !json->contains("arguments")) return std::string(message);
  Json& arguments = (*json)["arguments"];
  if (!arguments.is_object()) return std::string(message);
  const auto remove_files = [](Json& object) {
    for (const char* name : {"program", "state", "maxSteps", "historyMemory"}) object.erase(name);
  };
  const Json command = json->value("command", Json());
  if (command == "launch") remove_files(arguments);
  if (command == "restart" && arguments.contains("arguments") && arguments["arguments"].is_object())
    remove_files(arguments["arguments"]);
  if (command == "evaluate" && arguments.contains("expression") && arguments["expression"].is_string() &&
      takes_long(arguments["expression"].get<std::string>()))
    arguments["expression"] = "step";
  return dap::to_text(*json);
}

/// The number of answers to a message: a client's events and responses are not answered.
u64 answers_to(const std::string& message) {
  const std::optional<Json> json = dap::parse_json(message);
  if (!json || !json->is_object()) return 1;
  const auto type = json->find("type");
  return type != json->end() && (*type == "response" || *type == "event") ? 0 : 1;
}

/// Requirements for every message that is sent.
void check_sent(const std::string& text, u64& last_seq) {
  const std::optional<Json> json = dap::parse_json(text);
  require(json && json->is_object(), "sent messages are JSON", text);
  require(json->value("seq", u64{0}) == last_seq + 1, "messages are numbered", text);
  ++last_seq;
  const std::string type = json->value("type", "");
  require(type == "event" || type == "response", "there are events and responses", text);
  if (type != "response" || json->value("success", false)) return;
  const Json& error = (*json)["body"]["error"];
  require(!error.value("format", "").empty(), "a failed request has a message", text);
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  u64 last_seq = 0;
  u64 answers = 0;
  dap::Launch defaults;
  defaults.program = SALU_FUZZ_OBJECTS_DIR "/debuggee.yaml";
  defaults.load.max_steps = 500;
  dap::Server server({.send =
                          [&](const std::string& text) {
                            fuzzing::check_sent(text, last_seq);
                            answers += text.find("\"type\":\"response\"") != std::string::npos ? 1 : 0;
                          },
                      .exit_code_of = [](const Stop&, const Expectation*, const std::vector<Mismatch>&) { return 0; },
                      .defaults = defaults});
  static const bool is_there = loader::load_one(defaults.program, defaults.load, defaults.choice).has_value();
  fuzzing::require(is_there, "the program can be loaded", defaults.program);
  const auto receive = [&](std::string_view message) {
    if (server.has_ended()) return;
    const u64 before = answers;
    const std::string tamed = fuzzing::tame(message);
    server.receive(tamed);
    fuzzing::require(answers == before + fuzzing::answers_to(tamed), "a request has one answer", std::string(message));
    for (int i = 0; server.is_running(); ++i) {
      fuzzing::require(i < 1000, "the run ends", std::string(message));
      server.work();
    }
  };
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with('{') || text.starts_with(' ')) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      receive(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return 0;
  }
  dap::Framing framing;
  const std::size_t piece = text.empty() ? 1 : static_cast<u8>(text.front()) % 64 + 1U;
  while (!text.empty()) {
    framing.feed(text.substr(0, piece));
    text.remove_prefix(std::min(piece, text.size()));
    while (const auto message = framing.next()) receive(*message);
  }
  return 0;
}
