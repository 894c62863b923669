#include "expr/machine_registers.hpp"

namespace salu::expr {

u64 read_register(const core::Machine& machine, const RegisterName& name) {
  if (name.is_scc()) return machine.wave().scc;
  if (name.is_pc()) return machine.pc();
  if (name.index == state_index::mode) {
    return name.width < 32 ? machine.wave().mode >> name.low_bit & ((1U << name.width) - 1) : machine.wave().mode;
  }
  if (name.is_vector()) return machine.lane(name.index);
  if (!name.is_in_file()) return salu::read_register(machine.state(), name);
  return name.width <= 32 ? machine.wave().slots[name.index] : machine.wave().pair(name.index);
}

}  // namespace salu::expr
