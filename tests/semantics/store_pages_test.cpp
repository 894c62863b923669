#include <gtest/gtest.h>
#include <salu/scenario.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine.hpp"

// Stores to changing pages, each in a different state with respect to direct writes and sharing with snapshots.
namespace salu::test {
namespace {

constexpr u64 data = 0x100000000;
constexpr u32 pages = 200;

/// Stores s4, s[4:5] and s[4:7] at pseudo-random addresses, through an address and through a buffer, and loads a dword.
constexpr std::string_view stores_yaml = R"(
target: gfx900
code:
  asm: |
    loop:
      s_mul_i32 s4, s4, 0x19660d
      s_add_u32 s4, s4, 0x3c6ef35f
      s_lshr_b32 s8, s4, 7
      s_and_b32 s9, s8, 0xbfffc
      s_store_dword s4, s[0:1], s9
      s_lshr_b32 s8, s4, 11
      s_and_b32 s9, s8, 0xbfff8
      s_buffer_store_dwordx2 s[4:5], s[12:15], s9
      s_lshr_b32 s8, s4, 5
      s_and_b32 s9, s8, 0xbfff0
      s_store_dwordx4 s[4:7], s[0:1], s9
      s_load_dword s5, s[0:1], s9 glc
      s_branch loop
registers: {"s[0:1]": 0x100000000, s4: 1, s5: 2, s6: 3, s7: 4, "s[12:13]": 0x100000000, s14: 0x1000000, s15: 0}
memory:
  - {at: 0x100000000, size: 0xc8000}
)";

/// The same in plain C++.
class Model {
 public:
  void turn() {
    s4_ = s4_ * 0x19660d + 0x3c6ef35f;
    dwords_[(s4_ >> 7 & 0xbfffc) / 4] = s4_;
    const u32 pair = (s4_ >> 11 & 0xbfff8) / 4;
    dwords_[pair] = s4_;
    dwords_[pair + 1] = s5_;
    const u32 four = (s4_ >> 5 & 0xbfff0) / 4;
    dwords_[four] = s4_;
    dwords_[four + 1] = s5_;
    dwords_[four + 2] = 3;
    dwords_[four + 3] = 4;
    s5_ = s4_;
  }
  [[nodiscard]] std::string difference(const Memory& memory) const {
    for (u32 i = 0; i < pages * Memory::page_bytes / 4; ++i) {
      if (memory.read_dword(data + u64{i} * 4) != dwords_[i]) return "dword " + std::to_string(i);
    }
    return {};
  }

 private:
  u32 s4_ = 1;
  u32 s5_ = 2;
  std::vector<u32> dwords_ = std::vector<u32>(pages * Memory::page_bytes / 4);
};

TEST(StorePages, AreWrittenAndSharedPagesAreNot) {
  constexpr u64 turn_steps = 13;
  const std::vector<Result<Scenario>> loaded = load_yaml(stores_yaml, "stores.yaml");
  ASSERT_TRUE(loaded.size() == 1 && loaded.front()) << loaded.front().error().to_string();
  const Scenario& scenario = *loaded.front();
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    core::Machine machine(scenario.program, dispatch);
    machine.set_memory(scenario.memory);
    machine.set_state(scenario.initial);
    std::vector<core::Machine::Snapshot> snapshots;
    std::vector<Model> models;
    Model model;
    std::mt19937 random(8);
    for (int i = 0; i < 40; ++i) {
      const u64 turns = 1 + random() % 200;
      machine.run(turns * turn_steps);
      for (u64 k = 0; k < turns; ++k) model.turn();
      ASSERT_EQ(model.difference(machine.memory_now()), "");
      if (i % 3 != 0) continue;
      snapshots.push_back(machine.snapshot());
      models.push_back(model);
    }
    EXPECT_FALSE(machine.stopped());
    // Snapshots are unchanged, and runs continued from them do not affect the others.
    for (std::size_t i = 0; i < snapshots.size(); ++i) ASSERT_EQ(models[i].difference(snapshots[i].memory), "");
    machine.restore(snapshots[2]);
    machine.run(500 * turn_steps);
    Model again = models[2];
    for (int k = 0; k < 500; ++k) again.turn();
    EXPECT_EQ(again.difference(machine.memory_now()), "");
    for (std::size_t i = 0; i < snapshots.size(); ++i) ASSERT_EQ(models[i].difference(snapshots[i].memory), "");
    EXPECT_TRUE(scenario.memory.nonzero_pages().size() <= 1);
  }
}

}  // namespace
}  // namespace salu::test
