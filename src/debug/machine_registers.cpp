#include "debug/machine_registers.hpp"

namespace salu::debug {

u64 read_register(const core::Machine& machine, const RegisterName& name) {
  using Kind = RegisterName::Kind;
  switch (name.kind) {
    case Kind::scc:
      return machine.peek_scc() ? 1 : 0;
    case Kind::pc:
      return machine.pc();
    case Kind::mode:
      return machine.mode;
    case Kind::mode_field:
      return machine.mode >> name.first & ((u64{1} << name.width) - 1);
    case Kind::file: {
      const u64 low = machine.slots[name.first];
      return name.width <= 32 ? low : low | u64{machine.slots[name.first + 1U]} << 32;
    }
    default:
      return salu::read_register(machine.state(), name);
  }
}

}  // namespace salu::debug
