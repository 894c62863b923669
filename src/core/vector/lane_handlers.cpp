#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "core/vector/allocated.hpp"
#include "core/vector/lane_frame.hpp"
#include "exec/lane_step.hpp"
#include "isa/vector/semantics/all.hpp"
#include "isa/vector/table.hpp"

/// The machine's domain of `LaneStep`: a loop over the lanes for each function.
namespace salu::core {
namespace {

namespace vector = isa::vector;
using vector::call_lane;
using vector::LaneSignature;
using vector::LaneStep;

/// The results of all lanes. A function sets only the members that its result type has.
struct LaneResults {
  LaneDwords low;
  LaneDwords high;
  std::array<u8, lane_count> bits;

  template <class T>
  SALU_INLINE void set(u32 lane, const T& value) {
    if constexpr (std::same_as<T, vector::F32> || std::same_as<T, vector::F16>) {
      low.values[lane] = value.bits;
    } else if constexpr (std::same_as<T, vector::F64>) {
      low.values[lane] = static_cast<u32>(value.bits);
      high.values[lane] = static_cast<u32>(value.bits >> 32);
    } else if constexpr (std::same_as<T, vector::Swapped>) {
      low.values[lane] = value.destination;
      high.values[lane] = value.source;
    } else {
      low.values[lane] = static_cast<u32>(value);
      if constexpr (sizeof(T) == 8) high.values[lane] = static_cast<u32>(static_cast<u64>(value) >> 32);
    }
  }
  SALU_INLINE void set_bit(u32 lane, bool bit) { bits[lane] = bit ? 1 : 0; }
  [[nodiscard]] u64 mask() const {
    u64 result = 0;
    // Eight lanes at a time: the multiplication collects their bits in the highest byte of the product.
    for (u32 lane = 0; lane < lane_count; lane += 8) {
      u64 eight = 0;
      for (u32 i = 0; i < 8; ++i) eight |= u64{bits[lane + i]} << (8 * i);
      result |= (eight * 0x0102'0408'1020'4080 >> 56) << lane;
    }
    return result;
  }
};

/// Calls a function for each lane and writes the results, without modifiers, directly to all lanes of a register, which
/// may also be a source.
template <auto function, class Arguments>
SALU_INLINE void compute_in_place(const Arguments& arguments, u32* lanes) {
  SALU_LANE_BY_LANE
  for (u32 lane = 0; lane < lane_count; ++lane)
    lanes[lane] = static_cast<u32>(call_lane<function, false>(arguments, lane));
}

/// True if a function may raise exceptions: a floating-point function, which takes its mode as an argument.
template <auto function>
constexpr bool may_raise = LaneSignature<decltype(function)>::template asks_for<vector::FloatMode> ||
                           LaneSignature<decltype(function)>::template asks_for<vector::WideFloatMode>;

class LaneDomain : public LaneFrame {
 public:
  using LaneFrame::LaneFrame;

  template <class T>
  T implicit(std::size_t /*number*/)
    requires std::same_as<T, vector::FloatMode>
  {
    return float_mode();
  }
  template <class T>
  T implicit(std::size_t /*number*/)
    requires std::same_as<T, vector::WideFloatMode>
  {
    return wide_float_mode();
  }
  template <class T>
  LanePair implicit(std::size_t /*number*/)
    requires std::same_as<T, vector::WideDestination>
  {
    return wide_destination();
  }

  /// Calls a function for each lane, including inactive lanes: it is pure, and their results are not written.
  template <auto function, class... Argument>
  void evaluate(const std::tuple<Argument...>& arguments, bool upper) {
    LaneResults& results = results_[upper ? 1 : 0];
    if constexpr (LaneSignature<decltype(function)>::template asks_for<vector::Clamp>) {
      if (instruction().clamp) return compute<function, true>(arguments, results);
    }
    compute<function, false>(arguments, results);
  }
  template <class T>
  LaneMixed implicit(std::size_t number)
    requires std::same_as<T, vector::Mixed>
  {
    return mixed(number);
  }
  template <class T>
  LaneHalves implicit(std::size_t number)
    requires std::same_as<T, vector::Halves>
  {
    return halves(number);
  }
  template <class R>
  void write_halves() {
    LaneDwords& low = results_[0].low;
    LaneDwords& high = results_[1].low;
    if constexpr (std::same_as<R, vector::F16>)
      write_packed_half_floats(low, high);
    else if constexpr (std::same_as<R, vector::F32>)
      write_packed_floats(low, high);
    else
      LaneFrame::write_halves(low.data(), high.data());
  }
  template <class R>
  void write() {
    LaneResults& results = results_[0];
    if constexpr (std::same_as<R, bool>) {
      write_mask(results.mask());
    } else if constexpr (requires(R result) { result.carry; }) {
      write<decltype(R::value)>();
      write_mask(results.mask());
    } else if constexpr (std::same_as<R, vector::F32>) {
      write_floats(results.low);
    } else if constexpr (std::same_as<R, vector::F64>) {
      write_floats(results.low, results.high);
    } else if constexpr (std::same_as<R, vector::F16>) {
      write_half_floats(results.low);
    } else if constexpr (std::same_as<R, vector::Swapped>) {
      write32(results.low.data());
      write_source(results.high.data());
    } else if constexpr (sizeof(R) == 8) {
      write64(results.low.data(), results.high.data());
    } else if constexpr (sizeof(R) == 2) {
      write16(results.low.data());
    } else {
      write32(results.low.data());
    }
  }

 private:
  template <auto function, bool clamps, class Arguments>
  void compute(const Arguments& arguments, LaneResults& results) {
    if constexpr (may_raise<function>) {
      // Inactive lanes raise no exceptions: `end_lane` drops them.
      for (u32 lane = 0; lane < lane_count; ++lane) {
        vector::set_lane_result(results, lane, call_lane<function, clamps>(arguments, lane));
        end_lane(lane);
      }
    } else {
      SALU_LANE_BY_LANE
      for (u32 lane = 0; lane < lane_count; ++lane)
        vector::set_lane_result(results, lane, call_lane<function, clamps>(arguments, lane));
    }
  }

  std::array<LaneResults, 2> results_;  ///< the second element: results for the upper halves
};

/// Computes in place if the result is written, without modifiers, to all lanes of a register; otherwise returns false.
template <auto function>
bool compute_in_place(LaneDomain& domain) {
  // Before the sources are fetched: this may copy a shared block of registers that contains them.
  u32* const lanes = domain.whole_destination();
  if (lanes == nullptr || domain.instruction().clamp) return false;
  compute_in_place<function>(LaneStep<LaneDomain>::arguments<function>(domain, false), lanes);
  return true;
}

template <class T>
concept Dword = std::same_as<T, u32> || std::same_as<T, i32>;

/// True if a function computes one dword from dwords, and can run on the registers directly.
template <class Function>
constexpr bool is_of_dwords = false;
template <Dword R, class... A>
constexpr bool is_of_dwords<R (*)(A...)> =
    ((Dword<A> || std::same_as<A, vector::Clamp> || std::same_as<A, vector::Destination> ||
      std::same_as<A, vector::TruthTable>) &&
     ...);

/// The most common case, without a frame: only VGPRs, all lanes.
struct RegisterDomain {
  const VectorFile& file;
  const vector::Instruction& fields;

  [[nodiscard]] const vector::Instruction& instruction() const { return fields; }
  [[nodiscard]] LaneColumn dword(std::size_t i) const {
    return {file.lanes(fields.sources[std::min<std::size_t>(i, 2)].code - vector::first_vgpr)};
  }
  [[nodiscard]] LaneColumn destination() const { return {file.lanes(fields.destination)}; }
};

/// An argument of a function that is called once for all lanes.
template <class T>
T fetch_once(LaneFrame& frame, std::size_t number) {
  if constexpr (std::same_as<T, vector::AllLanes>) {
    return {frame.dword(number).lanes};
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

/// True if a function is called once for all lanes.
template <class R>
concept OnceForAll =
    std::same_as<R, vector::ToScalar> || std::same_as<R, vector::ToLane> || std::same_as<R, vector::Relative> ||
    std::same_as<R, vector::Exchange> || std::same_as<R, vector::Nothing>;

template <auto function>
SALU_NOINLINE const MicroOp* execute_framed(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector,
                                            u32 scc) {
  using R = typename LaneSignature<decltype(function)>::Result;
  if constexpr (OnceForAll<R>) {
    LaneFrame frame(interpreter, op, vector, scc);
    apply(frame, call_once<function>(frame, std::make_index_sequence<LaneSignature<decltype(function)>::count>{}));
    return frame.next();
  } else {
    LaneDomain domain(interpreter, op, vector, scc);
    if constexpr (Dword<R> && !may_raise<function>) {
      if (compute_in_place<function>(domain)) return domain.next();
    }
    LaneStep<LaneDomain>::execute<function>(domain);
    if constexpr (may_raise<function>) domain.raise();
    return domain.next();
  }
}

template <auto function>
const MicroOp* execute(Interpreter& interpreter, const MicroOp* op, const VectorOp& vector, u32 scc) {
  if constexpr (is_of_dwords<decltype(function)>) {
    const bool has_all =
        ~interpreter.wave.pair(state_index::exec) == 0 && (interpreter.wave.mode >> gcn::mode_bit::gpr_idx_en & 1) == 0;
    if (vector.is_of_vgprs && has_all) [[likely]] {
      RegisterDomain domain{interpreter.vector_file(), vector.instruction};
      u32* const lanes = interpreter.vector_file().own_whole(vector.instruction.destination);
      compute_in_place<function>(LaneStep<RegisterDomain>::arguments<function>(domain, false), lanes);
      return interpreter.after_warning(op, op + vector.instruction.dwords);
    }
  }
  return execute_framed<function>(interpreter, op, vector, scc);
}

constexpr std::array<VectorHandler, vector::insn_count> handlers = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) execute<&vector::semantics::name>,
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) access_lanes,
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
  // Global data share is not modelled.
  if (instruction.memory.gds) return nullptr;
  return handlers[static_cast<std::size_t>(instruction.insn)];
}

}  // namespace salu::core
