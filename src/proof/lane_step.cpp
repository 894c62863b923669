#include <array>
#include <bit>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "core/vector/allocated.hpp"
#include "core/vector/lane_registers.hpp"
#include "isa/operand.hpp"
#include "isa/vector/selection.hpp"
#include "isa/vector/semantics/move.hpp"
#include "isa/vector/table.hpp"
#include "proof/explore.hpp"
#include "proof/instruction_step.hpp"
#include "proof/lane_semantics.hpp"

/// The domain of `LaneStep` for lanes that hold terms, and the instructions that move words between lanes.
namespace salu::proof {
namespace {

namespace vector = isa::vector;
namespace lanes = text::lanes;

constexpr u32 lane_count = state_index::lanes;

/// The words of all lanes; `term(lane)` creates each on demand.
template <class MakeTerm>
struct Column {
  MakeTerm term;
  template <class T>
  [[nodiscard]] T word(u32 lane) const {
    return T::of(term(lane));
  }
  [[nodiscard]] Bit bit(u32 lane) const { return Bit::of(term(lane)); }
};

/// Collects the terms of an argument. Lanes with equal arguments have equal results.
struct Parts {
  template <class Leaf>
  void operator()(const Leaf& leaf, const Leaf& /*same*/) const {
    terms.push_back(leaf.as_term());
  }
  std::vector<TermId>& terms;
};

class LaneDomain {
 public:
  LaneDomain(Terms& terms, SymbolicState& state, const core::Wave& wave, const vector::Instruction& instruction)
      : making_(terms), terms_(terms), state_(state), wave_(wave), instruction_(instruction) {}

  NextStep run(NextStep next);

  // ---- primitives of `LaneStep` ----

  /// The results of each lane: a word, and a bit of the mask.
  struct Results {
    std::array<std::optional<TermId>, lane_count> words;
    std::array<std::optional<TermId>, lane_count> bits;
    template <class T>
    void set(u32 lane, const T& word) {
      words[lane] = word.as_term();
    }
    void set_bit(u32 lane, const Bit& bit) { bits[lane] = bit.as_term(); }
  };

  [[nodiscard]] const vector::Instruction& instruction() const { return instruction_; }
  [[nodiscard]] bool is_packed() const { return row_.format == vector::Format::vop3p; }
  auto dword(std::size_t i) {
    return Column{[this, i](u32 lane) { return source(i, lane); }};
  }
  auto half(std::size_t i, bool upper) {
    const u32 first = vector::selects_high(instruction_, i, upper) ? 16 : 0;
    return Column{[this, i, first](u32 lane) { return terms_.slice(source(i, lane), first, 16); }};
  }
  auto pair(std::size_t i, bool extends_sign) {
    return Column{[this, i, extends_sign](u32 lane) { return wide_source(i, lane, extends_sign); }};
  }
  auto mask_source() {
    return Column{[this](u32 lane) { return terms_.slice(scalar(instruction_.mask_source, 2), lane, 1); }};
  }
  auto destination() {
    return Column{[this](u32 lane) { return state_.lane(destination_register(), lane); }};
  }

  /// Calls a function for all lanes that may be active.
  template <auto function, class... Argument>
  void evaluate(const std::tuple<Argument...>& arguments, bool upper) {
    Results& results = results_[upper ? 1 : 0];
    std::optional<u32> last_lane;  ///< the last lane for which the function was called
    std::vector<TermId> last;
    std::vector<TermId> found;
    for (u32 lane = 0; lane < lane_count; ++lane) {
      if (terms_.is_constant(is_on(lane), 0)) continue;
      auto words =
          std::apply([lane](const Argument&... argument) { return std::tuple{argument.at(lane)...}; }, arguments);
      found.clear();
      std::apply([&](auto&... word) { (isa::visit_leaves(word, word, Parts{found}), ...); }, words);
      if (last_lane && found == last) {
        results.words[lane] = results.words[*last_lane];
        results.bits[lane] = results.bits[*last_lane];
        continue;
      }
      lanes::set_lane_result(results, lane, explore(making_, [&] { return std::apply(function, words); }));
      last_lane = lane;
      last = found;
    }
  }

  template <class R>
  void write_halves() {
    for (u32 lane = 0; lane < lane_count; ++lane) {
      std::optional<TermId>& word = results_[0].words[lane];
      if (word) word = terms_.join(*results_[1].words[lane], *word);
    }
    write<text::u32>();
  }
  template <class R>
  void write() {
    std::array<TermId, lane_count> bits{};
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const auto& [words, mask] = results_[0];
      if (words[lane]) write_word(lane, *words[lane]);
      bits[lane] = mask[lane] ? terms_.bit_and(*mask[lane], is_on(lane)) : terms_.no();
    }
    if (row_.shape.writes_mask) write_mask(bits);
  }

 private:
  /// A term of 1 bit that is true if a lane is active.
  [[nodiscard]] TermId is_active(u32 lane) const { return terms_.slice(exec_, lane, 1); }
  /// A term of 1 bit that is true if a lane is written: the active ones, with DPP only some of them.
  [[nodiscard]] TermId is_on(u32 lane) const {
    if (!is_dpp()) return is_active(lane);
    if (!vector::is_enabled(instruction_.dpp, lane)) return terms_.no();
    if (instruction_.dpp.bound_ctrl) return is_active(lane);
    const std::optional<u32> source = vector::dpp_source(instruction_.dpp.control, lane);
    return source ? terms_.bit_and(is_active(lane), is_active(*source)) : terms_.no();
  }
  [[nodiscard]] bool is_dpp() const { return instruction_.form == vector::Form::dpp; }
  /// A lane of a register of a source. With DPP, the first source is in another lane, and 0 if that is not active.
  [[nodiscard]] TermId lane_of(std::size_t i, u32 number, u32 lane) const {
    if (i != 0 || !is_dpp()) return state_.lane(number, lane);
    const std::optional<u32> source = vector::dpp_source(instruction_.dpp.control, lane);
    const TermId zero = terms_.constant(32, 0);
    return source ? terms_.select(is_active(*source), state_.lane(number, *source), zero) : zero;
  }

  // ---- sources ----

  [[nodiscard]] TermId scalar(u32 code, u32 dwords) const {
    return read_operand(terms_, state_, wave_, code, dwords, instruction_.literal);
  }
  /// The register of a source, or the first of a pair.
  [[nodiscard]] u32 source_register(std::size_t i, u32 dwords) const {
    const u32 number = core::named_source(wave_, instruction_, i, dwords);
    return number == core::no_register ? 0 : number;
  }
  /// A 32-bit source with its modifiers applied.
  [[nodiscard]] TermId source(std::size_t i, u32 lane) const {
    const vector::Source& source = instruction_.sources[i];
    const vector::OperandKind kind = row_.shape.sources[i].kind;
    if (kind == vector::OperandKind::constant) return terms_.constant(32, instruction_.literal);
    if (kind == vector::OperandKind::agpr) return state_.lane(source_register(i, 1), lane);
    TermId result = source.is_vgpr() ? lane_of(i, source_register(i, 1), lane) : scalar(source.code, 1);
    if (source.select != vector::Select::dword) {
      const vector::Part part = vector::part_of(source.select);
      const TermId bits = terms_.slice(result, part.low_bit, part.bits);
      result = source.sign_extend ? terms_.sign_extend(bits, 32) : terms_.zero_extend(bits, 32);
    }
    if (row_.float_bits(row_.shape.sources[i]) != 32) return result;
    constexpr u64 sign = u64{1} << 31;
    if (source.absolute) result = terms_.bit_and(result, terms_.constant(32, ~sign));
    if (source.negate) result = terms_.bit_xor(result, terms_.constant(32, sign));
    return result;
  }
  [[nodiscard]] TermId wide_source(std::size_t i, u32 lane, bool extends_sign) const {
    const vector::Source& source = instruction_.sources[i];
    if (source.is_vgpr()) {
      const u32 number = source_register(i, 2);
      return terms_.join(lane_of(i, number + 1, lane), lane_of(i, number, lane));
    }
    if (source.code != isa::literal_code) return scalar(source.code, 2);
    const TermId literal = terms_.constant(32, instruction_.literal);
    return extends_sign ? terms_.sign_extend(literal, 64) : terms_.zero_extend(literal, 64);
  }

  // ---- results ----

  [[nodiscard]] u32 destination_register() const {
    const bool is_accumulator = row_.shape.destination.kind == vector::OperandKind::agpr;
    return instruction_.destination + (is_accumulator ? VectorRegisters::vgprs : 0);
  }
  void write_dword(u32 number, u32 lane, TermId dword) {
    const TermId on = is_on(lane);
    if (terms_.is_constant(on, 0)) return;
    state_.write_lane(number, lane,
                      terms_.is_constant(on, 1) ? dword : terms_.select(on, dword, state_.lane(number, lane)));
  }
  /// Writes a word of 16, 32 or 64 bits to a lane of the destination; 16 bits are written to one of its halves.
  void write_word(u32 lane, TermId result) {
    const u32 number = destination_register();
    const u32 width = terms_.width(result);
    if (width == 64) {
      write_dword(number, lane, terms_.slice(result, 0, 32));
      return write_dword(number + 1, lane, terms_.slice(result, 32, 32));
    }
    TermId dword = width == 16 ? placed_half(result, number, lane) : result;
    if (instruction_.destination_select != vector::Select::dword) dword = placed(dword, number, lane);
    write_dword(number, lane, dword);
  }
  [[nodiscard]] TermId placed_half(TermId half, u32 number, u32 lane) const {
    const vector::ResultHalf kind = vector::result_half(instruction_, row_.modifiers);
    if (kind == vector::ResultHalf::low_and_zero) return terms_.zero_extend(half, 32);
    const TermId old = state_.lane(number, lane);
    return kind == vector::ResultHalf::high ? terms_.join(half, terms_.slice(old, 0, 16))
                                            : terms_.join(terms_.slice(old, 16, 16), half);
  }
  /// The register after an SDWA instruction, which writes the low bits to a part of it.
  [[nodiscard]] TermId placed(TermId dword, u32 number, u32 lane) const {
    const vector::Part part = vector::part_of(instruction_.destination_select);
    const u32 end = part.low_bit + part.bits;
    const bool preserves = instruction_.destination_unused == vector::Unused::preserve;
    const TermId old = preserves ? state_.lane(number, lane) : terms_.constant(32, 0);
    TermId result = terms_.slice(dword, 0, part.bits);
    if (end != 32) {
      const bool extends = instruction_.destination_unused == vector::Unused::sign_extend;
      result = extends ? terms_.sign_extend(result, 32 - part.low_bit)
                       : terms_.join(terms_.slice(old, end, 32 - end), result);
    }
    return part.low_bit != 0 ? terms_.join(result, terms_.slice(old, 0, part.low_bit)) : result;
  }
  void write_mask(const std::array<TermId, lane_count>& bits) {
    // A run of lanes with the same bit is one sign extension.
    std::optional<TermId> mask;
    for (u32 lane = 0; lane < lane_count;) {
      const TermId bit = bits[lane];
      u32 count = 1;
      while (lane + count < lane_count && bits[lane + count] == bit) ++count;
      const TermId run = terms_.sign_extend(bit, count);
      mask = mask ? terms_.join(run, *mask) : run;
      lane += count;
    }
    if (is_written(wave_, instruction_.mask_destination, 2))
      state_.write_pair(register_index(wave_.generation, instruction_.mask_destination), *mask);
    if (row_.shape.writes_exec) state_.write_pair(code::exec, *mask);
  }

  // ---- moves between lanes ----

  [[nodiscard]] std::optional<u32> chosen_lane() const {
    const TermId lane = terms_.slice(scalar(instruction_.sources[1].code, 1), 0, 6);
    if (!terms_.is_constant(lane)) return std::nullopt;
    return static_cast<u32>(terms_.value(lane));
  }
  /// The first active lane; lane 0 if no lane is active. Nothing if EXEC depends on the inputs.
  [[nodiscard]] std::optional<u32> first_lane() const {
    if (!terms_.is_constant(exec_)) return std::nullopt;
    const u64 on = terms_.value(exec_);
    return on == 0 ? 0 : static_cast<u32>(std::countr_zero(on));
  }
  void to_scalar(u32 lane) {
    if (is_written(wave_, instruction_.destination, 1))
      state_.write(register_index(wave_.generation, instruction_.destination), source(0, lane));
  }
  void swap() {
    const u32 from = u32{instruction_.sources[0].code} - vector::first_vgpr;
    const u32 to = instruction_.destination;
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const TermId a = state_.lane(from, lane);
      const TermId b = state_.lane(to, lane);
      write_dword(from, lane, b);
      write_dword(to, lane, a);
    }
  }
  void exchange(vector::Exchange exchange) {
    const u32 source = u32{instruction_.sources[0].code} - vector::first_vgpr;
    const u32 destination = instruction_.destination;
    const u64 upper = vector::semantics::upper_lanes(exchange);
    std::array<TermId, lane_count> results{};
    const auto find = [&](u32 lane, u32 to, u32 from) {
      const u32 other = lane ^ exchange.distance;
      const TermId old = state_.lane(to, lane);
      TermId found = state_.lane(from, other);
      if ((instruction_.op_sel & 1) == 0) {
        const TermId otherwise = (instruction_.op_sel & 2) != 0 ? terms_.constant(32, 0) : old;
        found = terms_.select(is_on(other), found, otherwise);
      }
      results[lane] = terms_.select(is_on(lane), found, old);
    };
    const auto is_upper = [&](u32 lane) { return (upper >> lane & 1) != 0; };
    for (u32 lane = 0; lane < lane_count; ++lane)
      is_upper(lane) ? find(lane, destination, source) : find(lane, source, destination);
    for (u32 lane = 0; lane < lane_count; ++lane)
      state_.write_lane(is_upper(lane) ? destination : source, lane, results[lane]);
  }

  Making making_;
  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const vector::Instruction& instruction_;
  const vector::InstructionInfo& row_ = vector::row(instruction_.insn);
  const TermId exec_ = state_.pair(code::exec);  ///< before the instruction
  std::array<Results, 2> results_{};             ///< the second element: results for the upper halves
};

using Handler = void (*)(LaneDomain&);

/// Null if a function does not compute with integers.
template <auto function>
constexpr Handler handler_of() {
  if constexpr (lanes::semantics::is_text<decltype(function)>)
    return lanes::LaneStep<LaneDomain>::execute<function>;
  else
    return nullptr;
}

constexpr std::array<Handler, vector::insn_count> handlers = {{
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) handler_of<&lanes::semantics::name>(),
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) nullptr,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
}};

NextStep LaneDomain::run(NextStep next) {
  std::optional<u32> lane;
  switch (row_.work) {
    case vector::LaneWork::no_effect:
      return next;
    case vector::LaneWork::swap:
      swap();
      return next;
    case vector::LaneWork::exchange:
      exchange({row_.exchange_distance});
      return next;
    case vector::LaneWork::write_lane:
    case vector::LaneWork::read_lane:
    case vector::LaneWork::read_first_lane:
      lane = row_.selects_lane() ? chosen_lane() : first_lane();
      if (!lane) return NextStep::give_up("a lane number that depends on the inputs");
      if (row_.work == vector::LaneWork::write_lane)
        state_.write_lane(instruction_.destination, *lane, source(0, *lane));
      else
        to_scalar(*lane);
      return next;
    case vector::LaneWork::each:
    case vector::LaneWork::relative:
      break;
  }
  const Handler handler = handlers[static_cast<std::size_t>(instruction_.insn)];
  if (handler == nullptr) return NextStep::give_up("a vector instruction on floats or on registers that M0 selects");
  handler(*this);
  return next;
}

}  // namespace

NextStep step_vector(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction) {
  NextStep next = NextStep::to(terms.constant(64, state.pc + u64{instruction.dwords} * 4));
  const std::optional<vector::Instruction> decoded = core::decode_allocated(wave, instruction.vector_words);
  if (!decoded) return NextStep::give_up("an unsupported vector instruction");
  const TermId mode = state.read(state_index::mode);
  constexpr u32 redirecting = 1U << mode_bit::vskip | 1U << mode_bit::gpr_idx_en;
  if (!terms.is_constant(mode) || (terms.value(mode) & redirecting) != 0)
    return NextStep::give_up("a vector instruction that MODE skips or redirects");
  if (vector::row(decoded->insn).is_memory()) return step_lane_memory(terms, state, wave, *decoded, std::move(next));
  return LaneDomain(terms, state, wave, *decoded).run(std::move(next));
}

}  // namespace salu::proof
