#include "suite/fidelity_tally.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "isa/decode.hpp"
#include "isa/operand.hpp"
#include "isa/vector/decode.hpp"
#include "observe/fidelity.hpp"

namespace salu::suite {
namespace {

using isa::OperandClass;

bool is_compared(const Scenario& scenario, const Location& place) {
  if (!scenario.expect) return false;
  return std::ranges::any_of(scenario.expect->registers,
                             [&](const RegisterExpectation& expected) {
                               return overlap(place, {expected.name.index, expected.name.dwords()});
                             }) ||
         std::ranges::any_of(scenario.expect->memory, [&](const MemoryExpectation& expected) {
           const auto dwords = static_cast<u32>((expected.bytes.size() + 3) / 4);
           return overlap(place, Location::in_memory(expected.address, dwords));
         });
}

/// A number for what an operand of a scalar instruction is.
u32 operand_form(isa::Insn insn, isa::Field field, OperandClass operand) {
  return (static_cast<u32>(insn) << 8 | static_cast<u32>(field)) << 8 | static_cast<u32>(operand);
}
u32 vector_form(isa::vector::Insn insn, isa::vector::Form form) {
  return static_cast<u32>(insn) << 8 | static_cast<u32>(form);
}

/// Whether a field holds the code of an operand, of which there are several kinds.
bool has_forms(const isa::OperandSpec& operand) {
  using Kind = isa::OperandKind;
  return operand.kind == Kind::destination || operand.kind == Kind::source || operand.kind == Kind::signed_source ||
         operand.kind == Kind::inline_source || operand.kind == Kind::register_source ||
         operand.kind == Kind::memory_data || operand.kind == Kind::memory_base;
}

u64 operand_forms_of(Generation generation, const isa::InstructionInfo& row) {
  u64 forms = 0;
  for (const isa::OperandSpec& operand : row.shape.span()) {
    if (!has_forms(operand)) continue;
    std::set<OperandClass> classes;
    for (u32 code = 0; code <= isa::literal_code; ++code) {
      const auto number = static_cast<u8>(code);
      const bool is_legal =
          isa::judge_operand(generation, operand.kind, operand.dwords, number) == isa::OperandVerdict::legal;
      if (is_legal) classes.insert(isa::operand_class(generation, number));
    }
    forms += classes.size();
  }
  return forms;
}

u64 vector_forms_of(Generation generation, const isa::vector::InstructionInfo& row) {
  const bool is_sdwa = row.opcode(generation) != isa::absent && (row.modifiers & isa::vector::modifier::sdwa) != 0 &&
                       generation_info(generation).vector_encoding == VectorEncoding::gfx8;
  return u64{row.opcode(generation) != isa::absent} + u64{row.vop3_opcode(generation) != isa::absent} + u64{is_sdwa};
}

}  // namespace

void FidelityTally::add(const Scenario& scenario, const Outcome& outcome) {
  const Fidelity& fidelity = *outcome.fidelity;
  ++runs_.runs;
  if (!fidelity.is_exact()) {
    const Fidelity::Affected& affected = *fidelity.affected;
    ++runs_.inexact_runs;
    runs_.affected_control_flow += u64{affected.control_flow};
    runs_.affected_addresses += u64{affected.address};
    runs_.affected_results +=
        u64{std::ranges::any_of(affected.results, [&](const Location& place) { return is_compared(scenario, place); })};
  }
  observe::merge(all_, std::optional(fidelity));
}

void FidelityTally::merge(FidelityTally&& other) {
  observe::merge(all_, std::move(other.all_));
  runs_.add_runs(other.runs_);
}

void SuiteTally::add(const Program& program, const FidelityTally& test) {
  sums_.add_runs(test.runs_);
  if (!test.all_) return;
  const Fidelity& all = *test.all_;
  sums_.exact += all.exact.size();
  sums_.approximate += all.approximate.size();
  sums_.skipped += all.skipped.size();
  sums_.assumed += all.assumed.size();
  Executed& executed = executed_[program.generation()];
  for (const auto* const addresses : {&all.exact, &all.approximate}) {
    for (const u64 address : *addresses) {
      const CodeBlock* const block = program.find_block(address);
      if (block == nullptr) continue;
      add(program.generation(), std::span(block->words).subspan((address - block->base) / 4), executed);
    }
  }
}

void SuiteTally::add(Generation generation, std::span<const u32> words, Executed& executed) {
  const isa::Instruction instruction = isa::decode(generation, words);
  if (instruction.encoding == isa::EncodingClass::vector) {
    const auto vector = isa::vector::decode(generation, words);
    if (!vector) return;
    executed.vector.insert(static_cast<u32>(vector->insn));
    executed.vector_forms.insert(vector_form(vector->insn, vector->form));
  }
  if (instruction.encoding != isa::EncodingClass::scalar) return;
  executed.scalar.insert(static_cast<u32>(instruction.insn));
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    const std::optional<u8> code = isa::operand_code(instruction, operand.field);
    if (!code || !has_forms(operand)) continue;
    executed.operand_forms.insert(operand_form(instruction.insn, operand.field, isa::operand_class(generation, *code)));
  }
}

SuiteFidelity SuiteTally::result() const {
  SuiteFidelity result = sums_;
  for (const auto& [generation, executed] : executed_) {
    InstructionCoverage& coverage = result.coverage.emplace_back();
    coverage.generation = generation;
    const auto rows = isa::all_instructions();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].opcode(generation) == isa::absent) continue;
      ++coverage.scalar.all;
      coverage.operand_forms.all += operand_forms_of(generation, rows[i]);
      if (!executed.scalar.contains(static_cast<u32>(i))) coverage.never_executed.emplace_back(rows[i].mnemonic);
    }
    for (const isa::vector::InstructionInfo& row : isa::vector::all_instructions()) {
      const u64 forms = vector_forms_of(generation, row);
      coverage.vector.all += u64{forms != 0};
      coverage.vector_forms.all += forms;
    }
    coverage.scalar.covered = executed.scalar.size();
    coverage.operand_forms.covered = executed.operand_forms.size();
    coverage.vector.covered = executed.vector.size();
    coverage.vector_forms.covered = executed.vector_forms.size();
  }
  return result;
}

}  // namespace salu::suite
