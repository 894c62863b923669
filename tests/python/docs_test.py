#!/usr/bin/env python3
"""Runs the blocks of Python on docs/reference/python.md, one after the other in one program, and compares what each prints
with the block of text after it. The page names every public name of the package."""
import pathlib
import re
import subprocess
import sys
import tempfile

from interpreter import ROOT, environment, python_with

python = python_with("numpy", "pytest")
PAGE = "docs/reference/python.md"
page = (ROOT / PAGE).read_text()
blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
script = ["import contextlib, io, sys", "shown, wrong = 0, 0"]
for index, (language, text) in enumerate(blocks):
    if language != "python":
        continue
    expected = blocks[index + 1][1] if index + 1 < len(blocks) and blocks[index + 1][0] == "text" else None
    script.append(f"printed = io.StringIO()\nwith contextlib.redirect_stdout(printed):\n"
                  f"    exec(compile({text!r}, 'block {index} of {PAGE}', 'exec'), globals())")
    if expected is not None:
        script.append(f"shown += 1\nif printed.getvalue() != {expected!r}:\n    wrong += 1\n"
                      f"    print('{PAGE}, block {index}:', {text!r}, 'prints', printed.getvalue(), sep='\\n')")
script.append("print(shown, 'blocks with their output')\nsys.exit(wrong != 0 or shown < 8)")
script.append("")
with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    for name in ("programs", "examples"):
        (work / name).symlink_to(ROOT / name)
    for kernel in re.findall(r"^(clang-19 .*)$", page, re.MULTILINE):
        subprocess.run(["sh", "-c", kernel], check=True, cwd=work)
    run = subprocess.run([python, "-c", "\n".join(script)], check=False, cwd=work, capture_output=True, text=True, env=environment())
    print(run.stdout, run.stderr)
    names = subprocess.run([python, "-c", "import salu; print(*salu.__all__)"], check=True, capture_output=True, text=True,
                           env=environment()).stdout.split()
    missing = [name for name in names if not re.search(rf"\b{name}\b", page)]
    if missing:
        print(PAGE, "does not name", *missing)
    sys.exit(run.returncode or bool(missing))
