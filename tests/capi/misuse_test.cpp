#include <array>
#include <functional>
#include <limits>
#include <vector>

#include "capi/capi_test.hpp"

// Invalid arguments to every function are reported as errors.
namespace salu::capi_test {
namespace {

/// One live handle of each kind, with others of the same kind.
class CapiMisuse : public CapiTest {
 protected:
  void SetUp() override {
    CapiTest::SetUp();
    scenario = assembled("s_endpgm");
    outcome = outcome_of(scenario);
    ASSERT_EQ(salu_session_open(scenario, &session), SALU_OK);
  }
  void TearDown() override {
    EXPECT_EQ(salu_session_free(session), SALU_OK);
    EXPECT_EQ(salu_outcome_free(outcome), SALU_OK);
    EXPECT_EQ(salu_scenario_free(scenario), SALU_OK);
    CapiTest::TearDown();
  }

  salu_scenario* scenario = nullptr;
  salu_outcome* outcome = nullptr;
  salu_session* session = nullptr;
};

/// Storage for results.
struct Room {
  std::array<std::uint32_t, 64> lanes{};
  std::array<char, 64> bytes{};
  std::uint64_t number = 0;
  std::uint32_t id = 0;
  std::int32_t flag = 0;
  salu_text* text = nullptr;
  salu_scenario* scenario = nullptr;
  salu_outcome* outcome = nullptr;
  salu_session* session = nullptr;
};

template <class Structure>
Structure made() {
  Structure structure = {};
  structure.struct_size = sizeof structure;
  return structure;
}

int ignore_link(void*, const salu_why_link*) { return 0; }
int ignore_document(void*, salu_status, salu_scenario* scenario) {
  return salu_scenario_free(scenario) == SALU_OK ? 0 : 1;
}

/// Every function that takes a handle of one kind, with valid other arguments.
template <class Handle>
using Calls = std::vector<std::function<salu_status(Handle*)>>;

Calls<salu_scenario> scenario_calls(Room& room, salu_scenario* good) {
  const auto column = [&room](const char* name) { return salu_column{name, room.lanes.data(), 4, 4, 0}; };
  return {
      [&](auto* h) { return salu_scenario_copy(h, &room.scenario); },
      [&](auto* h) {
        auto info = made<salu_scenario_info>();
        return salu_scenario_info_of(h, &info);
      },
      [&](auto* h) { return salu_scenario_row(h, 0, &room.scenario); },
      [&](auto* h) { return salu_scenario_remarks(h, &room.text); },
      [&](auto* h) { return salu_scenario_symbol(h, "a", &room.number); },
      [&](auto* h) { return salu_scenario_argument(h, "a", &room.number, &room.number); },
      [&](auto* h) { return salu_scenario_set(h, "s0", 1); },
      [&](auto* h) { return salu_scenario_get(h, "s0", &room.number); },
      [&](auto* h) { return salu_scenario_add_memory(h, 0x10000, 4, 1); },
      [&](auto* h) { return salu_scenario_write(h, 0x10000, room.bytes.data(), 4); },
      [&](auto* h) { return salu_scenario_read(h, 0x10000, room.bytes.data(), 4); },
      [&](auto* h) { return salu_register_find(h, "s0", &room.number); },
      [&](auto* h) { return salu_run(h, nullptr, &room.outcome); },
      [&](auto* h) { return salu_session_open(h, &room.session); },
      [&, column](auto* h) {
        const salu_column in = column("s0");
        const salu_column out = column("s1");
        return salu_sweep(h, &in, 1, &out, 1, 2, nullptr, nullptr);
      },
      [&](auto* h) {
        const char* const range = "s0=0..3";
        return salu_sweep_ranges(h, &range, 1, nullptr, 0, nullptr, &room.text);
      },
      [&, good](auto* h) { return salu_compare(h, good, nullptr, &room.flag, nullptr, nullptr); },
      [&, good](auto* h) { return salu_compare(good, h, nullptr, &room.flag, nullptr, nullptr); },
      [&, good](auto* h) { return salu_prove(h, good, nullptr, &room.flag, nullptr, nullptr); },
      [&, good](auto* h) { return salu_prove(good, h, nullptr, &room.flag, nullptr, nullptr); },
  };
}

Calls<salu_outcome> outcome_calls(Room& room) {
  return {
      [&](auto* h) {
        auto stop = made<salu_stop>();
        return salu_outcome_stop(h, &stop);
      },
      [&](auto* h) {
        auto warning = made<salu_warning>();
        return salu_outcome_warning(h, 0, &warning);
      },
      [&](auto* h) { return salu_outcome_get(h, "s0", &room.number); },
      [&](auto* h) { return salu_outcome_read_register(h, 1, &room.number); },
      [&](auto* h) { return salu_outcome_is_defined(h, "s0", &room.flag); },
      [&](auto* h) { return salu_outcome_lanes(h, 0, room.lanes.data(), &room.number); },
      [&](auto* h) { return salu_outcome_read(h, 0x10000, room.bytes.data(), 4); },
      [&](auto* h) { return salu_outcome_report(h, "text", &room.text); },
      [&](auto* h) { return salu_outcome_check(h, &room.number, &room.text); },
  };
}

Calls<salu_session> session_calls(Room& room) {
  return {
      [&](auto* h) { return salu_session_step(h, 1, nullptr); },
      [&](auto* h) { return salu_session_step_back(h, 1, nullptr); },
      [&](auto* h) { return salu_session_run(h, nullptr); },
      [&](auto* h) { return salu_session_run_back(h, nullptr); },
      [&](auto* h) { return salu_session_run_to(h, "0x1000", nullptr); },
      [&](auto* h) { return salu_session_run_back_to(h, "0x1000", nullptr); },
      [&](auto* h) { return salu_session_go_to(h, 1, nullptr); },
      [&](auto* h) {
        auto pause = made<salu_pause>();
        return salu_session_where(h, &pause);
      },
      [&](auto* h) { return salu_session_interrupt(h); },
      [&](auto* h) { return salu_session_break(h, "0x1000", nullptr, &room.id); },
      [&](auto* h) { return salu_session_watch(h, "s0", nullptr, &room.id); },
      [&](auto* h) { return salu_session_remove(h, 1); },
      [&](auto* h) { return salu_session_instruction(h, &room.text); },
      [&](auto* h) { return salu_session_get(h, "s0", &room.number); },
      [&](auto* h) { return salu_session_set(h, "s0", "1"); },
      [&](auto* h) { return salu_session_lanes(h, 0, room.lanes.data(), nullptr); },
      [&](auto* h) { return salu_session_read(h, 0x10000, room.bytes.data(), 4); },
      [&](auto* h) { return salu_session_why(h, "s0", 0, ignore_link, nullptr, &room.text); },
      [&](auto* h) { return salu_session_command(h, "info registers", &room.text); },
  };
}

/// Invalid handles of a kind: null, garbage, memory of the caller, freed handles, other kinds.
template <class Handle>
std::vector<Handle*> wrong_handles(Room& room, Handle* freed, const std::vector<void*>& others) {
  std::vector<Handle*> wrong = {nullptr, reinterpret_cast<Handle*>(&room), reinterpret_cast<Handle*>(1), freed};
  for (std::uintptr_t bits = 1; bits != 0; bits <<= 1) wrong.push_back(reinterpret_cast<Handle*>(~bits));
  for (void* const other : others) wrong.push_back(static_cast<Handle*>(other));
  return wrong;
}

template <class Handle, class Free>
void expect_refused(const Calls<Handle>& calls, const std::vector<Handle*>& wrong, const Free& free) {
  for (Handle* const handle : wrong) {
    for (std::size_t i = 0; i < calls.size(); ++i)
      EXPECT_EQ(calls[i](handle), SALU_INVALID_HANDLE) << "call " << i << ": " << salu_error_message();
    EXPECT_EQ(free(handle), handle == nullptr ? SALU_OK : SALU_INVALID_HANDLE);
  }
}

TEST_F(CapiMisuse, HandlesThatAreNoneAreRefused) {
  Room room;
  salu_text* text = nullptr;
  ASSERT_EQ(salu_outcome_report(outcome, "text", &text), SALU_OK);

  salu_scenario* const freed_scenario = assembled("s_endpgm");
  salu_outcome* const freed_outcome = outcome_of(scenario);
  salu_session* freed_session = nullptr;
  ASSERT_EQ(salu_session_open(scenario, &freed_session), SALU_OK);
  EXPECT_EQ(salu_scenario_free(freed_scenario), SALU_OK);
  EXPECT_EQ(salu_outcome_free(freed_outcome), SALU_OK);
  EXPECT_EQ(salu_session_free(freed_session), SALU_OK);

  expect_refused(scenario_calls(room, scenario), wrong_handles(room, freed_scenario, {outcome, session, text}),
                 salu_scenario_free);
  expect_refused(outcome_calls(room), wrong_handles(room, freed_outcome, {scenario, session, text}), salu_outcome_free);
  expect_refused(session_calls(room), wrong_handles(room, freed_session, {scenario, outcome, text}), salu_session_free);
  for (salu_text* const wrong : wrong_handles<salu_text>(room, nullptr, {scenario, outcome, session})) {
    EXPECT_EQ(salu_text_data(wrong), nullptr);
    EXPECT_EQ(salu_text_size(wrong), 0U);
  }
  EXPECT_EQ(room.text, nullptr);
  EXPECT_EQ(room.scenario, nullptr);
  EXPECT_EQ(room.outcome, nullptr);
  EXPECT_EQ(room.session, nullptr);

  EXPECT_EQ(salu_text_free(text), SALU_OK);
  EXPECT_EQ(salu_text_free(text), SALU_INVALID_HANDLE);
}

TEST_F(CapiMisuse, NullIsRefusedWhereSomethingHasToBe) {
  Room room;
  const salu_column column = {"s0", room.lanes.data(), 4, 4, 0};
  const salu_column unnamed = {nullptr, room.lanes.data(), 4, 4, 0};
  const salu_column without_data = {"s1", nullptr, 4, 4, 0};
  const char* const nothing = nullptr;
  const std::vector<std::function<salu_status()>> calls = {
      [&] { return salu_load_file(nullptr, nullptr, &room.scenario); },
      [&] { return salu_load_file("a.s", nullptr, nullptr); },
      [&] { return salu_load_bytes(nullptr, 4, "a.s", nullptr, &room.scenario); },
      [&] { return salu_load_bytes("", 0, nullptr, nullptr, &room.scenario); },
      [&] { return salu_load_bytes("", 0, "a.s", nullptr, nullptr); },
      [&] { return salu_assemble(nullptr, "gfx900", &room.scenario); },
      [&] { return salu_assemble("s_endpgm", nullptr, &room.scenario); },
      [&] { return salu_assemble("s_endpgm", "gfx900", nullptr); },
      [&] { return salu_load_words(nullptr, 1, "gfx900", &room.scenario); },
      [&] { return salu_load_words(room.lanes.data(), 1, nullptr, &room.scenario); },
      [&] { return salu_load_words(room.lanes.data(), 1, "gfx900", nullptr); },
      [&] { return salu_load_each(nullptr, nullptr, ignore_document, nullptr); },
      [&] { return salu_load_each("a.yaml", nullptr, nullptr, nullptr); },
      [&] { return salu_scenario_copy(scenario, nullptr); },
      [&] { return salu_scenario_info_of(scenario, nullptr); },
      [&] { return salu_scenario_row(scenario, 0, nullptr); },
      [&] { return salu_scenario_remarks(scenario, nullptr); },
      [&] { return salu_scenario_symbol(scenario, nullptr, &room.number); },
      [&] { return salu_scenario_symbol(scenario, "a", nullptr); },
      [&] { return salu_scenario_argument(scenario, nullptr, &room.number, &room.number); },
      [&] { return salu_scenario_argument(scenario, "a", nullptr, &room.number); },
      [&] { return salu_scenario_argument(scenario, "a", &room.number, nullptr); },
      [&] { return salu_scenario_set(scenario, nullptr, 1); },
      [&] { return salu_scenario_get(scenario, nullptr, &room.number); },
      [&] { return salu_scenario_get(scenario, "s0", nullptr); },
      [&] { return salu_scenario_write(scenario, 0x1000, nullptr, 4); },
      [&] { return salu_scenario_read(scenario, 0x1000, nullptr, 4); },
      [&] { return salu_register_find(scenario, nullptr, &room.number); },
      [&] { return salu_register_find(scenario, "s0", nullptr); },
      [&] { return salu_run(scenario, nullptr, nullptr); },
      [&] { return salu_outcome_stop(outcome, nullptr); },
      [&] { return salu_outcome_warning(outcome, 0, nullptr); },
      [&] { return salu_outcome_get(outcome, nullptr, &room.number); },
      [&] { return salu_outcome_get(outcome, "s0", nullptr); },
      [&] { return salu_outcome_read_register(outcome, 1, nullptr); },
      [&] { return salu_outcome_is_defined(outcome, nullptr, &room.flag); },
      [&] { return salu_outcome_is_defined(outcome, "s0", nullptr); },
      [&] { return salu_outcome_lanes(outcome, 0, nullptr, nullptr); },
      [&] { return salu_outcome_read(outcome, 0x1000, nullptr, 4); },
      [&] { return salu_outcome_report(outcome, nullptr, &room.text); },
      [&] { return salu_outcome_report(outcome, "text", nullptr); },
      [&] { return salu_outcome_check(outcome, nullptr, &room.text); },
      [&] { return salu_session_open(scenario, nullptr); },
      [&] { return salu_session_run_to(session, nullptr, nullptr); },
      [&] { return salu_session_run_back_to(session, nullptr, nullptr); },
      [&] { return salu_session_where(session, nullptr); },
      [&] { return salu_session_break(session, nullptr, nullptr, &room.id); },
      [&] { return salu_session_break(session, "0x1000", nullptr, nullptr); },
      [&] { return salu_session_watch(session, nullptr, nullptr, &room.id); },
      [&] { return salu_session_watch(session, "s0", nullptr, nullptr); },
      [&] { return salu_session_instruction(session, nullptr); },
      [&] { return salu_session_get(session, nullptr, &room.number); },
      [&] { return salu_session_get(session, "s0", nullptr); },
      [&] { return salu_session_set(session, nullptr, "1"); },
      [&] { return salu_session_set(session, "s0", nullptr); },
      [&] { return salu_session_lanes(session, 0, nullptr, nullptr); },
      [&] { return salu_session_read(session, 0x1000, nullptr, 4); },
      [&] { return salu_session_why(session, nullptr, 0, nullptr, nullptr, &room.text); },
      [&] { return salu_session_command(session, nullptr, &room.text); },
      [&] { return salu_session_command(session, "help", nullptr); },
      [&] { return salu_sweep(scenario, nullptr, 1, &column, 1, 1, nullptr, nullptr); },
      [&] { return salu_sweep(scenario, &column, 1, nullptr, 1, 1, nullptr, nullptr); },
      [&] { return salu_sweep(scenario, &column, 0, &column, 1, 1, nullptr, nullptr); },
      [&] { return salu_sweep(scenario, &column, 1, &column, 0, 1, nullptr, nullptr); },
      [&] { return salu_sweep(scenario, &unnamed, 1, &column, 1, 1, nullptr, nullptr); },
      [&] { return salu_sweep(scenario, &column, 1, &unnamed, 1, 1, nullptr, nullptr); },
      [&] { return salu_sweep_ranges(scenario, nullptr, 1, nullptr, 0, nullptr, &room.text); },
      [&] { return salu_sweep_ranges(scenario, &nothing, 1, nullptr, 0, nullptr, &room.text); },
      [&] { return salu_sweep_ranges(scenario, nullptr, 0, nullptr, 0, nullptr, nullptr); },
      [&] { return salu_compare(scenario, scenario, nullptr, nullptr, nullptr, nullptr); },
      [&] { return salu_prove(scenario, scenario, nullptr, nullptr, nullptr, nullptr); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_EQ(calls[i](), SALU_INVALID_ARGUMENT) << "call " << i << ": " << salu_error_message();
  EXPECT_EQ(salu_sweep(scenario, &without_data, 1, &column, 1, 1, nullptr, nullptr), SALU_BAD_USAGE);
  EXPECT_EQ(salu_sweep(scenario, &column, 1, &without_data, 1, 1, nullptr, nullptr), SALU_BAD_USAGE);
}

/// A structure of a wrong size, as input and as output.
template <class Structure, class Call>
void expect_sizes_matter(const Call& call) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, sizeof(Structure) - 1, sizeof(Structure) + 1,
                                 std::numeric_limits<std::size_t>::max()}) {
    Structure structure = {};
    structure.struct_size = size;
    EXPECT_EQ(call(&structure), SALU_INVALID_ARGUMENT) << size;
    EXPECT_THAT(salu_error_message(), testing::HasSubstr("struct_size"));
  }
}

TEST_F(CapiMisuse, WrongSizesAreRefused) {
  Room room;
  const salu_column column = {"s0", room.lanes.data(), 4, 4, 0};
  expect_sizes_matter<salu_load_options>([&](auto* s) { return salu_load_file("a.s", s, &room.scenario); });
  expect_sizes_matter<salu_load_options>([&](auto* s) { return salu_load_bytes("", 0, "a.s", s, &room.scenario); });
  expect_sizes_matter<salu_load_options>([&](auto* s) { return salu_load_each("a.s", s, ignore_document, nullptr); });
  expect_sizes_matter<salu_scenario_info>([&](auto* s) { return salu_scenario_info_of(scenario, s); });
  expect_sizes_matter<salu_run_options>([&](auto* s) { return salu_run(scenario, s, &room.outcome); });
  expect_sizes_matter<salu_stop>([&](auto* s) { return salu_outcome_stop(outcome, s); });
  expect_sizes_matter<salu_warning>([&](auto* s) { return salu_outcome_warning(outcome, 0, s); });
  expect_sizes_matter<salu_pause>([&](auto* s) { return salu_session_step(session, 1, s); });
  expect_sizes_matter<salu_pause>([&](auto* s) { return salu_session_where(session, s); });
  expect_sizes_matter<salu_sweep_options>(
      [&](auto* s) { return salu_sweep(scenario, &column, 1, &column, 1, 1, s, nullptr); });
  expect_sizes_matter<salu_compare_options>(
      [&](auto* s) { return salu_compare(scenario, scenario, s, &room.flag, nullptr, nullptr); });
  salu_pause pause = made<salu_pause>();
  // A rejected call has not moved the session.
  EXPECT_EQ(salu_session_where(session, &pause), SALU_OK);
  EXPECT_EQ(pause.position, 0U);
  auto options = made<salu_run_options>();
  for (std::int32_t* const choice : {&options.check_undefined, &options.on_vector}) {
    for (const std::int32_t number :
         {-1, 4, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
      *choice = number;
      EXPECT_EQ(salu_run(scenario, &options, &room.outcome), SALU_INVALID_ARGUMENT) << number;
    }
    *choice = 0;
  }
  options.register_count = 3;
  EXPECT_EQ(salu_run(scenario, &options, &room.outcome), SALU_INVALID_ARGUMENT);
}

TEST_F(CapiMisuse, GarbageIsRefused) {
  Room room;
  std::string garbage;
  for (int i = 1; i < 256; ++i) garbage += static_cast<char>(i * 37);
  for (const std::string& text :
       {std::string(), garbage, std::string(100'000, '('), std::string("s0]["), std::string("\xff")}) {
    EXPECT_NE(salu_scenario_set(scenario, text.c_str(), 1), SALU_OK);
    EXPECT_NE(salu_register_find(scenario, text.c_str(), &room.number), SALU_OK);
    EXPECT_NE(salu_session_run_to(session, text.c_str(), nullptr), SALU_OK);
    EXPECT_NE(salu_session_break(session, text.c_str(), nullptr, &room.id), SALU_OK);
    EXPECT_NE(salu_session_watch(session, text.c_str(), nullptr, &room.id), SALU_OK);
    EXPECT_NE(salu_session_get(session, text.c_str(), &room.number), SALU_OK);
    EXPECT_NE(salu_session_set(session, text.c_str(), text.c_str()), SALU_OK);
    EXPECT_NE(salu_session_why(session, text.c_str(), 0, nullptr, nullptr, &room.text), SALU_OK);
    const salu_column in = {text.c_str(), room.lanes.data(), 4, 4, 0};
    const salu_column out = {"s1", room.lanes.data(), 4, 4, 0};
    EXPECT_NE(salu_sweep(scenario, &in, 1, &out, 1, 1, nullptr, nullptr), SALU_OK);
    EXPECT_NE(salu_sweep(scenario, &out, 1, &in, 1, 1, nullptr, nullptr), SALU_OK);
    for (const char* const name : {"g.yaml", "g.s", "g.hex", "g.bin", "g.o", "g", ""}) {
      salu_load_options options = made<salu_load_options>();
      options.target = text.c_str();
      options.symbol = text.c_str();
      EXPECT_NE(salu_load_bytes(text.data(), text.size(), name, &options, &room.scenario), SALU_OK) << name;
    }
  }
  // An empty line repeats the last command, as in the console; an unknown command is rejected.
  EXPECT_EQ(salu_session_command(session, garbage.c_str(), &room.text), SALU_BAD_USAGE);
  EXPECT_EQ(salu_session_remove(session, 4711), SALU_NOT_FOUND);
  EXPECT_EQ(salu_stop_code_name(256), nullptr);
  EXPECT_EQ(salu_stop_code_name(~0U), nullptr);
  EXPECT_STREQ(salu_stop_code_name(0), "end_program");
  EXPECT_STREQ(salu_stop_code_name(128), "end_program+warned");
}

}  // namespace
}  // namespace salu::capi_test
