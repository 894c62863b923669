#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace salu::bench {

/// The initial values of the first SGPRs.
using Inputs = std::array<u32, 16>;

/// A program with equivalent C++ code, for timing both.
struct Workload {
  std::string_view name;
  std::string_view assembly;  ///< for gfx900
  Inputs inputs;
  u32 result;                      ///< SGPR of the result
  u32 (*native)(const Inputs& s);  ///< computes the same result from the same inputs
  bool yardstick;                  ///< uses only instructions that the yardstick supports
};

std::span<const Workload> workloads();

/// The memory of the workload with loads.
inline constexpr u32 data_address = 0x100000;
inline constexpr u32 data_bytes = 65536;
std::span<const u32> workload_data();
/// A memory with the data and the program's code.
Memory make_memory(const Program& program);

/// A block of code at 0x1000 for gfx900, entered at its first word.
Program make_program(std::vector<u32> words);
/// The same from text. Ends the process if the text has errors.
Program assemble_program(std::string_view assembly);

/// The initial state of the workload.
WaveState make_state(const Program& program, const Inputs& inputs);

}  // namespace salu::bench
