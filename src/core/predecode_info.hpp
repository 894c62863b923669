#pragma once

#include <array>

#include "core/handler_info.hpp"
#include "core/slot_tables.hpp"

namespace salu::core {

/// Properties of an instruction for predecoding, computed at compile time from its row and its function.
struct PredecodeInfo {
  HandlerId fast{};  ///< followed by the one with a literal, if the format has literals
  HandlerId general{};
  SdstUse sdst{};
  SourceUse ssrc0{};
  SourceUse ssrc1{};
  /// Every operand is legal exactly if its slot table has a slot, a literal or a general use.
  bool judged_by_slots = false;
  bool plain = false;  ///< the same, without further checks once every operand has a slot
  bool ends_block = false;
  bool branches = false;  ///< a direct branch: its `imm` is the distance to the target
  bool sign_extends_literal = false;
};

namespace detail {

constexpr SdstUse sdst_use(const isa::OperandSpec* sdst, bool writes_exec) {
  if (sdst == nullptr) return SdstUse::none;
  if (!sdst->writes) return sdst->dwords == 1 ? SdstUse::read32 : SdstUse::read64;
  if (sdst->dwords == 1) return SdstUse::write32;
  return writes_exec ? SdstUse::write64_not_exec : SdstUse::write64;
}

constexpr SourceUse source_use(const isa::OperandSpec* source) {
  if (source == nullptr || source->dwords == 0) return SourceUse::none;
  return source->dwords == 1 ? SourceUse::read32 : SourceUse::read64;
}

constexpr PredecodeInfo predecode_info(const isa::InstructionInfo& row, HandlerId fast, HandlerId general) {
  PredecodeInfo info;
  info.fast = fast;
  info.general = general;
  info.sdst = sdst_use(row.shape.find(isa::Field::sdst), row.computes && row.writes_any(isa::effect::exec));
  info.ssrc0 = source_use(row.shape.find(isa::Field::ssrc0));
  info.ssrc1 = source_use(row.shape.find(isa::Field::ssrc1));
  info.judged_by_slots = true;
  for (const isa::OperandSpec& operand : row.shape.span()) {
    using enum isa::OperandKind;
    const bool narrow_source = operand.kind == register_source && operand.field != isa::Field::sdst;
    const bool extra = operand.kind == gpr_idx || operand.kind == literal;
    if (narrow_source || operand.kind == inline_source || extra) info.judged_by_slots = false;
  }
  info.ends_block = row.ends_block();
  info.branches = row.branches();
  info.sign_extends_literal = row.sign_extends_literal();
  info.plain = info.judged_by_slots && !info.branches && !info.ends_block;
  return info;
}

}  // namespace detail

/// Indexed by `Insn`. Scalar memory instructions come after those with functions and are not in this table.
inline constexpr std::array predecode_infos = {
#define SALU_GENERAL(name) \
  detail::predecode_info(isa::row(isa::Insn::name), HandlerId::name##_fast, HandlerId::name##_general),
#include "core/general_handlers.def"
#undef SALU_GENERAL
};

/// The registers that a handler writes for all values.
struct Defines {
  u8 sdst_dwords = 0;  ///< from MicroOp::d on
  bool scc = false;
  bool m0 = false;
  bool exec = false;
};

namespace detail {
constexpr Defines defines(const HandlerInfo& handler) {
  if (!handler.is_instruction()) return {handler.loaded_dwords};
  const isa::InstructionInfo& row = isa::row(handler.insn);
  // A write of a general handler can be dropped, so it is recorded at run time.
  const bool is_open = row.writes_if_scc || row.writes_any(isa::effect::relative) || row.is_undocumented;
  const bool always = !is_open && handler.variant != Variant::general;
  return {always ? row.dwords_written(isa::Field::sdst) : u8{0}, row.writes_any(isa::effect::scc),
          row.writes_any(isa::effect::m0), row.writes_any(isa::effect::exec)};
}
}  // namespace detail

/// `Defines` by HandlerId.
inline constexpr std::array<Defines, handler_count> handler_defines = by_handler(detail::defines);

/// The handler of an instruction of SOP1, SOP2 or SOPC that has a literal, all operands in slots.
constexpr HandlerId literal_handler(const PredecodeInfo& info) {
  return static_cast<HandlerId>(static_cast<u32>(info.fast) + 1);
}

}  // namespace salu::core
