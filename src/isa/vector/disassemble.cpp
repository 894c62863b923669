#include "isa/vector/disassemble.hpp"

#include <array>
#include <string_view>

#include "isa/operand.hpp"
#include "isa/operand_text.hpp"
#include "isa/vector/buffer_format.hpp"
#include "isa/vector/swizzle.hpp"
#include "isa/vector/table.hpp"
#include "support/numbers.hpp"

namespace salu::isa::vector {
namespace {

std::string registers(char letter, u32 first, u32 dwords) {
  if (dwords == 1) return letter + std::to_string(first);
  return std::string(1, letter) + "[" + std::to_string(first) + ":" + std::to_string(first + dwords - 1) + "]";
}

/// `op_sel:[1,0]`: the low bits of a value, the lowest bit first.
std::string bit_list(std::string_view name, u32 bits, u32 count) {
  std::string text = " " + std::string(name) + ":[";
  for (u32 i = 0; i < count; ++i) text += std::string(i == 0 ? "" : ",") + ((bits >> i & 1) != 0 ? "1" : "0");
  return text + "]";
}

class Writer {
 public:
  Writer(Generation generation, const Instruction& instruction)
      : generation_(generation), instruction_(instruction), row_(row(instruction.insn)) {}

  std::string write() {
    text_ = std::string(row_.name(generation_)) + std::string(suffix());
    if (row_.is_buffer()) {
      write_buffer();
    } else if (row_.format == Format::ds) {
      write_shared();
    } else if (row_.is_memory()) {
      write_flat();
    } else {
      write_operands();
      write_modifiers();
    }
    return text_;
  }

 private:
  /// Empty if the generation has only one form of the instruction, or if the form makes no difference.
  [[nodiscard]] std::string_view suffix() const {
    // LLVM omits the suffix of SDWA compares on GCN 1.2.
    const bool is_compare = row_.format == Format::vopc;
    if (instruction_.form == Form::sdwa) return is_compare && !is_gfx9(generation_) ? "" : "_sdwa";
    if (instruction_.form == Form::dpp) return "_dpp";
    const bool has_both = row_.opcode(generation_) != absent && row_.vop3_opcode(generation_) != absent;
    const bool is_of_lane = row_.shape.sources[1].kind == OperandKind::lane;
    if (!has_both || is_of_lane || instruction_.insn == Insn::v_nop) return "";
    return instruction_.form == Form::e64 ? "_e64" : "_e32";
  }

  [[nodiscard]] bool has(ModifierSet modifiers) const { return (row_.modifiers & modifiers) != 0; }

  void add(const std::string& operand) {
    text_ += separator_ + operand;
    separator_ = ", ";
  }

  void add_mask(u8 code) { add(register_name(generation_, code, 2)); }

  void write_operands() {
    const Shape& shape = row_.shape;
    const Operand& destination = shape.destination;
    if (destination.kind == OperandKind::scalar) {
      add(register_name(generation_, instruction_.destination, 1));
    } else if (destination.is_there()) {
      const char letter = destination.kind == OperandKind::agpr ? 'a' : 'v';
      add(registers(letter, instruction_.destination, destination.dwords()));
    }
    if (shape.writes_mask) add_mask(instruction_.mask_destination);
    for (std::size_t i = 0; i < shape.source_count(); ++i) add(source_text(i));
    if (shape.names_source_mask()) add_mask(instruction_.mask_source);
  }

  [[nodiscard]] std::string source_text(std::size_t index) const {
    const Operand& operand = row_.shape.sources[index];
    const Source& source = instruction_.sources[index];
    if (operand.kind == OperandKind::agpr) return registers('a', source.code, 1);
    std::string text;
    if (operand.kind == OperandKind::constant) {
      text = support::hex(instruction_.literal);
    } else if (source.is_vgpr()) {
      text = registers('v', source.code - u32{first_vgpr}, operand.dwords());
    } else {
      text = scalar_text(operand, static_cast<u8>(source.code));
    }
    if (source.sign_extend) text = "sext(" + text + ")";
    if (source.absolute) text = "|" + text + "|";
    // Packed instructions list their modifiers separately.
    const bool is_listed = row_.format == Format::vop3p && !has(modifier::mixed);
    if (source.negate && !is_listed) {
      const bool is_constant = !source.is_vgpr() && !source.absolute &&
                               is_inline_constant(operand_class(generation_, static_cast<u8>(source.code)));
      text = is_constant ? "neg(" + text + ")" : "-" + text;
    }
    return text;
  }

  [[nodiscard]] std::string scalar_text(const Operand& operand, u8 code) const {
    // For integers of 16 bits, LLVM writes the bits that a 16-bit float would have.
    const bool is_integer_half = operand.bits == 16 && !has(modifier::sign);
    if (is_integer_half && operand_class(generation_, code) == OperandClass::floating)
      return support::hex(inline_constant16(code));
    if (operand.bits == 16 && code == literal_code) return is_integer_half ? literal_text16() : literal_text_of_half();
    if (row_.is_wide_float(operand) && code == literal_code) return literal_text64();
    // The two halves of a 64-bit move have 32 bits each.
    const u8 dwords = row_.format == Format::vop3p && operand_class(generation_, code) == OperandClass::floating
                          ? u8{1}
                          : operand.dwords();
    return operand_text(generation_, code, dwords, instruction_.literal);
  }

  /// LLVM drops the upper half of a 16-bit literal only if the whole literal is not an inline constant.
  [[nodiscard]] std::string literal_text16() const {
    const std::string text = literal_text(generation_, instruction_.literal, 1);
    return text.starts_with("0x") ? support::hex(instruction_.literal & 0xffff) : text;
  }

  /// LLVM writes the value if it is an inline constant.
  [[nodiscard]] std::string literal_text_of_half() const {
    const auto half = static_cast<u16>(instruction_.literal);
    const auto code = inline_half_code(generation_, half);
    return code ? operand_text(generation_, *code, 1, 0) : support::hex(half);
  }

  /// LLVM writes the value if it is an inline constant, otherwise the high dword.
  [[nodiscard]] std::string literal_text64() const {
    const auto code = inline_constant_code(generation_, u64{instruction_.literal} << 32, 2);
    return code ? operand_text(generation_, *code, 2, 0) : support::hex(instruction_.literal);
  }

  /// LLVM writes small numbers in decimal.
  void write_truth_table() {
    constexpr u32 last_decimal = 10;
    const u32 table = instruction_.truth_table;
    if (table != 0) text_ += " bitop3:" + (table <= last_decimal ? std::to_string(table) : support::hex(table));
  }

  void write_modifiers() {
    const u32 sources = row_.shape.source_count();
    write_truth_table();
    if (row_.format == Format::vop3p) {
      const u32 all = (1U << sources) - 1;
      u32 negate_lo = 0;
      for (u32 i = 0; i < sources && !has(modifier::mixed); ++i) negate_lo |= u32{instruction_.sources[i].negate} << i;
      if (instruction_.op_sel != 0) text_ += bit_list("op_sel", instruction_.op_sel, sources);
      const u32 usual = has(modifier::mixed) ? 0 : all;
      if (row_.modifiers != modifier::plain && instruction_.op_sel_hi != usual)
        text_ += bit_list("op_sel_hi", instruction_.op_sel_hi, sources);
      if (negate_lo != 0) text_ += bit_list("neg_lo", negate_lo, sources);
      if (instruction_.negate_hi != 0) text_ += bit_list("neg_hi", instruction_.negate_hi, sources);
    } else if ((row_.modifiers & modifier::exchange) != 0) {
      if ((instruction_.op_sel & 2) != 0) text_ += " bound_ctrl:1";
      if ((instruction_.op_sel & 1) != 0) text_ += " fi:1";
    } else if (instruction_.op_sel != 0) {
      const u32 of_destination = instruction_.op_sel >> 3U;
      text_ +=
          bit_list("op_sel", (instruction_.op_sel & ((1U << sources) - 1)) | of_destination << sources, sources + 1);
    }
    if (instruction_.clamp) text_ += " clamp";
    static constexpr std::array<std::string_view, 4> output_names = {"", " mul:2", " mul:4", " div:2"};
    text_ += output_names[instruction_.output_modifier];
    if (instruction_.form == Form::sdwa) write_selects();
    if (instruction_.form == Form::dpp) write_dpp();
  }

  void write_dpp() {
    const Dpp& dpp = instruction_.dpp;
    text_ += " " + control_text(dpp.control) + " row_mask:" + support::hex(dpp.row_mask);
    text_ += " bank_mask:" + support::hex(dpp.bank_mask);
    if (dpp.bound_ctrl) text_ += " bound_ctrl:1";
  }

  void write_selects() {
    static constexpr std::array<std::string_view, 7> names = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                              "WORD_0", "WORD_1", "DWORD"};
    static constexpr std::array<std::string_view, 3> unused_names = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    const auto name = [](Select select) { return std::string(names[static_cast<std::size_t>(select)]); };
    if (row_.shape.destination.is_there()) {
      text_ += " dst_sel:" + name(instruction_.destination_select) + " dst_unused:";
      text_ += unused_names[static_cast<std::size_t>(instruction_.destination_unused)];
    }
    text_ += " src0_sel:" + name(instruction_.sources[0].select);
    if (row_.shape.sources[1].is_there()) text_ += " src1_sel:" + name(instruction_.sources[1].select);
  }

  // ---- memory ----

  [[nodiscard]] std::string data_text(u8 first, u32 dwords) const {
    return registers(instruction_.memory.is_accumulator ? 'a' : 'v', first, dwords);
  }
  [[nodiscard]] std::string result_text() const {
    return data_text(result_register(instruction_), row_.access.result_dwords());
  }

  void write_policy() {
    const bool is_cdna3_on = generation_info(generation_).column >= Generation::cdna3;
    if (instruction_.memory.glc) text_ += is_cdna3_on ? " sc0" : " glc";
    if (instruction_.memory.slc) text_ += is_cdna3_on ? " nt" : " slc";
    if (instruction_.memory.sc1) text_ += is_cdna3_on ? " sc1" : " scc";
  }

  void write_offset(i32 offset) {
    if (offset != 0) text_ += " offset:" + std::to_string(offset);
  }

  /// LLVM omits a part that is the default.
  void write_format() {
    const BufferFormat format = instruction_format(instruction_.memory.format);
    const BufferFormat plain = instruction_format(default_instruction_format);
    const std::string number(number_format_name(generation_, static_cast<u32>(format.number_format)));
    const bool has_number = format.number_format != plain.number_format;
    if (format.data_format != plain.data_format) {
      text_ += " format:[" + std::string(data_format_name(format.data_format)) + (has_number ? "," + number : "") + "]";
    } else if (has_number) {
      text_ += " format:[" + number + "]";
    }
  }

  void write_buffer() {
    const MemoryOperands& memory = instruction_.memory;
    if (row_.access.bytes != 0) {
      if (!memory.lds) add(data_text(memory.data, row_.access.dwords() + u32{memory.tfe}));
      const u32 dwords = memory.addr64 ? 2 : u32{memory.offen} + u32{memory.idxen};
      add(memory.has_address ? registers('v', memory.address, dwords) : "off");
      add(register_name(generation_, memory.descriptor, 4));
      add(operand_text(generation_, memory.scalar, 1, 0));
      if (row_.format == Format::mtbuf) write_format();
      if (memory.idxen) text_ += " idxen";
      if (memory.offen) text_ += " offen";
      if (memory.addr64) text_ += " addr64";
      write_offset(memory.offset);
    }
    write_policy();
    if (memory.tfe) text_ += " tfe";
    if (memory.lds) text_ += " lds";
  }

  void write_flat() {
    const MemoryOperands& memory = instruction_.memory;
    const Access& access = row_.access;
    const u32 address_dwords = row_.format == Format::scratch || memory.has_scalar ? 1 : 2;
    const std::string address = memory.has_address ? registers('v', memory.address, address_dwords) : "off";
    if (has_result(instruction_) && !memory.lds) add(result_text());
    add(address);
    if (access.takes_data()) add(data_text(memory.data, access.data_dwords()));
    if (row_.format != Format::flat) {
      const u32 dwords = row_.format == Format::scratch ? 1 : 2;
      add(memory.has_scalar ? register_name(generation_, memory.scalar, dwords) : "off");
    }
    write_offset(memory.offset);
    write_policy();
    if (memory.lds && !access.goes_to_lds) text_ += " lds";
  }

  void write_shared() {
    const MemoryOperands& memory = instruction_.memory;
    const Access& access = row_.access;
    if (access.bytes == 0) return;
    if (has_result(instruction_)) add(result_text());
    if (memory.has_address) add(registers('v', memory.address, 1));
    if (access.takes_data()) add(data_text(memory.data, access.data_dwords()));
    if (access.takes_second_data()) add(data_text(memory.second_data, access.data_dwords()));
    if (access.is_double) {
      if (memory.offset != 0) text_ += " offset0:" + std::to_string(memory.offset);
      if (memory.second_offset != 0) text_ += " offset1:" + std::to_string(memory.second_offset);
    } else if (access.move == LaneMove::swizzle) {
      text_ += swizzle_text(static_cast<u32>(memory.offset));
    } else {
      write_offset(memory.offset);
    }
    if (memory.gds) text_ += " gds";
  }

  Generation generation_;
  const Instruction& instruction_;
  const InstructionInfo& row_;
  std::string text_;
  std::string separator_ = " ";
};

}  // namespace

std::string disassemble(Generation generation, const Instruction& instruction) {
  return Writer(generation, instruction).write();
}

}  // namespace salu::isa::vector
