#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "debug/consoles.hpp"

// Registers, memory and source lines in the console.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ConsoleValues : public ConsoleTest {
 protected:
  void start_memory() {
    start(
        "target: gfx900\n"
        "code: {asm: \"s_endpgm\"}\n"
        "memory: [{at: 0x10000, words: [0x04030201, 0xfffffffe]}]\n");
  }
};

TEST_F(ConsoleValues, PrintInFormats) {
  EXPECT_EQ(run("print/x s0"), "s0 = 0x42f\n");
  EXPECT_EQ(run("p/z s0"), "s0 = 0x0000042f\n");
  EXPECT_EQ(run("p/d s0"), "s0 = 1071\n");
  EXPECT_EQ(run("p/t s0"), "s0 = 10000101111\n");
  EXPECT_EQ(run("p/o s0"), "s0 = 02057\n");
  EXPECT_EQ(run("p/c s0"), "s0 = 47 '/'\n");
  EXPECT_EQ(run("p/a loop + 0x1c"), "loop + 0x1c = 0x101c <first_is_larger+0x4>\n");
  (void)run("set s0 = 0x3fc00000");
  EXPECT_EQ(run("p/f s0"), "s0 = 1.5\n");
  EXPECT_EQ(run("p/f exec"), "exec = -nan\n");
  (void)run("set s0 = -2");
  EXPECT_EQ(run("p/d s0"), "s0 = -2\n");
  EXPECT_EQ(run("p/u s0"), "s0 = 4294967294\n");
  EXPECT_THAT(problem("p/i s0"), HasSubstr("takes only a letter"));
  EXPECT_THAT(problem("p/4x s0"), HasSubstr("takes only a letter"));
  EXPECT_THAT(problem("p/k s0"), HasSubstr("`/k` is not a format"));
  EXPECT_THAT(problem("p/xx s0"), HasSubstr("`/xx` is not a format"));
  EXPECT_THAT(problem("print/x"), HasSubstr("expected a register"));
}

TEST_F(ConsoleValues, PrintFloats) {
  start(
      "target: gfx900\n"
      "code: {asm: \"s_nop 0\\nv_mov_b32 v0, 1.0\\ns_endpgm\"}\n"
      "registers:\n"
      "  s0: {f16: [1.5, -2]}\n"
      "  s1: {f32: -0.1}\n"
      "  s[2:3]: {f64: 1e300}\n"
      "  s[4:5]: {f32: [1, 2.5]}\n"
      "  v1: {f16: [[1, -2], [0.5, nan]]}\n"
      "  v[2:3]: {f64: [0.1, -3]}\n"
      "memory: [{at: 0x10000, f32: [1.5, -2, 1e-45, inf]}, {at: 0x20000, f16: [1, -2, 0.333]},\n"
      "         {at: 0x30000, f64: [0.1, 3]}]\n");
  EXPECT_EQ(run("p/f s1"), "s1 = -0.1\n");
  EXPECT_EQ(run("p/f32 s1"), "s1 = -0.1\n");
  EXPECT_EQ(run("p/f16 s0"), "s0 = {1.5, -2}\n");
  EXPECT_EQ(run("p/f s[2:3]"), "s[2:3] = 1e+300\n");
  EXPECT_EQ(run("p/f64 s[2:3]"), "s[2:3] = 1e+300\n");
  EXPECT_EQ(run("p/f32 s[4:5]"), "s[4:5] = {1, 2.5}\n");
  EXPECT_EQ(run("p/f16 [0x20000]"), "[0x20000] = {1, -2}\n");
  EXPECT_EQ(run("p/f32 s1 + 0"), "s1 + 0 = -0.1\n");
  EXPECT_EQ(run("p/f16 v1[1]"), "v1[1] = {0.5, nan}\n");
  EXPECT_EQ(problem("p/f64 s0"), "error: `s0` has 32 bits, and f64 shows 64\n");
  EXPECT_EQ(problem("display/f64 s0"), "error: `s0` has 32 bits, and f64 shows 64\n");
  EXPECT_THAT(problem("p/f8 s0"), HasSubstr("`/f8` is not a format"));
  EXPECT_THAT(problem("p/f16h s0"), HasSubstr("`/f16h` is not a format"));
  EXPECT_THAT(problem("p/2f16 s0"), HasSubstr("takes only a letter"));
  EXPECT_EQ(run("display/f16 s0"), "1: /f16 s0 = {1.5, -2}\n");
  EXPECT_EQ(run("undisplay"), "");
  EXPECT_EQ(run("x/4f 0x10000"), "0x10000: 1.5 -2 1e-45 inf\n");
  EXPECT_EQ(run("x/3f16 0x20000"), "0x20000: 1 -2 0.333\n");
  EXPECT_EQ(run("x/2f64 0x30000"), "0x30000: 0.1 3\n");
  EXPECT_EQ(run("x/2fg 0x30000"), "0x30000: 0.1 3\n");
  EXPECT_THAT(run("p/f16 v1"), StartsWith("  v1[0]    {1, -2}     {0.5, nan}"));
  EXPECT_THAT(run("p/f64 v[2:3]"), StartsWith("  v[2:3][0]  0.1         -3"));
  EXPECT_EQ(problem("p/f64 v1"), "error: f64 shows pairs of registers, as in `p/f64 v[2:3]`\n");
  EXPECT_THAT(run("info vector /f16 v1"), StartsWith("  v1[0]    {1, -2}     {0.5, nan}"));
  EXPECT_THAT(run("info vector /f16"), HasSubstr("  v1   {1, -2}     {0.5, nan}"));
  EXPECT_EQ(problem("info vector /f64"), "error: f64 shows pairs of registers, as in `p/f64 v[2:3]`\n");
  EXPECT_THAT(problem("info vector /4x v1"), HasSubstr("takes only a letter"));
  (void)run("stepi 2");
  EXPECT_THAT(run("info vector /f"), StartsWith("  v0   1* in all lanes\n"));
}

TEST_F(ConsoleValues, ExamineMemory) {
  start_memory();
  EXPECT_EQ(run("x 0x10000"), "0x10000: 0x04030201\n");
  EXPECT_EQ(run("x/2 0x10000"), "0x10000: 0x04030201 0xfffffffe\n");
  EXPECT_EQ(run("x/4xb 0x10000"), "0x10000: 0x01 0x02 0x03 0x04\n");
  EXPECT_EQ(run("x/2dw 0x10000"), "0x10000: 67305985 -2\n");
  EXPECT_EQ(run("x/xg 0x10000"), "0x10000: 0xfffffffe04030201\n");
  EXPECT_EQ(run("x/2uh 0x10004"), "0x10004: 65534 65535\n");
  EXPECT_EQ(run("x/3tb 0x10000"), "0x10000: 00000001 00000010\n0x10002: 00000011\n");
  // It continues after the last one; an empty line repeats the count.
  EXPECT_EQ(run("x/2xb 0x10000"), "0x10000: 0x01 0x02\n");
  EXPECT_EQ(run("x"), "0x10002: 0x03\n");
  EXPECT_EQ(run("x/2xb 0x10000"), "0x10000: 0x01 0x02\n");
  EXPECT_EQ(run(""), "0x10002: 0x03 0x04\n");
  EXPECT_EQ(run("x/5xw 0x10000"), "0x10000: 0x04030201 0xfffffffe\nerror: the memory at 0x10008 is not mapped\n");
  EXPECT_FALSE(good_);
}

TEST_F(ConsoleValues, ExamineInstructions) {
  EXPECT_EQ(run("x/2i loop"),
            "loop:\n"
            "=>  0x1000  s_cmp_eq_u32 s0, s1    // test.yaml:5\n"
            "    0x1004  s_cbranch_scc1 done    // test.yaml:6\n");
  EXPECT_EQ(run("x/i"), "    0x1008  s_cmp_gt_u32 s0, s1    // test.yaml:7\n");
  EXPECT_THAT(problem("x/3i done"), HasSubstr("error: no instruction at 0x1024\n"));
  EXPECT_THAT(problem("x/i 0x1002"), HasSubstr("no instruction at 0x1002"));
}

TEST_F(ConsoleValues, Display) {
  EXPECT_EQ(run("info display"), "Nothing is displayed.\n");
  EXPECT_EQ(run("display s0"), "1: s0 = 0x0000042f (1071)\n");
  EXPECT_EQ(run("display/d s1 - 500"), "2: /d s1 - 500 = -38\n");
  EXPECT_EQ(run("display [0x100000]"), "3: [0x100000] = the memory at 0x100000 is not mapped\n");
  EXPECT_EQ(run("info display"), "1: s0\n2: /d s1 - 500\n3: [0x100000]\n");
  EXPECT_EQ(run("undisplay 3"), "");
  EXPECT_EQ(run("goto 5"),
            "  s0=0x00000261\n"
            "[5] 0x101c <first_is_larger+0x4>: s_branch loop    // test.yaml:13\n"
            "1: s0 = 0x00000261 (609)\n"
            "2: /d s1 - 500 = -38\n");
  EXPECT_EQ(run("display"), "1: s0 = 0x00000261 (609)\n2: /d s1 - 500 = -38\n");
  EXPECT_THAT(problem("undisplay 7"), HasSubstr("no display `7`"));
  EXPECT_EQ(run("undisplay"), "");
  EXPECT_EQ(run("display"), "");
}

TEST_F(ConsoleValues, RegistersThatHaveChanged) {
  (void)run("goto 4");
  (void)run("si");
  const std::string registers = run("info registers");
  EXPECT_THAT(registers, HasSubstr("  s0  0x00000261*  s1  0x000001ce\n"));
  EXPECT_THAT(registers, HasSubstr("   scc 0*   m0 0x00000000\n"));
  EXPECT_EQ(run("info registers s0 s1 scc"), "s0=0x00000261*\ns1=0x000001ce\nscc=0*\n");
  (void)run("si");
  EXPECT_THAT(run("info registers"), HasSubstr("  s0  0x00000261   s1  0x000001ce\n"));
}

TEST_F(ConsoleValues, ColoursAreForTerminals) {
  start(test::gcd, true);
  (void)run("goto 4");
  EXPECT_THAT(run("si"), HasSubstr("\x1b[32ms0=0x00000261  scc=0\x1b[0m\n"));
  EXPECT_THAT(run("info registers s0"), HasSubstr("s0=\x1b[32m0x00000261*\x1b[0m\n"));
}

TEST_F(ConsoleValues, Lines) {
  (void)run("goto 4");
  EXPECT_EQ(run("info line"),
            "Line 12 of test.yaml starts at 0x1018 <first_is_larger> and ends before 0x101c <first_is_larger+0x4>\n");
  EXPECT_EQ(run("info line 15"), "Line 15 of test.yaml starts at 0x1020 <done> and ends before 0x1024\n");
  EXPECT_THAT(problem("info line 16"), HasSubstr("no code at line 16"));
  // The file does not exist.
  EXPECT_THAT(problem("list"), HasSubstr("cannot read the source file `test.yaml`"));
  EXPECT_THAT(run("rs"), HasSubstr("[3] 0x100c "));
  EXPECT_THAT(run("rn 2"), HasSubstr("[1] 0x1004 "));
}

TEST_F(ConsoleValues, ListSourceLines) {
  const std::string file = testing::TempDir() + "salu_list_test.yaml";
  std::ofstream(file) << test::gcd;
  console_.reset();
  session_.reset();
  *scenario_ = test::load_good(test::gcd, {}, file);
  session_ = std::make_unique<Session>(*scenario_);
  console_ = std::make_unique<Console>(*session_, [this](std::string_view line) { output_ += line; }, false);

  (void)run("goto 4");
  EXPECT_EQ(run("list"),
            "    7      s_cmp_gt_u32 s0, s1\n"
            "    8      s_cbranch_scc1 first_is_larger\n"
            "    9      s_sub_u32 s1, s1, s0\n"
            "   10      s_branch loop\n"
            "   11      first_is_larger:\n"
            "=> 12      s_sub_u32 s0, s0, s1\n"
            "   13      s_branch loop\n"
            "   14      done:\n"
            "   15      s_endpgm\n"
            "   16  registers: {s0: 1071, s1: 462}\n");
  EXPECT_EQ(run(""), "   17  name: gcd\n");
  EXPECT_THAT(problem(""), HasSubstr("has 17 lines: no line 18"));
  EXPECT_EQ(run("list 1,2"), "   1  target: gfx900\n   2  code:\n");
  EXPECT_THAT(problem("list -"), HasSubstr("line 1 has been listed"));
  EXPECT_EQ(run("list 3,4"), "   3    asm: |\n   4      loop:\n");
  EXPECT_EQ(run("list -"), "   1  target: gfx900\n   2  code:\n");
  EXPECT_THAT(run("list done"), HasSubstr("   15      s_endpgm\n"));
  EXPECT_THAT(run("list 14"), HasSubstr("   14      done:\n"));
  EXPECT_THAT(problem("list 400"), HasSubstr("no line"));
  EXPECT_THAT(problem("list 18446744073709551615"), HasSubstr("no line"));
  EXPECT_THAT(problem("list 5,4"), HasSubstr("expected FIRST,LAST"));
  EXPECT_THAT(problem("list nowhere"), HasSubstr("is not an address, label or source line"));
  // A stop resets the listing.
  (void)run("si");
  EXPECT_THAT(run("list"), HasSubstr("=> 13      s_branch loop\n"));
  std::filesystem::remove(file);
}

TEST_F(ConsoleValues, UntilALaterLine) {
  (void)run("goto 5");
  // The backward branch to the loop is run through.
  EXPECT_THAT(run("until"), HasSubstr("[68] 0x1020 <done>: s_endpgm "));
  (void)run("goto 0");
  EXPECT_THAT(run("until"), HasSubstr("[1] 0x1004 "));
  (void)run("goto 5");
  (void)run("tbreak 0x1010");
  EXPECT_THAT(run("until"), HasSubstr("Breakpoint 1\n"));
  EXPECT_EQ(session_->run().position(), 16U);
}

TEST_F(ConsoleValues, Watchpoints) {
  EXPECT_EQ(run("info watchpoints"), "No watchpoints.\n");
  (void)run("break loop");
  (void)run("watch s1 if s1 < 100");
  (void)run("rwatch vcc");
  (void)run("disable 1");
  (void)run("c");
  EXPECT_EQ(run("info watchpoints"), "2  watch s1 if s1 < 100, hit 1 time\n3  rwatch vcc, never hit\n");
}

}  // namespace
}  // namespace salu::debug
