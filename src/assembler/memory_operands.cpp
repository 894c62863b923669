#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "assembler/operands.hpp"
#include "isa/generations.hpp"
#include "support/names.hpp"

/// OFFSET, SOFFSET, IMM and SOE of scalar memory, and the modifiers after them (semantics.md 9.1, 9.2).
namespace salu::assembler {
namespace {

constexpr i64 highest_smrd_immediate = 255;
constexpr i64 highest_dword = (i64{1} << 32) - 1;

}  // namespace

bool OperandParser::is_buffer() const {
  const isa::OperandSpec* base = info_.shape.find(isa::Field::sbase);
  return base != nullptr && base->dwords == 4;
}

bool OperandParser::memory_immediate(i64 value, const TextPosition& place) {
  isa::Instruction& instruction = draft_.instruction;
  isa::MemoryFields& memory = instruction.memory;
  const ScalarMemory encoding = isa::scalar_memory(context_.generation);
  if (info_.format == isa::Format::smrd) {
    const bool has_literal = encoding == ScalarMemory::smrd_literal;
    if (value < 0 || value > (has_literal ? highest_dword : highest_smrd_immediate)) {
      return fail(place, fmt::format("the offset, in dwords, must be from 0 to {} on {}",
                                     has_literal ? highest_dword : highest_smrd_immediate,
                                     generation_name(context_.generation)));
    }
    if (value <= highest_smrd_immediate) {
      memory.has_immediate = true;
      memory.offset = static_cast<i32>(value);
      return true;
    }
    memory.has_literal = true;
    instruction.has_literal = true;
    instruction.dwords = 2;
    instruction.literal = static_cast<u32>(value);
    return true;
  }
  // Buffer loads do not have the sign bit: the manuals require an unsigned offset.
  const bool is_signed = encoding == ScalarMemory::smem_signed && !is_buffer();
  const i64 lowest = is_signed ? -(i64{1} << 20) : 0;
  const i64 highest = (i64{1} << 20) - 1;
  if (value < lowest || value > highest) {
    return fail(place, fmt::format("the offset, in bytes, must be from {} to {}", lowest, highest));
  }
  memory.has_immediate = true;
  memory.offset = static_cast<i32>(value);
  return true;
}

bool OperandParser::memory_offset() {
  const Token token = lexer_.peek();
  isa::MemoryFields& memory = draft_.instruction.memory;
  bool failed = false;
  if (const auto span = try_register(failed)) {
    const isa::OperandVerdict verdict =
        isa::judge_operand(context_.generation, isa::OperandKind::register_source, 1, span->code);
    if (span->dwords != 1 || verdict != isa::OperandVerdict::legal) {
      return fail(token.place, "the offset of " + mnemonic() + " must be one register, such as s0, or a number");
    }
    memory.has_offset_register = true;
    memory.soffset = span->code;
    return true;
  }
  if (failed) return false;
  // `offset:4` without a register is the same as 4.
  const auto name = name_before(":");
  if (name && *name != "offset") return fail(token.place, "expected an offset");
  const TextPosition place = lexer_.peek().place;
  const auto value = constant();
  return value && memory_immediate(*value, place);
}

bool OperandParser::memory_modifier(const Token& token) {
  isa::MemoryFields& memory = draft_.instruction.memory;
  const bool is_extended = isa::scalar_memory(context_.generation) == ScalarMemory::smem_signed;
  const isa::OperandSpec* data = info_.shape.find(isa::Field::sdata);
  std::string name(token.text);
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (token.kind == TokenKind::identifier && info_.format == isa::Format::smem) {
    const bool has_data = data != nullptr && data->kind == isa::OperandKind::memory_data;
    if (name == "glc" && has_data) {
      if (memory.glc) return fail(token.place, "glc is given twice");
      memory.glc = true;
      return true;
    }
    if (name == "noglc") return true;
    if (name == "nv" && is_extended) {
      memory.nv = true;
      return true;
    }
    if (name == "offset" && lexer_.peek().is(":")) {
      lexer_.next();
      const TextPosition place = lexer_.peek().place;
      const auto value = constant();
      if (!value) return false;
      if (!is_extended) {
        return fail(token.place, "an offset in addition to a register requires gcn1.4 or later");
      }
      if (memory.has_immediate) return fail(token.place, "the offset is given twice");
      return memory_immediate(*value, place);
    }
  }
  return fail(token.place,
              fmt::format("unexpected '{}' after the operands of {}", support::beginning(token.text, 40), mnemonic()));
}

bool OperandParser::memory_modifiers() {
  while (!lexer_.peek().ends_statement()) {
    lexer_.accept(",");
    if (!memory_modifier(lexer_.next())) return false;
  }
  return true;
}

}  // namespace salu::assembler
