#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tool.hpp"

namespace salu::test {
namespace {

using testing::HasSubstr;

// llvm-mc-19 -mcpu=gfx900: s_add_u32 s0, s1, s2; s_mov_b32 s3, 0x12345678; s_branch loop; s_endpgm.
constexpr std::string_view code =
    "loop:\n"
    "  s_add_u32 s0, s1, s2\n"
    "  s_mov_b32 s3, 0x12345678\n"
    "  s_branch loop\n"
    "  s_endpgm\n";
constexpr std::string_view words = "0x80000201\n0xbe8300ff 0x12345678\n0xbf82fffc\n0xbf810000\n";

TEST(Asm, PrintsAnInstructionALine) {
  const ToolRun run = run_tool({"asm", "--mcpu", "gfx900", "-"}, code);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, words);
  EXPECT_EQ(run.err, "");
}

TEST(Asm, WritesBinaryAndFiles) {
  const Workspace workspace;
  const std::string source = workspace.write("code.s", code);
  const std::string output = workspace.path("code.bin");
  const ToolRun run = run_tool({"asm", source, "--mcpu=gfx900", "--format=bin", "-o", output});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(read_text(output),
            std::string("\x01\x02\x00\x80\xff\x00\x83\xbe\x78\x56\x34\x12\xfc\xff\x82\xbf\x00\x00\x81\xbf", 20));
  const ToolRun nowhere = run_tool({"asm", source, "--mcpu=gfx900", "-o", workspace.path("no/such/folder/x")});
  EXPECT_EQ(nowhere.exit_code, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write the file"));
}

TEST(Asm, ReportsEveryError) {
  const ToolRun run = run_tool({"asm", "--mcpu", "gfx900", "-"}, "s_nop 0\n  s_wrong\ns_mov_b32 s999, 0\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("<stdin>:2:3: error: "));
  EXPECT_THAT(run.err, HasSubstr("\n  s_wrong\n  ^\n"));
  EXPECT_THAT(run.err, HasSubstr("<stdin>:3:"));
  EXPECT_EQ(run_tool({"asm", "--mcpu", "gfx900", "no-such-file.s"}).exit_code, 3);
}

TEST(Dis, PrintsAddressesWordsTextAndLabels) {
  const ToolRun run = run_tool({"dis", "--mcpu", "gfx900", "-"}, words);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "L1:\n"
            "  0x001000: 80000201            s_add_u32 s0, s1, s2\n"
            "  0x001004: be8300ff 12345678   s_mov_b32 s3, 0x12345678\n"
            "  0x00100c: bf82fffc            s_branch L1\n"
            "  0x001010: bf810000            s_endpgm\n");
}

TEST(Dis, BinaryAndHexadecimalAreTheSame) {
  const Workspace workspace;
  const std::string bytes("\x01\x02\x00\x80\x00\x00\x81\xbf", 8);
  const ToolRun binary = run_tool({"dis", "--mcpu", "gfx900", workspace.write("a.bin", bytes)});
  const ToolRun text = run_tool({"dis", "--mcpu", "gfx900", workspace.write("a.hex", "80000201 bf810000")});
  EXPECT_EQ(binary.exit_code, 0);
  EXPECT_EQ(binary.out, text.out);
  EXPECT_THAT(binary.out, HasSubstr("s_add_u32 s0, s1, s2"));
}

TEST(Dis, EachLineIsOneInstruction) {
  const ToolRun run = run_tool({"dis", "--mcpu", "tahiti", "--each-line", "-"},
                               "0x80000201\n"
                               "be8303ff 12345678\n"  // s_mov_b32 s3, literal
                               "be8303ff\n"           // its literal is missing
                               "80000201 bf810000\n"  // two
                               "\n"
                               "bf82ffff\n"  // branches are distances
                               "ffffffff\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(
      run.out,
      "s_add_u32 s0, s1, s2\ns_mov_b32 s3, 0x12345678\n<invalid>\n<invalid>\n<invalid>\ns_branch 65535\n<invalid>\n");
}

TEST(Dis, EachLineContinuesAfterAnError) {
  // Without FILE, standard input is read.
  const ToolRun run =
      run_tool({"dis", "--mcpu", "tahiti", "--each-line"}, "hello\nbf810000\nbf81 zz\n80000201\r\nbf810000");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.out, "<invalid>\ns_endpgm\n<invalid>\ns_add_u32 s0, s1, s2\ns_endpgm\n");
  EXPECT_THAT(run.err, HasSubstr("<stdin>:1:1: error: `hello` is not a hexadecimal word"));
  EXPECT_THAT(run.err, HasSubstr("<stdin>:3:6: error: `zz` is not a hexadecimal word"));
  EXPECT_EQ(run_tool({"dis", "--mcpu", "tahiti", "--each-line"}, "").out, "");
  EXPECT_EQ(run_tool({"dis", "--mcpu", "tahiti", "--each-line"}, "\n").out, "<invalid>\n");
  const ToolRun missing = run_tool({"dis", "--mcpu", "tahiti", "--each-line", "no-such-file"});
  EXPECT_EQ(missing.exit_code, 3);
  EXPECT_THAT(missing.err, HasSubstr("no-such-file: error: cannot read the file: No such file or directory"));
}

// With --each-line, an answer is printed before the next line is read.
TEST(Dis, EachLineIsAnsweredAtOnce) {
  const Workspace workspace;
  const ToolRun run = run_shell(
      "mkfifo in out && { timeout 30 salu dis --mcpu tahiti --each-line < in > out & } && exec 3> in 4< out && "
      "for word in bf810000 80000201; do echo $word >&3; read answer <&4; echo \"got $answer\"; done; exec 3>&-; wait",
      workspace.path(""));
  EXPECT_EQ(run.out, "got s_endpgm\ngot s_add_u32 s0, s1, s2\n") << run.err;
}

TEST(Dis, WrongInputIsNamed) {
  const ToolRun words_wrong = run_tool({"dis", "--mcpu", "tahiti", "-"}, "80000201\n  zz\n");
  EXPECT_EQ(words_wrong.exit_code, 3);
  EXPECT_THAT(words_wrong.err, HasSubstr("<stdin>:2:3: error: `zz` is not a hexadecimal word"));
  const ToolRun line_wrong = run_tool({"dis", "--mcpu", "tahiti", "--each-line", "-"}, "80000201\n  zz\n");
  EXPECT_EQ(line_wrong.exit_code, 3);
  EXPECT_THAT(line_wrong.err, HasSubstr("<stdin>:2:3: error: `zz` is not a hexadecimal word"));
  EXPECT_EQ(run_tool({"dis", "-"}, "80000201\n").exit_code, 3);
  EXPECT_EQ(run_tool({"dis", "--mcpu", "tahiti", "no-such-file"}).exit_code, 3);
}

TEST(Dis, ObjectsNameTheirTargetAndSymbols) {
  const ToolRun run = run_tool({"dis", std::string(SALU_PROGRAMS_DIR) + "/compiled/isqrt.o"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.substr(0, 7), "isqrt:\n");
  const ToolRun other = run_tool({"dis", "--mcpu", "tahiti", std::string(SALU_PROGRAMS_DIR) + "/compiled/isqrt.o"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("but --mcpu is tahiti"));
}

TEST(Asm, OutputDisassembles) {
  const ToolRun assembled =
      run_tool({"asm", "--mcpu", "fiji", "-"},
               "s_mul_i32 s1, s2, 0x1234567\ns_setreg_imm32_b32 hwreg(HW_REG_MODE), 0xff\ns_endpgm\n");
  ASSERT_EQ(assembled.exit_code, 0) << assembled.err;
  const ToolRun listed = run_tool({"dis", "--mcpu", "fiji", "--each-line", "-"}, assembled.out);
  EXPECT_EQ(listed.out, "s_mul_i32 s1, s2, 0x1234567\ns_setreg_imm32_b32 hwreg(HW_REG_MODE), 0xff\ns_endpgm\n");
}

TEST(Targets, ListsEveryNameOnce) {
  const ToolRun run = run_tool({"targets", "--format", "json"});
  EXPECT_EQ(run.exit_code, 0);
  const nlohmann::json list = nlohmann::json::parse(run.out);
  std::set<std::string> names;
  for (const auto& target : list) {
    EXPECT_TRUE(names.insert(target["name"]).second) << target;
    EXPECT_TRUE(target["generation"].is_string() && target["processor"].is_string() && target["xnack"].is_boolean());
  }
  for (const char* name :
       {"gfx600", "tahiti", "gfx700", "bonaire", "hawaii", "gfx803", "tonga", "fiji", "gfx900", "gfx906", "gfx908",
        "gfx90a", "gfx942", "gcn1.0", "gcn1.4", "cdna3", "gfx950", "gfx9-4-generic", "cdna4"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  const ToolRun table = run_tool({"targets"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_THAT(table.out, HasSubstr("gfx802          gcn1.2      iceland, tonga\n"));
  for (const std::string& name : names) {
    if (name.starts_with("gfx")) {
      EXPECT_THAT(table.out, HasSubstr(name + " "));
    }
  }
}

}  // namespace
}  // namespace salu::test
