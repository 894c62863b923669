#include <salu/run.hpp>
#include <salu/scenario.hpp>

/// S0 after a run.
extern "C" unsigned int run_addition() {
  const auto loaded = salu::load_yaml(
      "target: gfx900\ncode: {asm: 's_add_u32 s0, s1, s2\n\n  s_endpgm'}\nregisters: {s1: 20, s2: 22}\n", "sum.yaml");
  if (loaded.size() != 1 || !loaded.front()) return 0;
  const salu::Scenario& scenario = *loaded.front();
  return salu::run(scenario.program, scenario.initial, scenario.memory, scenario.options).state.file[0];
}
