#include "observe/accesses.hpp"

#include "core/memory_access.hpp"
#include "isa/hwreg.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "observe/operand_walk.hpp"
#include "support/numbers.hpp"

namespace salu::observe {
namespace {

using isa::EffectSet;
using isa::Field;
using isa::Instruction;
using isa::OperandClass;
using isa::OperandSpec;
using MemoryKind = isa::MemoryOperation::Kind;

constexpr Location scc_place{state_index::scc};
constexpr Location mode_place{state_index::mode};
constexpr Location status_place{state_index::status};

/// The registers from an operand code on.
Location registers(const core::Machine& machine, u32 code, u32 dwords) {
  return {register_index(machine.generation(), code), dwords};
}

/// The register that a source actually reads: s0 for a register beyond the allocation.
u32 register_read(const core::Machine& machine, u32 code, u32 dwords) {
  return machine.wave().is_beyond_allocation(code, dwords) ? 0 : code;
}

}  // namespace

bool is_writable(const core::Machine& machine, u8 code, u32 dwords) {
  const OperandClass operand = isa::operand_class(machine.generation(), code);
  const bool privileged = operand == OperandClass::ttmp || operand == OperandClass::tba || operand == OperandClass::tma;
  if (privileged && !machine.wave().priv()) return false;
  return !machine.wave().is_beyond_allocation(code, dwords);
}

void add_source(std::vector<Location>& reads, const core::Machine& machine, u8 code, u32 dwords) {
  const OperandClass operand = isa::operand_class(machine.generation(), code);
  if (operand == OperandClass::ttmp && machine.wave().hides_ttmps()) return;
  if (isa::is_register(operand)) reads.push_back(registers(machine, register_read(machine, code, dwords), dwords));
  if (operand == OperandClass::vccz) reads.push_back({state_index::vcc, 2});
  if (operand == OperandClass::execz) reads.push_back({state_index::exec, 2});
  if (operand == OperandClass::scc) reads.push_back(scc_place);
}

namespace {

void add_effects(std::vector<Location>& list, EffectSet effects, const core::Machine& machine,
                 const Instruction& instruction) {
  visit_effects(effects, machine.generation(), instruction,
                [&list](const Location& place, bool) { list.push_back(place); });
}

/// Four SGPRs of the control stack. Beyond the allocation, both pairs are read from s[0:1], and writes are dropped.
void add_stack_entry(std::vector<Location>& list, const core::Machine& machine, u32 entry, bool is_written) {
  const u32 first = entry * 4;
  if (machine.wave().is_beyond_allocation(first, 4)) {
    if (!is_written) list.push_back(registers(machine, 0, 2));
  } else {
    list.push_back(registers(machine, first, 4));
  }
}

/// The register that M0 selects; out of range, s0 is read and writes are dropped.
void add_relative(std::vector<Location>& list, const core::Machine& machine, const OperandSpec& base, u32 code) {
  const u64 index = u64{code} + machine.wave().peek(state_index::m0);
  const bool in_range = index + base.dwords <= machine.wave().sgprs;
  if (in_range || base.reads) list.push_back(registers(machine, in_range ? static_cast<u32>(index) : 0, base.dwords));
}

void add_memory(Accesses& accesses, const core::Machine& machine, const Instruction& instruction) {
  const isa::MemoryOperation& operation = isa::memory_operation(instruction.insn);
  const core::MemoryRequest request = core::find_memory_request(machine.wave(), instruction);
  visit_operands(instruction, [&](const OperandSpec& operand, u8 code) {
    if (operand.reads) add_source(accesses.reads, machine, code, operand.dwords);
    const u32 written = dwords_written(instruction, operand);
    if (written != 0 && is_writable(machine, code, written))
      accesses.writes.push_back(registers(machine, code, written));
  });
  if (instruction.memory.has_offset_register) add_source(accesses.reads, machine, instruction.memory.soffset, 1);
  if (request.in_bounds == 0 || core::is_suppressed(machine.wave(), instruction, request)) return;
  // An access that stops the run is not performed.
  if (request.negative_offset ||
      core::find_barred_dword(machine.wave(), machine.memory_now(), request, operation.kind != MemoryKind::load))
    return;
  const Location memory = Location::in_memory(request.address, request.in_bounds);
  if (operation.kind != MemoryKind::store) accesses.reads.push_back(memory);
  if (operation.kind != MemoryKind::load) accesses.writes.push_back(memory);
}

}  // namespace

Accesses find_accesses(const core::Machine& machine, const Instruction& instruction) {
  Accesses result;
  find_accesses(machine, instruction, result);
  return result;
}

bool has_fixed_accesses(Generation generation, const Instruction& instruction) {
  if (instruction.encoding != isa::EncodingClass::scalar) return true;
  if (isa::find_operand_fault(generation, instruction)) return true;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  if (isa::is_scalar_memory(instruction.insn) || info.writes_if_scc) return false;
  if (info.flow == isa::Flow::join || info.flow == isa::Flow::trap) return false;
  if (info.touches_any(isa::effect::relative | isa::effect::stack)) return false;
  // TTMPs are only visible if STATUS.PRIV is set.
  if (generation_info(generation).ttmps_need_priv) {
    for (const OperandSpec& source : info.shape.span()) {
      const std::optional<u8> code = isa::operand_code(instruction, source.field);
      if (source.reads && source.dwords != 0 && code && isa::operand_class(generation, *code) == OperandClass::ttmp)
        return false;
    }
  }
  const OperandSpec* const destination = info.shape.find(Field::sdst);
  if (destination == nullptr || !destination->writes) return true;
  // The write takes effect only if STATUS.PRIV allows it.
  const OperandClass operand = isa::operand_class(generation, instruction.sdst);
  return operand != OperandClass::ttmp && operand != OperandClass::tba && operand != OperandClass::tma;
}

void find_accesses(const core::Machine& machine, const Instruction& instruction, Accesses& result) {
  result.clear();
  if (instruction.encoding != isa::EncodingClass::scalar) return;
  if (isa::find_operand_fault(machine.generation(), instruction)) return;
  if (isa::is_scalar_memory(instruction.insn)) {
    add_memory(result, machine, instruction);
    return;
  }
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  const bool moves = !info.writes_if_scc || machine.wave().scc != 0;
  visit_operands(instruction, [&](const OperandSpec& operand, u8 code) {
    if (operand.is_relative) return add_relative(operand.reads ? result.reads : result.writes, machine, operand, code);
    if (operand.reads) add_source(result.reads, machine, code, operand.dwords);
    if (operand.writes && moves && is_writable(machine, code, operand.dwords))
      result.writes.push_back(registers(machine, code, operand.dwords));
  });
  const u32 csp = machine.wave().csp();
  // A join that finds its own CSP again continues and does not access the stack.
  if (info.flow == isa::Flow::join && machine.wave().peek(register_read(machine, instruction.ssrc0, 1)) == csp) {
    result.reads.push_back(mode_place);
    return;
  }
  // A trap that STATUS.TRAP_EN disables is ignored.
  if (info.flow == isa::Flow::trap && status_layout(machine.generation()).trap_en.of(machine.wave().status) == 0) {
    result.reads.push_back(status_place);
    return;
  }
  add_effects(result.reads, info.reads, machine, instruction);
  add_effects(result.writes, info.writes, machine, instruction);
  if (info.reads_any(isa::effect::stack)) add_stack_entry(result.reads, machine, (csp - 1) & 7, false);
  if (info.writes_any(isa::effect::stack)) add_stack_entry(result.writes, machine, csp, true);
}

bool find_accesses_beside_stack(const core::Machine& machine, const Instruction& instruction, Accesses& result) {
  result.clear();
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  bool are_there = true;
  visit_operands(instruction, [&](const OperandSpec& operand, u8 code) {
    if (!operand.reads) return;
    const OperandClass kind = isa::operand_class(machine.generation(), code);
    const bool is_there = kind == OperandClass::sgpr ? machine.wave().in_allocation(code, operand.dwords)
                                                     : kind == OperandClass::vcc || kind == OperandClass::exec ||
                                                           kind == OperandClass::m0 || isa::is_inline_constant(kind);
    are_there = are_there && is_there;
    add_source(result.reads, machine, code, operand.dwords);
  });
  add_effects(result.reads, info.reads, machine, instruction);
  add_effects(result.writes, info.writes, machine, instruction);
  return are_there;
}

void find_accesses(const core::Machine& machine, const Assumption& assumption, Accesses& result) {
  result.clear();
  const u64 lanes = machine.wave().pair(state_index::exec);
  const auto add = [&](const RegisterName& name, std::vector<Location>& list, std::vector<Accesses::Lanes>& vectors) {
    if (!name.is_vector()) return list.push_back(name.location());
    const u32 lane = state_index::lane_of(name.index);
    const u64 touched = name.vector_registers() == 0 ? u64{1} << lane : lanes;
    vectors.push_back({state_index::vector_of(name.index), touched});
  };
  for (const AssumedWrite& write : assumption.writes) {
    if (write.from) add(*write.from, result.reads, result.vectors_read);
    add(write.to, result.writes, result.vectors_written);
  }
}

namespace {

u32 dword_at(const core::Machine& machine, u32 index) {
  using namespace state_index;
  if (index < tba) return machine.wave().peek(index);
  if (index < scc) return machine.wave().trap_address_dword(index - tba);
  if (index == scc) return machine.wave().scc;
  if (index == mode) return machine.wave().mode;
  if (index == status) return machine.wave().hwreg(isa::hwreg_id::status);
  if (index < pc + 2) return static_cast<u32>(machine.pc() >> (32 * (index - pc)));
  if (index >= vgprs) return machine.lane(index);
  return machine.wave().hwreg(index - hwregs);
}

/// `tba`, `tba_lo`, `tma_hi`.
std::string trap_address_name(u32 index, u32 dwords) {
  const bool is_tba = index < state_index::tma;
  const bool is_low = index == (is_tba ? state_index::tba : state_index::tma);
  return std::string(is_tba ? "tba" : "tma") + (dwords == 2 ? "" : is_low ? "_lo" : "_hi");
}

}  // namespace

LocationValue value_at(const core::Machine& machine, const Location& location) {
  LocationValue result{location};
  const bool is_shared = location.is_memory() && location.address >= shared_memory_base;
  for (u32 i = 0; i < location.dwords; ++i) {
    const u64 address = location.address + u64{i} * 4;
    result.dwords[i] = location.is_memory()
                           ? machine.memory_now().read_dword(is_shared ? address : machine.wave().data_address(address))
                           : dword_at(machine, location.index + i);
  }
  return result;
}

bool are_in(u32 vector_number, u64 lanes, const Location& place) {
  const u32 first = RegisterName::in_vectors(vector_number).index;
  for (u64 left = lanes; left != 0; left &= left - 1) {
    if (overlap(place, {first + static_cast<u32>(std::countr_zero(left))})) return true;
  }
  return false;
}

std::string location_name(Generation generation, const Location& location) {
  using namespace state_index;
  const u32 index = location.index;
  if (location.is_memory()) return "[" + support::hex(location.address) + "]";
  if (index >= vgprs) return isa::vector_register_name(index, location.dwords);
  if (index >= hwregs) {
    const isa::HwregInfo* info = isa::find_hwreg(generation, index - hwregs);
    return info == nullptr ? "hwreg" + std::to_string(index - hwregs) : std::string(info->name);
  }
  if (index < tba) return isa::register_name(generation, register_code(generation, index), location.dwords);
  if (index < scc) return trap_address_name(index, location.dwords);
  if (index == scc) return "scc";
  if (index == mode) return "mode";
  return index == status ? "status" : "pc";
}

std::string describe(Generation generation, const LocationValue& value) {
  support::TextBuffer text;
  append_value(text, location_name(generation, value.location), value);
  return std::string(text.view());
}

void append_value(support::TextBuffer& text, std::string_view name, const LocationValue& value) {
  text.append(name);
  if (value.location.index == state_index::scc) {
    text.append(value.dwords[0] != 0 ? "=1" : "=0");
    return;
  }
  text.append("=0x");
  for (u32 i = value.location.dwords; i-- > 0;) text.append_digits(value.dwords[i]);
}

std::vector<u32> defined_indices(const Location& location) {
  std::vector<u32> indices;
  visit_defined_indices(location, [&indices](u32 index) { indices.push_back(index); });
  return indices;
}

}  // namespace salu::observe
