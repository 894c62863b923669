#!/usr/bin/env python3
"""scripts/check-commit-message: good and bad messages, among them messages of this repository."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts" / "check-commit-message"
IMPERATIVE = "start it with a verb in the imperative"
FORM = "not of the form `module: imperative summary`"

GOOD = {
    # Messages of this repository.
    "core: rename Engine to Interpreter": "",
    "salu: keep the word report for texts": "",
    "isa: derive copies, masks and the work on lanes from the functions": "",
    "observe: rename undefined::Plan to ShadowPlan": "",
    "batch: rename lanes, the engine that runs many states at once": "",
    "observe: drop a set that nothing reads; plainer comments": "",
    # Others.
    "proof, observe, suite: use one type named Place": "\n\nThree types had the name.\n",
    "scripts/mutate: pass --jobs to ninja": "\n",
    "sweep: honour --max-time between blocks": "\n\n" + "x" * 100,
    "docs: embed the picture of a fork": "\n\nhttps://example.com/" + "x" * 100,
    "s" * 10 + ": add " + "x" * 56: "",
    "Merge branch 'loader'": "",
    'Revert "sweep: honour --max-time between blocks"': "\n\nThis reverts commit 0123456.",
    # A message as an editor leaves it: comments and the diff are not committed.
    "\n# Please enter the message\ncapi: reject handles of another thread": "\n# " + "x" * 200 + "\n",
    "capi: count handles": "\n# ------------------------ >8 ------------------------\ndiff --git a/x b/x\n" + "x " * 100,
}

# Subject and body, and for each expected error a part of it.
BAD = {
    # Messages of this repository that the rules do not allow any more.
    ("tests: a condition without a dangling else", ""): [IMPERATIVE],
    ("observe: one walk over the operands and effects, touches included", ""): [IMPERATIVE],
    ("isa: shorter probes of functions", ""): [IMPERATIVE],
    ("docs: links to renamed pages", ""): [IMPERATIVE],
    ("observe, asm: one type named Step", ""): [IMPERATIVE],
    ("salu completion: one file with an emitter for each shell", ""): [FORM],
    ("Take an empty tracefile for a whole one where nothing was covered", ""): [FORM],
    ("Let the session know hit conditions and messages of breakpoints, so that going back over hits that do not stop is linear",
     ""): [FORM, "120 characters, 72 are allowed"],
    # Others.
    ("", ""): ["the message is empty"],
    ("# only a comment", ""): ["the message is empty"],
    ("Fix a crash", ""): [FORM],
    ("loader:reject empty tables", ""): [FORM],
    ("loader: ", ""): [FORM],
    ("loader: rejected empty tables", ""): ["`rejected`"],
    ("loader: rejects empty tables", ""): ["`rejects`"],
    ("loader: rejecting empty tables", ""): ["`rejecting`"],
    ("loader: Reject empty tables", ""): ["write `reject`"],
    ("loader: reject empty tables.", ""): ["full stop"],
    ("loader: wip", ""): [IMPERATIVE],
    ("loader: add " + "x" * 61, ""): ["73 characters"],
    ("loader: reject empty tables", "\nwithout a blank line"): [":2: error: the second line is not blank"],
    ("loader: reject empty tables", "\n\nfine\n" + "word " * 20 + "w"): [":4: error: the line has 101 characters"],
}


def check(*arguments, cwd=None):
    return subprocess.run([sys.executable, SCRIPT, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


class MessageFiles(unittest.TestCase):
    def check_message(self, message):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "message"
            path.write_text(message, encoding="utf-8")
            return check(str(path))

    def test_good(self):
        for subject, body in GOOD.items():
            with self.subTest(subject):
                result = self.check_message(subject + body)
                self.assertEqual((result.returncode, result.stderr, result.stdout), (0, "", ""))

    def test_bad(self):
        for (subject, body), parts in BAD.items():
            with self.subTest(subject):
                result = self.check_message(subject + body)
                errors = result.stderr.splitlines()
                self.assertEqual((result.returncode, len(errors)), (1, len(parts)), result.stderr)
                for error, part in zip(errors, parts):
                    self.assertRegex(error, r"^\S+:\d+: error: ")
                    self.assertIn(part, error)

    def test_characters_not_bytes(self):
        self.assertEqual(self.check_message("docs: say " + "ü" * 62).returncode, 0)

    def test_usage(self):
        for arguments in ([], ["a", "b"], ["--range"], ["--range", "HEAD"], ["/nonexistent/message"]):
            with self.subTest(arguments):
                result = check(*arguments)
                self.assertEqual(result.returncode, 2)
                self.assertIn("scripts/check-commit-message: error: ", result.stderr)
        self.assertIn("usage:", check("--help").stdout)


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Ranges(unittest.TestCase):
    def git(self, *arguments):
        identity = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            identity |= {f"GIT_{role}_NAME": "a", f"GIT_{role}_EMAIL": "a@example.com"}
        subprocess.run(["git", *arguments], cwd=self.folder.name, check=True, capture_output=True, env=os.environ | identity)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.git("init", "-q")
        for message in ("Begin", "api: add machines", "fixup! api: add machines", "api: machines\n\n" + "word " * 30):
            self.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)

    def test_good(self):
        result = check("--range", "HEAD~3..HEAD~2", cwd=self.folder.name)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_bad(self):
        result = check("--range", "HEAD~2..HEAD", cwd=self.folder.name)
        errors = result.stderr.splitlines()
        self.assertEqual((result.returncode, len(errors)), (1, 3), result.stderr)
        for error, part in zip(errors, ["`fixup!` has to be squashed", "`machines`", "149 characters"]):
            self.assertIn(part, error)

    def test_unknown_commit(self):
        result = check("--range", "nowhere..HEAD", cwd=self.folder.name)
        self.assertEqual(result.returncode, 2)
        self.assertIn("nowhere", result.stderr)


if __name__ == "__main__":
    unittest.main()
