#include "loader/scenario/document_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "loader/rejection.hpp"
#include "unit/loader_helpers.hpp"

namespace salu::loader {
namespace {

/// `name@line` of every document, or the error, from a stream that arrives in pieces of `piece` bytes.
std::vector<std::string> documents_of(std::string_view text, std::size_t piece) {
  std::size_t at = 0;
  const auto read = [&](std::span<char> buffer) {
    const std::size_t count = std::min({piece, buffer.size(), text.size() - at});
    std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(at), count, buffer.begin());
    at += count;
    return count;
  };
  DocumentStream stream({}, read, "s.yaml");
  std::vector<std::string> seen;
  while (const auto document = stream.next()) {
    const auto& root = *document;
    seen.push_back(!root ? test::brief(root.error())
                         : (*root)->root->children[1]->text + "@" + std::to_string((*root)->root->line));
  }
  return seen;
}

TEST(DocumentStream, IsSplitLikeAWholeText) {
  const std::vector<std::string_view> texts = {
      "",
      "\n# nothing\n",
      "a: 1",
      "a: 1\n",
      "---\na: 1\n---\na: 2\n",
      "# c\n%YAML 1.2\n---\na: 1\n...\n# c\n---\na: 2\n...\n",
      "a: 1\n---\n---\n\na: 3\n---",
      "a: 1\n...\na: 2\n...",
      "a: |\n  ---\n  x\n---x: 5\n--- \na: 2\n",
      "\ufeffa: 1\n---\na: 2\n",
      "a: [\n---\na: 2\n",
      "a: \xff\n",
  };
  for (const std::string_view text : texts) {
    SCOPED_TRACE(text);
    std::vector<std::string> whole;
    try {
      for (const auto& document : parse_yaml(make_source(std::string(text), "s.yaml"))) {
        whole.push_back(!document
                            ? test::brief(document.error())
                            : (*document)->root->children[1]->text + "@" + std::to_string((*document)->root->line));
      }
    } catch (Rejection& rejection) {
      whole.push_back(test::brief(std::move(rejection).take()));
    }
    for (const std::size_t piece : {1U, 2U, 7U, 100'000U}) EXPECT_EQ(documents_of(text, piece), whole);
    DocumentStream at_once(std::string(text), {}, "s.yaml");
    std::size_t count = 0;
    while (at_once.next()) ++count;
    EXPECT_EQ(count, whole.size());
  }
}

TEST(DocumentStream, ErrorsBelongToOneDocument) {
  const std::string text =
      "a: 1\n---\na: \xff\n---\na: {\n---\nb: " + std::string(std::size_t{2} << 20, 'x') + "\n---\na: 5\n";
  EXPECT_THAT(documents_of(text, 4096),
              testing::ElementsAre("1@1", "3:4: not a text file: it is not valid UTF-8",
                                   testing::HasSubstr("not valid YAML"), "7:1: the line is longer than 1 MiB", "5@9"));
}

/// Thirty thousand documents: only one of them is in memory at a time.
TEST(DocumentStream, HoldsOneDocumentAtATime) {
  constexpr u32 count = 30'000;
  u32 made = 0;
  std::string rest;
  const auto read = [&](std::span<char> buffer) {
    while (rest.size() < buffer.size() && made < count) rest += "---\nname: " + std::to_string(++made) + "\n";
    const std::size_t size = std::min(rest.size(), buffer.size());
    std::copy_n(rest.begin(), size, buffer.begin());
    rest.erase(0, size);
    return size;
  };
  DocumentStream stream({}, read, "-");
  u32 seen = 0;
  while (const auto document = stream.next()) {
    ++seen;
    const Document& one = ***document;
    ASSERT_LE(one.source->text.size(), 32U);
    ASSERT_EQ(one.root->children[1]->text, std::to_string(seen));
    ASSERT_EQ(one.root->line, 2 * seen);
    ASSERT_EQ(one.source->lines.line(2 * seen), "name: " + std::to_string(seen));
  }
  EXPECT_EQ(seen, count);
}

}  // namespace
}  // namespace salu::loader
