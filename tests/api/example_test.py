#!/usr/bin/env python3
"""examples/api/machine.cpp prints the values that follow from programs/gcd.yaml and programs/compiled/isqrt.ll by hand."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
EXAMPLE = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parent / "api_machine_example"
# gcd(48, 18): s0 becomes 30 and 12, s1 becomes 6, s0 becomes 6; four rounds of six instructions, and three further
# instructions.
EXPECTED = """\
after 2 steps: s_cmp_gt_u32 s0, s1
scc = 0
end_program after 27 steps, gcd(48, 18) = 6
4 subtractions, s0 was 30 12 6, the last instruction was s_endpgm
isqrt(15) = 3
isqrt(16) = 4
isqrt(1000000007) = 31622
position 47: s0 = 84
position 53: s0 = 63
position 59: s0 = 42
position 65: s0 = 21
ended at position 69
back at position 64: 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1
s0 + s1 = 63
step 59: s_sub_u32 s0, s0, s1
step 53: s_sub_u32 s0, s0, s1
with s0 = 21: ended at position 63
"""


def main():
    files = [ROOT / "programs" / "gcd.yaml", ROOT / "programs" / "compiled" / "isqrt.o"]
    run = subprocess.run([EXAMPLE, *files], check=False, capture_output=True, text=True)
    print(run.stdout, run.stderr)
    if run.returncode != 0:
        return 1
    # The place may have a source line after it.
    found = "".join(line.partition("    //")[0] + "\n" for line in run.stdout.splitlines())
    if found != EXPECTED:
        print("expected:", EXPECTED, sep="\n")
        return 1
    for arguments, code in ((["/no/such/file.yaml", files[1]], 1), ([], 2)):
        if subprocess.run([EXAMPLE, *arguments], check=False, capture_output=True).returncode != code:
            print(f"{arguments}: expected exit code {code}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
