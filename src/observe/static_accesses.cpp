#include "observe/static_accesses.hpp"

#include <algorithm>

#include "core/vector/lane_addresses.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/vector/semantics/address.hpp"
#include "isa/vector/table.hpp"
#include "observe/operand_walk.hpp"

namespace salu::observe {
namespace {

namespace vector = isa::vector;
using isa::OperandClass;
using isa::OperandSpec;
using vector::LaneWork;

/// The control stack has eight entries of four SGPRs (CSP counts modulo 8).
constexpr u32 control_stack_dwords = 32;

void add(WaveRegisters& set, const Location& place) {
  for (u32 index = place.index; index < place.index + place.dwords; ++index) {
    if (state_index::is_lane(index)) {
      set.vectors.set(state_index::vector_of(index));
    } else {
      set.scalars.set(index);
    }
  }
}

/// Adds operands to the accesses of an instruction.
class Adder {
 public:
  explicit Adder(const StaticContext& context) : context_(context) {}

  void read(u32 code, u32 dwords) {
    const OperandClass operand = operand_class(code);
    if (operand == OperandClass::vccz) return add_pair(result_.reads, state_index::vcc);
    if (operand == OperandClass::execz) return add_pair(result_.reads, state_index::exec);
    if (operand == OperandClass::scc) return result_.reads.scalars.set(state_index::scc), void();
    if (!isa::is_register(operand)) return;
    // A source beyond the allocation reads s0 and the following registers.
    add(result_.reads, code, dwords);
    if (operand == OperandClass::sgpr && code + dwords > context_.sgprs) add(result_.reads, 0, dwords);
  }
  void write(u32 code, u32 dwords, bool always) {
    const OperandClass operand = operand_class(code);
    if (!isa::is_register(operand)) return;
    add(result_.writes, code, dwords);
    // Writes beyond the allocation, and to trap registers without STATUS.PRIV, are dropped.
    const bool is_allocated = operand != OperandClass::sgpr || code + dwords <= context_.sgprs;
    const bool is_trap_register =
        operand == OperandClass::ttmp || operand == OperandClass::tba || operand == OperandClass::tma;
    if (always && is_allocated && !is_trap_register) add(result_.always, code, dwords);
  }
  /// A VGPR or AGPR; beyond the allocation, v0 and the following registers are read.
  void read_vectors(u32 first, u32 count) {
    add_vectors(result_.reads, first, count);
    const bool is_vgpr = first < VectorRegisters::vgprs;
    const u32 end = is_vgpr ? context_.vgprs : VectorRegisters::vgprs + context_.agprs;
    if (first + count > end) add_vectors(result_.reads, 0, count);
  }
  void write_vectors(u32 first, u32 count, bool always) {
    add_vectors(result_.writes, first, count);
    if (always && !context_.skips_vectors) add_vectors(result_.always, first, count);
  }
  static void add_all_vgprs(WaveRegisters& set) {
    for (u32 i = 0; i < VectorRegisters::vgprs; ++i) set.vectors.set(i);
  }
  void add(WaveRegisters& set, u32 code, u32 dwords) const {
    for (u32 i = 0; i < dwords && code + i < code::count; ++i)
      set.scalars.set(register_index(context_.generation, code + i));
  }
  [[nodiscard]] OperandClass operand_class(u32 code) const {
    return isa::operand_class(context_.generation, static_cast<u8>(code));
  }
  [[nodiscard]] const OperandCodes& codes() const { return operand_codes(context_.generation); }
  StaticAccesses& result() { return result_; }

 private:
  static void add_pair(WaveRegisters& set, u32 index) { set.scalars.set(index).set(index + 1); }
  static void add_vectors(WaveRegisters& set, u32 first, u32 count) {
    for (u32 i = 0; i < count && first + i < VectorRegisters::count; ++i) set.vectors.set(first + i);
  }

  const StaticContext& context_;
  StaticAccesses result_;
};

void add_sources(Adder& adder, const vector::Instruction& instruction, const vector::Shape& shape, bool moves) {
  for (u32 i = 0; i < shape.source_count(); ++i) {
    const vector::Operand& operand = shape.sources[i];
    const vector::Source& source = instruction.sources[i];
    if (operand.kind == vector::OperandKind::constant) continue;
    if (operand.kind == vector::OperandKind::agpr) {
      adder.read_vectors(VectorRegisters::vgprs + source.code, 1);
    } else if (!source.is_vgpr()) {
      adder.read(source.code, operand.dwords());
    } else if (moves) {
      Adder::add_all_vgprs(adder.result().reads);
    } else {
      adder.read_vectors(source.code - vector::first_vgpr, operand.dwords());
    }
  }
}

void add_destination(Adder& adder, const vector::Instruction& instruction, const vector::InstructionInfo& row,
                     bool moves) {
  const vector::Operand& operand = row.shape.destination;
  const bool reads = row.shape.accumulates || row.work == LaneWork::exchange;
  if (!operand.is_there()) return;
  if (operand.kind == vector::OperandKind::scalar) return adder.write(instruction.destination, operand.dwords(), true);
  const u32 first = instruction.destination + (operand.kind == vector::OperandKind::agpr ? VectorRegisters::vgprs : 0);
  if (moves && operand.kind != vector::OperandKind::agpr) {
    Adder::add_all_vgprs(adder.result().writes);
    if (reads) Adder::add_all_vgprs(adder.result().reads);
    return;
  }
  // A partially written destination keeps its other bits, V_WRITELANE all lanes except one, and DPP any lane.
  const bool keeps = operand.bits < 32 || row.work == LaneWork::write_lane || row.work == LaneWork::exchange ||
                     vector::is_extended(instruction.form);
  if (reads) adder.read_vectors(first, operand.dwords());
  adder.write_vectors(first, operand.dwords(), !keeps);
}

void add_vector_alu(Adder& adder, const vector::Instruction& instruction, const vector::InstructionInfo& row,
                    bool moves) {
  const vector::Shape& shape = row.shape;
  add_sources(adder, instruction, shape, moves || row.moves_source);
  add_destination(adder, instruction, row, moves || row.moves_destination);
  if (shape.is_swap && instruction.sources[0].is_vgpr())
    adder.write_vectors(instruction.sources[0].code - vector::first_vgpr, 1, !moves && row.work != LaneWork::exchange);
  if (shape.reads_mask) adder.read(instruction.mask_source, 2);
  if (shape.writes_mask) adder.write(instruction.mask_destination, 2, true);
  if (shape.writes_exec) adder.write(adder.codes().exec, 2, true);
  if (!row.selects_lane()) adder.read(adder.codes().exec, 2);
  if (row.work == LaneWork::relative || moves) adder.read(adder.codes().m0, 1);
}

void add_vector_memory(Adder& adder, const StaticContext& context, const vector::Instruction& instruction,
                       const vector::InstructionInfo& row) {
  using vector::Format;
  if (row.access.bytes == 0) return;
  const vector::MemoryOperands& operands = instruction.memory;
  adder.read(adder.codes().exec, 2);
  if (row.is_buffer()) adder.read(operands.descriptor, 4);
  if (const u32 dwords = core::scalar_dwords(instruction); dwords != 0) adder.read(operands.scalar, dwords);
  if (row.format == Format::scratch || row.format == Format::flat)
    adder.read(generation_info(context.generation).flat_scratch, 2);
  const bool may_be_limited = (row.format == Format::ds && !row.access.moves_lanes()) || row.format == Format::flat;
  const bool is_at_m0 = row.access.address != vector::SharedAddress::vgpr;
  if (operands.lds || is_at_m0 || (may_be_limited && vector::semantics::m0_limits_lds(context.generation)))
    adder.read(adder.codes().m0, 1);
  adder.read_vectors(operands.address, core::address_registers(instruction));
  const u32 bank = operands.is_accumulator ? VectorRegisters::vgprs : 0;
  if (row.access.takes_data()) adder.read_vectors(bank + operands.data, row.access.data_dwords());
  if (row.access.takes_second_data()) adder.read_vectors(bank + operands.second_data, row.access.data_dwords());
  if (vector::has_result(instruction) && !operands.lds) {
    const u32 dwords = row.access.result_dwords() + u32{operands.tfe};
    adder.write_vectors(bank + vector::result_register(instruction), dwords, !row.access.keeps_half && !operands.tfe);
  }
  adder.result().reads_memory = row.access.reads_memory();
  adder.result().writes_memory = row.access.writes_memory() || operands.lds;
}

}  // namespace

StaticAccesses static_accesses(const StaticContext& context, const isa::Instruction& instruction) {
  if (instruction.encoding != isa::EncodingClass::scalar) return {};
  if (isa::find_operand_fault(context.generation, instruction)) return {};
  Adder adder(context);
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  StaticAccesses& result = adder.result();
  result.reads_memory = info.reads_any(isa::effect::memory);
  result.writes_memory = info.writes_any(isa::effect::memory);
  const bool is_atomic = result.reads_memory && result.writes_memory;
  visit_operands(instruction, [&](const OperandSpec& operand, u8 code) {
    if (operand.is_relative) {
      const u32 sgprs = operand.reads ? std::max<u32>(context.sgprs, operand.dwords) : context.sgprs;
      return adder.add(operand.reads ? result.reads : result.writes, 0, sgprs);
    }
    if (operand.reads) adder.read(code, operand.dwords);
    if (operand.writes) adder.write(code, dwords_written(instruction, operand), !info.writes_if_scc && !is_atomic);
  });
  if (instruction.memory.has_offset_register) adder.read(instruction.memory.soffset, 1);
  // A fork may not push, and a join continues if CSP is as expected: their effects are possible, not certain.
  const bool is_certain = info.flow != isa::Flow::fork && info.flow != isa::Flow::join && info.flow != isa::Flow::trap;
  visit_effects(info.reads, context.generation, instruction,
                [&](const Location& place, bool) { add(result.reads, place); });
  visit_effects(info.writes, context.generation, instruction, [&](const Location& place, bool is_whole) {
    add(result.writes, place);
    if (is_whole && is_certain) add(result.always, place);
  });
  if (info.reads_any(isa::effect::stack)) adder.add(result.reads, 0, control_stack_dwords);
  if (info.writes_any(isa::effect::stack)) adder.add(result.writes, 0, control_stack_dwords);
  return result;
}

StaticAccesses static_accesses(const StaticContext& context, const vector::Instruction& instruction) {
  const vector::InstructionInfo& row = vector::row(instruction.insn);
  if (row.work == LaneWork::no_effect) return {};
  Adder adder(context);
  if (row.is_memory()) {
    add_vector_memory(adder, context, instruction, row);
  } else {
    add_vector_alu(adder, instruction, row, context.moves_vectors);
  }
  // A skipped vector instruction does not write scalar registers either.
  if (context.skips_vectors) adder.result().always = {};
  return adder.result();
}

StaticAccesses static_accesses(const Assumption& assumption) {
  StaticAccesses result;
  for (const AssumedWrite& write : assumption.writes) {
    if (write.from) add(result.reads, write.from->location());
    add(result.writes, write.to.location());
    if (!write.to.is_vector()) add(result.always, write.to.location());
    // A vector register is written in the lanes that are active in EXEC.
    if (write.to.is_vector()) add(result.reads, RegisterName::in_file(state_index::exec, 2).location());
  }
  return result;
}

}  // namespace salu::observe
