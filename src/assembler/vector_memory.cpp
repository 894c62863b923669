#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "assembler/vector_operands.hpp"
#include "isa/generations.hpp"
#include "isa/operand.hpp"
#include "isa/vector/buffer_format.hpp"
#include "isa/vector/encode.hpp"
#include "support/numbers.hpp"

/// Memory instructions: MUBUF, MTBUF, FLAT, GLOBAL, SCRATCH and DS.
namespace salu::assembler::vector {
namespace {

using isa::vector::Format;
using isa::vector::Instruction;
using isa::vector::InstructionInfo;
using isa::vector::MemoryOperands;

class MemoryBuilder {
 public:
  MemoryBuilder(Generation generation, isa::vector::Insn insn, std::string_view name, const WrittenInstruction& written)
      : generation_(generation),
        info_(generation_info(generation)),
        row_(isa::vector::info(insn)),
        name_(name),
        written_(written) {
    instruction_.insn = insn;
    instruction_.dwords = 2;
  }

  Attempt build() {
    Attempt attempt;
    if (take_operands() && take_modifiers()) {
      attempt.draft = Draft{instruction_, std::nullopt};
    } else {
      attempt.problem = std::move(problem_);
    }
    return attempt;
  }

 private:
  [[nodiscard]] bool has(std::string_view modifier) const { return written_.find(modifier) != nullptr; }
  [[nodiscard]] MemoryOperands& memory() { return instruction_.memory; }

  bool reject(const TextPosition& place, std::string message) {
    problem_ = {place, std::move(message)};
    return false;
  }

  [[nodiscard]] bool is_instruction() const {
    const isa::EncodedWords words = isa::vector::encode(generation_, instruction_);
    return isa::vector::decode(generation_, words.span()) == instruction_;
  }

  bool take_operands() {
    if (row_.access.bytes == 0) return expect_operands(0);
    switch (row_.format) {
      case Format::mubuf:
      case Format::mtbuf:
        return take_buffer();
      case Format::ds:
        return take_shared();
      default:
        return take_flat();
    }
  }

  bool expect_operands(std::size_t count) {
    if (written_.operands.size() == count) return true;
    const TextPosition place = written_.operands.size() > count ? written_.operands[count].source.place : written_.end;
    return reject(place, fmt::format("{} takes {}", name_, support::counted(count, "operand")));
  }

  /// The registers of an operand without modifiers.
  [[nodiscard]] const RegisterRun* registers(const WrittenOperand& operand) const {
    const bool is_plain = !operand.is_off && !operand.negate && !operand.absolute && !operand.sign_extend;
    return is_plain && operand.source.kind == WrittenSource::Kind::registers ? &operand.source.registers : nullptr;
  }

  /// The VGPRs that are loaded or stored; from CDNA 2 on also accumulation registers.
  bool take_data(const WrittenOperand& operand, u8& data, u32 dwords, std::string_view what) {
    const RegisterRun* const run = registers(operand);
    const bool may_accumulate = info_.column >= Generation::cdna2;
    const bool is_accumulator = run != nullptr && run->file == RegisterFile::agpr;
    const bool is_vector = run != nullptr && run->file != RegisterFile::scalar && (may_accumulate || !is_accumulator);
    if (!is_vector || run->dwords != dwords ||
        !isa::vector::may_be_data(generation_, row_.access, run->first, dwords)) {
      return reject(operand.source.place, fmt::format("{} of {} must be {}", what, name_, vgprs(dwords)));
    }
    if (has_data_ && is_accumulator != memory().is_accumulator)
      return reject(operand.source.place, fmt::format("the data registers of {} must be of one kind", name_));
    has_data_ = true;
    memory().is_accumulator = is_accumulator;
    data = run->first;
    return true;
  }

  /// The loaded data, or the result of an instruction that also takes data.
  bool take_result(const WrittenOperand& operand) {
    const u32 dwords = row_.access.result_dwords();
    return row_.access.takes_data() ? take_data(operand, memory().result, dwords, "the result")
                                    : take_data(operand, memory().data, dwords, "the data");
  }

  [[nodiscard]] std::string vgprs(u32 dwords) const {
    if (dwords == 1) return "a VGPR, such as v0";
    const bool must_be_even = info_.column >= Generation::cdna2;
    return fmt::format("{} VGPRs, such as v[0:{}]{}", dwords, dwords - 1,
                       must_be_even ? ", the first of them even" : "");
  }

  bool take_address(const WrittenOperand& operand, u32 dwords) {
    const RegisterRun* const run = registers(operand);
    const bool fits = run != nullptr && run->file == RegisterFile::vgpr && run->dwords == dwords;
    if (!fits || !isa::vector::may_be_vgprs(generation_, run->first, dwords))
      return reject(operand.source.place, fmt::format("the address of {} must be {}", name_, vgprs(dwords)));
    memory().address = run->first;
    memory().has_address = true;
    return true;
  }

  // ---- MUBUF ----

  bool take_buffer() {
    const bool is_lds = has("lds");
    if (!expect_operands(is_lds ? 3 : 4)) return false;
    memory().lds = is_lds;
    memory().tfe = has("tfe");
    memory().offen = has("offen");
    memory().idxen = has("idxen");
    memory().addr64 = has("addr64");
    if (row_.format == Format::mtbuf) memory().format = isa::vector::default_instruction_format;
    const WrittenOperand* next = written_.operands.data();
    if (!is_lds && !take_data(*next++, memory().data, row_.access.dwords() + u32{memory().tfe}, "the data"))
      return false;
    const u32 address = memory().addr64 ? 2 : u32{memory().offen} + u32{memory().idxen};
    if (address == 0 && !next->is_off) {
      return reject(next->source.place,
                    fmt::format("the address of {} must be off, unless offen or idxen is given", name_));
    }
    if (address != 0 && !take_address(*next, address)) return false;
    ++next;
    const RegisterRun* const descriptor = registers(*next);
    if (descriptor == nullptr || descriptor->file != RegisterFile::scalar || descriptor->dwords != 4 ||
        !is_legal(isa::OperandKind::memory_base, 4, descriptor->first)) {
      return reject(next->source.place, fmt::format("the descriptor of {} must be four SGPRs, such as s[0:3]", name_));
    }
    memory().descriptor = descriptor->first;
    if (row_.access.is_atomic() && is_returning()) memory().result = memory().data;
    return take_scalar_offset(*++next);
  }

  [[nodiscard]] bool is_legal(isa::OperandKind kind, u8 dwords, u8 code) const {
    return isa::judge_operand(generation_, kind, dwords, code) == isa::OperandVerdict::legal;
  }

  /// SOFFSET: a scalar register or an inline constant.
  bool take_scalar_offset(const WrittenOperand& operand) {
    std::optional<u8> code;
    const WrittenSource& source = operand.source;
    switch (source.kind) {
      case WrittenSource::Kind::registers:
        if (const RegisterRun* run = registers(operand);
            run != nullptr && run->file == RegisterFile::scalar && run->dwords == 1)
          code = run->first;
        break;
      case WrittenSource::Kind::special:
        code = source.code;
        break;
      case WrittenSource::Kind::integer:
        if (fits_dword(source.integer))
          code = isa::inline_constant_code(generation_, static_cast<u32>(source.integer), 1);
        break;
      case WrittenSource::Kind::floating:
        code = isa::inline_constant_code(generation_, std::bit_cast<u32>(static_cast<float>(source.floating)), 1);
        break;
      case WrittenSource::Kind::labels:
        break;
    }
    const bool is_changed = operand.is_off || operand.negate || operand.absolute || operand.sign_extend;
    if (is_changed || !code || !is_legal(isa::OperandKind::inline_source, 1, *code)) {
      return reject(source.place, fmt::format("soffset of {} must be a scalar register, such as s0, or a constant "
                                              "from -16 to 64",
                                              name_));
    }
    memory().scalar = *code;
    return true;
  }

  /// GLC, which makes an atomic return the old value.
  [[nodiscard]] bool is_returning() const {
    return row_.access.is_atomic() && has(info_.column >= Generation::cdna3 ? "sc0" : "glc");
  }

  // ---- FLAT, GLOBAL, SCRATCH ----

  bool take_flat() {
    const bool has_saddr = row_.format != Format::flat;
    memory().lds = row_.access.goes_to_lds || has("lds");
    const bool has_result = !memory().lds && row_.access.has_result(is_returning());
    const bool takes_data = row_.access.takes_data();
    const std::size_t result_count = has_result ? 1 : 0;
    const std::size_t data_count = takes_data ? 1 : 0;
    if (!expect_operands((has_saddr ? 2 : 1) + result_count + data_count)) return false;
    const WrittenOperand* next = written_.operands.data();
    if (has_result && !take_result(*next++)) return false;
    const WrittenOperand& address = *next++;
    if (takes_data && !take_data(*next++, memory().data, row_.access.data_dwords(), "the data")) return false;
    if (has_saddr && !take_saddr(*next)) return false;
    const bool may_be_off = row_.format == Format::scratch;
    if (address.is_off && may_be_off) {
      if (memory().has_scalar || info_.column >= Generation::cdna3) return true;
      return reject(address.source.place, fmt::format("{} needs a VGPR or an SGPR for its address", name_));
    }
    const bool is_offset = row_.format == Format::scratch || memory().has_scalar;
    if (!take_address(address, is_offset ? 1 : 2)) return false;
    const bool may_have_both = row_.format == Format::global || info_.column >= Generation::cdna3;
    return !memory().has_scalar || may_have_both ||
           reject(address.source.place, fmt::format("{} has a VGPR or an SGPR for its address, not both, on {}", name_,
                                                    generation_name(generation_)));
  }

  bool take_saddr(const WrittenOperand& operand) {
    if (operand.is_off) return true;
    const u8 dwords = row_.format == Format::scratch ? 1 : 2;
    const RegisterRun* const run = registers(operand);
    const bool fits = run != nullptr && run->file == RegisterFile::scalar && run->dwords == dwords;
    if (!fits || !is_legal(isa::OperandKind::register_source, dwords, run->first)) {
      return reject(operand.source.place,
                    fmt::format("saddr of {} must be off or {}", name_,
                                dwords == 1 ? "a scalar register, such as s0" : "a pair of SGPRs, such as s[0:1]"));
    }
    memory().has_scalar = true;
    memory().scalar = run->first;
    return true;
  }

  // ---- DS ----

  bool take_shared() {
    const isa::vector::Access& access = row_.access;
    const bool has_result = access.has_result(false);
    const bool has_address = access.address == isa::vector::SharedAddress::vgpr;
    const bool takes_data = access.takes_data();
    const bool takes_second = access.takes_second_data();
    if (!expect_operands(std::size_t{has_result} + std::size_t{has_address} + std::size_t{takes_data} +
                         std::size_t{takes_second}))
      return false;
    std::size_t number = 0;
    const auto next = [&]() -> const WrittenOperand& { return written_.operands[number++]; };
    if (has_result && !take_result(next())) return false;
    if (has_address && !take_address(next(), 1)) return false;
    const char* const name = takes_second ? "data0" : "the data";
    if (takes_data && !take_data(next(), memory().data, access.data_dwords(), name)) return false;
    return !takes_second || take_data(next(), memory().second_data, access.data_dwords(), "data1");
  }

  // ---- modifiers ----

  bool take_modifiers() {
    // GLC decides the operands of an atomic.
    memory().glc = is_returning();
    if (!is_instruction()) return explain_modifiers();
    for (const Modifier& modifier : written_.modifiers) {
      if (take_modifier(modifier) && is_instruction()) continue;
      return !problem_.message.empty() ? false : not_available(modifier);
    }
    return true;
  }

  bool not_available(const Modifier& modifier) {
    return reject(modifier.place,
                  fmt::format("{} is not available for {} on {}", modifier.name, name_, generation_name(generation_)));
  }

  /// Modifiers that decide the operands were handled with them; here, the instruction does not have one of them.
  bool explain_modifiers() {
    for (const Modifier& modifier : written_.modifiers) {
      if (is_of_operands(modifier)) return not_available(modifier);
    }
    return reject(written_.end, fmt::format("{} does not have this form on {}", name_, generation_name(generation_)));
  }

  static bool is_of_operands(const Modifier& modifier) {
    constexpr std::array<std::string_view, 5> names = {"offen", "idxen", "addr64", "lds", "tfe"};
    return std::ranges::count(names, modifier.name) != 0;
  }

  /// False if the modifier does not exist; `problem_` may have a more specific reason.
  bool take_modifier(const Modifier& modifier) {
    const std::string_view name = modifier.name;
    if (is_of_operands(modifier)) {
      const bool has_lds_bit =
          (row_.format == Format::global || row_.format == Format::scratch) && !row_.access.goes_to_lds;
      return (row_.is_buffer() && row_.access.bytes != 0) || (has_lds_bit && name == "lds");
    }
    const bool is_cdna3_on = info_.column >= Generation::cdna3;
    const bool has_offset = row_.access.bytes != 0;
    if (name == "offset" && has_offset && !row_.access.is_double) return take_offset(modifier);
    if ((name == "offset0" || name == "offset1") && row_.access.is_double) return take_half_offset(modifier);
    if (name == "format" && row_.format == Format::mtbuf) return take_format(modifier);
    if (row_.format == Format::ds) {
      memory().gds = name == "gds";
      return memory().gds;
    }
    // The names of the cache policies differ from CDNA 3 on.
    if (name == (is_cdna3_on ? "sc0" : "glc")) {
      memory().glc = true;
    } else if (name == (is_cdna3_on ? "nt" : "slc")) {
      memory().slc = true;
    } else if (name == (is_cdna3_on ? "sc1" : "scc")) {
      memory().sc1 = true;
    } else {
      return false;
    }
    return true;
  }

  bool take_format(const Modifier& modifier) {
    constexpr i64 highest = 127;
    if (modifier.number < 0 || modifier.number > highest)
      return reject(modifier.place, fmt::format("the format of {} must be from 0 to {}", name_, highest));
    memory().format = static_cast<u8>(modifier.number);
    return true;
  }

  bool take_offset(const Modifier& modifier) {
    if (modifier.is_swizzle && row_.access.move != isa::vector::LaneMove::swizzle) return false;
    i64 lowest = 0;
    i64 highest = 4095;
    if (row_.format == Format::ds) highest = 65535;
    if (row_.format == Format::global || row_.format == Format::scratch) lowest = -4096;
    if (row_.format == Format::flat && info_.gfx != 9) highest = 0;
    if (modifier.number < lowest || modifier.number > highest) {
      return reject(modifier.place,
                    highest == 0 ? fmt::format("{} does not take an offset on {}", name_, generation_name(generation_))
                                 : fmt::format("the offset of {} must be from {} to {}", name_, lowest, highest));
    }
    memory().offset = static_cast<i32>(modifier.number);
    return true;
  }

  /// An offset of an access to two addresses.
  bool take_half_offset(const Modifier& modifier) {
    constexpr i64 highest = 255;
    if (modifier.number < 0 || modifier.number > highest)
      return reject(modifier.place, fmt::format("{} must be from 0 to {}", modifier.name, highest));
    if (modifier.name == "offset0") {
      memory().offset = static_cast<i32>(modifier.number);
    } else {
      memory().second_offset = static_cast<u8>(modifier.number);
    }
    return true;
  }

  Generation generation_;
  const GenerationInfo& info_;
  const InstructionInfo& row_;
  std::string_view name_;
  const WrittenInstruction& written_;
  Instruction instruction_;
  bool has_data_ = false;  ///< a data register or the result was read
  Problem problem_;
};

}  // namespace

Attempt build_memory(Generation generation, isa::vector::Insn insn, std::string_view name,
                     const WrittenInstruction& written) {
  return MemoryBuilder(generation, insn, name, written).build();
}

}  // namespace salu::assembler::vector
