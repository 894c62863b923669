#include "observe/argument_memory.hpp"

namespace salu::observe {

std::vector<NamedMemory> argument_memory(const Scenario& scenario) {
  constexpr u64 pointer_bytes = 8;
  std::vector<NamedMemory> result;
  for (const KernelArgumentPlace& argument : scenario.arguments) {
    if (argument.by_value || argument.size_bytes != pointer_bytes || argument.name.empty()) continue;
    const u64 pointer =
        scenario.memory.read_dword(argument.address) | u64{scenario.memory.read_dword(argument.address + 4)} << 32;
    const MemoryRegion* const region = scenario.memory.find_region(pointer);
    if (region != nullptr) result.push_back({argument.name, {pointer, region->end() - pointer, region->access}});
  }
  return result;
}

}  // namespace salu::observe
