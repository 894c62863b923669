#include "debug/machine_registers.hpp"

namespace salu::debug {

u64 read_register(const core::Machine& machine, const RegisterName& name) {
  if (name.is_scc()) return machine.peek_scc() ? 1 : 0;
  if (name.is_pc()) return machine.pc();
  if (name.index == state_index::mode) {
    return name.width < 32 ? machine.mode >> name.low_bit & ((1U << name.width) - 1) : machine.mode;
  }
  if (!name.is_in_file()) return salu::read_register(machine.state(), name);
  const u64 low = machine.slots[name.index];
  return name.width <= 32 ? low : low | u64{machine.slots[name.index + 1]} << 32;
}

}  // namespace salu::debug
