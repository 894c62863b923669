#include <algorithm>

#include "assembler/assembler.hpp"
#include "fuzz/fuzzing.hpp"
#include "fuzz/vector_text.hpp"
#include "isa/disassemble.hpp"
#include "isa/vector/disassemble.hpp"
#include "isa/vector/encode.hpp"

/// Input: a generation, then words. Decoding and disassembling is safe for all words; a valid instruction is unchanged
/// after encoding, and after being printed and assembled.
namespace salu::fuzzing {
namespace {

using isa::EncodingClass;
using isa::Field;
using isa::Instruction;
using isa::OperandKind;
using isa::OperandSpec;

bool is_valid(Generation generation, const Instruction& instruction) {
  return instruction.encoding == EncodingClass::scalar && !isa::find_operand_fault(generation, instruction);
}

/// Clears everything that is not an operand of the instruction.
Instruction operands_of(const Instruction& instruction) {
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  Instruction result = instruction;
  if (shape.find(Field::sdst) == nullptr) result.sdst = 0;
  if (shape.find(Field::ssrc0) == nullptr) result.ssrc0 = 0;
  if (shape.find(Field::ssrc1) == nullptr) result.ssrc1 = 0;
  if (shape.find(Field::simm16) == nullptr && instruction.insn != isa::Insn::s_endpgm) result.simm16 = 0;
  return result;
}

/// Also clears the parts that are not visible in the text: NV, and GLC if nothing is returned or stored.
Instruction shown(const Instruction& instruction) {
  const isa::Shape& shape = isa::info(instruction.insn).shape;
  Instruction result = operands_of(instruction);
  const OperandSpec* data = shape.find(Field::sdata);
  if (data == nullptr || data->kind != OperandKind::memory_data) result.memory.glc = false;
  result.memory.nv = false;
  return result;
}

/// The value of a constant source operand.
u64 constant(const Instruction& instruction, const OperandSpec& operand, u8 code) {
  if (code != isa::literal_code)
    return operand.dwords == 2 ? isa::inline_constant64(code) : isa::inline_constant32(code);
  if (operand.kind == OperandKind::signed_source) return static_cast<u64>(i64{static_cast<i32>(instruction.literal)});
  return instruction.literal;
}

/// A literal whose value fits in a shorter form is printed as the value and assembled in that form.
Instruction with_literal_of(const Instruction& instruction, const Instruction& before, const std::string& detail) {
  Instruction result = instruction;
  if (!before.has_literal) return result;
  if (before.memory.has_literal && !instruction.has_literal) {
    require(instruction.memory.has_immediate && static_cast<u32>(instruction.memory.offset) == before.literal,
            "a literal offset comes back as the same immediate offset", detail);
    result.memory = before.memory;
  }
  for (const OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    if (operand.field != Field::ssrc0 && operand.field != Field::ssrc1) continue;
    u8& code = operand.field == Field::ssrc0 ? result.ssrc0 : result.ssrc1;
    const u8 code_before = operand.field == Field::ssrc0 ? before.ssrc0 : before.ssrc1;
    if (code_before != isa::literal_code || code == isa::literal_code || operand.dwords == 0) continue;
    require(constant(instruction, operand, code) == constant(before, operand, code_before),
            "a literal comes back as an inline constant of the same value", detail);
    code = isa::literal_code;
  }
  if (!instruction.has_literal) {
    result.has_literal = true;
    result.literal = before.literal;
    result.dwords = before.dwords;
  }
  return result;
}

void check_text(Generation generation, const Instruction& instruction, const std::string& text) {
  const std::string detail = std::string(generation_name(generation)) + ": " + text;
  assembler::Options options;
  options.generation = generation;
  const assembler::Assembly assembly = assembler::assemble(text, options);
  require(assembly.errors.empty(), "the disassembly assembles",
          detail + (assembly.errors.empty() ? "" : "\n" + assembly.errors.front().to_string()));
  const Instruction again = isa::decode(generation, assembly.words);
  const std::string words = detail + "\nassembles to " + hex_words(assembly.words);
  require(is_valid(generation, again) && again.dwords == assembly.words.size(), "it assembles to one instruction",
          words);
  require(isa::disassemble(generation, again) == text, "the text comes back", words);
  Instruction expected = shown(instruction);
  // LLVM and salu do not print bits that do not belong to a counter or a part of the message.
  const OperandSpec* simm16 = isa::info(instruction.insn).shape.find(Field::simm16);
  const bool in_parts =
      simm16 != nullptr && (simm16->kind == OperandKind::waitcnt || simm16->kind == OperandKind::sendmsg);
  if (in_parts) expected.simm16 = again.simm16;
  require(with_literal_of(again, expected, words) == expected, "it assembles to the instruction that it was made from",
          words + "\nmade from " + hex_words(isa::encode(generation, expected).words));
}

/// LLVM and salu print negative offsets into a buffer but do not assemble them.
bool assembles(const Instruction& instruction) {
  constexpr u8 buffer_dwords = 4;
  const OperandSpec* base = isa::info(instruction.insn).shape.find(Field::sbase);
  return base == nullptr || base->dwords != buffer_dwords || instruction.memory.offset >= 0;
}

/// A vector instruction is unchanged after encoding, and after being assembled if its text is unambiguous.
void check_vector(Generation generation, std::span<const u32> words) {
  const auto instruction = isa::vector::decode(generation, words);
  if (!instruction) return;
  const isa::EncodedWords encoded = isa::vector::encode(generation, *instruction);
  const std::string text = isa::vector::disassemble(generation, *instruction);
  const std::string detail =
      std::string(generation_name(generation)) + ": " + text + "\nencoded " + hex_words(encoded.span());
  require(encoded.count == instruction->dwords && isa::vector::decode(generation, encoded.span()) == instruction,
          "encoding keeps the vector instruction", detail);
  assembler::Options options;
  options.generation = generation;
  const assembler::Assembly assembly = assembler::assemble(text, options);
  if (!assembly.errors.empty()) {
    require(!is_assembled(generation, *instruction), "the disassembly assembles",
            detail + "\n" + assembly.errors.front().to_string());
    return;
  }
  const auto again = isa::vector::decode(generation, assembly.words);
  require(again && again->dwords == assembly.words.size(), "it assembles to one vector instruction", detail);
  require(has_half_constant(generation, *instruction) || isa::vector::disassemble(generation, *again) == text,
          "the text comes back", detail + "\nassembles to " + hex_words(assembly.words));
}

void check_instruction(Generation generation, std::span<const u32> words) {
  const Instruction instruction = isa::decode(generation, words);
  const std::string text = isa::disassemble(generation, instruction);
  const bool valid = is_valid(generation, instruction);
  const std::string detail = std::string(generation_name(generation)) + ": " +
                             hex_words(words.first(std::min<std::size_t>(words.size(), 2))) + ": " + text;
  require(valid ? !text.starts_with('<') : instruction.encoding == EncodingClass::vector || text.starts_with('<'),
          "valid instructions have a text, and others do not", detail);
  const bool complete = instruction.encoding != EncodingClass::truncated;
  require(!complete || instruction.dwords <= words.size(), "an instruction is not longer than its words", detail);
  if (instruction.encoding == EncodingClass::vector) check_vector(generation, words.first(instruction.dwords));
  if (!valid) return;

  const isa::EncodedWords encoded = isa::encode(generation, instruction);
  require(encoded.count == instruction.dwords, "encoding keeps the length", detail);
  require(isa::decode(generation, encoded.span()) == operands_of(instruction), "encoding keeps the instruction",
          detail + "\nencoded " + hex_words(encoded.span()));
  if (assembles(instruction)) check_text(generation, instruction, text);
}

}  // namespace
}  // namespace salu::fuzzing

extern "C" int LLVMFuzzerTestOneInput(const salu::u8* data, std::size_t size) {
  using namespace salu;
  constexpr std::size_t most_words = 64;
  fuzzing::Bytes input(data, size);
  const Generation generation = input.take_generation();
  const std::vector<u32> words = input.take_words(most_words);
  for (std::size_t i = 0; i < words.size(); ++i) fuzzing::check_instruction(generation, std::span(words).subspan(i));
  return 0;
}
