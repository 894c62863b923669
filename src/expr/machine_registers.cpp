#include "expr/machine_registers.hpp"

#include <fmt/core.h>

#include "support/numbers.hpp"

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

std::optional<std::string> find_write_problem(const core::Machine& machine, const RegisterName& name, u64 value,
                                              const std::string& quoted) {
  if (name.is_in_file() && machine.wave().is_beyond_allocation(name.index, name.width / 32U))
    return fmt::format("{} is beyond the {} SGPRs that the wave has", quoted, machine.wave().sgprs);
  if (name.is_pc() && (machine.code().program().find_block(value) == nullptr || value % 4 != 0))
    return "no instruction at " + support::hex(value);
  WaveState state = machine.state();
  write_register(state, machine.generation(), name, value);
  const u64 kept = salu::read_register(state, name);
  if (kept == value) return std::nullopt;
  return fmt::format("hardware would keep {} in {}: some bits cannot be set", support::hex(kept), quoted);
}

}  // namespace salu::expr
