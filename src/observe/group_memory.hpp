#pragma once

#include <salu/memory.hpp>
#include <salu/scenario.hpp>

#include <span>
#include <vector>

namespace salu::observe {

/// The memory of which every work-group has its own, with uninitialised contents at its start: the private memory of
/// lanes, and shared memory.
std::vector<MemoryRegion> group_memory(const Scenario& scenario);

/// Replaces the contents of ranges by those of another memory.
void copy_ranges(std::span<const MemoryRegion> ranges, const Memory& from, Memory& to);

}  // namespace salu::observe
