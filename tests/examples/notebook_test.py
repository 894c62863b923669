#!/usr/bin/env python3
"""examples/notebook/fork_join.ipynb, executed as Jupyter does it: the cells run, the tables are shown, and going back
shows the active lanes that programs/fork_join.yaml expects."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "tests/python"))
from interpreter import LIBRARY, environment, python_with  # noqa: E402

# Starts the kernel in an interpreter that has the required packages.
EXECUTE = """
import sys, nbformat, nbclient
notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        print("CELL", cell["id"], output.output_type)
        print(output.get("text", "") or "".join(output.get("data", {}).get("text/html", "")))
"""

if not LIBRARY.exists():
    print("skipped: Python cannot load a library with a sanitizer, and this build does not have another one")
    sys.exit(77)
python = python_with("nbclient", "nbformat", "ipykernel")
with tempfile.TemporaryDirectory() as home:
    notebook = ROOT / "examples/notebook/fork_join.ipynb"
    run = subprocess.run([python, "-c", EXECUTE, str(notebook)], check=False, cwd=notebook.parent, capture_output=True, text=True,
                         env=environment(HOME=home, IPYTHONDIR=home, JUPYTER_RUNTIME_DIR=home, JUPYTER_PLATFORM_DIRS="1"))
if run.returncode != 0:
    sys.exit(run.stdout + run.stderr)
cells = dict(re.findall(r"^CELL (\S+) \S+\n(.*?)(?=^CELL |\Z)", run.stdout, re.MULTILINE | re.DOTALL))

problems = []


def expect(cell, *texts):
    shown = cells.get(cell, "")
    problems.extend(f"{cell} does not show {text!r}:\n{shown}" for text in texts if text not in shown)


THEN, ELSE, EVEN, ODD, ALL = 0xFFFF, 0xFFFF_FFFF_FFFF_0000, 0x5555, 0xAAAA, 0xFFFF_FFFF_FFFF_FFFF
expect("cell-1", "<table", "nested fork and join", "gfx900")
expect("cell-3", "<table", "end_program", f"{THEN:x}", f"{ODD:x}")
expect("cell-5", "<table", "position 17", "s_endpgm", f"0x{ALL:016x}", "<svg")
# EXEC at positions 0 to 16, from the text of the scenario: `then` is the smaller side, and its even lanes go first;
# `else` is last.
there = [ALL] * 3 + [THEN] * 3 + [EVEN] * 2 + [ODD] * 4 + [ELSE] * 4 + [ALL]
lines = [line.split(None, 2) for line in cells.get("cell-7", "").splitlines() if line.strip()]
if [int(line[0]) for line in lines] != list(range(16, -1, -1)):
    problems.append(f"not every position on the way back: {lines}")
elif [int(line[1], 16) for line in lines] != there[::-1]:
    problems.append("other lanes on the way back:\n" + cells["cell-7"])
expect("cell-9", "<table", "inner_join", f"0x{ODD:016x}")
expect("cell-11", "<table", "s_cbranch_join s37", "s_cbranch_i_fork s[34:35], even")
sys.exit("\n".join(problems) or 0)
