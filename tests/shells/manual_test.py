#!/usr/bin/env python3
"""The manual pages are well-formed and contain everything that --help prints."""

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
    """Removes the line breaks and quotes, in which pages and help differ."""
    return re.sub(r"\s+", " ", text.replace("`", ""))


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.help = {"salu": output(SALU, "--help").stdout}
        commands = cls.help["salu"].partition("\nCommands:\n")[2].partition("\n\n")[0]
        for command in re.findall(r"^  ([a-z]+)  ", commands, re.MULTILINE):
            cls.help[f"salu-{command}"] = output(SALU, command, "--help").stdout

    def test_each_command_has_one(self):
        self.assertEqual({page.stem for page in PAGES.iterdir()}, set(self.help))
        self.assertGreater(len(self.help), 14)

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
                # An entry of help is a name, and a description from a fixed column on, which may have several lines.
                entries = re.findall(r"^  (\S.*?)(?:  +|\n {34,})(\S.*(?:\n {34,}\S.*)*)", text.split("\nExamples:")[0], re.MULTILINE)
                self.assertTrue(entries)
                for names, what in entries:
                    self.assertIn(words(what), page)
                    for option in re.findall(r"-{1,2}[a-z][a-z0-9-]*", names):
                        self.assertRegex(page, re.escape(option) + r"\b")
                examples, _, codes = text.partition("\nExamples:\n")[2].partition("\nExit codes:\n")
                for example in re.findall(r"^  (.*?)(?:  .*)?$", examples, re.MULTILINE):
                    self.assertIn(words(example), page)
                self.assertRegex(codes, r"^  0  ")
                for code, meaning in re.findall(r"^  (\d)  (.*)$", codes, re.MULTILINE):
                    self.assertIn(f"{code} {words(meaning)}", page)

    def test_exit_codes_are_all_there(self):
        page = (PAGES / "salu.1").read_text()
        codes = page.partition('.SH "EXIT STATUS"')[2].partition(".SH")[0]
        self.assertEqual(re.findall(r"^\.B (\d)$", codes, re.MULTILINE), list("01234567"))


if __name__ == "__main__":
    unittest.main()
