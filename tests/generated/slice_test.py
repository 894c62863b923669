"""A fixed slice of scripts/fuzz-compiler: 4 modules in 8 configurations each. With SALU_SLICE=all, as many modules as it takes
to have each configuration once. SALU_TEST_LLVM is the version of LLVM (19)."""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
sys.dont_write_bytecode = True
import generated_code as code  # noqa: E402
import ir_generator  # noqa: E402
from generator_test import PATTERNS  # noqa: E402

LLVM = int(os.environ.get("SALU_TEST_LLVM", code.LLVM))
IS_WHOLE = os.environ.get("SALU_SLICE") == "all"
FIRST, CONFIGURATIONS = 0, 8
MODULES = len(code.all_configurations(LLVM)) // CONFIGURATIONS if IS_WHOLE else 4
# Well below the measured numbers (docs/development/findings.md).
LEAST_COMPARED_PERCENT, LEAST_RUNS = 80, 4_000 * MODULES
# Operations that are so rare that the slice does not have them, or only in functions that GlobalISel leaves to SelectionDAG.
RARE = {"bswap", "ssub.sat"}


class Slice(unittest.TestCase):
    def test_compiled_code_agrees_with_native_execution(self):
        for tool in (*code.NATIVE_TOOLS, f"llc-{LLVM}", f"opt-{LLVM}"):
            if shutil.which(tool) is None:
                self.skipTest(f"{tool} is not installed (scripts/test installs it)")
        seen = {row for seed in range(FIRST, FIRST + MODULES) for row in code.configurations_for(seed, CONFIGURATIONS, LLVM)}
        if IS_WHOLE:
            self.assertEqual(seen, set(code.all_configurations(LLVM)))

        out = pathlib.Path(os.environ["SALU_WORK"]) / f"slice_findings_{LLVM}"
        compared = out.with_name(f"slice_compared_{LLVM}")
        shutil.rmtree(out, ignore_errors=True)
        result = subprocess.run(
            [sys.executable, ROOT / "scripts" / "fuzz-compiler", "--checker", os.environ["SALU_CHECKER"], "--out", out,
             "--llvm", str(LLVM), "--seed", str(FIRST), "--modules", str(MODULES), "--configurations", str(CONFIGURATIONS), "--no-reduce", "--json",
             "--compared", compared],
            capture_output=True, text=True)
        print(result.stdout, result.stderr, sep="")
        self.assertEqual(result.returncode, 0, f"seed, IR and the command that repeats it are above and in {out}")
        counts = json.loads(result.stdout.splitlines()[-1])
        self.assertEqual(counts["configurations"], MODULES * CONFIGURATIONS)
        self.assertGreaterEqual(counts["agreed"], LEAST_RUNS)
        self.assertGreaterEqual(100 * (counts["scalar"] + counts["vector"]), LEAST_COMPARED_PERCENT * (counts["compilations"] - counts["known defect"]))
        if IS_WHOLE:
            self.look_at(compared.read_text().splitlines(), counts["scalar"] + counts["vector"])

    def look_at(self, compared, expected_count):
        """Checks that results were compared for each operation of the generator."""
        self.assertEqual(len(compared), expected_count)
        texts = {}
        for seed in range(FIRST, FIRST + MODULES):
            texts.update({(str(seed), function.name): function.text for function in ir_generator.generate_module(seed)})
        constructs = {selector: collections.Counter() for selector in code.SELECTORS}
        configurations, widths = collections.Counter(), set()
        for line in compared:
            seed, name, configuration = line.split()
            processor, selector, level = code.parse_configuration(configuration, LLVM)
            configurations.update([(processor, selector), (selector, level)])
            text = texts[seed, name]
            constructs[selector].update(kind for kind, pattern in PATTERNS.items() if re.search(pattern, text))
            widths |= {int(width) for width in re.findall(r"\bi(\d+)\b", text)}
        for selector, counter in constructs.items():
            self.assertEqual(set(PATTERNS) - RARE - set(counter), set(), selector)
        for selector in code.SELECTORS:
            for other in code.processors(LLVM):
                self.assertGreaterEqual(configurations[other, selector], 10, (other, selector))
            for level in code.LEVELS:
                self.assertGreaterEqual(configurations[selector, level], 10, (selector, level))
        self.assertGreaterEqual(len(widths), 40, sorted(widths))


if __name__ == "__main__":
    unittest.main()
