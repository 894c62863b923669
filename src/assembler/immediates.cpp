#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "assembler/operands.hpp"
#include "isa/symbolic.hpp"

/// Operands that are immediates, numeric or named.
namespace salu::assembler {
namespace {

constexpr i64 lowest_simm16 = -32768;
constexpr i64 highest_simm16 = 32767;
constexpr i64 highest_uimm16 = 65535;
constexpr u32 gs_message = 2;
constexpr u32 message_count = 16;
constexpr u32 message_operation_count = 8;

}  // namespace

bool OperandParser::set_simm16(std::optional<i64> value, const TextPosition& place) {
  if (!value) return false;
  if (*value < 0 || *value > highest_uimm16) {
    return fail(place, describe_value(lexer_.text_since(place), *value) + " is not from 0 to 65535");
  }
  draft_.instruction.simm16 = static_cast<u16>(*value);
  return true;
}

bool OperandParser::immediate16(const isa::OperandSpec& operand) {
  auto expression = parse_expression(lexer_, context_.symbols, context_.diagnostics, context_.location);
  if (!expression) return false;
  const bool is_unsigned = operand.kind == isa::OperandKind::uimm16 && info_.format == isa::Format::sopk;
  if (!expression->is_constant()) {
    return wait_for_labels(is_unsigned ? Fixup::Kind::uimm16 : Fixup::Kind::simm16, operand, std::move(*expression));
  }
  const auto value = evaluate(*expression, context_.symbols, context_.diagnostics);
  if (!value) return false;
  if (value->number < (is_unsigned ? 0 : lowest_simm16) || value->number > highest_uimm16) {
    return fail(expression->place, describe_value(expression->text, value->number) + " does not fit in 16 bits" +
                                       (is_unsigned ? " without sign" : ""));
  }
  draft_.instruction.simm16 = static_cast<u16>(value->number);
  // 0xffff clearly means a bit pattern; 65535 looks like a number, and the instruction reads -1.
  if (operand.kind == isa::OperandKind::simm16 && value->number > highest_simm16 && !expression->in_digits) {
    context_.diagnostics.remark(expression->place, fmt::format("the 16-bit immediate is sign-extended: {} becomes {}",
                                                               describe_value(expression->text, value->number),
                                                               value->number - highest_uimm16 - 1));
  }
  return true;
}

bool OperandParser::branch() {
  const Token token = lexer_.peek();
  auto expression = parse_expression(lexer_, context_.symbols, context_.diagnostics, context_.location);
  if (!expression) return false;
  if (!expression->is_constant()) {
    return wait_for_labels(Fixup::Kind::branch, *info_.shape.find(isa::Field::simm16), std::move(*expression));
  }
  const auto value = evaluate(*expression, context_.symbols, context_.diagnostics);
  if (!value) return false;
  if (value->number < lowest_simm16 || value->number > highest_uimm16) {
    return fail(token.place, describe_value(expression->text, value->number) +
                                 " dwords are out of reach: a branch reaches from -32768 to 32767 dwords");
  }
  draft_.instruction.simm16 = static_cast<u16>(value->number);
  if (value->number > highest_simm16 && !expression->in_digits) {
    context_.diagnostics.remark(expression->place, describe_wrapped_distance(expression->text, value->number));
  }
  return true;
}

bool OperandParser::mandatory_literal(const isa::OperandSpec& operand) {
  isa::Instruction& instruction = draft_.instruction;
  instruction.has_literal = true;
  instruction.dwords = 2;
  Lexer ahead = lexer_;
  const TextPosition place = lexer_.peek().place;
  const bool negative = ahead.accept("-");
  if (const Token number = ahead.next(); number.kind == TokenKind::floating) {
    lexer_ = ahead;
    const auto bits = single_precision(negative ? -number.floating : number.floating, place);
    instruction.literal = bits.value_or(0);
    return bits.has_value();
  }
  auto expression = parse_expression(lexer_, context_.symbols, context_.diagnostics, context_.location);
  if (!expression) return false;
  if (!expression->is_constant()) return wait_for_labels(Fixup::Kind::literal, operand, std::move(*expression));
  const auto value = evaluate(*expression, context_.symbols, context_.diagnostics);
  if (!value) return false;
  if (!fits_dword(value->number)) {
    return fail(place, describe_value(expression->text, value->number) + " does not fit in the 32 bits of a literal");
  }
  instruction.literal = static_cast<u32>(value->number);
  return true;
}

// ---- hwreg ----

bool OperandParser::hwreg_fields(i64 id, i64 offset, i64 size, const TextPosition& id_place,
                                 const TextPosition& offset_place, const TextPosition& size_place) {
  if (id < 0 || id > 63) return fail(id_place, "a hardware register number must be from 0 to 63");
  if (offset < 0 || offset > 31)
    return fail(offset_place, "the first bit of a hardware register field must be from 0 to 31");
  if (size < 1 || size > 32) return fail(size_place, "a hardware register field is 1 to 32 bits wide");
  draft_.instruction.simm16 =
      isa::encode_hwreg({static_cast<u32>(id), static_cast<u32>(offset), static_cast<u32>(size)});
  return true;
}

/// LLVM's `{id: 1, offset: 2, size: 3}`; each part is optional.
bool OperandParser::structured_hwreg() {
  std::array<i64, 3> values = {0, 0, 32};
  std::array<TextPosition, 3> places{};
  constexpr std::array<std::string_view, 3> names = {"id", "offset", "size"};
  lexer_.next();
  do {
    const Token token = lexer_.peek();
    const auto name = name_before(":");
    std::size_t which = 0;
    while (which < names.size() && name != names[which]) ++which;
    if (which == names.size()) return fail(token.place, "expected id:, offset: or size:");
    places[which] = lexer_.peek().place;
    const auto value = constant();
    if (!value) return false;
    values[which] = *value;
  } while (lexer_.accept(","));
  return expect("}", "after the parts of a hardware register") &&
         hwreg_fields(values[0], values[1], values[2], places[0], places[1], places[2]);
}

bool OperandParser::hwreg() {
  const Token token = lexer_.peek();
  if (token.is("{")) return structured_hwreg();
  const auto function = name_before("(");
  if (!function) return set_simm16(constant(), token.place);
  if (*function != "hwreg" && *function != "HWREG")
    return fail(token.place, "expected hwreg(name or number, first bit, bits)");

  const Token id_token = lexer_.peek();
  i64 id = 0;
  const bool is_name = id_token.kind == TokenKind::identifier;
  const auto known_to = [&](Generation generation) {
    return isa::find_hwreg_spelling(generation, id_token.text) != nullptr;
  };
  if (is_name && known_to(context_.generation)) {
    lexer_.next();
    id = isa::find_hwreg_spelling(context_.generation, id_token.text)->id;
  } else if (is_name && std::ranges::any_of(all_generations(), known_to)) {
    return fail(id_token.place, std::string(id_token.text) + " is not available on " +
                                    std::string(generation_name(context_.generation)));
  } else if (is_unknown_name()) {
    std::vector<std::string> names;
    for (const isa::HwregInfo& info : isa::hwregs()) {
      if (isa::contains(info.generations, context_.generation)) names.push_back("HW_REG_" + std::string(info.name));
    }
    return fail_unknown(id_token, "hardware register", names);
  } else if (const auto number = constant()) {
    id = *number;
  } else {
    return false;
  }
  std::optional<i64> offset = 0;
  std::optional<i64> size = 32;
  TextPosition offset_place;
  TextPosition size_place;
  if (lexer_.accept(",")) {
    offset_place = lexer_.peek().place;
    offset = constant();
    if (!offset || !expect(",", "and the number of bits")) return false;
    size_place = lexer_.peek().place;
    size = constant();
    if (!size) return false;
  }
  return expect(")", "after hwreg(") && hwreg_fields(id, *offset, *size, id_token.place, offset_place, size_place);
}

// ---- s_waitcnt ----

bool OperandParser::wait_counter(std::string_view name, const TextPosition& place) {
  constexpr std::string_view saturating = "_sat";
  const bool saturate = name.ends_with(saturating);
  if (saturate) name.remove_suffix(saturating.size());
  const isa::WaitCounters limits = isa::wait_limits(context_.generation);
  isa::WaitCounters counters = isa::decode_waitcnt(context_.generation, draft_.instruction.simm16);
  u32 limit = 0;
  u32* counter = nullptr;
  if (name == "vmcnt") {
    counter = &counters.vmcnt;
    limit = limits.vmcnt;
  } else if (name == "expcnt") {
    counter = &counters.expcnt;
    limit = limits.expcnt;
  } else if (name == "lgkmcnt") {
    counter = &counters.lgkmcnt;
    limit = limits.lgkmcnt;
  } else {
    return fail(place, "unknown counter '" + std::string(name.substr(0, 40)) + "': expected vmcnt, expcnt or lgkmcnt");
  }
  const TextPosition value_place = lexer_.peek().place;
  const auto value = constant();
  if (!value) return false;
  if (*value < 0 || (*value > limit && !saturate)) {
    return fail(value_place,
                fmt::format("{} must be from 0 to {} on {}", name, limit, generation_name(context_.generation)));
  }
  *counter = static_cast<u32>(*value > limit ? limit : *value);
  draft_.instruction.simm16 = isa::encode_waitcnt(context_.generation, counters);
  return expect(")", "after the counter's value");
}

bool OperandParser::waitcnt() {
  const Token token = lexer_.peek();
  if (token.kind != TokenKind::identifier) {
    const auto value = constant();
    if (!value) return false;
    if (*value < lowest_simm16 || *value > highest_uimm16)
      return fail(token.place, "this value does not fit in 16 bits");
    draft_.instruction.simm16 = static_cast<u16>(*value);
    return true;
  }
  Lexer ahead = lexer_;
  ahead.next();
  if (!ahead.peek().is("(")) return set_simm16(constant(), token.place);

  draft_.instruction.simm16 = isa::encode_waitcnt(context_.generation, isa::wait_limits(context_.generation));
  bool more = true;
  while (more) {
    const TextPosition place = lexer_.peek().place;
    const auto name = name_before("(");
    if (!name) return fail(place, "expected vmcnt(...), expcnt(...) or lgkmcnt(...)");
    std::string lower(*name);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (!wait_counter(lower, place)) return false;
    const bool separated = lexer_.accept("&") || lexer_.accept(",");
    more = separated || !lexer_.peek().ends_statement();
  }
  return true;
}

// ---- s_sendmsg ----

/// CLRX's `emit-cut`: the first name has been read.
const isa::MessageName* OperandParser::emit_cut(const isa::MessageName* operation) {
  Lexer ahead = lexer_;
  if (operation->name != "emit" || !ahead.accept("-")) return operation;
  const Token token = ahead.next();
  if (token.text != "cut" && token.text != "CUT") return operation;
  lexer_ = ahead;
  return isa::find_message_operation(gs_message, "emit_cut");
}

bool OperandParser::sendmsg() {
  const Token token = lexer_.peek();
  const auto function = name_before("(");
  if (!function) return set_simm16(constant(), token.place);
  if (*function != "sendmsg" && *function != "SENDMSG")
    return fail(token.place, "expected sendmsg(message, operation, stream)");

  const Generation generation = context_.generation;
  const std::string unavailable = " is not available on " + std::string(generation_name(generation));
  isa::Message message;
  // Names are checked against the generation; numbers are encoded as written.
  bool named = false;
  const Token id_token = lexer_.peek();
  const isa::MessageName* known = id_token.kind == TokenKind::identifier ? isa::find_message(id_token.text) : nullptr;
  if (known != nullptr) {
    lexer_.next();
    if (!known->exists_on(generation)) return fail(id_token.place, std::string(id_token.text) + unavailable);
    message.id = known->id;
    named = true;
  } else if (is_unknown_name()) {
    std::vector<std::string> names;
    for (u32 each = 0; each < message_count; ++each) names.push_back(isa::message_name(generation, each));
    return fail_unknown(id_token, "message", names);
  } else if (const auto number = constant()) {
    if (*number < 0 || *number > 15) return fail(id_token.place, "a message number must be from 0 to 15");
    message.id = static_cast<u32>(*number);
  } else {
    return false;
  }

  if (lexer_.accept(",")) {
    const Token operation_token = lexer_.peek();
    if (named && !isa::message_needs_operation(message.id)) {
      return fail(operation_token.place, std::string(id_token.text) + " does not take an operation");
    }
    const isa::MessageName* operation = nullptr;
    if (operation_token.kind == TokenKind::identifier) {
      operation = isa::find_message_operation(message.id, operation_token.text);
    }
    if (operation != nullptr) {
      lexer_.next();
      operation = emit_cut(operation);
      if (!operation->exists_on(generation)) {
        return fail(operation_token.place, std::string(operation_token.text) + unavailable);
      }
      message.operation = operation->id;
    } else if (is_unknown_name()) {
      std::vector<std::string> names;
      for (u32 each = 0; each < message_operation_count; ++each) {
        names.push_back(isa::message_operation_name(generation, message.id, each));
      }
      return fail_unknown(operation_token, "operation of this message", names);
    } else if (const auto number = constant()) {
      if (*number < 0 || *number > 7) return fail(operation_token.place, "a message operation must be from 0 to 7");
      message.operation = static_cast<u32>(*number);
    } else {
      return false;
    }
    if (named && isa::message_operation_name(generation, message.id, message.operation).empty()) {
      return fail(operation_token.place, std::string(id_token.text) + " does not have this operation");
    }
    if (lexer_.accept(",")) {
      const TextPosition stream_place = lexer_.peek().place;
      if (named && !isa::message_has_stream(message.id, message.operation)) {
        return fail(stream_place, "this message does not take a stream");
      }
      const auto stream = constant();
      if (!stream) return false;
      if (*stream < 0 || *stream > 3) return fail(stream_place, "a stream must be from 0 to 3");
      message.stream = static_cast<u32>(*stream);
    }
  } else if (named && isa::message_needs_operation(message.id)) {
    return fail(id_token.place, std::string(id_token.text) + " needs an operation");
  }
  draft_.instruction.simm16 = isa::encode_message(message);
  return expect(")", "after sendmsg(");
}

// ---- GPR index mode, probes ----

bool OperandParser::gpr_idx(const isa::OperandSpec& operand) {
  const Token token = lexer_.peek();
  u32 bits = 0;
  const auto function = name_before("(");
  if (function) {
    if (*function != "gpr_idx") return fail(token.place, "expected gpr_idx(SRC0,SRC1,SRC2,DST)");
    bool more = !lexer_.accept(")");
    while (more) {
      const Token name = lexer_.next();
      u32 bit = 0;
      while (bit < isa::gpr_idx_names.size() && name.text != isa::gpr_idx_names[bit]) ++bit;
      if (bit == isa::gpr_idx_names.size()) return fail(name.place, "expected SRC0, SRC1, SRC2 or DST");
      if ((bits >> bit & 1) != 0) return fail(name.place, std::string(name.text) + " is given twice");
      bits |= 1U << bit;
      more = lexer_.accept(",");
      if (!more && !expect(")", "after gpr_idx(")) return false;
    }
  } else {
    const auto value = constant();
    if (!value) return false;
    // More than the four meaningful bits can be encoded: the whole width of the field.
    const i64 limit = operand.field == isa::Field::ssrc1 ? 255 : highest_uimm16;
    if (*value < 0 || *value > limit)
      return fail(token.place, fmt::format("the enable bits must be from 0 to {}", limit));
    bits = static_cast<u32>(*value);
  }
  if (operand.field == isa::Field::ssrc1) {
    draft_.instruction.ssrc1 = static_cast<u8>(bits);
  } else {
    draft_.instruction.simm16 = static_cast<u16>(bits);
  }
  return true;
}

bool OperandParser::probe() {
  const TextPosition place = lexer_.peek().place;
  const auto value = constant();
  if (!value) return false;
  if (*value < 0 || *value > 127) return fail(place, "a probe's immediate must be from 0 to 127");
  draft_.instruction.memory.sdata = static_cast<u8>(*value);
  return true;
}

}  // namespace salu::assembler
