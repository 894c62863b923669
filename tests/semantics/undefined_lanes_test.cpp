#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "core/machine.hpp"
#include "observe/known_instruction.hpp"
#include "observe/undefined/tracker.hpp"
#include "observe/vector_accesses.hpp"
#include "repetitions.hpp"
#include "semantics/code.hpp"
#include "semantics/vector_cases.hpp"
#include "semantics/vector_reference_wave.hpp"

// What --check-undefined calls defined of the results of a vector instruction is the same whatever the undefined bits
// of its operands are: every instruction of the vector ALU on every generation and in every form.
namespace salu::test::undefined_lanes {
namespace {

namespace vec = isa::vector;
namespace undefined = observe::undefined;

constexpr u32 lanes = state_index::lanes;

/// A wave in front of one instruction, and what of it is undefined.
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

  /// Makes bits of a source undefined, in some lanes where it is a vector register.
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
    state_.shadow.set_lane(machine_.vectors(), number, lane, {flips_[index], origin(index)});
  }
  void forget_scalar(u32 index, u32 bits) {
    if (bits == 0) return;
    flips_[index] |= bits;
    state_.shadow.set_scalar(index, {flips_[index], origin(index)});
  }

  /// Follows the instruction; false where that has to warn.
  bool follow() {
    const observe::KnownInstruction known(machine_, machine_.pc(), words_);
    observe::Accesses accesses;
    observe::find_accesses(machine_, *known.vector(), accesses);
    undefined::advance(state_, machine_, {machine_.pc(), known, accesses, true});
    machine_.run_exactly(1);
    return machine_.warnings().empty();
  }
  /// The bits of the state behind the instruction that flips change and that are called defined; nothing when all is
  /// well.
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
        const u64 wrong = differs & ~state_.shadow.lane(machine_.vectors(), number, lane).bits;
        if (wrong != 0) text << "  lane " << lane << " of vector register " << number << ": 0x" << wrong << "\n";
      }
    }
    return text.str();
  }
  [[nodiscard]] u64 undefined_bits_of(u32 number, u32 lane) const {
    return state_.shadow.lane(machine_.vectors(), number, lane).bits;
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
  std::map<u32, u32> flips_;  ///< undefined bits by index of state
};

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
  EXPECT_GT(followed, 500U);
}

INSTANTIATE_TEST_SUITE_P(Generations, UndefinedLanes,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         [](const auto& generation) {
                           std::string name(generation_name(generation.param));
                           std::erase(name, '.');
                           return name;
                         });

}  // namespace
}  // namespace salu::test::undefined_lanes
