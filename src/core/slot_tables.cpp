#include "core/slot_tables.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "isa/generations.hpp"
#include "isa/operand.hpp"

namespace salu::core {
namespace {

using isa::OperandClass;

/// Codes that a handler can read or write at a fixed slot.
bool has_slot(OperandClass operand) {
  using enum OperandClass;
  return operand == sgpr || operand == flat_scratch || operand == xnack_mask || operand == vcc || operand == ttmp ||
         operand == m0 || operand == exec;
}

SlotTables make_slot_tables(Generation generation, u32 sgprs) {
  SlotTables tables;
  tables.slots.fill(no_slot);
  std::fill_n(tables.slots.begin() + SlotTables::table(SdstUse::none), 128, u16{0});
  std::fill_n(tables.slots.begin() + SlotTables::table(SourceUse::none), 256, u16{0});
  const auto sdst = [&tables](SdstUse use, u32 code) -> u16& { return tables.slots[SlotTables::table(use) + code]; };
  const auto source = [&tables](SourceUse use, u32 code) -> u16& {
    return tables.slots[SlotTables::table(use) + code];
  };
  const auto in_allocation = [sgprs](u32 code, u32 dwords) { return code + dwords <= sgprs; };
  for (u32 code = 0; code < 256; ++code) {
    const auto code8 = static_cast<u8>(code);
    const OperandClass operand = isa::operand_class(generation, code8);
    const auto slot = static_cast<u16>(register_index(generation, code));
    if (isa::is_inline_constant(operand)) {
      source(SourceUse::read32, code) = slot;
      source(SourceUse::read64, code) = constant64_slot(code);
    }
    if (!has_slot(operand)) continue;
    const bool pair =
        isa::judge_operand(generation, isa::OperandKind::destination, 2, code8) == isa::OperandVerdict::legal;
    const bool single_there = operand != OperandClass::sgpr || in_allocation(code, 1);
    const bool pair_there = pair && (operand != OperandClass::sgpr || in_allocation(code, 2));
    // STATUS.PRIV decides at run time if a TTMP can be written and, on some generations, if it can be read.
    const bool writable = operand != OperandClass::ttmp;
    const bool readable = writable || !generation_info(generation).ttmps_need_priv;
    if (single_there && readable) source(SourceUse::read32, code) = sdst(SdstUse::read32, code) = slot;
    if (pair_there && readable) source(SourceUse::read64, code) = sdst(SdstUse::read64, code) = slot;
    if (single_there && writable) sdst(SdstUse::write32, code) = slot;
    if (pair_there && writable) sdst(SdstUse::write64, code) = slot;
    if (pair_there && writable && code != operand_codes(generation).exec) sdst(SdstUse::write64_not_exec, code) = slot;
  }
  return tables;
}

std::array<u32, literal_slots> make_constant_slots(Generation generation) {
  std::array<u32, literal_slots> slots{};
  for (u32 code = 128; code < 256; ++code) {
    const auto code8 = static_cast<u8>(code);
    if (!isa::is_inline_constant(isa::operand_class(generation, code8))) continue;
    const u64 wide = isa::inline_constant64(code8);
    slots[code] = isa::inline_constant32(code8);
    slots[constant64_slot(code)] = static_cast<u32>(wide);
    slots[constant64_slot(code) + 1U] = static_cast<u32>(wide >> 32);
  }
  return slots;
}

}  // namespace

const SlotTables& slot_tables(Generation generation, u32 sgprs) {
  static std::mutex mutex;
  static auto& made = *new std::map<std::pair<Generation, u32>, std::unique_ptr<const SlotTables>>;
  const std::scoped_lock lock(mutex);
  auto& tables = made[{generation, sgprs}];
  if (!tables) tables = std::make_unique<const SlotTables>(make_slot_tables(generation, sgprs));
  return *tables;
}

const std::array<u32, literal_slots>& constant_slots(Generation generation) {
  static const isa::GenerationTable<std::array<u32, literal_slots>> slots(make_constant_slots);
  return slots[generation];
}

}  // namespace salu::core
