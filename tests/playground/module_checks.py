"""The playground's module under node, compared with the program: the same output for every scenario of programs/,
tests/, examples/ and the pages of docs/, and the speed and the size in docs/development/playground.md."""

import gzip
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

root = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
salu = os.environ["SALU_EXECUTABLE"]
playground = pathlib.Path(os.environ["SALU_PLAYGROUND"])

FOLDERS = ["programs", "tests/scenarios", "examples"]
ENDLESS = """
target: gfx900
limits: {{steps: {steps}}}
code:
  asm: |
    s_mov_b32 s0, 1
    s_mov_b32 s1, 2
    loop:
      s_add_u32 s2, s0, s1
      s_lshl_b32 s3, s2, 3
      s_xor_b32 s4, s3, s0
      s_and_b32 s5, s4, s1
      s_sub_u32 s8, s8, 1
      s_cmp_lg_u32 s8, 0
      s_cbranch_scc1 loop
    s_endpgm
registers: {{s8: 0}}
"""


class Module:
    def __init__(self):
        script = pathlib.Path(__file__).with_name("module.js")
        self.process = subprocess.Popen(["node", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.about = self.ask(playground=str(playground))

    def ask(self, **question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()


def scenarios_of_pages():
    """Returns the blocks of the pages that are complete scenarios, each with a name."""
    found = {}
    for page in sorted((root / "docs").rglob("*.md")):
        for number, block in enumerate(re.findall(r"^```yaml\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)):
            if re.search(r"^code:", block, re.MULTILINE):
                found[f"{page.stem}-{number}.yaml"] = block
    return found


class ModuleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = Module()
        cls.addClassCleanup(cls.module.close)
        # Ignored files in folders of the working tree, such as build folders, are not used.
        listed = subprocess.run(["git", "ls-files", "-z", *FOLDERS], cwd=root, capture_output=True, text=True, check=True)
        cls.files = [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
        cls.module.ask(root=str(root), put=cls.files)
        cls.scenarios = [name for name in cls.files if name.endswith((".yaml", ".yml"))]

    def native(self, *arguments, folder=root):
        # Without a PATH, llvm-mc is not available, as in the browser.
        return subprocess.run([salu, *arguments], cwd=folder, capture_output=True, text=True, timeout=120,
                              env={**os.environ, "PATH": "/nowhere"})

    def test_final_states_are_those_of_the_program(self):
        self.assertGreater(len(self.scenarios), 40)
        lines = 0
        for name in self.scenarios:
            for checks in (False, True):
                with self.subTest(file=name, checks=checks):
                    expected = self.native("run", "--format", "json", *(["--check"] if checks else []), name).stdout
                    if checks and '"error"' in expected and "--check: the rows" in expected:
                        expected = "".join(line for line in expected.splitlines(True) if "--check: the rows" not in line)
                    self.assertEqual(self.module.ask(ask="run_file", file=name, check=checks)["text"], expected)
                    lines += expected.count("\n")
        self.assertGreater(lines, 100)

    def test_scenarios_of_the_pages_give_the_same(self):
        pages = scenarios_of_pages()
        self.assertGreaterEqual(len(pages), 9)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                pathlib.Path(folder, name).write_text(text)
                self.module.ask(texts={name: text})
                with self.subTest(page=name):
                    expected = self.native("run", "--format", "json", name, folder=folder).stdout
                    self.assertEqual(self.module.ask(ask="run_file", file=name)["text"], expected)

    def test_the_suite_says_the_same(self):
        for name in self.scenarios:
            with self.subTest(file=name):
                expected = self.native("test", "-v", "--color", "never", "--jobs", "1", name).stdout
                answer = self.module.ask(ask="test", files=[name], verbose=True)
                self.assertEqual(answer.get("text"), expected)

    def test_objects_and_their_lines_are_read(self):
        objects = [name for name in self.files if name.endswith((".o", ".so"))]
        self.assertGreaterEqual(len(objects), 3)
        for name in objects:
            with self.subTest(file=name):
                expected = self.native("run", "--format", "json", name).stdout
                self.assertEqual(self.module.ask(ask="run_file", file=name)["text"], expected)

    def test_comparisons_are_the_same(self):
        a, b = "programs/positive/compare.s", "programs/positive/bits.s"
        for outputs in (["s0"], ["s0", "s1", "scc"]):
            arguments = ["equiv", a, b, "--mcpu", "gfx900", "--format", "json", "--outputs", ",".join(outputs)]
            with tempfile.TemporaryDirectory() as folder:
                expected = self.native(*arguments, "-o", f"{folder}/reproducer.yaml").stdout
            answer = self.module.ask(ask="equiv", a=a, b=b, target="gfx900", outputs=outputs)
            self.assertEqual(answer["json"], expected)
        self.assertEqual(answer["verdict"], "different")
        self.assertIn("expect:", answer["reproducer"])

    def test_why_is_the_same(self):
        expected = self.native("why", "programs/gcd.yaml", "s0@11").stdout
        self.module.ask(ask="walk", file="programs/gcd.yaml")
        self.module.ask(ask="command", line="goto 11")
        answer = self.module.ask(ask="why", place="s0")
        self.assertEqual(answer["text"].replace("position 11", "position 11"), expected)
        self.assertEqual([link["step"] for link in answer["links"]], [11, 5])

    def test_a_table_is_checked_by_rows(self):
        tables = [name for name in self.scenarios if "tables" in name]
        self.assertTrue(tables)
        self.assertIn("row", self.module.ask(ask="test", files=tables, verbose=True)["text"])

    def test_questions_that_make_no_sense_are_refused(self):
        for question in ({"ask": "nothing"}, {"ask": "run"}, {"ask": "run", "file": 7}, {"ask": "run", "file": "absent.yaml"},
                         {"ask": "words", "target": "gfx1"}, {"ask": "check", "file": "../../etc/passwd"}):
            with self.subTest(question=question):
                answer = self.module.ask(**question)
                self.assertTrue("error" in answer or answer["documents"][0]["error"])

    def test_damaged_objects_are_refused(self):
        whole = (root / "programs/compiled/isqrt.o").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            for number in range(0, 400):
                damaged = bytearray(whole)
                place = number * 37 % len(whole)
                damaged[place] ^= 0xFF
                pathlib.Path(folder, "damaged.o").write_bytes(damaged if number % 2 else whole[:place])
                self.module.ask(root=folder, put=["damaged.o"])
                expected = self.native("run", "--format", "json", "--max-steps", "10000", "damaged.o", folder=folder).stdout
                answer = self.module.ask(ask="run_file", file="damaged.o", max_steps=10000)
                self.assertEqual(answer.get("text"), expected, f"byte {place}")

    def test_speed(self):
        self.module.ask(texts={"long.yaml": ENDLESS.format(steps=20_000_000), "longer.yaml": ENDLESS.format(steps=400_000_000)})
        self.module.ask(ask="run", file="long.yaml")
        best = max(answer["steps"] / answer["seconds"] / 1e6 for answer in
                   (self.module.ask(ask="run", file="longer.yaml") for _ in range(3)))
        print(f"{self.module.about['node']}: {best:.0f} million instructions a second of processor time")
        self.assertGreater(best, 100, "far below what it is written for")

    def test_size(self):
        size = sum(len(gzip.compress(file.read_bytes(), 9)) for file in playground.iterdir())
        print(f"{size / 1e6:.3f} MB compressed, the module {self.module.about['bytes'] / 1e6:.2f} MB")
        self.assertLess(size, 1_200_000)


unittest.main()
