#include <algorithm>
#include <cstddef>

#include "core/code_cache.hpp"
#include "core/interpreter.hpp"
#include "core/memory_access.hpp"
#include "core/vector/allocated.hpp"
#include "isa/generations.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "support/compiler.hpp"

/// Decodes words to micro-ops, a block at a time, when the run first reaches them.
namespace salu::core {
namespace {

/// The row of an unused opcode, and of everything else that isa::decode must decide.
constexpr PredecodeInfo unknown{};
/// The same for instructions that always stop the run, so that decoding ends after them.
constexpr PredecodeInfo last{.ends_block = true};

/// Limit for the dwords of a block, so that a run that continues in the middle of long straight-line code does not
/// decode all of it.
constexpr std::size_t longest_block = 512;

const PredecodeInfo* info_of(u16 insn) { return insn < predecode_infos.size() ? &predecode_infos[insn] : &unknown; }

VectorOp make_vector_op(const AllocatedInstruction& allocated, VectorHandler executes) {
  const isa::vector::Instruction& instruction = allocated.instruction;
  if (!allocated.is_beyond()) return {instruction, executes, is_plain(instruction), is_of_vgprs(instruction)};
  return {instruction, warn_of_allocation, false, false, vector_handler(instruction)};
}

}  // namespace

/// A table by the opcode field, which depends on the format of the word.
template <class Entry>
struct OpcodeMap {
  std::array<Entry, 512> prefix;  ///< w[31:23]: SOP2 and SOPK by opcode
  std::array<Entry, 256> sop1;
  std::array<Entry, 128> sopc;
  std::array<Entry, 128> sopp;

  /// `make(insn)` returns an entry; words that are not scalar ALU instructions get the entry of an unused opcode.
  template <class Make>
  OpcodeMap(Generation generation, Make make) {
    constexpr std::size_t sop2_prefix = 0b100000000;
    constexpr std::size_t sopk_prefix = 0b101100000;
    const isa::OpcodeTable& opcodes = isa::opcode_table(generation);
    prefix.fill(make(isa::no_insn));
    for (std::size_t i = 0; i < 96; ++i) prefix[sop2_prefix + i] = make(opcodes.sop2[i]);
    for (std::size_t i = 0; i < 29; ++i) prefix[sopk_prefix + i] = make(opcodes.sopk[i]);
    for (std::size_t i = 0; i < 256; ++i) sop1[i] = make(opcodes.sop1[i]);
    for (std::size_t i = 0; i < 128; ++i) sopc[i] = make(opcodes.sopc[i]);
    for (std::size_t i = 0; i < 128; ++i) sopp[i] = make(opcodes.sopp[i]);
  }

  [[nodiscard]] SALU_INLINE const Entry& find(u32 word) const {
    constexpr u32 sop1_prefix = 0b101111101;  // followed by SOPC and SOPP
    const u32 key = word >> 23;
    if (key - sop1_prefix > 2) [[likely]]
      return prefix[key];
    if (key == sop1_prefix) return sop1[word >> 8 & 255];
    return (key == sop1_prefix + 1 ? sopc : sopp)[word >> 16 & 127];
  }
};

/// The data for the most common case: an instruction of one dword that continues with the next one and whose operands
/// all have slots. Its fields are tables of `SlotTables`. All other opcodes get a table without slots.
struct PlainOpcode {
  HandlerId fast;
  u16 sdst;
  u16 ssrc0;
  u16 ssrc1;
};

namespace {

PlainOpcode plain_opcode(const PredecodeInfo& info) {
  if (!info.plain) return {HandlerId::predecode, SlotTables::empty_table(), 0, 0};
  return {info.fast, SlotTables::table(info.sdst), SlotTables::table(info.ssrc0), SlotTables::table(info.ssrc1)};
}

}  // namespace

/// Both maps of one generation.
struct InfoTable {
  OpcodeMap<const PredecodeInfo*> infos;
  OpcodeMap<PlainOpcode> plain;

  explicit InfoTable(Generation generation)
      : infos(generation, info_of), plain(generation, [](u16 insn) { return plain_opcode(*info_of(insn)); }) {}
};

const InfoTable& info_table(Generation generation) {
  static const isa::GenerationTable<InfoTable> tables([](Generation each) { return InfoTable(each); });
  return tables[generation];
}

/// Fills in the operands of `op` as slots and immediates and returns its length in dwords; 0 if it needs the general
/// handler.
u32 CodeCache::assign_slots(MicroOp& op, const PredecodeInfo& info, u32 word, std::size_t index) {
  const u16 d = slot_tables_->find(info.sdst, word);
  op.d = static_cast<u8>(d);
  op.a = slot_tables_->find_ssrc0(info.ssrc0, word);
  op.b = slot_tables_->find_ssrc1(info.ssrc1, word);
  const i32 simm16 = static_cast<i16>(word);
  op.imm = simm16;
  op.id = info.fast;
  if (info.branches) {
    // The address after the last word counts: the op there reports that the function returned, or that the code ended.
    const auto target = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index) + 1 + simm16);
    if (target > area_->words.size()) return 0;
    op.imm = (simm16 + 1) * static_cast<i32>(sizeof(MicroOp));
    return 1;
  }
  if (((d | op.a | op.b) & no_slot_bit) == 0) [[likely]]
    return 1;
  const bool literal0 = op.a == no_slot && (word & 255) == isa::literal_code;
  const bool literal1 = op.b == no_slot && (word >> 8 & 255) == isa::literal_code;
  const bool others = d == no_slot || (!literal0 && op.a == no_slot) || (!literal1 && op.b == no_slot);
  if (others || index + 1 == area_->words.size()) return 0;
  const u32 literal = area_->words[index + 1];
  const u64 extended = info.sign_extends_literal ? static_cast<u64>(i64{static_cast<i32>(literal)}) : u64{literal};
  const u16 slot = literals_.find_or_add(extended);
  if (slot == no_slot) return 0;
  if (literal0) op.a = slot;
  if (literal1) op.b = slot;
  op.id = literal_handler(info);
  return 2;
}

CodeCache::Decoded CodeCache::decode_into(MicroOp& op, std::size_t index) {
  if (!program_.assumptions.empty() && program_.find_assumption(area_->base + index * 4) != nullptr) {
    op.id = HandlerId::vector;
    op.imm = -1;
    const isa::Instruction instruction = isa::decode(generation_, area_->words.subspan(index));
    op.d = static_cast<u8>(std::clamp<std::size_t>(instruction.dwords, 1, area_->words.size() - index));
    return {&unknown, op.d};
  }
  // The address of a symbol is in a literal or a branch distance, and such instructions are decoded here.
  if (!program_.unresolved.empty() && find_unresolved(area_->base + index * 4) != nullptr) {
    op.id = HandlerId::faulty;
    op.d = 1;
    return {&last, 1};
  }
  const u32 word = area_->words[index];
  const PredecodeInfo& info = *infos_->infos.find(word);
  if (info.judged_by_slots) {
    const u32 dwords = assign_slots(op, info, word, index);
    if (dwords != 0) return {&info, dwords};
  }
  return decode_slowly(op, index);
}

HandlerId load_handler(u32 dwords, u32 base_dwords, u32 length) {
  switch (dwords << 8 | base_dwords << 4 | length) {
#define SALU_LOAD(dwords, base_dwords, length)        \
  case (dwords) << 8 | (base_dwords) << 4 | (length): \
    return HandlerId::load_x##dwords##_base##base_dwords##_length##length;
#include "core/load_handlers.def"
#undef SALU_LOAD
    default:
      return HandlerId::memory;
  }
}

HandlerId store_handler(u32 dwords, u32 base_dwords) {
  switch (dwords << 4 | base_dwords) {
#define SALU_STORE(dwords, base_dwords) \
  case (dwords) << 4 | (base_dwords):   \
    return HandlerId::store_x##dwords##_base##base_dwords;
#include "core/store_handlers.def"
#undef SALU_STORE
    default:
      return HandlerId::memory;
  }
}

/// Gives `op` a load or store handler and its operands as slots. Returns false if the general path is needed.
bool CodeCache::assign_access(MicroOp& op, const isa::Instruction& instruction) const {
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  const isa::MemoryOperation& operation = isa::memory_operation(instruction.insn);
  const bool loads = operation.kind == isa::MemoryOperation::Kind::load;
  const bool stores = operation.kind == isa::MemoryOperation::Kind::store;
  if ((!loads && !stores) || operation.scratch) return false;
  const auto& fields = instruction.memory;
  const u32 dwords = shape.find(isa::Field::sdata)->dwords;
  const u32 base_dwords = shape.find(isa::Field::sbase)->dwords;
  if (fields.sdata + dwords > allocation_.sgprs || fields.sbase + base_dwords > allocation_.sgprs) return false;
  constexpr u16 zero_slot = 128;
  const u16 offset_slot =
      fields.has_offset_register ? slot_tables_->find_ssrc0(SourceUse::read32, fields.soffset) : zero_slot;
  const i64 immediate = immediate_bytes(generation_, instruction) & ~i64{3};
  const bool may_be_negative = fields.has_offset_register || base_dwords == 4;
  if (offset_slot == no_slot || immediate != static_cast<i32>(immediate) || (immediate < 0 && may_be_negative))
    return false;
  op.id = loads ? load_handler(dwords, base_dwords, instruction.dwords) : store_handler(dwords, base_dwords);
  op.d = fields.sdata;
  op.a = fields.sbase;
  op.b = offset_slot;
  op.imm = static_cast<i32>(immediate);
  return op.id != HandlerId::memory;
}

CodeCache::Decoded CodeCache::decode_vector(MicroOp& op, std::size_t index, u32 dwords) {
  op.id = HandlerId::vector;
  op.d = static_cast<u8>(dwords);
  op.imm = -1;
  if (const auto instruction = isa::vector::decode(generation_, area_->words.subspan(index))) {
    if (const VectorHandler executes = vector_handler(*instruction)) {
      op.imm = static_cast<i32>(vector_ops_.size());
      has_approximate_ |= isa::vector::is_approximate(*instruction);
      const AllocatedInstruction allocated = allocate(generation_, allocation_, *instruction);
      vector_ops_.push_back(make_vector_op(allocated, executes));
      if (isa::vector::info(allocated.instruction.insn).access.writes_memory() || allocated.instruction.memory.lds) {
        op.id = HandlerId::vector_store;
        return {&last, dwords};
      }
    }
  }
  return {&unknown, dwords};
}

CodeCache::Decoded CodeCache::decode_slowly(MicroOp& op, std::size_t index) {
  const isa::Instruction instruction = isa::decode(generation_, area_->words.subspan(index));
  const auto pseudo = [&op](HandlerId id, u32 dwords) {
    op.id = id;
    op.d = static_cast<u8>(dwords);
    return Decoded{&last, dwords};
  };
  if (instruction.encoding == isa::EncodingClass::vector) return decode_vector(op, index, instruction.dwords);
  if (instruction.encoding != isa::EncodingClass::scalar || isa::find_operand_fault(generation_, instruction)) {
    return pseudo(HandlerId::faulty, 1);
  }
  if (isa::is_scalar_memory(instruction.insn)) {
    if (assign_access(op, instruction)) {
      // A store may change the code after it.
      const bool stores = isa::memory_operation(instruction.insn).kind == isa::MemoryOperation::Kind::store;
      return {stores ? &last : &unknown, instruction.dwords};
    }
    return pseudo(HandlerId::memory, instruction.dwords);
  }

  const PredecodeInfo& info = predecode_infos[static_cast<std::size_t>(instruction.insn)];
  if (assign_slots(op, info, area_->words[index], index) == 0) {
    op.id = info.general;
    op.d = instruction.sdst;
    op.a = info.ssrc0 == SourceUse::none ? u8{0} : instruction.ssrc0;
    op.b = info.ssrc1 == SourceUse::none ? u8{0} : instruction.ssrc1;
    op.imm = instruction.has_literal ? static_cast<i32>(instruction.literal) : static_cast<i16>(instruction.simm16);
  }
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  const isa::OperandSpec* const ssrc1 = shape.find(isa::Field::ssrc1);
  if (ssrc1 != nullptr && ssrc1->kind == isa::OperandKind::gpr_idx) op.b = instruction.ssrc1;
  if (shape.find(isa::Field::literal) != nullptr) {
    op.a = instruction.simm16;
    op.imm = static_cast<i32>(instruction.literal);
  }
  return {&info, instruction.dwords};
}

/// Ends a block at an op. If its handler does not charge the next block, it is replaced by one that does.
void CodeCache::cut_behind(MicroOp& op) const {
  op.extent |= MicroOp::ends_here;
  if (!ends_block(op.id)) put_in_front(op, HandlerId::tracked);
}

CodeCache::Block CodeCache::decode(const MicroOp* op, u64 steps) {
  MicroOp* const ops = area_->ops.data();
  const u32* const words = area_->words.data();
  const auto& plain_opcodes = infos_->plain;
  const u16* const slot = slot_tables_->slots.data();
  const void* const* const handlers = handlers_;
  // Instructions with an assumption are not decoded by the fast path.
  const u16 look_closer = program_.assumptions.empty() ? u16{0} : no_slot_bit;
  const void* const undecoded = handlers[static_cast<std::size_t>(HandlerId::predecode)];
  last_decoded_ = {decoded_count_, steps};
  MicroOp** const block = decoded_ops_.get() + decoded_count_;
  MicroOp** end = block;
  auto index = static_cast<std::size_t>(op - ops);
  const std::size_t longest = index + longest_block;
  u32 cost = 0;
  bool may_write_half = false;
  while (true) {
    MicroOp& here = ops[index];
    if (here.handler != undecoded) {
      cost = here.cost;
      break;
    }
    if (index >= longest) [[unlikely]] {
      cut_behind(*end[-1]);
      break;
    }
    *end++ = &here;
    if (here.extent != 0) {
      // The op was invalidated but not forgotten.
      here.handler = handlers[static_cast<std::size_t>(here.id)];
      // A special case for the usual length, so that the next op does not depend on loading this one.
      if (here.extent == 1) [[likely]] {
        ++index;
        continue;
      }
      index += here.extent & ~u32{MicroOp::ends_here};
      if ((here.extent & MicroOp::ends_here) == 0) continue;
      cut_behind(here);
      break;
    }
    const u32 word = words[index];
    const PlainOpcode& plain = plain_opcodes.find(word);
    const u16 d = slot[plain.sdst + (word >> 16 & 127)];
    const u16 a = slot[plain.ssrc0 + (word & 255)];
    const u16 b = slot[plain.ssrc1 + (word >> 8 & 255)];
    if (((d | a | b | look_closer) & no_slot_bit) == 0) [[likely]] {
      here.handler = handlers[static_cast<std::size_t>(plain.fast)];
      here.id = plain.fast;
      here.d = static_cast<u8>(d);
      here.extent = 1;
      here.a = a;
      here.b = b;
      here.imm = static_cast<i16>(word);
      ++index;
      continue;
    }
    Decoded decoded{};
    try {
      decoded = decode_into(here, index);
    } catch (...) {
      // Out of memory. A block is decoded as a whole or not at all: the next program may reuse the ops.
      for (MicroOp** place = block; place != end; ++place) forget(**place);
      throw;
    }
    here.handler = handlers[static_cast<std::size_t>(here.id)];
    here.extent = static_cast<u8>(decoded.dwords | (decoded.info->ends_block ? MicroOp::ends_here : 0U));
    index += decoded.dwords;
    if (decoded.info->ends_block) break;
  }
  decoded_count_ = static_cast<std::size_t>(end - decoded_ops_.get());
  if (block == decoded_ops_.get()) first_block_ = decoded_count_;
  for (MicroOp** place = end; place != block;) {
    MicroOp& charged = **--place;
    charged.cost = ++cost;
    may_write_half |= (charged.d | 1U) == state_index::vcc + 1;
  }
  return {{block, end}, may_write_half};
}

}  // namespace salu::core
