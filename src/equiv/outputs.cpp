#include "equiv/outputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "isa/operand.hpp"
#include "observe/argument_memory.hpp"
#include "support/numbers.hpp"
#include "support/per_thread.hpp"

namespace salu::equiv {
namespace {

using support::hex;
using Kind = Judgement::Kind;

/// True if both runs have the same end. `returned` corresponds to `end_program` of a program without a caller.
bool ends_alike(const Side& a, const Side& b) {
  if (a.reason() == b.reason()) return true;
  const auto is_end = [](StopReason reason) {
    return reason == StopReason::end_program || reason == StopReason::returned;
  };
  return is_end(a.reason()) && is_end(b.reason()) &&
         can_return(a.scenario().program) != can_return(b.scenario().program);
}

bool is_unknown(StopReason reason) {
  return reason == StopReason::vector_instruction || reason == StopReason::unsupported_instruction;
}

std::span<const u8> bytes_at(const Memory& memory, u64 address, std::vector<u8>& buffer, u64 size) {
  buffer.resize(static_cast<std::size_t>(size));
  memory.read(address, buffer);
  return buffer;
}

/// Buffers for the contents of two memories, reused by comparisons.
struct Compared {
  std::vector<u8> a;
  std::vector<u8> b;
};

/// Bytes of memory that are compared, and reported, together.
constexpr u64 step_bytes(const std::optional<FloatComparison>& floats) {
  return floats && floats->format == FloatFormat::f64 ? 8 : 4;
}

/// Compares values of up to 64 bits, with a width.
bool values_equal(u64 a, u64 b, u32 width, const std::optional<FloatComparison>& floats) {
  return a == b || (floats && are_equal(*floats, a, b, width));
}

bool is_same(const Side& a, const Side& b, const DifferingMemory& memory,
             const std::optional<FloatComparison>& floats) {
  return values_equal(read_bytes(a.memory_after(), memory.addresses[0], memory.size_bytes),
                      read_bytes(b.memory_after(), memory.addresses[1], memory.size_bytes),
                      static_cast<u32>(memory.size_bytes * 8), floats);
}

bool memory_equal(const Side& a, const Side& b, const Output& output) {
  const Place& place = output.place;
  auto& buffers = support::PerThread<Compared>::get();
  return std::ranges::equal(bytes_at(a.memory_after(), place.addresses[0], buffers.a, place.size_bytes),
                            bytes_at(b.memory_after(), place.addresses[1], buffers.b, place.size_bytes)) ||
         (output.floats && differing_memory(a, b, output).empty());
}

bool holds_code(const Program& program, u64 address) { return program.find_block(address) != nullptr; }

/// True for a dword that both programs have, and that is not code in either.
bool is_shared_data(const Side& a, const Side& b, u64 address) {
  for (const Side* side : {&a, &b}) {
    if (side->memory_before().find_region(address) == nullptr) return false;
    if (holds_code(side->scenario().program, address)) return false;
  }
  return true;
}

u64 masked(const Side& side, const Output& output) {
  return side.read(output.place.registers[side.index()]) & output.mask;
}

bool any_lost(const Side& side, const OutputSet& set) {
  return std::ranges::any_of(set.outputs, [&](const Output& output) {
    return !output.place.is_memory && side.is_lost(output.place.registers[side.index()]);
  });
}

bool is_equal(const Side& a, const Side& b, const Output& output) {
  if (output.place.is_memory) return memory_equal(a, b, output);
  return values_equal(masked(a, output), masked(b, output), output.place.registers[0].width, output.floats);
}

bool equal_outputs(const Side& a, const Side& b, const OutputSet& set) {
  for (const Output& output : set.outputs) {
    if (!output.may_be_temporary && !is_equal(a, b, output)) return false;
  }
  if (!set.all_memory || (!changed_memory(a) && !changed_memory(b))) return true;
  return differing_memory(a, b, set.memory_floats).empty();
}

/// Formats a value of a width; one of B with its distance from that of A.
std::string value_text(u64 value, u32 width, const std::optional<FloatComparison>& floats,
                       std::optional<u64> of_a = {}) {
  if (!floats) return width < 32 ? std::to_string(value) : hex(value, width / 4);
  return float_values_text(floats->format, value, width) + (of_a ? distance_text(*floats, *of_a, value, width) : "");
}

}  // namespace

bool can_return(const Program& program) { return program.function_end || program.return_address; }

bool is_passing_memory(const Side& side, u64 address) {
  const auto& own = side.scenario().private_memory;
  return address >= shared_memory_base || (own && address >= own->base && address < own->end());
}

bool changed_memory(const Side& side) {
  return !Memory::differing_pages(side.memory_before(), side.memory_after()).empty();
}

std::vector<u64> changed_dwords(const Side& side) {
  std::vector<u64> dwords;
  for (const u64 page : Memory::differing_pages(side.memory_before(), side.memory_after())) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      const bool is_same = side.memory_before().read_dword(address) == side.memory_after().read_dword(address);
      if (!is_same && !is_passing_memory(side, address)) dwords.push_back(address);
    }
  }
  return dwords;
}

ChangedMemory find_changed(const Side& a, const Side& b) {
  std::vector<u64> pages = Memory::differing_pages(a.memory_before(), a.memory_after());
  const std::vector<u64> others = Memory::differing_pages(b.memory_before(), b.memory_after());
  pages.insert(pages.end(), others.begin(), others.end());
  std::ranges::sort(pages);
  const auto rest = std::ranges::unique(pages);
  pages.erase(rest.begin(), rest.end());
  ChangedMemory result;
  for (const u64 page : pages) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      const auto changed = [address](const Side& side) {
        return side.memory_before().read_dword(address) != side.memory_after().read_dword(address);
      };
      if (is_passing_memory(a, address) || is_passing_memory(b, address) || (!changed(a) && !changed(b))) continue;
      if (is_shared_data(a, b, address)) {
        result.dwords.push_back(address);
      } else {
        result.left_out = true;
      }
    }
  }
  return result;
}

std::vector<DifferingMemory> differing_memory(const Side& a, const Side& b, const Output& output) {
  const Place& place = output.place;
  const u64 step = step_bytes(output.floats);
  std::vector<DifferingMemory> found;
  for (u64 offset = 0; offset < place.size_bytes; offset += step) {
    const DifferingMemory here{{place.addresses[0] + offset, place.addresses[1] + offset},
                               std::min(step, place.size_bytes - offset)};
    if (!is_same(a, b, here, output.floats)) found.push_back(here);
  }
  return found;
}

std::vector<DifferingMemory> differing_memory(const Side& a, const Side& b,
                                              const std::optional<FloatComparison>& floats) {
  const u64 step = step_bytes(floats);
  std::vector<DifferingMemory> found;
  u64 last = ~u64{0};
  for (u64 address : find_changed(a, b).dwords) {
    address -= address % step;
    const DifferingMemory here{{address, address}, step};
    if (address != last && !is_same(a, b, here, floats)) found.push_back(here);
    last = address;
  }
  return found;
}

Judgement judge(const Side& a, const Side& b, const OutputSet& set) {
  if (set.assumed != nullptr && !set.assumed->hold(a)) return {Kind::not_assumed, {}};
  if (a.is_astray() || b.is_astray()) {
    return {Kind::skipped, "control flow or stored data depends on a skipped vector instruction"};
  }
  const bool as_expected =
      a.reason() == b.reason() && std::ranges::find(set.expected_stops, a.reason()) != set.expected_stops.end();
  if (!as_expected) {
    if (is_unknown(a.reason()) || is_unknown(b.reason())) {
      return {Kind::skipped, "an instruction that salu does not execute"};
    }
    if (a.reason() == StopReason::step_limit && b.reason() == StopReason::step_limit) {
      return {Kind::skipped, "both reached the step limit"};
    }
    if (is_fault(a.reason()) && is_fault(b.reason())) {
      if (!set.compare_faults) return {Kind::skipped, "both faulted"};
      // Other outputs are not compared: intermediate states of two compilations differ.
      return {a.reason() == b.reason() ? Kind::equal : Kind::stop_differs, {}};
    }
    if (!ends_alike(a, b)) return {Kind::stop_differs, {}};
  }
  if (any_lost(a, set) || any_lost(b, set)) {
    return {Kind::skipped, "an output depends on a skipped vector instruction"};
  }
  if (!equal_outputs(a, b, set)) return {Kind::outputs_differ, {}};
  const bool is_open = std::ranges::any_of(
      set.outputs, [&](const Output& output) { return output.may_be_temporary && !is_equal(a, b, output); });
  if (is_open) return {Kind::skipped, result_or_temporary};
  return {Kind::equal, {}};
}

std::vector<DifferingOutput> list_differences(const Side& a, const Side& b, const OutputSet& set) {
  constexpr std::size_t most = 16;
  std::vector<DifferingOutput> list;
  std::size_t more = 0;
  const auto add = [&](std::string name, std::string left, std::string right) {
    if (list.size() == most) {
      ++more;
    } else {
      list.push_back({std::move(name), std::move(left), std::move(right)});
    }
  };
  const std::vector<NamedMemory> arguments = observe::argument_memory(a.scenario());
  const auto add_memory = [&](u64 address, std::string left, std::string right) {
    const std::size_t before = list.size();
    add("memory " + hex(address), std::move(left), std::move(right));
    if (list.size() != before) list.back().object = observe::memory_name(address, a.scenario().program, arguments);
  };
  if (!ends_alike(a, b)) {
    const auto text = [](const Side& side) {
      const Stop stop = side.stop();
      return std::string(stop.reason_name()) + (stop.detail.empty() ? "" : ": " + stop.detail);
    };
    add("stop", text(a), text(b));
    return list;
  }
  const auto add_all_memory = [&](const std::vector<DifferingMemory>& differing, const auto& floats) {
    for (const auto& [addresses, size] : differing) {
      const auto width = static_cast<u32>(size * 8);
      const u64 left = read_bytes(a.memory_after(), addresses[0], size);
      const u64 right = read_bytes(b.memory_after(), addresses[1], size);
      add_memory(addresses[0], floats ? value_text(left, width, floats) : hex(left, width / 4),
                 floats ? value_text(right, width, floats, left) : hex(right, width / 4));
    }
  };
  for (const Output& output : set.outputs) {
    if (output.place.is_memory) {
      add_all_memory(differing_memory(a, b, output), output.floats);
    } else if (!output.may_be_temporary && !is_equal(a, b, output)) {
      const u32 width = output.place.registers[0].width;
      const u64 left = masked(a, output);
      add(output.place.name, value_text(left, width, output.floats),
          value_text(masked(b, output), width, output.floats, left));
    }
  }
  if (set.all_memory) add_all_memory(differing_memory(a, b, set.memory_floats), set.memory_floats);
  if (more != 0) list.push_back({fmt::format("and {} more", more), "", ""});
  return list;
}

}  // namespace salu::equiv
