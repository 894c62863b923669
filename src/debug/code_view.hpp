#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string_view>

#include "debug/source_files.hpp"

namespace salu::debug {

struct ConsoleContext;

/// What `list` has shown, and the files that it comes from.
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

/// Shows lines of a file, as far as it has them. `wanted`: the one that was asked for, with those around it.
bool list_lines(ConsoleContext& console, u32 file, u64 first, u64 last, std::optional<u64> wanted = std::nullopt);
/// The lines around a place, or around a line that no instruction comes from; around the PC where none is named.
bool list_around(ConsoleContext& console, std::string_view place);

/// An instruction on a line of its own: `=>` is the next one, `*` has a breakpoint.
void print_instruction(const ConsoleContext& console, u64 address);
/// `count` instructions of the code block that an address lies in: some in front of it, then those from it on.
bool disassemble(const ConsoleContext& console, u64 address, u64 in_front, u64 count);

}  // namespace salu::debug
