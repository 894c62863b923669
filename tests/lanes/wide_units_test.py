"""What is compiled for processors with more instructions leaves nothing behind that others could be linked with: every symbol
of such a unit that is not its own alone is in a namespace of its own."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

LIBRARY = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parents[1] / "lib" / "libsalu_lanes.a"


class WideUnits(unittest.TestCase):
    def test_no_symbol_is_shared(self):
        if shutil.which("nm") is None:
            self.skipTest("nm is not installed (binutils)")
        listing = subprocess.run(["nm", "-C", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        units = {}
        for line in listing.splitlines():
            if line.endswith(".o:"):
                unit = line[:-1]
                units[unit] = []
            elif line.strip():
                _, kind, name = line.split(maxsplit=2)
                if kind not in "trdbn":
                    units[unit].append((kind, name))
        wide = {unit: symbols for unit, symbols in units.items() if "kernels_avx" in unit}
        if not wide:
            print("this build has none")
            sys.exit(77)
        for unit, symbols in wide.items():
            space = "salu_" + unit.split("kernels_")[1].split(".")[0]
            self.assertTrue(symbols, unit)
            for kind, name in symbols:
                self.assertTrue(name.startswith(f"{space}::"), f"{unit}: {kind} {name}")


if __name__ == "__main__":
    unittest.main()
