"""`scripts/fuzz` keeps what it came to know, and writes down what it finds.

usage: script_checks.py <folder with the programs of a build>"""

import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = sys.argv.pop()

# Finds something at once, and knows how to make it smaller.
TARGET = """#!/bin/sh
for argument in "$@"; do
  case $argument in
    -artifact_prefix=*) printf 'long input' >"${argument#*=}crash-1"; echo 'AddressSanitizer: it crashed'; exit 77 ;;
    -exact_artifact_path=*) printf 'l' >"${argument#*=}"; exit 0 ;;
  esac
done
echo "again with $(cat "$1")"
exit 77
"""


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def fuzz(self, programs, *targets):
        return subprocess.run([ROOT / "scripts" / "fuzz", "--programs", programs, "--minutes", "0.03", "--seed", "1", "--corpus",
                               self.folder / "corpus", "--out", self.folder / "out", *targets], capture_output=True, text=True, timeout=300,
                              check=False)

    def write_program(self, name, text):
        program = self.folder / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def test_what_is_known_is_kept(self):
        done = self.fuzz(PROGRAMS, "decoder")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"decoder: \d+ inputs, \d+ kept\n0 findings\n")
        self.assertGreater(len(list((self.folder / "corpus" / "decoder").iterdir())), 0)
        self.assertFalse((self.folder / "out").exists())

    def test_a_finding_is_made_small_and_can_be_repeated(self):
        self.write_program("fuzz_run", TARGET)
        done = self.fuzz(self.folder / "bin", "run")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"run: FOUND: crash on 1 bytes; to repeat it: ")
        (finding,) = (self.folder / "out").iterdir()
        self.assertIn("it crashed", (finding / "output.txt").read_text())
        self.assertEqual((finding / "crash-1").read_text(), "long input")
        again = subprocess.run(["sh", finding / "repeat.sh"], capture_output=True, text=True, check=False)
        self.assertEqual((again.returncode, again.stdout), (77, "again with l\n"))

    def test_a_difference_is_kept_with_its_seed(self):
        self.write_program("yaml_trees", "#!/bin/sh\nexit 5\n")
        done = self.fuzz(self.folder / "bin", "yaml")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("yaml_trees ended with 5", (self.folder / "out" / "yaml-1" / "output.txt").read_text())
        self.assertEqual(subprocess.run(["sh", self.folder / "out" / "yaml-1" / "repeat.sh"], capture_output=True, check=False).returncode, 1)

    def test_wrong_usage(self):
        for wrong in (["nothing"], ["--minutes", "0"], ["-j", "0"], ["--seed", "0"]):
            done = self.fuzz(PROGRAMS, *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""), wrong)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
