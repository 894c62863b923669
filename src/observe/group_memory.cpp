#include "observe/group_memory.hpp"

#include <algorithm>

namespace salu::observe {

std::vector<MemoryRegion> group_memory(const Scenario& scenario) {
  std::vector<MemoryRegion> result;
  if (scenario.private_memory) result.push_back(*scenario.private_memory);
  for (const MemoryRegion& region : scenario.memory.regions()) {
    if (region.base >= shared_memory_base) result.push_back(region);
  }
  return result;
}

void copy_ranges(std::span<const MemoryRegion> ranges, const Memory& from, Memory& to) {
  std::vector<u8> bytes(Memory::page_bytes);
  for (const MemoryRegion& range : ranges) {
    to.clear(range.base, range.size_bytes);
    for (u64 at = range.base; at < range.end();) {
      const u64 next = std::min(range.end(), at - at % Memory::page_bytes + Memory::page_bytes);
      if (from.holds_page(at)) {
        const std::span part = std::span(bytes).first(static_cast<std::size_t>(next - at));
        from.read(at, part);
        to.write(at, part);
      }
      at = next;
    }
  }
}

}  // namespace salu::observe
