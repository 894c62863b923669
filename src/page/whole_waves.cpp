#include "page/whole_waves.hpp"

#include <span>

namespace salu::page {

void WholeWaves::see(u64 pc) {
  if (!seen_.insert(pc).second) return;
  const auto section = observe::find_whole_wave_section(program_->generation(), pc,
                                                        [this](u64 address) { return instruction_at(address); });
  if (!section) return;
  begins_.insert(section->first_pc);
  for (u64 address = section->first_pc + 4; address <= section->restoring_pc; address += 4)
    pairs_.try_emplace(address, section->pair);
}

u64 WholeWaves::lanes_at(u64 pc, const TrackedState& state) const {
  const auto found = pairs_.find(pc);
  return found == pairs_.end() ? state.exec() : state.pair(found->second);
}

/// Decodes the program as it was loaded. Sections in self-written code are not recognised.
std::optional<isa::Instruction> WholeWaves::instruction_at(u64 address) const {
  const CodeBlock* const block = program_->find_block(address);
  if (block == nullptr || address % 4 != 0) return std::nullopt;
  return isa::decode(program_->generation(), std::span(block->words).subspan((address - block->base) / 4));
}

}  // namespace salu::page
