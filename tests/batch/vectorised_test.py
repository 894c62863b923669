"""Semantic functions become vector code: the loops of the unit for AVX2 work on whole vectors, except those of the
functions that tests/data/batch/scalar_loops.tsv names for the compiler."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

LIBRARY = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parents[1] / "lib" / "libsalu_batch.a"
KNOWN = pathlib.Path(os.environ["SALU_SOURCE_DIR"]) / "tests/data/batch/scalar_loops.tsv"

LOOP = re.compile(r"run_(?:row|halves)<(?:\(.*?\))?&[\w:]*semantics::(?P<function>\w+)[^,]*, (?P<flags>[\w, ]+)>\(")
# The code accesses a row at an index, or computes; it only copies the operands of a call.
WHOLE_VECTOR = re.compile(r"\(%r\w+,%r\w+.*%ymm|%ymm.*\(%r\w+,%r\w+|\tv(?!mov|zero)\w+ .*%ymm")


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def member():
    """Returns the name of the unit in the library; None if the library does not contain it."""
    return next((name for name in output("ar", "t", LIBRARY).splitlines() if "row_loops_avx2" in name), None)


def compiler_of(unit):
    """Returns `gcc 12` or `clang 19`, from the comment that a compiler writes into its objects."""
    comment = output("readelf", "-p", ".comment", unit)
    found = re.search(r"(clang) version (\d+)", comment) or re.search(r"(GCC): .* (\d+)\.\d+\.\d+$", comment, re.MULTILINE)
    return f"{found[1].lower()} {found[2]}"


def scalar_loops(unit):
    """Returns the functions whose loops without a mask, and with all results, do not use whole vectors."""
    loops = {}
    lines = []
    for line in output("objdump", "-d", "-C", "--no-show-raw-insn", unit).splitlines():
        if line.endswith(">:"):
            found = LOOP.search(line)
            lines = loops.setdefault(found["function"], {}).setdefault(found["flags"], []) if found else []
        elif WHOLE_VECTOR.search(line):
            lines.append(line)
    scalar = set()
    for function, variants in loops.items():
        unmasked = [flags.split(", ") for flags in variants if flags.endswith("false")]
        writes_scc = any(flags[-2] == "true" for flags in unmasked)
        for flags in unmasked:
            if flags[-2] == str(writes_scc).lower() and not variants[", ".join(flags)]:
                scalar.add(function)
    return scalar


class Vectorised(unittest.TestCase):
    def test_all_but_the_known(self):
        known = {}
        for line in KNOWN.read_text().splitlines():
            if not line.startswith("#"):
                compiler, functions = line.split("\t")
                known[compiler] = set(functions.split())
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["ar", "x", LIBRARY, member()], check=True, cwd=folder)
            unit = pathlib.Path(folder) / member()
            compiler = compiler_of(unit)
            if compiler not in known:
                self.skipTest(f"nothing is known of {compiler}")
            self.assertEqual(sorted(scalar_loops(unit)), sorted(known[compiler]), compiler)


if __name__ == "__main__":
    missing = [tool for tool in ("ar", "objdump", "readelf") if shutil.which(tool) is None]
    if missing:
        print(f"{', '.join(missing)} not installed (binutils)")
        sys.exit(77)
    if member() is None:
        print("this build lacks row loops for AVX2: it is not optimised, or not for x86-64")
        sys.exit(77)
    unittest.main()
