#include "expr/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "debug/session.hpp"
#include "unit/loader_helpers.hpp"

// Expressions of conditions, watchpoints and `print`.
namespace salu::expr {
namespace {

using testing::HasSubstr;

class Expressions : public testing::Test {
 protected:
  Expressions()
      : scenario_(test::load_good(
            "target: gfx900\n"
            "code:\n"
            "  asm: |\n"
            "    start: s_nop 0\n"
            "    loop: s_endpgm\n"
            "registers: {s0: 7, s1: 0xfffffffe, \"s[2:3]\": 0x123456789abcdef0, scc: 1, csp: 3, exec: 0xff}\n"
            "memory: [{at: 0x10000, words: [0x11223344, 0x55667788]}]\n")),
        session_(scenario_) {}

  [[nodiscard]] u64 value(std::string_view text) const {
    const Result<Value> value = session_.evaluate(text);
    EXPECT_TRUE(value.has_value()) << text << ": " << (value ? "" : value.error().to_string());
    return value ? value->bits : 0xdead;
  }
  [[nodiscard]] std::string problem(std::string_view text) const {
    const Result<Value> value = session_.evaluate(text);
    EXPECT_FALSE(value.has_value()) << text;
    if (value) return {};
    return std::to_string(value.error().where.column) + ": " + value.error().message;
  }

  Scenario scenario_;
  debug::Session session_;
};

TEST_F(Expressions, NameWhatThereIs) {
  EXPECT_EQ(value("s0"), 7U);
  EXPECT_EQ(value("s[0]"), 7U);
  EXPECT_EQ(value("s[2:3]"), 0x123456789abcdef0U);
  EXPECT_EQ(value("scc"), 1U);
  EXPECT_EQ(value("exec"), 0xffU);
  EXPECT_EQ(value("exec_lo"), 0xffU);
  EXPECT_EQ(value("csp"), 3U);
  EXPECT_EQ(value("mode.csp"), 3U);
  EXPECT_EQ(value("pc"), 0x1000U);
  EXPECT_EQ(value("loop"), 0x1004U);
  EXPECT_EQ(value("[0x10000]"), 0x11223344U);
  EXPECT_EQ(value("[0x10000:1]"), 0x44U);
  EXPECT_EQ(value("[0x10002:2]"), 0x1122U);
  EXPECT_EQ(value("[0x10000:8]"), 0x5566778811223344U);
  EXPECT_EQ(value("[0x10000 + s0 - 3]"), 0x55667788U);
  EXPECT_EQ(value("0b101 + 0x10"), 21U);
}

TEST_F(Expressions, ComputeAsC) {
  EXPECT_EQ(value("1 + 2 * 3"), 7U);
  EXPECT_EQ(value("(1 + 2) * 3"), 9U);
  EXPECT_EQ(value("10 - 2 - 3"), 5U);
  EXPECT_EQ(value("100 / 7 % 5"), 4U);
  EXPECT_EQ(value("7 / 0"), 0U);
  EXPECT_EQ(value("7 % 0"), 0U);
  EXPECT_EQ(value("1 << 4 | 3"), 19U);
  EXPECT_EQ(value("1 << 64"), 0U);
  EXPECT_EQ(value("6 & 3 ^ 1"), 3U);
  EXPECT_EQ(value("1 == 1 && 2 != 2 || 3 >= 3"), 1U);
  EXPECT_EQ(value("1 & 3 == 3"), 1U);
  EXPECT_EQ(value("!s0"), 0U);
  EXPECT_EQ(value("!!s0"), 1U);
  EXPECT_EQ(value("~0"), ~u64{0});
  EXPECT_EQ(value("s0 > 5 && scc"), 1U);
  EXPECT_EQ(value("bcnt(exec)"), 8U);
  EXPECT_EQ(value("lane(exec, 7)"), 1U);
  EXPECT_EQ(value("lane(exec, 8)"), 0U);
}

TEST_F(Expressions, AreSignedWhereThatIsSaid) {
  EXPECT_EQ(value("s1 > 0"), 1U);
  EXPECT_EQ(value("i32(s1) < 0"), 1U);
  EXPECT_EQ(value("i32(s1) == -2"), 1U);
  EXPECT_EQ(value("i32(s1) / 2 == -1"), 1U);
  EXPECT_EQ(value("i32(s1) >> 1 == -1"), 1U);
  EXPECT_EQ(value("i32(s1) % 2"), 0U);
  EXPECT_EQ(value("i64(1 << 63) / -1"), u64{1} << 63);
  EXPECT_EQ(value("i64(1 << 63) % -1"), 0U);
}

// s1 is 0xfffffffe.
TEST_F(Expressions, CompareWithSignedNumbers) {
  EXPECT_EQ(value("s1 == -2"), 1U);
  EXPECT_EQ(value("-2 == s1"), 1U);
  EXPECT_EQ(value("s1 != -2"), 0U);
  EXPECT_EQ(value("s1 == -1"), 0U);
  EXPECT_EQ(value("s0 == -2"), 0U);
  EXPECT_EQ(value("s1 == i32(s1)"), 1U);
  // That number needs more than 32 bits.
  EXPECT_EQ(value("s1 == -4294967298"), 0U);
  EXPECT_EQ(value("s[2:3] == -1"), 0U);
  EXPECT_EQ(value("s1 + 0 == -2"), 0U);
  EXPECT_EQ(value("[0x10000] == -1"), 0U);
  EXPECT_EQ(value("s1 <= -2"), 1U);
  EXPECT_EQ(value("s1 > -2"), 0U);
  EXPECT_EQ(value("s1 > -3"), 1U);
  EXPECT_EQ(value("-3 < s1"), 1U);
  EXPECT_EQ(value("s0 > -1"), 1U);
  EXPECT_EQ(value("s1 < i32(s0)"), 1U);
  // A field is an unsigned number.
  EXPECT_EQ(value("csp > -1"), 1U);
}

TEST_F(Expressions, TakeNamesAsGdbWritesThem) {
  EXPECT_EQ(value("$s0"), 7U);
  EXPECT_EQ(value("$s[2:3] + $scc"), 0x123456789abcdef1U);
  EXPECT_EQ(value("$pc"), 0x1000U);
  EXPECT_THAT(problem("$loop"), HasSubstr("`$loop` is not a register"));
  EXPECT_THAT(problem("$rax"), HasSubstr("`$rax` is not a register, label or symbol"));
}

TEST_F(Expressions, SayWhatIsWrong) {
  EXPECT_EQ(problem(""), "1: expected a register, a number, a label or `[`, found the end");
  EXPECT_EQ(problem("18446744073709551616"), "1: this number does not fit in 64 bits");
  EXPECT_EQ(problem("s0 +"), "5: expected a register, a number, a label or `[`, found the end");
  EXPECT_EQ(problem("5\n+ 3"), "3: expected an operator or the end of the expression before a line break, found `+`");
  EXPECT_EQ(value("5 + 3\n\n"), 8U);
  EXPECT_EQ(problem("s0 s1"), "4: expected an operator or the end, found `s1`");
  EXPECT_EQ(problem("(s0"), "4: expected `)`");
  EXPECT_EQ(problem("[s0"), "4: expected `]`");
  EXPECT_EQ(problem("[s0:3]"), "5: memory is read in 1, 2, 4 or 8 bytes");
  EXPECT_THAT(problem("1 + exek"),
              HasSubstr("5: `exek` is not a register, label or symbol of this program; did you mean `exec"));
  EXPECT_THAT(problem("s[0:3]"), HasSubstr("has more than 64 bits"));
  EXPECT_THAT(problem("status.csp"), HasSubstr("is not a register"));
  EXPECT_THAT(problem("lane(exec)"), HasSubstr("expected `,`"));
  EXPECT_THAT(problem(std::string(5000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem(std::string(5000, '-') + "1"), HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace salu::expr
