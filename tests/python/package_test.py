#!/usr/bin/env python3
"""The tests of the Python package with NumPy, and the tests that do not need NumPy once more without it."""
import subprocess
import sys

from interpreter import ROOT, environment, python_with

python = python_with("pytest", "numpy")
tests = ROOT / "tests" / "python" / "suite"
command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", "--strict-markers"]
run = subprocess.run([*command, tests], check=False, capture_output=True, text=True, env=environment())
print(run.stdout, run.stderr)
if run.returncode != 0 or "skipped" in run.stdout:
    sys.exit(1)
without = subprocess.run([*command, tests / "test_run.py", tests / "test_session.py", tests / "test_plain_arrays.py"], check=False,
                         capture_output=True, text=True, env=environment(SALU_TEST_WITHOUT_NUMPY="1"))
print(without.stdout, without.stderr)
sys.exit(without.returncode or "skipped" in without.stdout)
