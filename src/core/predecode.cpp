#include <cstddef>

#include "core/compiler.hpp"
#include "core/machine.hpp"
#include "core/predecode_info.hpp"
#include "isa/operand.hpp"

/// Words to micro-ops, a block at a time, when the run first comes there.
namespace salu::core {
namespace {

using isa::OperandClass;

/// The row of an opcode that is not in use, and of whatever else is decided by isa::decode.
constexpr PredecodeInfo unknown{};
/// The same for what always stops the run, so that decoding need not go on behind it.
constexpr PredecodeInfo last{.ends_block = true};

const PredecodeInfo* info_of(u16 insn) { return insn < predecode_infos.size() ? &predecode_infos[insn] : &unknown; }

/// Codes that a handler can read or write at a fixed slot.
bool has_slot(OperandClass operand) {
  using enum OperandClass;
  return operand == sgpr || operand == flat_scratch || operand == xnack_mask || operand == vcc || operand == ttmp ||
         operand == m0 || operand == exec;
}

template <class Use>
auto row(Use use) {
  return static_cast<std::size_t>(use);
}

}  // namespace

/// `PredecodeInfo` by the fields of a word, for one generation.
struct InfoTable {
  std::array<const PredecodeInfo*, 512>
      prefix;  ///< w[31:23]: SOP2 and SOPK by opcode; `unknown` for all but the scalar ALU
  std::array<const PredecodeInfo*, 256> sop1;
  std::array<const PredecodeInfo*, 128> sopc;
  std::array<const PredecodeInfo*, 128> sopp;

  explicit InfoTable(Generation generation) {
    constexpr std::size_t sop2_prefix = 0b100000000;
    constexpr std::size_t sopk_prefix = 0b101100000;
    const isa::OpcodeTable& opcodes = isa::opcode_table(generation);
    prefix.fill(&unknown);
    for (std::size_t i = 0; i < 96; ++i) prefix[sop2_prefix + i] = info_of(opcodes.sop2[i]);
    for (std::size_t i = 0; i < 29; ++i) prefix[sopk_prefix + i] = info_of(opcodes.sopk[i]);
    for (std::size_t i = 0; i < 256; ++i) sop1[i] = info_of(opcodes.sop1[i]);
    for (std::size_t i = 0; i < 128; ++i) sopc[i] = info_of(opcodes.sopc[i]);
    for (std::size_t i = 0; i < 128; ++i) sopp[i] = info_of(opcodes.sopp[i]);
  }

  [[nodiscard]] SALU_INLINE const PredecodeInfo& find(u32 word) const {
    constexpr u32 sop1_prefix = 0b101111101;
    const u32 key = word >> 23;
    switch (key - sop1_prefix) {
      case 0:
        return *sop1[word >> 8 & 255];
      case 1:
        return *sopc[word >> 16 & 127];
      case 2:
        return *sopp[word >> 16 & 127];
      default:
        return *prefix[key];
    }
  }
};

const InfoTable& info_table(Generation generation) {
  static const std::array<InfoTable, generation_count> tables = {
      InfoTable(Generation::gcn1_0), InfoTable(Generation::gcn1_1), InfoTable(Generation::gcn1_2),
      InfoTable(Generation::gcn1_4), InfoTable(Generation::cdna1),  InfoTable(Generation::cdna2),
      InfoTable(Generation::cdna3)};
  return tables[static_cast<std::size_t>(generation)];
}

void Machine::make_slot_tables() {
  auto& sdst = slot_tables_.sdst;
  auto& source = slot_tables_.source;
  for (auto& table : sdst) table.fill(no_slot);
  for (auto& table : source) table.fill(no_slot);
  sdst[row(SdstUse::none)].fill(0);
  source[row(SourceUse::none)].fill(0);
  for (u32 code = 0; code < 256; ++code) {
    const auto code8 = static_cast<u8>(code);
    const OperandClass operand = isa::operand_class(generation_, code8);
    if (isa::is_inline_constant(operand)) {
      const u16 wide = constant64_slot(code);
      const u64 value = isa::inline_constant64(code8);
      slots[code] = isa::inline_constant32(code8);
      slots[wide] = static_cast<u32>(value);
      slots[wide + 1U] = static_cast<u32>(value >> 32);
      source[row(SourceUse::read32)][code] = static_cast<u16>(code);
      source[row(SourceUse::read64)][code] = wide;
    }
    if (!has_slot(operand)) continue;
    const auto slot = static_cast<u16>(code);
    const bool pair =
        isa::judge_operand(generation_, isa::OperandKind::destination, 2, code8) == isa::OperandVerdict::legal;
    const bool single_there = operand != OperandClass::sgpr || in_allocation(code, 1);
    const bool pair_there = pair && (operand != OperandClass::sgpr || in_allocation(code, 2));
    // TTMP can always be read; whether it can be written depends on STATUS.PRIV at the time.
    const bool writable = operand != OperandClass::ttmp;
    if (single_there) source[row(SourceUse::read32)][code] = sdst[row(SdstUse::read32)][code] = slot;
    if (pair_there) source[row(SourceUse::read64)][code] = sdst[row(SdstUse::read64)][code] = slot;
    if (single_there && writable) sdst[row(SdstUse::write32)][code] = slot;
    if (pair_there && writable) sdst[row(SdstUse::write64)][code] = slot;
    if (pair_there && writable && code != code::exec) sdst[row(SdstUse::write64_not_exec)][code] = slot;
  }
}

/// Gives `op` its operands as slots and immediates and returns its length in dwords; 0 when it takes the general
/// handler.
u32 Machine::assign_slots(MicroOp& op, const PredecodeInfo& info, u32 word, std::size_t index) const {
  op.d = slot_tables_.sdst[row(info.sdst)][word >> 16 & 127];
  op.a = slot_tables_.source[row(info.ssrc0)][word & 255];
  op.b = slot_tables_.source[row(info.ssrc1)][word >> 8 & 255];
  const i32 simm16 = static_cast<i16>(word);
  op.imm = simm16;
  op.id = info.fast;
  if (info.branches) {
    // One behind the last word counts: the op there knows that the function has returned, or that the code ends.
    const auto target = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index) + 1 + simm16);
    if (target > area_->words.size()) return 0;
    op.imm = (simm16 + 1) * static_cast<i32>(sizeof(MicroOp));
    return 1;
  }
  if (((op.d | op.a | op.b) & no_slot_bit) == 0) [[likely]]
    return 1;
  const bool literal0 = op.a == no_slot && (word & 255) == isa::literal_code;
  const bool literal1 = op.b == no_slot && (word >> 8 & 255) == isa::literal_code;
  const bool others = op.d == no_slot || (!literal0 && op.a == no_slot) || (!literal1 && op.b == no_slot);
  if (others || literal0 == literal1 || index + 1 == area_->words.size()) return 0;
  op.id = handler_of(info, literal0 ? Variant::literal0 : Variant::literal1);
  op.imm = static_cast<i32>(area_->words[index + 1]);
  return 2;
}

/// The commonest case and nothing else: every operand has a slot. False leaves `op` to be decoded by `decode_into`.
SALU_INLINE bool Machine::assign_plainly(MicroOp& op, const PredecodeInfo& info, u32 word) const {
  const u16 d = slot_tables_.sdst[row(info.sdst)][word >> 16 & 127];
  const u16 a = slot_tables_.source[row(info.ssrc0)][word & 255];
  const u16 b = slot_tables_.source[row(info.ssrc1)][word >> 8 & 255];
  if (((d | a | b) & no_slot_bit) != 0 || !info.plain) return false;
  op.handler = handlers_[static_cast<std::size_t>(info.fast)];
  op.id = info.fast;
  op.d = d;
  op.a = a;
  op.b = b;
  op.imm = static_cast<i16>(word);
  return true;
}

Machine::Decoded Machine::decode_into(MicroOp& op, std::size_t index) const {
  const u32 word = area_->words[index];
  const PredecodeInfo& info = infos_->find(word);
  if (info.judged_by_slots) {
    const u32 dwords = assign_slots(op, info, word, index);
    if (dwords != 0) return {&info, dwords};
  }
  return decode_slowly(op, index);
}

Machine::Decoded Machine::decode_slowly(MicroOp& op, std::size_t index) const {
  const isa::Instruction instruction = isa::decode(generation_, area_->words.subspan(index));
  const auto pseudo = [&op](HandlerId id, u32 dwords) {
    op.id = id;
    op.d = static_cast<u16>(dwords);
    return Decoded{id == HandlerId::vector ? &unknown : &last, dwords};
  };
  if (instruction.encoding == isa::EncodingClass::vector) return pseudo(HandlerId::vector, instruction.dwords);
  if (instruction.encoding != isa::EncodingClass::scalar || isa::find_operand_fault(generation_, instruction)) {
    return pseudo(HandlerId::faulty, 1);
  }
  const auto insn = static_cast<std::size_t>(instruction.insn);
  if (insn >= predecode_infos.size()) return pseudo(HandlerId::unsupported, instruction.dwords);

  const PredecodeInfo& info = predecode_infos[insn];
  if (assign_slots(op, info, area_->words[index], index) == 0) {
    op.id = handler_of(info, Variant::general);
    op.d = instruction.sdst;
    op.a = info.ssrc0 == SourceUse::none ? u8{0} : instruction.ssrc0;
    op.b = info.ssrc1 == SourceUse::none ? u8{0} : instruction.ssrc1;
    op.imm = instruction.has_literal ? static_cast<i32>(instruction.literal) : static_cast<i16>(instruction.simm16);
  }
  if (instruction.insn == isa::Insn::s_set_gpr_idx_on) op.b = instruction.ssrc1;
  if (instruction.insn == isa::Insn::s_setreg_imm32_b32) {
    op.a = instruction.simm16;
    op.imm = static_cast<i32>(instruction.literal);
  }
  return {&info, instruction.dwords};
}

const MicroOp* Machine::predecode(const MicroOp* op, i64 budget) {
  MicroOp* const ops = area_->ops.get();
  const u32* const words = area_->words.data();
  auto index = static_cast<std::size_t>(op - ops);
  const std::size_t block = decoded_ops_.size();
  last_decoded_ = {block, steps_ + static_cast<u64>(granted_ - budget)};
  std::array<MicroOp*, 64> recent;  // spares the loop the vector's bookkeeping
  std::size_t recent_count = 0;
  u32 cost = 0;
  while (true) {
    MicroOp& here = ops[index];
    if (here.id != HandlerId::predecode) {
      cost = here.cost;
      break;
    }
    if (recent_count == recent.size()) {
      decoded_ops_.insert(decoded_ops_.end(), recent.begin(), recent.end());
      recent_count = 0;
    }
    recent[recent_count++] = &here;
    const PredecodeInfo* info = &infos_->find(words[index]);
    if (assign_plainly(here, *info, words[index])) [[likely]] {
      ++index;
    } else {
      const Decoded decoded = decode_into(here, index);
      here.handler = handlers_[static_cast<std::size_t>(here.id)];
      info = decoded.info;
      index += decoded.dwords;
    }
    if (info->ends_block) break;
  }
  decoded_ops_.insert(decoded_ops_.end(), recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(recent_count));
  for (std::size_t i = decoded_ops_.size(); i-- > block;) decoded_ops_[i]->cost = ++cost;
  return op;
}

/// Every block that was decoded was run to its end, but perhaps the last one.
DefinedSet Machine::defined() const {
  std::size_t count = decoded_ops_.size();
  const u64 completed = steps_ - last_decoded_.steps - (stopped_before_effect_ ? 1 : 0);
  if (completed < count - last_decoded_.block) count = last_decoded_.block + completed;
  DefinedSet result = defined_initial_ | defined_dynamic_;
  for (std::size_t i = 0; i < count; ++i) {
    const MicroOp& op = *decoded_ops_[i];
    const Defines defines = handler_defines[static_cast<std::size_t>(op.id)];
    for (u32 dword = 0; dword < defines.sdst_dwords; ++dword) result.set(op.d + dword);
    if (defines.scc) result.set(defined_index::scc);
    if (defines.m0) result.set(code::m0);
  }
  return result;
}

void Machine::forget_code() {
  const void* const handler = handlers_[static_cast<std::size_t>(HandlerId::predecode)];
  for (MicroOp* const op : decoded_ops_) {
    op->handler = handler;
    op->id = HandlerId::predecode;
    op->cost = 0;
  }
  decoded_ops_.clear();
  last_decoded_ = {};
}

}  // namespace salu::core
