#include <salu/report.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "loader/program/code_files.hpp"
#include "loader/rejection.hpp"
#include "needs.hpp"
#include "unit/loader_helpers.hpp"

namespace salu {
namespace {

using test::brief;
using test::load_bad;
using test::load_good;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::StartsWith;

constexpr u32 s_endpgm = 0xbf810000;
constexpr u32 s_nop = 0xbf800000;

TEST(LoaderCode, DefaultsToBase0x1000AndItsFirstInstruction) {
  const Scenario scenario = load_good("target: gfx900\ncode: {words: [0xbf800000, 0xbf810000]}\n");
  ASSERT_EQ(scenario.program.code.size(), 1U);
  EXPECT_EQ(scenario.program.code[0].base, 0x1000U);
  EXPECT_EQ(scenario.program.code[0].words, (std::vector<u32>{s_nop, s_endpgm}));
  EXPECT_EQ(scenario.program.entry, 0x1000U);
  EXPECT_EQ(scenario.initial.pc, 0x1000U);
  EXPECT_FALSE(scenario.program.function_end);
  EXPECT_FALSE(scenario.program.return_address);
}

TEST(LoaderCode, BlocksFollowEachOtherAtMultiplesOf256) {
  const Scenario scenario = load_good(
      "target: gfx900\n"
      "code:\n"
      "  - asm: 'one: s_endpgm'\n"
      "    base: 0x4000\n"
      "  - {asm: 'two: s_endpgm'}\n"
      "  - {asm: 'three: s_endpgm', base: 0x2000}\n"
      "  - {asm: 'four: s_endpgm', symbol: four}\n"
      "registers: {tba: two, s0: three}\n");
  const Program& program = scenario.program;
  ASSERT_EQ(program.code.size(), 4U);
  EXPECT_EQ(program.code[0].base, 0x2000U);
  EXPECT_EQ(program.code[1].base, 0x2100U);
  EXPECT_EQ(program.code[2].base, 0x4000U);
  EXPECT_EQ(program.code[3].base, 0x4100U);
  EXPECT_EQ(program.entry, 0x2100U);
  EXPECT_EQ(scenario.initial.tba, 0x4100U);
  EXPECT_EQ(scenario.initial.file[0], 0x2000U);
}

TEST(LoaderCode, BlocksMayNotOverlap) {
  EXPECT_THAT(brief(load_bad("target: gfx900\n"
                             "code:\n"
                             "  - {words: [1, 2, 3]}\n"
                             "  - {words: [1], base: 0x1008}\n")),
              StartsWith("4:13: the code at 0x1008 to 0x100b overlaps the code at 0x1000 to 0x100b"));
}

TEST(LoaderCode, BasesAreChecked) {
  EXPECT_EQ(brief(load_bad("target: gfx900\ncode: {words: [1], base: 0x1002}\n")),
            "2:26: `base:` must be a multiple of 4");
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: [1], base: -4}\n").message, HasSubstr("negative"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: [1], base: 0x1000000000000}\n").message,
              HasSubstr("address space of 48 bits"));
  EXPECT_THAT(load_bad("target: tahiti\ncode: {words: [1], base: 0x10000000000}\n").message,
              HasSubstr("address space of 40 bits"));
  EXPECT_THAT(load_bad("target: tahiti\ncode: {words: [1, 2], base: 0xfffffffffc}\n").message,
              HasSubstr("beyond the address space"));
  EXPECT_EQ(load_good("target: tahiti\ncode: {words: [1], base: 0xfffffffffc}\n").initial.pc, 0xfffffffffcU);
}

TEST(LoaderCode, ExactlyOneKindOfContents) {
  EXPECT_THAT(load_bad("target: gfx900\ncode: {asm: s_endpgm, words: [1]}\n").message,
              HasSubstr("exactly one of `asm:`, `words:` and `file:`; found 2"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {base: 0x1000}\n").message, HasSubstr("found none"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: []\n").message, HasSubstr("`code:` is empty"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: []}\n").message, HasSubstr("no instructions"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {asm: ''}\n").message, HasSubstr("no instructions"));
  EXPECT_THAT(load_bad("target: gfx900\ncode:\n  asm: |\n    // nothing\n").message, HasSubstr("no instructions"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: [0x100000000]}\n").message, HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: [x]}\n").message, HasSubstr("`x` is not a number"));
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: 0xbf810000}\n").message, HasSubstr("must be a list"));
}

TEST(LoaderCode, TargetsAreChecked) {
  EXPECT_THAT(brief(load_bad("code: {asm: s_endpgm}\n")), StartsWith("1:1: missing target"));
  const Error unknown = load_bad("target: gfx99\ncode: {asm: s_endpgm}\n");
  EXPECT_EQ(unknown.code, ErrorCode::target);
  EXPECT_THAT(brief(unknown), StartsWith("1:9: unknown target `gfx99`; did you mean "));
  LoadOptions options;
  options.mcpu = "tahiti";
  EXPECT_EQ(load_good("code: {asm: s_endpgm}\n", options).program.generation(), Generation::gcn1_0);
  EXPECT_EQ(load_good("target: gfx600\ncode: {asm: s_endpgm}\n", options).program.target->name, "tahiti");
  const Error other = load_bad("target: gfx900\ncode: {asm: s_endpgm}\n", options);
  EXPECT_EQ(other.code, ErrorCode::target);
  EXPECT_EQ(brief(other),
            "1:9: the scenario is for gfx900 (gcn1.4), but --mcpu is tahiti (gcn1.0); remove one of them");
  options.mcpu = "tahitti";
  const Error wrong = load_bad("target: gfx900\ncode: {asm: s_endpgm}\n", options);
  EXPECT_EQ(wrong.code, ErrorCode::usage);
  EXPECT_THAT(wrong.message, HasSubstr("did you mean `tahiti`"));
}

// ---- places of assembly errors in the YAML file ----

SourcePlace place_of_error(const std::string& text) {
  const Error error = load_bad(text);
  EXPECT_EQ(error.code, ErrorCode::assembly) << error.to_string();
  return error.where;
}

TEST(LoaderCode, AssemblyErrorsArePlacedInTheYaml) {
  EXPECT_EQ(place_of_error("target: gfx900\ncode:\n  asm: |\n    s_nop 0\n\n      s_wrong\n"),
            (SourcePlace{"test.yaml", 6, 7}));
  EXPECT_EQ(place_of_error("target: gfx900\ncode:\n  asm: |2\n      s_nop 0\n    s_wrong\n"),
            (SourcePlace{"test.yaml", 5, 5}));
  EXPECT_EQ(place_of_error("target: gfx900\ncode:\n  asm: &x |-\n   s_nop 0\n   s_wrong"),
            (SourcePlace{"test.yaml", 5, 4}));
  EXPECT_EQ(place_of_error("target: gfx900\ncode:\n  asm: | # why\n    s_wrong\n"), (SourcePlace{"test.yaml", 4, 5}));
  EXPECT_EQ(place_of_error("target: gfx900\ncode: {asm: s_wrong}\n"), (SourcePlace{"test.yaml", 2, 13}));
  EXPECT_EQ(place_of_error("target: gfx900\ncode: {asm: 'a: s_wrong'}\n"), (SourcePlace{"test.yaml", 2, 17}));
  // Escapes change the columns: the place of the whole text must be used.
  EXPECT_EQ(place_of_error("target: gfx900\ncode: {asm: \"s_nop 0\\ns_wrong\"}\n"), (SourcePlace{"test.yaml", 2, 13}));
  EXPECT_EQ(place_of_error("# c\n---\ntarget: gfx900\ncode:\n  - asm: |\n      s_nop 0\n  - asm: |\n      s_wrong\n"),
            (SourcePlace{"test.yaml", 8, 7}));
}

TEST(LoaderCode, LinesOfInstructionsAreThoseOfTheYaml) {
  const Scenario scenario = load_good("target: gfx900\ncode:\n  asm: |\n    a:\n      s_nop 0\n\n      s_endpgm\n");
  ASSERT_EQ(scenario.program.lines.size(), 2U);
  EXPECT_EQ(scenario.program.lines[0].address, 0x1000U);
  EXPECT_EQ(scenario.program.lines[0].line, 5U);
  EXPECT_EQ(scenario.program.lines[1].line, 7U);
  EXPECT_EQ(scenario.program.files, (std::vector<std::string>{"test.yaml"}));
}

TEST(LoaderCode, FoldedAssemblyIsRefused) {
  EXPECT_THAT(load_bad("target: gfx900\ncode:\n  asm: >\n    s_nop 0\n    s_endpgm\n").message,
              HasSubstr("write `asm: |`"));
  EXPECT_THAT(load_bad("target: gfx900\ncode:\n  asm:\n    s_nop 0\n    s_endpgm\n").message,
              HasSubstr("write `asm: |`"));
  const std::string long_line = "target: gfx900\ncode: {asm: s_endpgm // " + std::string(300, 'x') + "}\n";
  EXPECT_EQ(load_good(long_line).program.code.size(), 1U);
}

TEST(LoaderCode, EveryErrorAndRemarkOfAnAssemblyIsKept) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");  // without it, a remark says that it is missing
  const Error error = load_bad(
      "target: gfx900\ncode:\n  - asm: s_mov_b64 s[0:1], -17\n  - asm: |\n      s_x\n      s_movk_i32 s0, 65535\n      "
      "s_y\n");
  EXPECT_THAT(brief(error), StartsWith("5:7: unknown instruction 's_x'"));
  ASSERT_EQ(error.more.size(), 1U);
  EXPECT_THAT(brief(error.more[0]), StartsWith("7:7: unknown instruction 's_y'"));
  ASSERT_EQ(error.remarks.size(), 2U);
  EXPECT_EQ(error.remarks[0].where.line, 3U);
  EXPECT_EQ(error.remarks[1].where.line, 6U);
  const std::string text = error.to_string();
  EXPECT_LT(text.find("test.yaml:6:"), text.find("test.yaml:5:7: error: "));
  EXPECT_LT(text.find("test.yaml:5:7: error: "), text.find("\ntest.yaml:7:7: error: "));
  EXPECT_THAT(report_error(error, ReportFormat::json), HasSubstr("(and 1 more error)"));
}

TEST(LoaderCode, RemarksOfQuotedAssemblyStandAtTheYaml) {
  const std::string line = "code: {asm: \"s_mov_b64 s[0:1], -17\\n s_endpgm\"}";
  const Scenario scenario = load_good("target: gfx900\n" + line + "\n");
  ASSERT_EQ(scenario.remarks.size(), 1U);
  EXPECT_EQ(scenario.remarks[0].where, (SourcePlace{"test.yaml", 2, 13}));
  EXPECT_EQ(scenario.remarks[0].source_line, line);
}

// ---- files ----

TEST(LoaderCode, FilesAreRelativeToTheScenario) {
  const TemporaryFolder folder;
  (void)folder.write("code.s", "start:\n  s_nop 0\nend:\n  s_endpgm\n");
  (void)folder.write("code.hex", "0xbf800000, bf810000 // end\n# comment\n");
  (void)folder.write("code.bin", std::string("\x00\x00\x80\xbf\x00\x00\x81\xbf", 8));
  const std::string file = folder.path("x.yaml");
  for (const char* name : {"code.s", "code.hex", "code.bin"}) {
    const Scenario scenario = load_good("target: gfx900\ncode: {file: " + std::string(name) + "}\n", {}, file);
    ASSERT_EQ(scenario.program.code.size(), 1U) << name;
    EXPECT_EQ(scenario.program.code[0].words, (std::vector<u32>{s_nop, s_endpgm})) << name;
  }
  const Scenario scenario = load_good("target: gfx900\ncode: {file: code.s, symbol: end}\n", {}, file);
  EXPECT_EQ(scenario.program.entry, 0x1004U);
  EXPECT_EQ(scenario.program.files.at(0), folder.path("code.s"));
}

TEST(LoaderCode, FilesThatCannotBeUsed) {
  const TemporaryFolder folder;
  const std::string file = folder.path("x.yaml");
  (void)folder.write("code.txt", "s_endpgm");
  (void)folder.write("wrong.s", "s_nop 0\n  s_wrong\n");
  (void)folder.write("odd.bin", "12345");
  (void)folder.write("empty.bin", "");
  (void)folder.write("long.hex", "bf800000\n  123456789\n");
  (void)folder.write("wrong.hex", "bf80000g");
  (void)folder.write("empty.hex", "// nothing\n");
  const auto load = [&](const std::string& name) {
    return load_bad("target: gfx900\ncode: {file: " + name + "}\n", {}, file);
  };

  const Error missing = load("missing.s");
  EXPECT_EQ(missing.code, ErrorCode::io);
  EXPECT_EQ(missing.where, (SourcePlace{file, 2, 14}));
  EXPECT_THAT(missing.message, HasSubstr("No such file"));
  EXPECT_THAT(load(".").message, HasSubstr("directory"));
  EXPECT_THAT(load("code.txt").message, HasSubstr("the kind of code in"));
  EXPECT_EQ(load("wrong.s").where, (SourcePlace{folder.path("wrong.s"), 2, 3}));
  EXPECT_EQ(load("odd.bin").where.offset_bytes, 4U);
  EXPECT_EQ(load("odd.bin").code, ErrorCode::words);
  EXPECT_THAT(load("empty.bin").message, HasSubstr("empty"));
  EXPECT_EQ(load("long.hex").where, (SourcePlace{folder.path("long.hex"), 2, 3}));
  EXPECT_THAT(load("long.hex").message, HasSubstr("more than eight digits"));
  EXPECT_THAT(load("wrong.hex").message, HasSubstr("not a hexadecimal word"));
  EXPECT_THAT(load("empty.hex").message, HasSubstr("no words"));
}

TEST(LoaderCode, SymbolsHaveToBeThere) {
  EXPECT_EQ(load_good("target: gfx900\ncode: {asm: 'a: s_endpgm', symbol: a}\n").program.entry, 0x1000U);
  EXPECT_EQ(brief(load_bad("target: gfx900\ncode: {asm: 'start: s_endpgm', symbol: strat}\n")),
            "2:40: unknown symbol `strat`; did you mean `start`?");
  EXPECT_THAT(load_bad("target: gfx900\ncode: {words: [1], symbol: a}\n").message,
              HasSubstr("the code does not have symbols"));
  EXPECT_THAT(
      load_bad("target: gfx900\ncode: [{asm: 'a: s_endpgm', symbol: a}, {asm: 'b: s_endpgm', symbol: b}]\n").message,
      HasSubstr("two blocks have a `symbol:` to start at"));
  LoadOptions options;
  options.symbol = "b";
  EXPECT_EQ(load_good("target: gfx900\ncode: [{asm: 'a: s_endpgm'}, {asm: 'b: s_endpgm'}]\n", options).program.entry,
            0x1100U);
  options.symbol = "c";
  EXPECT_THAT(load_bad("target: gfx900\ncode: {asm: 'a: s_endpgm'}\n", options).message,
              HasSubstr("unknown symbol `c`"));
}

TEST(LoaderCode, FilesOfCodeLoadWithoutAScenario) {
  const TemporaryFolder folder;
  LoadOptions options;
  options.mcpu = "gfx900";
  options.set = {"s0=7", "pc=end"};
  const auto results = load_file(folder.write("code.s", "s_nop 0\nend: s_endpgm\n"), options);
  ASSERT_EQ(results.size(), 1U);
  ASSERT_TRUE(results[0].has_value()) << results[0].error().to_string();
  EXPECT_EQ(results[0]->initial.file[0], 7U);
  EXPECT_EQ(results[0]->initial.pc, 0x1004U);
  EXPECT_EQ(results[0]->program.entry, 0x1000U);
  const auto without = load_file(folder.path("code.s"), {});
  ASSERT_FALSE(without[0].has_value());
  EXPECT_THAT(without[0].error().message, HasSubstr("missing target"));
  const auto missing = load_file(folder.path("none.yaml"), {});
  ASSERT_FALSE(missing[0].has_value());
  EXPECT_EQ(missing[0].error().code, ErrorCode::io);
}

TEST(LoaderCode, WordsOfALine) {
  EXPECT_EQ(*loader::read_words_line("80000201, 0xBF810000", "x", 1), (std::vector<u32>{0x80000201, s_endpgm}));
  EXPECT_TRUE(loader::read_words_line("  # nothing", "x", 1)->empty());
  const auto wrong = loader::read_words_line("  8000020z", "x", 7);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().where, (SourcePlace{"x", 7, 3}));
}

}  // namespace
}  // namespace salu
