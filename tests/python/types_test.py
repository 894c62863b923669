#!/usr/bin/env python3
"""mypy --strict finds no errors in the package, nor in a program that uses it; and it does find errors in a wrong
program."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from interpreter import PACKAGE, environment, python_with

python = python_with("mypy", "numpy", "pytest")
USES = '''import numpy
import salu

program = salu.assemble("s_endpgm")
value: int = program.run(s0=7).s1
reason: str = program.run().stop.reason
positions = [pause.position for pause in program.session()]
swept = salu.sweep(program, ["s1"], s0=numpy.arange(4), s1=7)
count: int = swept.stops["end_program"]
'''
WRONG = '''import salu

salu.assemble(7)
word: str = salu.run(asm="s_endpgm").steps
'''
with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    (work / "uses.py").write_text(USES)
    (work / "wrong.py").write_text(WRONG)
    # As installed: a checkout would be left with a cache.
    for name in ("salu", "salu_pytest.py"):
        source = PACKAGE / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, work / name)
    command = [python, "-m", "mypy", "--strict", "--python-executable", python, "--cache-dir", str(work / "cache")]
    good = subprocess.run([*command, "salu", "salu_pytest.py", "uses.py"], check=False, cwd=work, capture_output=True, text=True,
                          env=environment(PYTHONPATH=""))
    print(good.stdout, good.stderr)
    bad = subprocess.run([*command, "wrong.py"], check=False, cwd=work, capture_output=True, text=True,
                         env=environment(PYTHONPATH=""))
    if bad.stdout.count("error:") != 2:
        sys.exit(f"expected two errors:\n{bad.stdout}")
    sys.exit(good.returncode)
