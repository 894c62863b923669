#pragma once

#include <string>
#include <vector>

/// The code blocks on the pages of docs/.
namespace salu::test {

/// The text of a file, by its path from the root of the project.
std::string page(const std::string& name);

/// A fenced block of a page.
struct Block {
  std::string language;  ///< after the opening fence
  std::string text;
};

/// All blocks of a page in their order.
std::vector<Block> blocks_of(const std::string& text);

/// Expects that every command on a page succeeds and prints the following block of text; returns the number of commands
/// with such a block. The commands run in `folder`.
std::size_t expect_shown(const std::string& name, const std::string& folder);

/// Expects that a session of `salu debug` runs as a block shows it: the command line that starts it, then commands
/// after the prompt with their answers. The commands run in `folder`.
void expect_session(const Block& block, const std::string& folder);

}  // namespace salu::test
