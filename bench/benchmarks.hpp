#pragma once

#include <salu/run.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <string_view>

namespace salu::bench {

struct NamedDispatch {
  Dispatch dispatch;
  std::string_view name;
};
inline constexpr std::array<NamedDispatch, 2> dispatches = {
    {{Dispatch::switched, "switched"}, {Dispatch::direct_goto, "direct_goto"}}};

/// Ends a benchmark with a wrong result, and sets the exit code of the program to 1.
void fail(benchmark::State& state, const char* message);

/// Long runs: guest instructions per second, compared with native code and the yardstick.
void register_throughput();
/// Decoding and running a short program, from a state that has not been run before.
void register_fresh();
/// Words to instructions, to text and back.
void register_text();
/// The work of `salu test`: rows of a table, and small scenarios, compared with the YAML parser alone.
void register_suite();
/// Each semantic function over a row of states: states per second for each kind of processor.
void register_batch_functions();

}  // namespace salu::bench
