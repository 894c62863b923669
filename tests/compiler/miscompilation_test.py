"""examples/miscompilation: the files are the output of the compilers for the C code, and the statements of the tutorial
about them are true."""

import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
SALU = os.environ["SALU_EXECUTABLE"]
FOLDER = ROOT / "examples" / "miscompilation"
SELECTORS = {"sdag": "0", "gisel": "1"}

for tool in ("llc-19", "clang-19"):
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed (scripts/test installs it)")
        sys.exit(77)


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=FOLDER).stdout


def body(ir):
    """The instructions of the function, without source locations."""
    return re.sub(r", !dbg !\d+", "", re.search(r"^entry:\n(.*?)^}", ir, re.DOTALL | re.MULTILINE).group(1))


class Miscompilation(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_the_ir_is_what_clang_makes_of_the_source(self):
        ir = output("clang-19", "--target=amdgcn-amd-amdpal", "-mcpu=gfx900", "-nogpulib", "-O2", "-gline-tables-only",
                    "-fno-discard-value-names", "-emit-llvm", "-S", "smooth.c", "-o", "-")
        self.assertEqual(body(ir), body((FOLDER / "smooth.ll").read_text()))

    def test_the_objects_are_what_llc_makes_of_the_ir(self):
        for selector, number in SELECTORS.items():
            made = self.folder / f"{selector}.o"
            output("llc-19", "-mcpu=gfx900", "-O2", f"-global-isel={number}", "-filetype=obj", "smooth.ll", "-o", made)
            self.assertEqual(output(SALU, "dis", made), output(SALU, "dis", f"smooth_{selector}.o"), selector)

    def test_the_page_shows_what_instruction_selection_does(self):
        text = output("llc-19", "-mcpu=gfx900", "-O2", "-global-isel", "-stop-after=instruction-select", "smooth.ll", "-o", "-")
        text = re.sub(r",? debug-location !\d+", "", text)
        page = (ROOT / "docs/tutorials/miscompilation.md").read_text()
        for line in re.search(r"^```mir\n(.*?)^```", page, re.DOTALL | re.MULTILINE).group(1).splitlines():
            self.assertIn(line + "\n", text)

    def test_one_object_agrees_with_native_execution_and_the_other_does_not(self):
        library = self.folder / "smooth.so"
        output("clang-19", "-O0", "-shared", "-fPIC", "smooth.c", "-o", library)
        native = ctypes.CDLL(str(library)).smooth
        native.restype = ctypes.c_int64
        native.argtypes = [ctypes.c_int64, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32]
        self.assertEqual(native(1 << 32, 0, 0, 0), 27 * 2**32 // 64)
        wrong = 0
        for state, *samples in [(1 << 32, 0, 0, 0), (0, 0, 0, 0), (5, 100, -3, 77), (-(1 << 38), 1, 2, 3), (123456789012, -1, 2**31 - 1, 0),
                                ((1 << 39) - 1, -2**31, -2**31, -2**31), (-7, 0, 0, 0)]:
            expected = native(state, *samples) % 2**64
            self.assertEqual(self.run_in_salu("sdag", state, samples), expected, (state, samples))
            wrong += self.run_in_salu("gisel", state, samples) != expected
        self.assertEqual(self.run_in_salu("gisel", 1 << 32, (0, 0, 0)), 0xffffffff6c000000)
        self.assertGreaterEqual(wrong, 2)

    def run_in_salu(self, selector, state, samples):
        values = [state % 2**32, state // 2**32 % 2**32, *(sample % 2**32 for sample in samples)]
        sets = [text for index, value in enumerate(values) for text in ("--set", f"s{index}={value}")]
        final = json.loads(output(SALU, "run", "--format", "json", "--symbol", "smooth", *sets, f"smooth_{selector}.o"))
        self.assertEqual(final["stop"]["reason"], "returned")
        return int(final["registers"]["s1"], 0) << 32 | int(final["registers"]["s0"], 0)


if __name__ == "__main__":
    unittest.main()
