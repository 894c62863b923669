#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <sstream>

#include "core/machine.hpp"
#include "generation_names.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/tracker.hpp"
#include "observe/vector_accesses.hpp"
#include "repetitions.hpp"
#include "semantics/code.hpp"
#include "semantics/vector_cases.hpp"
#include "semantics/vector_reference_wave.hpp"

// The bits of a vector instruction's results that --check-undefined calls defined are the same for all values of the
// undefined bits of its operands: every instruction of the vector ALU on every generation and in every form.
namespace salu::test::undefined_lanes {
namespace {

namespace vec = isa::vector;
namespace undefined = observe::undefined;

constexpr u32 lanes = state_index::lanes;

/// A wave before one instruction, with its undefined bits.
class Trial {
 public:
  Trial(Generation generation, const vec::Instruction& instruction, const WaveState& before)
      : words_(encode_vector(generation, instruction)),
        program_(make_program(generation, words_)),
        before_(before),
        machine_(program_, Dispatch::best),
        state_(fully_defined(before), {}) {
    before_.pc = program_.entry;
    machine_.set_state(before_);
  }

  /// Makes bits of a source undefined, in some lanes if it is a vector register.
  void forget(const vec::Source& source, bool is_accumulator, Random& random) {
    if (source.is_vgpr() || is_accumulator) {
      const u32 number = is_accumulator ? VectorRegisters::vgprs + source.code : source.code - vec::first_vgpr;
      for (u32 lane = 0; lane < lanes; ++lane) {
        if (random() % 3 == 0) forget_lane(number, lane, random_bits(random));
      }
    } else if (source.code < code::vcc) {
      forget_scalar(source.code, random_bits(random));
    }
  }
  void forget_lane(u32 number, u32 lane, u32 bits) {
    if (bits == 0 || number >= VectorRegisters::count) return;
    const u32 index = state_index::vgprs + number * lanes + lane;
    flips_[index] |= bits;
    state_.shadow.own_lanes(machine_.vectors(), number).set(lane, {flips_[index], origin(index)});
  }
  void forget_scalar(u32 index, u32 bits) {
    if (bits == 0) return;
    flips_[index] |= bits;
    state_.shadow.set_scalar(index, {flips_[index], origin(index)});
  }

  /// Tracks the instruction; false if it causes a warning.
  bool follow() {
    const observe::KnownInstruction known(machine_, machine_.pc(), words_);
    observe::Accesses accesses;
    observe::find_accesses(machine_, *known.vector(), accesses);
    undefined::advance(state_, machine_, {machine_.pc(), known, accesses, true});
    machine_.run_exactly(1);
    return machine_.warnings().empty();
  }
  /// The bits that are called defined after the instruction although flips change them; nothing if none exist.
  std::string difference_after_flip(Random& random, bool all) {
    WaveState other = before_;
    for (const auto& [index, bits] : flips_) {
      const u32 flipped = all ? bits : bits & static_cast<u32>(random());
      if (state_index::is_lane(index)) {
        const u32 number = state_index::vector_of(index);
        const u32 lane = state_index::lane_of(index);
        other.vectors.write(number, lane, other.vectors.lanes(number)[lane] ^ flipped);
      } else {
        other.file[index] ^= flipped;
      }
    }
    core::Machine machine(program_, Dispatch::best);
    machine.set_state(other);
    machine.run_exactly(1);
    const WaveState expected = machine_.state();
    const WaveState actual = machine.state();
    std::ostringstream text;
    text << std::hex;
    for (u32 index = 0; index < code::count; ++index) {
      const u64 differs = (expected.file[index] ^ actual.file[index]) & ~state_.shadow.scalar(index).bits;
      if (differs != 0) text << "  scalar register " << index << ": 0x" << differs << "\n";
    }
    for (u32 number = 0; number < VectorRegisters::count; ++number) {
      if (&expected.vectors.lanes(number) == &actual.vectors.lanes(number)) continue;
      for (u32 lane = 0; lane < lanes; ++lane) {
        const u32 differs = expected.vectors.lanes(number)[lane] ^ actual.vectors.lanes(number)[lane];
        const u64 wrong = differs & ~state_.shadow.lanes(machine_.vectors(), number)[lane].bits;
        if (wrong != 0) text << "  lane " << lane << " of vector register " << number << ": 0x" << wrong << "\n";
      }
    }
    return text.str();
  }
  /// The undefined bits that differ between the shadow and the results of lanes with equal values except for flips.
  std::string difference_from_lanes(const vec::Instruction& instruction) {
    const vec::Shape& shape = vec::info(instruction.insn).shape;
    const WaveState after = machine_.state();
    std::ostringstream text;
    text << std::hex;
    for (u32 k = 0; shape.destination.is_there() && k < shape.destination.dwords(); ++k) {
      const u32 number = instruction.destination + k;
      const VectorRegisters::Lanes& values = after.vectors.lanes(number);
      u32 changes = 0;
      for (const u32 value : values) changes |= value ^ values[0];
      u32 lane = 0;
      const auto said = [&] { return state_.shadow.lanes(machine_.vectors(), number)[lane].bits; };
      while (lane < lanes && said() == changes) ++lane;
      if (lane < lanes) text << "  lane " << lane << " +" << k << ": 0x" << said() << " for 0x" << changes << "\n";
    }
    if (shape.writes_mask) {
      const u64 mask = after.read64(instruction.mask_destination);
      const u64 said = state_.shadow.scalars(instruction.mask_destination, 2).bits;
      const u64 changes = mask == 0 || ~mask == 0 ? 0 : ~u64{0};
      if (said != changes) text << "  mask: 0x" << said << " for 0x" << changes << "\n";
    }
    return text.str();
  }
  [[nodiscard]] const std::vector<u32>& words() const { return words_; }

 private:
  static Program make_program(Generation generation, const std::vector<u32>& words) {
    Code code(generation);
    for (const u32 word : words) code.word(word);
    code.end();
    return program_of({&code});
  }
  static WaveState fully_defined(WaveState state) {
    state.defined.set();
    return state;
  }
  static u32 random_bits(Random& random) {
    switch (random() % 4) {
      case 0:
        return ~u32{0};
      case 1:
        return u32{1} << random() % 32;
      case 2:
        return 0xffff0000;
      default:
        return static_cast<u32>(random() & random());
    }
  }
  undefined::OriginId origin(u32 index) { return state_.origins.begin(undefined::Origin::Kind::given, 0, {index}, 0); }

  std::vector<u32> words_;
  Program program_;
  WaveState before_;
  core::Machine machine_;
  undefined::State state_;
  std::map<u32, u32> flips_;  ///< undefined bits by index of the state
};

/// True if the registers of an operand overlap those of another operand or of the destination.
bool is_used_twice(const vec::Instruction& instruction, std::size_t chosen) {
  const auto overlaps = [&](u32 number) {
    return number + 1 - (instruction.sources[chosen].code - vec::first_vgpr) < 3;
  };
  bool result = overlaps(instruction.destination);
  for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
    const vec::Source& other = instruction.sources[i];
    result |= i != chosen && other.is_vgpr() && overlaps(other.code - vec::first_vgpr);
  }
  return result;
}

/// Distributes the bits of a number to the positions in a mask.
u64 spread(u32 number, u64 mask) {
  u64 result = 0;
  for (; mask != 0; mask &= mask - 1, number >>= 1) {
    if ((number & 1) != 0) result |= mask & (0 - mask);
  }
  return result;
}

class UndefinedLanes : public testing::TestWithParam<Generation> {};

TEST_P(UndefinedLanes, FlipsChangeNothingThatIsCalledDefined) {
  const Generation generation = GetParam();
  Random state_random(11);
  WaveState before = random_wave(generation, state_random);
  for (u32 number = 0; number < VectorRegisters::count; ++number) {
    for (u32 lane = 0; lane < lanes; ++lane) before.vectors.write(number, lane, before.vectors.lanes(number)[lane]);
  }
  u64 followed = 0;
  for (const vec::Insn insn : all_vector_insns()) {
    Random random(static_cast<u64>(insn));
    for (const vec::Form form : vector_forms(generation, insn)) {
      for (int i = 0; i < repetitions(8); ++i) {
        const vec::Instruction instruction = random_vector_instruction(generation, insn, form, random);
        before.write64(code::exec, random_mask(random));
        before.write64(code::vcc, random_mask(random));
        before.mode &= ~(1U << mode_bit::gpr_idx_en | 1U << mode_bit::vskip);
        before.file[code::m0] = static_cast<u32>(random() % 8);
        Trial trial(generation, instruction, before);
        const vec::InstructionInfo& row = vec::info(insn);
        for (std::size_t k = 0; k < row.shape.source_count(); ++k) {
          const bool is_accumulator = row.shape.sources[k].kind == vec::OperandKind::agpr;
          if (random() % 2 == 0) trial.forget(instruction.sources[k], is_accumulator, random);
        }
        if (row.shape.reads_mask && random() % 2 == 0)
          trial.forget_scalar(instruction.mask_source, static_cast<u32>(random() & random()));
        if (row.shape.destination.kind == vec::OperandKind::vgpr && random() % 2 == 0)
          trial.forget_lane(instruction.destination, static_cast<u32>(random() % lanes), ~u32{0});
        if (!trial.follow()) continue;
        ++followed;
        for (int flip = 0; flip < 3; ++flip) {
          const std::string difference = trial.difference_after_flip(random, flip == 0);
          if (difference.empty()) continue;
          std::ostringstream words;
          for (const u32 word : trial.words()) words << std::hex << " 0x" << word;
          FAIL() << row.name(generation) << " of " << generation_name(generation) << words.str() << "\n" << difference;
        }
      }
    }
  }
  EXPECT_GT(followed, 60U * repetitions(8));
}

/// Instructions for which a bit is called undefined only if a flip of one operand's bits changes it. Others are less
/// exact: products, saturating instructions, and instructions that use an operand twice.
bool is_exact(std::string_view name) {
  static const std::vector<std::string_view> logic = {
      "v_mov_b32",      "v_mov_b64",       "v_not_b32",    "v_and_b32",    "v_or_b32",      "v_xor_b32",
      "v_xnor_b32",     "v_or3_b32",       "v_and_or_b32", "v_bfrev_b32",  "v_cndmask_b32", "v_pk_mov_b32",
      "v_alignbit_b32", "v_alignbyte_b32", "v_bitop3_b32", "v_bitop3_b16", "v_prng_b32"};
  static const std::vector<std::string_view> beginnings = {
      "v_lshl_b",  "v_lshr_b",  "v_ashr_i",  "v_lshlrev_", "v_lshrrev_",  "v_ashrrev_", "v_cmp_",
      "v_cmpx_",   "v_pk_lshl", "v_pk_lshr", "v_pk_ashr",  "v_add_",      "v_sub_",     "v_subrev_",
      "v_pk_add_", "v_pk_sub_", "v_addc_co", "v_subb_co",  "v_subbrev_co"};
  if (name.ends_with("_f16") || name.ends_with("_f32") || name.ends_with("_f64")) return false;
  return std::ranges::find(logic, name) != logic.end() ||
         std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// All 64 flips of six bits of one operand at once, one per lane.
TEST_P(UndefinedLanes, NothingElseIsCalledUndefinedOfSumsShiftsAndLogic) {
  const Generation generation = GetParam();
  Random state_random(12);
  WaveState before = random_wave(generation, state_random);
  before.write64(code::exec, ~u64{0});
  before.mode &= ~(1U << mode_bit::gpr_idx_en | 1U << mode_bit::vskip);
  u64 compared = 0;
  for (const vec::Insn insn : all_vector_insns()) {
    const vec::InstructionInfo& row = vec::info(insn);
    const auto name = row.name(generation);
    if (!is_exact(vec::info(insn).names[2])) continue;
    Random random(static_cast<u64>(insn));
    for (const vec::Form form : vector_forms(generation, insn)) {
      for (int i = 0; i < repetitions(12); ++i) {
        vec::Instruction instruction = random_vector_instruction(generation, insn, form, random);
        instruction.clamp = false;
        // A permutation of all lanes keeps the set of flips.
        if (form == vec::Form::dpp) {
          if (row.shape.sources[0].bits == 64) continue;
          instruction.dpp = {};
          instruction.dpp.control = static_cast<u16>(i % 2 == 0 ? 0x1b : 0x121 + random() % 15);
        }
        const auto chosen = static_cast<std::size_t>(random() % row.shape.source_count());
        const vec::Source& source = instruction.sources[chosen];
        const u32 dwords = row.shape.sources[chosen].dwords();
        // Copies of an undefined sign bit count as independent.
        if (!source.is_vgpr() || source.sign_extend || is_used_twice(instruction, chosen)) continue;
        for (u32 number = 0; number < VectorRegisters::vgprs; ++number) {
          const u32 value = random_dword(random);
          for (u32 lane = 0; lane < lanes; ++lane) before.vectors.write(number, lane, value);
        }
        before.write64(code::vcc, random() % 2 == 0 ? 0 : ~u64{0});
        if (row.shape.reads_mask && instruction.mask_source < code::vcc)
          before.write64(instruction.mask_source, random() % 2 == 0 ? 0 : ~u64{0});
        u64 mask = 0;
        while (std::popcount(mask) != 6) mask |= u64{1} << random() % (32 * dwords);
        const u32 first = source.code - vec::first_vgpr;
        for (u32 lane = 0; lane < lanes; ++lane) {
          const u64 flips = spread(lane, mask);
          for (u32 k = 0; k < dwords; ++k)
            before.vectors.write(first + k, lane,
                                 before.vectors.lanes(first + k)[lane] ^ static_cast<u32>(flips >> (32 * k)));
        }
        Trial trial(generation, instruction, before);
        for (u32 lane = 0; lane < lanes; ++lane) {
          for (u32 k = 0; k < dwords; ++k) trial.forget_lane(first + k, lane, static_cast<u32>(mask >> (32 * k)));
        }
        if (!trial.follow()) continue;
        ++compared;
        const std::string difference = trial.difference_from_lanes(instruction);
        ASSERT_EQ(difference, "") << name << " of " << generation_name(generation) << ", form "
                                  << static_cast<int>(form) << ", source " << chosen << ", bits 0x" << std::hex << mask;
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

INSTANTIATE_TEST_SUITE_P(Generations, UndefinedLanes,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test::undefined_lanes
