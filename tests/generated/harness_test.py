"""scripts/fuzz-compiler detects errors: a compiler that generates wrong code, crashes or does not terminate; a wrong
word in an object; undefined IR. The defects found in LLVM still exist."""

import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "scripts" / "fuzz-compiler"
FINDINGS = sorted((ROOT / "tests" / "data" / "findings").glob("*.ll"))
sys.path.insert(0, str(ROOT / "scripts" / "lib"))
sys.dont_write_bytecode = True
import generated_code as code  # noqa: E402

# A replacement for llc that runs `what` first, and then compiles the module unchanged.
WRAPPER = f"""#!/usr/bin/env bash
for argument; do [[ $argument == *.ll ]] && module=$argument; done
{{what}}
exec llc-{code.LLVM} "$@"
"""
SUM = """declare void @hand_over(i32, i32, i32, i32)
define amdgpu_ps void @sum(i32 inreg %a, i32 inreg %b) {
  %c = and i32 %a, 255
  %d = add i32 %c, %b
  call void @hand_over(i32 %d, i32 %c, i32 0, i32 0)
  ret void
}
"""
UNDEFINED = SUM.replace("add i32 %c, %b", "shl i32 %c, 40")


def run(*arguments):
    command = [sys.executable, PROGRAM, "--checker", os.environ["SALU_CHECKER"], *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


class Harness(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in (*code.NATIVE_TOOLS, f"llvm-reduce-{code.LLVM}"):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"{tool} is not installed (scripts/test installs it)")

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="salu-harness-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def session(self, llc, *options):
        """Runs one seed with two functions, one of which is compiled by the wrapper as intended."""
        out = self.folder / "out"
        result = run("--llc", llc, "--modules", 1, "--functions", 2, "--configurations", 2, "--seed", self.seed(), "--out", out,
                     "--json", *options)
        folders = sorted(out.iterdir()) if out.exists() else []
        return result, json.loads(result.stdout.splitlines()[-1]), folders

    @staticmethod
    def seed():
        """Returns the first seed whose f0, compiled without opt, adds 32 bits in a few instructions, and whose f1 does
        not."""
        import ir_generator
        for seed in range(10_000):
            first, second = ir_generator.generate_module(seed, 2)
            levels = [row.level for row in code.configurations_for(seed, 2)]
            if (first.text.count("\n") < 14 and re.search(r"= add i32 %a\d, %", first.text) and "= add" not in second.text
                    and not any("opt" in level or level == "O0" for level in levels)):
                return seed
        raise AssertionError("no seed is like that")

    def test_a_wrong_compiler_is_found_and_the_finding_is_reduced(self):
        llc = self.write("wrong-llc", WRAPPER.format(what="""sed -i 's/= add i32/= sub i32/' "$module" """))
        result, totals, folders = self.session(llc, "--reduce-minutes", 1)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertGreaterEqual(totals["findings"]["difference"], 1)
        self.assertEqual(len(folders), 1, folders)
        kept = folders[0]
        finding = json.loads((kept / "finding.json").read_text())
        self.assertEqual((finding["kind"], finding["function"]), ("difference", "f0"))
        self.assertNotEqual(finding["detail"][0]["expected"], finding["detail"][0]["got"])
        for name in ("module.ll", "whole_module.o", "whole_module.s", "repeat.sh", "reduced.ll"):
            self.assertTrue((kept / name).exists(), name)

        # The command repeats the finding, also with the reduced IR; with the correct compiler there is no finding.
        repeat = kept / "repeat.sh"
        self.assertEqual(subprocess.run([repeat], capture_output=True).returncode, 1)
        self.assertEqual(subprocess.run([repeat, kept / "reduced.ll"], capture_output=True).returncode, 1)
        for name in ("module.ll", "reduced.ll"):
            self.assertEqual(run("--check-one", kept / name, "--configuration", finding["configuration"]).returncode, 0)
        self.assertIn("add i32", (kept / "reduced.ll").read_text())
        self.assertLessEqual(self.instructions(kept / "reduced.ll"), self.instructions(kept / "module.ll"))

    @staticmethod
    def instructions(path):
        return len(re.findall(r"^  \S", path.read_text(), re.MULTILINE))

    def test_a_crash_is_written_down_and_the_other_functions_are_compared(self):
        llc = self.write("bad-llc", WRAPPER.format(what="""if grep -q 'void @f0(' "$module"; then kill -SEGV $$; fi"""))
        result, totals, folders = self.session(llc, "--no-reduce")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(totals["findings"], {"bad-llc crashed": 2})
        self.assertTrue(folders and all("crashed" in folder.name and "-f0-" in folder.name for folder in folders), folders)
        self.assertEqual(totals["bad-llc crashed"], 2)
        self.assertEqual(totals["compilations"], 2)

    def test_so_is_a_compiler_that_never_ends(self):
        llc = self.write("slow-llc", WRAPPER.format(what="""if grep -q 'void @f0(' "$module"; then while :; do :; done; fi"""))
        result, totals, _ = self.session(llc, "--no-reduce", "--limit", 1)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(totals["findings"], {"slow-llc timeout": 2})

    def test_one_wrong_word_in_an_object_is_found(self):
        toolchain = code.Toolchain(os.environ["SALU_CHECKER"])
        configuration = code.parse_configuration("gfx906_sdag_O2")
        natives = toolchain.compile_natively(SUM, self.folder)
        compiled, lost, _, problems = toolchain.compile({"sum": SUM}, configuration, self.folder / "sum.o")
        self.assertEqual((lost, problems), ({}, []))
        types = code.functions_in(SUM)
        self.assertEqual(types, {"sum": ["i32", "i32"]})
        right = toolchain.check(compiled, natives, types, 1, 24)["sum"]
        self.assertEqual((right["agreed"], right["differences"]), (72, []))

        words = bytearray(compiled.read_bytes())
        places = [at for at in range(0, len(words) - 3, 4) if struct.unpack_from("<I", words, at)[0] >> 23 == 0x102]  # S_ADD_I32
        self.assertEqual(len(places), 1)
        word = struct.unpack_from("<I", words, places[0])[0]
        struct.pack_into("<I", words, places[0], word + (1 << 23))  # S_SUB_I32
        compiled.write_bytes(words)
        wrong = toolchain.check(compiled, natives, types, 1, 24)["sum"]
        self.assertLess(wrong["agreed"], 36)
        self.assertTrue(wrong["differences"])
        finding = code.judge("sum", configuration, wrong)
        self.assertEqual(finding.kind, "difference")

    def test_code_that_does_not_come_to_its_end_is_a_finding(self):
        report = {"error": None, "differences": [], "runs": 3, "agreed": 2, "stopped": {"vector_instruction": 1}}
        self.assertEqual(code.judge("f", None, report).kind, "stopped")
        self.assertIsNone(code.judge("f", None, {**report, "agreed": 3}))

    def test_ir_that_is_not_defined_is_a_finding(self):
        module = self.write("undefined.ll", UNDEFINED)
        result = run("--check-one", module, "--configuration", "tonga_sdag_O2")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("its behaviour is not defined", result.stdout)

    def test_what_was_found_in_llvm_is_still_there(self):
        self.assertTrue(FINDINGS)
        for path in FINDINGS:
            text = path.read_text()
            kind = re.search(r"^; kind: (.*)$", text, re.MULTILINE).group(1)
            for configuration in re.search(r"^; configurations: (.*)$", text, re.MULTILINE).group(1).split():
                with self.subTest(f"{path.name} {configuration}"):
                    result = run("--check-one", path, "--configuration", configuration, "--kind", kind, "--limit", 2)
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
            if re.search("^; at every level$", text, re.MULTILINE):
                continue
            with self.subTest(f"{path.name} without optimisation"):
                self.assertEqual(run("--check-one", path, "--configuration", "gfx906_sdag_O0_regalloc").returncode, 0)

    def test_wrong_usage_is_2(self):
        module = self.write("sum.ll", SUM)
        for arguments, message in [
                (["--minutes", "0"], "--minutes: expected a number above 0"), (["--jobs", "x"], "invalid int value"),
                (["--seed", "-1"], "--seed: expected 0 to 2^63 - 1"), (["--minutes", "1", "--modules", "1"], "not allowed with"),
                (["--check-one", module], "--check-one and --configuration need each other"),
                (["--check-one", module, "--configuration", "gfx1_sdag_O2"], "no configuration 'gfx1_sdag_O2'"),
                (["--check-one", "missing.ll", "--configuration", "tonga_sdag_O2"], "no such file: missing.ll"),
                (["--llc", "no-such-llc"], "no-such-llc is not installed"), (["--frobnicate"], "unrecognized arguments")]:
            with self.subTest(message):
                result = run(*arguments)
                self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
                self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main()
