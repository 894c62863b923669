#include "observe/hazards/hazard_facts.hpp"

#include <salu/state.hpp>

#include "isa/control_flow.hpp"
#include "isa/memory_table.hpp"
#include "isa/symbolic.hpp"
#include "isa/table.hpp"
#include "isa/vector_sources.hpp"
#include "observe/operand_walk.hpp"

namespace salu::observe {
namespace {

using isa::Field;
using isa::OperandKind;
using isa::OperandSpec;
using isa::RegisterSet;
using MemoryKind = isa::MemoryOperation::Kind;

constexpr RegisterSet vcc_registers = RegisterSet::of(gcn::operands.vcc, 2);
constexpr RegisterSet exec_registers = RegisterSet::of(gcn::operands.exec, 2);

u32 mask_of(Generation generation, u32 hwreg, std::string_view field) {
  const isa::HwregField* const found = isa::find_hwreg_field(generation, hwreg, field);
  return found == nullptr ? 0 : found->mask();
}

/// The bits of a hardware register that S_SETREG or S_GETREG accesses.
u32 bits_of(const isa::HwregFields& fields) {
  const u32 ones = fields.size >= 32 ? ~0U : (1U << fields.size) - 1;
  return ones << fields.offset;
}

}  // namespace

HazardFacts HazardFacts::of(Generation generation, std::span<const u32> words) {
  HazardFacts facts;
  const isa::Instruction instruction = isa::decode(generation, words);
  facts.dwords = instruction.dwords;
  facts.flow = isa::flow_of(instruction);
  if (instruction.encoding == isa::EncodingClass::vector) {
    facts.find_vector(generation, words);
  } else if (instruction.encoding == isa::EncodingClass::scalar && !isa::find_operand_fault(generation, instruction)) {
    isa::is_scalar_memory(instruction.insn) ? facts.find_scalar_memory(generation, instruction)
                                            : facts.find_scalar(generation, instruction);
  }
  facts.set(HazardUse::no_nop, !facts.is_nop && facts.flow == isa::Flow::next);
  facts.settle();
  return facts;
}

void HazardFacts::add_source(u8 code, u32 count) {
  if (code < 128) reads |= RegisterSet::of(code, count);
}

void HazardFacts::find_scalar(Generation generation, const isa::Instruction& instruction) {
  using namespace isa::effect;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  unit = Class::salu;
  const OperandSpec* const immediate = info.shape.find(Field::simm16);
  if (immediate != nullptr && immediate->kind == OperandKind::waitcnt) {
    const isa::WaitCounters limits = isa::wait_limits(generation);
    const isa::WaitCounters counters = isa::decode_waitcnt(generation, instruction.simm16);
    waits_for_lgkm = counters.lgkmcnt == 0;
    waits_for_lgkm_partly = !waits_for_lgkm && counters.lgkmcnt < limits.lgkmcnt;
  }
  visit_operands(instruction, [&](const OperandSpec& operand, u8 code) {
    if (operand.is_relative) return;
    if (operand.reads) add_source(code, operand.dwords);
    if (operand.reads && isa::operand_class(generation, code) == isa::OperandClass::vccz) set(HazardUse::vccz_read);
    if (operand.writes) writes |= RegisterSet::of(code, operand.dwords);
  });
  const auto add_to = [](RegisterSet& registers) {
    return [&registers](const Location& place, bool is_whole) {
      if (is_whole && place.is_in_file()) registers |= RegisterSet::of(place.index, place.dwords);
    };
  };
  visit_effects(info.reads, generation, instruction, add_to(reads));
  visit_effects(info.writes, generation, instruction, add_to(writes));
  is_certain = !info.writes_if_scc;
  depends_on_state = info.writes_if_scc || info.touches_any(relative | stack);

  if (info.touches_any(hwreg)) {
    const isa::HwregFields fields = isa::decode_hwreg(instruction.simm16);
    const u32 bits = bits_of(fields);
    const auto touches = [&](u32 id, std::string_view name) {
      return fields.id == id && (bits & mask_of(generation, id, name)) != 0;
    };
    if (info.writes_any(hwreg)) {
      hwregs_written = u64{1} << fields.id;
      set(HazardEvent::trapsts_write, fields.id == isa::hwreg_id::trapsts);
      set(HazardEvent::vskip_written, touches(isa::hwreg_id::mode, "VSKIP"));
      const u32 mask = mask_of(generation, isa::hwreg_id::trapsts, "SAVECTX");
      const bool clears = instruction.has_literal && (instruction.literal << fields.offset & mask) == 0;
      set(HazardEvent::savectx_set, touches(isa::hwreg_id::trapsts, "SAVECTX") && !clears);
    } else {
      hwregs_read = u64{1} << fields.id;
      set(HazardUse::mode_read, fields.id == isa::hwreg_id::mode);
      if (touches(isa::hwreg_id::status, "VCCZ")) set(HazardUse::vccz_read);
    }
  }
  // Only branches read VCC implicitly.
  if (info.reads_any(vcc)) set(HazardUse::vccz_read);
  set(HazardEvent::vskip_set, info.writes_any(vskip));
  set(HazardUse::trap_return, flow == isa::Flow::return_from_trap);
  set(HazardUse::relative_move, info.touches_any(relative));
  set(HazardUse::end, flow == isa::Flow::end);
  // Messages are the only unmodelled instructions that read M0.
  const bool is_message = info.is_unmodelled && info.reads_any(m0);
  set(HazardUse::message, is_message);
  set(HazardEvent::message_sent, is_message && info.shape.count != 0);
  set(HazardEvent::icache_invalidation, instruction.insn == isa::Insn::s_icache_inv);
  is_nop = instruction.insn == isa::Insn::s_nop;
  // S_NOP repeats up to 8 times by SIMM16[2:0], from GCN 1.2 on up to 16 times by SIMM16[3:0].
  if (is_nop) wait_states = static_cast<u8>((instruction.simm16 & (is_gcn1_2_or_later(generation) ? 15U : 7U)) + 1);
}

void HazardFacts::find_scalar_memory(Generation generation, const isa::Instruction& instruction) {
  const isa::MemoryOperation& operation = isa::memory_operation(instruction.insn);
  unit = Class::scalar_memory;
  visit_operands(instruction, [&](const OperandSpec& operand, u8 code) {
    if (operand.reads) add_source(code, operand.dwords);
    if (operand.field == Field::sdata) loads = RegisterSet::of(code, dwords_written(instruction, operand));
    if (operand.field == Field::sbase && operand.dwords == 4) descriptor = RegisterSet::of(code, 4);
  });
  if (instruction.memory.has_offset_register) {
    add_source(instruction.memory.soffset, 1);
    if (descriptor.any() && instruction.memory.soffset < 128)
      buffer_offset = RegisterSet::of(instruction.memory.soffset, 1);
  }
  const bool stores = operation.kind == MemoryKind::store || operation.kind == MemoryKind::atomic;
  // Atomics are performed in L2, and GLC makes a store write through (Vega manual, 7.2: "1 = write-thru").
  const bool is_store = operation.kind == MemoryKind::store;
  set(HazardEvent::scalar_store, is_store && !instruction.memory.glc);
  set(HazardEvent::written_through, is_store && instruction.memory.glc);
  writes_memory = stores;
  set(HazardEvent::clause_access);
  set(HazardEvent::vccz_doubt, loads.any() && isa::is_smrd(generation));
  set(HazardUse::clause_store, stores || operation.kind == MemoryKind::cache_control);
  writes_scalar_cache_back = operation.writes_back;
}

void HazardFacts::find_vector(Generation generation, std::span<const u32> words) {
  is_vector = true;
  set(HazardUse::vector);
  const isa::VectorSources sources = isa::vector_sources(generation, words);
  switch (isa::vector_length(generation, words[0]).format) {
    case isa::VectorFormat::vop1:
    case isa::VectorFormat::vop2:
    case isa::VectorFormat::vopc:
    case isa::VectorFormat::vop3:
      unit = Class::valu;
      break;
    case isa::VectorFormat::flat:
    case isa::VectorFormat::mubuf:
    case isa::VectorFormat::mtbuf:
    case isa::VectorFormat::mimg:
      unit = Class::vector_memory;
      break;
    case isa::VectorFormat::ds:
      unit = Class::ds;
      break;
    default:
      break;
  }
  constants = sources.constants;
  lane_select = sources.lane;
  memory = sources.memory;
  masks = sources.masks;
  vgpr = sources.vgpr;
  vgprs_written = sources.vgprs_written;
  lane_source = sources.lane_source;
  dpp_source = sources.dpp_source;
  stored_vgpr = sources.stored_vgpr;
  stored_vgprs = sources.stored_vgprs;
  vgprs_read = sources.vgprs_read;
  set(HazardEvent::valu_vgpr_write, vgprs_written != 0);
  set(HazardEvent::transcendental, vgprs_written != 0 && sources.is_transcendental);
  set(HazardEvent::moved_result, sources.moves_result_bits);
  set(HazardEvent::wide_store, stored_vgprs != 0);
  set(HazardUse::lane_source, sources.reads_lane);
  set(HazardUse::dpp_source, sources.has_dpp);
  set(HazardUse::dpp_operand, sources.has_dpp);
  set(HazardUse::permlane, sources.is_permlane);
  set(HazardUse::permlane_source, sources.is_permlane);
  set(HazardUse::vgpr_read, vgprs_read.any());
  set(HazardUse::vgpr_read_not_trans, vgprs_read.any() && !sources.is_transcendental);
  set(HazardUse::vgpr_write, vgprs_written != 0);
  reads = sources.constants | sources.masks | sources.lane | sources.memory;
  for (const isa::RegisterSpan& span : isa::vector_scalar_results(generation, words))
    writes |= RegisterSet::of(span.code, span.dwords);
  set(HazardUse::gds, sources.is_gds);
  set(HazardUse::m0_for_lds, sources.reads_m0_for_lds);
  set(HazardUse::m0_for_lds_load, sources.loads_lds_by_m0);
  set(HazardUse::vccz_read, sources.reads_vccz);
  set(HazardUse::zero_flag_operand, sources.reads_vccz || sources.reads_execz);
  zero_flags =
      (sources.reads_vccz ? vcc_registers : RegisterSet()) | (sources.reads_execz ? exec_registers : RegisterSet());
  set(HazardUse::div_fmas, sources.is_div_fmas);
  set(HazardUse::dpp, sources.has_dpp);
  set(HazardUse::lane_access, sources.is_lane_access);
}

void HazardFacts::settle() {
  const bool is_salu = unit == Class::salu;
  const bool is_valu = unit == Class::valu;
  const bool is_smem = unit == Class::scalar_memory;
  set(HazardEvent::hwreg_write, hwregs_written != 0);
  set(HazardUse::hwreg_write, hwregs_written != 0);
  set(HazardUse::hwreg_read, hwregs_read != 0);
  const bool writes_m0 = writes.holds(gcn::operands.m0);
  set(HazardEvent::m0_write, is_salu && writes_m0);
  set(HazardUse::m0_write, is_salu && writes_m0);
  set(HazardEvent::half_vcc_write, (writes & vcc_registers).count() == 1);
  set(HazardEvent::scalar_load, loads.any());
  set(HazardEvent::clause_load, loads.any());
  set(HazardEvent::salu_result, is_salu && writes.any());
  set(HazardEvent::valu_result, is_valu && writes.any());
  set(HazardUse::read, reads.any());
  set(HazardUse::write, (writes | loads).any());
  set(HazardEvent::clause_source, is_smem && reads.any());
  set(HazardUse::clause_read, is_smem && reads.any());
  set(HazardUse::clause_write, loads.any());
  set(HazardUse::scalar_memory_read, is_smem && reads.any());
  set(HazardUse::descriptor_read, descriptor.any());
  set(HazardUse::descriptor_dword_2, descriptor.any());
  set(HazardUse::buffer_offset, buffer_offset.any());
  set(HazardUse::vector_memory_read, unit == Class::vector_memory && memory.any());
  set(HazardUse::lane_select, lane_select.any());
  set(HazardUse::valu_constant, is_valu && constants.any());
  set(HazardUse::valu_mask, is_valu && masks.any());
  set(HazardUse::exec_as_constant, is_valu && (constants & exec_registers).any());
}

PlacedFacts PlacedFacts::at(Generation generation, u64 pc, std::span<const u32> words) {
  PlacedFacts placed{.facts = {}, .node = exec::CfgNode::at(generation, pc, words)};
  if (placed.node.is_instruction) placed.facts = HazardFacts::of(generation, words);
  return placed;
}

RegisterSet registers_of(HazardUse use, const HazardFacts& facts) {
  switch (use) {
    case HazardUse::read:
    case HazardUse::clause_read:
    case HazardUse::scalar_memory_read:
      return facts.reads;
    case HazardUse::write:
      return facts.writes | facts.loads;
    case HazardUse::descriptor_read:
      return facts.descriptor;
    case HazardUse::clause_write:
      return facts.loads;
    case HazardUse::buffer_offset:
      return facts.buffer_offset;
    case HazardUse::descriptor_dword_2:
      return RegisterSet::of(facts.descriptor.first() + 2, 1);
    case HazardUse::vector_memory_read:
      return facts.memory;
    case HazardUse::lane_select:
      return facts.lane_select;
    case HazardUse::valu_constant:
      return facts.constants - exec_registers;
    case HazardUse::valu_mask:
      return facts.masks;
    case HazardUse::div_fmas:
      return vcc_registers;
    case HazardUse::dpp:
    case HazardUse::exec_as_constant:
    case HazardUse::lane_access:
    case HazardUse::permlane:
      return exec_registers;
    case HazardUse::zero_flag_operand:
      return facts.zero_flags;
    default:
      return RegisterSet::of(0, 128);
  }
}

bool touches_vgpr(HazardUse use, const HazardFacts& facts, u8 vgpr) {
  switch (use) {
    case HazardUse::lane_source:
      return facts.lane_source == vgpr;
    case HazardUse::dpp_source:
      return facts.dpp_source == vgpr;
    case HazardUse::dpp_operand:
    case HazardUse::permlane_source:
    case HazardUse::vgpr_read:
    case HazardUse::vgpr_read_not_trans:
      return facts.vgprs_read.test(vgpr);
    case HazardUse::vgpr_write:
      return vgpr >= facts.vgpr && vgpr - facts.vgpr < facts.vgprs_written;
    default:
      return false;
  }
}

}  // namespace salu::observe
