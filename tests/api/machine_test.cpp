#include <gmock/gmock.h>
#include <salu/machine.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "api/api_test.hpp"

// A run of one wave in any number of calls.
namespace salu::api_test {
namespace {

using testing::HasSubstr;

Machine machine_of(const std::string& lines, const std::string& more = "") {
  Result<Machine> machine = Machine::open(assembled(lines, more));
  EXPECT_TRUE(machine.has_value());
  return std::move(machine).value();
}

u64 value_of(const Machine& machine, std::string_view name) {
  const Result<u64> value = machine.get(name);
  EXPECT_TRUE(value.has_value()) << value.error().message;
  return value ? *value : 0;
}

/// s_add_u32 s0, s1, s2; s_endpgm.
Program two_words() {
  Program program;
  program.target = find_target("gfx900");
  program.entry = 0x1000;
  program.code = {{program.entry, {0x80000201, 0xbf810000}}};
  return program;
}

TEST(ApiMachine, StepsAProgramThatWasMadeByHand) {
  Machine machine(two_words());
  ASSERT_TRUE(machine.set("s1", 7).has_value());
  ASSERT_TRUE(machine.set("s2", 0xffff'ffff).has_value());
  EXPECT_EQ(machine.pc(), 0x1000U);
  EXPECT_EQ(machine.instruction(), "s_add_u32 s0, s1, s2");
  EXPECT_TRUE(machine.step());
  EXPECT_EQ(value_of(machine, "s0"), 6U);
  EXPECT_EQ(value_of(machine, "scc"), 1U);
  EXPECT_EQ(machine.pc(), 0x1004U);
  EXPECT_FALSE(machine.ended());
  EXPECT_FALSE(machine.stop().has_value());
  EXPECT_TRUE(machine.step());
  EXPECT_TRUE(machine.ended());
  EXPECT_EQ(machine.stop()->reason, StopReason::end_program);
  EXPECT_FALSE(machine.step());
  EXPECT_EQ(machine.steps(), 2U);
  EXPECT_EQ(machine.run().reason, StopReason::end_program);
}

TEST(ApiMachine, ReadsRegistersByTheNamesThatScenariosHave) {
  Machine machine = machine_of("s_nop 0\ns_endpgm");
  for (const auto& [name, value] : std::vector<std::pair<std::string, u64>>{{"s[2:3]", 0x1122334455667788},
                                                                            {"exec", 0xff},
                                                                            {"vcc_hi", 3},
                                                                            {"scc", 1},
                                                                            {"m0", 17},
                                                                            {"csp", 5},
                                                                            {"v3[5]", 99},
                                                                            {"tba", 0x100}}) {
    ASSERT_TRUE(machine.set(name, value).has_value()) << name;
    EXPECT_EQ(value_of(machine, name), value) << name;
  }
  EXPECT_EQ(value_of(machine, "s2"), 0x55667788U);
  EXPECT_EQ(value_of(machine, "s3"), 0x11223344U);
  EXPECT_EQ(machine.state().exec(), 0xffU);
  EXPECT_EQ(machine.state().vectors.lanes(3)[5], 99U);
  EXPECT_EQ(machine.state().vectors.lanes(3)[4], 0U);
  EXPECT_EQ(machine.steps(), 0U);
}

TEST(ApiMachine, RefusesNamesAndValues) {
  Machine machine = machine_of("s_nop 0\ns_endpgm", "sgprs: 16\n");
  EXPECT_THAT(message_of(machine.get("s108")), HasSubstr("s108"));
  EXPECT_THAT(message_of(machine.set("exce", 1)), HasSubstr("exec"));
  EXPECT_THAT(message_of(machine.get("v3")), HasSubstr("64 lanes"));
  EXPECT_THAT(message_of(machine.get("s[0:3]")), HasSubstr("128 bits"));
  EXPECT_THAT(message_of(machine.set("s1", u64{1} << 32)), HasSubstr("does not fit in the 32 bits of `s1`"));
  EXPECT_THAT(message_of(machine.set("s20", 1)), HasSubstr("beyond the 16 SGPRs"));
  EXPECT_THAT(message_of(machine.set("pc", 2)), HasSubstr("no instruction at 0x2"));
  EXPECT_THAT(message_of(machine.set("status", 1)), HasSubstr("hardware would keep"));
  EXPECT_EQ(value_of(machine, "s1"), 0U);
}

TEST(ApiMachine, ReadsAndWritesMemory) {
  Machine machine = machine_of("s_load_dword s4, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_endpgm",
                               "registers: {\"s[2:3]\": 0x10000}\nmemory: [{at: 0x10000, words: [1, 2]}]\n");
  const std::vector<u8> bytes = {0x78, 0x56, 0x34, 0x12};
  EXPECT_EQ(*machine.write(0x10000, bytes), 4U);
  EXPECT_EQ(*machine.read(0x10000, 8), (std::vector<u8>{0x78, 0x56, 0x34, 0x12, 2, 0, 0, 0}));
  const Memory before = machine.memory();
  machine.step();
  EXPECT_EQ(value_of(machine, "s4"), 0x12345678U);
  EXPECT_EQ(before.read_dword(0x10000), 0x12345678U);

  EXPECT_THAT(message_of(machine.read(0x50000, 4)), HasSubstr("0x50000 to 0x50003 is not mapped"));
  EXPECT_THAT(message_of(machine.write(0x50000, bytes)), HasSubstr("not mapped"));
  EXPECT_FALSE(machine.read(~u64{0}, 4).has_value());
  EXPECT_FALSE(machine.read(0x10000, std::size_t{1} << 60).has_value());

  Memory other;
  ASSERT_TRUE(other.add_region({0x50000, 16, Access::read_write}) && place_code(machine.program(), other));
  other.write_dword(0x50000, 77);
  ASSERT_TRUE(machine.set_memory(other).has_value());
  EXPECT_EQ(machine.memory().read_dword(0x50000), 77U);
  EXPECT_FALSE(machine.read(0x10000, 4).has_value());
}

TEST(ApiMachine, RunsCodeThatWasWrittenFromOutside) {
  // The first instruction becomes s_mov_b32 s0, 9 (0xbe800089).
  Machine machine = machine_of("s_mov_b32 s0, 5\ns_endpgm");
  ASSERT_EQ(*machine.write(machine.pc(), std::vector<u8>{0x89, 0x00, 0x80, 0xbe}), 4U);
  EXPECT_EQ(machine.instruction(), "s_mov_b32 s0, 9");
  machine.run();
  EXPECT_EQ(value_of(machine, "s0"), 9U);
}

TEST(ApiMachine, FaultsEndTheRun) {
  Machine machine = machine_of("s_load_dword s4, s[2:3], 0x0\ns_endpgm", "registers: {\"s[2:3]\": 0x50000}\n");
  const Stop stop = machine.run();
  EXPECT_EQ(stop.reason, StopReason::unmapped_memory);
  EXPECT_EQ(stop.instruction, "s_load_dword s4, s[2:3], 0x0");
  EXPECT_THAT(stop.detail, HasSubstr("0x50000"));
  EXPECT_EQ(machine.pc(), stop.pc);
  EXPECT_EQ(machine.instruction(), "");
  EXPECT_THAT(message_of(machine.set("s2", 1)), HasSubstr("the program has ended"));
  EXPECT_EQ(machine.outcome().stop.reason, StopReason::unmapped_memory);
}

TEST(ApiMachine, LimitsEndACallAndNotTheRun) {
  Machine machine = machine_of(counting, "limits: {steps: 9}\n");
  const Stop first = machine.run({.max_steps = 4});
  EXPECT_EQ(first.reason, StopReason::step_limit);
  EXPECT_EQ(first.instruction, "s_cmp_lg_u32 s0, 0");
  EXPECT_EQ(value_of(machine, "s1"), 5U);
  EXPECT_EQ(machine.run({.max_steps = 0}).reason, StopReason::step_limit);
  EXPECT_EQ(machine.steps(), 4U);
  EXPECT_EQ(machine.run().reason, StopReason::step_limit);
  EXPECT_EQ(machine.steps(), 4U + 9U);
  EXPECT_EQ(machine.run({.is_cancelled = [] { return true; }}).reason, StopReason::time_limit);
  EXPECT_EQ(machine.steps(), 4U + 9U);
  EXPECT_EQ(machine.run({.max_steps = 1000}).reason, StopReason::end_program);
  EXPECT_EQ(machine.steps(), 23U);
  EXPECT_EQ(value_of(machine, "s1"), 15U);
}

TEST(ApiMachine, StartsAnewFromAState) {
  Machine machine = machine_of(counting);
  const WaveState start = machine.state();
  machine.run();
  ASSERT_TRUE(machine.ended());
  ASSERT_TRUE(machine.set_state(start).has_value());
  EXPECT_FALSE(machine.ended());
  EXPECT_EQ(machine.steps(), 0U);
  EXPECT_EQ(value_of(machine, "s1"), 0U);
  EXPECT_EQ(machine.run().reason, StopReason::end_program);
  EXPECT_EQ(value_of(machine, "s1"), 15U);
}

TEST(ApiMachine, CallsACompiledFunction) {
  Result<Machine> loaded = Machine::load(programs + "/compiled/isqrt.o", {.symbol = "isqrt"});
  ASSERT_TRUE(loaded.has_value()) << loaded.error().to_string();
  const WaveState start = loaded->state();
  for (const auto& [argument, root] :
       std::vector<std::pair<u64, u64>>{{0, 0}, {15, 3}, {16, 4}, {1'000'000'007, 31'622}}) {
    ASSERT_TRUE(loaded->set_state(start).has_value());
    ASSERT_TRUE(loaded->set("s0", argument).has_value());
    EXPECT_EQ(loaded->run().reason, StopReason::returned);
    EXPECT_EQ(value_of(*loaded, "s0"), root);
  }
}

TEST(ApiMachine, LoadingNamesTheProblem) {
  const auto problem = [](const std::string& path, const LoadOptions& options = {},
                          const ScenarioSelection& selection = {}) {
    const Result<Machine> loaded = Machine::load(programs + path, options, selection);
    return loaded ? std::string("no error") : loaded.error().message;
  };
  EXPECT_THAT(problem("/compiled/isqrt.o", {.symbol = "isqrtt"}), HasSubstr("isqrt"));
  EXPECT_NE(problem("/nowhere.yaml"), "no error");
  EXPECT_THAT(problem("/gcd.yaml", {.mcpu = "gfx9999"}), HasSubstr("gfx9999"));
  EXPECT_THAT(problem("/tables/gcd.yaml"), HasSubstr("`row`"));
  EXPECT_EQ(problem("/tables/gcd.yaml", {}, {.row = "1"}), "no error");
  EXPECT_THAT(problem("/gcd.yaml", {}, {.document = "other"}), HasSubstr("other"));

  Scenario grid = assembled("s_endpgm");
  grid.waves = std::make_shared<const DispatchedWaves>();
  EXPECT_THAT(message_of(Machine::open(std::move(grid))), HasSubstr("runs all waves of a grid"));
}

/// Records each instruction with its reads and writes.
class Log : public Observer {
 public:
  explicit Log(Machine& machine) : machine_(machine) {}

  void before(const InstructionInputs& inputs) override {
    step_ = inputs.step;
    text_ = inputs.text;
    reads_ = reads_text(inputs);
    EXPECT_EQ(inputs.pc, machine_.pc());
    EXPECT_EQ(inputs.step, machine_.steps() + 1);
  }
  void after(const TraceEvent& event) override {
    EXPECT_EQ(event.step, step_);
    EXPECT_EQ(event.text, text_);
    EXPECT_EQ(reads_text(event), reads_);
    lines.push_back(std::string(event.text) + ": " + reads_ + " -> " + writes_text(event));
  }

  std::vector<std::string> lines;

 private:
  Machine& machine_;
  u64 step_ = 0;
  std::string text_;
  std::string reads_;
};

TEST(ApiMachine, ObserversSeeInstructionsWithTheirValues) {
  Machine machine = machine_of("s_nop 0\ns_add_u32 s0, s1, s2\ns_endpgm", "registers: {s1: 7, s2: 3}\n");
  machine.step();
  Log log(machine);
  machine.add_observer(log);
  machine.step();
  machine.run();
  EXPECT_THAT(log.lines,
              testing::ElementsAre("s_add_u32 s0, s1, s2: s1=0x00000007 s2=0x00000003 -> s0=0x0000000a scc=0",
                                   "s_endpgm:  -> "));
}

TEST(ApiMachine, ObserversAreRemoved) {
  Machine machine = machine_of(counting);
  Log first(machine);
  Log second(machine);
  machine.add_observer(first);
  machine.add_observer(second);
  machine.run({.max_steps = 3});
  EXPECT_TRUE(machine.remove_observer(first));
  EXPECT_FALSE(machine.remove_observer(first));
  machine.run();
  EXPECT_EQ(first.lines.size(), 3U);
  EXPECT_EQ(second.lines.size(), 23U);
}

TEST(ApiMachine, ObserversAreNotToldOfAnEndWithoutAnInstruction) {
  // A compiled function ends at its return address, where no instruction runs.
  Result<Machine> loaded = Machine::load(programs + "/compiled/isqrt.o", {.symbol = "isqrt"});
  ASSERT_TRUE(loaded.has_value());
  struct Count : Observer {
    void before(const InstructionInputs&) override { ++befores; }
    void after(const TraceEvent&) override { ++afters; }
    u64 befores = 0;
    u64 afters = 0;
  } count;
  loaded->add_observer(count);
  EXPECT_EQ(loaded->run().reason, StopReason::returned);
  EXPECT_EQ(count.befores, loaded->steps());
  EXPECT_EQ(count.afters, loaded->steps());
}

TEST(ApiMachine, ObserversCannotChangeTheMachine) {
  Machine machine = machine_of(counting);
  struct Meddler : Observer {
    explicit Meddler(Machine& of) : machine(of) {}
    void after(const TraceEvent&) override {
      message = message_of(machine.set("s0", 1));
      EXPECT_FALSE(machine.write(0, {}).has_value());
      EXPECT_FALSE(machine.set_memory({}).has_value());
      EXPECT_FALSE(machine.set_state(machine.state()).has_value());
    }
    Machine& machine;
    std::string message;
  } meddler(machine);
  machine.add_observer(meddler);
  machine.run();
  EXPECT_THAT(meddler.message, HasSubstr("observer"));
  EXPECT_EQ(value_of(machine, "s1"), 15U);
}

TEST(ApiMachine, SettingDefines) {
  const std::string lines = "s_cmp_eq_u32 s5, 7\ns_cbranch_scc1 equal\ns_nop 0\nequal:\ns_endpgm";
  for (const CheckUndefined check : {CheckUndefined::reads, CheckUndefined::bits}) {
    for (const bool is_set : {false, true}) {
      Scenario scenario = assembled(lines);
      scenario.options.check_undefined = check;
      Result<Machine> machine = Machine::open(std::move(scenario));
      ASSERT_TRUE(machine.has_value());
      if (is_set) {
        ASSERT_TRUE(machine->set("s5", 7).has_value());
      }
      machine->run();
      EXPECT_EQ(machine->warnings().size(), is_set ? 0U : 1U);
    }
  }
}

TEST(ApiMachine, MovesWithItsRun) {
  Machine machine = machine_of(counting);
  machine.run({.max_steps = 4});
  Machine moved = std::move(machine);
  EXPECT_EQ(moved.steps(), 4U);
  machine = machine_of("s_endpgm");
  machine.step();
  EXPECT_TRUE(machine.ended());
  std::swap(machine, moved);
  EXPECT_EQ(machine.run().reason, StopReason::end_program);
  EXPECT_EQ(value_of(machine, "s1"), 15U);
}

TEST(ApiMachine, CoverageGoesOnBehindAChange) {
  RunOptions options;
  options.coverage = true;
  Machine machine(two_words(), options);
  machine.step();
  ASSERT_TRUE(machine.set("s1", 7).has_value());
  machine.step();
  EXPECT_THAT(machine.outcome().executed, testing::ElementsAre(0x1000U, 0x1004U));
}

/// Parts of an outcome as text, for messages that say what differs.
std::string summary(const Outcome& outcome) {
  std::string text = std::string(outcome.stop.reason_name()) + " at " + std::to_string(outcome.stop.pc) + ", " +
                     outcome.stop.detail + ", " + std::to_string(outcome.steps) + " steps, skipped " +
                     std::to_string(outcome.skipped_vector) + "\n";
  for (const Warning& warning : outcome.warnings) {
    text += std::string(warning_kind_name(warning.kind)) + " at " + std::to_string(warning.pc) + ": " + warning.detail +
            ", culprit " + std::to_string(warning.culprit_pc.value_or(0)) + "\n";
  }
  if (outcome.fidelity) {
    text += std::to_string(outcome.fidelity->exact.size()) + " exact, " +
            std::to_string(outcome.fidelity->approximate.size()) + " approximate, " +
            std::to_string(outcome.fidelity->skipped.size()) + " skipped\n";
  }
  return text;
}

std::vector<Scenario> all_programs() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(programs)) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  std::vector<Scenario> scenarios;
  for (const std::string& path : paths) {
    for (Result<Scenario>& loaded : load_file(path)) {
      if (loaded && loaded->waves == nullptr && loaded->cases == nullptr)
        scenarios.push_back(std::move(loaded).value());
    }
  }
  EXPECT_GT(scenarios.size(), 30U);
  return scenarios;
}

/// A run in one call, in pieces, observed, or with a register set to its own value has the same outcome as `run`.
TEST(ApiMachine, RunsAsOneCallOfRun) {
  for (const Scenario& scenario : all_programs()) {
    for (const CheckUndefined check : {CheckUndefined::off, CheckUndefined::bits}) {
      Scenario checked = scenario;
      checked.options.check_undefined = check;
      checked.options.check_hazards = check != CheckUndefined::off;
      checked.options.coverage = true;
      const Outcome expected = run(checked, checked.options);
      for (const u32 way : {0U, 1U, 2U, 3U}) {
        SCOPED_TRACE(scenario.name + ", check " + std::to_string(static_cast<int>(check)) + ", way " +
                     std::to_string(way));
        Result<Machine> machine = Machine::open(checked);
        ASSERT_TRUE(machine.has_value());
        Observer observer;
        if (way == 2) machine->add_observer(observer);
        u64 left = checked.options.max_steps;
        for (u64 piece = 1; way != 0 && left > 0 && !machine->ended() && machine->steps() < 2000;
             piece = piece % 7 + 1) {
          const u64 before = machine->steps();
          machine->run({.max_steps = std::min(piece, left)});
          left -= machine->steps() - before;
          if (way == 3 && !machine->ended() && check == CheckUndefined::off) {
            ASSERT_TRUE(machine->set("s3", value_of(*machine, "s3")).has_value());
          }
        }
        machine->run({.max_steps = left});
        Outcome outcome = machine->outcome();
        if (!machine->ended()) outcome.stop.detail = expected.stop.detail;
        EXPECT_EQ(summary(outcome), summary(expected));
        if (way == 3) outcome.state.defined = expected.state.defined;
        EXPECT_EQ(outcome.state, expected.state);
        EXPECT_EQ(outcome.memory, expected.memory);
        EXPECT_EQ(outcome.executed, expected.executed);
        EXPECT_EQ(outcome.undefined_bits, expected.undefined_bits);
        EXPECT_EQ(outcome.undefined_memory, expected.undefined_memory);
      }
    }
  }
}

TEST(ApiMachine, StrictRunsStopAtTheFirstWarning) {
  Scenario scenario = assembled("s_trap 1\ns_nop 0\ns_endpgm");
  scenario.options.strict = true;
  const Outcome expected = run(scenario, scenario.options);
  ASSERT_EQ(expected.stop.warning, WarningKind::trap_ignored);
  Result<Machine> machine = Machine::open(std::move(scenario));
  EXPECT_EQ(machine->run().reason_name(), expected.stop.reason_name());
  EXPECT_EQ(machine->stop()->detail, expected.stop.detail);
}

}  // namespace
}  // namespace salu::api_test
