#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/vector/allocated.hpp"
#include "core/vector/lane_frame.hpp"
#include "exec/lane_arguments.hpp"
#include "isa/vector/semantics/all.hpp"
#include "isa/vector/table.hpp"

/// The adapter between the semantic functions of one lane and the registers: a loop over the lanes for each function,
/// made from its signature alone.
namespace salu::core {
namespace {

namespace vector = isa::vector;

template <class T>
concept LaneInteger = std::same_as<T, u16> || std::same_as<T, i16> || std::same_as<T, u32> || std::same_as<T, i32> ||
                      std::same_as<T, u64> || std::same_as<T, i64>;

template <class T>
concept LaneSource = LaneInteger<T> || std::same_as<T, vector::F32> || std::same_as<T, vector::AllLanes>;

// ---- what a function finds in a lane ----

template <class T>
struct Column;

template <class T>
  requires(LaneInteger<T> && sizeof(T) <= 4)
struct Column<T> {
  const u32* lanes;
  [[nodiscard]] SALU_INLINE T at(u32 lane) const { return static_cast<T>(lanes[lane]); }
};
template <class T>
  requires(LaneInteger<T> && sizeof(T) == 8)
struct Column<T> {
  LaneFrame::Pair pair;
  [[nodiscard]] SALU_INLINE T at(u32 lane) const { return static_cast<T>(pair.low[lane] | u64{pair.high[lane]} << 32); }
};
template <>
struct Column<vector::F32> {
  const u32* lanes;
  [[nodiscard]] SALU_INLINE vector::F32 at(u32 lane) const { return {lanes[lane]}; }
};
template <>
struct Column<vector::MaskBit> {
  u64 mask;
  [[nodiscard]] SALU_INLINE vector::MaskBit at(u32 lane) const { return {(mask >> lane & 1) != 0}; }
};
template <>
struct Column<vector::Destination> {
  const u32* lanes;
  [[nodiscard]] SALU_INLINE vector::Destination at(u32 lane) const { return {lanes[lane]}; }
};
template <>
struct Column<vector::Lane> {
  [[nodiscard]] SALU_INLINE vector::Lane at(u32 lane) const { return {lane}; }
};
/// What is the same in all lanes.
template <class T>
struct Uniform {
  T value;
  [[nodiscard]] SALU_INLINE T at(u32 /*lane*/) const { return value; }
};
template <vector::EncodedArgument T>
struct Column<T> : Uniform<T> {};
template <>
struct Column<vector::FloatMode> : Uniform<vector::FloatMode> {};

// ---- what it returns ----

/// Results of all lanes.
template <class T>
struct Results;

template <class T>
  requires(LaneInteger<T> && sizeof(T) <= 4)
struct Results<T> {
  LaneDwords lanes;
  SALU_INLINE void set(u32 lane, T value) { lanes.values[lane] = static_cast<u32>(value); }
  void write(LaneFrame& frame) {
    if constexpr (sizeof(T) == 2) {
      frame.write16(lanes.data());
    } else {
      frame.write32(lanes.data());
    }
  }
};
template <class T>
  requires(LaneInteger<T> && sizeof(T) == 8)
struct Results<T> {
  LaneDwords low;
  LaneDwords high;
  SALU_INLINE void set(u32 lane, T value) {
    low.values[lane] = static_cast<u32>(value);
    high.values[lane] = static_cast<u32>(static_cast<u64>(value) >> 32);
  }
  void write(LaneFrame& frame) { frame.write64(low.data(), high.data()); }
};
template <>
struct Results<vector::F32> {
  LaneDwords lanes;
  SALU_INLINE void set(u32 lane, vector::F32 value) { lanes.values[lane] = value.bits; }
  void write(LaneFrame& frame) { frame.write_floats(lanes); }
};
template <>
struct Results<bool> {
  std::array<u8, lane_count> bits;
  SALU_INLINE void set(u32 lane, bool value) { bits[lane] = value ? 1 : 0; }
  [[nodiscard]] u64 mask() const {
    u64 result = 0;
    // Eight lanes at a time: their bits come together in the highest byte of the product.
    for (u32 lane = 0; lane < lane_count; lane += 8) {
      u64 eight = 0;
      for (u32 i = 0; i < 8; ++i) eight |= u64{bits[lane + i]} << (8 * i);
      result |= (eight * 0x0102'0408'1020'4080 >> 56) << lane;
    }
    return result;
  }
  void write(LaneFrame& frame) const { frame.write_mask(mask()); }
};
template <class T>
struct Results<vector::WithCarry<T>> {
  Results<T> values;
  Results<bool> carries;
  SALU_INLINE void set(u32 lane, vector::WithCarry<T> result) {
    values.set(lane, result.value);
    carries.set(lane, result.carry);
  }
  void write(LaneFrame& frame) {
    values.write(frame);
    carries.write(frame);
  }
};
template <>
struct Results<vector::Swapped> {
  LaneDwords destination;
  LaneDwords source;
  SALU_INLINE void set(u32 lane, vector::Swapped result) {
    destination.values[lane] = result.destination;
    source.values[lane] = result.source;
  }
  void write(LaneFrame& frame) {
    frame.write32(destination.data());
    frame.write_source(source.data());
  }
};

// ---- the loop ----

template <class Function>
struct LaneSignature;

template <class R, class... A>
struct LaneSignature<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
  static constexpr std::size_t count = sizeof...(A);

  /// The number of the source that argument `index` is.
  static constexpr std::size_t source_number(std::size_t index) {
    constexpr std::array<bool, count + 1> is_source{LaneSource<A>..., false};
    std::size_t number = 0;
    for (std::size_t i = 0; i < index; ++i) number += is_source[i] ? 1 : 0;
    return number;
  }
};

/// Argument `T`, source `number` where it is one, in all lanes. `upper`: of VOP3P, for the upper half of the result.
template <class T>
SALU_INLINE Column<T> fetch(LaneFrame& frame, std::size_t number, bool upper) {
  const vector::Instruction& instruction = frame.instruction();
  if constexpr (LaneInteger<T>) {
    if constexpr (sizeof(T) == 8) {
      return {frame.source64(number, std::is_signed_v<T>)};
    } else if constexpr (sizeof(T) == 2) {
      const u8 select = upper ? instruction.op_sel_hi : instruction.op_sel;
      return {frame.source16(number, (select >> number & 1) != 0)};
    } else {
      return {frame.source32(number)};
    }
  } else if constexpr (std::same_as<T, vector::F32>) {
    return {frame.source32(number)};
  } else if constexpr (std::same_as<T, vector::FloatMode>) {
    return {{frame.float_mode()}};
  } else if constexpr (std::same_as<T, vector::MaskBit>) {
    return {frame.mask_source()};
  } else if constexpr (std::same_as<T, vector::Destination>) {
    return {frame.destination()};
  } else if constexpr (std::same_as<T, vector::Lane>) {
    return {};
  } else {
    return {{vector::encoded_argument<T>(instruction, 0)}};
  }
}

/// What a lane finds in a column; the modifiers that are the same in all lanes, and rarely there, as constants.
template <bool clamps, class T>
SALU_INLINE auto lane_value(const Column<T>& column, u32 lane) {
  if constexpr (std::same_as<T, vector::Clamp>) {
    return vector::Clamp{clamps};
  } else {
    return column.at(lane);
  }
}

/// Whether a function may raise exceptions: those on floats, which ask for their mode.
template <class S, std::size_t... index>
constexpr bool may_raise(std::index_sequence<index...> /*arguments*/) {
  return (std::same_as<std::tuple_element_t<index, typename S::Arguments>, vector::FloatMode> || ...);
}

/// Calls a function that may raise exceptions for each lane; only those of lanes that are on count.
template <bool clamps, auto function, class Columns, std::size_t... index>
void compute_raising(LaneFrame& frame, const Columns& columns,
                     Results<typename LaneSignature<decltype(function)>::Result>& results,
                     std::index_sequence<index...> /*arguments*/) {
  for (u32 lane = 0; lane < lane_count; ++lane) {
    results.set(lane, function(lane_value<clamps>(std::get<index>(columns), lane)...));
    frame.end_lane(lane);
  }
}

/// Calls a function for each lane, those that are off included: it is pure, and what they get is not written.
template <auto function, std::size_t... index>
void compute(LaneFrame& frame, bool upper, Results<typename LaneSignature<decltype(function)>::Result>& results,
             std::index_sequence<index...> arguments) {
  using S = LaneSignature<decltype(function)>;
  const std::tuple columns{
      fetch<std::tuple_element_t<index, typename S::Arguments>>(frame, S::source_number(index), upper)...};
  if constexpr (may_raise<S>(arguments)) {
    if (frame.instruction().clamp)
      compute_raising<true, function>(frame, columns, results, arguments);
    else
      compute_raising<false, function>(frame, columns, results, arguments);
    return;
  }
  if constexpr ((std::same_as<std::tuple_element_t<index, typename S::Arguments>, vector::Clamp> || ...)) {
    if (frame.instruction().clamp) {
      for (u32 lane = 0; lane < lane_count; ++lane)
        results.set(lane, function(lane_value<true>(std::get<index>(columns), lane)...));
      return;
    }
  }
  for (u32 lane = 0; lane < lane_count; ++lane)
    results.set(lane, function(lane_value<false>(std::get<index>(columns), lane)...));
}

/// The same for a result that goes to all lanes of a register as it is, which may be a source as well.
template <auto function, class Columns, std::size_t... index>
SALU_INLINE void compute_in_place(const Columns& columns, u32* lanes, std::index_sequence<index...> /*arguments*/) {
  SALU_LANE_BY_LANE
  for (u32 lane = 0; lane < lane_count; ++lane)
    lanes[lane] = static_cast<u32>(function(lane_value<false>(std::get<index>(columns), lane)...));
}

/// False where the result does not go there.
template <auto function, std::size_t... index>
bool compute_in_place(LaneFrame& frame, std::index_sequence<index...> arguments) {
  using S = LaneSignature<decltype(function)>;
  // Asked for first: what a block of registers shares is copied, and the sources may be in it.
  u32* const lanes = frame.whole_destination();
  if (lanes == nullptr || frame.instruction().clamp) return false;
  const std::tuple columns{
      fetch<std::tuple_element_t<index, typename S::Arguments>>(frame, S::source_number(index), false)...};
  compute_in_place<function>(columns, lanes, arguments);
  return true;
}

template <class T>
concept Dword = LaneInteger<T> && sizeof(T) == 4;

/// An argument that `fetch_register` can give.
template <class T>
concept OfRegisters = Dword<T> || std::same_as<T, vector::Clamp> || std::same_as<T, vector::Destination> ||
                      std::same_as<T, vector::TruthTable>;

/// Whether a function makes one dword of others, and so may run on the registers as they are.
template <class S, std::size_t... index>
constexpr bool is_of_dwords(std::index_sequence<index...> /*arguments*/) {
  return Dword<typename S::Result> && (OfRegisters<std::tuple_element_t<index, typename S::Arguments>> && ...);
}

template <class T>
SALU_INLINE Column<T> fetch_register(const VectorFile& file, const vector::Instruction& instruction,
                                     std::size_t number) {
  if constexpr (Dword<T>) {
    return {file.lanes(instruction.sources[std::min<std::size_t>(number, 2)].code - vector::first_vgpr)};
  } else if constexpr (std::same_as<T, vector::Destination>) {
    return {file.lanes(instruction.destination)};
  } else {
    return {{vector::encoded_argument<T>(instruction, 0)}};
  }
}

/// What most instructions are, without a frame: VGPRs and nothing else, in all lanes.
template <auto function, std::size_t... index>
SALU_INLINE void compute_registers(VectorFile& file, const vector::Instruction& instruction,
                                   std::index_sequence<index...> arguments) {
  using S = LaneSignature<decltype(function)>;
  u32* const lanes = file.own_whole(instruction.destination);
  const std::tuple columns{fetch_register<std::tuple_element_t<index, typename S::Arguments>>(
      file, instruction, S::source_number(index))...};
  compute_in_place<function>(columns, lanes, arguments);
}

/// An argument of a function that is called once for all lanes.
template <class T>
T fetch_once(LaneFrame& frame, std::size_t number) {
  if constexpr (std::same_as<T, vector::AllLanes>) {
    return {frame.source32(number)};
  } else if constexpr (std::same_as<T, vector::Exec>) {
    return {frame.exec()};
  } else if constexpr (std::same_as<T, vector::Index>) {
    return {frame.m0()};
  } else {
    return frame.scalar_source(number);
  }
}

template <auto function, std::size_t... index>
auto call_once(LaneFrame& frame, std::index_sequence<index...> /*arguments*/) {
  using S = LaneSignature<decltype(function)>;
  return function(fetch_once<std::tuple_element_t<index, typename S::Arguments>>(frame, S::source_number(index))...);
}

void apply(LaneFrame& frame, vector::ToScalar result) { frame.write_scalar(result.value); }
void apply(LaneFrame& frame, vector::ToLane result) { frame.write_lane(result.lane, result.value); }
void apply(LaneFrame& frame, vector::Relative result) { frame.move_relative(result.source, result.destination); }
void apply(LaneFrame& frame, vector::Exchange result) { frame.exchange_lanes(result); }
void apply(LaneFrame& /*frame*/, vector::Nothing /*result*/) {}

/// Whether a function is called once for all lanes.
template <class R>
concept OnceForAll =
    std::same_as<R, vector::ToScalar> || std::same_as<R, vector::ToLane> || std::same_as<R, vector::Relative> ||
    std::same_as<R, vector::Exchange> || std::same_as<R, vector::Nothing>;

template <vector::Insn insn, auto function>
SALU_NOINLINE const MicroOp* execute_framed(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector,
                                            u32 scc) {
  using S = LaneSignature<decltype(function)>;
  using R = typename S::Result;
  constexpr auto arguments = std::make_index_sequence<S::count>{};
  LaneFrame frame(interpreter, op, vector, scc);
  if constexpr (may_raise<S>(arguments)) {
    Results<R> results;
    compute<function>(frame, false, results, arguments);
    results.write(frame);
    frame.raise();
  } else if constexpr (OnceForAll<R>) {
    apply(frame, call_once<function>(frame, arguments));
  } else if constexpr (vector::row(insn).format == vector::Format::vop3p && sizeof(R) == 2) {
    Results<R> low;
    Results<R> high;
    compute<function>(frame, false, low, arguments);
    compute<function>(frame, true, high, arguments);
    frame.write_halves(low.lanes.data(), high.lanes.data());
  } else {
    if constexpr (LaneInteger<R> && sizeof(R) == 4) {
      if (compute_in_place<function>(frame, arguments)) return frame.next();
    }
    Results<R> results;
    compute<function>(frame, false, results, arguments);
    results.write(frame);
  }
  return frame.next();
}

template <vector::Insn insn, auto function>
const MicroOp* execute(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc) {
  using S = LaneSignature<decltype(function)>;
  constexpr auto arguments = std::make_index_sequence<S::count>{};
  if constexpr (is_of_dwords<S>(arguments)) {
    const bool has_all =
        ~interpreter.wave.pair(code::exec) == 0 && (interpreter.wave.mode >> mode_bit::gpr_idx_en & 1) == 0;
    if (vector.is_of_vgprs && has_all) [[likely]] {
      compute_registers<function>(interpreter.vector_file(), vector.instruction, arguments);
      return interpreter.after_warning(op, op + vector.instruction.dwords);
    }
  }
  return execute_framed<insn, function>(interpreter, op, vector, scc);
}

constexpr std::array<VectorHandler, vector::insn_count> handlers = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) \
  execute<vector::Insn::name, &vector::semantics::name>,
#define SALU_VECTOR_MEMORY(format, name, opcodes, access) access_lanes,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
}};

}  // namespace

const MicroOp* warn_of_allocation(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc) {
  interpreter.warn(WarningKind::register_out_of_range, op, [&] {
    const auto written = vector::decode(interpreter.wave.generation, interpreter.cache.words_from(op));
    return describe_beyond(interpreter.wave.generation, interpreter.wave.allocation(),
                           written.value_or(vector.instruction));
  });
  return vector.executes(interpreter, op, vector, scc);
}

VectorHandler vector_handler(const vector::Instruction& instruction) {
  // Memory that all work-groups share is not there.
  if (instruction.memory.gds) return nullptr;
  return handlers[static_cast<std::size_t>(instruction.insn)];
}

}  // namespace salu::core
