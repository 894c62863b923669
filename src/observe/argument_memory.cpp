#include "observe/argument_memory.hpp"

#include "support/numbers.hpp"

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

std::string memory_name(u64 address, const Program& program, std::span<const NamedMemory> names) {
  const auto name_in = [address](const std::string& name, u64 base) {
    return address == base ? name : name + "+" + support::hex(address - base);
  };
  const NamedMemory* nearest = nullptr;
  for (const NamedMemory& named : names) {
    const bool is_inside = address - named.region.base < named.region.size_bytes;
    if (is_inside && (nearest == nullptr || nearest->region.base < named.region.base)) nearest = &named;
  }
  if (nearest != nullptr) return name_in(nearest->name, nearest->region.base);
  for (const Symbol& symbol : program.symbols) {
    if (address - symbol.address < symbol.size_bytes) return name_in(symbol.name, symbol.address);
  }
  return {};
}

}  // namespace salu::observe
