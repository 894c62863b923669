#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/machine.hpp"
#include "observe/observed_run.hpp"
#include "semantics/code.hpp"

// Each observer of a run is shown the instructions that it wants, and no others.
namespace salu::test {
namespace {

using observe::ObservedStep;
using testing::ElementsAre;

/// Wants some addresses, and records the instructions that it is shown.
class Onlooker : public observe::Observer {
 public:
  Onlooker(const core::Machine& machine, std::set<u64> addresses)
      : machine_(machine), addresses_(std::move(addresses)) {}

  bool wants(u64 address, const observe::KnownInstruction& /*known*/) override { return addresses_.contains(address); }
  void before(ObservedStep& step) override {
    places.push_back(step.pc);
    s4_before.push_back(machine_.wave().slots[4]);
  }
  void after(ObservedStep& step) override {
    executed += step.executed;
    s4_after.push_back(machine_.wave().slots[4]);
  }
  void want_all(bool all) { interest_.all = all; }
  void want(std::set<u64> addresses) {
    addresses_ = std::move(addresses);
    ++interest_.version;
  }

  std::vector<u64> places;
  std::vector<u32> s4_before;
  std::vector<u32> s4_after;
  u64 executed = 0;

 private:
  const core::Machine& machine_;
  std::set<u64> addresses_;
};

class ObserversTest : public testing::Test {
 protected:
  ObserversTest() {
    code_.sop1("s_mov_b32", s(4), number(0));
    loop_ = code_.here();
    code_.sop2("s_add_u32", s(4), s(4), number(1));
    compare_ = code_.here();
    code_.sopc("s_cmp_lt_u32", s(4), number(3));
    branch_ = code_.here();
    code_.sopp("s_cbranch_scc1", -3).end();
    program_ = program_of({&code_});
    Memory memory;
    EXPECT_TRUE(place_code(program_, memory));
    machine_ = std::make_unique<core::Machine>(program_);
    machine_->set_memory(memory);
    WaveState state = initial_state(Generation::gcn1_4);
    state.pc = code_.base();
    machine_->set_state(state);
  }

  Onlooker& add(std::set<u64> addresses) {
    observers_.push_back(std::make_unique<Onlooker>(*machine_, std::move(addresses)));
    return static_cast<Onlooker&>(*observers_.back());
  }
  void run(u64 max_steps = 100) {
    if (!run_) run_ = std::make_unique<observe::ObservedRun>(*machine_, std::move(observers_));
    run_->run(max_steps);
  }

  Code code_{Generation::gcn1_4};
  u64 loop_ = 0;
  u64 compare_ = 0;
  u64 branch_ = 0;
  Program program_;
  std::unique_ptr<core::Machine> machine_;
  observe::Observers observers_;
  std::unique_ptr<observe::ObservedRun> run_;
};

TEST_F(ObserversTest, SeeWantedInstructionsBeforeAndAfter) {
  const Onlooker& onlooker = add({loop_});
  run();
  EXPECT_EQ(machine_->stop_reason(), StopReason::end_program);
  EXPECT_EQ(machine_->steps(), 11U);
  EXPECT_THAT(onlooker.places, ElementsAre(loop_, loop_, loop_));
  EXPECT_THAT(onlooker.s4_before, ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(onlooker.s4_after, ElementsAre(1U, 2U, 3U));
  EXPECT_EQ(onlooker.executed, 3U);
}

TEST_F(ObserversTest, DoNotSeeInstructionsForOthers) {
  const Onlooker& first = add({loop_});
  const Onlooker& second = add({branch_});
  run();
  EXPECT_THAT(first.places, ElementsAre(loop_, loop_, loop_));
  EXPECT_THAT(second.places, ElementsAre(branch_, branch_, branch_));
}

TEST_F(ObserversTest, SeeAllInstructionsForAWhile) {
  Onlooker& onlooker = add({});
  onlooker.want_all(true);
  run(3);
  EXPECT_THAT(onlooker.places, ElementsAre(code_.base(), loop_, compare_));
  onlooker.want_all(false);
  run();
  EXPECT_EQ(machine_->steps(), 11U);
  EXPECT_EQ(onlooker.places.size(), 3U);
}

TEST_F(ObserversTest, AreAskedAgainForANewVersion) {
  Onlooker& onlooker = add({loop_});
  run(4);
  EXPECT_THAT(onlooker.places, ElementsAre(loop_));
  onlooker.want({compare_});
  run();
  EXPECT_THAT(onlooker.places, ElementsAre(loop_, compare_, compare_));
}

TEST_F(ObserversTest, AllSeeASingleStep) {
  const Onlooker& first = add({loop_});
  const Onlooker& second = add({});
  run(0);
  EXPECT_EQ(run_->step(), 1U);
  EXPECT_THAT(first.places, ElementsAre(code_.base()));
  EXPECT_THAT(second.places, ElementsAre(code_.base()));
}

}  // namespace
}  // namespace salu::test
