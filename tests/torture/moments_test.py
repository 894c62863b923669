#!/usr/bin/env python3
"""Signals at random moments of all commands: each command ends by the signal or as without it, and no file is damaged
or left.

SALU_SIGNAL_MOMENTS: number of moments (60), SALU_FUZZ_SEED: seed (1)."""
import collections
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from every_call_test import COMMANDS, SALU, SIGNALS, contents, fill, judge

MOMENTS = int(os.environ.get("SALU_SIGNAL_MOMENTS", "60"))
SEED = int(os.environ.get("SALU_FUZZ_SEED", "1"))
# Enough work that most of the moments are during it.
SIZE = 100
# Longer than any command takes, even on a busy machine.
PATIENCE_SECONDS = 60


class Command:
    """One of the commands, with its result without a signal."""

    def __init__(self, folder, command, writes, code):
        self.folder, self.text, self.writes = folder, command, writes
        self.refill()
        self.before = contents(folder)
        start = time.monotonic()
        with self.start() as process:
            _, err = process.communicate()
        self.seconds = time.monotonic() - start
        if code is not None and process.returncode != code:
            sys.exit(f"{command}: exit code {process.returncode} without any signal\n{err.decode(errors='replace')}")
        self.good = contents(folder)

    def refill(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        fill(self.folder, SIZE)

    def start(self):
        return subprocess.Popen([SALU, *self.text.split()], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def disturb(self, kind, seconds):
        """Sends a signal after a delay. Returns the error, and the exit code, or None."""
        self.refill()
        with self.start() as process:
            try:
                time.sleep(seconds)
                process.send_signal(SIGNALS[kind])
                out, err = process.communicate(timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                return "it never ends", None
            result = subprocess.CompletedProcess(self.text, process.returncode, out, err)
        return judge(self.text, self.writes, kind, result, self.before, self.good, contents(self.folder)), result.returncode


def main():
    chance = random.Random(SEED)
    wrong = 0
    ends = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        commands = [Command(pathlib.Path(name) / str(i), *command) for i, command in enumerate(COMMANDS)]
        for i in range(MOMENTS):
            command = chance.choice(commands)
            kind = chance.choice(list(SIGNALS))
            seconds = chance.random() * command.seconds
            problem, code = command.disturb(kind, seconds)
            ends["not at all" if code is None else "by the signal" if code < 0 else "by itself"] += 1
            if problem:
                wrong += 1
                print(f"{i}: salu {command.text}: {kind} after {seconds:.4f} s: {problem}", flush=True)
    print(f"{MOMENTS} moments, ended {dict(ends)}, {wrong} went wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
