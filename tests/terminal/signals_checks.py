"""Signals for `salu debug` on a pseudo-terminal: each has its effect, and the terminal is restored.

SALU_SIGNAL_MOMENTS is the number of random moments (40), SALU_FUZZ_SEED the seed (1)."""

import os
import random
import signal
import subprocess
import sys
import time
import unittest

from pty_session import SALU, Folder, PtySession, ignore_no_signals, write_program

MOMENTS = int(os.environ.get("SALU_SIGNAL_MOMENTS", "40"))
SEED = int(os.environ.get("SALU_FUZZ_SEED", "1"))
COMMANDS = (b"", b"prin", b"continue\r", b"stepi 1000000000\r", b"step 100000000\r", b"until\r", b"dprintf loop, s0 is {s0}\rcontinue\r",
            b"watch s0 == 5000000\rcontinue\r", b"goto 3000000\rhistory s0\r", b"goto 2000000\rreverse-continue\r", b"help\r", b"lanes\r",
            b"goto 5000000\rwho s0\r", b"x" * 5000, b"\t\t", b"goto 500000\rforks\r")
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def without_core():
    import resource
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Signals(unittest.TestCase):
    def setUp(self):
        without_core()
        folder = Folder()
        self.addCleanup(folder.cleanup)
        self.program = write_program(folder.name)

    def start(self):
        session = PtySession(self.program, "--max-steps", "1000000000000")
        self.addCleanup(session.close)
        return session

    def check_end(self, session, number, moment):
        self.assertEqual(session.wait_for_end(20), -number, moment)
        self.assertTrue(session.has_its_modes(), moment)

    def test_at_the_prompt_and_in_a_run(self):
        for number in ENDING:
            for keys in (b"print", b"continue\r"):
                session = self.start()
                # The modes of the terminal differ at that time.
                session.wait_for_prompt()
                session.type(keys)
                time.sleep(0.1)
                session.process.send_signal(number)
                self.check_end(session, number, (number, keys))

    def test_at_random_moments(self):
        chance = random.Random(SEED)
        for i in range(MOMENTS):
            session = self.start()
            number = chance.choice((signal.SIGINT, *ENDING))
            keys = chance.choice(COMMANDS)
            moment = f"{i}: {number!r} with {keys[:30]!r}"
            if chance.randrange(5) != 0:
                session.wait_for_prompt()
                session.type(keys)
            time.sleep(chance.random() * chance.choice((0.01, 0.2)))
            session.process.send_signal(number)
            if number in ENDING:
                self.check_end(session, number, moment)
                continue
            session.take(0.05)
            # At first, nothing runs that could be stopped.
            self.assertIn(session.quit(), (0, -number), moment)
            self.assertTrue(session.has_its_modes(), moment)

    def test_the_window_goes_away(self):
        for keys in (b"", b"continue\r"):
            session = PtySession(self.program, "--max-steps", "1000000000000")
            session.wait_for_prompt()
            session.type(keys)
            time.sleep(0.1)
            os.close(session.master)
            os.close(session.slave)
            self.assertIn(session.process.wait(20), (0, -signal.SIGHUP))

    def test_a_second_interrupt_ends_what_does_not_react(self):
        with subprocess.Popen([SALU, "debug", self.program, "--max-steps", "1000000000000"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            process.stdin.write(b"dprintf loop, s0 is {s0}\ncontinue\n")
            process.stdin.close()
            # Its output is not read, so that it blocks forever.
            time.sleep(1)
            for _ in range(3):
                process.send_signal(signal.SIGINT)
                time.sleep(0.1)
                self.assertIsNone(process.poll())
            time.sleep(2.5)
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(20), -signal.SIGINT)

    def test_a_script_that_waits_for_commands(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU):
            with subprocess.Popen([SALU, "debug", self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
                process.stdin.write(b"stepi\n")
                process.stdin.flush()
                process.stdout.readline()
                time.sleep(0.1)
                process.send_signal(number)
                self.assertEqual(process.wait(20), -number)

    def test_no_unfinished_file_stays(self):
        with Folder() as folder:
            source = os.path.join(folder, "long.s")
            with open(source, "w", encoding="utf-8") as file:
                file.write("s_nop 0\n" * 300_000)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU):
                process = subprocess.Popen([SALU, "asm", "--mcpu", "gfx900", source, "-o", os.path.join(folder, "long.o")],
                                           stdout=subprocess.DEVNULL, preexec_fn=ignore_no_signals)
                while process.poll() is None and not any(name.startswith(".salu-") for name in os.listdir(folder)):
                    pass
                process.send_signal(number)
                self.assertIn(process.wait(20), (0, -number))
                self.assertEqual([name for name in os.listdir(folder) if name.startswith(".salu-")], [])

    def test_a_script_that_runs(self):
        with subprocess.Popen([SALU, "debug", self.program, "--max-steps", "1000000000000"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            process.stdin.write(b"print 1\ncontinue\nprint 2\n")
            process.stdin.close()
            process.stdout.readline()
            lines = b""
            while b"Interrupted." not in lines:
                process.send_signal(signal.SIGINT)
                time.sleep(0.05)
                os.set_blocking(process.stdout.fileno(), False)
                lines += process.stdout.read() or b""
            os.set_blocking(process.stdout.fileno(), True)
            lines += process.stdout.read()
            self.assertIn(process.wait(20), (0, -signal.SIGINT))

    def test_what_is_ignored_stays_so(self):
        done = subprocess.run(["sh", "-c", 'trap "" HUP; (sleep 0.3; kill -HUP $$; sleep 0.3; echo "print 42") | exec "$0" debug "$1"',
                               SALU, self.program], capture_output=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, b"42 = 0x2a (42)\n"))


if __name__ == "__main__":
    ignore_no_signals()
    unittest.main(argv=[sys.argv[0], "-v"])
