#include <salu/error.hpp>
#include <salu/outcome.hpp>
#include <salu/program.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace salu {
namespace {

Program make_program() {
  Program program;
  program.target = find_target("gfx900");
  program.code = {{0x1000, {1, 2, 3, 4}}, {0x2000, {5}}};
  program.symbols = {{"before", 0x800}, {"first", 0x1000}, {"alias", 0x1008}, {"second", 0x1008}, {"end", 0x1010}};
  return program;
}

TEST(Program, FindsTheBlockOfAnAddress) {
  const Program program = make_program();
  EXPECT_EQ(program.find_block(0xfff), nullptr);
  EXPECT_EQ(program.find_block(0x1000), program.code.data());
  EXPECT_EQ(program.find_block(0x100f), program.code.data());
  EXPECT_EQ(program.find_block(0x1010), nullptr);
  EXPECT_EQ(program.find_block(0x2003), &program.code[1]);
  EXPECT_EQ(program.find_block(0x2004), nullptr);
}

TEST(Program, DescribesAddressesBySymbols) {
  const Program program = make_program();
  EXPECT_EQ(program.describe_address(0x1000), "first");
  EXPECT_EQ(program.describe_address(0x1004), "first+0x4");
  EXPECT_EQ(program.describe_address(0x1008), "alias");
  EXPECT_EQ(program.describe_address(0x100c), "alias+0x4");
  EXPECT_EQ(program.describe_address(0x1010), "");
  // A symbol of another block is not used for this one.
  EXPECT_EQ(program.describe_address(0x2000), "");
  EXPECT_EQ(program.find_symbol("second")->address, 0x1008U);
  EXPECT_EQ(program.find_symbol("third"), nullptr);
}

TEST(Outcome, NamesOfStopReasonsAreThoseOfTheInterface) {
  const std::vector<std::string> names = {"end_program",
                                          "returned",
                                          "killed",
                                          "halt",
                                          "trap",
                                          "step_limit",
                                          "time_limit",
                                          "memory_limit",
                                          "breakpoint",
                                          "vector_instruction",
                                          "unsupported_instruction",
                                          "illegal_instruction",
                                          "illegal_operand",
                                          "misaligned_register",
                                          "unmapped_memory",
                                          "write_protected",
                                          "pc_outside_code",
                                          "past_kernel_end",
                                          "deadlock"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto reason = static_cast<StopReason>(i);
    EXPECT_EQ(stop_reason_name(reason), names[i]);
    EXPECT_EQ(find_stop_reason(names[i]), reason);
  }
  EXPECT_FALSE(find_stop_reason("warning"));
  EXPECT_FALSE(find_stop_reason("ended"));
  EXPECT_FALSE(find_stop_reason(""));
}

TEST(Outcome, NamesOfWarningsAreThoseOfTheInterface) {
  const std::vector<std::string> names = {"dropped_write",
                                          "trap_ignored",
                                          "register_out_of_range",
                                          "control_stack_overflow",
                                          "control_stack_underflow",
                                          "unspecified_result",
                                          "undefined_read",
                                          "no_functional_effect",
                                          "stale_vccz",
                                          "control_stack_misuse",
                                          "hazard",
                                          "undefined_output",
                                          "dropped_access"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto kind = static_cast<WarningKind>(i);
    EXPECT_EQ(warning_kind_name(kind), names[i]);
    EXPECT_EQ(find_warning_kind(names[i]), kind);
  }
  EXPECT_FALSE(find_warning_kind("end_program"));
}

TEST(Outcome, StrictStopsCarryTheWarningsName) {
  Stop stop;
  stop.reason = StopReason::warning;
  stop.warning = WarningKind::trap_ignored;
  EXPECT_EQ(stop.reason_name(), "trap_ignored");
  stop = {};
  stop.reason = StopReason::halt;
  EXPECT_EQ(stop.reason_name(), "halt");
}

TEST(Error, PrintsPlaceLineAndCaret) {
  Error error{ErrorCode::assembly, {"a.s", 3, 5}, "unknown instruction", "\ts_fo"};
  EXPECT_EQ(error.to_string(), "a.s:3:5: error: unknown instruction\n\ts_fo\n\t   ^");
  error.where.column = 0;
  EXPECT_EQ(error.to_string(), "a.s:3: error: unknown instruction");
  error.where = {};
  EXPECT_EQ(error.to_string(), "error: unknown instruction");
  error.where.file = "a.o";
  error.where.offset_bytes = 0x40;
  EXPECT_EQ(error.to_string(), "a.o+0x40: error: unknown instruction");
}

TEST(Error, CaretCountsCharactersNotBytes) {
  const Error error{ErrorCode::scenario, {"a.yaml", 1, 4}, "wrong", "\xc3\xa4 x"};
  EXPECT_EQ(error.to_string(), "a.yaml:1:4: error: wrong\n\xc3\xa4 x\n  ^");
}

TEST(Error, RemarksAreWarnings) {
  const Remark remark{{"a.s", 1, 1}, "odd", ""};
  EXPECT_EQ(remark.to_string(), "a.s:1:1: warning: odd");
}

TEST(Error, CodesAreThoseOfTheInterface) {
  EXPECT_EQ(error_code_name(ErrorCode::usage), "usage");
  EXPECT_EQ(error_code_name(ErrorCode::io), "io");
  EXPECT_EQ(error_code_name(ErrorCode::yaml), "yaml");
  EXPECT_EQ(error_code_name(ErrorCode::scenario), "scenario");
  EXPECT_EQ(error_code_name(ErrorCode::assembly), "assembly");
  EXPECT_EQ(error_code_name(ErrorCode::words), "words");
  EXPECT_EQ(error_code_name(ErrorCode::elf), "elf");
  EXPECT_EQ(error_code_name(ErrorCode::target), "target");
}

}  // namespace
}  // namespace salu
