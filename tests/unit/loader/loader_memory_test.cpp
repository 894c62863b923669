#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"

namespace salu {
namespace {

using test::brief;
using test::load_bad;
using test::load_good;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string memory(const std::string& blocks) {
  return "target: gfx900\ncode: {asm: 'start: s_endpgm'}\nmemory:\n" + blocks;
}

std::vector<u8> bytes_at(const Scenario& scenario, u64 address, std::size_t count) {
  std::vector<u8> bytes(count);
  scenario.memory.read(address, bytes);
  return bytes;
}

TEST(LoaderMemory, EveryKindOfContents) {
  const TemporaryFolder folder;
  (void)folder.write("data.bin", std::string("\x01\x00\xff", 3));
  const Scenario scenario = load_good(memory("  - {at: 0x10000, words: [1, -1, start, {f32: 1.5}], size: 64}\n"
                                             "  - {at: 0x20000, qwords: [0x1122334455667788, start]}\n"
                                             "  - {at: 0x30000, bytes: [1, 255, -1]}\n"
                                             "  - {at: 0x30010, bytes: 'dead beef 01'}\n"
                                             "  - {at: 0x40000, text: 'hé'}\n"
                                             "  - {at: 0x50000, file: data.bin}\n"
                                             "  - {at: 0x60000, size: 4, fill: 0x5a}\n"
                                             "  - {at: 0x70000, bytes: 01, size: 3, fill: 0xff, access: r}\n"),
                                      {}, folder.path("x.yaml"));
  EXPECT_EQ(scenario.memory.read_dword(0x10000), 1U);
  EXPECT_EQ(scenario.memory.read_dword(0x10004), 0xffffffffU);
  EXPECT_EQ(scenario.memory.read_dword(0x10008), 0x1000U);
  EXPECT_EQ(scenario.memory.read_dword(0x1000c), 0x3fc00000U);
  EXPECT_EQ(scenario.memory.read_dword(0x10010), 0U);
  EXPECT_EQ(*scenario.memory.find_region(0x10000), (MemoryRegion{0x10000, 64, Access::read_write}));
  EXPECT_THAT(bytes_at(scenario, 0x20000, 10), ElementsAre(0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00, 0x10));
  EXPECT_THAT(bytes_at(scenario, 0x30000, 3), ElementsAre(1, 255, 255));
  EXPECT_THAT(bytes_at(scenario, 0x30010, 5), ElementsAre(0xde, 0xad, 0xbe, 0xef, 0x01));
  EXPECT_THAT(bytes_at(scenario, 0x40000, 3), ElementsAre('h', 0xc3, 0xa9));
  EXPECT_THAT(bytes_at(scenario, 0x50000, 3), ElementsAre(1, 0, 255));
  EXPECT_EQ(scenario.memory.read_dword(0x60000), 0x5a5a5a5aU);
  EXPECT_THAT(bytes_at(scenario, 0x70000, 3), ElementsAre(1, 255, 255));
  EXPECT_EQ(*scenario.memory.find_region(0x70000), (MemoryRegion{0x70000, 3, Access::read}));
}

TEST(LoaderMemory, LargeRegionsAreFree) {
  const Scenario scenario = load_good(memory("  - {at: 0x10000, size: 0x7fff00000000}\n"));
  EXPECT_TRUE(scenario.memory.is_mapped(0x10000, 0x7fff00000000));
  EXPECT_THAT(scenario.memory.nonzero_pages(), ElementsAre(0x1000));  // the code
}

TEST(LoaderMemory, WrongBlocksAreNamed) {
  EXPECT_THAT(brief(load_bad(memory("  - {words: [1]}\n"))), StartsWith("4:5: a memory block needs `at:`"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000}\n")).message, HasSubstr("needs contents"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, words: [1], bytes: [1]}\n")).message, HasSubstr("more than one of"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, words: []}\n")).message, HasSubstr("is empty"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, size: 0}\n")).message, HasSubstr("is empty"));
  EXPECT_EQ(brief(load_bad(memory("  - {at: 0x10000, words: [1, 2], size: 4}\n"))),
            "4:26: the contents of 8 bytes are larger than `size:` (4)");
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, words: [0x100000000]}\n")).message,
              HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, bytes: [256]}\n")).message, HasSubstr("does not fit in 8 bits"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, bytes: [start]}\n")).message, HasSubstr("`start` is not a number"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, bytes: 'abc'}\n")).message, HasSubstr("pairs of hexadecimal digits"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, bytes: 'a bc d'}\n")).message,
              HasSubstr("pairs of hexadecimal digits"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, size: 4, access: w}\n")).message, HasSubstr("`r` or `rw`"));
  EXPECT_THAT(load_bad(memory("  - {at: -1, size: 4}\n")).message, HasSubstr("negative"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, size: -4}\n")).message,
              HasSubstr("found `-4`, expected a number of bytes, KiB, MiB or GiB"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, size: 1 TiB}\n")).message, HasSubstr("found `1 TiB`, expected"));
  EXPECT_EQ(load_good(memory("  - {at: 0x10000, size: 4 KiB}\n")).memory.regions().back().size_bytes, 4096U);
  EXPECT_THAT(load_bad(memory("  - {at: 0xfffffffffffc, size: 8}\n")).message, HasSubstr("address space of 48 bits"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, size: 0x7fffffffffffffff}\n")).message, HasSubstr("address space"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, file: none.bin}\n")).message, HasSubstr("cannot read the file"));
  // Not the truncated name that the system would use.
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, file: \"none.bin\\0.txt\"}\n")).message,
              HasSubstr("its name contains a NUL byte"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, size: 0x7fff00000000, fill: 1}\n")).message,
              HasSubstr("more than 256 MiB"));
  EXPECT_THAT(load_bad(memory("  - {at: 0x10000, word: [1]}\n")).message, HasSubstr("did you mean `words`"));
}

TEST(LoaderMemory, OverlapsAreErrors) {
  EXPECT_EQ(brief(load_bad(memory("  - {at: 0x10000, size: 16}\n  - {at: 0x1000c, size: 8}\n"))),
            "5:5: the memory at 0x1000c to 0x10013 overlaps the memory at 0x10000 to 0x1000f");
  EXPECT_EQ(brief(load_bad(memory("  - {at: 0, size: 0x2000}\n"))),
            "4:5: the memory at 0x0 to 0x1fff overlaps the code at 0x1000 to 0x1003");
  const Scenario adjacent = load_good(memory("  - {at: 0x10000, size: 16}\n  - {at: 0x10010, size: 8}\n"));
  EXPECT_THAT(adjacent.memory.regions(), ElementsAre(MemoryRegion{0x1000, 4}, MemoryRegion{0x10000, 24}));
}

// ---- expect: ----

Outcome outcome_of(const Scenario& scenario) {
  Outcome outcome;
  outcome.stop.reason = StopReason::end_program;
  outcome.state = scenario.initial;
  outcome.memory = scenario.memory;
  return outcome;
}

std::vector<std::string> mismatches(const Scenario& scenario, const Outcome& outcome) {
  std::vector<std::string> texts;
  for (const Mismatch& mismatch : check(scenario.expect.value(), outcome)) {
    texts.push_back(std::to_string(mismatch.where.line) + ": " + mismatch.what + ": " + mismatch.expected + " / " +
                    mismatch.actual);
  }
  return texts;
}

std::string expecting(const std::string& expect) {
  return "target: gfx900\ncode: {asm: 'start: s_endpgm'}\nregisters: {s0: 0x12345678, \"s[2:3]\": 5, scc: 1, csp: 2}\n"
         "memory: [{at: 0x10000, words: [1, 2, 3], size: 64}]\nexpect:\n" +
         expect;
}

TEST(LoaderExpect, EqualValuesAreNotMismatches) {
  const Scenario scenario =
      load_good(expecting("  stop: end_program\n"
                          "  registers:\n"
                          "    s0: 0x12345678\n"
                          "    s[2:3]: 5\n"
                          "    s[0:3]: [0x12345678, 0, 5, 0]\n"
                          "    s1: {value: 0, mask: 0xff}\n"
                          "    s4: {f32: 0.0}\n"
                          "    pc: start\n"
                          "    scc: 1\n"
                          "    csp: 2\n"
                          "    priv: 0\n"
                          "  memory:\n"
                          "    - {at: 0x10000, words: [1, 2]}\n"
                          "    - {at: 0x10008, bytes: '03'}\n"));
  EXPECT_THAT(mismatches(scenario, outcome_of(scenario)), ElementsAre());
}

TEST(LoaderExpect, MismatchesHaveBothValues) {
  const Scenario scenario =
      load_good(expecting("  registers:\n"
                          "    s0: 1\n"
                          "    s[2:3]: -1\n"
                          "    s[0:3]: [0x12345678, 0, 6, 0]\n"
                          "    s5: {value: 0x10, mask: 0xf0}\n"
                          "    scc: 0\n"
                          "  memory:\n"
                          "    - {at: 0x10000, words: [1, 9, 3, 9]}\n"
                          "    - {at: 0x10004, bytes: [3]}\n"));
  EXPECT_THAT(mismatches(scenario, outcome_of(scenario)),
              ElementsAre("7: s0: 0x00000001 / 0x12345678", "8: s[2:3]: 0xffffffffffffffff / 0x0000000000000005",
                          "9: s[2:3]: 0x0000000000000006 / 0x0000000000000005",
                          "10: s5: 0x00000010 (mask 0x000000f0) / 0x00000000", "11: scc: 0 / 1",
                          "13: memory 0x10004: 0x00000009 / 0x00000002", "13: memory 0x1000c: 0x00000009 / 0x00000000",
                          "14: memory 0x10004: 0x03 / 0x02"));
}

TEST(LoaderExpect, ResultsThatDependOnSkippedInstructionsFail) {
  // v_readfirstlane_b32 s4, v1
  const Scenario scenario = load_good(
      "target: gfx900\ncode: {words: [0x7e080501, 0xbf810000]}\non_vector: skip\n"
      "expect: {registers: {s4: 0, s5: 0}}\n");
  const Outcome outcome = run(scenario.program, scenario.initial, scenario.memory, scenario.options);
  const std::vector<Mismatch> mismatches = check(*scenario.expect, outcome);
  ASSERT_EQ(mismatches.size(), 1U);
  EXPECT_EQ(mismatches[0].what, "s4");
  EXPECT_THAT(mismatches[0].actual, HasSubstr("undefined"));
}

TEST(LoaderExpect, StopReasons) {
  const auto holds = [](const std::string& expect, StopReason reason, std::optional<WarningKind> warning = {}) {
    const Scenario scenario = load_good(expecting(expect));
    Outcome outcome = outcome_of(scenario);
    outcome.stop.reason = reason;
    outcome.stop.warning = warning;
    return mismatches(scenario, outcome).empty();
  };
  EXPECT_TRUE(holds("  stop: halt\n", StopReason::halt));
  EXPECT_FALSE(holds("  stop: halt\n", StopReason::end_program));
  EXPECT_FALSE(holds("  stop: end_program\n", StopReason::returned));
  for (const StopReason reason : {StopReason::end_program, StopReason::returned, StopReason::killed}) {
    EXPECT_TRUE(holds("  registers: {}\n", reason));
  }
  for (const StopReason reason : {StopReason::halt, StopReason::step_limit, StopReason::illegal_instruction}) {
    EXPECT_FALSE(holds("  registers: {}\n", reason));
  }
  EXPECT_TRUE(holds("  stop: trap_ignored\n", StopReason::warning, WarningKind::trap_ignored));
  EXPECT_FALSE(holds("  stop: trap_ignored\n", StopReason::warning, WarningKind::dropped_write));
}

TEST(LoaderExpect, AnUnexpectedStopIsReportedWithTheExpectedOne) {
  const Scenario scenario = load_good(expecting("  stop: halt\n"));
  Outcome outcome = outcome_of(scenario);
  outcome.stop.reason = StopReason::illegal_operand;
  outcome.stop.detail = "why";
  EXPECT_THAT(mismatches(scenario, outcome), ElementsAre("6: stop: halt / illegal_operand: why"));
}

TEST(LoaderExpect, LongDifferencesAreCutShort) {
  const Scenario scenario = load_good(expecting("  memory:\n    - {at: 0x10000, words: [9,9,9,9,9,9,9,9,9,9,9,9]}\n"));
  const std::vector<std::string> texts = mismatches(scenario, outcome_of(scenario));
  ASSERT_EQ(texts.size(), 8U);
  EXPECT_THAT(texts.back(), HasSubstr("(and 4 more dwords differ)"));
}

TEST(LoaderExpect, WrongExpectationsAreErrors) {
  EXPECT_THAT(brief(load_bad(expecting("  stop: ended\n"))), StartsWith("6:9: unknown stop reason `ended`"));
  EXPECT_THAT(load_bad(expecting("  stop: end_progam\n")).message, HasSubstr("did you mean `end_program`"));
  EXPECT_THAT(load_bad(expecting("  stop: warning\n")).message, HasSubstr("unknown stop reason"));
  EXPECT_THAT(load_bad(expecting("  register: {}\n")).message, HasSubstr("did you mean `registers`"));
  EXPECT_THAT(load_bad(expecting("  registers: {s0: {mask: 1}}\n")).message, HasSubstr("needs `value:`"));
  EXPECT_THAT(load_bad(expecting("  registers: {s0: {value: 1, mask: 0x100000000}}\n")).message,
              HasSubstr("does not fit"));
  EXPECT_THAT(load_bad(expecting("  registers: {s0: 0x100000000}\n")).message, HasSubstr("does not fit"));
  EXPECT_THAT(load_bad(expecting("  registers: {s200: 1}\n")).message, HasSubstr("unknown register `s200`"));
  EXPECT_THAT(load_bad(expecting("  memory: [{at: 0x20000, words: [1]}]\n")).message, HasSubstr("is not mapped"));
  EXPECT_THAT(load_bad(expecting("  memory: [{at: 0x1003c, words: [1, 2]}]\n")).message, HasSubstr("is not mapped"));
  EXPECT_THAT(load_bad(expecting("  memory: [{at: 0x10000}]\n")).message, HasSubstr("needs contents"));
  EXPECT_THAT(load_bad(expecting("  memory: [{at: 0x10000, size: 4}]\n")).message, HasSubstr("unknown key `size`"));
}

}  // namespace
}  // namespace salu
