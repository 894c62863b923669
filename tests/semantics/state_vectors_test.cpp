#include <gtest/gtest.h>

#include <salu/state.hpp>

#include <stdexcept>

#include "semantics/vector_files.hpp"

// tests/data/vectors/state.txt: one instruction from a described state to the expected state.
namespace salu::test {
namespace {

constexpr u32 nops_around = 64;

i64 simm16_of(const std::string& text) {
  if (!text.starts_with("hwreg(")) return static_cast<i64>(parse_value(text));
  const std::vector<std::string> parts = split(text.substr(6, text.size() - 7), ',');
  const auto part = [&](std::size_t i) { return static_cast<u32>(parse_value(parts.at(i))); };
  return hwreg(part(0), part(1), part(2));
}

void append(Code& code, const StateVector& vector) {
  const Generation generation = code.generation();
  std::optional<u32> second;
  if (vector.fields.contains("literal")) second = static_cast<u32>(parse_value(vector.fields.at("literal")));
  const auto field = [&](const std::string& name) {
    if (!vector.fields.contains(name)) return Operand{};
    const u32 operand = operand_code(generation, vector.fields.at(name));
    return Operand{operand, vector.fields.at(name) == "literal" ? second : std::nullopt};
  };
  const i64 simm16 = vector.fields.contains("simm16") ? simm16_of(vector.fields.at("simm16")) : 0;
  const std::string& format = opcode_row(generation, vector.mnemonic).format;
  if (format == "SOP1") code.sop1(vector.mnemonic, field("sdst"), field("ssrc0"));
  if (format == "SOP2") code.sop2(vector.mnemonic, field("sdst"), field("ssrc0"), field("ssrc1"));
  if (format == "SOPC") code.sopc(vector.mnemonic, field("ssrc0"), field("ssrc1"));
  if (format == "SOPK") code.sopk(vector.mnemonic, field("sdst"), simm16, second);
  if (format == "SOPP") code.sopp(vector.mnemonic, simm16);
}

void check(const StateVector& vector, Generation generation) {
  Code code(generation, here - 4 * nops_around);
  code.nops(nops_around);
  append(code, vector);
  const u64 next = code.here();
  code.nops(nops_around);

  WaveState initial = initial_state(generation);
  for (const auto& [name, value] : vector.given) assign(initial, generation, name, value);
  initial.pc = here;
  WaveState expected = initial;
  const bool goes_on = vector.stop == "step_limit" || vector.stop == "halt";
  if (goes_on) expected.pc = next;
  for (const auto& [name, value] : vector.then) assign(expected, generation, name, value);

  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    RunOptions options;
    options.max_steps = 1;
    options.dispatch = dispatch;
    const Outcome outcome = run(program_of({&code}), initial, Memory{}, options);
    expected.defined = outcome.state.defined;
    EXPECT_EQ(difference(expected, outcome.state), "") << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.reason_name(), vector.stop) << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.pc, expected.pc);
    EXPECT_EQ(outcome.steps, 1U);
    EXPECT_EQ(warning_names(outcome), vector.warnings);
  }
}

TEST(StateVectors, Hold) {
  for (const StateVector& vector : read_state_vectors(state_vector_file)) {
    for (const Generation generation : vector.generations) {
      SCOPED_TRACE(vector.where + ": " + vector.mnemonic + " on " + std::string(generation_name(generation)));
      check(vector, generation);
    }
  }
}

}  // namespace
}  // namespace salu::test
