"""tests/data/findings/kernels: each kernel is miscompiled by exactly the LLVM versions that it names, and its scenario
shows the error. Versions other than 19 are tested if they are installed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
FOLDER = pathlib.Path(os.environ["SALU_SOURCE_DIR"]) / "tests" / "data" / "findings" / "kernels"
VERSIONS = [version for version in ("19", "22", "23") if shutil.which(f"llc-{version}")]

if "19" not in VERSIONS:
    print("skipped: llc-19 is not installed (scripts/test installs it)")
    sys.exit(77)


def header(text, key):
    return re.search(rf"^; {key}: (.*)$", text, re.MULTILINE).group(1).split()


class Findings(unittest.TestCase):
    def test_each_is_wrong_in_the_versions_that_it_names(self):
        modules = sorted(FOLDER.glob("*.ll"))
        self.assertGreater(len(modules), 5)
        for module in modules:
            text = module.read_text()
            for version in VERSIONS:
                with self.subTest(module=module.stem, version=version), tempfile.TemporaryDirectory() as temporary:
                    folder = pathlib.Path(temporary)
                    subprocess.run([f"llc-{version}", *header(text, "llc"), "-filetype=obj", module, "-o", folder / f"{module.stem}.o"],
                                   check=True)
                    scenario = shutil.copy(module.with_suffix(".yaml"), folder)
                    made = subprocess.run([SALU, "test", "--color", "never", scenario], capture_output=True, text=True)
                    self.assertEqual(made.returncode, int(version in header(text, "wrong")), made.stdout + made.stderr)


if __name__ == "__main__":
    unittest.main()
