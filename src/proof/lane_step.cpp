#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "proof/explore.hpp"
#include "proof/lane_semantics.hpp"
#include "proof/lane_sources.hpp"
#include "proof/vector_step.hpp"

/// The adapter between the semantic functions of one lane over terms and the registers: core/vector/lane_handlers.cpp
/// once more.
namespace salu::proof {
namespace {

namespace vector = isa::vector;
namespace lanes = text::lanes;

/// What a function is given for a parameter of a type in a lane.
template <class T>
T argument(const LaneSources& sources, std::size_t number, u32 lane, bool upper) {
  if constexpr (std::same_as<T, lanes::MaskBit>) {
    return {Bit::of(sources.mask_bit(lane))};
  } else if constexpr (lanes::EncodedArgument<T>) {
    return lanes::encoded_argument<T>(sources.instruction(), lane);
  } else if constexpr (std::same_as<T, lanes::Destination>) {
    return {text::u32::of(sources.old_dword(lane))};
  } else if constexpr (WordTraits<T>::bits == 64) {
    return T::of(sources.pair(number, lane, WordTraits<T>::is_signed));
  } else if constexpr (WordTraits<T>::bits == 16) {
    return T::of(sources.half(number, lane, upper));
  } else {
    return T::of(sources.dword(number, lane));
  }
}

/// What came out for a lane.
struct LaneResult {
  std::optional<TermId> value;
  std::optional<TermId> bit;  ///< of the mask

  template <u32 n, bool s>
  void take(const Word<n, s>& word) {
    value = word.as_term();
  }
  void take(const Bit& mask) { bit = mask.as_term(); }
  template <class T>
  void take(const lanes::WithCarry<T>& result) {
    take(result.value);
    take(result.carry);
  }
};

/// The terms that an argument consists of: lanes that find the same come to the same.
struct Parts {
  template <u32 n, bool s>
  void operator()(const Word<n, s>& word, const Word<n, s>& /*same*/) const {
    terms.push_back(word.as_term());
  }
  void operator()(const Bit& bit, const Bit& /*same*/) const { terms.push_back(bit.as_term()); }
  std::vector<TermId>& terms;
};

/// Computes one half of V_PK, or the whole of others, in all lanes that may be on.
template <auto function, std::size_t... index>
void compute(LaneSources& sources, Making& making, bool upper, std::array<LaneResult, state_index::lanes>& results,
             std::index_sequence<index...> /*arguments*/) {
  using S = lanes::semantics::LaneSignature<decltype(function)>;
  std::optional<u32> last_lane;  ///< that was on
  std::vector<TermId> last;
  std::vector<TermId> found;
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    if (making.terms().is_constant(sources.is_on(lane), 0)) continue;
    std::tuple arguments{
        argument<std::tuple_element_t<index, typename S::Arguments>>(sources, S::source_number(index), lane, upper)...};
    found.clear();
    (isa::visit_leaves(std::get<index>(arguments), std::get<index>(arguments), Parts{found}), ...);
    if (last_lane && found == last) {
      results[lane] = results[*last_lane];
      continue;
    }
    results[lane].take(explore(making, [&] { return function(std::get<index>(arguments)...); }));
    last_lane = lane;
    last = found;
  }
}

template <auto function>
void execute_lanes(LaneSources& sources, Making& making) {
  using S = lanes::semantics::LaneSignature<decltype(function)>;
  constexpr auto arguments = std::make_index_sequence<S::count>{};
  Terms& terms = making.terms();
  std::array<LaneResult, state_index::lanes> results;
  compute<function>(sources, making, false, results, arguments);
  if constexpr (std::same_as<typename S::Result, text::u16> || std::same_as<typename S::Result, text::i16>) {
    if (sources.row().format == vector::Format::vop3p) {
      std::array<LaneResult, state_index::lanes> upper;
      compute<function>(sources, making, true, upper, arguments);
      for (u32 lane = 0; lane < state_index::lanes; ++lane) {
        if (results[lane].value) results[lane].value = terms.join(*upper[lane].value, *results[lane].value);
      }
    }
  }
  std::array<TermId, state_index::lanes> bits{};
  for (u32 lane = 0; lane < state_index::lanes; ++lane) {
    if (results[lane].value) sources.write(lane, *results[lane].value);
    bits[lane] = results[lane].bit ? terms.bit_and(*results[lane].bit, sources.is_on(lane)) : terms.no();
  }
  if (sources.row().shape.writes_mask) sources.write_mask(bits);
}

using LaneHandler = void (*)(LaneSources&, Making&);

template <auto function>
constexpr LaneHandler lane_handler() {
  if constexpr (lanes::semantics::is_text<decltype(function)>)
    return execute_lanes<function>;
  else
    return nullptr;
}

constexpr std::array<LaneHandler, vector::insn_count> lane_handlers = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) lane_handler<&lanes::semantics::name>(),
#define SALU_VECTOR_MEMORY(format, name, opcodes, access) nullptr,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
}};

}  // namespace

bool step_lanes(Terms& terms, SymbolicState& state, const core::Wave& wave, const vector::Instruction& instruction) {
  const LaneHandler handler = lane_handlers[static_cast<std::size_t>(instruction.insn)];
  if (handler == nullptr) return false;
  Making making(terms);
  LaneSources sources(terms, state, wave, instruction);
  handler(sources, making);
  return true;
}

}  // namespace salu::proof
