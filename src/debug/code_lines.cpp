#include "debug/code_lines.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace salu::debug {

std::vector<CodeLine> code_lines(const Program& program, std::span<const u32> files, u32 first, u32 last) {
  std::map<u32, std::vector<u64>> by_line;
  const std::vector<LineEntry>& entries = program.lines;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const LineEntry& entry = entries[i];
    // Compilers use line 0 for code without a source line.
    const bool is_meant = entry.line >= first && entry.line <= last && entry.line != 0;
    if (!is_meant || std::ranges::find(files, entry.file) == files.end()) continue;
    const bool goes_on = i != 0 && entries[i - 1].file == entry.file && entries[i - 1].line == entry.line;
    if (!goes_on) by_line[entry.line].push_back(entry.address);
  }
  std::vector<CodeLine> result;
  for (auto& [line, addresses] : by_line) result.push_back({line, std::move(addresses)});
  return result;
}

}  // namespace salu::debug
