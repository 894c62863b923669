"""The protections against memory errors with which the program is built, read from the file."""

import os
import shutil
import subprocess
import sys
import unittest

PROGRAM = os.environ["SALU_EXECUTABLE"]
READELF = shutil.which("llvm-readelf-19")
# The options of the build; if they are missing, the file alone does not show whether that is an error.
IS_HARDENED = os.environ.get("SALU_HARDENED") == "1"
IS_OPTIMISED = os.environ.get("SALU_OPTIMISED") == "1"
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

    def test_returns_are_checked(self):
        self.assertIn("__stack_chk_fail", read("--dyn-symbols"))

    @unittest.skipUnless(IS_OPTIMISED, "a build without optimisation does not check calls of the library")
    def test_calls_are_checked(self):
        self.assertRegex(read("--dyn-symbols"), r"__\w+_chk\b")


if __name__ == "__main__":
    if READELF is None or not IS_HARDENED:
        print("skipped: " + ("this build is not hardened" if READELF else "llvm-readelf-19 is not installed"))
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], "-v"])
