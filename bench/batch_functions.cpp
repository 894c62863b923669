#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "batch/role.hpp"
#include "batch/width.hpp"
#include "benchmarks.hpp"
#include "isa/table.hpp"

namespace salu::bench {
namespace {

/// Small enough that rows stay in the first-level cache, as those of most programs do.
constexpr std::size_t states = 512;

/// Padding between rows. Rows at distances of a power of two conflict: a load looks as if it depended on a recent
/// store.
constexpr std::size_t padding = 32;
using Values = std::array<u32, states + padding>;

/// Rows for an instruction, with operands that are unknown to the compiler.
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

  [[nodiscard]] batch::Operands operands() {
    batch::Operands result;
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

/// The loop with registers for both sources, with SCC, and without a mask.
batch::RowLoop loop_of(batch::Width width, isa::Insn insn) {
  return batch::loops_for(width).loops[static_cast<std::size_t>(insn)].of[0][1][0];
}

void batch_function(benchmark::State& state, batch::Width width, isa::Insn insn) {
  const batch::RowLoop row_loop = loop_of(width, insn);
  Rows rows;
  Rows expected = rows;
  row_loop(rows.operands(), states);
  loop_of(batch::Width::baseline, insn)(expected.operands(), states);
  if (rows != expected) return fail(state, "the result differs from that of the baseline row loop");
  const batch::Operands operands = rows.operands();
  for ([[maybe_unused]] const auto round : state) {
    row_loop(operands, states);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<i64>(states));
}

}  // namespace

void register_batch_functions() {
  for (const batch::Width width : batch::widths()) {
    for (std::size_t number = 0; number < isa::insn_count; ++number) {
      const auto insn = static_cast<isa::Insn>(number);
      if (batch::role_of(insn) != batch::Role::row_loop) continue;
      const std::string name =
          "batch_functions/" + std::string(batch::width_name(width)) + '/' + std::string(isa::info(insn).mnemonic);
      benchmark::RegisterBenchmark(name.c_str(), batch_function, width, insn);
    }
  }
}

}  // namespace salu::bench
