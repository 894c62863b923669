#include <algorithm>
#include <map>
#include <set>

#include "page/json_parts.hpp"

namespace salu::page {
namespace {

constexpr std::size_t most_source_lines = 4000;
constexpr u32 most_source_gap = 500;

/// The lines around the wanted ones, with those between them: labels, comments, code without instructions. Lines far
/// from others are omitted.
Json lines_around(const std::set<u32>& wanted, const std::vector<std::string>& text, u32 first, std::size_t& left) {
  u32 end = first;
  for (const u32 number : wanted) {
    if (number > text.size() || number >= end + most_source_gap) break;
    end = number + 1;
  }
  Json lines = Json::array();
  for (u32 number = first; number < end && left != 0; ++number, --left) lines.push_back(text[number - 1]);
  return lines;
}

}  // namespace

Json sources_json(const Recording& recording, std::span<const ListingLine> lines) {
  std::map<std::string, std::set<u32>> wanted;
  const Program& program = recording.scenario().program;
  for (const ListingLine& line : lines) {
    const LineEntry* const entry = line.hidden == 0 ? program.find_line(line.pc) : nullptr;
    if (entry != nullptr && entry->line != 0) wanted[program.files.at(entry->file)].insert(entry->line);
  }
  Json sources = Json::array();
  std::size_t left = most_source_lines;
  for (const auto& [file, numbers] : wanted) {
    const std::vector<std::string>* const text = recording.options().read_source(file);
    if (text == nullptr) continue;
    const u32 first = std::max(*numbers.begin(), 2U) - 1;
    sources.push_back({{"file", file}, {"first", first}, {"lines", lines_around(numbers, *text, first, left)}});
  }
  return sources;
}

}  // namespace salu::page
