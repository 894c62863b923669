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

/// Ends a benchmark whose result is wrong, and makes the program's exit code 1.
void fail(benchmark::State& state, const char* message);

/// Long runs: guest instructions a second, beside native code and the yardstick.
void register_throughput();
/// Decoding a short program and running it, from a state that has not been run before.
void register_fresh();
/// Words to instructions, to text and back.
void register_text();
/// What `salu test` does: rows of a table, small scenarios beside the bare parser of their YAML.
void register_suite();
/// Each semantic function over a row of states: by kind of processor, states a second.
void register_batch_functions();

}  // namespace salu::bench
