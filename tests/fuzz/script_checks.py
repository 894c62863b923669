"""`scripts/fuzz` keeps its corpus, and records its findings.

usage: script_checks.py <folder with the programs of a build>"""

import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import yaml
    HAS_LIBYAML = yaml.__with_libyaml__
except ImportError:
    HAS_LIBYAML = False

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = sys.argv.pop()

# Replacements for libFuzzer targets, whose findings do not depend on time. The first one finds a crash at once, and can
# minimise it.
FINDS = """#!/bin/sh
for argument in "$@"; do
  case $argument in
    -artifact_prefix=*) printf 'long input' >"${argument#*=}crash-1"; echo 'AddressSanitizer: it crashed'; exit 77 ;;
    -exact_artifact_path=*) printf 'l' >"${argument#*=}"; exit 0 ;;
  esac
done
for last in "$@"; do :; done
echo "again with $(cat "$last") and $1 $2"
exit 77
"""
# The same, but it is interrupted while minimising.
IS_STOPPED = """#!/bin/sh
for argument in "$@"; do
  case $argument in
    -artifact_prefix=*) printf 'long input' >"${argument#*=}crash-1"; exit 77 ;;
    -exact_artifact_path=*)
      printf 'half' >"${argument#*=}"
      echo $$ >"$0.new" && mv "$0.new" "$0.reached"
      exec sleep 1000
      ;;
  esac
done
"""
GOES_ON = """#!/bin/sh
echo $$ >"$0.new" && mv "$0.new" "$0.reached"
exec sleep 1000
"""
# Ends with a timeout of an input, after a slow one.
TAKES_LONG = """#!/bin/sh
for argument in "$@"; do
  case $argument in
    -artifact_prefix=*) echo slow >"${argument#*=}slow-unit-1"; echo long >"${argument#*=}timeout-1"; exit 70 ;;
  esac
done
"""
# Learns two inputs, one of which covers as much as both, and tries more if that one is known.
LEARNS = """#!/bin/sh
merges=false
for argument in "$@"; do
  case $argument in
    -merge=1) merges=true ;;
    -*) ;;
    *) if [ -z "$first" ]; then first=$argument; else second=$argument; fi ;;
  esac
done
if $merges; then cp "$second/new" "$first/merged"; exit 0; fi
if [ -e "$first/merged" ]; then runs=8; else runs=7; fi
echo 1 >"$first/new"
echo 2 >"$first/other"
echo "stat::number_of_executed_units: $runs"
"""


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.programs = self.folder / "bin"

    def command(self, programs, *arguments):
        return [ROOT / "scripts" / "fuzz", "--programs", programs, "--minutes", "0.03", "--seed", "1", "--corpus",
                self.folder / "corpus", "--out", self.folder / "out", *arguments]

    def fuzz(self, programs, *arguments, **settings):
        return subprocess.run(self.command(programs, *arguments), capture_output=True, text=True, timeout=300,
                              check=False, **settings)

    def write_program(self, name, text):
        program = self.programs / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def repeat(self, folder):
        return subprocess.run(["sh", folder / "repeat.sh"], cwd="/", capture_output=True, text=True, check=False)

    def test_a_target(self):
        done = self.fuzz(PROGRAMS, "decoder")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"decoder: \d+ inputs, \d+ kept\n0 findings\n")
        self.assertFalse((self.folder / "out").exists())

    def test_what_is_known_is_kept(self):
        self.write_program("fuzz_decoder", LEARNS)
        for runs in (7, 8):
            done = self.fuzz(self.programs, "decoder")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            self.assertIn(f"decoder: {runs} inputs, 1 kept\n0 findings\n", done.stdout)
            kept = {path.name: path.read_text() for path in (self.folder / "corpus" / "decoder").iterdir()}
            self.assertEqual(kept, {"merged": "1\n"})

    def test_a_finding_is_made_small_and_can_be_repeated(self):
        self.write_program("fuzz_run", FINDS)
        done = self.fuzz(self.programs, "run", "--out", "found", cwd=self.folder)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"run: FOUND: crash on 1 bytes; to repeat it: ")
        (finding,) = (self.folder / "found").iterdir()
        self.assertIn("it crashed", (finding / "output.txt").read_text())
        self.assertEqual((finding / "crash-1").read_text(), "long input")
        again = self.repeat(finding)
        self.assertEqual((again.returncode, again.stdout), (77, "again with l and -timeout=60 -rss_limit_mb=2560\n"))

    def test_what_is_slow_is_no_finding(self):
        self.write_program("fuzz_run", TAKES_LONG)
        done = self.fuzz(self.programs, "run")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("run: FOUND: timeout on 5 bytes", done.stdout)
        (finding,) = (self.folder / "out").iterdir()
        self.assertEqual(sorted(path.name for path in finding.iterdir()), ["output.txt", "repeat.sh", "timeout-1"])

    def test_what_was_found_before_it_is_stopped(self):
        self.write_program("fuzz_run", IS_STOPPED)
        self.write_program("fuzz_elf", GOES_ON)
        self.write_program("fuzz_decoder", LEARNS)
        signs = [self.programs / "fuzz_run.reached", self.programs / "fuzz_elf.reached"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with subprocess.Popen(self.command(self.programs, "-j", "2", "run", "elf", "decoder"), text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)) as process:
                while process.poll() is None and not all(sign.exists() for sign in signs):
                    time.sleep(0.01)
                process.send_signal(number)
                out, err = process.communicate(timeout=300)
            self.assertEqual((process.returncode, err), (1, ""), out)
            self.assertRegex(out, r"run: FOUND: crash on 10 bytes; ")
            self.assertRegex(out, r"elf: stopped\n(.*\n)*1 finding\n$")
            # No process is left.
            for sign in signs:
                with self.assertRaises(ProcessLookupError):
                    os.kill(int(sign.read_text()), 0)
                sign.unlink()

    @unittest.skipUnless(HAS_LIBYAML, "there is no python3-yaml with libyaml")
    def test_a_difference_is_kept_with_its_seed(self):
        self.write_program("yaml_trees", "#!/bin/sh\nexit 5\n")
        done = self.fuzz(self.programs, "yaml")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        finding = self.folder / "out" / "yaml-1"
        self.assertIn("yaml_trees ended with 5", (finding / "output.txt").read_text())
        self.assertEqual(self.repeat(finding).returncode, 1)

    def test_a_check_that_skips_is_no_finding(self):
        self.write_program("yaml_trees", "#!/bin/sh\nexit 5\n")
        (self.folder / "yaml.py").write_text("raise ImportError('there is no yaml')\n")
        done = self.fuzz(self.programs, "yaml", env={**os.environ, "PYTHONPATH": str(self.folder)})
        self.assertEqual((done.returncode, done.stderr), (2, ""), done.stdout)
        self.assertRegex(done.stdout, r"yaml: not tried: skipped: there is no yaml; .*\n0 findings\n")
        self.assertFalse((self.folder / "out").exists())

    def test_a_target_that_cannot_be_tried(self):
        self.write_program("fuzz_elf", FINDS)
        self.write_program("fuzz_run", FINDS)
        (self.folder / "corpus").mkdir()
        (self.folder / "corpus" / "elf").write_text("no folder")
        done = self.fuzz(self.programs, "elf")
        self.assertEqual((done.returncode, done.stderr), (2, ""), done.stdout)
        self.assertRegex(done.stdout, r"elf: not tried: .*File exists.*\n0 findings\n")
        done = self.fuzz(self.programs, "elf", "run")
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)
        self.assertIn("elf: not tried: ", done.stdout)
        self.assertIn("run: FOUND: crash on 1 bytes", done.stdout)

    def test_wrong_usage(self):
        self.write_program("fuzz_run", FINDS)
        file = self.folder / "file"
        file.touch()
        for wrong in (["nothing"], ["--minutes", "0"], ["--minutes", "inf"], ["--minutes", "nan"], ["-j", "0"],
                      ["--seed", "0"], ["--corpus", file], ["--corpus", file / "below"], ["--out", file],
                      ["--programs", self.folder / "nowhere"], ["--programs", file], ["yaml"], ["sessions"], ["elf"]):
            done = self.fuzz(self.programs, *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""), wrong)
            self.assertRegex(done.stderr, r"(^|\n)scripts/fuzz: .*\n$", wrong)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
