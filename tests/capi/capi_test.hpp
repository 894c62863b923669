#pragma once

#include <gmock/gmock.h>
#include <salu.h>

#include <cstdint>
#include <string>

/// Fixtures of the tests of the C interface.
namespace salu::capi_test {

/// A test after which no handle may be left.
class CapiTest : public testing::Test {
 protected:
  void SetUp() override { live_ = salu_live_handles(); }
  void TearDown() override { EXPECT_EQ(salu_live_handles(), live_) << "leaked handles"; }

 private:
  std::size_t live_ = 0;
};

inline salu_scenario* assembled(const std::string& text, const char* target = "gfx900") {
  salu_scenario* scenario = nullptr;
  EXPECT_EQ(salu_assemble(text.c_str(), target, &scenario), SALU_OK) << salu_error_message();
  return scenario;
}

inline salu_scenario* loaded(const std::string& text, const char* name = "test.yaml") {
  salu_scenario* scenario = nullptr;
  EXPECT_EQ(salu_load_bytes(text.data(), text.size(), name, nullptr, &scenario), SALU_OK) << salu_error_message();
  return scenario;
}

inline salu_outcome* outcome_of(const salu_scenario* scenario, const salu_run_options* options = nullptr) {
  salu_outcome* outcome = nullptr;
  EXPECT_EQ(salu_run(scenario, options, &outcome), SALU_OK) << salu_error_message();
  return outcome;
}

inline std::uint64_t value_of(const salu_outcome* outcome, const char* name) {
  std::uint64_t value = 0;
  EXPECT_EQ(salu_outcome_get(outcome, name, &value), SALU_OK) << salu_error_message();
  return value;
}

/// The text of a handle; frees the handle.
inline std::string taken(salu_text* text) {
  std::string copy(salu_text_data(text), salu_text_size(text));
  EXPECT_EQ(salu_text_free(text), SALU_OK);
  return copy;
}

inline salu_stop stop_of(const salu_outcome* outcome) {
  salu_stop stop = {};
  stop.struct_size = sizeof stop;
  EXPECT_EQ(salu_outcome_stop(outcome, &stop), SALU_OK) << salu_error_message();
  return stop;
}

}  // namespace salu::capi_test
