#include <gtest/gtest.h>

#include <functional>

#include "generation_names.hpp"
#include "semantics/code.hpp"

// Code is memory: it can be read, and written code is executed.
namespace salu::test {
namespace {

constexpr u64 code_base = 0x10000;
constexpr u64 data_base = 0x20000;
constexpr u64 data_bytes = 0x1000;

/// The word of `s_add_u32 s2, s2, value`.
u32 add_word(Generation generation, int value) {
  return Code(generation).sop2("s_add_u32", s(2), s(2), number(value)).words()[0];
}

struct Prepared {
  Program program;
  Memory memory;
  WaveState initial;
};

/// s[4:5] is the address of the first piece of code, s[6:7] that of the data.
Prepared prepare(const std::vector<const Code*>& pieces) {
  Prepared result{program_of(pieces), {}, initial_state(pieces[0]->generation())};
  EXPECT_TRUE(place_code(result.program, result.memory));
  EXPECT_TRUE(result.memory.add_region({data_base, data_bytes}));
  result.initial.pc = result.program.entry;
  result.initial.write64(4, pieces[0]->base());
  result.initial.write64(6, data_base);
  return result;
}

/// Maps the rest of all pages that contain code: stores to whole pages use a faster path.
void fill_pages(Prepared& prepared) {
  for (const CodeBlock& block : prepared.program.code) {
    const u64 first = block.base / Memory::page_bytes * Memory::page_bytes;
    for (u64 address = first; address % Memory::page_bytes != 0 || address < block.end(); address += 4) {
      if (prepared.memory.is_mapped(address, 4)) continue;
      ASSERT_TRUE(prepared.memory.add_region({address, 4}));
    }
  }
}

/// Runs with every dispatch loop, observed, and interrupted at every step; with only code on its pages and with data
/// around it.
void for_every_run(const Prepared& prepared, const std::function<void(const Outcome&)>& expect) {
  for (const bool fills : {false, true}) {
    SCOPED_TRACE(fills ? "whole pages" : "code alone");
    Prepared given = prepared;
    if (fills) fill_pages(given);
    RunOptions options;
    options.max_steps = 10000;
    u64 steps = 0;
    for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
      options.dispatch = dispatch;
      const Outcome outcome = run(given.program, given.initial, given.memory, options);
      steps = outcome.steps;
      expect(outcome);
    }
    options.trace = [](const TraceEvent&) {};
    expect(run(given.program, given.initial, given.memory, options));
    options.trace = {};
    for (u64 first = 1; first < steps; ++first) {
      options.max_steps = first;
      const Outcome half = run(given.program, given.initial, given.memory, options);
      EXPECT_EQ(half.steps, first);
      options.max_steps = 10000;
      Outcome rest = run(given.program, half.state, half.memory, options);
      rest.steps += first;
      SCOPED_TRACE("cut in two after " + std::to_string(first) + " steps");
      expect(rest);
    }
  }
}

class SelfModifying : public testing::TestWithParam<Generation> {};

// Three iterations of a loop; from the second one on, the store changes the addition ahead of it, which has been
// decoded.
TEST_P(SelfModifying, AheadInALoop) {
  Code code(GetParam(), code_base);
  const u64 loop = code.here();
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset_register = m0});
  code.nops(1);
  const u64 target = code.here();
  code.word(add_word(GetParam(), 1));
  code.sop1("s_mov_b32", m0, s(21));
  code.sop2("s_sub_u32", s(40), s(40), number(1));
  code.sopc("s_cmp_lg_u32", s(40), number(0));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);
  code.aim(back, loop);
  code.end();
  Prepared given = prepare({&code});
  given.initial.file[8] = add_word(GetParam(), 16);
  given.initial.file[code::m0] = static_cast<u32>(data_base - code_base);
  given.initial.file[21] = static_cast<u32>(target - code_base);
  given.initial.file[40] = 3;
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 33U);
    EXPECT_EQ(outcome.steps, 22U);
    EXPECT_EQ(outcome.memory.read_dword(target), add_word(GetParam(), 16));
    EXPECT_EQ(outcome.memory.read_dword(data_base), add_word(GetParam(), 16));
  });
  // The program itself is unchanged.
  EXPECT_EQ(given.program.code[0].words, code.words());
}

// A store ahead, to code that has not been decoded, of four dwords, the last of which is data after the code.
TEST_P(SelfModifying, AheadAndBeyondTheEndOfTheCode) {
  Code code(GetParam(), code_base);
  code.memory("s_store_dwordx4", {.sdata = s(8), .sbase = s(4), .offset = 12});
  code.nops(1);
  for (int i = 0; i < 3; ++i) code.word(add_word(GetParam(), 1));
  Prepared given = prepare({&code});
  const u64 end = code.here();
  ASSERT_EQ(end, code_base + 24);
  ASSERT_TRUE(given.memory.add_region({end, 0x100}));
  given.initial.file[8] = add_word(GetParam(), 8);
  given.initial.file[9] = add_word(GetParam(), 16);
  given.initial.file[10] = 0xbf810000;  // s_endpgm
  given.initial.file[11] = 77;
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.stop.pc, code_base + 20);
    EXPECT_EQ(outcome.state.file[2], 24U);
    EXPECT_EQ(outcome.memory.read_dword(end), 77U);
  });
}

// Data on the page of the code is written first.
TEST_P(SelfModifying, AfterDataOnTheSamePage) {
  Code code(GetParam(), code_base);
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = 0x800});
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = 0x804});
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = 28});
  code.nops(1).word(add_word(GetParam(), 1)).end();
  ASSERT_EQ(code.here(), code_base + 36);
  Prepared given = prepare({&code});
  ASSERT_TRUE(given.memory.add_region({code.here(), Memory::page_bytes - 36}));
  given.initial.file[8] = add_word(GetParam(), 16);
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 16U);
  });
}

// A function in a separate block, called before and after it was changed.
TEST_P(SelfModifying, InAnotherBlock) {
  Code code(GetParam(), code_base);
  Code function(GetParam(), 0x40000);
  code.sop1("s_swappc_b64", s(30), s(12));
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(12), .offset = 0});
  code.sop1("s_swappc_b64", s(30), s(12));
  code.sop1("s_swappc_b64", s(30), s(12));
  code.end();
  function.word(add_word(GetParam(), 1));
  function.sop1("s_setpc_b64", {}, s(30));
  Prepared given = prepare({&code, &function});
  given.initial.write64(12, function.base());
  given.initial.file[8] = add_word(GetParam(), 16);
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 33U);
    EXPECT_EQ(outcome.steps, 11U);
  });
}

// Code that has already run, including the store itself: the next iteration differs.
TEST_P(SelfModifying, BeforeItselfAndItself) {
  Code code(GetParam(), code_base);
  code.word(add_word(GetParam(), 1));
  code.memory("s_store_dwordx2", {.sdata = s(8), .sbase = s(4), .offset = 0});
  code.sopp("s_branch", -4);
  Prepared given = prepare({&code});
  given.initial.file[8] = add_word(GetParam(), 16);
  given.initial.file[9] = 0xbf810000;  // s_endpgm in place of the store
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 17U);
    EXPECT_EQ(outcome.stop.pc, code_base + 4);
    EXPECT_EQ(outcome.stop.instruction, "s_endpgm");
    EXPECT_EQ(outcome.steps, 5U);
  });
}

// The second dword of an instruction: a literal, and the offset of a load.
TEST_P(SelfModifying, SecondDwords) {
  Code code(GetParam(), code_base);
  const u64 loop = code.here();
  const u64 move = code.here();
  code.sop1("s_mov_b32", s(2), literal(1));
  const u64 load = code.here();
  code.memory("s_load_dword", {.sdata = s(3), .sbase = s(6), .offset = 0});
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = 4});
  code.memory("s_store_dword", {.sdata = s(9), .sbase = s(4), .offset = static_cast<i64>(load + 4 - code_base)});
  code.sop2("s_sub_u32", s(40), s(40), number(1));
  code.sopc("s_cmp_lg_u32", s(40), number(0));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);
  code.aim(back, loop);
  code.end();
  ASSERT_EQ(move, code_base);
  Prepared given = prepare({&code});
  given.memory.write_dword(data_base, 5);
  given.memory.write_dword(data_base + 0x40, 6);
  given.initial.file[8] = 0x12345678;
  given.initial.file[9] = 0x40;
  given.initial.file[40] = 2;
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 0x12345678U);
    EXPECT_EQ(outcome.state.file[3], 6U);
  });
}

TEST_P(SelfModifying, IntoInvalidWords) {
  Code code(GetParam(), code_base);
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = 8});
  code.nops(1).end();
  Prepared given = prepare({&code});
  given.initial.file[8] = 0xbeffffff;  // SOP1 opcode 255
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::illegal_instruction);
    EXPECT_EQ(outcome.stop.pc, code_base + 8);
  });
}

TEST_P(SelfModifying, ReadOnlyCodeStays) {
  Code code(GetParam(), code_base);
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = 8});
  code.nops(1).end();
  Prepared given = prepare({&code});
  given.program.code[0].access = Access::read;
  given.memory = Memory();
  ASSERT_TRUE(place_code(given.program, given.memory));
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::write_protected);
    EXPECT_EQ(outcome.memory.read_dword(code_base + 8), given.memory.read_dword(code_base + 8));
  });
}

// A warning under --strict is caused by the store that changes the code.
TEST_P(SelfModifying, UnderStrictWithAWarning) {
  Code code(GetParam(), code_base);
  code.nops(3).memory("s_store_dword", {.sdata = s(24), .sbase = s(4), .offset = 20}).nops(2).end();
  Prepared given = prepare({&code});
  given.initial.sgprs = 16;
  given.initial.file[0] = add_word(GetParam(), 16);
  RunOptions options;
  options.strict = true;
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    options.dispatch = dispatch;
    const Outcome outcome = run(given.program, given.initial, given.memory, options);
    EXPECT_EQ(outcome.stop.reason_name(), "register_out_of_range");
    EXPECT_EQ(outcome.steps, 4U);
    EXPECT_EQ(outcome.memory.read_dword(code_base + 20), add_word(GetParam(), 16));
  }
}

// Registers written before the code was forgotten stay defined, and newly decoded code is tracked from there.
TEST_P(SelfModifying, TracksDefinedRegisters) {
  Code code(GetParam(), code_base);
  code.sop1("s_mov_b32", s(12), number(1)).sop2("s_add_u32", s(13), s(12), number(1));
  const u64 store = code.here();
  code.memory("s_store_dword", {.sdata = s(8), .sbase = s(4), .offset = static_cast<i64>(store + 12 - code_base)});
  code.sop1("s_mov_b32", s(14), number(1)).sop1("s_mov_b32", s(15), number(1)).end();
  Prepared given = prepare({&code});
  given.initial.file[8] = Code(GetParam()).sop1("s_mov_b32", s(16), number(7)).words()[0];
  for_every_run(given, [&](const Outcome& outcome) {
    for (const u32 written : {12U, 13U, 14U, 16U}) EXPECT_TRUE(outcome.state.defined[written]) << written;
    EXPECT_TRUE(outcome.state.defined[state_index::scc]);
    EXPECT_FALSE(outcome.state.defined[15]);
    EXPECT_EQ(outcome.state.file[16], 7U);
  });
}

// Atomics count in a literal.
TEST_P(SelfModifying, ByAtomics) {
  if (!is_gfx9(GetParam())) GTEST_SKIP() << "no scalar atomics";
  Code code(GetParam(), code_base);
  const u64 loop = code.here();
  code.memory("s_atomic_add", {.sdata = s(8), .sbase = s(4), .offset = 12, .glc = false});
  code.sop1("s_mov_b32", s(2), literal(100));
  code.sop2("s_sub_u32", s(40), s(40), number(1));
  code.sopc("s_cmp_lg_u32", s(40), number(0));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);
  code.aim(back, loop);
  code.end();
  Prepared given = prepare({&code});
  given.initial.file[8] = 3;
  given.initial.file[40] = 5;
  for_every_run(given, [&](const Outcome& outcome) {
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
    EXPECT_EQ(outcome.state.file[2], 115U);
  });
}

INSTANTIATE_TEST_SUITE_P(Generations, SelfModifying, testing::ValuesIn(generations(Generation::gcn1_2)), test_name);

TEST(CodeInMemory, IsReadAsTheConstantsBesideIt) {
  for (const Generation generation : all_generations()) {
    SCOPED_TRACE(generation_name(generation));
    Code code(generation, code_base);
    code.sop1("s_getpc_b64", s(10), {});
    const u64 from = code.here();
    const bool smem = is_gcn1_2_or_later(generation);
    const u64 table = from + (smem ? 12 : 8);
    const auto offset = static_cast<i64>(table - from);
    code.memory("s_load_dwordx4", {.sdata = s(12), .sbase = s(10), .offset = smem ? offset : offset / 4}).end();
    ASSERT_EQ(code.here(), table);
    for (u32 i = 0; i < 4; ++i) code.word(0x11111111 * (i + 1));
    const Prepared given = prepare({&code});
    for_every_run(given, [&](const Outcome& outcome) {
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
      for (u32 i = 0; i < 4; ++i) EXPECT_EQ(outcome.state.file[12 + i], 0x11111111 * (i + 1));
    });
  }
}

TEST(CodeInMemory, MayHoldVariables) {
  for (const Generation generation : generations(Generation::gcn1_2)) {
    SCOPED_TRACE(generation_name(generation));
    Code code(generation, code_base);
    constexpr i64 variable = 52;
    code.memory("s_load_dword", {.sdata = s(12), .sbase = s(4), .offset = variable});
    for (u32 i = 0; i < 2; ++i) {
      code.sop2("s_add_u32", s(12), s(12), number(1));
      code.memory("s_store_dword", {.sdata = s(12), .sbase = s(4), .offset = variable});
      code.memory("s_load_dword", {.sdata = s(13 + i), .sbase = s(4), .offset = variable});
    }
    code.end();
    ASSERT_EQ(code.here(), code_base + variable);
    code.word(70);
    const Prepared given = prepare({&code});
    for_every_run(given, [&](const Outcome& outcome) {
      EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
      EXPECT_EQ(outcome.state.file[13], 71U);
      EXPECT_EQ(outcome.state.file[14], 72U);
      EXPECT_EQ(outcome.memory.read_dword(code_base + variable), 72U);
    });
  }
}

// A run executes the code in memory if it differs from the program.
TEST(CodeInMemory, IsExecuted) {
  for (const Generation generation : all_generations()) {
    Code code(generation, code_base);
    code.word(add_word(generation, 1)).nops(2).end();
    Prepared given = prepare({&code});
    given.memory.write_dword(code_base, add_word(generation, 16));
    for_every_run(given, [&](const Outcome& outcome) { EXPECT_EQ(outcome.state.file[2], 16U); });
    // Without the code in memory, the program is executed.
    EXPECT_EQ(run(given.program, given.initial, Memory{}).state.file[2], 1U);
  }
}

}  // namespace
}  // namespace salu::test
