#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <vector>

#include "property/random_programs.hpp"
#include "semantics/vector_cases.hpp"

/// Random programs in which lanes access all kinds of memory at overlapping addresses.
namespace salu::test::lane_programs {

/// A program with its initial state and memory.
struct LaneProgram {
  Program program;
  WaveState initial;
  Memory memory;
  std::vector<MemoryRegion> regions;  ///< data, private memory, shared memory
};

class LanePrograms {
 public:
  explicit LanePrograms(Generation generation, u64 seed) : generation_(generation), scalars_(seed), random_(seed) {}

  LaneProgram make();

  static constexpr u64 code_base = 0x1000;
  static constexpr u32 vectors = 40;  ///< most instructions use v0 to v39

 private:
  bool chance(u32 percent) { return random_() % 100 < percent; }
  u32 below(u32 limit) { return static_cast<u32>(random_() % limit); }

  void add_words(std::vector<u32>& words);
  void add_scalar(std::vector<u32>& words);
  void add_exec(std::vector<u32>& words);
  void add_branch(std::vector<u32>& words);
  bool add_alu(std::vector<u32>& words);
  bool add_memory(std::vector<u32>& words);
  u8 data_vector();
  void take_registers(isa::vector::Instruction& instruction);
  void fill_registers(WaveState& state);
  void fill_addresses(WaveState& state);
  u32 buffer_word3(bool adds_lane);

  Generation generation_;
  RandomRuns scalars_;
  Random random_;
  std::vector<u32> scalar_words_;
  std::size_t next_scalar_ = 0;
};

}  // namespace salu::test::lane_programs
