#pragma once

#include <string>
#include <vector>

#include "tool.hpp"

namespace salu::test {

/// A scenario of a few instructions, each indented by six blanks, the first of which is at `start`, with further keys.
inline std::string scenario(const std::string& assembly, const std::string& more = {}) {
  return "target: gfx900\ncode:\n  asm: |\n    start:\n" + assembly + more;
}

/// `salu run` on such a scenario, read from standard input.
inline ToolRun run_scenario(const std::string& assembly, const std::string& more = {},
                            std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"run", "-"});
  return run_tool(arguments, scenario(assembly, more));
}

}  // namespace salu::test
