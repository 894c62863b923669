#!/usr/bin/env python3
"""The errors that the other tests in this folder detect."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

import every_call_test
import moments_test

JUNIT = "test many.yaml --junit out --coverage info"
REPORT = b'<?xml version="1.0"?>\n<testsuites>%s\n</testsuites>\n'
ERROR = b"<error>fork_join.yaml: error: cannot read the file</error>"
BEFORE = {"in": b"1", "out": b"old\n", "info": b"old\n"}
GOOD = BEFORE | {"out": REPORT % b"<testcase/>", "info": b"TN:\nDA:1,1\nend_of_record\n"}


def judge(kind, code, now, command=JUNIT, stderr=b""):
    result = subprocess.CompletedProcess(command, code, b"", stderr)
    return every_call_test.judge(command, ["out", "info"], kind, result, BEFORE, GOOD, {**GOOD, **now})


class Judge(unittest.TestCase):
    def test_all_is_well(self):
        for kind, code in (("memory", 0), ("memory", 3), ("io", 3), ("terminate", -signal.SIGTERM), ("interrupt", 1),
                           ("kill", -signal.SIGKILL)):
            self.assertIsNone(judge(kind, code, {}))
            self.assertIsNone(judge(kind, code, BEFORE))

    def test_ends(self):
        for kind, code in (("memory", -signal.SIGTERM), ("terminate", -signal.SIGINT), ("io", -signal.SIGSEGV),
                           ("io", 8), ("io", -signal.SIGKILL)):
            self.assertIsNotNone(judge(kind, code, {}))

    def test_what_sanitizers_say(self):
        for line in (b"==1==ERROR: AddressSanitizer: heap-use-after-free",
                     b"==1==ERROR: LeakSanitizer: detected memory leaks",
                     b"file.cpp:1:1: runtime error: signed integer overflow",
                     b"terminate called without an active exception"):
            self.assertIsNotNone(judge("memory", 1, {}, stderr=b"error: not enough memory\n" + line))

    def test_other_files(self):
        self.assertEqual(judge("io", 3, {"in": b"2"}), "in is not as it was")
        self.assertEqual(judge("io", 3, {"new": b""}), "left behind: ['new']")
        self.assertEqual(judge("kill", -signal.SIGKILL, {"new": b"", ".salu-1": b""}), "left behind: ['new']")
        self.assertIsNone(judge("kill", -signal.SIGKILL, {".salu-1": b""}))
        self.assertIsNotNone(judge("terminate", -signal.SIGTERM, {".salu-1": b""}))

    def test_reports(self):
        for kind, code, text, is_well in (("io", 3, REPORT % ERROR, True), ("memory", 3, REPORT % ERROR, True),
                                          ("io", 0, REPORT % ERROR, False), ("terminate", 1, REPORT % ERROR, False),
                                          ("kill", -signal.SIGKILL, REPORT[:9], False),
                                          ("interrupt", 1, REPORT % ERROR, False), ("memory", 3, b"", False),
                                          ("io", 3, (REPORT % ERROR)[:-3], False),
                                          ("io", 3, (REPORT % ERROR)[30:], False),
                                          ("io", 3, b"\n</testsuites>\n", False), ("io", 3, b"<other/>", False)):
            problem = None if is_well else "out is torn"
            self.assertEqual(judge(kind, code, {"out": text}), problem, (kind, code, text))

    def test_other_outputs(self):
        half = GOOD["info"][5:]
        for kind, now, is_well in (("memory", {"info": half}, True), ("io", {"info": half}, False),
                                   ("terminate", {"info": half}, False), ("memory", {"info": half[:-1]}, False),
                                   ("io", {"info": b""}, False), ("io", {"info": b"", "out": REPORT % ERROR}, True),
                                   ("interrupt", {"info": b"", "out": REPORT % ERROR}, False)):
            self.assertEqual(judge(kind, 3, now) is None, is_well, (kind, now))
        for kind, is_well in (("io", False), ("terminate", False), ("memory", True)):
            text = (REPORT % ERROR)[30:]
            self.assertEqual(judge(kind, 1, {"out": text}, command="report many.yaml -o out") is None, is_well, kind)

    def test_traces(self):
        command = "run many.yaml --trace-file out"
        for text, is_well in ((b"", True), (GOOD["out"][:9], True), (GOOD["out"][9:], False)):
            self.assertEqual(judge("io", 3, {"out": text}, command) is None, is_well, text)

    def test_rows(self):
        command = "sweep many.s --format csv -o out"
        for text, is_well in ((b"", True), (GOOD["out"][:9], True), (GOOD["out"][9:], False)):
            self.assertEqual(judge("io", 3, {"out": text}, command) is None, is_well, text)

    def test_arrays(self):
        def array(rows, data):
            return f"{{'descr': ..., 'shape': ({rows},), }}".encode().ljust(63) + b"\n" + data

        row = b"123456789"
        for kind, code, text, is_well in (("io", 3, b"", True), ("io", 3, array(3, row)[:20], True),
                                          ("io", 3, array(3, row), True), ("io", 3, array(3, row[:2]), True),
                                          ("io", 3, array(3, row[1:]), False), ("io", 3, array(3, row)[2:], False),
                                          ("io", 3, array(3, 4 * row), False), ("io", 3, array(33, row), False),
                                          ("io", 3, array(1, row), True), ("io", 3, array(1, row[1:]), False),
                                          ("kill", -signal.SIGKILL, array(3, row), True),
                                          ("kill", -signal.SIGKILL, array(1, row), False),
                                          ("terminate", -signal.SIGTERM, array(3, row), False),
                                          ("terminate", -signal.SIGTERM, array(1, row), True),
                                          ("interrupt", -signal.SIGINT, array(3, row), False),
                                          ("interrupt", -signal.SIGINT, array(1, row), True),
                                          ("interrupt", -signal.SIGINT, array(1, row[1:]), False)):
            good = {**GOOD, "out": array(3, 3 * row)}
            result = subprocess.CompletedProcess("", code, b"", b"")
            problem = every_call_test.judge("sweep many.s --format npy -o out", ["out", "info"], kind, result, BEFORE, good,
                                            {**good, "out": text})
            self.assertEqual(problem is None, is_well, (kind, text))

    def test_summaries(self):
        whole = b'{"states": 3, "cancelled": true, "outputs": [{"name": "s0", "histogram": [[5, 1], [7, 2]]}]}'
        for kind, text, is_well in (("interrupt", whole, True), ("hang up", whole, True), ("kill", whole, False), ("interrupt", whole[:-1], False),
                                    ("interrupt", b"", False), ("interrupt", whole.replace(b"true", b"false"), False),
                                    ("interrupt", whole.replace(b"3", b"4"), False)):
            problem = judge(kind, -every_call_test.SIGNALS[kind], {"out": text}, "sweep many.s --histogram -o out")
            self.assertEqual(problem is None, is_well, (kind, text))


class Moments(unittest.TestCase):
    """Other programs in place of salu."""

    def start(self, program, arguments, code):
        self.addCleanup(setattr, moments_test, "SALU", moments_test.SALU)
        moments_test.SALU = program
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return moments_test.Command(pathlib.Path(folder.name) / "work", arguments, [], code)

    def test_the_exit_code_that_nobody_disturbs(self):
        with self.assertRaisesRegex(SystemExit, "exit code 1 without any signal"):
            self.start("false", "", 0)
        self.start("false", "", 1)
        self.start("false", "", None)

    def test_what_never_ends(self):
        command = self.start("sleep", "0", 0)
        self.addCleanup(setattr, moments_test, "PATIENCE_SECONDS", moments_test.PATIENCE_SECONDS)
        moments_test.PATIENCE_SECONDS = 0.1
        # The started program inherits the ignored signal.
        self.addCleanup(signal.signal, signal.SIGHUP, signal.signal(signal.SIGHUP, signal.SIG_IGN))
        command.text = "1000"
        self.assertEqual(command.disturb("hang up", 0), ("it never ends", None))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
