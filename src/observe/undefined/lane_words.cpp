#include "observe/undefined/lane_words.hpp"

#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "core/vector/lane_registers.hpp"
#include "isa/operand.hpp"
#include "isa/vector/selection.hpp"
#include "isa/vector/table.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/lane_semantics.hpp"
#include "support/compiler.hpp"

namespace salu::observe::undefined {
namespace {

namespace vector = isa::vector;

constexpr u32 sign_bit = u32{1} << 31;

/// True if a source is a whole dword without modifiers.
bool is_whole(const vector::Source& source) {
  return source.select == vector::Select::dword && !source.absolute && !source.negate;
}

/// A dword of all lanes: its bits and its undefined bits.
struct LaneColumn {
  const u32* bits = nullptr;
  const u32* undefined = nullptr;
  const OriginId* origins = nullptr;  ///< valid for lanes with an undefined bit
  OriginId common = 0;                ///< the origin of all lanes, if all have undefined bits with one origin
  bool is_defined = false;            ///< no lane has an undefined bit
  u32 shift = 0;                      ///< offset of the half that is read as a 16-bit word

  template <class T>
  [[nodiscard]] T word(u32 lane) const {
    if constexpr (WordTraits<T>::bits == 16)
      return T::of(bits[lane] >> shift, undefined[lane] >> shift);
    else
      return T::of(bits[lane], undefined[lane]);
  }
  /// The origin of a lane; 0 if all its bits are defined.
  [[nodiscard]] OriginId origin_of(u32 lane) const { return undefined[lane] != 0 ? origins[lane] : 0; }
  /// Sets the origins of results that do not have one yet, for the lanes in which this column is undefined.
  void add_origins(LaneResults& results) const {
    if (is_defined || results.common != 0) return;
    const u32* __restrict undefined_bits = undefined;
    const OriginId* __restrict from = origins;
    OriginId* __restrict into = results.origins.data();
    // Loops without branches, so that compilers can vectorise them.
    if (!results.has_origins) {
      results.has_origins = true;
      results.common = common;
      if (results.common != 0) return;
      for (u32 lane = 0; lane < state_index::lanes; ++lane)
        into[lane] = from[lane] & (0 - u32{undefined_bits[lane] != 0});
      return;
    }
    u32 left = 0;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) left |= u32{into[lane] == 0};
    if (left == 0) return;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      const u32 takes = 0 - (u32{undefined_bits[lane] != 0} & u32{into[lane] == 0});
      into[lane] |= from[lane] & takes;
    }
  }
};
/// Two dwords.
struct LanePair {
  LaneColumn low;
  LaneColumn high;

  template <class T>
  [[nodiscard]] T word(u32 lane) const {
    return T::of(low.bits[lane] | u64{high.bits[lane]} << 32, low.undefined[lane] | u64{high.undefined[lane]} << 32);
  }
  [[nodiscard]] OriginId origin_of(u32 lane) const {
    const OriginId origin = low.origin_of(lane);
    return origin != 0 ? origin : high.origin_of(lane);
  }
  void add_origins(LaneResults& results) const {
    low.add_origins(results);
    high.add_origins(results);
  }
};
/// The mask source.
struct LaneMask {
  u64 bits = 0;
  Mask undefined;

  [[nodiscard]] Bit bit(u32 lane) const { return {(bits >> lane & 1) != 0, (undefined.bits >> lane & 1) != 0}; }
  [[nodiscard]] OriginId origin_of(u32 lane) const { return (undefined.bits >> lane & 1) != 0 ? undefined.origin : 0; }
  void add_origins(LaneResults& results) const {
    if (undefined.bits == 0 || results.common != 0) return;
    if (!results.has_origins) results.origins.fill(0);
    results.has_origins = true;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      if (results.origins[lane] == 0) results.origins[lane] = origin_of(lane);
    }
  }
};

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

/// Calls a function for all lanes on its actual path. Compilers vectorise this loop if the function does not branch.
template <auto function, bool clamps, class... Argument>
[[gnu::flatten]] void call_straight(const std::tuple<Argument...>& arguments, LaneResults& results) {
  using R = typename text::lanes::LaneSignature<decltype(function)>::Result;
  u32* __restrict low = results.dwords[0].data();
  u32* __restrict high = results.dwords[1].data();
  u64 mask = 0;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    // Not by `call_lane`: GCC does not flatten what a function that is always inlined calls.
    const R result = std::apply(
        [lane](const Argument&... argument) { return function(argument.template at<clamps>(lane)...); }, arguments);
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

/// Calls `visit(column)` for the arguments that may be undefined, which excludes those from the encoding.
template <class... Argument, class Visit>
void visit_columns(const std::tuple<Argument...>& arguments, const Visit& visit) {
  const auto visit_one = [&](const auto& column) {
    if constexpr (requires { column.origin_of(u32{0}); }) visit(column);
  };
  std::apply([&](const Argument&... argument) { (visit_one(argument.column), ...); }, arguments);
}

/// The domain of `LaneStep` for lanes with undefined bits.
class LaneDomain {
 public:
  /// `lanes`: the lanes for which `results` are computed.
  LaneDomain(ShadowStep& step, const vector::Instruction& instruction, u64 lanes, LaneResults& results)
      : step_(step), instruction_(instruction), lanes_(lanes), results_(results) {}

  [[nodiscard]] const vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] bool is_packed() const { return row_.format == vector::Format::vop3p; }
  LaneColumn dword(std::size_t i) {
    const vector::Source& source = instruction_.sources[i];
    const vector::OperandKind kind = row_.shape.sources[i].kind;
    if (kind == vector::OperandKind::agpr) return vgpr(core::source_register(step_.wave(), instruction_, i, 1));
    if (kind == vector::OperandKind::constant) return uniform(storage_[i][0], instruction_.literal, {});
    if (source.is_vgpr()) {
      const u32 number = core::source_register(step_.wave(), instruction_, i, 1);
      return modified(i, moved(i, 0, vgpr(number)));
    }
    const auto code = static_cast<u8>(source.code);
    if (code == isa::literal_code) return modified(i, uniform(storage_[i][0], instruction_.literal, {}));
    const auto bits = static_cast<u32>(step_.wave().source(code, 1, 0));
    return modified(i, uniform(storage_[i][0], bits, step_.source(code, 1)));
  }
  LaneColumn half(std::size_t i, bool upper) {
    LaneColumn column = dword(i);
    column.shift = vector::selects_high(instruction_, i, upper) ? 16 : 0;
    return column;
  }
  LanePair pair(std::size_t i, bool extends_sign) {
    const vector::Source& source = instruction_.sources[i];
    if (source.is_vgpr()) {
      u32 number = core::source_register(step_.wave(), instruction_, i, 2);
      if (number >= VectorRegisters::count) number = 0;
      return {moved(i, 0, vgpr(number)), moved(i, 1, vgpr(number + 1))};
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
  LaneMask mask_source() {
    return {step_.wave().source(instruction_.mask_source, 2, 0), step_.source(instruction_.mask_source, 2)};
  }
  LaneColumn destination() { return vgpr(core::destination_register(step_.wave(), instruction_, 1)); }

  template <auto function, class... Argument>
  void evaluate(const std::tuple<Argument...>& arguments, bool upper) {
    LaneResults& results = upper ? upper_ : results_;
    Exploration exploration;
    constexpr int many = 16;
    if (std::popcount(lanes_) >= many) {
      exploration.go_straight();
      if (instruction_.clamp)
        call_straight<function, true>(arguments, results);
      else
        call_straight<function, false>(arguments, results);
      if (!exploration.has_parted()) {
        visit_columns(arguments, [&](const auto& column) { column.add_origins(results); });
        if (!results.has_origins) results.origins.fill(0);
        results.mask &= lanes_;
        return;
      }
      results.mask = 0;
    }
    for_lanes(lanes_, [&](u32 lane) {
      const auto call = [&](const Argument&... argument) { return function(argument.at(lane)...); };
      text::lanes::set_lane_result(results, lane, exploration.explore([&] { return std::apply(call, arguments); }));
      OriginId origin = 0;
      visit_columns(arguments, [&](const auto& column) { origin = origin != 0 ? origin : column.origin_of(lane); });
      results.origins[lane] = origin;
    });
  }
  template <class R>
  void write_halves() {
    results_.spell_out();
    upper_.spell_out();
    for_lanes(lanes_, [&](u32 lane) {
      results_.set_value(lane, (results_.value(lane) & 0xffff) | upper_.value(lane) << 16);
      if (results_.origins[lane] == 0) results_.origins[lane] = upper_.origins[lane];
    });
    results_.width = 32;
  }
  template <class R>
  void write() {}

 private:
  /// Storage for columns that are not registers: scalars, and sources changed by modifiers.
  struct Storage {
    std::array<u32, state_index::lanes> bits;
    std::array<u32, state_index::lanes> undefined;
    std::array<OriginId, state_index::lanes> origins;
  };
  LaneColumn uniform(Storage& storage, u32 bits, const Mask& mask) {
    storage.bits.fill(bits);
    storage.undefined.fill(static_cast<u32>(mask.bits));
    storage.origins.fill(mask.origin);
    const OriginId common = static_cast<u32>(mask.bits) != 0 ? mask.origin : 0;
    return {storage.bits.data(), storage.undefined.data(), storage.origins.data(), common, common == 0};
  }
  LaneColumn vgpr(u32 number) {
    static constexpr std::array<u32, state_index::lanes> zeros{};
    // v0 is read instead of a register that does not exist.
    if (number >= VectorRegisters::count) number = 0;
    const ShadowRow& shadow = step_.shadow().lanes(file_, number);
    const OriginId common = shadow.undefined == ~u64{0} ? shadow.common : 0;
    return {file_ == nullptr ? zeros.data() : file_->lanes(number), shadow.masks.data(), shadow.origins.data(), common,
            shadow.undefined == 0};
  }
  /// A register of the first source with its lanes moved by DPP; `part`: 1 for the high dword of a pair.
  LaneColumn moved(std::size_t i, std::size_t part, const LaneColumn& column) {
    if (i != 0 || instruction_.form != vector::Form::dpp) return column;
    const vector::DppLanes lanes = vector::select_lanes(instruction_.dpp, step_.wave().pair(code::exec));
    Storage& storage = storage_[i][part];
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      const u32 kept = 0U - static_cast<u32>(lanes.moved >> lane & 1);
      const u32 source = lanes.source[lane];
      storage.bits[lane] = column.bits[source] & kept;
      storage.undefined[lane] = column.undefined[source] & kept;
      storage.origins[lane] = column.origins[source];
    }
    return {storage.bits.data(), storage.undefined.data(), storage.origins.data(), 0, column.is_defined};
  }
  LaneColumn modified(std::size_t i, const LaneColumn& column) {
    const vector::Source& source = instruction_.sources[i];
    if (is_whole(source)) return column;
    // The negate bits of V_PK apply to halves.
    const bool has_sign = (row_.modifiers & vector::modifier::sign) != 0;
    const u32 kept = has_sign && source.absolute ? ~sign_bit : ~u32{0};
    const u32 flipped = has_sign && source.negate ? sign_bit : 0;
    if (source.select == vector::Select::dword && kept == ~u32{0} && flipped == 0) return column;
    const vector::Part part = vector::part_of(source.select);
    Storage& storage = storage_[i][0];
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      storage.bits[lane] = (vector::extract(column.bits[lane], part, source.sign_extend) & kept) ^ flipped;
      // Sign extension also applies to the mask: copies of an undefined sign are undefined.
      storage.undefined[lane] = vector::extract(column.undefined[lane], part, source.sign_extend) & kept;
    }
    return {storage.bits.data(), storage.undefined.data(), column.origins, 0, column.is_defined};
  }

  ShadowStep& step_;
  const vector::Instruction& instruction_;
  const vector::InstructionInfo& row_ = vector::row(instruction_.insn);
  const core::VectorFile* file_ = step_.machine().vectors();
  u64 lanes_;
  LaneResults& results_;
  LaneResults upper_;
  std::array<std::array<Storage, 2>, 3> storage_;
};

using LaneFunction = void (*)(LaneDomain& domain);

template <auto function>
constexpr LaneFunction function_of() {
  if constexpr (text::lanes::semantics::is_text<decltype(function)>)
    return text::lanes::LaneStep<LaneDomain>::execute<function>;
  else
    return nullptr;
}

constexpr std::array<LaneFunction, vector::insn_count> functions = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) function_of<&text::lanes::semantics::name>(),
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) nullptr,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
}};

}  // namespace

bool compute_lanes(ShadowStep& step, const vector::Instruction& instruction, u64 lanes, LaneResults& results) {
  const LaneFunction function = functions[static_cast<std::size_t>(instruction.insn)];
  if (function == nullptr) return false;
  LaneDomain domain(step, instruction, lanes, results);
  function(domain);
  return true;
}

}  // namespace salu::observe::undefined
