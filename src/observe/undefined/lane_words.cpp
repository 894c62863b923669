#include "observe/undefined/lane_words.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/vector/lane_registers.hpp"
#include "isa/operand.hpp"
#include "isa/vector/selection.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/lane_semantics.hpp"

namespace salu::observe::undefined {
namespace {

namespace vector = isa::vector;
using vector::Insn;

constexpr u32 sign_bit = u32{1} << 31;

/// Whether no modifier makes another one of it.
bool is_whole(const vector::Source& source) {
  return source.select == vector::Select::dword && !source.absolute && !source.negate;
}

}  // namespace

LaneSources::LaneSources(ShadowStep& step, const vector::Instruction& instruction)
    : step_(step), instruction_(instruction), row_(vector::row(instruction.insn)), file_(step.machine().vectors()) {}

LaneColumn LaneSources::uniform(Storage& storage, u32 bits, const Mask& mask) {
  storage.bits.fill(bits);
  storage.undefined.fill(static_cast<u32>(mask.bits));
  storage.origins.fill(mask.origin);
  const OriginId common = static_cast<u32>(mask.bits) != 0 ? mask.origin : 0;
  return {storage.bits.data(), storage.undefined.data(), storage.origins.data(), common, common == 0};
}

LaneColumn LaneSources::vgpr(u32 number) {
  static constexpr std::array<u32, state_index::lanes> zeros{};
  // v0 is read in the place of a register that there is not.
  if (number >= VectorRegisters::count) number = 0;
  const ShadowRow& shadow = step_.shadow().lanes(file_, number);
  const OriginId common = shadow.undefined == ~u64{0} ? shadow.common : 0;
  return {file_ == nullptr ? zeros.data() : file_->lanes(number), shadow.masks.data(), shadow.origins.data(), common,
          shadow.undefined == 0};
}

LaneColumn LaneSources::dword(std::size_t i) {
  const vector::Source& source = instruction_.sources[i];
  const vector::OperandKind kind = row_.shape.sources[i].kind;
  if (kind == vector::OperandKind::agpr) return vgpr(core::source_register(step_.wave(), instruction_, i, 1));
  if (kind == vector::OperandKind::constant) return uniform(storage_[i][0], instruction_.literal, {});
  if (source.is_vgpr()) {
    const u32 number = core::source_register(step_.wave(), instruction_, i, 1);
    return is_whole(source) ? vgpr(number) : modified(i, vgpr(number));
  }
  const auto code = static_cast<u8>(source.code);
  if (code == isa::literal_code) return modified(i, uniform(storage_[i][0], instruction_.literal, {}));
  const auto bits = static_cast<u32>(step_.wave().source(code, 1, 0));
  return modified(i, uniform(storage_[i][0], bits, step_.source(code, 1)));
}

LaneColumn LaneSources::destination() { return vgpr(core::destination_register(step_.wave(), instruction_, 1)); }

std::array<LaneColumn, 2> LaneSources::dwords(std::size_t i, bool extends_sign) {
  const vector::Source& source = instruction_.sources[i];
  if (source.is_vgpr()) {
    u32 number = core::source_register(step_.wave(), instruction_, i, 2);
    if (number >= VectorRegisters::count) number = 0;
    return {vgpr(number), vgpr(number + 1)};
  }
  const auto code = static_cast<u8>(source.code);
  u64 bits = instruction_.literal;
  Mask mask;
  if (code == isa::literal_code) {
    if (extends_sign && instruction_.literal >> 31 != 0) bits |= u64{0xffffffff} << 32;
  } else {
    bits = step_.wave().source(code, 2, 0);
    mask = step_.source(code, 2);
  }
  return {uniform(storage_[i][0], static_cast<u32>(bits), mask),
          uniform(storage_[i][1], static_cast<u32>(bits >> 32), {mask.bits >> 32, mask.origin})};
}

LaneColumn LaneSources::modified(std::size_t i, const LaneColumn& column) {
  const vector::Source& source = instruction_.sources[i];
  if (is_whole(source)) return column;
  // What V_PK calls negated is a half.
  const bool has_sign = (row_.modifiers & vector::modifier::sign) != 0;
  const u32 kept = has_sign && source.absolute ? ~sign_bit : ~u32{0};
  const u32 flipped = has_sign && source.negate ? sign_bit : 0;
  if (source.select == vector::Select::dword && kept == ~u32{0} && flipped == 0) return column;
  const vector::Part part = vector::part_of(source.select);
  Storage& storage = storage_[i][0];
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    storage.bits[lane] = (vector::extract(column.bits[lane], part, source.sign_extend) & kept) ^ flipped;
    // Of a mask: bits that repeat an undefined sign are undefined.
    storage.undefined[lane] = vector::extract(column.undefined[lane], part, source.sign_extend) & kept;
  }
  return {storage.bits.data(), storage.undefined.data(), column.origins, 0, column.is_defined};
}

u64 LaneSources::selects() const { return step_.wave().source(instruction_.mask_source, 2, 0); }
Mask LaneSources::undefined_selects() const { return step_.source(instruction_.mask_source, 2); }

namespace {

/// Lanes that come from nowhere yet come from where a column's do, where that is undefined.
void add_origins(const LaneColumn& column, LaneResults& results) {
  if (column.is_defined || results.common != 0) return;
  const u32* __restrict undefined = column.undefined;
  const OriginId* __restrict from = column.origins;
  OriginId* __restrict origins = results.origins.data();
  // Without branches in the loops, so that compilers take several lanes at once.
  if (!results.has_origins) {
    results.has_origins = true;
    results.common = column.common;
    if (results.common != 0) return;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) origins[lane] = from[lane] & (0 - u32{undefined[lane] != 0});
    return;
  }
  u32 left = 0;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) left |= u32{origins[lane] == 0};
  if (left == 0) return;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    const u32 takes = 0 - (u32{undefined[lane] != 0} & u32{origins[lane] == 0});
    origins[lane] |= from[lane] & takes;
  }
}

/// What a semantic function is given for a parameter of a type, lane by lane.
template <class T>
struct Argument {
  static_assert(WordTraits<T>::is_there && WordTraits<T>::bits == 32);
  Argument(LaneSources& sources, std::size_t number, bool /*upper*/) : column(sources.dword(number)) {}
  [[nodiscard]] T at(u32 lane) const { return T::of(column.bits_of(lane), column.undefined_of(lane)); }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return column.origin_of(lane); }
  void add_origins(LaneResults& results) const { undefined::add_origins(column, results); }
  LaneColumn column;
};
template <bool s>
struct Argument<Word<64, s>> {
  Argument(LaneSources& sources, std::size_t number, bool /*upper*/) : columns(sources.dwords(number, s)) {}
  [[nodiscard]] Word<64, s> at(u32 lane) const {
    const auto& [low, high] = columns;
    return Word<64, s>::of(low.bits_of(lane) | u64{high.bits_of(lane)} << 32,
                           low.undefined_of(lane) | u64{high.undefined_of(lane)} << 32);
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const {
    const OriginId low = columns[0].origin_of(lane);
    return low != 0 ? low : columns[1].origin_of(lane);
  }
  void add_origins(LaneResults& results) const {
    for (const LaneColumn& column : columns) undefined::add_origins(column, results);
  }
  std::array<LaneColumn, 2> columns;
};
template <bool s>
struct Argument<Word<16, s>> {
  Argument(LaneSources& sources, std::size_t number, bool upper) : column(sources.dword(number)) {
    const u8 select = upper ? sources.instruction().op_sel_hi : sources.instruction().op_sel;
    shift = (select >> number & 1) != 0 ? 16 : 0;
  }
  [[nodiscard]] Word<16, s> at(u32 lane) const {
    return Word<16, s>::of(column.bits_of(lane) >> shift, column.undefined_of(lane) >> shift);
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return column.origin_of(lane); }
  void add_origins(LaneResults& results) const { undefined::add_origins(column, results); }
  LaneColumn column;
  u32 shift = 0;
};
template <>
struct Argument<text::lanes::MaskBit> {
  Argument(LaneSources& sources, std::size_t /*number*/, bool /*upper*/)
      : bits(sources.selects()), undefined(sources.undefined_selects()) {}
  [[nodiscard]] text::lanes::MaskBit at(u32 lane) const {
    return {Bit((bits >> lane & 1) != 0, (undefined.bits >> lane & 1) != 0)};
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const {
    return (undefined.bits >> lane & 1) != 0 ? undefined.origin : OriginId{0};
  }
  void add_origins(LaneResults& results) const {
    if (undefined.bits == 0 || results.common != 0) return;
    if (!results.has_origins) results.origins.fill(0);
    results.has_origins = true;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if (results.origins[lane] == 0) results.origins[lane] = origin_of(lane);
    }
  }
  u64 bits;
  Mask undefined;
};
/// Always defined.
template <text::lanes::EncodedArgument T>
struct Argument<T> {
  Argument(LaneSources& sources, std::size_t /*number*/, bool /*upper*/) : instruction(sources.instruction()) {}
  [[nodiscard]] T at(u32 lane) const { return text::lanes::encoded_argument<T>(instruction, lane); }
  [[nodiscard]] static OriginId origin_of(u32 /*lane*/) { return 0; }
  static void add_origins(LaneResults& /*results*/) {}
  const vector::Instruction& instruction;
};
template <>
struct Argument<text::lanes::Destination> {
  Argument(LaneSources& sources, std::size_t /*number*/, bool /*upper*/) : column(sources.destination()) {}
  [[nodiscard]] text::lanes::Destination at(u32 lane) const {
    return {text::u32::of(column.bits_of(lane), column.undefined_of(lane))};
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return column.origin_of(lane); }
  void add_origins(LaneResults& results) const { undefined::add_origins(column, results); }
  LaneColumn column;
};

template <u32 n, bool s>
void take(const Word<n, s>& value, u32 lane, LaneResults& results) {
  results.set_value(lane, value.undefined);
  results.width = n;
}
void take(const Bit& mask, u32 lane, LaneResults& results) { results.mask |= u64{mask.undefined} << lane; }
template <class T>
void take(const text::lanes::WithCarry<T>& value, u32 lane, LaneResults& results) {
  take(value.value, lane, results);
  take(value.carry, lane, results);
}

/// What an argument is in a lane. `clamps`: whether that is to be asked.
template <bool clamps, class T>
T value_of(const Argument<T>& argument, u32 lane) {
  if constexpr (std::same_as<T, text::lanes::Clamp> && !clamps)
    return {false};
  else
    return argument.at(lane);
}

template <u32 n, bool s>
u64 undefined_value(const Word<n, s>& value) {
  return value.undefined;
}
template <class T>
u64 undefined_value(const text::lanes::WithCarry<T>& value) {
  return value.value.undefined;
}
template <class T>
u64 undefined_mask(const text::lanes::WithCarry<T>& value) {
  return u64{value.carry.undefined};
}
u64 undefined_mask(const Bit& mask) { return u64{mask.undefined}; }

template <class R>
constexpr u32 width_of = 0;
template <u32 n, bool s>
constexpr u32 width_of<Word<n, s>> = n;
template <class T>
constexpr u32 width_of<text::lanes::WithCarry<T>> = WordTraits<T>::bits;

/// All lanes at once on their actual way: compilers make wide instructions of it where a function has no other one.
template <auto function, bool clamps, class... T>
[[gnu::flatten]] void call_straight(const std::tuple<Argument<T>...>& arguments, LaneResults& results) {
  using R = decltype(function(std::declval<T>()...));
  u32* __restrict low = results.dwords[0].data();
  u32* __restrict high = results.dwords[1].data();
  u64 mask = 0;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    const R result = std::apply(
        [lane](const auto&... argument) { return function(value_of<clamps>(argument, lane)...); }, arguments);
    if constexpr (width_of<R> != 0) {
      const u64 undefined = undefined_value(result);
      low[lane] = static_cast<u32>(undefined);
      if constexpr (width_of<R> != 32) high[lane] = static_cast<u32>(undefined >> 32);
    }
    if constexpr (requires { undefined_mask(result); }) mask |= undefined_mask(result) << lane;
  }
  results.width = width_of<R>;
  results.mask = mask;
}

template <auto function, std::size_t... index>
void call(LaneSources& sources, bool upper, u64 lanes, LaneResults& results, std::index_sequence<index...> /*all*/) {
  using S = text::lanes::semantics::LaneSignature<decltype(function)>;
  const std::tuple<Argument<std::tuple_element_t<index, typename S::Arguments>>...> arguments{
      Argument<std::tuple_element_t<index, typename S::Arguments>>(sources, S::source_number(index), upper)...};
  const auto origin_of = [&](u32 lane) {
    OriginId origin = 0;
    ((origin = origin != 0 ? origin : std::get<index>(arguments).origin_of(lane)), ...);
    return origin;
  };
  Exploration exploration;
  constexpr int many = 16;
  if (std::popcount(lanes) >= many) {
    exploration.go_straight();
    if (sources.instruction().clamp)
      call_straight<function, true>(arguments, results);
    else
      call_straight<function, false>(arguments, results);
    if (!exploration.has_parted()) {
      (std::get<index>(arguments).add_origins(results), ...);
      if (!results.has_origins) results.origins.fill(0);
      results.mask &= lanes;
      return;
    }
    results.mask = 0;
  }
  for_lanes(lanes, [&](u32 lane) {
    take(exploration.explore([&] { return function(std::get<index>(arguments).at(lane)...); }), lane, results);
    results.origins[lane] = origin_of(lane);
  });
}
template <auto function>
void compute(LaneSources& sources, bool upper, u64 lanes, LaneResults& results) {
  call<function>(sources, upper, lanes, results,
                 std::make_index_sequence<text::lanes::semantics::LaneSignature<decltype(function)>::count>{});
}

template <auto function>
constexpr LaneFunction function_of() {
  if constexpr (text::lanes::semantics::is_text<decltype(function)>)
    return compute<function>;
  else
    return nullptr;
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
