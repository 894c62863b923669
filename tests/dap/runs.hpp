#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "client.hpp"
#include "unit/loader_helpers.hpp"

namespace salu::dap {

/// Calls twice: 0 s_mov, 1 call, 2 3 body, 4 return, 5 call, 6 7 body, 8 return, 9 end. Lines from 4 on.
inline constexpr std::string_view calls =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 0\n"           // 1000, line 4
    "    s_call_b64 s[30:31], add\n"  // 1004, line 5
    "    s_call_b64 s[30:31], add\n"  // 1008, line 6
    "    s_endpgm\n"                  // 100c, line 7
    "    add:\n"
    "    s_add_u32 s0, s0, 5\n"    // 1010, line 9
    "    s_nop 0\n"                // 1014, line 10
    "    s_setpc_b64 s[30:31]\n";  // 1018, line 11

/// Four instructions a round, 25 million rounds.
inline constexpr std::string_view long_loop =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 25000000\n"
    "    loop:\n"
    "    s_sub_u32 s0, s0, 1\n"
    "    s_add_u32 s1, s1, 3\n"
    "    s_cmp_lg_u32 s0, 0\n"
    "    s_cbranch_scc1 loop\n"
    "    s_endpgm\n"
    "registers: {s1: 0}\n";

/// A client that moves. fork_join.yaml executes, by position and address: 0 1000, 1 1004, 2 1008
/// (fork), 3 1014 then, 4 1018, 5 101c (fork), 6 1028 even, 7 102c (join), 8 1020 odd, 9 1024, 10 102c (join), 11 1030
/// (join), 12 100c else, 13 1010, 14 1030 (join), 15 1034, 16 1038 s_endpgm.
class DapRuns : public testing::Test {
 protected:
  void start(std::string_view text, Json more = Json::object()) {
    more["program"] = file_ = folder_.write("t.yaml", text);
    client_.start(more);
  }
  std::string move(const std::string& command, const Json& arguments = thread) {
    client_.body(command, arguments);
    return client_.last("stopped")["reason"].get<std::string>() + " " + client_.pc();
  }
  Json set_lines(const std::vector<Json>& breakpoints) {
    return client_.body("setBreakpoints", {{"source", {{"path", file_}}}, {"breakpoints", breakpoints}})["breakpoints"];
  }
  [[nodiscard]] std::vector<std::string> outputs() const {
    std::vector<std::string> texts;
    for (const Json& each : client_.messages) {
      if (each["type"] == "event" && each["event"] == "output")
        texts.push_back(each["body"]["output"].get<std::string>());
    }
    return texts;
  }

  test::TemporaryFolder folder_;
  std::string file_;
  Client client_;
};

}  // namespace salu::dap
