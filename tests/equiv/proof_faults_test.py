#!/usr/bin/env python3
"""Proofs are right about programs with a fault in them: a bit of a word is flipped, and trying all inputs says whether that changes
what the program computes. Whatever changes has to be found, nothing of that proved, and nothing else called different.

SALU_PROOF_FAULTS says how many faults are tried (20), SALU_PROOF_SEED which (1)."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
COUNT = int(os.environ.get("SALU_PROOF_FAULTS", "20"))
SEED = int(os.environ.get("SALU_PROOF_SEED", "1"))
INPUTS = ("s0", "s1")
BITS = 8

# Two inputs of eight bits each; the result is s0. What is there besides are a loop, branches, a table and a call.
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


def run(*arguments):
    return subprocess.run([SALU, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


def main():
    chance = random.Random(SEED)
    wrong = []
    seen = {"changed": 0, "harmless": 0, "proved": 0}
    with tempfile.TemporaryDirectory(prefix="salu-faults-") as folder:
        folder = pathlib.Path(folder)
        for turn in range(COUNT):
            name = sorted(PROGRAMS)[turn % len(PROGRAMS)]
            text = folder / f"{name}.s"
            text.write_text(PROGRAMS[name].replace("\n        ", "\n") + "\n")
            right, broken = folder / "right.hex", folder / "broken.hex"
            made = run("asm", text, "--mcpu", "gfx900", "-o", right)
            assert made.returncode == 0, made.stderr
            words = [int(word, 16) for line in right.read_text().splitlines() for word in line.split("#")[0].split()]
            at, bit = chance.randrange(len(words)), chance.randrange(32)
            words[at] ^= 1 << bit
            broken.write_text("".join(f"{word:08x}\n" for word in words))
            common = [right, broken, "--mcpu", "gfx900", "--outputs", "s0", "--max-steps", "2000", "-q"]
            ranges = [part for each in INPUTS for part in ("--exhaustive", f"{each}=0..{(1 << BITS) - 1}")]
            truth = run("equiv", *common, "--set", "s2=0", *ranges).returncode
            inputs = ",".join(f"{each}:{BITS}" for each in INPUTS)
            common[common.index("--max-steps"):common.index("--max-steps") + 2] = []
            proof = run("prove", *common, "--set", "s2=0", "--inputs", inputs, "--seconds", "10", "--rounds", "12").returncode
            where = f"{name}, seed {SEED}, turn {turn}: bit {bit} of word {at}: trying all ends with {truth}, the proof with {proof}"
            if proof not in (0, 1, 3):
                wrong.append(where)
            elif truth == 1:
                seen["changed"] += 1
                # A proof for all inputs of what differs, or of nothing at all.
                if proof != 1:
                    wrong.append(where)
            elif truth == 0:
                seen["harmless"] += 1
                seen["proved"] += proof == 0
                if proof == 1:
                    wrong.append(where)
            elif proof == 0:
                wrong.append(where)
    print(json.dumps(seen))
    print(*wrong, sep="\n")
    if wrong:
        return 1
    # Otherwise nothing has been tried.
    assert seen["changed"] * 4 > COUNT and seen["proved"] > 0, seen
    return 0


if __name__ == "__main__":
    sys.exit(main())
