#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "programs.hpp"
#include "unit/llvm_tools.hpp"

// One source, compiled twice.
namespace salu::equiv_test {
namespace {

using test::LlvmTools;
using testing::ElementsAre;

constexpr std::string_view source = R"(
define amdgpu_ps i32 @mix(i32 inreg %a, i32 inreg %b) {
  %x = xor i32 %a, %b
  %s = lshr i32 %x, 7
  %m = mul i32 %s, 12345
  %c = icmp sgt i32 %a, %b
  br i1 %c, label %greater, label %done
greater:
  %p = add i32 %m, %a
  br label %done
done:
  %r = phi i32 [ %m, %0 ], [ %p, %greater ]
  ret i32 %r
}

define amdgpu_ps { i32, i32 } @pair(i32 inreg %a, i32 inreg %b) {
  %sum = add i32 %a, %b
  %difference = sub i32 %a, %b
  %r0 = insertvalue { i32, i32 } poison, i32 %sum, 0
  %r1 = insertvalue { i32, i32 } %r0, i32 %difference, 1
  ret { i32, i32 } %r1
}

define amdgpu_ps i64 @wide(i64 inreg %a, i64 inreg %b) {
  %sum = add i64 %a, %b
  %shifted = shl i64 %a, 3
  %r = xor i64 %sum, %shifted
  ret i64 %r
}
)";

// C functions: arguments and results are in VGPRs.
constexpr std::string_view c_functions = R"(
define i32 @one_more(i32 %a) {
  %r = add i32 %a, 1
  ret i32 %r
}
define i32 @two_more(i32 %a) {
  %r = add i32 %a, 2
  ret i32 %r
}
define i32 @same(i32 %a, i32 %b) {
  ret i32 %a
}
define i64 @wide_sum(i64 %a, i64 %b) {
  %r = add i64 %a, %b
  ret i64 %r
}
define i64 @narrow_sum(i64 %a, i64 %b) {
  %s = add i64 %a, %b
  %t = trunc i64 %s to i32
  %r = zext i32 %t to i64
  ret i64 %r
}
define i32 @picked(i32 %a, i32 %i) {
  %table = alloca [8 x i32], addrspace(5)
  %start = getelementptr [8 x i32], ptr addrspace(5) %table, i32 0, i32 0
  call void @llvm.memset.p5.i32(ptr addrspace(5) %start, i8 0, i32 32, i1 false)
  %x = and i32 %i, 7
  %p = getelementptr [8 x i32], ptr addrspace(5) %table, i32 0, i32 %x
  store i32 %a, ptr addrspace(5) %p
  %y = and i32 %a, 7
  %q = getelementptr [8 x i32], ptr addrspace(5) %table, i32 0, i32 %y
  %r = load i32, ptr addrspace(5) %q
  ret i32 %r
}
declare void @llvm.memset.p5.i32(ptr addrspace(5), i8, i32, i1)
)";

class Compiled : public testing::Test {
 protected:
  void SetUp() override { SALU_NEEDS(SALU_LLC, "llc-19"); }

  /// Compiles the source and returns the object's path.
  [[nodiscard]] std::string compile(const std::string& name, const std::string& processor, const std::string& options,
                                    const std::string& text = std::string(source)) const {
    (void)llvm_.folder().write(name + ".ll", text);
    (void)llvm_.run(std::string(SALU_LLC) + " -mtriple=amdgcn -mcpu=" + processor + " -filetype=obj " + options + " " +
                    name + ".ll -o " + name + ".o");
    return llvm_.folder().path(name + ".o");
  }

  static EquivalenceReport compare_objects(const std::string& a, const std::string& b, const std::string& symbol,
                                           const EquivalenceOptions& options = {}) {
    LoadOptions load;
    load.symbol = symbol;
    const Result<ProgramPair> pair = load_pair(a, b, load, load);
    EXPECT_TRUE(pair.has_value()) << (pair ? "" : pair.error().to_string());
    return pair ? compare(pair->a, pair->b, options) : EquivalenceReport{};
  }

  LlvmTools llvm_;
};

// The register allocator of -O0 spills to vector registers.
constexpr const char* unoptimised = "-O0 -optimize-regalloc -structurizecfg-skip-uniform-regions";

TEST_F(Compiled, LevelsSelectorsAndProcessorsAgree) {
  const std::vector<std::string> objects = {compile("gfx900_O0", "gfx900", unoptimised),
                                            compile("gfx900_O2", "gfx900", "-O2"),
                                            compile("gfx900_spills", "gfx900", "-O0"),
                                            compile("gfx900_gisel_spills", "gfx900", "-O0 -global-isel"),
                                            compile("gfx900_gisel", "gfx900", "-O2 -global-isel -global-isel-abort=2"),
                                            compile("tahiti_O2", "tahiti", "-O2"),
                                            compile("gfx90a_O0", "gfx90a", unoptimised)};
  for (const char* symbol : {"mix", "pair", "wide"}) {
    for (std::size_t i = 1; i < objects.size(); ++i) {
      const auto report = compare_objects(objects[0], objects[i], symbol);
      EXPECT_EQ(report.verdict, Verdict::equal) << symbol << " " << objects[i] << "\n" << equivalence_text(report);
      EXPECT_EQ(report.compared, 10000U);
      EXPECT_EQ(report.programs[1].executed, report.programs[1].reachable);
      EXPECT_EQ(report.outputs.front(), "s0");
    }
  }
}

// Both results of a pair and both halves of 64 bits are compared without being named.
TEST_F(Compiled, ResultsAfterTheFirstAreCompared) {
  const std::string right = compile("right", "gfx900", unoptimised);
  std::string text(source);
  text.replace(text.find("sub i32 %a, %b"), 14, "sub i32 %b, %a");
  text.replace(text.find("shl i64 %a, 3"), 13, "shl i64 %a, 4");
  const std::string wrong = compile("wrong", "gfx900", "-O2", text);
  const auto pair = compare_objects(right, wrong, "pair");
  EXPECT_EQ(pair.verdict, Verdict::different);
  EXPECT_EQ(pair.difference->outputs.at(0).name, "s1");
  const auto wide = compare_objects(right, wrong, "wide", {.inputs = {"s1", "s3"}});
  EXPECT_EQ(wide.verdict, Verdict::different);
  EXPECT_EQ(wide.difference->outputs.at(0).name, "s1");
  EXPECT_EQ(compare_objects(right, wrong, "mix").verdict, Verdict::equal);
}

// A result that one program does not write, and the other changes for a single argument.
TEST_F(Compiled, AResultThatIsMostlyPassedThroughIsCompared) {
  const std::string start = "define amdgpu_ps { i32, i32 } @f(i32 inreg %a, i32 inreg %b) {\n  %sum = add i32 %a, %b\n";
  const std::string end =
      "  %r0 = insertvalue { i32, i32 } poison, i32 %sum, 0\n"
      "  %r1 = insertvalue { i32, i32 } %r0, i32 %second, 1\n  ret { i32, i32 } %r1\n}\n";
  const std::string right = compile("right", "gfx900", "-O2", start + "  %second = add i32 %b, 0\n" + end);
  const std::string wrong = compile("wrong", "gfx900", "-O2",
                                    start +
                                        "  %c = icmp eq i32 %a, 12345\n  %one = zext i1 %c to i32\n"
                                        "  %second = add i32 %b, %one\n" +
                                        end);
  EXPECT_EQ(compare_objects(right, right, "f").verdict, Verdict::equal);
  const auto report = compare_objects(right, wrong, "f");
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 12345U);
  EXPECT_EQ(report.difference->outputs.at(0).name, "s1");
  EXPECT_EQ(report.difference->outputs.at(0).a, "0x00000000");
  EXPECT_EQ(report.difference->outputs.at(0).b, "0x00000001");
}

TEST_F(Compiled, APatchedInstructionIsFoundAndShown) {
  const std::string good = compile("good", "gfx900", "-O2");
  std::string bytes = llvm_.read("good.o");
  // s_lshr_b32 s0, s0, 7 becomes s_lshr_b32 s0, s0, 6.
  const std::string word("\x00\x87\x00\x8f", 4);
  const std::size_t at = bytes.find(word);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 1] = '\x86';
  const std::string bad = llvm_.folder().write("bad.o", bytes);
  const auto report = compare_objects(good, bad, "mix");
  EXPECT_EQ(report.verdict, Verdict::different);
  // (a ^ b) >> 7 and >> 6 differ from 64 on; a = 0 and b = 64 avoid the branch.
  EXPECT_EQ(shrunk_value(report, "s0"), 0U);
  EXPECT_EQ(shrunk_value(report, "s1"), 64U);
  EXPECT_EQ(report.difference->outputs.at(0).a, "0x00000000");
  EXPECT_EQ(report.difference->outputs.at(0).b, "0x00003039");
  EXPECT_EQ(report.difference->parting.at(0).lines.at(1).instruction, "s_lshr_b32 s0, s0, 6");
  EXPECT_EQ(report.difference->reproducer_problem, "");
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
  // Against different words of another generation, the same input shows the difference.
  const auto across = compare_objects(compile("old", "tahiti", "-O2"), bad, "mix");
  EXPECT_EQ(shrunk_value(across, "s1"), 64U);
  EXPECT_THAT(mismatches_of_reproducer(across), ElementsAre(0, 1));
}

// A function of the default calling convention returns to an address in registers.
TEST_F(Compiled, FunctionsThatReturnKeepTheirReturnAddress) {
  const std::string text = R"(
    .globl f
    .type f,@function
    f:
      s_add_u32 s0, s0, s4
      s_setpc_b64 s[30:31]
    .size f, . - f
  )";
  (void)llvm_.assemble("f.o", text, "gfx900");
  std::string other = text;
  other.replace(other.find("s_add"), 5, "s_sub");
  (void)llvm_.assemble("g.o", other, "gfx900");
  const std::string f = llvm_.folder().path("f.o");
  const auto same = compare_objects(f, f, "f");
  EXPECT_EQ(same.verdict, Verdict::equal);
  EXPECT_THAT(same.varied, ElementsAre("s0", "s4"));
  EXPECT_THAT(same.not_varied, ElementsAre("s30, s31: the scenario or the loader gives a value"));
  EXPECT_THAT(same.programs[0].stops, ElementsAre(testing::Pair("returned", 10000U)));
  const auto report = compare_objects(f, llvm_.folder().path("g.o"), "f");
  EXPECT_EQ(shrunk_value(report, "s4"), 1U);
  EXPECT_EQ(report.difference->reproducer_problem, "");
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
  // Code that is not called ends with S_ENDPGM instead: the end is the same.
  const std::vector<Result<Scenario>> function = load_file(f);
  ASSERT_TRUE(function.at(0).has_value());
  const auto with_code = compare(assembly("s_add_u32 s0, s4, s0\ns_endpgm"), *function[0]);
  EXPECT_EQ(with_code.verdict, Verdict::equal);
}

TEST_F(Compiled, FunctionsOfCAreComparedInTheirLanes) {
  const std::string text(c_functions);
  for (const std::string processor : {"gfx803", "gfx900", "gfx90a", "gfx942"}) {
    const std::string slow = compile("slow", processor, "-O0", text);
    const std::string fast = compile("fast", processor, "-O2", text);
    for (const std::string function : {"one_more", "wide_sum", "narrow_sum", "picked"}) {
      const EquivalenceReport report = compare_objects(slow, fast, function);
      EXPECT_EQ(report.verdict, Verdict::equal) << processor << " " << function;
      EXPECT_THAT(report.outputs, testing::Contains("v0[63]")) << processor << " " << function;
    }
    const auto verdict_on = [](const std::string& a, const std::string& of_a, const std::string& b,
                               const std::string& of_b) {
      LoadOptions load_a;
      load_a.symbol = of_a;
      LoadOptions load_b;
      load_b.symbol = of_b;
      const Result<ProgramPair> pair = load_pair(a, b, load_a, load_b);
      EXPECT_TRUE(pair.has_value());
      return pair ? compare(pair->a, pair->b).verdict : Verdict::nothing_compared;
    };
    EXPECT_EQ(verdict_on(fast, "one_more", fast, "two_more"), Verdict::different) << processor;
    EXPECT_EQ(verdict_on(slow, "wide_sum", fast, "narrow_sum"), Verdict::different) << processor;
    EXPECT_EQ(verdict_on(slow, "same", fast, "one_more"), Verdict::different) << processor;
  }
}

}  // namespace
}  // namespace salu::equiv_test
