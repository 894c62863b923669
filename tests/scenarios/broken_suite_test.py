"""Among a thousand scenario files, a broken one fails alone: with its place, also in the report, and all others run."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

SALU = os.environ["SALU_EXECUTABLE"]
FILES, BROKEN = 1000, "0500.yaml"
GOOD = """name: sum {number}
target: gfx900
code:
  asm: |
    s_add_u32 s2, s0, s1
    s_endpgm
registers: {{s0: {number}, s1: 7}}
expect:
  registers: {{s2: {sum}}}
"""


def good(number):
    return GOOD.format(number=number, sum=number + 7).encode()


# By kind: the text in place of the file, the line and the column in the message, and a part of the message. The places
# were determined by hand: the start of the invalid text. If the structure is broken, the YAML parser may report the
# next line; an empty file has no line.
REST = good(500)
KINDS = {
    "bad indentation": (REST.replace(b"    s_endpgm\n", b"  s_endpgm\n"), ((6, 7), None), "YAML"),
    "a tab as indentation": (REST.replace(b"  registers:", b"\tregisters:"), ((9,), None), "YAML"),
    "an unknown key": (REST.replace(b"registers: {s0", b"regsters: {s0"), ((7,), 1), "regsters"),
    "an unknown register": (REST.replace(b"{s2: 507}", b"{s200: 507}"), ((9,), 15), "s200"),
    "a key twice": (REST + b"target: gfx803\n", ((10,), 1), "target"),
    "an unknown instruction": (REST.replace(b"s_add_u32", b"s_ad_u32"), ((5,), 5), "s_ad_u32"),
    "truncated": (REST[:REST.index(b", s1: 7")], ((7, 8), None), "YAML"),
    "truncated in a string": (REST[:REST.index(b"sum")] + b'"su', ((1, 2), None), "YAML"),
    "not UTF-8": (REST.replace(b"name: sum 500", b"name: s\xfcm 500"), ((1,), 8), "UTF-8"),
    "binary": (bytes(range(256)) * 4, ((1,), 1), ""),
    "UTF-16": (REST.decode().encode("utf-16-le"), ((1,), 2), ""),
    "empty": (b"", None, "no scenario"),
    "nothing but a remark": (b"# later\n", None, "no scenario"),
    "a list": (b"- target: gfx900\n", ((1,), 1), ""),
}


class BrokenSuite(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="salu-broken-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "suite").mkdir()
        for number in range(FILES):
            (self.folder / "suite" / f"{number:04}.yaml").write_bytes(good(number))

    def run_suite(self, *options):
        return subprocess.run([SALU, "test", "--junit", "report.xml", *options, "suite"], cwd=self.folder, text=True,
                              capture_output=True, timeout=120)

    def test_all_hold_while_none_is_broken(self):
        result = self.run_suite()
        self.assertEqual((result.returncode, result.stdout), (0, "1000 tests: 1000 passed\n"), result.stderr)

    def test_a_broken_file_fails_alone(self):
        for kind, (text, place, message) in KINDS.items():
            with self.subTest(kind):
                (self.folder / "suite" / BROKEN).write_bytes(text)
                for jobs in ("1", "4"):
                    self.check(self.run_suite("--jobs", jobs), place, message)

    def check(self, result, place, message):
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        error, summary = result.stdout.splitlines()
        self.assertEqual(summary, "1000 tests: 999 passed, 1 not loaded")
        found = re.fullmatch(rf"ERROR: (suite/{BROKEN}(?::(\d+):(\d+))?): (.+)", error)
        self.assertTrue(found, error)
        where, line, column, text = found.groups()
        self.assertEqual(line is not None, place is not None, error)
        if place:
            lines, at = place
            self.assertIn(int(line), lines, error)
            self.assertEqual(int(column), at or int(column), error)
        self.assertIn(message, text)

        root = ElementTree.parse(self.folder / "report.xml").getroot()
        suite = root.find("testsuite")
        self.assertEqual([suite.get(count) for count in ("tests", "failures", "errors")], ["1000", "0", "1"])
        cases = root.findall(".//testcase")
        self.assertEqual(len({case.get("file") for case in cases}), FILES)
        bad = [case for case in cases if len(case)]
        self.assertEqual([case.get("file") for case in bad], [f"suite/{BROKEN}"])
        self.assertEqual([problem.tag for problem in bad[0]], ["error"])
        told = (bad[0][0].get("message") or "") + (bad[0][0].text or "")
        self.assertIn(text, told)
        self.assertIn(where, told)


if __name__ == "__main__":
    unittest.main()
