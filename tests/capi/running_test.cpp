#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "capi/capi_test.hpp"

// Loading and running through the C interface; expected values are computed here.
namespace salu::capi_test {
namespace {

using testing::HasSubstr;

class CapiRunning : public CapiTest {};

const char* const endless = "loop:\ns_add_u32 s0, s0, 1\ns_branch loop\n";

TEST_F(CapiRunning, AssembledTextRuns) {
  salu_scenario* const scenario = assembled("s_add_u32 s1, s0, 35\ns_endpgm");
  ASSERT_EQ(salu_scenario_set(scenario, "s0", 7), SALU_OK);
  salu_outcome* const outcome = outcome_of(scenario);
  // Handles can be freed in any order.
  EXPECT_EQ(salu_scenario_free(scenario), SALU_OK);
  EXPECT_EQ(value_of(outcome, "s1"), 42U);
  EXPECT_EQ(value_of(outcome, "s[0:1]"), 42ULL << 32 | 7);
  const salu_stop stop = stop_of(outcome);
  EXPECT_STREQ(stop.reason, "end_program");
  EXPECT_STREQ(stop.instruction, "s_endpgm");
  EXPECT_EQ(stop.steps, 2U);
  EXPECT_TRUE(stop.is_regular);
  EXPECT_FALSE(stop.is_fault);
  int32_t defined = 2;
  EXPECT_EQ(salu_outcome_is_defined(outcome, "s1", &defined), SALU_OK);
  EXPECT_EQ(defined, 1);
  EXPECT_EQ(salu_outcome_is_defined(outcome, "s9", &defined), SALU_OK);
  EXPECT_EQ(defined, 0);
  EXPECT_EQ(salu_outcome_free(outcome), SALU_OK);
}

TEST_F(CapiRunning, WordsRun) {
  // s_add_u32 s0, s1, s2; s_endpgm, as AMD's manuals encode them.
  const std::array<std::uint32_t, 2> words = {0x80000201, 0xbf810000};
  salu_scenario* scenario = nullptr;
  ASSERT_EQ(salu_load_words(words.data(), words.size(), "gfx803", &scenario), SALU_OK) << salu_error_message();
  ASSERT_EQ(salu_scenario_set(scenario, "s1", 0xffffffff), SALU_OK);
  ASSERT_EQ(salu_scenario_set(scenario, "s2", 3), SALU_OK);
  salu_outcome* const outcome = outcome_of(scenario);
  EXPECT_EQ(value_of(outcome, "s0"), 2U);
  EXPECT_EQ(value_of(outcome, "scc"), 1U);
  salu_outcome_free(outcome);
  salu_scenario_free(scenario);
  // Sizes above the limit are rejected without reading.
  for (const std::size_t count : {(std::size_t{64} << 20) / 4 + 1, SIZE_MAX}) {
    EXPECT_EQ(salu_load_words(words.data(), count, "gfx803", &scenario), SALU_BAD_WORDS);
    EXPECT_THAT(salu_error_message(), testing::HasSubstr("more than 64 MiB of code"));
  }
}

struct Nested {
  salu_scenario* scenario = nullptr;
  int depth = 0;
  int deepest = 0;
  int refused = 0;
};

int run_within(void* user, const salu_trace_event* /*event*/) {
  auto& nested = *static_cast<Nested*>(user);
  nested.deepest = std::max(nested.deepest, ++nested.depth);
  salu_run_options options = {};
  options.struct_size = sizeof options;
  options.trace = run_within;
  options.user = user;
  salu_outcome* outcome = nullptr;
  const salu_status status = salu_run(nested.scenario, &options, &outcome);
  if (status != SALU_OK) {
    EXPECT_EQ(status, SALU_INVALID_ARGUMENT);
    EXPECT_THAT(salu_error_message(), testing::HasSubstr("more than 16 nested callbacks"));
    ++nested.refused;
  }
  salu_outcome_free(outcome);
  --nested.depth;
  return 0;
}

// Unlimited nesting of callbacks would overflow the stack.
TEST_F(CapiRunning, CallbacksWithinEachOtherAreCounted) {
  Nested nested{.scenario = assembled("s_endpgm")};
  for (int round = 1; round <= 2; ++round) {
    (void)run_within(&nested, nullptr);
    EXPECT_EQ(nested.deepest, 17);  // the first was called from here
    EXPECT_EQ(nested.refused, round);
    EXPECT_EQ(nested.depth, 0);
  }
  salu_scenario_free(nested.scenario);
}

// Control characters in a label are printed escaped, and both spellings are found.
TEST_F(CapiRunning, LabelsOfAnyCharactersAreFound) {
  constexpr const char* text = "s_nop 0\n\"a b\xc2\x9b\":\n  s_endpgm\n";
  salu_load_options options = {};
  options.struct_size = sizeof options;
  options.target = "gfx900";
  salu_scenario* scenario = nullptr;
  ASSERT_EQ(salu_load_bytes(text, std::strlen(text), "a.s", &options, &scenario), SALU_OK) << salu_error_message();
  std::uint64_t address = 0;
  EXPECT_EQ(salu_scenario_symbol(scenario, "a b\xc2\x9b", &address), SALU_OK);
  EXPECT_EQ(address, 0x1004U);
  EXPECT_EQ(salu_scenario_symbol(scenario, "a b\\u{9b}", &address), SALU_OK);
  EXPECT_EQ(salu_scenario_symbol(scenario, "a b", &address), SALU_NOT_FOUND);
  salu_scenario_free(scenario);
}

TEST_F(CapiRunning, AScenarioIsCheckedAndReported) {
  const std::string path = std::string(SALU_PROGRAMS_DIR) + "/gcd.yaml";
  salu_scenario* scenario = nullptr;
  ASSERT_EQ(salu_load_file(path.c_str(), nullptr, &scenario), SALU_OK) << salu_error_message();
  salu_scenario_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(salu_scenario_info_of(scenario, &info), SALU_OK);
  EXPECT_STREQ(info.name, "greatest common divisor");
  EXPECT_STREQ(info.target, "gfx803");
  EXPECT_STREQ(info.generation, "gcn1.2");
  EXPECT_TRUE(info.has_expectation);
  std::uint64_t loop = 0;
  EXPECT_EQ(salu_scenario_symbol(scenario, "loop", &loop), SALU_OK);
  EXPECT_EQ(loop, info.entry);
  EXPECT_EQ(salu_scenario_symbol(scenario, "loop2", &loop), SALU_NOT_FOUND);
  salu_outcome* outcome = outcome_of(scenario);
  std::uint64_t mismatches = 7;
  EXPECT_EQ(salu_outcome_check(outcome, &mismatches, nullptr), SALU_OK);
  EXPECT_EQ(mismatches, 0U);
  salu_text* text = nullptr;
  ASSERT_EQ(salu_outcome_report(outcome, "json", &text), SALU_OK);
  EXPECT_THAT(taken(text), HasSubstr("\"schema\":\"salu-state-v1\""));
  EXPECT_EQ(salu_outcome_report(outcome, "xml", &text), SALU_INVALID_ARGUMENT);
  salu_outcome_free(outcome);
  // 1071 and 463 have the greatest common divisor 1.
  ASSERT_EQ(salu_scenario_set(scenario, "s1", 463), SALU_OK);
  outcome = outcome_of(scenario);
  EXPECT_EQ(value_of(outcome, "s0"), 1U);
  EXPECT_EQ(salu_outcome_check(outcome, &mismatches, &text), SALU_OK);
  EXPECT_EQ(mismatches, 2U);
  EXPECT_THAT(taken(text), HasSubstr("s0: expected 0x00000015, got 0x00000001"));
  salu_outcome_free(outcome);
  salu_scenario_free(scenario);
}

TEST_F(CapiRunning, ErrorsHaveTheirPlace) {
  salu_scenario* scenario = nullptr;
  EXPECT_EQ(salu_assemble("s_nop 0\ns_addd_u32 s0, s1, s2\n", "gfx900", &scenario), SALU_BAD_ASSEMBLY);
  EXPECT_EQ(scenario, nullptr);
  EXPECT_STREQ(salu_error_file(), "<text>.s");
  EXPECT_EQ(salu_error_line(), 2U);
  EXPECT_EQ(salu_error_column(), 1U);
  EXPECT_THAT(salu_error_message(), testing::StartsWith("<text>.s:2:1: error: unknown instruction"));
  EXPECT_EQ(salu_assemble("s_nop 0", "gfx9000", &scenario), SALU_BAD_TARGET);
  EXPECT_EQ(salu_load_file("/no/such/file.yaml", nullptr, &scenario), SALU_BAD_FILE);
  EXPECT_STREQ(salu_error_file(), "/no/such/file.yaml");
  const std::string broken = "name: [";
  EXPECT_EQ(salu_load_bytes(broken.data(), broken.size(), "b.yaml", nullptr, &scenario), SALU_BAD_YAML);
  const std::string unknown = "target: gfx900\ncoode: {}\n";
  EXPECT_EQ(salu_load_bytes(unknown.data(), unknown.size(), "b.yaml", nullptr, &scenario), SALU_BAD_SCENARIO);
  EXPECT_EQ(salu_error_line(), 2U);
  EXPECT_EQ(salu_load_bytes("\x7f\x45LF", 4, "b.o", nullptr, &scenario), SALU_BAD_ELF);
  EXPECT_STREQ(salu_status_name(SALU_BAD_ELF), "bad_elf");
  EXPECT_STREQ(salu_status_name(static_cast<salu_status>(4711)), "unknown");
}

TEST_F(CapiRunning, MemoryGoesInAndOut) {
  // s_load_dword s0, s[2:3], 0x0; s_waitcnt; s_add_u32 s0, s0, s0; s_store_dword s0, s[2:3], 0x4; s_endpgm
  salu_scenario* const scenario = assembled(
      "s_load_dword s0, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\ns_add_u32 s0, s0, s0\ns_store_dword s0, s[2:3], 0x4\n"
      "s_endpgm");
  const std::array<unsigned char, 8> bytes = {0x21, 0x43, 0x65, 0x07, 1, 2, 3, 4};
  EXPECT_EQ(salu_scenario_write(scenario, 0x10000, bytes.data(), bytes.size()), SALU_NOT_FOUND);
  ASSERT_EQ(salu_scenario_add_memory(scenario, 0x10000, bytes.size(), 1), SALU_OK) << salu_error_message();
  EXPECT_EQ(salu_scenario_add_memory(scenario, 0x10004, 1, 1), SALU_INVALID_ARGUMENT);
  EXPECT_EQ(salu_scenario_add_memory(scenario, ~0ULL, 16, 1), SALU_INVALID_ARGUMENT);
  EXPECT_EQ(salu_scenario_add_memory(scenario, 0x20000, 0, 1), SALU_INVALID_ARGUMENT);
  ASSERT_EQ(salu_scenario_write(scenario, 0x10000, bytes.data(), bytes.size()), SALU_OK);
  ASSERT_EQ(salu_scenario_set(scenario, "s[2:3]", 0x10000), SALU_OK);
  salu_outcome* const outcome = outcome_of(scenario);
  std::uint32_t doubled = 0;
  EXPECT_EQ(salu_outcome_read(outcome, 0x10004, &doubled, sizeof doubled), SALU_OK) << salu_error_message();
  EXPECT_EQ(doubled, 2 * 0x07654321U);
  std::array<unsigned char, 8> before{};
  EXPECT_EQ(salu_scenario_read(scenario, 0x10000, before.data(), before.size()), SALU_OK);
  EXPECT_EQ(before, bytes);
  for (const std::uint64_t address : {0x10005ULL, 0xffffULL, ~0ULL, 1ULL << 48})
    EXPECT_EQ(salu_outcome_read(outcome, address, &doubled, sizeof doubled), SALU_NOT_FOUND) << address;
  EXPECT_EQ(salu_outcome_read(outcome, 0x10000, &doubled, ~std::size_t{0}), SALU_NOT_FOUND);
  EXPECT_EQ(salu_outcome_read(outcome, 0x10000, nullptr, 0), SALU_OK);
  salu_outcome_free(outcome);
  salu_scenario_free(scenario);
}

TEST_F(CapiRunning, RegistersOfOneRunLeaveTheScenarioAsItIs) {
  salu_scenario* const scenario = assembled("s_lshl_b64 s[2:3], s[0:1], 1\nv_mov_b32 v3, s2\ns_endpgm");
  salu_register pair = 0;
  ASSERT_EQ(salu_register_find(scenario, "s[0:1]", &pair), SALU_OK);
  EXPECT_EQ(salu_register_bits(pair), 64U);
  const std::uint64_t value = 0x8000000000000003;
  salu_run_options options = {};
  options.struct_size = sizeof options;
  options.registers = &pair;
  options.values = &value;
  options.register_count = 1;
  salu_outcome* outcome = outcome_of(scenario, &options);
  EXPECT_EQ(value_of(outcome, "s[2:3]"), 6U);
  std::uint64_t read = 0;
  EXPECT_EQ(salu_outcome_read_register(outcome, pair, &read), SALU_OK);
  EXPECT_EQ(read, value);
  // All lanes of v3, and one of them.
  std::array<std::uint32_t, 64> lanes{};
  std::uint64_t defined = 0;
  EXPECT_EQ(salu_outcome_lanes(outcome, 3, lanes.data(), &defined), SALU_OK);
  EXPECT_EQ(defined, ~0ULL);
  EXPECT_THAT(lanes, testing::Each(6U));
  EXPECT_EQ(value_of(outcome, "v3[7]"), 6U);
  EXPECT_EQ(salu_outcome_get(outcome, "v3", &read), SALU_INVALID_ARGUMENT);
  EXPECT_EQ(salu_outcome_lanes(outcome, 512, lanes.data(), nullptr), SALU_INVALID_ARGUMENT);
  salu_outcome_free(outcome);
  EXPECT_EQ(salu_scenario_get(scenario, "s0", &read), SALU_OK);
  EXPECT_EQ(read, 0U);
  // A register that does not exist, and one of another generation.
  salu_scenario* const older = assembled("s_endpgm", "gfx700");
  const salu_register wrong = pair + 1000;
  EXPECT_EQ(salu_register_bits(wrong), 0U);
  salu_outcome* none = nullptr;
  EXPECT_EQ(salu_run(older, &options, &none), SALU_INVALID_ARGUMENT);
  options.registers = &wrong;
  EXPECT_EQ(salu_run(scenario, &options, &none), SALU_INVALID_ARGUMENT);
  salu_register half = 0;
  ASSERT_EQ(salu_register_find(scenario, "s0", &half), SALU_OK);
  options.registers = &half;
  EXPECT_EQ(salu_run(scenario, &options, &none), SALU_INVALID_ARGUMENT);
  EXPECT_THAT(salu_error_message(), HasSubstr("does not fit"));
  EXPECT_EQ(salu_register_find(scenario, "s200", &half), SALU_NOT_FOUND);
  EXPECT_EQ(salu_scenario_set(scenario, "scc", 2), SALU_INVALID_ARGUMENT);
  salu_scenario_free(older);
  salu_scenario_free(scenario);
}

TEST_F(CapiRunning, ApproximationsAreRoundedAsOptionsSay) {
  salu_scenario* const scenario = assembled("v_rcp_f32 v0, 0x40400000\nv_readfirstlane_b32 s0, v0\ns_endpgm");
  salu_run_options options = {};
  options.struct_size = sizeof options;
  // The floats next to 1/3.
  const std::vector<std::pair<const char*, std::uint64_t>> expected = {
      {nullptr, 0x3eaaaaab}, {"nearest", 0x3eaaaaab}, {"low", 0x3eaaaaaa}, {"high", 0x3eaaaaab}};
  for (const auto& [approximations, value] : expected) {
    options.approximations = approximations;
    salu_outcome* const outcome = outcome_of(scenario, &options);
    EXPECT_EQ(value_of(outcome, "s0"), value);
    salu_outcome_free(outcome);
  }
  options.approximations = "all";
  salu_outcome* none = nullptr;
  EXPECT_EQ(salu_run(scenario, &options, &none), SALU_INVALID_ARGUMENT);
  EXPECT_THAT(salu_error_message(), HasSubstr("options.approximations: `all`; expected `nearest`"));
  salu_scenario_free(scenario);
}

int note_step(void* user, const salu_trace_event* event) {
  auto& seen = *static_cast<std::vector<std::string>*>(user);
  EXPECT_EQ(event->step, seen.size() + 1);
  seen.emplace_back(event->instruction);
  return seen.size() < 4 ? 0 : 1;
}

TEST_F(CapiRunning, TraceCallbacksCanEndARun) {
  salu_scenario* const scenario = assembled("s_mov_b32 s0, 5\ns_not_b32 s1, s0\ns_endpgm");
  std::vector<std::string> seen;
  salu_run_options options = {};
  options.struct_size = sizeof options;
  options.trace = note_step;
  options.user = &seen;
  salu_outcome_free(outcome_of(scenario, &options));
  EXPECT_THAT(seen, testing::ElementsAre("s_mov_b32 s0, 5", "s_not_b32 s1, s0", "s_endpgm"));
  salu_scenario* const forever = assembled(endless);
  seen.clear();
  // A cancelled run returns an outcome: s0 counts iterations of two instructions, and the end was not reached.
  salu_outcome* cancelled = nullptr;
  EXPECT_EQ(salu_run(forever, &options, &cancelled), SALU_CANCELLED);
  EXPECT_EQ(seen.size(), 4U);
  const salu_stop stop = stop_of(cancelled);
  EXPECT_STREQ(stop.reason, "time_limit");
  EXPECT_THAT(stop.detail, testing::StartsWith("the caller cancelled the run, after "));
  EXPECT_EQ(stop.is_regular, 0);
  EXPECT_GE(stop.steps, 4U);
  EXPECT_EQ(value_of(cancelled, "s0"), (stop.steps + 1) / 2);
  EXPECT_EQ(salu_outcome_free(cancelled), SALU_OK);
  salu_scenario_free(forever);
  salu_scenario_free(scenario);
}

TEST_F(CapiRunning, EndlessLoopsEnd) {
  salu_scenario* const scenario = assembled(endless);
  salu_run_options options = {};
  options.struct_size = sizeof options;
  options.max_steps = 1001;
  salu_outcome* outcome = outcome_of(scenario, &options);
  EXPECT_STREQ(stop_of(outcome).reason, "step_limit");
  EXPECT_EQ(stop_of(outcome).steps, 1001U);
  EXPECT_EQ(value_of(outcome, "s0"), 501U);
  salu_outcome_free(outcome);
  options.max_steps = ~0ULL;
  options.max_seconds = 0.01;
  outcome = outcome_of(scenario, &options);
  EXPECT_STREQ(stop_of(outcome).reason, "time_limit");
  salu_outcome_free(outcome);
  options.max_seconds = -1;
  EXPECT_EQ(salu_run(scenario, &options, &outcome), SALU_INVALID_ARGUMENT);
  options.max_seconds = 0;
  std::int32_t cancel = 0;
  options.cancel = &cancel;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
  });
  outcome = nullptr;
  EXPECT_EQ(salu_run(scenario, &options, &outcome), SALU_CANCELLED);
  other.join();
  EXPECT_THAT(stop_of(outcome).detail, testing::StartsWith("the caller cancelled the run, after "));
  salu_outcome_free(outcome);
  salu_scenario_free(scenario);
}

TEST_F(CapiRunning, WarningsAreListed) {
  salu_scenario* const scenario = assembled("s_trap 1\ns_endpgm");
  salu_outcome* const outcome = outcome_of(scenario);
  EXPECT_EQ(stop_of(outcome).warnings, 1U);
  salu_warning warning = {};
  warning.struct_size = sizeof warning;
  ASSERT_EQ(salu_outcome_warning(outcome, 0, &warning), SALU_OK);
  EXPECT_STREQ(warning.kind, "trap_ignored");
  EXPECT_STREQ(warning.instruction, "s_trap 1");
  EXPECT_EQ(salu_outcome_warning(outcome, 1, &warning), SALU_NOT_FOUND);
  salu_outcome_free(outcome);
  salu_scenario_free(scenario);
}

// A compared result is also checked if registers are set for one run.
TEST_F(CapiRunning, UndefinedResultsAreWarnedOfWithRegistersAsWell) {
  salu_scenario* const scenario = loaded(
      "target: gfx900\ncode: {asm: \"s_add_u32 s1, s4, s5\\ns_endpgm\"}\nregisters: {s5: 2, s7: 0}\n"
      "expect: {registers: {s1: 2}}\n");
  salu_register s7 = 0;
  ASSERT_EQ(salu_register_find(scenario, "s7", &s7), SALU_OK);
  const std::uint64_t value = 0;
  salu_run_options options = {};
  options.struct_size = sizeof options;
  options.check_undefined = SALU_UNDEFINED_BITS;
  for (const std::size_t count : {0U, 1U}) {
    options.registers = &s7;
    options.values = &value;
    options.register_count = count;
    salu_outcome* const outcome = outcome_of(scenario, &options);
    EXPECT_EQ(stop_of(outcome).warnings, 1U) << count;
    salu_outcome_free(outcome);
  }
  salu_scenario_free(scenario);
}

int take_document(void* user, salu_status status, salu_scenario* scenario) {
  auto& seen = *static_cast<std::vector<salu_status>*>(user);
  seen.push_back(status);
  EXPECT_EQ(scenario == nullptr, status != SALU_OK);
  salu_scenario_free(scenario);
  return seen.size() < 3 ? 0 : 1;
}

TEST_F(CapiRunning, DocumentsAndRowsAreChosen) {
  const std::string two =
      "name: one\ntarget: gfx900\ncode: {asm: s_endpgm}\n---\nname: two\ntarget: gfx900\ncode: {asm: s_nonsense}\n---\n"
      "name: three\ntarget: gfx900\ncode: {asm: 's_add_u32 s1, s0, 1\n\n  s_endpgm'}\n"
      "cases: {inputs: [s0], rows: []}\n";
  salu_load_options options = {};
  options.struct_size = sizeof options;
  salu_scenario* scenario = nullptr;
  EXPECT_EQ(salu_load_bytes(two.data(), two.size(), "two.yaml", nullptr, &scenario), SALU_BAD_USAGE);
  EXPECT_THAT(salu_error_message(), HasSubstr("select one by number or name with `document`"));
  options.document = "one";
  ASSERT_EQ(salu_load_bytes(two.data(), two.size(), "two.yaml", &options, &scenario), SALU_OK);
  salu_scenario_free(scenario);
  options.document = "2";
  EXPECT_EQ(salu_load_bytes(two.data(), two.size(), "two.yaml", &options, &scenario), SALU_BAD_ASSEMBLY);
  options.document = "9";
  EXPECT_EQ(salu_load_bytes(two.data(), two.size(), "two.yaml", &options, &scenario), SALU_BAD_USAGE);

  const std::string path = std::string(SALU_PROGRAMS_DIR) + "/fork_join.yaml";
  std::vector<salu_status> seen;
  EXPECT_EQ(salu_load_each(path.c_str(), nullptr, take_document, &seen), SALU_OK);
  EXPECT_THAT(seen, testing::ElementsAre(SALU_OK));
  seen = {SALU_OK, SALU_OK};
  EXPECT_EQ(salu_load_each(path.c_str(), nullptr, take_document, &seen), SALU_CANCELLED);

  const std::string table =
      "target: gfx900\ncode: {asm: 's_add_u32 s1, s0, 1\n\n  s_endpgm'}\n"
      "cases: [{s0: 1, expect: {s1: 2}}, {s0: 5, expect: {s1: 7}}]\n";
  scenario = loaded(table);
  salu_scenario_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(salu_scenario_info_of(scenario, &info), SALU_OK);
  EXPECT_EQ(info.rows, 2U);
  salu_scenario* row = nullptr;
  EXPECT_EQ(salu_scenario_row(scenario, 2, &row), SALU_NOT_FOUND);
  ASSERT_EQ(salu_scenario_row(scenario, 1, &row), SALU_OK);
  salu_outcome* const outcome = outcome_of(row);
  EXPECT_EQ(value_of(outcome, "s1"), 6U);
  std::uint64_t mismatches = 0;
  EXPECT_EQ(salu_outcome_check(outcome, &mismatches, nullptr), SALU_OK);
  EXPECT_EQ(mismatches, 1U);
  salu_outcome_free(outcome);
  salu_scenario_free(row);
  salu_scenario_free(scenario);
}

TEST(Loading, OptionsApplyToEveryRow) {
  const std::string table =
      "target: gfx900\ncode: {asm: 's_add_u32 s1, s0, s2\n\n  s_endpgm'}\ncases: [{s0: 1, s2: 1}, {s0: 5, s2: 1}]\n";
  const std::array<const char*, 1> set = {"s0=7"};
  salu_load_options options = {};
  options.struct_size = sizeof options;
  options.set = set.data();
  options.set_count = set.size();
  salu_scenario* scenario = nullptr;
  ASSERT_EQ(salu_load_bytes(table.data(), table.size(), "table.yaml", &options, &scenario), SALU_OK);
  salu_scenario* copy = nullptr;
  ASSERT_EQ(salu_scenario_copy(scenario, &copy), SALU_OK);
  for (const salu_scenario* const each : {scenario, copy}) {
    salu_scenario* row = nullptr;
    ASSERT_EQ(salu_scenario_row(each, 1, &row), SALU_OK);
    salu_outcome* const outcome = outcome_of(row);
    EXPECT_EQ(value_of(outcome, "s1"), 8U);
    salu_outcome_free(outcome);
    salu_scenario_free(row);
  }
  salu_scenario_free(copy);
  salu_scenario_free(scenario);
}

}  // namespace
}  // namespace salu::capi_test
