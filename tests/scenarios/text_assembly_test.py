#!/usr/bin/env python3
"""Assembly from other sources: included files, external symbols, and LLVM's assembler for text that salu's own does not
support."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
failures = []


def salu(*arguments, given="", environment=None):
    result = subprocess.run([SALU, *map(str, arguments)], input=given, capture_output=True, text=True, check=False, timeout=60,
                            env={**os.environ, **(environment or {})})
    return result.returncode, result.stdout, result.stderr


def expect(what, condition, shown=""):
    if not condition:
        failures.append(f"{what}: {shown}")


def expect_run(what, result, code, *texts):
    expect(what, result[0] == code and all(text in result[1] + result[2] for text in texts), result)


def included_files(folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "two.inc").write_text("  s_movk_i32 s2, value\n.include \"three.inc\"\n")
    (folder / "parts" / "three.inc").write_text(".macro three\n  s_movk_i32 s3, 3\n.endm\n")
    (folder / "bytes.bin").write_bytes(bytes(range(12)))
    text = folder / "main.s"
    text.write_text("  s_nop 0\n.include \"parts/two.inc\"\n  three\n  s_endpgm\n.incbin \"bytes.bin\", 4, 4\n")
    words = "0xbf800000\n0xb0020007\n0xb0030003\n0xbf810000\n0x07060504\n"
    result = salu("asm", "--mcpu", "gfx900", "--defsym", "value=7", text)
    expect("files beside the one that includes them", result == (0, words, ""), result)
    (folder / "main2.s").write_text(text.read_text().replace("parts/", "").replace("bytes.bin", str(folder / "bytes.bin")))
    expect_run("a file that is not there", salu("asm", "--mcpu", "gfx900", folder / "main2.s"), 3,
               "main2.s:2:10: error: cannot find file `two.inc` in the folder of the text; -I adds folders to search")
    result = salu("asm", "--mcpu", "gfx900", "--defsym", "value=0x7", "-I", folder, "-I", folder / "parts", folder / "main2.s")
    expect("files of other folders", result == (0, words, ""), result)
    expect_run("a symbol that is not given", salu("asm", "--mcpu", "gfx900", text), 3, "two.inc:1:18: error: 'value' is not defined")
    for wrong in ("value", "=5", "value=", "value=x", "value=0x10000000000000000"):
        expect_run(f"--defsym {wrong}", salu("asm", "--mcpu", "gfx900", "--defsym", wrong, text), 2, "expected NAME=NUMBER")
    expect_run("a folder", salu("asm", "--mcpu", "gfx900", "-", given='.include "/"\n'), 3, "1:10: error:", "directory")
    (folder / "self.s").write_text('.include "self.s"\n')
    expect_run("a file that includes itself", salu("asm", "--mcpu", "gfx900", folder / "self.s"), 3, "nested more than 100 deep")


def scenarios(folder):
    scenario = folder / "one.yaml"
    scenario.write_text("target: gfx900\ncode:\n  file: main.s\n  defsym: {value: 9, unused: -1}\nexpect: {registers: {s2: 9, s3: 3}}\n")
    expect_run("symbols of a scenario", salu("test", scenario), 0)
    inline = folder / "inline.yaml"
    inline.write_text("target: gfx900\ncode:\n  asm: |\n    .include \"two.inc\"\n    three\n    s_endpgm\n"
                      "  include: [parts]\n  defsym: {value: 4}\nexpect: {registers: {s2: 4}}\n")
    expect_run("files of a text in YAML", salu("test", inline), 0)
    expect_run("files in the folder of --root", salu("test", "--root", folder, inline), 0)
    expect_run("files outside of --root", salu("test", "--root", folder / "parts", scenario), 3, "is outside of")
    (folder / "parts" / "inside.yaml").write_text("target: gfx900\ncode: {asm: '.include \"../bytes.bin\"'}\n")
    expect_run("an included file outside of --root", salu("test", "--root", folder / "parts", folder / "parts" / "inside.yaml"), 3,
               "is outside of")
    expect_run("an output that would be included", salu("test", "--junit", folder / "parts" / "two.inc", inline), 2,
               "would be overwritten by")
    for key, wrong, says in (("assembler", "gas", "unknown assembler `gas`; expected auto, salu or llvm"),
                             ("include", "parts", "`include:`"), ("defsym", "[a]", "must be a map"), ("defsym", "{a: b}", "value of a name")):
        inline.write_text(f"target: gfx900\ncode: {{asm: s_endpgm, {key}: {wrong}}}\n")
        expect_run(f"{key}: {wrong}", salu("run", inline), 3, says)
    # Lines of included files are their own; the instructions of a macro are at its use.
    for line, pc in (("two.inc:1", "0x1004"), ("main.s:3", "0x1008")):
        expect_run(f"a breakpoint on {line}", salu("debug", scenario, given=f"break {line}\ncontinue\n"), 0, pc)


UNKNOWN = "start:\n  s_movk_i32 s0, 5\n  v_screen_partition_4se_b32 v0, v1\n.Lend:\n  s_endpgm\n"


def llvm(folder):
    text = folder / "unknown.s"
    text.write_text(UNKNOWN)
    own = salu("asm", "--mcpu", "gfx900", "--assembler", "salu", text)
    expect_run("an instruction that salu does not know", own, 3, "unknown.s:3: error: salu's assembler cannot encode `v_screen_partition_4se_b32 v0, v1`")
    words = "0xb0000005\n0x7e006f01\n0xbf810000\n"
    for assembler in ("auto", "llvm"):
        result = salu("asm", "--mcpu", "gfx900", "--assembler", assembler, text)
        expect(f"the same with {assembler}", result[:2] == (0, words), result)
        expect(f"the message of {assembler}", ("because salu's own assembler does not encode `v_screen_partition_4se_b32 v0, v1`" in result[2]) == (assembler == "auto"), result)
    ran = salu("run", "--mcpu", "gfx900", "--format", "json", text)
    state = json.loads(ran[1])
    expect("a text that LLVM assembled runs up to the unsupported instruction", ran[0] == 6 and state["stop"]["pc"].endswith("1004"), ran)
    expect("its place is in the text", "unknown.s:3" in ran[1] + ran[2], ran)
    expect_run("it starts at a label", salu("run", "--mcpu", "gfx900", "--symbol", "start", text), 6, "v_screen_partition_4se_b32")
    scenario = folder / "llvm.yaml"
    scenario.write_text("target: gfx900\nname: one\ncode:\n  assembler: llvm\n  asm: |\n    .irpc c, 12\n    s_movk_i32 s\\c, \\c\n"
                        "    .endr\n    s_endpgm\nexpect: {registers: {s1: 1, s2: 2}}\n")
    expect_run("LLVM for a text in YAML", salu("test", scenario), 0)
    scenario.write_text("target: gfx900\ncode:\n  assembler: llvm\n  asm: |\n    s_nop 0\n    s_bad s0\n")
    expect_run("errors of LLVM at the places of the file", salu("run", scenario), 3, "llvm.yaml:6:5: error: invalid instruction",
               "    s_bad s0\n    ^")
    expect_run("--assembler is stronger than the file", salu("run", "--assembler", "salu", scenario), 3, "unknown instruction 's_bad'")
    expect_run("LLVM reads all files", salu("run", "--root", folder, scenario), 3, "cannot be used with --root")
    (folder / "other.inc").write_text("  s_nop 0\n  s_worse\n")
    scenario.write_text("target: gfx900\ncode: {assembler: llvm, asm: '.include \"other.inc\"', include: [.]}\n")
    expect_run("errors of LLVM in other files", salu("run", scenario), 3, "other.inc:2:3: error: invalid instruction")


def targets_of_texts(folder):
    text = folder / "target.s"
    for line, code in (('.amdgcn_target "amdgcn-amd-amdhsa--gfx906:sramecc-:xnack+"', 0), ("", 3),
                       ('// .amdgcn_target "amdgcn-amd-amdhsa--gfx906"', 3), (".amdgcn_target gfx906", 3),
                       ('.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"', 3), ('.amdgcn_target "', 3)):
        text.write_text(f"  {line}\n  s_mov_b32 s0, 1\n  s_endpgm\n")
        expected = "on gfx906: end_program" if code == 0 else "error: missing target"
        expect_run(f"a target in the text: {line}", salu("run", text), code, expected)
    text.write_text('.amdgcn_target "amdgcn-amd-amdhsa--gfx906"\ns_endpgm\n')
    expect_run("another one", salu("run", "--mcpu", "tahiti", text), 3, "the text is for gfx906")
    expect_run("info", salu("info", text), 0, "gfx906")


# Texts for both sets of LLVM's symbols test which set is defined, and derive the other from it (as MIOpen's kernels
# do).
SYMBOLS = """.ifdef .option.machine_version_major
.error "defined already"
.endif
s_movk_i32 s0, .option.machine_version_major
.set .option.machine_version_major, .amdgcn.gfx_generation_number + 1
.ifndef .option.machine_version_major
.error "not defined"
.endif
s_movk_i32 s1, .option.machine_version_major
"""

# LLVM rejects .amdhsa_reserve_xnack_mask 0 unless XNACK is off.
XNACK = """  v_screen_partition_4se_b32 v0, v1
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
  .amdhsa_reserve_xnack_mask 0
.end_amdhsa_kernel
"""


def target_features(folder):
    result = salu("asm", "--mcpu", "gfx900", "-", given=SYMBOLS)
    expect("symbols of both kinds", result == (0, "0xb0000009\n0xb001000a\n", ""), result)
    text = folder / "xnack.s"
    text.write_text(XNACK)
    expect_run("LLVM's reason beside salu's own", salu("asm", "--mcpu", "gfx900", text), 3, "'k' is not defined",
               "rejects the text as well: .amdhsa_reserve_xnack_mask does not match target id")
    expect_run("a target ID", salu("asm", "--mcpu", "gfx900:xnack-", text), 0, "0x7e006f01")
    expect_run("a feature that there is not", salu("asm", "--mcpu", "gfx900:wave32-", text), 2, "unknown target `gfx900:wave32-`")
    scenario = folder / "xnack.yaml"
    scenario.write_text("target: gfx900:xnack-\ncode: {file: xnack.s}\nassume: {v_screen_partition_4se_b32: {v0: 1}}\nexpect: {stop: pc_outside_code}\n")
    expect_run("a target ID in a scenario", salu("test", scenario), 0)
    expect_run("another one on the command line", salu("run", "--mcpu", "gfx900:xnack+", scenario), 3, "rejects the text as well")


def without_llvm(folder):
    text = folder / "unknown.s"
    hidden = {"PATH": str(folder), "SALU_LLVM_MC": "none"}
    result = salu("asm", "--mcpu", "gfx900", text, environment=hidden)
    expect_run("the own assembler's errors", result, 3, "unknown.s:3: error: salu's assembler cannot encode `v_screen_partition_4se_b32", "install llvm-mc")
    result = salu("run", "--mcpu", "gfx900", text, environment=hidden)
    expect_run("a run up to an instruction that is not encoded", result, 6, "unsupported_instruction", "unknown.s:3", "v_screen_partition_4se_b32",
               "salu neither executes nor encodes this instruction", "LLVM's assembler may support it", "llvm-19", "a run stops there")
    result = salu("info", text, "--mcpu", "gfx900", environment=hidden)
    expect_run("info names it", result, 0, "not encoded\n  v_screen_partition_4se_b32")
    other = folder / "other.s"
    other.write_text("s_branch end\nv_fma_f16 v0, v2, v4, v5\nend: s_endpgm\n")
    expect_run("a branch around what is not encoded", salu("run", "--mcpu", "gfx900", other, environment=hidden), 0, "end_program")
    other.write_text("v_adc_f64 v[0:1]\n")
    expect_run("a name that no processor has", salu("run", "--mcpu", "gfx900", other, environment=hidden), 3,
               "1:1: error: 'v_adc_f64' is not an instruction that salu supports")
    expect_run("nothing else was asked for", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text, environment=hidden), 3,
               "LLVM's assembler is not installed", "SALU_LLVM_MC")
    expect_run("what needs no LLVM", salu("asm", "--mcpu", "gfx900", "-", given="s_nop 0", environment=hidden), 0, "0xbf800000")
    broken = folder / "llvm-mc-19"
    broken.write_text("#!/bin/sh\nexit 7\n")
    broken.chmod(0o755)
    expect_run("an assembler that fails without a word", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text,
                                                              environment={"SALU_LLVM_MC": str(broken)}), 3, "ended with status 7")
    broken.write_text("#!/bin/sh\nulimit -v >&2\nexit 7\n")
    expect_run("an assembler's memory has an end", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text,
                                                        environment={"SALU_LLVM_MC": str(broken)}), 3, "status 7: 3145728")
    broken.write_text("#!/bin/sh\nkill -9 $$\n")
    expect_run("an assembler that dies", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text,
                                              environment={"SALU_LLVM_MC": str(broken)}), 3, "ended by signal 9")
    broken.write_text("#!/bin/sh\necho nonsense\n")
    expect_run("an assembler that writes no object", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text,
                                                          environment={"SALU_LLVM_MC": str(broken)}), 3, "ELF")


def versions_of_llvm(folder):
    """llvm-mc of several versions: the newest first, then the others until one of them accepts the text."""
    programs = folder / "versions"
    programs.mkdir()
    text = folder / "unknown.s"
    for version, script in (("22", "#!/bin/sh\necho '<stdin>:3:1: error: too new' >&2\nexit 1\n"), ("19", None)):
        program = programs / f"llvm-mc-{version}"
        if script is None:
            program.symlink_to(shutil.which("llvm-mc-19"))
        else:
            program.write_text(script)
            program.chmod(0o755)
    only = {"PATH": str(programs)}
    expect_run("the next version", salu("asm", "--mcpu", "gfx900", text, environment=only), 0, "assembled with", "llvm-mc-19")
    expect_run("--llvm", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", "--llvm", "22", text, environment=only), 3, ":3:1: error: too new")
    expect_run("SALU_LLVM_VERSION", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text,
                                         environment={**only, "SALU_LLVM_VERSION": "22"}), 3, ":3:1: error: too new")
    expect_run("--llvm is stronger", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", "--llvm", "19", text,
                                          environment={**only, "SALU_LLVM_VERSION": "22"}), 0, "0x7e006f01")
    expect_run("a version that is not there", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", "--llvm", "23", text, environment=only), 3,
               "in the version selected by --llvm: llvm-mc-23 is not in PATH")
    expect_run("no version in the variable", salu("asm", "--mcpu", "gfx900", "--assembler", "llvm", text,
                                                  environment={**only, "SALU_LLVM_VERSION": "new"}), 3,
               "SALU_LLVM_VERSION is `new`, which is not a version of LLVM; expected a number such as 22")
    expect_run("no version", salu("asm", "--mcpu", "gfx900", "--llvm", "22.1", text), 2, "--llvm 22.1: expected a version of LLVM, as in --llvm 22")


# Mesa's kernels begin with a header. LLVM 20 and later write symbols into it that are defined at the end of the text.
MESA = """  .text
  .p2align 8
  .type k,@function
  .amdgpu_hsa_kernel k
k:
  .amd_kernel_code_t
    enable_sgpr_kernarg_segment_ptr = 1
    granulated_workitem_vgpr_count = (alignto(max(k.num_vgpr, 1), 4)/4)-1
    user_sgpr_count = 2
    enable_sgpr_workgroup_id_x = 1
    kernarg_segment_byte_size = 8
    wavefront_sgpr_count = 8
    workitem_vgpr_count = k.num_vgpr
  .end_amd_kernel_code_t
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_waitcnt lgkmcnt(0)
  s_load_dword s6, s[4:5], 0x0
  s_waitcnt lgkmcnt(0)
  s_add_u32 s6, s6, s2
  s_endpgm
.Lend:
  .size k, .Lend-k
  .set k.num_vgpr, max(5, 3)
"""


def kernels_with_headers(folder):
    text = folder / "mesa.s"
    text.write_text(MESA)
    subprocess.run(["llvm-mc-19", "-triple=amdgcn-amd-mesa3d", "-mcpu=gfx803", "-filetype=obj", "-o", folder / "mesa.o", "-"],
                          input=MESA.replace("(alignto(max(k.num_vgpr, 1), 4)/4)-1", "1").replace("max(5, 3)", "5"), text=True, check=True)
    scenario = folder / "mesa.yaml"
    results = []
    for name in ("mesa.s", "mesa.o"):
        scenario.write_text(f"target: gfx803\ncode: {{file: {name}}}\nkernel: {{name: k, workgroup_size: [64], args: {{0: {{buffer: 4, words: [40]}}}},"
                            " workgroup_id: [2], grid_size: [256]}\nexpect: {registers: {s6: 42}}\n")
        expect_run(f"a kernel with a header in {name}", salu("test", scenario), 0)
        results.append(salu("info", "--mcpu", "gfx803", folder / name)[1].split("kernel k", 1)[-1])
    expect("text and object agree", results[0] == results[1] and "5 VGPRs" in results[0], results)
    for offset in ("-8", "0", "258", "0x10000"):
        text.write_text(MESA.replace("    user_sgpr_count", f"    kernel_code_entry_byte_offset = {offset}\n    user_sgpr_count"))
        expect_run(f"an entry at {offset}", salu("run", "--mcpu", "gfx803", text), 3, "the header of the kernel `k` (amd_kernel_code_t) has the entry")
    text.write_text(MESA.replace("k:\n", "k:\nj:\n.amdgpu_hsa_kernel j\n"))
    expect_run("a header of two kernels", salu("run", "--mcpu", "gfx803", text), 3, "overlaps another kernel")
    text.write_text(MESA)
    words = salu("asm", "--mcpu", "gfx803", text)
    expect("the header is part of the words", words[0] == 0 and len(words[1].split()) == 64 + 8 and words[1].startswith("0x00000001\n0x00000002\n"), words)


KERNEL = """
target triple = "amdgcn-amd-amdhsa"
@table = internal addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
declare void @llvm.trap()
define internal i32 @twice(i32 %x) noinline optnone {
  %r = mul i32 %x, 2
  ret i32 %r
}
define amdgpu_kernel void @true(ptr addrspace(1) %out, i32 inreg %n) {
  %i = and i32 %n, 3
  %p = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %i
  %v = load i32, ptr addrspace(4) %p
  %t = call i32 @twice(i32 %v)
  store i32 %t, ptr addrspace(1) %out
  ret void
}
define i32 @plain(i32 inreg %x) {
  %r = add i32 %x, 7
  ret i32 %r
}
"""


def texts_of_compilers(folder):
    """The text output of llc behaves like its object output, whichever assembler is used."""
    (folder / "k.ll").write_text(KERNEL)
    for cpu, options in (("gfx803", ["-O0"]), ("gfx900", ["-O2"]), ("gfx90a", ["-O0"]), ("gfx942", ["-O2"])):
        for kind in ("asm", "obj"):
            subprocess.run(["llc-19", f"-mcpu={cpu}", *options, f"-filetype={kind}", "-o", folder / ("k.s" if kind == "asm" else "k.o"),
                            folder / "k.ll"], check=True)
        subprocess.run(["ld.lld-19", "-shared", "-o", folder / "k.so", folder / "k.o"], check=True)
        for more in ("kernel:\n  name: 'true'\n  args: {out: {buffer: 64}, n: 6}\n", ""):
            states = []
            for code in ("file: k.so", "file: k.s, assembler: salu", "file: k.s, assembler: llvm"):
                scenario = folder / "k.yaml"
                symbol = "" if more else ", symbol: plain"
                scenario.write_text(f"target: {cpu}\ncode: {{{code}{symbol}}}\n{more}")
                result = salu("run", "--format", "json", scenario)
                if result[0] != 0:
                    failures.append(f"{cpu}, {code}, {'kernel' if more else 'function'}: {result}")
                    continue
                state = json.loads(result[1])
                results = [state["stop"]["reason"], state["steps"], state["registers"]["exec"]]
                if not more:
                    results.append(state["vector"]["v0"][0])
                states.append(results)
            expect(f"{cpu}: the same with each assembler", len(states) == 3 and states.count(states[0]) == 3, states)
        scenario.write_text(f"target: {cpu}\ncode: {{file: k.s, assembler: salu}}\nkernel:\n  args: {{out: {{buffer: 64, at: 0x300000000}}, n: 6}}\n"
                            "expect:\n  memory: [{at: 0x300000000, words: [60]}]\n")
        expect_run(f"{cpu}: what the kernel leaves", salu("test", scenario), 0)


COMMON = """char one;
int four __attribute__((aligned(16)));
int large __attribute__((aligned(8192)));
unsigned misaligned(void) { return (unsigned)(unsigned long)&four & 15 | (unsigned)(unsigned long)&large & 8191 | one; }
"""
# Data that does not depend on the section is in one that is not loaded, as clang writes some of it.
ELSEWHERE = """.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.weak variable
.text
f:
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, variable@rel32@lo+4
  s_addc_u32 s1, s1, variable@rel32@hi+12
  s_mov_b32 s2, 0x1234
  s_store_dword s2, s[0:1], 0
  s_load_dword s3, s[0:1], 0
  s_waitcnt lgkmcnt(0)
  s_setpc_b64 s[30:31]
.Lend:
  s_mov_b32 s3, 0
.section .AMDGPU.csdata,"",@progbits
.type f,@function
.size f, .Lend-f
.comm variable,8,3
.text
"""


def common_symbols(folder):
    (folder / "common.c").write_text(COMMON)
    (folder / "elsewhere.s").write_text(ELSEWHERE)
    clang = ["clang-19", "-O0", "-fcommon", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", folder / "common.c"]
    subprocess.run([*clang, "-c", "-o", folder / "common.o"], check=True)
    subprocess.run([*clang, "-S", "-o", folder / "common.s"], check=True)
    subprocess.run(["llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "elsewhere.o", folder / "elsewhere.s"],
                   check=True)
    for name, symbol, expected in (("common", "misaligned", "v0: 0"), ("elsewhere", "f", "s3: 0x1234")):
        for code in (f"{name}.o", f"{name}.s, assembler: salu", f"{name}.s, assembler: llvm"):
            (folder / "common.yaml").write_text(f"target: gfx900\ncode: {{file: {code}, symbol: {symbol}}}\n"
                                                f"expect: {{stop: returned, registers: {{{expected}}}}}\n")
            expect_run(f"common symbols of {code}", salu("test", folder / "common.yaml"), 0)


def kernel_descriptors(folder):
    """The kernel descriptions in a text agree with those of LLVM's object."""
    for cpu in ("gfx600", "gfx700", "gfx803", "gfx900"):
        for sgprs in (1, 5, 13, 96):
            (folder / "d.s").write_text(f'.amdgcn_target "amdgcn-amd-amdhsa--{cpu}"\n.type k,@function\nk: s_endpgm\n.size k, 4\n.rodata\n.p2align 6\n.amdhsa_kernel k\n'
                                        f".amdhsa_next_free_vgpr 1\n.amdhsa_next_free_sgpr {sgprs}\n.end_amdhsa_kernel\n")
            subprocess.run(["llvm-mc-19", "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-filetype=obj", "-o", folder / "d.o", folder / "d.s"],
                           check=True)
            words = []
            for code in ("d.s, assembler: salu", "d.o"):
                (folder / "d.yaml").write_text(f"target: {cpu}\ncode: {{file: {code}}}\nregisters: {{'s[0:1]': k.kd}}\n")
                result = salu("debug", folder / "d.yaml", given="x/16 s[0:1]\n")
                words.append([line.split(": ")[1] for line in result[1].splitlines() if ": " in line and line.lstrip().startswith("0x")])
            # The distance to the code depends on the placement of both.
            parts = [part[:1] + part[2:] for part in words]
            expect(f"{cpu}: the descriptor of a kernel with {sgprs} SGPRs", len(parts[0]) > 1 and parts[0] == parts[1], words)


with tempfile.TemporaryDirectory(prefix="salu-text-") as name:
    place = pathlib.Path(name)
    included_files(place)
    scenarios(place)
    llvm(place)
    target_features(place)
    kernel_descriptors(place)
    targets_of_texts(place)
    without_llvm(place)
    versions_of_llvm(place)
    kernels_with_headers(place)
    texts_of_compilers(place)
    common_symbols(place)
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
