#include "assembler/operands.hpp"

#include <fmt/core.h>

#include <bit>
#include <utility>

#include "support/numbers.hpp"

namespace salu::assembler {
namespace {

using isa::OperandKind;
using isa::RegisterSpan;

std::string_view shape_of(u8 dwords) {
  switch (dwords) {
    case 1:
      return "one register, such as s0";
    case 2:
      return "a pair of registers, such as s[0:1]";
    case 4:
      return "four registers, such as s[0:3]";
    case 8:
      return "eight registers, such as s[0:7]";
    default:
      return "sixteen registers, such as s[0:15]";
  }
}

std::string_view field_name(isa::Field field) {
  switch (field) {
    case isa::Field::sdst:
      return "sdst";
    case isa::Field::ssrc0:
      return "ssrc0";
    case isa::Field::ssrc1:
      return "ssrc1";
    case isa::Field::sdata:
      return "sdata";
    case isa::Field::sbase:
      return "sbase";
    case isa::Field::offset:
      return "offset";
    case isa::Field::simm16:
      return "simm16";
    case isa::Field::literal:
      return "literal";
  }
  return {};
}

}  // namespace

std::string describe_extension(std::string_view written, i64 value, bool is_signed) {
  const auto low = static_cast<u32>(static_cast<u64>(value));
  const u64 extended = is_signed ? static_cast<u64>(i64{static_cast<i32>(low)}) : u64{low};
  if (extended == static_cast<u64>(value)) return {};
  return fmt::format("the literal of this 64-bit operand is {}-extended: {} becomes {}", is_signed ? "sign" : "zero",
                     describe_value(written, value), support::hex(extended, 16));
}

bool OperandParser::set_code(const isa::OperandSpec& operand, u8 code, const TextPosition& place) {
  const isa::OperandVerdict verdict = isa::judge_operand(context_.generation, operand.kind, operand.dwords, code);
  if (verdict == isa::OperandVerdict::misaligned) {
    return fail(place, fmt::format("{} of {} must start at {}", field_name(operand.field), mnemonic(),
                                   operand.dwords == 2 ? "an even register" : "a register that is a multiple of four"));
  }
  if (verdict == isa::OperandVerdict::illegal) {
    return fail(place, fmt::format("{} of {} cannot be this operand", field_name(operand.field), mnemonic()));
  }
  switch (operand.field) {
    case isa::Field::sdst:
      draft_.instruction.sdst = code;
      break;
    case isa::Field::ssrc0:
      draft_.instruction.ssrc0 = code;
      break;
    case isa::Field::ssrc1:
      draft_.instruction.ssrc1 = code;
      break;
    case isa::Field::sdata:
      draft_.instruction.memory.sdata = code;
      break;
    case isa::Field::sbase:
      draft_.instruction.memory.sbase = code;
      break;
    default:
      break;
  }
  return true;
}

bool OperandParser::expected_register(const isa::OperandSpec& operand, const TextPosition& place) {
  return fail(place,
              fmt::format("{} of {} must be {}", field_name(operand.field), mnemonic(), shape_of(operand.dwords)));
}

bool OperandParser::register_operand(const isa::OperandSpec& operand, RegisterSpan span, const TextPosition& place) {
  if (span.dwords != operand.dwords) return expected_register(operand, place);
  return set_code(operand, span.code, place);
}

/// Parses scalar registers. Returns nothing if the operand is not a register; `failed` is set if it is another kind of
/// register or an invalid one (reported).
std::optional<RegisterSpan> OperandParser::try_register(bool& failed) {
  const TextPosition place = lexer_.peek().place;
  const auto run = try_registers(failed);
  if (!run) return std::nullopt;
  if (run->file == RegisterFile::scalar) return RegisterSpan{run->first, run->dwords};
  failed = !fail(place, describe_vector_registers(*run));
  return std::nullopt;
}

bool OperandParser::literal(const isa::OperandSpec& operand, u32 value, const TextPosition& place) {
  if (operand.kind == OperandKind::inline_source) {
    return fail(
        place,
        fmt::format("{} of {} can be a register or an inline constant (-16 to 64, 0.5, 1.0, 2.0, 4.0), not a literal",
                    field_name(operand.field), mnemonic()));
  }
  isa::Instruction& instruction = draft_.instruction;
  if (draft_.fixup || (instruction.has_literal && instruction.literal != value)) {
    return fail(place, "only one literal is possible in an instruction");
  }
  instruction.has_literal = true;
  instruction.literal = value;
  instruction.dwords = 2;
  return set_code(operand, isa::literal_code, place);
}

bool OperandParser::integer_source(const isa::OperandSpec& operand, i64 value, std::string_view written,
                                   const TextPosition& place, bool force_literal) {
  // A dword given as 0xfffffff0 is the inline constant -16 of a 32-bit operand.
  if (!force_literal && (operand.dwords == 2 || fits_dword(value))) {
    const u64 bits = operand.dwords == 1 ? u64{static_cast<u32>(value)} : static_cast<u64>(value);
    const auto code = isa::inline_constant_code(context_.generation, bits, operand.dwords);
    if (code) return set_code(operand, *code, place);
  }
  if (!fits_dword(value)) {
    return fail(place, describe_value(written, value) + " does not fit in the 32 bits of a literal");
  }
  if (!literal(operand, static_cast<u32>(value), place)) return false;
  if (operand.dwords == 2) {
    std::string warning = describe_extension(written, value, operand.kind == OperandKind::signed_source);
    if (!warning.empty()) context_.diagnostics.remark(place, std::move(warning));
  }
  return true;
}

bool OperandParser::float_source(const isa::OperandSpec& operand, double value, const TextPosition& place) {
  if (operand.dwords == 2) {
    const u64 bits = std::bit_cast<u64>(value);
    if (const auto code = isa::inline_constant_code(context_.generation, bits, 2))
      return set_code(operand, *code, place);
    return fail(
        place, "a 64-bit operand takes the floating-point numbers 0.5, 1.0, 2.0, 4.0, their negatives" +
                   std::string(generation_info(context_.generation).has_inverse_two_pi ? ", 0.15915494309189532" : "") +
                   " and 0.0; another one does not fit in a literal");
  }
  const auto bits = single_precision(value, place);
  return bits && integer_source(operand, static_cast<i32>(*bits), {}, place, false);
}

bool OperandParser::wait_for_labels(Fixup::Kind kind, const isa::OperandSpec& operand, Expression expression) {
  if (draft_.fixup) return fail(expression.place, "only one operand of an instruction can depend on labels");
  draft_.fixup = Fixup{kind, operand.dwords, operand.kind == OperandKind::signed_source, std::move(expression)};
  return true;
}

bool OperandParser::source_operand(const isa::OperandSpec& operand) {
  auto source = read_source();
  if (!source) return false;
  switch (source->kind) {
    case WrittenSource::Kind::registers:
      if (source->registers.file != RegisterFile::scalar)
        return fail(source->place, describe_vector_registers(source->registers));
      return register_operand(operand, {source->registers.first, source->registers.dwords}, source->place);
    case WrittenSource::Kind::special:
      return set_code(operand, source->code, source->place);
    case WrittenSource::Kind::floating:
      return float_source(operand, source->floating, source->place);
    case WrittenSource::Kind::integer:
      return integer_source(operand, source->integer, source->expression.text, source->place, source->is_literal);
    case WrittenSource::Kind::labels:
      break;
  }
  if (draft_.instruction.has_literal) return fail(source->place, "only one literal is possible in an instruction");
  return literal(operand, 0, source->place) &&
         wait_for_labels(Fixup::Kind::literal, operand, std::move(source->expression));
}

}  // namespace salu::assembler
