#!/usr/bin/env python3
"""The manual pages are well-formed, and say all that --help says."""

import os
import pathlib
import re
import subprocess
import unittest

SALU = pathlib.Path(os.environ["SALU_EXECUTABLE"])
PAGES = SALU.parent.parent / "share/man/man1"


def output(*command, **more):
    return subprocess.run(command, check=True, capture_output=True, text=True, **more)


def words(text):
    """Without what pages and help make in different ways: line breaks and quotes."""
    return re.sub(r"\s+", " ", text.replace("`", ""))


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.help = {"salu": output(SALU, "--help").stdout}
        for command in re.findall(r"^  ([a-z]+)  +[A-Z]", cls.help["salu"], re.MULTILINE):
            cls.help[f"salu-{command}"] = output(SALU, command, "--help").stdout

    def test_each_command_has_one(self):
        self.assertEqual({page.stem for page in PAGES.iterdir()}, set(self.help))
        self.assertGreater(len(self.help), 12)

    def test_they_are_well_formed(self):
        for page in sorted(PAGES.iterdir()):
            with self.subTest(page=page.name):
                shown = output("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page, env={**os.environ, "LC_ALL": "C.UTF-8"})
                self.assertEqual(shown.stderr, "")
        checked = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *sorted(PAGES.iterdir())], check=False, capture_output=True, text=True)
        self.assertEqual((checked.stdout + checked.stderr, checked.returncode), ("", 0))

    def test_they_say_what_help_says(self):
        for name, text in self.help.items():
            shown = output("man", "--no-hyphenation", "-l", "-Tutf8", PAGES / f"{name}.1",
                           env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
            page = words(re.sub("\x1b\\[[0-9;]*m|.\x08", "", shown))
            with self.subTest(page=name):
                # Help has a name and, from a column on, in this line or the next ones, what it is.
                entries = re.findall(r"^  (\S.*?)(?:  +|\n {34,})(\S.*(?:\n {34,}\S.*)*)", text.split("\nExamples:")[0], re.MULTILINE)
                self.assertGreater(len(entries), 1)
                for names, what in entries:
                    self.assertIn(words(what), page)
                    for option in re.findall(r"-{1,2}[a-z][a-z0-9-]*", names):
                        self.assertRegex(page, re.escape(option) + r"\b")
                rest = text.partition("\nExamples:\n")[2]
                for example in re.findall(r"^  (.*?)(?:  .*)?$", rest, re.MULTILINE):
                    self.assertIn(words(example), page)
                for code, meaning in re.findall(r"(\d) ([^,.]+)", words(rest.partition("Exit codes:")[2])):
                    self.assertIn(f"{code} {meaning}", page)

    def test_exit_codes_are_all_there(self):
        page = (PAGES / "salu.1").read_text()
        codes = page.partition('.SH "EXIT STATUS"')[2].partition(".SH")[0]
        self.assertEqual(re.findall(r"^\.B (\d)$", codes, re.MULTILINE), list("01234567"))


if __name__ == "__main__":
    unittest.main()
