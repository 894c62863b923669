#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/loader_helpers.hpp"

namespace salu {
namespace {

using test::brief;
using test::load_bad;
using test::load_good;
using testing::HasSubstr;
using testing::StartsWith;

/// Three lines of scenario, then `registers:` in line 4.
std::string registers(const std::string& map, const std::string& target = "gfx900") {
  return "target: " + target + "\ncode:\n  asm: 'start: s_endpgm'\nregisters: " + map + "\n";
}

TEST(LoaderRegisters, EveryKindOfValue) {
  const WaveState state = load_good(registers("\n  s1: 7\n"
                                              "  s[2:3]: 0x123456789abcdef0\n"
                                              "  s4: -1\n"
                                              "  s5: 0b1010\n"
                                              "  s6: 1_000\n"
                                              "  s7: {f32: 1.5}\n"
                                              "  s[8:9]: {f64: -2.0}\n"
                                              "  s[10:11]: -2\n"
                                              "  s[12:15]: 0x00112233445566778899aabbccddeeff\n"
                                              "  s[16:19]: [1, -1, start, {f32: 0.5}]\n"
                                              "  s20: start\n"
                                              "  s[22:23]: start\n"
                                              "  s24: \"0x10\"\n"
                                              "  vcc_hi: 3\n"
                                              "  m0: 5\n"
                                              "  scc: 1\n"
                                              "  ttmp[2:3]: 9\n"))
                              .initial;
  EXPECT_EQ(state.file[1], 7U);
  EXPECT_EQ(state.read64(2), 0x123456789abcdef0U);
  EXPECT_EQ(state.file[4], 0xffffffffU);
  EXPECT_EQ(state.file[5], 10U);
  EXPECT_EQ(state.file[6], 1000U);
  EXPECT_EQ(state.file[7], 0x3fc00000U);
  EXPECT_EQ(state.read64(8), 0xc000000000000000U);
  EXPECT_EQ(state.read64(10), 0xfffffffffffffffeU);
  EXPECT_EQ(state.read64(12), 0x8899aabbccddeeffU);
  EXPECT_EQ(state.read64(14), 0x0011223344556677U);
  EXPECT_EQ(state.file[16], 1U);
  EXPECT_EQ(state.file[17], 0xffffffffU);
  EXPECT_EQ(state.file[18], 0x1000U);
  EXPECT_EQ(state.file[19], 0x3f000000U);
  EXPECT_EQ(state.file[20], 0x1000U);
  EXPECT_EQ(state.read64(22), 0x1000U);
  EXPECT_EQ(state.file[24], 0x10U);
  EXPECT_EQ(state.vcc(), u64{3} << 32);
  EXPECT_EQ(state.file[code::m0], 5U);
  EXPECT_TRUE(state.scc);
  EXPECT_EQ(state.read64(110), 9U);
  // Named registers are defined, and no others except EXEC.
  EXPECT_TRUE(state.defined.test(1));
  EXPECT_TRUE(state.defined.test(107));
  EXPECT_FALSE(state.defined.test(106));
  EXPECT_FALSE(state.defined.test(0));
  EXPECT_TRUE(state.defined.test(state_index::scc));
}

TEST(LoaderRegisters, ModesFlagsAndAddresses) {
  const WaveState state = load_good(registers("{csp: 2, vskip: 1, fp_denorm: 15, priv: 1, trap_en: 1, tba: start, tma: "
                                              "0x123456789000, exec: 5, pc: 0x2000}"))
                              .initial;
  EXPECT_EQ(state.mode, 0x500000f0U);
  EXPECT_EQ(state.status, 0x60U);
  EXPECT_EQ(state.tba, 0x1000U);
  EXPECT_EQ(state.tma, 0x123456789000U);
  EXPECT_EQ(state.exec(), 5U);
  EXPECT_EQ(state.pc, 0x2000U);
  // SCC, EXECZ and VCCZ follow their registers, whatever STATUS says.
  const WaveState whole = load_good(registers("{status: 0xffffffff}")).initial;
  EXPECT_EQ(whole.status, 0xfffff9feU);
  EXPECT_FALSE(whole.scc);
}

TEST(LoaderRegisters, PlacesNearALabelAreAddresses) {
  const WaveState state = load_good(registers("{tba: start+0x100, s0: start-4, s1: start+8, pc: start+4}")).initial;
  EXPECT_EQ(state.tba, 0x1100U);
  EXPECT_EQ(state.file[0], 0xffcU);
  EXPECT_EQ(state.file[1], 0x1008U);
  EXPECT_EQ(state.pc, 0x1004U);
  for (const char* wrong : {"start+", "start+x", "start+-4", "start + 4", "+4start"}) {
    EXPECT_FALSE(load_bad(registers("{s0: " + std::string(wrong) + "}")).message.empty()) << wrong;
  }
  EXPECT_THAT(load_bad(registers("{s0: strat+4}")).message, HasSubstr("did you mean `start`"));
  EXPECT_THAT(load_bad(registers("{s0: start+four}")).message, HasSubstr("number of bytes"));
}

TEST(LoaderRegisters, ValuesThatDoNotFitAreErrors) {
  EXPECT_EQ(brief(load_bad(registers("{s0: 0x100000000}"))),
            "4:17: `s0`: `0x100000000` does not fit in 32 bits (-0x80000000 to 0xffffffff)");
  EXPECT_THAT(load_bad(registers("{s0: -2147483649}")).message, HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(load_bad(registers("{scc: 2}")).message, HasSubstr("does not fit in 1 bit (0 or 1)"));
  EXPECT_THAT(load_bad(registers("{csp: 8}")).message, HasSubstr("does not fit in 3 bits (0 to 7)"));
  EXPECT_THAT(load_bad(registers("{vcc: 0x10000000000000000}")).message, HasSubstr("does not fit in 64 bits"));
  EXPECT_EQ(brief(load_bad(registers("{s0: {f64: 1.5}}"))),
            "4:17: `s0` has 32 bits, which is too narrow for a floating-point number of 64 bits; write {f32: 1.5}");
  EXPECT_THAT(load_bad(registers("{s0: {f64: 0}}")).message, HasSubstr("write {f32: 0}"));
  EXPECT_THAT(load_bad(registers("{scc: {f32: 0}}")).message, HasSubstr("`scc` has 1 bit"));
  EXPECT_THAT(load_bad(registers("{s0: {f32: 1e40}}")).message, HasSubstr("does not fit in 32 bits"));
  EXPECT_THAT(load_bad(registers("{\"s[0:1]\": [1]}")).message, HasSubstr("expected 2 dwords, found a list of 1"));
  EXPECT_THAT(
      load_bad(
          registers("{s0: 99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999"
                    "99999999999999999999999999999999999999999999999999999999999999999999999999999999}"))
          .message,
      HasSubstr("512 bits"));
}

TEST(LoaderRegisters, WrongValuesAreNamed) {
  EXPECT_THAT(brief(load_bad(registers("{s0: 1.5}"))),
              StartsWith("4:17: `s0`: `1.5`: a floating-point number needs a format"));
  EXPECT_THAT(load_bad(registers("{s0: 010}")).message, HasSubstr("leading zero"));
  EXPECT_THAT(load_bad(registers("{s0: 12abc}")).message, HasSubstr("`a` is not a decimal digit"));
  EXPECT_THAT(load_bad(registers("{s0: strat}")).message,
              HasSubstr("unknown label or symbol `strat`; did you mean `start`?"));
  EXPECT_THAT(load_bad(registers("{s0: hello world}")).message, HasSubstr("is not a number"));
  EXPECT_THAT(load_bad(registers("{s0: {f8: 1}}")).message, HasSubstr("unknown key `f8`"));
  EXPECT_THAT(load_bad(registers("{s0: {f32: 1, f64: 1}}")).message,
              HasSubstr("write {f16: 1.5}, {f32: 1.5} or {f64: 1.5}"));
  EXPECT_THAT(load_bad(registers("{s0: {f32: x}}")).message, HasSubstr("`x` is not a floating-point number"));
  EXPECT_THAT(load_bad(registers("{s0: ''}")).message, HasSubstr("is not a number"));
  EXPECT_THAT(load_bad(registers("{s0: true}")).message, HasSubstr("unknown label or symbol `true`"));
}

TEST(LoaderRegisters, WrongNamesAreNamed) {
  EXPECT_THAT(brief(load_bad(registers("{\"s[1:2]\": 5}"))), StartsWith("4:13: `s[1:2]` is an odd register pair"));
  EXPECT_THAT(load_bad(registers("{s102: 5}")).message, HasSubstr("unknown register `s102` on gcn1.4"));
  EXPECT_EQ(load_good(registers("{s102: 5}", "tahiti")).initial.file[102], 5U);
  EXPECT_THAT(load_bad(registers("{ttmp12: 5}", "tonga")).message, HasSubstr("unknown register `ttmp12` on gcn1.2"));
  EXPECT_THAT(load_bad(registers("{trapen: 1}")).message, HasSubstr("did you mean `trap_en`"));
  EXPECT_THAT(load_bad(registers("{vccz: 1}")).message, HasSubstr("follows the value of vcc"));
}

TEST(LoaderRegisters, NamesMayOverlapWhenTheyAgree) {
  EXPECT_EQ(load_good(registers("{mode: 0x40000000, csp: 2}")).initial.csp(), 2U);
  EXPECT_EQ(brief(load_bad(registers("{mode: 0, csp: 2}"))),
            "4:22: the value of `csp` contradicts another value for the same bits");
  EXPECT_THAT(load_bad(registers("{csp: 2, mode: 0}")).message, HasSubstr("the value of `mode` contradicts"));
  EXPECT_EQ(load_good(registers("{s0: 1, \"s[0:1]\": 0x200000001}")).initial.file[1], 2U);
  EXPECT_THAT(load_bad(registers("{s0: 1, \"s[0:1]\": 2}")).message, HasSubstr("contradicts"));
  EXPECT_THAT(load_bad(registers("{S0: 1, s0: 2}")).message, HasSubstr("contradicts"));
  EXPECT_THAT(load_bad(registers("{tba: 0x100, tba_hi: 1}")).message, HasSubstr("contradicts"));
  EXPECT_THAT(load_bad(registers("{status: 0, priv: 1}")).message, HasSubstr("contradicts"));
}

TEST(LoaderRegisters, PcIsAnAddressOfInstructions) {
  EXPECT_THAT(load_bad(registers("{pc: 0x1002}")).message, HasSubstr("multiple of 4"));
  EXPECT_THAT(load_bad(registers("{pc: 0x1000000000000}")).message, HasSubstr("48 bits"));
  EXPECT_THAT(load_bad(registers("{pc: 0x10000000000}", "tahiti")).message, HasSubstr("40 bits"));
  EXPECT_EQ(load_good(registers("{pc: start}")).initial.pc, 0x1000U);
}

TEST(LoaderRegisters, Allocation) {
  const Scenario scenario = load_good(registers("{s47: 1}") + "sgprs: 48\n");
  EXPECT_EQ(scenario.initial.sgprs, 48U);
  EXPECT_EQ(brief(load_bad(registers("{s48: 1}") + "sgprs: 48\n")),
            "4:13: `s48` is beyond the allocated SGPRs: `sgprs:` gives the wave s0 to s47");
  EXPECT_THAT(load_bad(registers("{\"s[46:47]\": 1}") + "sgprs: 47\n").message, HasSubstr("beyond the allocated"));
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "sgprs: 0\n").message, HasSubstr("1 to 102"));
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "sgprs: 103\n").message, HasSubstr("1 to 102"));
  EXPECT_EQ(load_good(registers("{s0: 1}", "tahiti") + "sgprs: 104\n").initial.sgprs, 104U);
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "sgprs: -1\n").message, HasSubstr("negative"));
  // VCC never aliases the allocation here.
  EXPECT_EQ(load_good(registers("{vcc: 1}") + "sgprs: 1\n").initial.vcc(), 1U);
}

TEST(LoaderRegisters, AllocationOfVectorRegisters) {
  const WaveState state = load_good(registers("{\"v7[63]\": 1, a3: 2}", "gfx90a") + "vgprs: 8\nagprs: 4\n").initial;
  EXPECT_EQ(state.vgprs, 8U);
  EXPECT_EQ(state.agprs, 4U);
  EXPECT_EQ(load_good(registers("{v255: 1}")).initial.vgprs, 256U);
  EXPECT_EQ(brief(load_bad(registers("{v8: 1}") + "vgprs: 8\n")),
            "4:13: `v8` is beyond the allocated VGPRs: `vgprs:` gives the wave v0 to v7");
  EXPECT_EQ(brief(load_bad(registers("{\"v[7:8]\": 1}") + "vgprs: 8\n")),
            "4:13: `v[7:8]` is beyond the allocated VGPRs: `vgprs:` gives the wave v0 to v7");
  EXPECT_EQ(brief(load_bad(registers("{\"v8[5]\": 1}") + "vgprs: 8\n")),
            "4:13: `v8[5]` is beyond the allocated VGPRs: `vgprs:` gives the wave v0 to v7");
  EXPECT_EQ(brief(load_bad(registers("{a4: 1}", "gfx90a") + "agprs: 4\n")),
            "4:13: `a4` is beyond the allocated AGPRs: `agprs:` gives the wave a0 to a3");
  EXPECT_EQ(brief(load_bad(registers("{a0: 1}", "gfx90a") + "agprs: 0\n")),
            "4:13: `a0` is beyond the allocated AGPRs: `agprs:` gives the wave none");
  EXPECT_EQ(brief(load_bad(registers("{s0: 1}") + "agprs: 4\n")),
            "5:8: gcn1.4 does not have accumulation registers (AGPRs)");
  for (const char* const bad : {"0", "257", "-1", "1.5", "many", "[8]", "{v0: 1}", "~", "''", "4294967304"}) {
    const Error error = load_bad(registers("{s0: 1}") + "vgprs: " + bad + "\n");
    EXPECT_EQ(error.where.line, 5U) << bad;
    EXPECT_THAT(error.message, HasSubstr("vgprs:")) << bad;
    const Error other = load_bad(registers("{s0: 1}", "gfx90a") + "agprs: " + (bad == std::string("0") ? "257" : bad));
    EXPECT_THAT(other.message, HasSubstr("agprs:")) << bad;
  }
}

TEST(LoaderRegisters, HardwareRegisters) {
  const WaveState state =
      load_good(registers("{trapsts: 4}") + "hwregs: {ib_sts: 5, HW_REG_HW_ID: 6, mode: 0x10}\n").initial;
  EXPECT_EQ(state.hwregs[3], 4U);
  EXPECT_EQ(state.hwregs[7], 5U);
  EXPECT_EQ(state.hwregs[4], 6U);
  EXPECT_EQ(state.mode, 0x10U);
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "hwregs: {ib_st: 5}\n").message, HasSubstr("did you mean `IB_STS`"));
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "hwregs: {tba_lo: 5}\n").message, HasSubstr("set under `registers:`"));
  EXPECT_THAT(load_bad(registers("{s0: 1}", "tonga") + "hwregs: {sh_mem_bases: 5}\n").message,
              HasSubstr("no hardware register"));
  EXPECT_THAT(load_bad(registers("{mode: 0}") + "hwregs: {mode: 1}\n").message, HasSubstr("contradicts"));
}

TEST(LoaderRegisters, LimitsAndVectors) {
  const Scenario scenario = load_good(registers("{s0: 1}") + "limits: {steps: 1_000}\non_vector: skip\n");
  EXPECT_EQ(scenario.options.max_steps, 1000U);
  EXPECT_EQ(scenario.options.on_vector, OnVector::skip);
  EXPECT_EQ(load_good(registers("{s0: 1}")).options.max_steps, 10'000'000U);
  EXPECT_EQ(load_good(registers("{s0: 1}")).options.on_vector, OnVector::run);
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "limits: {steps: -5}\n").message, HasSubstr("negative"));
  const Scenario limited = load_good(registers("{s0: 1}") + "limits: {max_steps: 7, max_memory: 64 KiB}\n");
  EXPECT_EQ(limited.options.max_steps, 7U);
  EXPECT_EQ(limited.options.max_memory_bytes, 65'536U);
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "limits: {max_steps: 7, steps: 7}\n").message,
              HasSubstr("`steps:` is the former name of `max_steps:`; omit one of them"));
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "on_vector: ignore\n").message, HasSubstr("`run`, `stop` or `skip`"));
  LoadOptions options;
  options.max_steps = 5;
  EXPECT_EQ(load_good(registers("{s0: 1}") + "limits: {steps: 1000}\n", options).options.max_steps, 5U);
}

TEST(LoaderRegisters, ClocksStartAtTheGivenValue) {
  const Clock clock =
      load_good(registers("{s0: 1}") + "clock: {memtime: 0x100, memrealtime: 7, per_step: 3}\n").options.clock;
  EXPECT_EQ(clock.memtime, 0x100U);
  EXPECT_EQ(clock.memrealtime, 7U);
  EXPECT_EQ(clock.per_step, 3U);
  const Clock plain = load_good(registers("{s0: 1}")).options.clock;
  EXPECT_EQ(plain.memtime, 0U);
  EXPECT_EQ(plain.per_step, 1U);
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "clock: {memtime: -1}\n").message, HasSubstr("negative"));
  EXPECT_THAT(load_bad(registers("{s0: 1}") + "clock: {memtme: 1}\n").message, HasSubstr("did you mean `memtime`"));
}

TEST(LoaderRegisters, MasksCoverTheirValues) {
  const auto expecting = [](const std::string& value) {
    return registers("{}") + "expect: {registers: {" + value + "}}\n";
  };
  EXPECT_EQ(load_good(expecting("s0: {value: 0x10, mask: 0xf0}")).expect->registers[0].mask, 0xf0U);
  EXPECT_THAT(load_bad(expecting("s0: {value: 0x10, mask: 0xf}")).message,
              HasSubstr("the value of `s0` has bits outside of its mask"));
  EXPECT_THAT(load_bad(expecting("\"s[0:3]\": {value: [0, 0, 0, 2], mask: [0, 0, 0, 1]}")).message,
              HasSubstr("outside of its mask"));
  EXPECT_THAT(load_bad(expecting("v2: {value: 2, mask: 1}")).message,
              HasSubstr("the value of `v2`, lane 0, has bits outside of its mask"));
  EXPECT_THAT(load_bad(expecting("v2: {value: [0, 2, 1], mask: 1}")).message,
              HasSubstr("the value of `v2`, lane 1, has bits outside of its mask"));
  EXPECT_EQ(load_good(expecting("v2: {value: [0, 1], mask: 1}")).expect->registers.size(), 2U);
}

TEST(LoaderRegisters, OptionsOverrideLimitsAndVectors) {
  const std::string text = registers("{}") + "limits: {steps: 5}\non_vector: skip\n";
  LoadOptions options;
  EXPECT_EQ(load_good(text, options).options.on_vector, OnVector::skip);
  options.max_steps = 7;
  options.on_vector = OnVector::stop;
  EXPECT_EQ(load_good(text, options).options.max_steps, 7U);
  EXPECT_EQ(load_good(text, options).options.on_vector, OnVector::stop);
}

TEST(LoaderRegisters, SettingsOfTheCommandLineComeLast) {
  LoadOptions options;
  options.set = {"s0=7", "s[2:3]=-1", "scc=1", "pc=start", "s4={f32: 1.5}", "csp=3"};
  const WaveState state = load_good(registers("{s0: 1, mode: 0x10, pc: 0x2000}"), options).initial;
  EXPECT_EQ(state.file[0], 7U);
  EXPECT_EQ(state.read64(2), ~u64{0});
  EXPECT_TRUE(state.scc);
  EXPECT_EQ(state.pc, 0x1000U);
  EXPECT_EQ(state.file[4], 0x3fc00000U);
  EXPECT_EQ(state.mode, 0x60000010U);
  for (const char* wrong : {"s0", "=7", "s0=", "s0=x y", "s0=0x100000000", "s[1:2]=5", "nothing=5", "s0=[1", "pc=2"}) {
    LoadOptions bad;
    bad.set = {wrong};
    const Error error = load_bad(registers("{s0: 1}"), bad);
    EXPECT_EQ(error.code, ErrorCode::usage) << wrong;
    EXPECT_EQ(error.where.file, "--set " + std::string(wrong));
    EXPECT_EQ(error.where.line, 0U);
  }
  options.set = {"s0=1", "s0=2"};
  EXPECT_THAT(load_bad(registers("{s0: 1}"), options).message, HasSubstr("contradicts"));
}

}  // namespace
}  // namespace salu
