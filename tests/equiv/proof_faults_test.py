#!/usr/bin/env python3
"""Proofs are correct for programs with injected faults: bits of a word are flipped, and trying all inputs shows whether
the results change. Every change must be found or not proved equal, and nothing else may be reported as different. A
reported difference must be visible in the scenarios that are written.

SALU_PROOF_FAULTS: number of faults (26), SALU_PROOF_SEED: seed (1), SALU_PROOF_PROGRAMS: names of programs (all)."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
COUNT = int(os.environ.get("SALU_PROOF_FAULTS", "26"))
SEED = int(os.environ.get("SALU_PROOF_SEED", "1"))
INPUTS = ("s0", "s1")
BITS = 8
SECONDS = 10

# Two inputs of eight bits each; the result is s0. These programs of words have a loop, branches and a call: all changes
# must be found. Only s2 of the initial state is known.
PROGRAMS = {
    "hash": """
        s_mul_i32 s2, s0, 0x9e3779b1
        s_lshr_b32 s3, s2, 15
        s_xor_b32 s2, s2, s3
        s_add_u32 s2, s2, s1
        s_bfe_u32 s0, s2, 0x100008
        s_endpgm""",
    "clamp": """
        s_sub_i32 s2, s0, s1
        s_cmp_gt_i32 s2, 40
        s_cbranch_scc1 high
        s_max_i32 s0, s2, -40
        s_endpgm
        high:
        s_movk_i32 s0, 40
        s_endpgm""",
    "count": """
        s_or_b32 s2, s0, s1
        s_mov_b32 s0, 0
        loop:
        s_cmp_eq_u32 s2, 0
        s_cbranch_scc1 done
        s_sub_u32 s3, s2, 1
        s_and_b32 s2, s2, s3
        s_addk_i32 s0, 1
        s_branch loop
        done:
        s_endpgm""",
    "wide": """
        s_mov_b32 s3, 0
        s_lshl_b64 s[4:5], s[2:3], s1
        s_add_u32 s4, s4, s0
        s_addc_u32 s5, s5, s1
        s_bcnt1_i32_b64 s6, s[4:5]
        s_flbit_i32_b64 s7, s[4:5]
        s_lshl2_add_u32 s0, s6, s7
        s_endpgm""",
    "call": """
        s_getpc_b64 s[4:5]
        s_add_u32 s4, s4, square-.
        s_addc_u32 s5, s5, 0
        s_swappc_b64 s[6:7], s[4:5]
        s_add_u32 s0, s0, s1
        s_endpgm
        square:
        s_mul_i32 s0, s0, s0
        s_setpc_b64 s[6:7]""",
}


TABLE = 0x10000
ARRAY = 0x20000
SPILLS = 0x30000
MEMORY = [
    {"at": TABLE, "words": [(i * 0x9e3779b1 ^ i << 7) & 0xffffffff for i in range(64)]},
    {"at": ARRAY, "words": [3 * i for i in range(16)], "access": "rw"},
    {"at": SPILLS, "fill": 0, "size": 1024, "access": "rw"},
]
REGISTERS = {
    "s2": 0, "s8": TABLE, "s9": 0, "s12": ARRAY, "s13": 0, "s20": SPILLS, "s21": 0, "s22": 1024, "s23": 0x27000, "s24": 64,
    "v2": [(i * 37 + 11) & 0xff for i in range(64)], "v6": SPILLS, "v7": 0, "v42": [4 * i for i in range(64)],
}
# Programs with memory and lanes: a fault may lead to behaviour that is not supported.
PROGRAMS_WITH_MEMORY = {
    "table": """
        s_and_b32 s2, s0, 63
        s_lshl_b32 s2, s2, 2
        s_load_dword s3, s[8:9], s2
        s_lshr_b32 s4, s1, 4
        s_lshl_b32 s4, s4, 2
        s_load_dwordx2 s[10:11], s[8:9], s4
        s_waitcnt lgkmcnt(0)
        s_add_u32 s0, s3, s10
        s_xor_b32 s0, s0, s11
        s_endpgm""",
    "checked": """
        s_cmp_lt_u32 s0, 16
        s_cbranch_scc0 outside
        s_lshl_b32 s2, s0, 2
        s_load_dword s0, s[12:13], s2
        s_waitcnt lgkmcnt(0)
        s_mul_i32 s0, s0, s1
        s_endpgm
        outside:
        s_sub_u32 s0, s1, s0
        s_endpgm""",
    "array": """
        s_and_b32 s2, s0, 7
        s_lshl_b32 s2, s2, 2
        s_and_b32 s3, s1, 15
        s_lshl_b32 s3, s3, 2
        s_store_dword s1, s[12:13], s2
        s_store_dword s0, s[12:13], s3
        s_dcache_wb
        s_load_dword s4, s[12:13], s2
        s_load_dword s5, s[12:13], 0x14
        s_waitcnt lgkmcnt(0)
        s_lshl_b32 s4, s4, 8
        s_add_u32 s0, s4, s5
        s_endpgm""",
    "widths": """
        s_lshr_b32 s3, s0, 5
        s_lshl_b32 s3, s3, 4
        s_load_dwordx4 s[28:31], s[8:9], s3
        s_load_dwordx8 s[32:39], s[8:9], 0x20
        s_store_dwordx2 s[0:1], s[12:13], 0x8
        s_dcache_wb
        s_load_dwordx16 s[48:63], s[12:13], 0x0
        s_buffer_load_dwordx2 s[64:65], s[20:23], s3
        s_waitcnt lgkmcnt(0)
        s_add_u32 s0, s28, s31
        s_xor_b32 s0, s0, s33
        s_add_u32 s0, s0, s50
        s_lshl_b32 s2, s51, 3
        s_xor_b32 s0, s0, s2
        s_add_u32 s0, s0, s64
        s_endpgm""",
    "spills": """
        v_writelane_b32 v40, s0, 5
        v_writelane_b32 v40, s1, 6
        s_mov_b64 exec, 0xff
        buffer_store_dword v40, v42, s[20:23], s24 offen offset:4
        v_mov_b32 v40, 0
        v_mov_b32 v1, s1
        s_mov_b64 exec, 1
        global_store_dword v[6:7], v1, off offset:8
        s_mov_b64 exec, 0xff
        buffer_load_dword v41, v42, s[20:23], s24 offen offset:4
        global_load_ubyte v3, v[6:7], off offset:8
        s_waitcnt vmcnt(0)
        v_readlane_b32 s2, v41, 5
        v_readlane_b32 s3, v41, 6
        v_readfirstlane_b32 s4, v3
        s_lshl_b32 s4, s4, 16
        s_sub_u32 s0, s2, s3
        s_or_b32 s0, s0, s4
        s_endpgm""",
    "lanes": """
        v_mov_b32 v0, s0
        v_add_u32 v1, v0, v2
        v_cmp_gt_u32 vcc, s1, v1
        v_cndmask_b32 v3, v1, v0, vcc
        v_alignbit_b32 v4, v3, v1, 7
        s_bcnt1_i32_b64 s2, vcc
        v_readlane_b32 s3, v4, 5
        v_readfirstlane_b32 s4, v3
        s_add_u32 s0, s2, s3
        s_xor_b32 s0, s0, s4
        s_endpgm""",
    "masks": """
        v_lshlrev_b32 v0, 2, v2
        v_cmp_eq_u32 s[2:3], s0, v2
        v_cmp_lt_i32 vcc, s1, v2
        s_or_b64 s[2:3], s[2:3], vcc
        s_and_saveexec_b64 s[4:5], s[2:3]
        v_xor_b32 v0, s1, v2
        v_mul_lo_u32 v1, v0, v2
        s_mov_b64 exec, s[4:5]
        v_add_co_u32 v5, vcc, v0, v1
        v_addc_co_u32 v5, vcc, v5, v2, vcc
        v_bfe_u32 v8, v5, 3, 9
        v_max_u32 v8, v8, v0
        v_readlane_b32 s6, v8, 9
        v_readlane_b32 s7, v5, 60
        s_sub_u32 s0, s6, s7
        s_endpgm""",
}

RANDOM = "random"
# Instructions before random ones, and after them to combine their results.
BEFORE_RANDOM = """
        s_mul_i32 s2, s0, 0x9e3779b1
        s_mul_i32 s3, s1, 0x85ebca6b
        s_xor_b32 s4, s2, s1
        s_add_u32 s5, s3, s0
        s_lshl_b32 s6, s1, 13
        s_not_b32 s7, s2"""
AFTER_RANDOM = """
        s_xor_b32 s0, s0, s1
        s_add_u32 s2, s2, s3
        s_xor_b32 s4, s4, s5
        s_add_u32 s6, s6, s7
        s_xor_b32 s0, s0, s2
        s_add_u32 s4, s4, s6
        s_xor_b32 s0, s0, s4
        s_endpgm"""


def run(*arguments):
    return subprocess.run([SALU, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


class Faults:
    def __init__(self, folder):
        self.folder = folder
        self.chance = random.Random(SEED)
        self.wrong = []
        self.seen = {"changed": 0, "found": 0, "harmless": 0, "proved": 0, "given up": 0, "not decided": 0}

    def words(self, name, text):
        path, words = self.folder / f"{name}.s", self.folder / f"{name}.hex"
        path.write_text(text.replace("\n        ", "\n") + "\n")
        made = run("asm", path, "--mcpu", "gfx900", "-o", words)
        assert made.returncode == 0, made.stderr
        return [int(word, 16) for line in words.read_text().splitlines() for word in line.split("#")[0].split()]

    def random_text(self):
        """A dozen words of SOP2, SOP1 and SOPC, most of which are instructions."""
        lines = []
        while len(lines) < 12:
            source = [self.chance.choice((*range(8), *range(8), 129, 135, 160, 193, 196)) for _ in range(2)]
            to = self.chance.randrange(8)
            word = self.chance.choice((
                1 << 31 | self.chance.randrange(52) << 23 | to << 16 | source[1] << 8 | source[0],
                1 << 31 | self.chance.randrange(52) << 23 | to << 16 | source[1] << 8 | source[0],
                0xbe800000 | to << 16 | self.chance.randrange(28) << 8 | source[0],
                0xbf000000 | self.chance.randrange(20) << 16 | source[1] << 8 | source[0]))
            path = self.folder / "one.hex"
            path.write_text(f"{word:08x}\n")
            if "<" not in run("dis", path, "--mcpu", "gfx900").stdout:
                lines.append(f"\n        .long {word:#x}")
        return BEFORE_RANDOM + "".join(lines) + AFTER_RANDOM

    def scenario(self, name, words):
        memory = MEMORY if name in PROGRAMS_WITH_MEMORY else []
        registers = REGISTERS if name in PROGRAMS_WITH_MEMORY else {"s2": 0}
        path = self.folder / "right.yaml"
        path.write_text(json.dumps({"target": "gfx900", "code": {"words": words}, "registers": registers, "memory": memory}))
        return path

    def rarely(self, name, text, broken):
        """The program, and a version that differs only for one value of both inputs, which a few trial runs do not find."""
        values = [self.chance.randrange(1 << BITS) for _ in INPUTS]
        before = f"""s_cmp_eq_u32 s0, {values[0]}
        s_cbranch_scc0 right
        s_cmp_eq_u32 s1, {values[1]}
        s_cbranch_scc1 broken
        right:"""
        return self.words(name, f"{before}{text}\n        broken:\n        s_endpgm")[:-1] + broken

    def try_one(self, name, turn):
        text = self.random_text() if name == RANDOM else {**PROGRAMS, **PROGRAMS_WITH_MEMORY}[name]
        words = self.words(name, text)
        right, broken, shown = self.scenario(name, words), self.folder / "broken.hex", self.folder / "shown.yaml"
        at = self.chance.randrange(len(words))
        bits = self.chance.sample(range(32), self.chance.choice((1, 1, 2)))
        for bit in bits:
            words[at] ^= 1 << bit
        is_rare = self.chance.random() < 0.6
        if is_rare:
            words = self.rarely(name, text, words)
        broken.write_text("".join(f"{word:08x}\n" for word in words))
        outputs = self.chance.choice(("s0", "s0", "s0,memory")) if name in PROGRAMS_WITH_MEMORY else "s0"
        common = [right, broken, "--outputs", outputs, "-q"]
        ranges = [part for each in INPUTS for part in ("--exhaustive", f"{each}=0..{(1 << BITS) - 1}")]
        truth = run("equiv", *common, "--max-steps", "2000", *ranges).returncode
        inputs = ",".join(f"{each}:{BITS}" for each in INPUTS)
        shown.unlink(missing_ok=True)
        proof = run("prove", *common, "--inputs", inputs, "--states", "2", "--seconds", SECONDS, "--rounds", "12", "-o", shown).returncode
        rarely = ", rarely" if is_rare else ""
        where = f"{name}, seed {SEED}, turn {turn}: bits {bits} of word {at}{rarely}: trying all ends with {truth}, the proof with {proof}"
        if os.environ.get("SALU_PROOF_VERBOSE"):
            print(where, flush=True)
        if problem := self.judge(name, truth, proof):
            self.wrong.append(f"{where}: {problem}")
        if proof == 1 and (problem := self.replay(shown)):
            self.wrong.append(f"{where}: {problem}")

    def judge(self, name, truth, proof):
        self.seen["given up"] += proof == 3
        if proof not in (0, 1, 3):
            return "no such exit code"
        if truth == 1:
            self.seen["changed"] += 1
            self.seen["found"] += proof == 1
            return "proved" if proof == 0 else "not found" if proof == 3 and name in PROGRAMS else None
        if truth == 0:
            self.seen["harmless"] += 1
            self.seen["proved"] += proof == 0
            return "no difference" if proof == 1 else None
        # Cannot be tried for all inputs: "proved" means a proof for all inputs, or for none.
        self.seen["not decided"] += 1
        return "proved" if proof == 0 else None

    @staticmethod
    def replay(shown):
        """Returns the error in the scenarios of a difference: the first must pass, and the second must fail, or end
        with a fault."""
        check = run("run", "--check", shown)
        passes = ["expectations hold" in part for part in check.stdout.split("\nB: ")]
        return None if check.returncode != 0 and passes == [True, False] else f"run --check ends with {check.returncode}\n{check.stdout}{check.stderr}"


def main():
    programs = os.environ.get("SALU_PROOF_PROGRAMS")
    names = programs.split() if programs else sorted(PROGRAMS) + sorted(PROGRAMS_WITH_MEMORY) + [RANDOM]
    with tempfile.TemporaryDirectory(prefix="salu-faults-") as folder:
        faults = Faults(pathlib.Path(folder))
        for turn in range(COUNT):
            faults.try_one(names[turn % len(names)], turn)
    print(json.dumps(faults.seen))
    print(*faults.wrong, sep="\n")
    if faults.wrong:
        return 1
    # Otherwise the test would be empty.
    assert faults.seen["found"] * 5 > COUNT and faults.seen["proved"] > 0, faults.seen
    return 0


if __name__ == "__main__":
    sys.exit(main())
