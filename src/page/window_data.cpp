#include <algorithm>
#include <span>

#include "page/json_parts.hpp"
#include "page/windows.hpp"

namespace salu::page {
namespace {

constexpr u64 most_window_steps = 4096;

/// The registers of a window: those whose value before it differs from the end of the previous window, and all writes.
/// `values`: the last values.
Json window_registers(const Window& window, std::span<const u32> registers, std::vector<u32>& values) {
  Json found = Json::array();
  Json points = Json::array();
  std::vector<i64> places(state_index::scalar_count, -1);
  for (std::size_t place = 0; place < registers.size(); ++place) {
    places[registers[place]] = static_cast<i64>(place);
    const u32 value = window.start.value(registers[place]);
    if (value != values[place]) found.push_back({place, value});
    values[place] = value;
  }
  const std::span<const Column> columns = window.timeline.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const RegisterPoint& point : columns[i].registers) {
      const i64 place = places[point.index];
      if (place < 0) continue;
      points.push_back({place, i, point.value});
      values[static_cast<std::size_t>(place)] = point.value;
    }
  }
  return {{"found", std::move(found)}, {"points", std::move(points)}};
}

}  // namespace

std::vector<StepRange> choose_windows(const Recording& recording, const ListedParts& listed) {
  const PageOptions& options = recording.options();
  WindowChooser chooser(options.first_step, std::min(options.last_step, recording.steps()), most_window_steps);
  chooser.want(recording.steps(), 255, 0, "end");
  constexpr std::size_t most_findings = 32;
  for (const Finding& finding : listed.findings.first(std::min(listed.findings.size(), most_findings))) {
    for (const FindingLink& link : finding.links) {
      if (!link.wave || link.wave == recording.wave()) chooser.want(link.step, 32, 15, "finding");
    }
  }
  chooser.want(options.first_step, 0, 127, "start");
  constexpr std::size_t most_forks = 100;
  const std::span<const Fork> forks = recording.first_forks().forks();
  for (const Fork& fork : forks.first(std::min(forks.size(), most_forks))) {
    chooser.want(fork.step, 4, 8, "fork");
    chooser.want(fork.sides[1].first_step, 2, 4, "fork");
  }
  for (const u32 index : listed.registers) chooser.want(recording.last_writes().of({index}).step, 2, 1, "write");
  return chooser.ranges();
}

Json windows_json(const Recording& recording, std::span<const Window> windows, const ListedParts& listed) {
  std::vector<u32> values;
  for (const u32 index : listed.registers) values.push_back(recording.start().value(index));
  Json list = Json::array();
  for (const Window& window : windows) {
    const std::span<const Column> columns = window.timeline.columns();
    Json entry = {{"first", window.range.first}, {"steps", columns.size()}, {"why", window.range.why}};
    add_lanes(entry, columns);
    Json instructions = Json::array();
    for (const Column& column : columns) instructions.push_back(listed.lines[column.instructions.front().instruction]);
    entry["instructions"] = std::move(instructions);
    add_step_texts(entry, window.timeline.texts());
    entry["registers"] = window_registers(window, listed.registers, values);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace salu::page
