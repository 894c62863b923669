#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "observe/argument_memory.hpp"
#include "observe/undefined/shadow_step.hpp"
#include "observe/undefined/tracker.hpp"
#include "support/numbers.hpp"

/// Undefined bits in memory at the end of a run.
namespace salu::observe::undefined {
namespace {

constexpr std::size_t most_ranges = 16;  ///< limit for the ranges in a warning about one instruction

/// The bits of a dword that the checks of compared memory do not cover.
u64 uncompared_bits(u64 address, std::span<const MemoryRegion> compared) {
  u64 bits = ~u32{0};
  for (const MemoryRegion& region : compared) {
    for (u32 i = 0; i < 4; ++i) {
      if (address + i - region.base < region.size_bytes) bits &= ~(u64{0xff} << (8 * i));
    }
  }
  return bits;
}

/// Undefined bits that one instruction stored.
struct Stored {
  Shadow::Dword first;
  u64 bytes = 0;
  std::vector<UndefinedOutput> memory;
};

void add(Stored& stored, const Shadow::Dword& dword) {
  if (stored.bytes == 0) stored.first = dword;
  for (u32 i = 0; i < 4; ++i) {
    if ((dword.mask.bits >> (8 * i) & 0xff) == 0) continue;
    ++stored.bytes;
    const u64 address = dword.address + i;
    std::vector<UndefinedOutput>& memory = stored.memory;
    if (!memory.empty() && memory.back().address + memory.back().size_bytes == address)
      ++memory.back().size_bytes;
    else if (memory.size() < most_ranges)
      memory.push_back({address, 1, {}});
  }
}

Finding describe_output(const core::Machine& machine, const Origins& origins, Stored& stored,
                        std::span<const NamedMemory> names) {
  Finding finding;
  UndefinedRead& read = finding.read;
  for (UndefinedOutput& output : stored.memory)
    output.name = memory_name(output.address, machine.code().program(), names);
  const UndefinedOutput& first = stored.memory.front();
  read.operand = "[" + support::hex(stored.first.address) + "]";
  read.bits = stored.first.mask.bits;
  read.memory = stored.memory;
  finding.detail = "memory ends with undefined bits: " + support::counted(first.size_bytes, "byte") + " at " +
                   support::hex(first.address) + (first.name.empty() ? "" : " (" + first.name + ")");
  if (const u64 others = stored.bytes - first.size_bytes; others != 0)
    finding.detail += " and " + support::counted(others, "other byte");
  finding.detail += ": " + describe_origin(machine, origins, stored.first.mask.origin, read);
  return finding;
}

}  // namespace

void check_outputs(State& state, core::Machine& machine, std::span<const MemoryRegion> compared,
                   std::span<const NamedMemory> names) {
  std::map<u64, Stored> by_store;
  for (Shadow::Dword dword : state.shadow.undefined_dwords()) {
    if (dword.address >= shared_memory_base || state.shadow.began_undefined(dword.address)) continue;
    dword.mask.bits &= uncompared_bits(dword.address, compared);
    if (dword.mask.bits == 0) continue;
    add(by_store[state.origins[dword.mask.origin].pc], dword);
  }
  for (auto& [pc, stored] : by_store) {
    machine.warn_undefined(WarningKind::undefined_output, pc, [&, &parts = stored] {
      Finding finding = describe_output(machine, state.origins, parts, names);
      return std::pair(std::move(finding.detail), std::move(finding.read));
    });
  }
}

}  // namespace salu::observe::undefined
