"""The reports of `--check-hazards`: every format and command, informational findings, paths that join, and the counting
along the path of a run. The numbers are those of tests/data/checks/hazards.tsv."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])

failures = []


def check(condition, *what):
    if not condition:
        failures.append(" ".join(str(each) for each in what))


def salu(*arguments, text=None):
    made = subprocess.run([SALU, *map(str, arguments)], input=text, capture_output=True, text=True, check=False,
                          timeout=60)
    return made.returncode, made.stdout, made.stderr


def scenario(asm, extra="", target="gfx900"):
    lines = "\n".join("    " + line for line in asm.strip().split("\n"))
    return f"target: {target}\ncode:\n  asm: |\n{lines}\n{extra}"


def run_hazards(asm, extra="", target="gfx900", options=()):
    """The hazards of a run, as (id, producer, consumer, needed, found)."""
    _, out, err = salu("run", "--check-hazards", "--format", "json", *options, "-", text=scenario(asm, extra, target))
    if not out:
        sys.exit(f"{asm}: {err}")
    result = json.loads(out)
    check("warnings" in result, asm, result)
    return [(each["hazard"], int(each["producer_pc"], 16), int(each["pc"], 16), each.get("needed"), each.get("found"))
            for each in result.get("warnings", []) if each["kind"] == "hazard"]


def path_hazards(asm, target="gfx900", options=()):
    """The hazards on all paths."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "code.s"
        path.write_text(asm)
        code, out, err = salu("dis", "--check-hazards", "--format", "json", "--mcpu", target, *options, path)
    check(code == 0, asm, err)
    found = []
    for line in out.splitlines():
        each = json.loads(line)
        for hazard in each.get("hazards", []):
            found.append((hazard["hazard"], int(hazard["producer_pc"], 16), int(each["address"], 16),
                          hazard.get("needed"), hazard.get("found")))
    return found


def expect(what, found, *expected):
    check(found == list(expected), what, "expected", list(expected), "found", found)


SETREG = "s_setreg_b32 hwreg(HW_REG_MODE), s4\n"
GETREG = "s_getreg_b32 s5, hwreg(HW_REG_MODE)\n"


def check_formats():
    asm = scenario(SETREG + GETREG + "s_endpgm")
    code, out, _ = salu("run", "--check-hazards", "-", text=asm)
    check(code == 0, "text: code", code)
    check("warning: hazard setreg_getreg at 0x1004" in out, out)
    check("s_setreg_b32 hwreg(HW_REG_MODE), s4 at 0x1000" in out and "; insert s_nop 1" in out, out)
    warning = json.loads(salu("run", "--check-hazards", "--format", "json", "-", text=asm)[1])["warnings"][0]
    check({key: warning[key] for key in ("kind", "hazard", "severity", "needed", "found", "insert")} ==
          {"kind": "hazard", "hazard": "setreg_getreg", "severity": "warning", "needed": 2, "found": 0,
           "insert": "s_nop 1"}, warning)
    check(int(warning["producer_pc"], 16) == 0x1000 and int(warning["pc"], 16) == 0x1004, warning)
    yaml = salu("run", "--check-hazards", "--format", "yaml", "-", text=asm)[1]
    check("hazard: setreg_getreg, severity: warning, producer_pc: 0x1000, needed: 2, found: 0" in yaml, yaml)
    check(json.loads(salu("run", "--format", "json", "-", text=asm)[1])["warnings"] == [], "not asked for")
    # A state with hazards loads back.
    with tempfile.TemporaryDirectory() as folder:
        state = pathlib.Path(folder) / "state.yaml"
        state.write_text(yaml)
        code, _, err = salu("run", "-q", "--state", state, "-", text=asm)
        check(code == 0, "--state:", err)
        page = pathlib.Path(folder) / "page.html"
        source = pathlib.Path(folder) / "f.yaml"
        source.write_text(asm)
        code, _, err = salu("report", "--check-hazards", source, "-o", page)
        check(code == 0 and "setreg_getreg" in page.read_text(), "page", err)
        commands = pathlib.Path(folder) / "commands"
        commands.write_text("stepi 2\ninfo warnings\nreverse-stepi\ninfo warnings\nstepi\ninfo warnings\n")
        code, out, err = salu("debug", "--check-hazards", "--command", commands, source)
        check(code == 0 and out.count("\nhazard at 0x1004") == 2 and out.count("Warning: hazard at 0x1004") == 2 and "No warnings so far." in out, out, err)


def check_stale_vccz():
    """Before GFX10 VCCZ does not follow a write of one half of VCC (LLVM: partialVCCWritesUpdateVCCZ in GCNSubtarget.h,
    s_mov_b64 vcc, vcc from SIInsertWaitcnts.cpp). The warning names the last instruction that wrote a half."""
    state = "registers: {s0: 0x80000, s4: 1, vcc: 0, scc: 1}\nmemory: [{at: 0x80000, words: [0, 1]}]\n"
    branch = "s_cbranch_vccz done\ndone:\ns_endpgm"
    producers = {"s_mov_b32 vcc_lo, s4": 0, "s_mov_b32 vcc_lo, s4\ns_mov_b32 vcc_hi, s4": 4, "s_cmov_b32 vcc_hi, s4": 0,
                 "s_load_dword vcc_hi, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)": 0, "v_readlane_b32 vcc_lo, v0, 0": 0,
                 "s_mov_b32 vcc_lo, s4\ns_mov_b32 s5, src_vccz\ns_nop 0": 0}
    for asm, offset in producers.items():
        text = scenario(asm + "\n" + branch, state)
        warnings = [each for each in json.loads(salu("run", "--format", "json", "-", text=text)[1])["warnings"]
                    if each["kind"] == "stale_vccz"]
        check([int(each["producer_pc"], 16) for each in warnings] == [0x1000 + offset] * len(warnings) and warnings,
              asm, warnings)
    whole = "s_mov_b32 vcc_lo, s4\ns_mov_b64 vcc, vcc\n" + branch
    check(json.loads(salu("run", "--format", "json", "-", text=scenario(whole, state))[1])["warnings"] == [], whole)
    text = scenario("s_nop 0\ns_mov_b32 vcc_lo, s4\n" + branch, state)
    out = salu("run", "-", text=text)[1]
    check("by s_mov_b32 vcc_lo, s4 at 0x1004" in out and "insert s_mov_b64 vcc, vcc" in out, out)
    yaml = salu("run", "--format", "yaml", "-", text=text)[1]
    check("kind: stale_vccz" in yaml and ", producer_pc: 0x1004}" in yaml, yaml)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "state.yaml"
        path.write_text(yaml)
        code, _, err = salu("run", "-q", "--state", path, "-", text=text)
        check(code == 0, "--state:", err)
        source, commands = pathlib.Path(folder) / "f.yaml", pathlib.Path(folder) / "commands"
        source.write_text(text)
        # A reverse step restores the instruction that wrote the half.
        commands.write_text("stepi 2\nreverse-stepi\nstepi 2\ninfo warnings\n")
        code, out, err = salu("debug", "--command", commands, source)
        check(code == 0 and "s_mov_b32 vcc_lo, s4 at 0x1004" in out, out, err)
        page = pathlib.Path(folder) / "page.html"
        code, _, err = salu("report", source, "-o", page)
        check(code == 0 and "s_mov_b32 vcc_lo, s4 at 0x1004" in page.read_text(), "page", err)


def check_conditional_end():
    """A write of all of VCC after the load has returned makes VCCZ valid again; a conditional move writes it if SCC is
    1."""
    asm = """s_load_dword s4, s[0:1], 0x0
s_waitcnt lgkmcnt(0)
s_cmp_eq_u32 s8, 1
s_cmov_b64 vcc, s[10:11]
s_cbranch_vccz done
done:
s_endpgm"""
    state = 'registers: {"s[0:1]": 0x10000, "s[10:11]": 1, vcc: 0, s8: %d}\nmemory: [{at: 0x10000, words: [0]}]\n'
    expect("it writes", run_hazards(asm, state % 1, "tahiti"))
    expect("it does not", run_hazards(asm, state % 0, "tahiti"), ("vccz_after_smem", 0x1000, 0x1010, None, None))


def check_strict_and_expectations():
    asm = SETREG + GETREG + "s_endpgm"
    code, out, _ = salu("run", "--check-hazards", "--strict", "--format", "json", "-", text=scenario(asm))
    stop = json.loads(out)["stop"]
    check(code == 7 and stop["reason"] == "hazard" and int(stop["pc"], 16) == 0x1004, stop)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "t.yaml"

        def test(extra, *options):
            path.write_text(scenario(asm, extra))
            return salu("test", *options, path)

        check(test("")[0] == 0, "test without the check")
        code, out, _ = test("", "--check-hazards")
        check(code == 1 and "hazard setreg_getreg" in out and "at 0x1004" in out and "t.yaml:5" in out, out)
        check(test("checks: [hazards]\n")[0] == 1, "checks: in a scenario")
        check(test("checks: [hazards]\nexpect: {warnings: [hazard]}\n")[0] == 0, "expected")
        check(test("checks: [hazards]\nexpect: {warnings: []}\n")[0] == 1, "unexpected")
        check(test("checks: [undefined]\nexpect: {warnings: [], registers: {s9: 0}}\n")[0] == 1, "checks: undefined")
        check(test("checks: [{undefined: reads}]\nexpect: {warnings: [undefined_read]}\n")[0] == 0, "undefined: reads")
        path.write_text(scenario(asm))
        code, _, err = salu("equiv", "--check-hazards", "--states", 4, "--outputs", "s5", "-o", "-", path, path)
        check(code == 0 and err.count("warning: hazard setreg_getreg at 0x1004") == 2, "equiv", code, err)
        code, _, err = test("checks: [hazard]\n")
        check(code == 3, "an unknown check", code, err)
        code, out, _ = salu("test", "--check-hazards", ROOT / "programs/missing_waits.yaml")
        check(code == 1 and out.count("FAIL") == 2 and "setreg_getreg" in out and "smem_raw" in out, out)
        check("missing_waits.yaml" in out and "insert s_nop 1" in out and "insert s_waitcnt lgkmcnt(0)" in out, out)
        check(salu("test", ROOT / "programs/missing_waits.yaml")[0] == 0, "missing_waits without the check")


def check_information():
    asm = "s_load_dword s4, s[0:1], 0x0\ns_store_dword s6, s[0:1], 0x0\ns_dcache_wb\ns_endpgm"
    memory = "registers: {s0: 0x80000}\nmemory: [{at: 0x80000, size: 64}]\n"
    code, out, _ = salu("run", "--check-hazards", "--strict", "-", text=scenario(asm, memory))
    check(code == 0 and "info: hazard smem_clause_store at 0x1008" in out, out)
    code, out, _ = salu("run", "--check", "--check-hazards", "-",
                        text=scenario(asm, memory + "expect: {warnings: []}\n"))
    check(code == 0, "informational findings are not warnings", out)
    clause = "s_load_dwordx2 s[4:5], s[0:1], 0x0\ns_load_dword s8, s[4:5], 0x0\ns_endpgm"
    for options, expected in (((), True), (("--xnack", "off"), False), (("--xnack", "on"), True)):
        ids = [each[0] for each in path_hazards(clause, options=options)]
        check(("smem_clause_xnack" in ids) == expected, options, ids)
    for feature, expected in (("+", True), ("-", False)):
        text = scenario(clause, "registers: {s0: 0x80000}\nmemory: [{at: 0x80000, words: [0x80000, 0]}]\n")
        _, out, err = salu("run", "--check-hazards", "-", text=text.replace("gfx900", f"gfx900:xnack{feature}"))
        check(("smem_clause_xnack" in out) == expected, "a target ID with", feature, out, err)
    ids = [each[0] for each in path_hazards(clause, target="gfx803")]
    check("smem_clause_xnack" not in ids, "gfx803 has no XNACK", ids)


def check_icache():
    inv = "s_icache_inv\n"
    end = "s_mov_b32 s0, 0\ns_endpgm"
    expect("icache", run_hazards(inv + end), ("icache_inv", 0x1000, 0x1004, 16, 0))
    expect("15 s_nop", run_hazards(inv + "s_nop 0\n" * 15 + end), ("icache_inv", 0x1000, 0x1040, 16, 15))
    expect("one s_nop 15", run_hazards(inv + "s_nop 15\n" + end), ("icache_inv", 0x1000, 0x1008, 16, 1))
    expect("16 s_nop", run_hazards(inv + "s_nop 0\n" * 16 + end))
    expect("a jump", run_hazards(inv + "s_branch next\nnext:\n" + end), ("icache_inv", 0x1000, 0x1008, 16, 0))
    expect("a jump away", run_hazards(inv + "s_branch next\ns_nop 0\nnext:\n" + end))
    expect("not taken", run_hazards("s_cmp_eq_u32 0, 1\n" + inv + "s_cbranch_scc1 next\ns_nop 0\nnext:\n" + end),
           ("icache_inv", 0x1004, 0x1010, 16, 1))
    expect("gfx803", run_hazards(inv + end, target="gfx803"))


def check_paths():
    # One of two paths has too few wait states.
    asm = ("s_cbranch_scc0 other\n" + SETREG + "s_branch both\nother:\n" + SETREG +
           "s_nop 0\ns_nop 0\nboth:\n" + GETREG + "s_endpgm\n")
    expect("meet", path_hazards(asm), ("setreg_getreg", 0x1004, 0x1018, 2, 1))
    # Around a loop.
    asm = "loop:\n" + GETREG + "s_nop 0\n" + SETREG + "s_cbranch_scc1 loop\ns_endpgm\n"
    expect("loop", path_hazards(asm), ("setreg_getreg", 0x1008, 0x1000, 2, 1))
    expect("loop, run", run_hazards("s_cmp_eq_u32 s0, s0\n" + asm,
                                    "limits: {steps: 20}\n"), ("setreg_getreg", 0x100c, 0x1004, 2, 1))
    # A load that one path waits for.
    asm = ("s_load_dword s4, s[0:1], 0x0\ns_cbranch_scc0 both\ns_waitcnt lgkmcnt(0)\nboth:\n"
           "s_mov_b32 s6, s4\ns_endpgm\n")
    expect("one waits", path_hazards(asm), ("smem_raw", 0x1000, 0x1010, None, None))
    # An indirect jump ends a path, and unreachable code is not on a path.
    expect("jump", path_hazards(SETREG + "s_setpc_b64 s[30:31]\n" + GETREG + "s_endpgm\n"))
    # A direct call is followed; after it nothing is pending.
    asm = SETREG + "s_call_b64 s[30:31], callee\n" + GETREG + "s_endpgm\ncallee:\n" + GETREG + "s_setpc_b64 s[30:31]\n"
    expect("call", path_hazards(asm), ("setreg_getreg", 0x1000, 0x1010, 2, 1))
    # A function without a final instruction does not continue with the function after it.
    asm = (".type f,@function\nf:\n" + SETREG + ".size f, .-f\n.type g,@function\ng:\n" + GETREG +
           "s_endpgm\n.size g, .-g\n")
    expect("the next function", path_hazards(asm))
    # Both sides of forks are followed.
    asm = SETREG + "s_cbranch_i_fork s[8:9], other\n" + GETREG + "s_endpgm\nother:\n" + GETREG + "s_endpgm\n"
    expect("fork", path_hazards(asm), ("setreg_getreg", 0x1000, 0x1008, 2, 1), ("setreg_getreg", 0x1000, 0x1010, 2, 1))


def check_state():
    memory = "registers: {s0: 0x80000, m0: 4}\nmemory: [{at: 0x80000, size: 64}]\nsgprs: 48\n"
    load = "s_load_dword s12, s[0:1], 0x0\n"
    # s[8 + M0] is s12, which is known during a run.
    expect("movrels", run_hazards(load + "s_movrels_b32 s5, s8\ns_endpgm", memory), ("smem_raw", 0x1000, 0x1008, None, None))
    expect("movrels, other", run_hazards(load + "s_movrels_b32 s5, s9\ns_endpgm", memory))
    expect("movreld", run_hazards(load + "s_movreld_b32 s8, s5\ns_endpgm", memory), ("smem_waw", 0x1000, 0x1008, None, None))
    # A conditional move that does not move has no effect.
    for compare, expected in (("s_cmp_eq_u32 s2, s2", [("smem_waw", 0x1000, 0x100c, None, None)]),
                              ("s_cmp_lg_u32 s2, s2", [])):
        expect(compare, run_hazards(load + compare + "\ns_cmov_b32 s12, s6\ns_endpgm", memory), *expected)
    # An instruction that VSKIP skips is not a wait state, and has no effects.
    asm = "s_setvskip 1, 0\ns_nop 1\n" + SETREG.replace("MODE", "TRAPSTS, 0, 9") + "v_mov_b32 v0, v1\nv_mov_b32 v0, v1\n" + \
        GETREG.replace("MODE", "TRAPSTS, 0, 9") + "s_endpgm"
    expect("vskip", run_hazards(asm), ("setreg_getreg", 0x1008, 0x1014, 2, 0))
    # A call and its return: two wait states.
    asm = SETREG + "s_call_b64 s[30:31], callee\n" + GETREG + "s_endpgm\ncallee:\ns_setpc_b64 s[30:31]"
    expect("called and back", run_hazards(asm))
    asm = SETREG + "s_call_b64 s[30:31], callee\ns_endpgm\ncallee:\n" + GETREG + "s_setpc_b64 s[30:31]"
    expect("called", run_hazards(asm), ("setreg_getreg", 0x1000, 0x100c, 2, 1))
    expect("partial wait", run_hazards(load + "s_waitcnt lgkmcnt(1)\ns_mov_b32 s6, s12\ns_endpgm", memory),
           ("smem_partial_wait", 0x1000, 0x100c, None, None))
    # One missing wait is reported once.
    expect("once", run_hazards(load + "s_mov_b32 s6, s12\ns_mov_b32 s7, s12\ns_endpgm", memory),
           ("smem_raw", 0x1000, 0x1008, None, None))
    expect("once a loop", run_hazards(
        "s_movk_i32 s2, 5\nloop:\n" + load + "s_mov_b32 s6, s12\ns_sub_u32 s2, s2, 1\ns_cmp_lg_u32 s2, 0\n"
        "s_cbranch_scc1 loop\ns_endpgm", memory), ("smem_raw", 0x1004, 0x100c, None, None))


def check_loops_agree():
    """With a trace or another check, the same hazards are reported as without."""
    text = (ROOT / "programs/missing_waits.yaml").read_text()
    def of(*options):
        lines = salu("run", "--check-hazards", "--format", "json", *options, "-", text=text)[1].splitlines()
        return [[each for each in json.loads(line)["warnings"] if each["kind"] == "hazard"]
                for line in lines if "warnings" in line and "schema" in line]
    plain = of()
    check([len(each) for each in plain] == [0, 1, 1], plain)
    with tempfile.TemporaryDirectory() as folder:
        check(of("--trace-file", pathlib.Path(folder) / "t", "--trace-format", "jsonl") == plain, "with a trace")
    check(of("--check-undefined") == plain, "with another check")
    check(of("--on-vector", "skip") == plain, "with vector instructions passed over")


def check_programs():
    """The shipped programs wait where hardware requires it, except the one that shows a missing wait."""
    _, out, err = salu("test", "--check-hazards", ROOT / "programs")
    failed = {re.match(r"FAIL: (\S+?)[#: ]", line)[1] for line in out.splitlines() if line.startswith("FAIL")}
    check({pathlib.Path(each).name for each in failed} == {"missing_waits.yaml"}, failed, err)


def check_shown():
    """The pages show the actual output."""
    for page in ("docs/reference/checks.md", "docs/how-to/testing.md"):
        blocks = re.findall(r"```\n\$ salu ([^\n]+)\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
        check(blocks, page, "shows nothing")
        for command, shown in blocks:
            made = subprocess.run([SALU, *command.split()], capture_output=True, text=True, check=False, cwd=ROOT)
            check(made.stdout == shown, page, command, "prints", made.stdout)


def check_documented():
    """docs/reference/checks.md lists every hazard, and no others."""
    table = (ROOT / "src/observe/hazards/hazards.def").read_text()
    ids = set(re.findall(r'^SALU_HAZARD\(\w+, "(\w+)"', table, re.MULTILINE))
    page = (ROOT / "docs/reference/checks.md").read_text()
    documented = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    check(ids == documented, "docs/reference/checks.md:", ids ^ documented)
    vectors = {line.split("\t")[0] for line in (ROOT / "tests/data/checks/hazards.tsv").read_text().splitlines()
               if not line.startswith("#")}
    check(ids - vectors <= {"icache_inv", "smem_partial_wait", "cmpx_permlane", "valu_vgpr_permlane"}, "without vectors:", ids - vectors)


def main():
    check_formats()
    check_stale_vccz()
    check_conditional_end()
    check_strict_and_expectations()
    check_information()
    check_icache()
    check_paths()
    check_state()
    check_loops_agree()
    check_programs()
    check_shown()
    check_documented()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
