#include "observe/undefined/lane_words.hpp"

#include <array>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/vector/lane_registers.hpp"
#include "isa/operand.hpp"
#include "isa/vector/selection.hpp"
#include "observe/undefined/lane_semantics.hpp"

namespace salu::observe::undefined {
namespace {

namespace vector = isa::vector;
using vector::Insn;

constexpr u32 sign_bit = u32{1} << 31;

}  // namespace

LaneWords::LaneWords(Step& step, const vector::Instruction& instruction)
    : step_(step), instruction_(instruction), row_(vector::row(instruction.insn)), file_(step.machine().vectors()) {}

LaneWords::Value LaneWords::note(u64 bits, const Mask& mask) {
  if (mask.bits != 0 && origin_ == 0) origin_ = mask.origin;
  return {bits, mask.bits};
}

LaneWords::Value LaneWords::scalar(std::size_t i, u32 dwords, bool extends_sign) {
  const auto code = static_cast<u8>(instruction_.sources[i].code);
  if (code == isa::literal_code) {
    const bool is_negative = extends_sign && dwords == 2 && instruction_.literal >> 31 != 0;
    return {instruction_.literal | (is_negative ? u64{0xffffffff} << 32 : 0), 0};
  }
  return note(step_.wave().source(code, dwords, 0), step_.source(code, dwords));
}

LaneWords::Value LaneWords::vgpr(u32 number) {
  // v0 is read in the place of a register that there is not.
  if (number >= VectorRegisters::count) number = 0;
  return note(file_ == nullptr ? 0 : file_->lanes(number)[lane_], step_.shadow().lane(file_, number, lane_));
}

LaneWords::Value LaneWords::source32(std::size_t i) {
  const vector::Source& source = instruction_.sources[i];
  const vector::OperandKind kind = row_.shape.sources[i].kind;
  Value value;
  if (kind == vector::OperandKind::agpr) {
    value = vgpr(VectorRegisters::vgprs + source.code);
  } else if (kind == vector::OperandKind::constant) {
    value = {instruction_.literal, 0};
  } else if (source.is_vgpr()) {
    value = vgpr(core::source_register(step_.wave(), instruction_, i, 1));
  } else {
    value = scalar(i, 1, false);
  }
  // Of a mask: bits that repeat an undefined sign are undefined.
  const vector::Part part = vector::part_of(source.select);
  // What V_PK calls negated is a half.
  const bool has_sign = (row_.modifiers & vector::modifier::sign) != 0;
  const u32 kept = has_sign && source.absolute ? ~sign_bit : ~u32{0};
  const u32 flipped = has_sign && source.negate ? sign_bit : 0;
  return {(vector::extract(static_cast<u32>(value.bits), part, source.sign_extend) & kept) ^ flipped,
          vector::extract(static_cast<u32>(value.undefined), part, source.sign_extend) & kept};
}

LaneWords::Value LaneWords::source16(std::size_t i, bool high) {
  const Value value = source32(i);
  const u32 shift = high ? 16 : 0;
  return {value.bits >> shift & 0xffff, value.undefined >> shift & 0xffff};
}

LaneWords::Value LaneWords::source64(std::size_t i, bool extends_sign) {
  if (!instruction_.sources[i].is_vgpr()) return scalar(i, 2, extends_sign);
  u32 number = core::source_register(step_.wave(), instruction_, i, 2);
  if (number >= VectorRegisters::count) number = 0;
  const Value low = vgpr(number);
  const Value high = vgpr(number + 1);
  return {low.bits | high.bits << 32, low.undefined | high.undefined << 32};
}

LaneWords::Value LaneWords::mask_source() {
  const Mask mask = step_.source(instruction_.mask_source, 2);
  const u64 bits = step_.wave().source(instruction_.mask_source, 2, 0);
  return note(bits >> lane_ & 1, {mask.bits >> lane_ & 1, mask.origin});
}

namespace {

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Arguments = std::tuple<A...>;
  static constexpr std::size_t count = sizeof...(A);
  /// The number of the source that argument `index` is.
  static constexpr std::size_t source_number(std::size_t index) {
    constexpr std::array<bool, count + 1> is_source{WordTraits<A>::is_there..., false};
    std::size_t number = 0;
    for (std::size_t i = 0; i < index; ++i) number += is_source[i] ? 1 : 0;
    return number;
  }
};

template <class T>
T as_word(const LaneWords::Value& value) {
  return T::of(value.bits, value.undefined);
}

template <class T>
T fetch(LaneWords& words, std::size_t number, bool upper) {
  const vector::Instruction& instruction = words.instruction();
  if constexpr (WordTraits<T>::is_there) {
    constexpr u32 bits = WordTraits<T>::bits;
    if constexpr (bits == 64) {
      return as_word<T>(words.source64(number, WordTraits<T>::is_signed));
    } else if constexpr (bits == 16) {
      const u8 select = upper ? instruction.op_sel_hi : instruction.op_sel;
      return as_word<T>(words.source16(number, (select >> number & 1) != 0));
    } else {
      return as_word<T>(words.source32(number));
    }
  } else if constexpr (std::same_as<T, text::lanes::MaskBit>) {
    const LaneWords::Value value = words.mask_source();
    return {Bit(value.bits != 0, value.undefined != 0)};
  } else if constexpr (std::same_as<T, text::lanes::Lane>) {
    return {words.lane()};
  } else if constexpr (std::same_as<T, text::lanes::Clamp>) {
    return {instruction.clamp};
  } else {
    static_assert(std::same_as<T, text::lanes::OpSel>);
    return {instruction.op_sel};
  }
}

template <u32 n, bool s>
void take(const Word<n, s>& value, LaneResult& result) {
  result.value = value.undefined;
  result.width = n;
}
void take(const Bit& mask, LaneResult& result) { result.mask = mask.undefined; }
template <class T>
void take(const text::lanes::WithCarry<T>& value, LaneResult& result) {
  take(value.value, result);
  take(value.carry, result);
}

template <auto function, std::size_t... index>
LaneResult call(LaneWords& words, bool upper, std::index_sequence<index...> /*arguments*/) {
  using S = Signature<decltype(function)>;
  const typename S::Arguments arguments{
      fetch<std::tuple_element_t<index, typename S::Arguments>>(words, S::source_number(index), upper)...};
  LaneResult result;
  take(explore([&] { return function(std::get<index>(arguments)...); }), result);
  result.origin = words.origin();
  return result;
}
template <auto function>
LaneResult compute(LaneWords& words, bool upper) {
  return call<function>(words, upper, std::make_index_sequence<Signature<decltype(function)>::count>{});
}

template <auto function>
constexpr LaneFunction function_of() {
  if constexpr (std::same_as<decltype(function), const text::lanes::semantics::NoText*>) {
    return nullptr;
  } else {
    return compute<function>;
  }
}

constexpr std::array<LaneFunction, vector::insn_count> functions = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) function_of<&text::lanes::semantics::name>(),
#define SALU_VECTOR_MEMORY(format, name, opcodes, access) nullptr,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
}};

}  // namespace

LaneFunction lane_function(Insn insn) { return functions[static_cast<std::size_t>(insn)]; }

}  // namespace salu::observe::undefined
