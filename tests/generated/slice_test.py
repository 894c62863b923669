"""A fixed slice of what scripts/fuzz-compiler does without end: sixteen modules, which go through every configuration once."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
sys.dont_write_bytecode = True
import generated_code as code  # noqa: E402

FIRST, MODULES, CONFIGURATIONS = 0, 16, 8
# Well below what was measured (docs/findings.md).
LEAST_SCALAR_PERCENT, LEAST_RUNS = 45, 40_000


class Slice(unittest.TestCase):
    def test_compiled_code_agrees_with_native_execution(self):
        for tool in ("llc-19", "opt-19", "ld.lld-19", "prlimit"):
            if shutil.which(tool) is None:
                self.skipTest(f"{tool} is not installed (scripts/test installs it)")
        seen = {row for seed in range(FIRST, FIRST + MODULES) for row in code.configurations_for(seed, CONFIGURATIONS)}
        self.assertEqual(seen, set(code.all_configurations()))

        out = pathlib.Path(os.environ["SALU_WORK"]) / "slice_findings"
        shutil.rmtree(out, ignore_errors=True)
        result = subprocess.run(
            [sys.executable, ROOT / "scripts" / "fuzz-compiler", "--checker", os.environ["SALU_CHECKER"], "--out", out,
             "--seed", str(FIRST), "--modules", str(MODULES), "--configurations", str(CONFIGURATIONS), "--no-reduce", "--json"],
            capture_output=True, text=True)
        print(result.stdout, result.stderr, sep="")
        self.assertEqual(result.returncode, 0, f"seed, IR and the command that repeats it are above and in {out}")
        counts = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual(counts["configurations"], MODULES * CONFIGURATIONS)
        self.assertGreaterEqual(counts["agreed"], LEAST_RUNS)
        self.assertGreaterEqual(100 * counts["scalar"], LEAST_SCALAR_PERCENT * counts["compilations"])


if __name__ == "__main__":
    unittest.main()
