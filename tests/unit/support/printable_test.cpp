#include "support/printable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace salu::support {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const std::string text : {"", "s_mov_b32 s0, 1", "a\tb", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "[1] ~"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_TRUE(is_printable(text));
  }
}

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(printable("a\x1b[31mb\a\x7f"), "a\\x1b[31mb\\x07\\x7f");
  EXPECT_EQ(printable(std::string("\0", 1)), "\\x00");
  // C1, as UTF-8 and as bytes: CSI, and a byte of Latin 1.
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u{9b}2J");
  EXPECT_EQ(printable("\x9b"
                      "2J\xe4"),
            "\\x9b2J\\xe4");
  EXPECT_EQ(printable("a\nb\r"), "a\\x0ab\\x0d");
  EXPECT_EQ(printable("a\nb\r", Keep::lines), "a\nb\\x0d");
}

// "Trojan Source": the displayed text differs from the actual text.
TEST(Printable, EscapesHiddenAndReversedText) {
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "abc"),
            "\\u{202e}abc");
  EXPECT_EQ(printable("\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf"), "\\u{2066}\\u{200b}\\u{feff}");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u{2028}");
  EXPECT_EQ(printable("\xf3\xa0\x80\xa0"), "\\u{e0020}");
}

TEST(Printable, EscapesControlCharacters) {
  // A truncated character, an overlong one, a surrogate, and one beyond Unicode.
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, WritesEscapesOfJson) {
  EXPECT_EQ(printable_json("\"\xe2\x80\xae\x7f\xc2\x9b \xc3\xa4\""), "\"\\u202e\\u007f\\u009b \xc3\xa4\"");
  EXPECT_EQ(printable_json("{\"a\": [1]}\n"), "{\"a\": [1]}\n");
}

// Each character is judged independently of its neighbours and position.
TEST(Printable, JudgesEachByteByItself) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const char c = static_cast<char>(byte);
    const bool is_seen = (c >= ' ' && c != 0x7f) || c == '\t';
    for (const char around : {' ', '\n', '~', 'a'}) {
      for (std::size_t at = 0; at < 17; ++at) {
        std::string text(17, around);
        text[at] = c;
        EXPECT_EQ(is_printable(text, Keep::lines), is_seen || c == '\n') << byte << ' ' << at;
        EXPECT_EQ(is_printable(text), is_seen && around != '\n') << byte << ' ' << at;
      }
    }
  }
}

TEST(Printable, KeepsOurStylesAlone) {
  const std::string styled = std::string(style::bold_red) + "a" + std::string(style::plain);
  EXPECT_EQ(printable(styled, Keep::lines_and_styles), styled);
  EXPECT_EQ(printable(styled, Keep::lines), "\\x1b[1;31ma\\x1b[0m");
  EXPECT_EQ(printable("\x1b[8mhidden\x1b]0;title\a", Keep::lines_and_styles), "\\x1b[8mhidden\\x1b]0;title\\x07");
  EXPECT_FALSE(is_printable("\x1b[8m", Keep::lines_and_styles));
}

}  // namespace
}  // namespace salu::support
