#pragma once

#include <string>
#include <vector>

/// What the pages of docs/ show.
namespace salu::test {

/// The text of a file, named from the root of the project.
std::string page(const std::string& name);

/// A fenced block of a page.
struct Block {
  std::string language;  ///< behind the opening fence
  std::string text;
};

/// All blocks of a page in their order.
std::vector<Block> blocks_of(const std::string& text);

/// Expects that every command on a page ends well and prints what the block of text behind it shows; returns how many
/// have such a block. The commands run in `folder`.
std::size_t expect_shown(const std::string& name, const std::string& folder);

/// Expects that a session of `salu debug` goes as a block shows it: the line that starts it, then commands behind the
/// prompt with their answers. The commands run in `folder`.
void expect_session(const Block& block, const std::string& folder);

}  // namespace salu::test
