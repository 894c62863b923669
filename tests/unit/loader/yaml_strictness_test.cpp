#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/loader_helpers.hpp"

// Text that YAML forbids and yaml-cpp accepts or misinterprets.
namespace salu {
namespace {

using test::brief;
using test::load_bad;
using test::load_good;
using test::minimal;
using test::with;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string bad(const std::string& text) { return brief(load_bad(text)); }

std::string name_of(const std::string& value) { return load_good(with("name: " + value + "\n")).name; }

// An unterminated quote must not turn the rest of the file, including `expect:`, into text.
TEST(YamlStrictness, QuotesThatDoNotEnd) {
  const std::string rest = "expect: {registers: {s0: 5}}\n";
  EXPECT_EQ(bad(with("name: 'it")), "3:7: not valid YAML: unterminated quoted text: the closing ' is missing");
  EXPECT_EQ(bad(with("name: \"it\n")), "3:7: not valid YAML: unterminated quoted text: the closing \" is missing");
  EXPECT_EQ(bad(with("name: \"")), "3:7: not valid YAML: unterminated quoted text: the closing \" is missing");
  EXPECT_EQ(bad(with("name: \"it\\")), "3:12: not valid YAML: unknown escape");
  for (const char* quote : {"'", "\""}) {
    EXPECT_EQ(bad(with("name: " + std::string(quote) + "it\n" + rest)),
              "3:7: not valid YAML: the quoted text that begins here continues on the next line, which is not indented "
              "enough: is the closing " +
                  std::string(quote) + " missing?");
    EXPECT_EQ(bad(with("name: " + std::string(quote) + "it\n\n\n" + rest + "name2: x" + quote + "\n")),
              "3:7: not valid YAML: the quoted text that begins here continues 3 lines below, which is not indented "
              "enough: is the closing " +
                  std::string(quote) + " missing?");
    EXPECT_THAT(bad(with("name: " + std::string(quote) + "it\n...\n")), HasSubstr("quoted text"));
    EXPECT_THAT(
        bad(with("cases:\n  - name: " + std::string(quote) + "it\n    s0: 5\n    expect: {s1: " + quote + "5}\n")),
        StartsWith("4:11: not valid YAML: the quoted text that begins here continues on the next line"));
    EXPECT_THAT(bad(with("cases:\n  - {name: " + std::string(quote) + "it}\n  - {s0: 5, name: " + quote + "}\n")),
                StartsWith("4:12: not valid YAML: the quoted text that begins here continues on the next line"));
    EXPECT_THAT(bad(with("cases:\n- " + std::string(quote) + "it\n- a" + quote + "\n")),
                StartsWith("4:3: not valid YAML: the quoted text that begins here continues on the next line"));
  }
  EXPECT_EQ(load_bad(with("name: 'it\n" + rest)).source_line, "name: 'it");
}

TEST(YamlStrictness, QuotesThatEndTooEarly) {
  const std::string message = bad(with("name: 'it's'\n"));
  EXPECT_THAT(message, StartsWith("3:11: not valid YAML: "));
  EXPECT_THAT(message, EndsWith("; the quoted text ends before this: inside '...' write an apostrophe as '', inside "
                                "\"...\" a quote as \\\""));
}

TEST(YamlStrictness, LinesInQuotesAreFolded) {
  EXPECT_EQ(name_of("'one\n  two'"), "one two");
  EXPECT_EQ(name_of("'one  \n\t\n\n   two'"), "one\n\ntwo");
  EXPECT_EQ(name_of("'one\n\n\n  '"), "one\n\n");
  EXPECT_EQ(name_of("\"one\\\n  \\ two\\\n  three\\n\n \""), "one twothree\n ");
  EXPECT_EQ(name_of("\"a\r\n  b\\\r\n  c\""), "a bc");
  EXPECT_EQ(name_of("\n  'it''s\n  so'"), "it's so");
}

TEST(YamlStrictness, EscapesAreThoseOfYaml) {
  EXPECT_EQ(name_of(R"("\N\_\L\P\x41\u20ac\U0001f600\/\"\\")"),
            "\xc2\x85\xc2\xa0\xe2\x80\xa8\xe2\x80\xa9"
            "A\xe2\x82\xac\xf0\x9f\x98\x80/\"\\");
  EXPECT_EQ(name_of(R"("\t\	\e\a\b\f\v\r\n.")"), "\t\t\x1b\a\b\f\v\r\n.");
  EXPECT_EQ(bad(with(R"(name: "it\'s")")),
            "3:10: not valid YAML: invalid escape: in double quotes write an apostrophe without a backslash");
}

TEST(YamlStrictness, CharactersThatMayNotStandThere) {
  EXPECT_EQ(bad(with("name: a\x01")),
            "3:8: not valid YAML: the control character U+0001 is not allowed; write \\x01 in double quotes");
  EXPECT_EQ(bad(with("name: a\x04")),
            "3:8: not valid YAML: the control character U+0004 is not allowed; write \\x04 in double quotes");
  EXPECT_THAT(bad(with("name: a\x7f")), HasSubstr("U+007F"));
  EXPECT_EQ(bad(with("name: a\xc2\x9f")),
            "3:8: not valid YAML: the character U+009F is not allowed; write \\u009F in double quotes");
  EXPECT_EQ(bad(with("# \xc2\x85"
                     "expect: {registers: {s0: 5}}\n")),
            "3:3: not valid YAML: U+0085 is a line break in YAML 1.1, but not in YAML 1.2; write \\N in double quotes");
  EXPECT_THAT(bad(with("name: '\xe2\x80\xa8'\n")), HasSubstr("U+2028 is a line break in YAML 1.1"));
  EXPECT_THAT(bad(with("name: '\xe2\x80\xa9'\n")), HasSubstr("write \\P in double quotes"));
  EXPECT_EQ(bad(with("name: a\rexpect: {registers: {s0: 5}}\n")),
            "3:8: not valid YAML: carriage return without a line feed: lines must end with LF or CR LF");
  EXPECT_EQ(bad(with("name: a\xef\xbb\xbf\n")),
            "3:8: not valid YAML: a byte order mark that is not at the beginning of the file");
  EXPECT_THAT(bad(with("\xef\xbb\xbf---\n")), HasSubstr("a byte order mark that is not at the beginning"));
  EXPECT_THAT(bad(with("name: a\xef\xbf\xbe\n")), HasSubstr("U+FFFE"));
  EXPECT_EQ(name_of("\xc2\xa0\xe2\x82\xac\xef\xbf\xbd\xf0\x9f\x98\x80"),
            "\xc2\xa0\xe2\x82\xac\xef\xbf\xbd\xf0\x9f\x98\x80");
}

TEST(YamlStrictness, IndentationIsOfBlanks) {
  EXPECT_THAT(bad(with("limits:\n\tsteps: 5\n")), HasSubstr("tabs are not allowed in indentation"));
  EXPECT_EQ(bad(with("limits:\n\t{steps: 5}\n")), "4:2: not valid YAML: tabs are not allowed in indentation");
  EXPECT_EQ(bad(with("name: it\n\tis\n")),
            "4:1: not valid YAML: illegal tab when looking for indentation; tabs are not allowed in indentation");
  EXPECT_EQ(bad(with("name:\n \t'it'\n")), "4:3: not valid YAML: tabs are not allowed in indentation");
  EXPECT_EQ(load_good(with("limits: {\n\tsteps: 5}\n")).options.max_steps, 5U);
  EXPECT_EQ(load_good(with("limits:\t{steps:\t5}\t# five\n\t\n")).options.max_steps, 5U);
}

TEST(YamlStrictness, ValuesAreIndentedMoreThanTheirKeys) {
  const std::string message = "4:1: not valid YAML: the value of a key must be indented more than the key";
  EXPECT_EQ(bad(with("name:\n'it'\n")), message);
  EXPECT_EQ(bad(with("registers:\n{s0: 5}\n")), message);
  EXPECT_EQ(bad(with("registers: &r\n{s0: 5}\n")), message);
  EXPECT_EQ(bad(with("registers:\n&r\n  s0: 5\n")), message);
  EXPECT_EQ(bad(with("memory:\n!!seq\n- at: 5\n")), message);
  EXPECT_EQ(bad(with("name: &x it\nexpect:\n  registers:\n  *x\n")),
            "6:3: not valid YAML: the value of a key must be indented more than the key");
  EXPECT_EQ(load_good(with("registers: {\ns0:\n5\n}\n")).initial.file[0], 5U);
  EXPECT_EQ(load_good(with("memory:\n- at: 0x10000\n  size: 4\n")).memory.regions().size(), 2U);
  EXPECT_EQ(load_good(with("name: !!str\nlimits: {steps: 7}\n")).options.max_steps, 7U);
}

TEST(YamlStrictness, KeysHaveColons) {
  EXPECT_EQ(bad(with("expect\n")), "3:1: not valid YAML: missing `:` after this key");
  EXPECT_EQ(bad(with("expect:\n  max_steps: 5\n  warnings []\n")), "5:3: not valid YAML: missing `:` after this key");
  EXPECT_EQ(bad(with("name:\nit\n")), "4:1: not valid YAML: missing `:` after this key");
}

TEST(YamlStrictness, CommasFollowAnEntry) {
  EXPECT_EQ(bad(with("expect: {warnings: [,]}\n")), "3:21: not valid YAML: missing value before this comma");
  EXPECT_THAT(bad(with("memory: [{at: 0x10000, words: [1,, 2]}]\n")), HasSubstr("missing value before this comma"));
  EXPECT_THAT(bad(with("registers: {s0: 1,, s1: 2}\n")), HasSubstr("missing value before this comma"));
  EXPECT_THAT(bad(with("registers: {, s1: 2}\n")), HasSubstr("missing value before this comma"));
  EXPECT_EQ(load_good(with("registers: {s0: 1, s1: 2,}\n")).initial.file[1], 2U);
}

TEST(YamlStrictness, DirectivesStandBeforeADocument) {
  const std::string message =
      ": not valid YAML: a line that begins with `%` is a directive, which must be before `---` and after the `...` of "
      "another document";
  EXPECT_EQ(bad(with("%expect: {registers: {s0: 5}}\n")),
            "3:1: not valid YAML: unknown directive; expected `%YAML` or `%TAG`");
  EXPECT_EQ(bad(with("%YAML 1.2\n---\n")), "3:1" + message);
  EXPECT_EQ(bad("%YAML 1.2\n" + std::string(minimal)), "1:1" + message);
  EXPECT_EQ(bad("# c\n%YAML 1.2\n\n# d\n" + std::string(minimal)), "2:1" + message);
  for (const std::string version : {"", " ", " 1.-2", " +1.2", " 1.2#", " -1.2 # c"}) {
    EXPECT_EQ(bad("%YAML" + version + "\n---\n" + std::string(minimal)),
              "1:1: not valid YAML: expected a version, as in `%YAML 1.2`");
  }
  EXPECT_EQ(load_good("%YAML \t1.2 # c\n---\n" + std::string(minimal)).program.code.size(), 1U);
  EXPECT_EQ(load_good("# c\n%YAML 1.2\n\n# d\n---\n" + std::string(minimal)).program.code.size(), 1U);
}

TEST(YamlStrictness, NothingFollowsTheEndOfADocument) {
  EXPECT_THAT(bad(with("... expect\n")), StartsWith("3:5: not valid YAML: the document ends before this"));
  EXPECT_EQ(load_good(with("... # expect: {registers: {s0: 5}}\n")).program.code.size(), 1U);
}

// The text that docs/reference/yaml.md lists as accepted.
TEST(YamlStrictness, AcceptsYaml12) {
  const std::vector<Result<Scenario>> bare = load_yaml(with("...\n# b\n") + std::string(minimal), "test.yaml");
  ASSERT_EQ(bare.size(), 2U);
  EXPECT_TRUE(bare[1].has_value());
  EXPECT_EQ(load_good(with("memory:\n  - at: 0x10000\n    words:\n    -\t5\n")).memory.read_dword(0x10000), 5U);
  EXPECT_EQ(load_good(with("registers: {s0: 5\n\t, s1:\n\t6}\n")).initial.file[1], 6U);
  EXPECT_EQ(load_good("target: gfx900\ncode:\n  asm: |\n    \ts_endpgm\n").program.code.size(), 1U);
  EXPECT_THAT(bad(with("expect: {warnings: [:a]}\n")), HasSubstr("`:a`"));
  EXPECT_EQ(load_good(with("registers: {s0: &a.b 7, s1: *a.b}\n")).initial.file[1], 7U);
  EXPECT_EQ(load_good(with("limits: !{steps: 7}\n")).options.max_steps, 7U);
  EXPECT_EQ(name_of("'a'#b"), "a");
  EXPECT_EQ(load_good(with("name: >-\n  folded\n  ")).name, "folded ");
  EXPECT_THAT(bad(with("expect: {warnings: [what?]}\n")), HasSubstr("not valid YAML"));
}

}  // namespace
}  // namespace salu
