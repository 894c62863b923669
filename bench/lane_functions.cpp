#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "benchmarks.hpp"
#include "isa/table.hpp"
#include "lanes/role.hpp"
#include "lanes/width.hpp"

namespace salu::bench {
namespace {

/// So many that rows stay in the nearest cache, as those of most programs do.
constexpr std::size_t states = 512;

/// Rows that lie a power of two apart get into each other's way: what is stored looks like what is loaded next.
constexpr std::size_t padding = 32;
using Values = std::array<u32, states + padding>;

/// Rows for an instruction, with operands that no compiler knows.
struct alignas(64) Rows {
  std::array<Values, 2> ssrc0{};
  std::array<Values, 2> ssrc1{};
  std::array<Values, 2> sdst{};
  std::array<Values, 2> exec{};
  std::array<Values, 2> vcc{};
  Values scc{};
  Values mask{};
  Values leaves{};

  Rows() {
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same values every time
    for (auto* const pair : {&ssrc0, &ssrc1, &sdst, &exec, &vcc}) {
      for (Values& values : *pair) std::ranges::generate(values, [&] { return static_cast<u32>(random()); });
    }
    for (u32& value : scc) value = static_cast<u32>(random() & 1);
    mask.fill(~0U);
  }

  [[nodiscard]] lanes::Operands operands() {
    lanes::Operands result;
    for (std::size_t half = 0; half < 2; ++half) {
      result.ssrc0[half] = ssrc0[half].data();
      result.ssrc1[half] = ssrc1[half].data();
      result.sdst[half] = sdst[half].data();
      result.exec[half] = exec[half].data();
      result.vcc[half] = vcc[half].data();
    }
    result.scc = scc.data();
    result.mask = mask.data();
    result.leaves = leaves.data();
    result.next = 0x1004;
    result.simm16 = 0x13;
    return result;
  }

  bool operator==(const Rows&) const = default;
};

/// With registers for both sources, SCC written, and all states on.
lanes::Kernel kernel_of(lanes::Width width, isa::Insn insn) {
  return lanes::kernels_for(width).kernels[static_cast<std::size_t>(insn)].of[0][1][0];
}

void lane_function(benchmark::State& state, lanes::Width width, isa::Insn insn) {
  const lanes::Kernel kernel = kernel_of(width, insn);
  Rows rows;
  Rows expected = rows;
  kernel(rows.operands(), states);
  kernel_of(lanes::Width::baseline, insn)(expected.operands(), states);
  if (rows != expected) return fail(state, "not what the kernel of all processors comes to");
  const lanes::Operands operands = rows.operands();
  for ([[maybe_unused]] const auto round : state) {
    kernel(operands, states);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(states));
}

}  // namespace

void register_lane_functions() {
  for (const lanes::Width width : lanes::widths()) {
    for (std::size_t number = 0; number < isa::insn_count; ++number) {
      const auto insn = static_cast<isa::Insn>(number);
      if (lanes::role_of(insn) != lanes::Role::kernel) continue;
      const std::string name =
          "lane_functions/" + std::string(lanes::width_name(width)) + '/' + std::string(isa::info(insn).mnemonic);
      benchmark::RegisterBenchmark(name.c_str(), lane_function, width, insn);
    }
  }
}

}  // namespace salu::bench
