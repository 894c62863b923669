#!/usr/bin/env python3
"""examples/c, compiled as strict C99, prints what programs/fork_join.yaml documents: the active lanes before each
instruction, in backward order."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
EXAMPLE = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parent / "c_example"

ALL = (1 << 64) - 1
THEN, ODD, EVEN = 0xFFFF, 0xAAAA, 0x5555
# EXEC before each instruction, in order of execution: the smaller side of a fork runs first, on a tie the side whose
# mask bits are set; a join continues with the other side.
EXPECTED = [ALL] * 3 + [THEN] * 3 + [EVEN] * 2 + [ODD] * 4 + [ALL & ~THEN] * 4 + [ALL]


def main():
    run = subprocess.run([EXAMPLE, ROOT / "programs" / "fork_join.yaml"], check=False, capture_output=True, text=True)
    print(run.stdout, run.stderr)
    if run.returncode != 0:
        return 1
    lines = run.stdout.splitlines()
    if "end_program after 17 steps, 0 expectations failed" not in lines or lines[-1] != "1000000 of 1000000 sums are right":
        return 1
    wanted = [f"{position:3}  " + "".join("#" if exec_mask >> lane & 1 else "." for lane in range(64))
              for position, exec_mask in reversed(list(enumerate(EXPECTED)))]
    # An invalid file, a missing file, and no argument.
    for arguments, code in ((["/no/such/file.yaml"], 1), ([], 2)):
        if subprocess.run([EXAMPLE, *arguments], check=False, capture_output=True).returncode != code:
            print(f"{arguments}: expected exit code {code}")
            return 1
    found = [line for line in lines if line.endswith(("#", "."))]
    if found != wanted:
        print("expected these lanes:", *wanted, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
