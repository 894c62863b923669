#include <gmock/gmock.h>

#include "client.hpp"
#include "unit/loader_helpers.hpp"

// Memory, code and its sources.
namespace salu::dap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Code at 0x1000, twelve bytes at 0x20000.
constexpr std::string_view with_memory =
    "target: gfx900\ncode:\n  asm: |\n    s_mov_b32 s0, 0x12345678\n    s_endpgm\n"
    "memory: [{at: 0x20000, words: [0x03020100, 0x07060504, 0x0b0a0908]}]\n";

class DapMemory : public testing::Test {
 protected:
  void start(std::string_view text) { client_.start({{"program", folder_.write("t.yaml", text)}}); }
  Json read(const std::string& reference, i64 offset, i64 count) {
    return client_.body("readMemory", {{"memoryReference", reference}, {"offset", offset}, {"count", count}});
  }
  std::vector<std::string> listing(const std::string& reference, i64 offset, i64 count, i64 bytes = 0) {
    std::vector<std::string> lines;
    const Json instructions = client_.body("disassemble", {{"memoryReference", reference},
                                                           {"offset", bytes},
                                                           {"instructionOffset", offset},
                                                           {"instructionCount", count}})["instructions"];
    for (const Json& each : instructions) {
      lines.push_back(each["address"].get<std::string>() + " " + each["instruction"].get<std::string>() +
                      (each.contains("symbol") ? " <" + each["symbol"].get<std::string>() + ">" : "") +
                      (each.value("presentationHint", "") == "invalid" ? " !" : ""));
    }
    return lines;
  }

  test::TemporaryFolder folder_;
  Client client_;
};

TEST_F(DapMemory, ReadsWhatIsThere) {
  start(with_memory);
  // 0 to 11 in Base64.
  EXPECT_EQ(read("0x20000", 0, 12), Json({{"address", "0x20000"}, {"data", "AAECAwQFBgcICQoL"}}));
  EXPECT_EQ(read("131072", 4, 3)["data"], "BAUG");
  EXPECT_EQ(read("0x2000c", -1, 2), Json({{"address", "0x2000b"}, {"data", "Cw=="}, {"unreadableBytes", 1}}));
  EXPECT_EQ(read("0x30000", 0, 8), Json({{"address", "0x30000"}, {"unreadableBytes", 8}}));
  EXPECT_EQ(read("0x20000", -3, 8), Json({{"address", "0x1fffd"}, {"unreadableBytes", 3}}));
  EXPECT_EQ(read("0x20000", 0, 0), Json({{"address", "0x20000"}}));
  EXPECT_EQ(read("0xffffffffffffffff", 0, 16)["unreadableBytes"], 16);
  EXPECT_EQ(read("0xffffffffffffffff", 0x20001, 2)["data"], "AAE=") << "addresses wrap";
  EXPECT_EQ(read("0x20000", 0, 0x7fff'ffff'ffff'ffff)["data"], "AAECAwQFBgcICQoL");
}

TEST_F(DapMemory, RefusesWhatIsNoAddress) {
  start(with_memory);
  const auto refusal = [&](const Json& arguments) { return client_.refusal("readMemory", arguments); };
  EXPECT_THAT(refusal({{"memoryReference", "here"}, {"count", 4}}), HasSubstr("`here` is not an address"));
  EXPECT_THAT(refusal({{"memoryReference", "0x1ffffffffffffffff"}, {"count", 4}}), HasSubstr("is not an address"));
  EXPECT_THAT(refusal({{"memoryReference", 4096}, {"count", 4}}), HasSubstr("expected a string"));
  EXPECT_THAT(refusal({{"memoryReference", "0x1000"}}), HasSubstr("`count` is missing"));
  EXPECT_THAT(refusal({{"memoryReference", "0x1000"}, {"count", -4}}), HasSubstr("at least 0"));
  EXPECT_THAT(refusal({{"memoryReference", "0x1000"}, {"count", 1.5}}), HasSubstr("an integer"));
  EXPECT_THAT(refusal({{"memoryReference", "0x1000"}, {"count", 0xffff'ffff'ffff'ffff}}), HasSubstr("63 bits"));
}

TEST_F(DapMemory, Writes) {
  start(with_memory);
  // "salu speaks" is c2FsdSBzcGVha3M=, eleven bytes: a dword, then the rest.
  EXPECT_EQ(client_.body("writeMemory", {{"memoryReference", "0x20000"}, {"offset", 1}, {"data", "c2FsdSBzcGVha3M="}}),
            Json({{"offset", 0}, {"bytesWritten", 11}}));
  EXPECT_EQ(read("0x20001", 0, 11)["data"], "c2FsdSBzcGVha3M=");
  EXPECT_EQ(read("0x20000", 0, 1)["data"], "AA==");
  EXPECT_THAT(client_.refusal("writeMemory", {{"memoryReference", "0x2000a"}, {"data", "AAAA"}}),
              HasSubstr("0x2000c is not mapped"));
  EXPECT_EQ(client_.body("writeMemory",
                         {{"memoryReference", "0x2000a"}, {"data", "////"}, {"allowPartial", true}})["bytesWritten"],
            2);
  EXPECT_EQ(client_.value("[0x20008]"), "0xffff6165 (4294926693)");
  EXPECT_THAT(client_.refusal("writeMemory", {{"memoryReference", "0x20000"}, {"data", "?"}}), HasSubstr("Base64"));
  EXPECT_THAT(client_.refusal("writeMemory", {{"memoryReference", "0x20000"}, {"data", std::string(40'000, 'A')}}),
              HasSubstr("at most 16384 bytes"));
}

TEST_F(DapMemory, Disassembles) {
  client_.start({{"program", fork_join}});
  EXPECT_THAT(listing("0x1014", 0, 3), ElementsAre("0x0000000000001014 s_or_b64 s[40:41], s[40:41], exec <then>",
                                                   "0x0000000000001018 s_getreg_b32 s37, hwreg(HW_REG_MODE, 29, 3)",
                                                   "0x000000000000101c s_cbranch_i_fork s[34:35], even"));
  EXPECT_THAT(listing("0x1014", -2, 3),
              ElementsAre(StartsWith("0x000000000000100c s_or_b64"), "0x0000000000001010 s_branch outer_join",
                          StartsWith("0x0000000000001014 s_or_b64")));
  EXPECT_THAT(listing("0x1000", 2, 1, 4), ElementsAre(StartsWith("0x000000000000100c")));
  const Json one = client_.body("disassemble", {{"memoryReference", "0x1038"}, {"instructionCount", 1}});
  EXPECT_EQ(one["instructions"][0]["instructionBytes"], "bf810000");
  EXPECT_EQ(one["instructions"][0]["line"], 33);
  EXPECT_EQ(one["instructions"][0]["location"]["path"], fork_join);
}

TEST_F(DapMemory, ShowsWhatIsNoCodeAsSuch) {
  start(with_memory);
  // The first instruction has a literal: the one before 0x1008 is at 0x1000.
  EXPECT_THAT(listing("0x1008", -2, 4),
              ElementsAre("0x0000000000000ffc (no memory) !", "0x0000000000001000 s_mov_b32 s0, 0x12345678",
                          "0x0000000000001008 s_endpgm", "0x000000000000100c (no memory) !"));
  EXPECT_THAT(listing("0x20008", 0, 2),
              ElementsAre("0x0000000000020008 .long 0x0b0a0908 !", "0x000000000002000c (no memory) !"));
  EXPECT_THAT(listing("0x0", -1, 2), ElementsAre("-1 (no address) !", "0x0000000000000000 (no memory) !"));
  EXPECT_THAT(listing("0x4", -3, 2), ElementsAre("-1 (no address) !", "-1 (no address) !"));
  EXPECT_THAT(listing("0xfffffffffffffffe", 0, 2),
              ElementsAre("0xfffffffffffffffe (no memory) !", "-1 (no address) !"));
  EXPECT_THAT(listing("0x1000", 0, 0), ElementsAre());
  EXPECT_EQ(listing("0x1000", -16'384, 16'384).size(), 16'384U);
  const auto refusal = [&](i64 offset, i64 count) {
    return client_.refusal("disassemble",
                           {{"memoryReference", "0x1000"}, {"instructionOffset", offset}, {"instructionCount", count}});
  };
  EXPECT_THAT(refusal(0, 16'385), HasSubstr("at most 16384"));
  EXPECT_THAT(refusal(-16'385, 1), HasSubstr("at most 16384"));
  EXPECT_THAT(refusal(0, 0x7fff'ffff'ffff'ffff), HasSubstr("at most 16384"));
}

TEST_F(DapMemory, HasAListingWhereThereIsNoFile) {
  // Words do not have lines.
  start("target: gfx900\ncode: {words: [0xbe800001, 0xbf810000]}\n");
  const Json frame = client_.body("stackTrace", thread)["stackFrames"][0];
  const Json reference = frame["source"]["sourceReference"];
  EXPECT_FALSE(frame["source"].contains("path"));
  const std::string text = client_.body("source", {{"sourceReference", reference}})["content"].get<std::string>();
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size(); start = text.find('\n', start) + 1)
    lines.push_back(text.substr(start, text.find('\n', start) - start));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[frame["line"].get<std::size_t>() - 1].substr(0, 8), "  0x1000");
  EXPECT_EQ(lines[2], "  0x1004  s_endpgm");
  // Breakpoints can be set in the listing, and steps move by its lines.
  const Json set = client_.body("setBreakpoints", {{"source", {{"sourceReference", reference}}},
                                                   {"breakpoints", {{{"line", 3}}}}})["breakpoints"];
  EXPECT_EQ(set[0]["instructionReference"], "0x1004");
  client_.body("continue", thread);
  EXPECT_EQ(client_.last("stopped")["reason"], "breakpoint");
  EXPECT_EQ(client_.pc(), "0x1004");
  EXPECT_EQ(client_.body("loadedSources")["sources"].size(), 1U);
  EXPECT_THAT(client_.refusal("source", {{"sourceReference", 9}}), HasSubstr("the reference 9"));
  EXPECT_THAT(client_.refusal("source"), HasSubstr("`sourceReference` is missing"));
}

TEST_F(DapMemory, NamesTheFilesOfTheCode) {
  client_.start({{"program", fork_join}});
  const Json sources = client_.body("loadedSources")["sources"];
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0]["path"], fork_join);
  EXPECT_EQ(sources[0]["name"], "fork_join.yaml");
}

}  // namespace
}  // namespace salu::dap
