#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>
#include <set>

#include "generation_names.hpp"
#include "observe/accesses.hpp"
#include "property/random_programs.hpp"

// observe::find_accesses lists the reads and writes of the next instruction. In random programs, step by step: nothing
// else changes, and nothing else matters.
namespace salu::test {
namespace {

using observe::Accesses;

constexpr u64 most_effects = 60;

/// The dwords of the state in a list of locations.
using Places = std::bitset<state_index::scalar_count>;

Places places_of(const std::vector<Location>& locations) {
  Places places;
  for (const Location& location : locations) {
    if (location.is_memory()) continue;  // see undeclared_stores
    for (u32 i = 0; i < location.dwords; ++i) places.set(location.index + i);
  }
  return places;
}

/// Names of locations that changed between two states and are not among the places.
std::string undeclared_changes(const WaveState& before, const WaveState& after, const Places& declared) {
  std::string text;
  const auto check = [&](bool changed, bool allowed, const std::string& name) {
    if (changed && !allowed) text += name + ' ';
  };
  for (u32 i = 0; i < code::count; ++i) {
    check(before.file[i] != after.file[i], declared[i], "code " + std::to_string(i));
  }
  const u64 tba_change = before.tba ^ after.tba;
  const u64 tma_change = before.tma ^ after.tma;
  check(static_cast<u32>(tba_change) != 0, declared[state_index::tba], "tba_lo");
  check(tba_change >> 32 != 0, declared[state_index::tba + 1], "tba_hi");
  check(static_cast<u32>(tma_change) != 0, declared[state_index::tma], "tma_lo");
  check(tma_change >> 32 != 0, declared[state_index::tma + 1], "tma_hi");
  check(before.scc != after.scc, declared[state_index::scc], "scc");
  check(before.mode != after.mode, declared[state_index::mode], "mode");
  check(before.status != after.status, declared[state_index::status], "status");
  for (u32 i = 0; i < 64; ++i) {
    check(before.hwregs[i] != after.hwregs[i], declared[state_index::hwregs + i], "hwreg " + std::to_string(i));
  }
  check(before.sgprs != after.sgprs, false, "sgprs");
  return text;
}

/// Addresses of changed dwords that are not in a declared piece of memory.
std::string undeclared_stores(Generation generation, const Memory& before, const Memory& after,
                              const std::vector<Location>& writes) {
  std::set<u64> declared;
  for (const Location& location : writes) {
    if (!location.is_memory()) continue;
    for (u64 i = 0; i < location.dwords; ++i) declared.insert((location.address + 4 * i) & pc_mask(generation));
  }
  std::string text;
  for (const u64 page : Memory::differing_pages(before, after)) {
    for (u64 address = page; address < page + Memory::page_bytes; address += 4) {
      const bool changed = before.read_dword(address) != after.read_dword(address);
      if (changed && !declared.contains(address)) text += "memory " + std::to_string(address) + ' ';
    }
  }
  return text;
}

/// True if an address is in one of these pieces of memory.
bool is_touched(const std::vector<Location>& locations, u64 address) {
  return std::ranges::any_of(locations, [address](const Location& location) {
    return location.is_memory() && address - location.address < 4 * u64{location.dwords};
  });
}

/// Names of locations that became defined although they are not declared as written.
std::string undeclared_definitions(const WaveState& before, const WaveState& after,
                                   const std::vector<Location>& writes) {
  std::bitset<state_index::defined_count> allowed = before.defined;
  for (const Location& location : writes) {
    for (const u32 index : observe::defined_indices(location)) allowed.set(index);
  }
  allowed.set(code::exec).set(code::exec + 1);
  const auto extra = after.defined & ~allowed;
  return extra.any() ? extra.to_string() : "";
}

bool may_jump(const isa::Instruction& instruction) {
  return instruction.encoding == isa::EncodingClass::scalar && isa::info(instruction.insn).writes_any(isa::effect::pc);
}

class Effects : public testing::TestWithParam<Generation> {};

TEST_P(Effects, AreAllDeclared) {
  RandomRuns runs(0x1234 + static_cast<u64>(GetParam()));
  u64 instructions = 0;
  for (int i = 0; i < 500; ++i) {
    const RandomRun random_run = runs.make(GetParam());
    core::Machine machine(random_run.program);
    machine.set_on_vector(random_run.on_vector);
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    for (u64 step = 0; step < most_effects; ++step) {
      const auto instruction = machine.code().instruction_at(machine.pc());
      if (!instruction) break;
      const std::string text = machine.code().text_at(machine.pc());
      const Accesses accesses = observe::find_accesses(machine, *instruction);
      const WaveState before = machine.state();
      const Memory memory_before = machine.memory();
      const u64 traps = machine.traps_entered();
      if (machine.run_exactly(1) == 0) break;
      // The entry into the trap handler after an instruction is not an access of the instruction.
      if (machine.traps_entered() != traps) break;
      ++instructions;
      const WaveState after = machine.state();
      const Memory memory = machine.memory();
      ASSERT_EQ(undeclared_stores(GetParam(), memory_before, memory, accesses.writes), "") << text;
      const Places declared = places_of(accesses.writes);
      ASSERT_EQ(undeclared_changes(before, after, declared), "") << text;
      ASSERT_EQ(undeclared_definitions(before, after, accesses.writes), "") << text;
      if (!may_jump(*instruction) && !machine.stopped()) {
        ASSERT_EQ(after.pc, before.pc + 4 * u64{instruction->dwords}) << text;
      }
      if (machine.stopped() && is_fault(machine.stop().reason) && machine.stop().pc == before.pc) {
        ASSERT_EQ(undeclared_changes(before, after, {}), "") << text;
        ASSERT_TRUE(memory_before == memory) << text;
      }
      if (machine.stopped()) break;
    }
  }
  EXPECT_GT(instructions, 3000U);
}

/// Flips a register that is not declared as read or written, repeats the step, and expects the same result.
TEST_P(Effects, DoNotDependOnUndeclaredReads) {
  RandomRuns runs(0x4321 + static_cast<u64>(GetParam()));
  std::mt19937_64 random(77);
  u64 instructions = 0;
  for (int i = 0; i < 300; ++i) {
    const RandomRun random_run = runs.make(GetParam());
    core::Machine machine(random_run.program);
    core::Machine other(random_run.program);
    for (core::Machine* each : {&machine, &other}) {
      each->set_on_vector(random_run.on_vector);
      each->set_clock({5, 7, 0});  // the clock of the other machine restarts with every step
    }
    machine.set_memory(random_run.memory);
    machine.set_state(random_run.initial);
    for (u64 step = 0; step < most_effects / 2 && !machine.stopped(); ++step) {
      const auto instruction = machine.code().instruction_at(machine.pc());
      if (!instruction) break;
      const std::string text = machine.code().text_at(machine.pc());
      const Accesses accesses = observe::find_accesses(machine, *instruction);
      const Places written = places_of(accesses.writes);
      Places touched = places_of(accesses.reads);
      for (u32 index = 0; index < code::count; ++index) touched[index] = touched[index] || written[index];
      // STATUS includes EXECZ and VCCZ.
      if (touched[state_index::status]) {
        for (const u32 index : {code::vcc, code::vcc + 1, code::exec, code::exec + 1}) touched.set(index);
      }
      WaveState changed = machine.state();
      u32 flipped = 0;
      do {
        flipped = static_cast<u32>(random() % code::count);
      } while (touched[flipped] || flipped == code::m0 + 1 ||
               (!is_gfx9(GetParam()) && flipped >= code::tba && flipped < code::tma + 2));
      changed.file[flipped] ^= static_cast<u32>(random());
      if (!touched[state_index::scc]) changed.scc = !changed.scc;
      const bool scc_is_noise = !touched[state_index::scc] && !written[state_index::scc];
      // The code is always read, so it is not changed.
      Memory other_memory = machine.memory();
      const u64 flipped_address = 0x20000 + random() % 0x800 * 4;
      const bool flips_memory = other_memory.is_mapped(flipped_address, 4) &&
                                !is_touched(accesses.reads, flipped_address) &&
                                !is_touched(accesses.writes, flipped_address);
      if (flips_memory) other_memory.write_dword(flipped_address, ~other_memory.read_dword(flipped_address));
      other.set_memory(other_memory);
      other.set_state(changed);
      const u64 executed = machine.run_exactly(1);
      ASSERT_EQ(other.run_exactly(1), executed) << text;
      if (executed == 0) break;  // halted
      ++instructions;
      ASSERT_EQ(machine.stopped(), other.stopped()) << text;
      WaveState result = other.state();
      const WaveState expected = machine.state();
      result.file[flipped] = expected.file[flipped];
      if (scc_is_noise) result.scc = expected.scc;
      result.defined = expected.defined;
      ASSERT_TRUE(result == expected) << text << " depends on code " << flipped << " or on SCC or on memory";
      Memory result_memory = other.memory();
      const Memory expected_memory = machine.memory();
      if (flips_memory) result_memory.write_dword(flipped_address, expected_memory.read_dword(flipped_address));
      ASSERT_TRUE(result_memory == expected_memory) << text;
    }
  }
  EXPECT_GT(instructions, 2000U);
}

INSTANTIATE_TEST_SUITE_P(Generations, Effects, testing::ValuesIn(all_generations().begin(), all_generations().end()),
                         test_name);

}  // namespace
}  // namespace salu::test
