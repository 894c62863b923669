#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace salu::bench {

/// The first SGPRs, as a workload starts with them.
using Inputs = std::array<u32, 16>;

/// A program and C++ that computes the same, so that the two can be timed beside each other.
struct Workload {
  std::string_view name;
  std::string_view assembly;  ///< for gfx900
  Inputs inputs;
  u32 result;                      ///< SGPR that holds the result
  u32 (*native)(const Inputs& s);  ///< computes the same from the same inputs
  bool yardstick;                  ///< within the subset that the yardstick interpreter knows
};

std::span<const Workload> workloads();

/// What lies in memory, for the workload that loads.
inline constexpr u32 data_address = 0x100000;
inline constexpr u32 data_bytes = 65536;
std::span<const u32> workload_data();
/// A memory with the data and the program's code.
Memory make_memory(const Program& program);

/// A block of code at 0x1000 for gfx900, to be entered at its first word.
Program make_program(std::vector<u32> words);
/// The same from text. Ends the process when the text does not assemble.
Program assemble_program(std::string_view assembly);

/// The state in which the workload starts.
WaveState make_state(const Program& program, const Inputs& inputs);

}  // namespace salu::bench
