#include <gtest/gtest.h>

#include <functional>

#include "semantics/code.hpp"

// Accesses that stop the run: the message, and that there was no effect. Also the clocks.
namespace salu::test {
namespace {

constexpr u64 code_base = 0x10000;

/// Every dispatch loop, observed or not.
void for_every_loop(const std::function<void(const RunOptions&)>& visit) {
  RunOptions options;
  for (const Dispatch dispatch : {Dispatch::switched, Dispatch::direct_goto}) {
    options.dispatch = dispatch;
    visit(options);
  }
  options.trace = [](const TraceEvent&) {};
  visit(options);
}

/// Runs code with its base address in s[4:5] and expects a stop before the last instruction has any effect.
void expect_fault(const Code& code, u64 base, const Memory& described, StopReason reason, const std::string& detail) {
  SCOPED_TRACE(generation_name(code.generation()));
  const Program program = program_of({&code});
  Memory memory = described;
  ASSERT_TRUE(place_code(program, memory));
  WaveState initial = initial_state(code.generation());
  initial.pc = code.base();
  initial.write64(4, base);
  initial.write64(8, 0x0123456789abcdef);
  initial.write64(10, 0xfedcba9876543210);
  for_every_loop([&](const RunOptions& options) {
    const Outcome outcome = run(program, initial, memory, options);
    EXPECT_EQ(outcome.stop.reason_name(), stop_reason_name(reason));
    EXPECT_EQ(outcome.stop.detail, detail);
    EXPECT_EQ(outcome.stop.pc, code.base());
    EXPECT_FALSE(outcome.stop.instruction.empty());
    EXPECT_EQ(outcome.steps, 1U);
    EXPECT_TRUE(outcome.warnings.empty());
    EXPECT_EQ(difference(initial, outcome.state), "");
    EXPECT_TRUE(outcome.memory == memory);
  });
}

Code one(Generation generation, std::string_view mnemonic, const MemoryFields& fields) {
  Code code(generation, code_base);
  code.memory(mnemonic, fields).end();
  return code;
}

Memory regions(const std::vector<MemoryRegion>& list) {
  Memory memory;
  for (const MemoryRegion& region : list) EXPECT_TRUE(memory.add_region(region));
  return memory;
}

const MemoryFields in_s8{.sdata = s(8), .sbase = s(4), .offset = 0};

TEST(MemoryFaults, NameTheAddressTheNearestMemoryAndTheDistance) {
  const Memory memory = regions({{0x20000, 0x100}, {0x30000, 0x100}});
  for (const Generation generation : all_generations()) {
    const Code load = one(generation, "s_load_dword", in_s8);
    const auto stops = StopReason::unmapped_memory;
    expect_fault(load, 0x20100, memory, stops,
                 "0x20100 is not mapped; the nearest memory is 0x20000 to 0x200ff, 1 byte below");
    expect_fault(load, 0x20200, memory, stops,
                 "0x20200 is not mapped; the nearest memory is 0x20000 to 0x200ff, 257 bytes below");
    expect_fault(load, 0x2fff0, memory, stops,
                 "0x2fff0 is not mapped; the nearest memory is 0x30000 to 0x300ff, 16 bytes above");
    expect_fault(load, 0x1fffc, memory, stops,
                 "0x1fffc is not mapped; the nearest memory is 0x20000 to 0x200ff, 4 bytes above");
    // The nearest memory is the code itself.
    const std::string last = is_gcn1_2_or_later(generation) ? "0x1000b" : "0x10007";
    const std::string distance = is_gcn1_2_or_later(generation) ? "4085" : "4089";
    expect_fault(load, 0x11000, memory, stops,
                 "0x11000 is not mapped; the nearest memory is 0x10000 to " + last + ", " + distance + " bytes below");
    // The message has the truncated address.
    expect_fault(load, 0xffff000000020200, memory, stops,
                 "0x20200 is not mapped; the nearest memory is 0x20000 to 0x200ff, 257 bytes below");
  }
}

TEST(MemoryFaults, NameTheDwordThatIsMissing) {
  const Memory memory = regions({{0x20000, 0x100}, {0x20200, 0x100}});
  for (const Generation generation : all_generations()) {
    const Code load = one(generation, "s_load_dwordx4", in_s8);
    expect_fault(load, 0x200f4, memory, StopReason::unmapped_memory,
                 "0x20100 (dword 3 of the access at 0x200f4) is not mapped; the nearest memory is 0x20000 to 0x200ff, "
                 "1 byte below");
    expect_fault(load, 0x201f8, memory, StopReason::unmapped_memory,
                 "0x201f8 is not mapped; the nearest memory is 0x20200 to 0x202ff, 8 bytes above");
    // A gap in the middle.
    const Code wide = one(generation, "s_load_dwordx16", {.sdata = s(24), .sbase = s(4), .offset = 0});
    expect_fault(wide, 0x20300, regions({{0x20300, 8}, {0x20310, 0x100}}), StopReason::unmapped_memory,
                 "0x20308 (dword 2 of the access at 0x20300) is not mapped; the nearest memory is 0x20300 to 0x20307, "
                 "1 byte below");
  }
}

TEST(MemoryFaults, KnowRegionsThatEndWithinADword) {
  for (const Generation generation : all_generations()) {
    const Code load = one(generation, "s_load_dword", in_s8);
    expect_fault(load, 0x20004, regions({{0x20000, 6}}), StopReason::unmapped_memory,
                 "0x20006 (dword 0 of the access at 0x20004) is not mapped; the nearest memory is 0x20000 to 0x20005, "
                 "1 byte below");
    expect_fault(load, 0x20000, regions({{0x20003, 6}}), StopReason::unmapped_memory,
                 "0x20000 is not mapped; the nearest memory is 0x20003 to 0x20008, 3 bytes above");
  }
}

TEST(MemoryFaults, KeepReadOnlyMemory) {
  const Memory memory = regions({{0x20000, 0x100}, {0x20100, 0x100, Access::read}});
  const auto stops = StopReason::write_protected;
  for (const Generation generation : generations(Generation::gcn1_2)) {
    const Code store = one(generation, "s_store_dwordx4", in_s8);
    expect_fault(store, 0x20100, memory, stops, "0x20100 is in the read-only memory at 0x20100 to 0x201ff");
    expect_fault(store, 0x200f8, memory, stops,
                 "0x20100 (dword 2 of the access at 0x200f8) is in the read-only memory at 0x20100 to 0x201ff");
    expect_fault(store, 0x201fc, memory, stops, "0x201fc is in the read-only memory at 0x20100 to 0x201ff");
    // A dword whose upper half is read-only.
    const Memory halves = regions({{0x20000, 6}, {0x20006, 0x100, Access::read}});
    expect_fault(store, 0x20004, halves, stops,
                 "0x20006 (dword 0 of the access at 0x20004) is in the read-only memory at 0x20006 to 0x20105");
    if (!is_gfx9(generation)) continue;
    const Code atomic = one(generation, "s_atomic_cmpswap", {.sdata = s(8), .sbase = s(4), .offset = 0, .glc = true});
    expect_fault(atomic, 0x20100, memory, stops, "0x20100 is in the read-only memory at 0x20100 to 0x201ff");
  }
}

TEST(MemoryFaults, ReportTheOffset) {
  const Memory memory = regions({{0x20000, 0x100}});
  for (const Generation generation : generations(Generation::gcn1_4)) {
    const Code load = one(generation, "s_load_dword", {.sdata = s(8), .sbase = s(4), .offset = -8, .soffset = s(12)});
    expect_fault(load, 0x20080, memory, StopReason::illegal_operand,
                 "the offset is -8 bytes; it must not be negative with an offset register or a buffer");
  }
}

TEST(MemoryFaults, ReportMissingMemory) {
  const Code load = one(Generation::gcn1_4, "s_load_dword", in_s8);
  WaveState initial = initial_state(Generation::gcn1_4);
  const Outcome outcome = run_code(load, initial);
  EXPECT_EQ(outcome.stop.reason, StopReason::unmapped_memory);
  EXPECT_EQ(outcome.stop.detail, "0x0 is not mapped; no memory is mapped");
}

// A load in the middle of a block that has been charged as a whole.
TEST(MemoryFaults, CountTheStepsBeforeThem) {
  for (const Generation generation : all_generations()) {
    Code code(generation, code_base);
    code.sop1("s_mov_b32", s(2), number(1));
    code.memory("s_load_dword", {.sdata = s(3), .sbase = s(4), .offset = 0});
    code.sop1("s_mov_b32", s(6), number(2));
    const u64 fault = code.here();
    code.memory("s_load_dword", {.sdata = s(7), .sbase = s(8), .offset = 0});
    code.nops(5).end();
    const Program program = program_of({&code});
    Memory memory;
    ASSERT_TRUE(place_code(program, memory));
    WaveState initial = initial_state(generation);
    initial.pc = code.base();
    initial.write64(4, code_base);
    initial.write64(8, 0x900000);
    for_every_loop([&](const RunOptions& options) {
      const Outcome outcome = run(program, initial, memory, options);
      EXPECT_EQ(outcome.stop.reason, StopReason::unmapped_memory);
      EXPECT_EQ(outcome.stop.pc, fault);
      EXPECT_EQ(outcome.steps, 4U);
      EXPECT_EQ(outcome.state.file[3], code.words()[0]);
      EXPECT_EQ(outcome.state.file[6], 2U);
      EXPECT_TRUE(outcome.state.defined[3] && outcome.state.defined[6]);
      EXPECT_FALSE(outcome.state.defined[7]);
    });
  }
}

// ---- the clocks ----

/// A clock in the middle of a block, in a loop, and after a skipped vector instruction; results in s[10:11], s[12:13],
/// ...
Code clock_program(Generation generation, std::string_view mnemonic) {
  Code code(generation, code_base);
  code.memory(mnemonic, {.sdata = s(10)});                  // step 0
  code.nops(2).memory(mnemonic, {.sdata = s(12)}).nops(1);  // step 3
  const u64 loop = code.here();
  code.sop2("s_add_u32", s(2), s(2), number(1));
  code.memory(mnemonic, {.sdata = s(14)});  // step 6, then every 4
  code.sopc("s_cmp_lg_u32", s(2), number(10));
  const u64 back = code.here();
  code.sopp("s_cbranch_scc1", 0);
  code.aim(back, loop);
  code.word(0x7e000000);  // step 45: v_nop
  code.memory(mnemonic, {.sdata = s(16)}).end();
  return code;
}

TEST(Clocks, CountTheInstructionsBeforeThem) {
  for (const Generation generation : all_generations()) {
    for (const std::string mnemonic : {"s_memtime", "s_memrealtime"}) {
      if (find_opcode_row(generation, mnemonic) == nullptr) continue;
      SCOPED_TRACE(mnemonic + " on " + std::string(generation_name(generation)));
      const Code code = clock_program(generation, mnemonic);
      const Program program = program_of({&code});
      WaveState initial = initial_state(generation);
      initial.pc = program.entry;
      for_every_loop([&](RunOptions options) {
        options.on_vector = OnVector::skip;
        const Outcome plain = run(program, initial, Memory{}, options);
        EXPECT_EQ(plain.stop.reason, StopReason::end_program) << plain.stop.detail;
        EXPECT_EQ(plain.state.read64(10), 0U);
        EXPECT_EQ(plain.state.read64(12), 3U);
        EXPECT_EQ(plain.state.read64(14), 6U + 9 * 4);
        EXPECT_EQ(plain.state.read64(16), 46U);
        EXPECT_EQ(plain.steps, 48U);
        EXPECT_EQ(warning_names(plain),
                  "no_functional_effect no_functional_effect no_functional_effect no_functional_effect");

        options.clock = {0x1fffffffd, 0xfffffffffffffffe, 0x10000};
        const u64 start = mnemonic == "s_memtime" ? options.clock.memtime : options.clock.memrealtime;
        const Outcome set = run(program, initial, Memory{}, options);
        EXPECT_EQ(set.state.read64(10), start);
        EXPECT_EQ(set.state.read64(12), start + 0x30000);
        EXPECT_EQ(set.state.read64(16), start + 0x2e0000);
        options.clock.per_step = 0;
        EXPECT_EQ(run(program, initial, Memory{}, options).state.read64(16), start);

        options.clock = {};
        options.strict = true;
        const Outcome strict = run(program, initial, Memory{}, options);
        EXPECT_EQ(strict.stop.reason_name(), "no_functional_effect");
        EXPECT_EQ(strict.steps, 1U);
      });
    }
  }
}

TEST(Clocks, GoOnWhereALimitEndedTheRun) {
  const Code code = clock_program(Generation::gcn1_4, "s_memtime");
  const Program program = program_of({&code});
  WaveState initial = initial_state(Generation::gcn1_4);
  initial.pc = program.entry;
  for_every_loop([&](RunOptions options) {
    options.on_vector = OnVector::skip;
    // With a limit within a block, the rest of the run is executed step by step.
    for (u64 limit = 1; limit < 48; ++limit) {
      options.max_steps = limit;
      const Outcome outcome = run(program, initial, Memory{}, options);
      EXPECT_EQ(outcome.steps, limit);
      const u64 rounds = limit < 7 ? 0 : std::min<u64>((limit - 7) / 4, 9);
      EXPECT_EQ(outcome.state.read64(14), limit < 7 ? 0 : 6 + 4 * rounds) << limit;
    }
  });
}

}  // namespace
}  // namespace salu::test
