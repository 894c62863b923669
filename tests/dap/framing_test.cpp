#include "dap/framing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dap/arguments.hpp"

namespace salu::dap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> take_all(Framing& framing) {
  std::vector<std::string> messages;
  while (auto message = framing.next()) messages.push_back(*message);
  return messages;
}

TEST(Framing, TakesMessagesHoweverTheyAreCut) {
  const std::string stream =
      "Content-Length: 2\r\n\r\n{}Content-Length: 5\r\nContent-Type: x\r\n\r\n[1,2]content-length:0\r\n\r\n";
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    Framing framing;
    std::vector<std::string> messages;
    for (std::size_t i = 0; i < stream.size(); i += piece) {
      framing.feed(std::string_view(stream).substr(i, piece));
      for (std::string& message : take_all(framing)) messages.push_back(std::move(message));
    }
    EXPECT_THAT(messages, ElementsAre("{}", "[1,2]", "")) << piece;
    EXPECT_EQ(framing.problem(), "");
    EXPECT_FALSE(framing.is_inside());
  }
}

TEST(Framing, KnowsThatItIsInsideOfAMessage) {
  Framing framing;
  EXPECT_FALSE(framing.is_inside());
  framing.feed("Content-Len");
  EXPECT_EQ(framing.next(), std::nullopt);
  EXPECT_TRUE(framing.is_inside());
  framing.feed("gth: 3\r\n\r\n{");
  EXPECT_EQ(framing.next(), std::nullopt);
  EXPECT_TRUE(framing.is_inside());
  framing.feed(" }");
  EXPECT_EQ(framing.next(), "{ }");
  EXPECT_FALSE(framing.is_inside());
}

TEST(Framing, SaysWhatIsWrongWithAStream) {
  const auto problem = [](std::string_view stream) {
    Framing framing;
    framing.feed(stream);
    EXPECT_EQ(framing.next(), std::nullopt) << stream;
    return framing.problem();
  };
  EXPECT_EQ(problem("hello\r\n\r\n"), "expected a header such as `Content-Length: 119`, found `hello`");
  EXPECT_EQ(problem("\x01\xff: 1\r\n\r\n"), "expected a header such as `Content-Length: 119`, found `\\x01\\xff: 1`");
  EXPECT_EQ(problem("Content-Type: json\r\n\r\n{}"), "missing `Content-Length` in the header");
  EXPECT_EQ(problem("\r\n\r\n{}"), "missing `Content-Length` in the header");
  EXPECT_EQ(problem("Content-Length: two\r\n\r\n{}"), "`Content-Length` is not a number: `two`");
  EXPECT_EQ(problem("Content-Length: -2\r\n\r\n{}"), "`Content-Length` is not a number: `-2`");
  EXPECT_EQ(problem("Content-Length:\r\n\r\n{}"), "`Content-Length` is not a number: ``");
  EXPECT_EQ(problem("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"), "two different values of `Content-Length`");
  EXPECT_EQ(problem("Content-Length: 8388609\r\n\r\n"), "a message of 8388609 bytes; the limit is 8388608");
  EXPECT_THAT(problem("Content-Length: 99999999999999999999999\r\n\r\n"), HasSubstr("a message of 99999999999"));
  EXPECT_EQ(problem(std::string(5000, 'x')), "the header is longer than 4096 bytes");
  EXPECT_EQ(problem(""), "");
}

TEST(Framing, TakesNoHttp) {
  // An error as soon as the line is complete: a message within it is not searched for.
  for (const char* line :
       {"GET / HTTP/1.1", "POST / HTTP/1.1", "Host: 127.0.0.1", "Origin: null", "Cookie: a=b", "Content-Length : 2",
        " Content-Length: 2", "Content-Lengths: 2", "Content-Length", ":", " "}) {
    for (const char* before : {"", "Content-Length: 2\r\n", "Content-Type: x\r\n"}) {
      Framing framing;
      framing.feed(std::string(before) + line + "\r\n");
      EXPECT_EQ(framing.next(), std::nullopt);
      EXPECT_THAT(framing.problem(), HasSubstr("expected a header such as `Content-Length: 119`, found `")) << line;
      framing.feed("\r\nContent-Length: 2\r\n\r\n{}");
      EXPECT_EQ(framing.next(), std::nullopt);
    }
  }
}

TEST(Framing, GivesNothingBehindAProblem) {
  Framing framing;
  framing.feed("x\r\n\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(framing.next(), std::nullopt);
  framing.feed("Content-Length: 2\r\n\r\n{}");
  EXPECT_EQ(framing.next(), std::nullopt);
  EXPECT_NE(framing.problem(), "");
}

TEST(Framing, PutsAHeaderInFront) { EXPECT_EQ(framed("{\"a\":1}"), "Content-Length: 7\r\n\r\n{\"a\":1}"); }

// RFC 4648, section 10.
TEST(Base64, HasTheVectorsOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> vectors = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : vectors) {
    const std::vector<u8> bytes(plain.begin(), plain.end());
    EXPECT_EQ(encode_base64(bytes), encoded);
    EXPECT_EQ(decode_base64(encoded), bytes);
  }
  EXPECT_EQ(decode_base64("+/+/"), (std::vector<u8>{0xfb, 0xff, 0xbf}));
  for (const char* text : {"Z", "Zg=", "Zg", "Z===", "====", "Zg==Zg==", "Zm 9", "Zm9-", "=m9v"})
    EXPECT_EQ(decode_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace salu::dap
