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
using test::minimal;
using test::with;
using testing::HasSubstr;
using testing::StartsWith;

TEST(LoaderYaml, EmptyTextsHoldNoScenario) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n---\n", "...\n", "null\n", "~"}) {
    EXPECT_THAT(load_bad(text).message, HasSubstr("the file contains no scenario")) << text;
  }
}

TEST(LoaderYaml, WrongShapesAreNamed) {
  EXPECT_THAT(brief(load_bad("5")), StartsWith("1:1: a scenario must be a map"));
  EXPECT_THAT(brief(load_bad("[1, 2]")), StartsWith("1:1: a scenario must be a map"));
  EXPECT_EQ(brief(load_bad(with("registers: 5\n"))), "3:12: `registers:` must be a map (`s0: 1`), found `5`");
  EXPECT_EQ(brief(load_bad(with("memory: {at: 5}\n"))), "3:9: `memory:` must be a list, found a map");
  EXPECT_EQ(brief(load_bad(with("registers:\n"))), "3:1: `registers:` does not have a value");
  EXPECT_EQ(brief(load_bad(with("limits: [1]\n"))), "3:9: `limits:` must be a map (`key: value`), found a list");
  EXPECT_EQ(brief(load_bad(with("name: [1]\n"))), "3:7: `name:` must be a text, found a list");
  EXPECT_THAT(brief(load_bad("target: gfx900\n")), StartsWith("1:1: a scenario needs `code:`"));
}

TEST(LoaderYaml, UnknownKeysNameTheNearest) {
  EXPECT_EQ(brief(load_bad(with("registres: {s0: 1}\n"))),
            "3:1: unknown key `registres` in a scenario; did you mean `registers`?");
  EXPECT_THAT(brief(load_bad(with("limits: {steps: 0x8000000000000000}\n"))),
              HasSubstr("does not fit in 63 bits (0 to 0x7fffffffffffffff)"));
  EXPECT_THAT(brief(load_bad(with("limits: {steps: -1}\n"))), HasSubstr("`steps:`: `-1` is negative"));
  EXPECT_THAT(brief(load_bad(with("limits: {steps: 1, zzzzzzz: 2}\n"))),
              StartsWith("3:20: unknown key `zzzzzzz` in `limits:`; expected `max_steps`"));
  EXPECT_THAT(brief(load_bad("target: gfx900\ncode: {asn: s_endpgm}\n")),
              HasSubstr("2:8: unknown key `asn` in a block of code; did you mean `asm`"));
  EXPECT_EQ(load_bad(with("registres: {s0: 1}\n")).source_line, "registres: {s0: 1}");
}

TEST(LoaderYaml, DuplicateKeysAreErrorsEverywhere) {
  EXPECT_EQ(brief(load_bad(with("name: a\nname: b\n"))), "4:1: the key `name` appears twice");
  EXPECT_EQ(brief(load_bad(with("registers: {s0: 1, s0: 1}\n"))), "3:20: the key `s0` appears twice");
  EXPECT_EQ(brief(load_bad(with("memory:\n  - at: 0x10000\n    size: 4\n    at: 0x20000\n"))),
            "6:5: the key `at` appears twice");
}

TEST(LoaderYaml, SchemaVersions) {
  EXPECT_EQ(load_good("schema: salu-scenario-v1\n" + std::string(minimal)).program.code.size(), 1U);
  EXPECT_THAT(brief(load_bad("schema: salu-scenario-v2\nnew_key: 1\n" + std::string(minimal))),
              StartsWith("1:9: the schema `salu-scenario-v2` is from a later version of salu; this version supports "
                         "`salu-scenario-v1`"));
  EXPECT_THAT(load_bad("schema: salu-state-v1\n" + std::string(minimal)).message, HasSubstr("load it with --state"));
  EXPECT_THAT(load_bad("schema: other\n" + std::string(minimal)).message, HasSubstr("unknown schema `other`"));
}

TEST(LoaderYaml, DocumentsAreLoadedOnTheirOwn) {
  const std::string text = "# first\n" + std::string(minimal) + "--- # second\n" +
                           "target: gfx900\ncode: {asm: s_wrong}\n" + "---\na: b\n c: d\n...\n---\nname: last\n" +
                           std::string(minimal) + "---\n";
  const std::vector<Result<Scenario>> results = load_yaml(text, "many.yaml");
  ASSERT_EQ(results.size(), 4U);
  ASSERT_TRUE(results[0].has_value());
  EXPECT_EQ(results[0]->name, "many.yaml#1");
  ASSERT_FALSE(results[1].has_value());
  EXPECT_EQ(results[1].error().code, ErrorCode::assembly);
  EXPECT_EQ(results[1].error().where, (SourcePlace{"many.yaml", 6, 13}));
  ASSERT_FALSE(results[2].has_value());
  EXPECT_EQ(results[2].error().code, ErrorCode::yaml);
  EXPECT_EQ(results[2].error().where.line, 9U);
  ASSERT_TRUE(results[3].has_value());
  EXPECT_EQ(results[3]->name, "last");
}

TEST(LoaderYaml, OneDocumentTakesTheFilesName) {
  EXPECT_EQ(load_good(minimal).name, "test.yaml");
  EXPECT_EQ(load_good(minimal).file, "test.yaml");
  EXPECT_EQ(load_good(with("name: 5\n")).name, "5");
}

TEST(LoaderYaml, TextAfterADocumentIsAnError) {
  const std::vector<Result<Scenario>> results = load_yaml("[a] [b]", "test.yaml");
  ASSERT_EQ(results.size(), 1U);
  EXPECT_THAT(brief(results[0].error()), StartsWith("1:5: not valid YAML: the document ends before this"));
}

TEST(LoaderYaml, AnchorsAliasesAndMergeKeysWork) {
  const Scenario scenario =
      load_good(with("registers: {s0: &seven 7, s1: *seven}\nmemory:\n"
                     "  - &block {at: 0x10000, size: 16, access: r}\n"
                     "  - {<<: *block, at: 0x20000}\n"));
  EXPECT_EQ(scenario.initial.file[1], 7U);
  ASSERT_EQ(scenario.memory.regions().size(), 3U);  // the code is the first one
  EXPECT_EQ(scenario.memory.regions()[1], (MemoryRegion{0x10000, 16, Access::read}));
  EXPECT_EQ(scenario.memory.regions()[2], (MemoryRegion{0x20000, 16, Access::read}));
  for (const std::string name : {"nothing", "\xc3\xa9"})
    EXPECT_THAT(load_bad(with("registers: {s0: *" + name + "}\n")).message, HasSubstr("anchor is not defined"));
  EXPECT_THAT(load_bad(with("memory:\n  - {<<: 5, at: 0x20000}\n")).message, HasSubstr("can merge only maps"));
  EXPECT_THAT(load_bad(with("memory: &m\n  - *m\n")).message, HasSubstr("alias"));
}

TEST(LoaderYaml, AliasesCannotExplode) {
  std::string text = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'l'; ++c) {
    const std::string before(1, static_cast<char>(c - 1));
    text += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 10; ++i) text += (i == 0 ? "*" : ",*") + before;
    text += "]\n";
  }
  EXPECT_THAT(load_bad(text).message, HasSubstr("aliases expand to too much"));
}

TEST(LoaderYaml, DepthIsLimited) {
  EXPECT_THAT(load_bad(std::string(70, '[') + std::string(70, ']')).message, HasSubstr("nested deeper than 64 levels"));
  std::string sequences;
  for (int i = 0; i < 100000; ++i) sequences += "- ";
  EXPECT_THAT(load_bad(sequences).message, HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(load_bad(std::string(500000, '[')).message, HasSubstr("nested deeper than 64 levels"));
}

TEST(LoaderYaml, BinaryDataIsRejected) {
  EXPECT_EQ(brief(load_bad(std::string("target: gfx900\nco\0de", 20))), "2:3: not a text file: it contains a NUL byte");
  EXPECT_EQ(brief(load_bad("name: \xff\xfe")), "1:7: not a text file: it is not valid UTF-8");
  EXPECT_EQ(brief(load_bad("a: \xc0\x80")), "1:4: not a text file: it is not valid UTF-8");
  EXPECT_EQ(brief(load_bad("a: \xed\xa0\x80")), "1:4: not a text file: it is not valid UTF-8");
  EXPECT_EQ(brief(load_bad("a: \xf5\x80\x80\x80")), "1:4: not a text file: it is not valid UTF-8");
  EXPECT_EQ(brief(load_bad("a: \xe2\x82")), "1:4: not a text file: it is not valid UTF-8");
  EXPECT_EQ(load_bad("name: \xff\xfe").code, ErrorCode::yaml);
  EXPECT_EQ(load_good("\xef\xbb\xbf" + std::string(minimal) + "name: \xe2\x82\xac\n").name, "\xe2\x82\xac");
}

TEST(LoaderYaml, SizesAreLimited) {
  EXPECT_THAT(load_bad(std::string(std::size_t{17} << 20, '\n')).message, HasSubstr("the limit is 16 MiB"));
  EXPECT_THAT(load_bad("a: " + std::string(std::size_t{2} << 20, 'x')).message, HasSubstr("longer than 1 MiB"));
}

TEST(LoaderYaml, SyntaxErrorsHaveAPlace) {
  const Error error = load_bad("target: gfx900\ncode: {asm: 'x\n");
  EXPECT_EQ(error.code, ErrorCode::yaml);
  EXPECT_EQ(error.where.file, "test.yaml");
  EXPECT_GE(error.where.line, 2U);
  EXPECT_THAT(load_bad(with("registers: {s[0:1]: 5}\n")).message, HasSubstr("quote a register with brackets"));
  EXPECT_THAT(load_bad(with("name: !thing x\n")).message, HasSubstr("tag"));
  EXPECT_THAT(load_bad(with("{a: b}: c\n")).message, HasSubstr("a key must be a plain name"));
  EXPECT_THAT(load_bad(with("registers: {[1]: c}\n")).message, HasSubstr("a key must be a plain name"));
}

TEST(LoaderYaml, WindowsLineEndsAreFine) {
  const Scenario scenario = load_good("target: gfx900\r\ncode:\r\n  asm: |\r\n    s_nop 0\r\n    s_endpgm\r\n");
  EXPECT_EQ(scenario.program.code.at(0).words, (std::vector<u32>{0xbf800000, 0xbf810000}));
}

}  // namespace
}  // namespace salu
