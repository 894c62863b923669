#include <salu/scenario.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "debug/console.hpp"
#include "debug/programs.hpp"
#include "fuzz/fuzzing.hpp"

/// Input: a character that selects a program, and the commands of a debugger script, one per line. Each is executed or
/// rejected with a message, control characters are never printed, and going back to the start and forwards again leads
/// to the same state.
namespace salu::fuzzing {
namespace {

const std::array<std::string, 4>& programs() {
  static const std::array<std::string, 4> all = {
      // Calls, memory and a loop.
      test::recursion(3) + "limits: {steps: 2000}\n",
      // Forks and joins.
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_cbranch_i_fork s[32:33], then\n"
      "    s_nop 0\n"
      "    s_branch join\n"
      "    then: s_cbranch_i_fork s[34:35], join\n"
      "    s_add_u32 s50, s2, 1\n"
      "    join: s_cbranch_join s40\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, \"s[34:35]\": 0x3, s40: 0, s2: 7}\n"
      "limits: {steps: 2000}\n",
      // Saved masks, without an end.
      "target: gfx803\n"
      "code:\n"
      "  asm: |\n"
      "    loop:\n"
      "    s_and_saveexec_b64 s[2:3], vcc\n"
      "    s_xor_b64 s[2:3], exec, s[2:3]\n"
      "    s_or_b64 exec, exec, s[2:3]\n"
      "    s_add_u32 s0, s0, 1\n"
      "    s_branch loop\n"
      "registers: {vcc: 0xf0}\n"
      "limits: {steps: 2000}\n",
      // A jump to an address without code.
      "target: tahiti\n"
      "code: {asm: \"s_mov_b32 s0, 0x8000\\ns_mov_b32 s1, 0\\ns_setpc_b64 s[0:1]\"}\n"
      "limits: {steps: 2000}\n"};
  return all;
}

/// A paused position of a run.
struct State {
  u64 position = 0;
  WaveState wave;
  Memory memory;
};

State state_of(const debug::Session& session) {
  return {session.run().position(), session.machine().state(), session.machine().memory_now()};
}

bool controls_a_terminal(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
  });
}

void run_script(const Scenario& scenario, std::string_view script) {
  constexpr u32 most_commands = 40;
  debug::Session session(scenario, {.checkpoint_interval = 100, .history_bytes = u64{1} << 20});
  std::string printed;
  debug::Console console(session, [&printed](std::string_view text) { printed += text; }, false);
  for (u32 i = 0; i < most_commands && !script.empty() && !console.wants_to_quit(); ++i) {
    const std::string_view line = script.substr(0, script.find('\n'));
    script.remove_prefix(std::min(line.size() + 1, script.size()));
    printed.clear();
    const bool good = console.execute(line);
    const bool has_error = printed.starts_with("error: ") || printed.find("\nerror: ") != std::string::npos;
    require(good != has_error, "a failure has a message", std::string(line) + "\n" + printed);
    require(!controls_a_terminal(printed), "the output has no control characters", printed);
    (void)console.complete(line);
  }
  const State here = state_of(session);
  (void)session.go_to(0);
  (void)session.go_to(here.position);
  const State again = state_of(session);
  require(again.position == here.position && again.wave == here.wave && again.memory == here.memory,
          "going back and forth comes to the same state", std::to_string(here.position));
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  static const std::vector<Scenario> scenarios = [] {
    std::vector<Scenario> loaded;
    for (const std::string& text : fuzzing::programs()) {
      std::vector<Result<Scenario>> results = load_yaml(text, "fuzz.yaml");
      fuzzing::require(results.size() == 1 && results.front().has_value(), "the programs load",
                       [&] { return results.front().error().to_string(); });
      loaded.push_back(*std::move(results.front()));
    }
    return loaded;
  }();
  fuzzing::Bytes input(data, size);
  const Scenario& scenario = scenarios[input.take8() % scenarios.size()];
  fuzzing::run_script(scenario, input.take_text());
  return 0;
}
