"""Units that are compiled for wider processors do not define symbols that other units could be linked with: every
symbol of such a unit is either local or in a separate namespace."""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

LIBRARY = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parents[1] / "lib" / "libsalu_batch.a"


def wide_units():
    """Returns the symbols of each unit for wider processors in the library, each with nm's letter for its kind."""
    listing = subprocess.run(["nm", "-C", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    units = {}
    for line in listing.splitlines():
        if line.endswith(".o:"):
            symbols = units.setdefault(line[:-1], [])
        elif line.strip():
            _, kind, name = line.split(maxsplit=2)
            symbols.append((kind, name))
    return {unit: symbols for unit, symbols in units.items() if "row_loops_avx" in unit}


class WideUnits(unittest.TestCase):
    def test_no_symbol_is_shared(self):
        for unit, symbols in wide_units().items():
            space = "salu_" + unit.split("row_loops_")[1].split(".")[0]
            shared = [name for kind, name in symbols if kind not in "trdbn"]
            self.assertTrue(shared, unit)
            for name in shared:
                self.assertTrue(name.startswith(f"{space}::"), f"{unit}: {name}")


if __name__ == "__main__":
    if shutil.which("nm") is None:
        print("nm is not installed (binutils)")
        sys.exit(77)
    if not wide_units():
        print("this build does not contain wide units: it is not optimised, or not for x86-64")
        sys.exit(77)
    unittest.main()
