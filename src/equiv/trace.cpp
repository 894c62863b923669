#include "equiv/trace.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace salu::equiv {
namespace {

constexpr std::size_t hex_digits_per_dword = 8;

/// The value behind the `=` of `s[2:3]=0x0000000000000007` or `scc=1`.
std::vector<u32> value_of(std::string_view text) {
  std::string_view digits = text.substr(text.find('=') + 1);
  const bool is_hex = digits.starts_with("0x");
  if (is_hex) digits.remove_prefix(2);
  std::vector<u32> dwords;
  while (!digits.empty()) {
    const std::size_t count = std::min(digits.size(), hex_digits_per_dword);
    const std::string_view last = digits.substr(digits.size() - count);
    u32 value = 0;
    std::from_chars(last.data(), last.data() + last.size(), value, is_hex ? 16 : 10);
    dwords.push_back(value);
    digits.remove_suffix(count);
  }
  return dwords;
}

/// A text of a trace names its locations one by one, in their order.
std::vector<TracedValue> values_of(std::string_view text, std::span<const Location> locations) {
  std::vector<TracedValue> values;
  for (const Location& location : locations) {
    const std::size_t end = std::min(text.find(' '), text.size());
    values.push_back({location, value_of(text.substr(0, end))});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

}  // namespace

Cell TracedValue::cell(std::size_t dword) const {
  constexpr Cell other_cells = 256;
  switch (location.kind) {
    case Location::Kind::registers:
      return location.first + dword;
    case Location::Kind::scc:
      return scc_cell;
    case Location::Kind::memory:
      return memory_cell(location.address) + dword;
    default:
      return other_cells + static_cast<Cell>(location.kind) * other_cells + location.first;
  }
}

bool TracedStep::is_branch() const {
  return instruction.starts_with("s_cbranch") || instruction.starts_with("s_setpc") ||
         instruction.starts_with("s_swappc");
}

std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most) {
  std::vector<TracedStep> steps;
  RunOptions options = side.options();
  options.max_steps = std::min<u64>(options.max_steps, most);
  options.trace = [&steps](const TraceEvent& event) {
    TracedStep& step = steps.emplace_back();
    step.pc = event.pc;
    step.instruction = event.instruction;
    step.reads = event.reads;
    step.writes = event.writes;
    step.read = values_of(event.reads, event.read_from);
    step.written = values_of(event.writes, event.written_to);
  };
  run(side.scenario().program, side.start(), side.memory_before(), options);
  return steps;
}

}  // namespace salu::equiv
