#include "observe/known_instruction.hpp"

#include <algorithm>

#include "core/vector/allocated.hpp"
#include "isa/control_flow.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "observe/fidelity.hpp"

namespace salu::observe {
namespace {

bool decides(const isa::Instruction& instruction) {
  using namespace isa::effect;
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  constexpr isa::EffectSet tracked = scc | isa::effect::exec | vcc | m0;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  return info.writes_any(~tracked) || info.touches_any(relative | memory | gpr_idx_en);
}

bool may_be_unspecified(Generation generation, const isa::Instruction& instruction) {
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  if (info.unspecified != isa::Unspecified::field_beyond_operand) return info.unspecified != isa::Unspecified::never;
  // The width of a field is usually a constant.
  const u8 code = instruction.ssrc1;
  const bool is_constant = isa::is_inline_constant(isa::operand_class(generation, code));
  if (!is_constant && code != isa::literal_code) return true;
  const u32 field = is_constant ? isa::inline_constant32(code) : instruction.literal;
  const isa::OperandSpec* const source = info.shape.find(isa::Field::ssrc0);
  return isa::semantics::field_width(field) > 32U * source->dwords;
}

template <class Visit>
void for_scalar_dwords(std::span<const Location> locations, const Visit& visit) {
  for (const Location& location : locations) {
    for (u32 i = 0; i < location.dwords && location.index + i < state_index::scalar_count; ++i)
      visit(location.index + i);
  }
}

std::string_view mnemonic_of(const isa::Instruction& instruction, bool has_operand_fault) {
  switch (instruction.encoding) {
    case isa::EncodingClass::vector:
      return "vector";
    case isa::EncodingClass::truncated:
      return "<truncated>";
    case isa::EncodingClass::illegal:
      return "<invalid>";
    case isa::EncodingClass::scalar:
      break;
  }
  return has_operand_fault ? "<invalid>" : isa::info(instruction.insn).mnemonic;
}

}  // namespace

KnownInstruction::KnownInstruction(const core::Machine& machine, u64 address, std::span<const u32> words)
    : machine_(&machine),
      address_(address),
      word_count_(static_cast<u32>(std::min(words.size(), words_.size()))),
      instruction_(isa::decode(machine.generation(), words)),
      flow_(isa::flow_of(instruction_)),
      has_operand_fault_(instruction_.encoding == isa::EncodingClass::scalar &&
                         isa::find_operand_fault(machine.generation(), instruction_)),
      fixed_(has_fixed_accesses(machine.generation(), instruction_)),
      decides_(observe::decides(instruction_)),
      may_be_unspecified_(observe::may_be_unspecified(machine.generation(), instruction_)),
      is_approximate_(has_approximate_results(instruction_)) {
  mnemonic_ = mnemonic_of(instruction_, has_operand_fault_);
  std::copy_n(words.begin(), word_count_, words_.begin());
  if (instruction_.encoding == isa::EncodingClass::vector) vector_ = core::decode_allocated(machine.wave(), words);
  if (vector_) is_approximate_ = has_approximate_results(*vector_);
  if (!fixed_) return;
  accesses_ = find_accesses(machine, instruction_);
  // MODE, STATUS and the like are written partially; so is M0, by instructions that set up GPR indexing.
  const bool sets_index =
      instruction_.encoding == isa::EncodingClass::scalar && isa::info(instruction_.insn).writes_any(isa::effect::m0);
  for_scalar_dwords(accesses_.reads, [this](u32 index) { touches_.set(index); });
  // STATUS contains EXECZ and VCCZ.
  const bool reads_hwreg =
      instruction_.encoding == isa::EncodingClass::scalar && isa::info(instruction_.insn).reads_any(isa::effect::hwreg);
  if (reads_hwreg && touches_.test(state_index::status)) {
    for (const u32 pair : {state_index::exec, state_index::vcc}) touches_.set(pair).set(pair + 1);
  }
  for_scalar_dwords(accesses_.writes, [this, sets_index](u32 index) {
    writes_.set(index);
    if (index >= state_index::mode || sets_index) touches_.set(index);
  });
}

bool KnownInstruction::is_still(std::span<const u32> words) const {
  return word_count_ == std::min(words.size(), words_.size()) &&
         std::ranges::equal(std::span(words_).first(word_count_), words.first(word_count_));
}

std::string_view KnownInstruction::text() const {
  if (text_.empty()) text_ = machine_->code().text_of(instruction_, address_);
  return text_;
}

}  // namespace salu::observe
