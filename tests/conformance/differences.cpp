#include "conformance/differences.hpp"

#include <algorithm>
#include <array>

#include "isa/operand.hpp"

namespace salu::conformance {
namespace {

using isa::Insn;
using isa::OperandClass;
using isa::OperandFault;

constexpr u8 reserved_register = 125;

/// LLVM prints the instruction, salu rejects an operand.
std::optional<OperandFault> rejected_operand(const Disagreement& each) {
  const bool scalar = each.instruction.encoding == isa::EncodingClass::scalar;
  if (!each.llvm || each.salu != "<invalid>" || !scalar) return std::nullopt;
  return isa::find_operand_fault(each.generation, each.instruction);
}

u8 width_of(const Disagreement& each, isa::Field field) {
  const isa::OperandSpec* operand = isa::info(each.instruction.insn).shape.find(field);
  return operand == nullptr ? u8{0} : operand->dwords;
}

bool null_register(const Disagreement& each) {
  const auto fault = rejected_operand(each);
  return fault && fault->code == reserved_register;
}

bool misaligned(const Disagreement& each, bool pair) {
  const auto fault = rejected_operand(each);
  return fault && fault->kind == OperandFault::Kind::misaligned && (width_of(each, fault->field) == 2) == pair;
}

bool odd_pair(const Disagreement& each) { return misaligned(each, true); }
bool misaligned_run(const Disagreement& each) { return misaligned(each, false); }

bool run_past_the_registers(const Disagreement& each) {
  const auto fault = rejected_operand(each);
  return fault && fault->kind == OperandFault::Kind::illegal && width_of(each, fault->field) >= 4 &&
         isa::register_name(each.generation, fault->code, width_of(each, fault->field)).empty() &&
         isa::is_register(isa::operand_class(each.generation, fault->code));
}

bool aperture_before_gfx9(const Disagreement& each) {
  const auto fault = rejected_operand(each);
  return fault && fault->code >= 235 && fault->code <= 239 && !is_gfx9(each.generation);
}

bool source_of(const Disagreement& each, std::initializer_list<Insn> insns) {
  return rejected_operand(each) && std::ranges::find(insns, each.instruction.insn) != insns.end();
}

bool swappc_source(const Disagreement& each) { return source_of(each, {Insn::s_swappc_b64}); }
bool rfe_restore_source(const Disagreement& each) {
  return source_of(each, {Insn::s_rfe_restore_b64, Insn::s_rfe_restore_b64_gcn1_2});
}
bool g_fork_literal(const Disagreement& each) {
  const auto fault = rejected_operand(each);
  return fault && each.instruction.insn == Insn::s_cbranch_g_fork && fault->code == isa::literal_code;
}

/// SRC_SCC, SRC_VCCZ and the like count as registers in LLVM.
bool special_source_as_register(const Disagreement& each) {
  const auto fault = rejected_operand(each);
  return fault && fault->code >= 235 && isa::operand_class(each.generation, fault->code) != OperandClass::literal &&
         source_of(each, {Insn::s_movrels_b32, Insn::s_movrels_b64, Insn::s_cbranch_join, Insn::s_setpc_b64,
                          Insn::s_rfe_b64});
}

bool dropped_by_cdna3(const Disagreement& each) {
  constexpr std::array<std::string_view, 4> dropped = {"s_rfe_restore_b64", "s_atc_probe", "s_atc_probe_buffer",
                                                       "s_endpgm_ordered_ps_done"};
  if (!each.llvm || each.instruction.encoding != isa::EncodingClass::illegal) return false;
  const std::string mnemonic = each.llvm->substr(0, each.llvm->find(' '));
  return std::ranges::find(dropped, mnemonic) != dropped.end();
}

bool unknown_to_llvm(const Disagreement& each, std::string_view prefix) {
  return !each.llvm && each.salu.starts_with(prefix);
}
bool mov_fed(const Disagreement& each) { return unknown_to_llvm(each, "s_mov_fed_b32 "); }
bool regrd(const Disagreement& each) {
  return unknown_to_llvm(each, "s_mov_regrd_b32 ") || unknown_to_llvm(each, "s_getreg_regrd_b32 ");
}
bool valu_coexec_mode(const Disagreement& each) { return unknown_to_llvm(each, "s_set_valu_coexec_mode "); }

bool literal_of_an_inline_constant(const Disagreement& each) {
  return each.llvm && is_same_but_for_lit(*each.llvm, each.salu, each.instruction.literal);
}

bool flat_scratch_base(const Disagreement& each) {
  const auto fault = rejected_operand(each);
  return fault && (fault->code == 230 || fault->code == 231);
}

bool unused_bits(const Disagreement& each) {
  if (each.llvm || each.salu == "<invalid>" || each.instruction.encoding != isa::EncodingClass::scalar) return false;
  const Words canonical = isa::encode(each.generation, each.instruction);
  return canonical.count == each.words.count && canonical.words != each.words.words;
}

using enum Generation;
constexpr auto newest = static_cast<Generation>(generation_count - 1);

constexpr std::array<Difference, 16> differences = {{
    {"null-register", gcn1_2, newest, null_register},
    {"odd-pair", gcn1_2, newest, odd_pair},
    {"misaligned-run", gcn1_2, newest, misaligned_run},
    {"run-past-the-registers", gcn1_2, newest, run_past_the_registers},
    {"aperture-before-gfx9", gcn1_2, gcn1_2, aperture_before_gfx9},
    {"swappc-source", gcn1_2, newest, swappc_source},
    {"rfe-restore-source", gcn1_2, cdna2, rfe_restore_source},
    {"g-fork-literal", gcn1_2, newest, g_fork_literal},
    {"special-source-as-register", gcn1_2, newest, special_source_as_register},
    {"dropped-by-cdna3", cdna3, newest, dropped_by_cdna3},
    {"mov-fed", gcn1_2, newest, mov_fed},
    {"regrd", gcn1_2, newest, regrd},
    {"valu-coexec-mode", cdna3, newest, valu_coexec_mode},
    {"unused-bits", gcn1_2, newest, unused_bits},
    {"literal-of-an-inline-constant", gcn1_2, newest, literal_of_an_inline_constant, since_22},
    {"flat-scratch-base", gcn1_2, newest, flat_scratch_base, since_22},
}};

}  // namespace

std::span<const Difference> disassembly_differences() { return differences; }

const Difference* find_difference(const Disagreement& disagreement) {
  const auto* const found = std::ranges::find_if(differences, [&](const Difference& each) {
    return each.versions.has(llvm().version) && each.explains(disagreement);
  });
  return found == differences.end() ? nullptr : found;
}

}  // namespace salu::conformance
