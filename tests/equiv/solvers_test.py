#!/usr/bin/env python3
"""`salu prove` with solvers that misbehave: it ends in time, reports the behaviour of each solver, and leaves neither
processes nor files.

SALU_SIGNAL_MOMENTS: number of random moments at which it gets a signal (20), SALU_FUZZ_SEED: seed (1)."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

SALU = os.environ["SALU_EXECUTABLE"]
SOURCE = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
MOMENTS = int(os.environ.get("SALU_SIGNAL_MOMENTS", "20"))
SEED = int(os.environ.get("SALU_FUZZ_SEED", "1"))
NAMES = ("z3", "cvc5")
OTHER = {"z3": "cvc5", "cvc5": "z3"}
# Extra time for a busy machine.
PATIENCE_SECONDS = 8
# Within a test, this time never passes.
LONG_SECONDS = 60

SAME = tuple(SOURCE / "programs" / "average" / name for name in ("careful.s", "carry.s"))
# They differ for one of 2^64 inputs.
DIFFERENT = ("s_mov_b32 s2, 0\ns_mov_b32 s0, s2\ns_endpgm\n",
             "s_xor_b32 s2, s0, 0x12345678\ns_xor_b32 s3, s1, 0x9abcdef0\ns_or_b32 s2, s2, s3\ns_cmp_eq_u32 s2, 0\n"
             "s_cselect_b32 s0, 1, 0\ns_endpgm\n")

SLEEP = "exec /bin/sleep 1000"
ALLOCATE = f"""exec {sys.executable} -c '
import mmap
kept = []
while True: kept.append(mmap.mmap(-1, 1 << 26))'"""
# The behaviour of a solver, and the reported text.
FAILURES = {
    "hangs": ("trap '' TERM INT HUP\nwhile :; do /bin/sleep 1000; done", "took too long"),
    "crashes": ("kill -SEGV $$", "was ended by signal 11"),
    "fails": ("echo 'no licence' >&2; exit 1", "ended with exit code 1: no licence"),
    "fails silently": ("exit 3", "ended with exit code 3"),
    "says nothing": ("exit 0", "gave no answer"),
    "does not know": ("/bin/cat > /dev/null; echo unknown", "answered unknown"),
    "allocates": (ALLOCATE, "ran out of memory"),
    "says that memory is short": ("echo '(error \"out of memory\")'; exit 101", "ran out of memory"),
    "cannot be loaded": ("echo 'z3: error while loading shared libraries: libm.so.6: failed to map segment from shared object' >&2; "
                         "exit 127", "ran out of memory"),
    "aborts for memory": ("echo \"terminate called after throwing an instance of 'cvc5::internal::Minisat::OutOfMemoryException'\" "
                          ">&2; kill -ABRT $$", "ran out of memory"),
    "aborts for a thread": ("printf \"terminate called after throwing an instance of 'std::system_error'\\n  what():  Resource "
                            "temporarily unavailable\\n\" >&2; kill -ABRT $$",
                            "could not start a thread (too little memory, or too many processes)"),
    "aborts": ("echo 'ASSERTION VIOLATION' >&2; kill -ABRT $$", "was ended by signal 6"),
    "garbage": ("/usr/bin/head -c 50000 /dev/urandom; echo unsat", "gave no answer: "),
    "escapes": (r"printf '\033[31mred\033[0m\n'", r"gave no answer: \x1b[31mred\x1b[0m"),
    "endless lines": ("exec /usr/bin/yes sat", "printed too much output"),
    "endless errors": ("exec /usr/bin/yes error >&2", "printed too much output"),
    "endless line": ("exec /bin/cat /dev/zero", "printed too much output"),
    "sat alone": ("echo sat", "gave an answer that cannot be read"),
    "half a model": (r"printf 'sat\n((input0 #x00000001)\n (input1 #x0000'", "gave an answer that cannot be read"),
    "numbers too large": (r"printf 'sat\n((input0 #x11112222333344445) (input1 #x00000000))\n'", "gave an answer that cannot be read"),
    "a wrong model": (r"printf 'sat\n((input0 #x00000001) (input1 #x00000002))\n'", "gave a wrong counterexample"),
    "half of unsat": ("printf unsa", "gave no answer: unsa"),
    "unsat and hangs": (f"echo unsat; {SLEEP}", "took too long"),
    "unsat and crashes": ("echo unsat; kill -ABRT $$", "was ended by signal 6"),
    "closes its streams and hangs": (f"echo unsat; exec >&- 2>&-; {SLEEP}", "took too long"),
    "leaves a child": ("/bin/sleep 1000 & echo unknown", "answered unknown"),
    "leaves a child that prints": ("/usr/bin/yes & exit 4", "ended with exit code 4"),
    "error in front": ("echo '(error \"line 3\")'; echo unsat; exit 1", "ended with exit code 1: (error \"line 3\")"),
}
HANGING = ("hangs", "unsat and hangs", "closes its streams and hangs")


class Solvers:
    """Folders in which to run salu, with the solvers that it finds there."""

    def __init__(self, root):
        self.bin, self.work, self.temporary = (root / name for name in ("bin", "work", "tmp"))
        for folder in (self.bin, self.work, self.temporary):
            folder.mkdir()
        self.mark = f"salu-solvers-{uuid.uuid4()}"
        self.environment = {"PATH": str(self.bin), "TMPDIR": str(self.temporary), "SALU_TEST_MARK": self.mark}

    def fake(self, name, script):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def broken(self, name, text):
        self.fake(name, "")
        (self.bin / name).write_text(text)
        return self

    def real(self, name):
        path = shutil.which(name)
        assert path, f"{name} is not installed"
        (self.bin / name).symlink_to(path)

    def start(self, programs, *more, before=None):
        command = [SALU, "prove", *map(str, programs), "--mcpu", "gfx900", "--outputs", "s0", "--states", "20", "--format", "json", *more]
        return subprocess.Popen(command, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, preexec_fn=before)

    def running(self):
        """Processes started below salu that are still running."""
        mark = f"SALU_TEST_MARK={self.mark}".encode()
        found = []
        for process in pathlib.Path("/proc").iterdir():
            try:
                if process.name.isdigit() and mark in (process / "environ").read_bytes().split(b"\0"):
                    found.append((process.name, (process / "cmdline").read_bytes()))
            except OSError:
                pass
        return found

    def left(self):
        """Returns processes that do not end soon, and files that were not removed."""
        end = time.monotonic() + PATIENCE_SECONDS
        while (running := self.running()) and time.monotonic() < end:
            time.sleep(0.01)
        for number, _ in running:
            os.kill(int(number), signal.SIGKILL)
        return running + [path.name for folder in (self.work, self.temporary) for path in folder.iterdir()]


class SolversTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="salu-solvers-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.count = 0

    def solvers(self, **fakes):
        self.count += 1
        folder = self.root / str(self.count)
        folder.mkdir()
        solvers = Solvers(folder)
        for name, script in fakes.items():
            solvers.real(name) if script is None else solvers.fake(name, script)
        return solvers

    def prove(self, solvers, seconds, programs=SAME, more=()):
        start = time.monotonic()
        with solvers.start(programs, "--seconds", str(seconds), *more) as process:
            out, err = process.communicate(timeout=2 * LONG_SECONDS)
        self.assertLess(time.monotonic() - start, seconds + PATIENCE_SECONDS)
        self.assertEqual(err, "")
        self.assertEqual(solvers.left(), [])
        report = json.loads(out)
        return process.returncode, report["verdict"], report["by"], [obstacle["why"] for obstacle in report["obstacles"]]

    def gives_up(self, solvers, seconds, programs=SAME):
        code, verdict, _, why = self.prove(solvers, seconds, programs)
        self.assertEqual((code, verdict), (3, "gave_up"))
        return why

    def different(self):
        paths = [self.root / name for name in ("a.s", "b.s")]
        for path, text in zip(paths, DIFFERENT):
            path.write_text(text)
        return paths

    def test_each_of_them_alone_and_both(self):
        different = self.different()
        for names in (("z3",), ("cvc5",), NAMES):
            with self.subTest(names=names):
                code, verdict, by, _ = self.prove(self.solvers(**dict.fromkeys(names)), LONG_SECONDS)
                self.assertEqual((code, verdict), (0, "proved"))
                self.assertIn(by, names)
                file = self.root / f"{'-'.join(names)}.yaml"
                code, verdict, by, _ = self.prove(self.solvers(**dict.fromkeys(names)), LONG_SECONDS, different, ("-o", str(file)))
                self.assertEqual((code, verdict), (1, "different"))
                self.assertIn(by, names)
                self.assertTrue(file.is_file())

    def test_none(self):
        why = self.gives_up(self.solvers(), LONG_SECONDS)
        self.assertEqual(why, ["no solver is installed (z3 or cvc5)", "z3 is not installed", "cvc5 is not installed"])

    def test_one_that_misbehaves_alone(self):
        for turn, (what, (script, said)) in enumerate(FAILURES.items()):
            name = NAMES[turn % 2]
            with self.subTest(what=what, name=name):
                why = self.gives_up(self.solvers(**{name: script}), 1 if what in HANGING else LONG_SECONDS)
                self.assertTrue(why[0].startswith(f"{name} ") and said in why[0], why)
                self.assertEqual(why[1:], [f"{OTHER[name]} is not installed"])

    def test_one_that_misbehaves_beside_a_good_one(self):
        for turn, (what, (script, _)) in enumerate(FAILURES.items()):
            name = NAMES[turn // 2 % 2]
            with self.subTest(what=what, name=name):
                code, verdict, by, _ = self.prove(self.solvers(**{name: script, OTHER[name]: None}), LONG_SECONDS)
                self.assertEqual((code, verdict, by), (0, "proved", OTHER[name]))

    def test_both_misbehave(self):
        why = self.gives_up(self.solvers(z3="exit 5", cvc5="kill -KILL $$"), LONG_SECONDS)
        self.assertEqual(sorted(why[0].split(", ")), ["cvc5 was ended by signal 9", "z3 ended with exit code 5"])

    def test_how_they_end_is_known_where_ends_of_children_are_ignored(self):
        ignore = lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        with self.solvers(z3="echo unsat; kill -KILL $$").start(SAME, before=ignore) as process:
            out, _ = process.communicate(timeout=LONG_SECONDS)
        self.assertEqual(json.loads(out)["obstacles"][0]["why"], "z3 was ended by signal 9")

    def test_a_child_that_keeps_the_pipe_does_not_hold_the_answer_up(self):
        solvers = self.solvers(z3="/bin/sleep 1000 & echo unsat")
        self.assertEqual(self.prove(solvers, LONG_SECONDS)[:3], (0, "proved", "z3"))

    def test_inputs_that_are_no_counterexample_are_no_difference(self):
        different = self.different()
        wrong = FAILURES["a wrong model"][0]
        why = self.gives_up(self.solvers(z3=wrong), LONG_SECONDS, different)
        self.assertEqual(why[0], "z3 gave a wrong counterexample")
        solvers = self.solvers(z3=wrong, cvc5=None)
        file = self.root / "found.yaml"
        self.assertEqual(self.prove(solvers, LONG_SECONDS, different, ("-o", str(file)))[:3], (1, "different", "cvc5"))

    def test_what_is_no_program(self):
        solvers = self.solvers()
        (solvers.bin / "z3").mkdir()
        (solvers.bin / "cvc5").write_text("#!/bin/sh\necho unsat\n")
        why = self.gives_up(solvers, LONG_SECONDS)
        self.assertEqual(why[1:], ["z3 is not installed", "cvc5 is not installed"])
        why = self.gives_up(self.solvers().broken("z3", "echo unsat\n"), LONG_SECONDS)
        self.assertEqual(why[0], "z3 could not be started (Exec format error)")
        why = self.gives_up(self.solvers().broken("z3", "#!/no/such/shell\n"), LONG_SECONDS)
        self.assertEqual(why[0], "z3 could not be started (No such file or directory)")

    def test_signals_at_random_moments(self):
        chance = random.Random(SEED)
        with_child = "trap '' TERM INT HUP\n/bin/sleep 1000 &\nwhile :; do /bin/sleep 1000; done"
        running = 0
        for turn in range(MOMENTS):
            kind = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)[turn % 4]
            # A killed salu ends its children, but not their children.
            fake = SLEEP if kind == signal.SIGKILL else with_child
            solvers = self.solvers(z3=fake, cvc5=fake)
            seconds = chance.random() * 0.2
            with self.subTest(turn=turn, kind=kind.name, seconds=seconds), solvers.start(SAME, "--seconds", str(LONG_SECONDS)) as process:
                time.sleep(seconds)
                running += len(solvers.running()) > 1
                process.send_signal(kind)
                process.communicate(timeout=PATIENCE_SECONDS)
                self.assertEqual(process.returncode, -kind)
                self.assertEqual(solvers.left(), [])
        # Otherwise the test would be empty.
        self.assertGreater(running * 4, MOMENTS)


if __name__ == "__main__":
    unittest.main()
