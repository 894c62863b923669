#include <gtest/gtest.h>

#include <random>

#include "generation_names.hpp"
#include "isa/vector/table.hpp"
#include "observe/static_accesses.hpp"
#include "observe/vector_accesses.hpp"
#include "property/random_programs.hpp"
#include "repetitions.hpp"

// Static accesses include the accesses in each state, and the registers that an instruction always writes are written.
// The reference is `observe::find_accesses`, which depends on the state; other tests compare it with the machine.
namespace salu::test {
namespace {

using observe::Accesses;
using observe::StaticAccesses;
using observe::WaveRegisters;

WaveRegisters registers_of(const std::vector<Location>& places, const std::vector<Accesses::Lanes>& vectors) {
  WaveRegisters registers;
  for (const Location& place : places) {
    for (u32 i = 0; !place.is_memory() && i < place.dwords; ++i) {
      // The program counter is not a register that code can find changed.
      if (place.index + i < state_index::scalar_count) registers.scalars.set(place.index + i);
    }
  }
  for (const Accesses::Lanes& vector : vectors) registers.vectors.set(vector.number);
  return registers;
}

bool touches_memory(const std::vector<Location>& places) {
  return std::ranges::any_of(places, [](const Location& place) { return place.is_memory(); });
}

bool is_within(WaveRegisters inner, const WaveRegisters& outer) { return inner.remove(outer) == WaveRegisters(); }

std::string names(Generation generation, WaveRegisters registers, const WaveRegisters& without) {
  registers.remove(without);
  std::string text;
  for (u32 i = 0; i < state_index::scalar_count; ++i) {
    if (registers.scalars.test(i)) text += observe::location_name(generation, {i}) + ' ';
  }
  for (u32 i = 0; i < VectorRegisters::count; ++i) {
    if (registers.vectors.test(i)) text += 'v' + std::to_string(i) + ' ';
  }
  return text;
}

void expect_covered(Generation generation, const StaticAccesses& allowed, const Accesses& made) {
  const WaveRegisters reads = registers_of(made.reads, made.vectors_read);
  const WaveRegisters writes = registers_of(made.writes, made.vectors_written);
  EXPECT_TRUE(is_within(reads, allowed.reads)) << "reads " << names(generation, reads, allowed.reads);
  EXPECT_TRUE(is_within(writes, allowed.writes)) << "writes " << names(generation, writes, allowed.writes);
  EXPECT_TRUE(allowed.reads_memory || !touches_memory(made.reads));
  EXPECT_TRUE(allowed.writes_memory || !touches_memory(made.writes));
}

class StaticAccessesOf : public testing::TestWithParam<Generation> {};

TEST_P(StaticAccessesOf, ScalarInstructionsCoverThoseOfEachStep) {
  RandomRuns runs(0x5a5a + static_cast<u64>(GetParam()));
  u64 instructions = 0;
  for (int i = 0; i < repetitions(300); ++i) {
    const RandomRun random_run = runs.make(GetParam());
    core::Machine machine(random_run.program);
    machine.set_on_vector(random_run.on_vector);
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    const observe::StaticContext context{GetParam(), random_run.initial.sgprs, 256, 256, true, true};
    for (int step = 0; step < 60 && !machine.stopped(); ++step) {
      const auto instruction = machine.code().instruction_at(machine.pc());
      if (!instruction) break;
      const StaticAccesses allowed = observe::static_accesses(context, *instruction);
      const Accesses made = observe::find_accesses(machine, *instruction);
      SCOPED_TRACE(machine.code().text_at(machine.pc()));
      expect_covered(GetParam(), allowed, made);
      if (machine.run_exactly(1) == 0) break;
      const bool has_faulted = machine.stopped() && is_fault(machine.stop().reason);
      const WaveRegisters writes = registers_of(made.writes, {});
      EXPECT_TRUE(has_faulted || is_within(allowed.always, writes))
          << "always writes " << names(GetParam(), allowed.always, writes);
      ASSERT_FALSE(HasFailure());
      ++instructions;
    }
  }
  EXPECT_GT(instructions, 500U);
}

TEST_P(StaticAccessesOf, VectorInstructionsCoverThoseOfEachState) {
  std::mt19937_64 random(0xace + static_cast<u64>(GetParam()));
  const auto word = [&random] { return static_cast<u32>(random()); };
  RandomRuns runs(77);
  u64 instructions = 0;
  for (int i = 0; i < repetitions(60'000); ++i) {
    std::array<u32, 3> words = {word(), word(), word()};
    const auto instruction = isa::vector::decode(GetParam(), words);
    // Loads to LDS, and accesses to GDS, stop the run.
    if (!instruction || instruction->memory.gds) continue;
    RandomRun random_run = runs.make(GetParam());
    random_run.initial.mode &= ~(1U << mode_bit::vskip);
    const bool moves = (random_run.initial.mode >> mode_bit::gpr_idx_en & 1) != 0;
    if (random() % 4 != 0) random_run.initial.write64(code::exec, ~u64{0});
    const bool has_all_lanes = random_run.initial.exec() == ~u64{0};
    core::Machine machine(random_run.program);
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    const observe::StaticContext context{
        GetParam(), random_run.initial.sgprs, random_run.initial.vgprs, random_run.initial.agprs, moves, false};
    const StaticAccesses allowed = observe::static_accesses(context, *instruction);
    Accesses made;
    observe::find_accesses(machine, *instruction, made);
    SCOPED_TRACE(std::string(isa::vector::info(instruction->insn).name(GetParam())));
    expect_covered(GetParam(), allowed, made);
    const WaveRegisters writes = registers_of(made.writes, made.vectors_written);
    WaveRegisters always = allowed.always;
    if (!has_all_lanes) always.vectors.reset();
    EXPECT_TRUE(is_within(always, writes)) << "always writes " << names(GetParam(), always, writes);
    ASSERT_FALSE(HasFailure());
    ++instructions;
  }
  EXPECT_GT(instructions, static_cast<u64>(repetitions(1000)));
}

TEST(StaticAccessesOfVectors, GprIndexModeDoesNotMoveAccumulationRegisters) {
  isa::vector::Instruction instruction;
  instruction.insn = isa::vector::Insn::v_accvgpr_write_b32;
  instruction.destination = 3;
  instruction.sources[0].code = isa::vector::first_vgpr + 5;
  const observe::StaticContext context{.generation = Generation::cdna1, .moves_vectors = true, .skips_vectors = false};
  const WaveRegisters writes = observe::static_accesses(context, instruction).writes;
  EXPECT_EQ(writes.vectors.count(), 1U);
  EXPECT_TRUE(writes.vectors.test(VectorRegisters::vgprs + 3));
}

INSTANTIATE_TEST_SUITE_P(Generations, StaticAccessesOf,
                         testing::ValuesIn(all_generations().begin(), all_generations().end()), test_name);

}  // namespace
}  // namespace salu::test
