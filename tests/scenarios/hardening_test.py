"""What the program is built with against faults in memory, as it stands in the file."""

import os
import shutil
import subprocess
import sys
import unittest

PROGRAM = os.environ["SALU_EXECUTABLE"]
READELF = shutil.which("llvm-readelf-19")
SKIPPED = 77


def read(*options):
    return subprocess.run([READELF, *options, PROGRAM], capture_output=True, text=True, check=True).stdout


class Hardening(unittest.TestCase):
    def test_lies_anywhere(self):
        self.assertIn("DYN (", read("--file-header"))
        self.assertRegex(read("--dynamic-table"), r"FLAGS_1.*\bPIE\b")

    def test_tables_of_functions_are_read_only(self):
        self.assertRegex(read("--dynamic-table"), r"FLAGS_1.*\bNOW\b")
        headers = read("--program-headers")
        self.assertIn("GNU_RELRO", headers)
        stack = next(line for line in headers.splitlines() if "GNU_STACK" in line)
        self.assertNotIn("E", stack.split("GNU_STACK")[1].upper())

    def test_calls_are_checked(self):
        symbols = read("--dyn-symbols")
        self.assertIn("__stack_chk_fail", symbols)
        self.assertRegex(symbols, r"__\w+_chk\b(?<!__stack_chk)")


if __name__ == "__main__":
    if READELF is None or any(name in read("--symbols") for name in ("__asan_init", "__gcov_")):
        print("skipped: there is no llvm-readelf-19, or the program is instrumented")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], "-v"])
