#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string_view>

#include "debug/source_files.hpp"

namespace salu::debug {

struct ConsoleContext;

/// The lines that `list` has shown, and the source files.
struct ListedSource {
  struct Lines {
    u32 file = 0;  ///< index in `Program::files`
    u64 first = 0;
    u64 last = 0;
  };
  std::optional<Lines> lines;  ///< since the last stop
  SourceFiles files;

  void forget() { lines.reset(); }
};

/// Prints lines of a file, as far as they exist. `wanted`: the line that the user named.
bool list_lines(ConsoleContext& console, u32 file, u64 first, u64 last, std::optional<u64> wanted = std::nullopt);
/// Prints the lines around a place, around a line without code, or around the PC if `place` is empty.
bool list_around(ConsoleContext& console, std::string_view place);

/// Prints an instruction: `=>` marks the next one, `*` a breakpoint.
void print_instruction(const ConsoleContext& console, u64 address);
/// Prints `count` instructions of a code block: up to `in_front` before the address, then those from it on.
bool disassemble(const ConsoleContext& console, u64 address, u64 in_front, u64 count);

}  // namespace salu::debug
