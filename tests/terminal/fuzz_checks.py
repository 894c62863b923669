"""Random keys for `salu debug` on a pseudo-terminal: it neither crashes nor hangs, and leaves the terminal as it was.

SALU_FUZZ_SECONDS is the duration (10), SALU_FUZZ_SEED the first seed (1)."""

import os
import pathlib
import random
import resource
import signal
import sys
import time

from pty_session import PROMPT, Folder, PtySession, write_program

SECONDS = float(os.environ.get("SALU_FUZZ_SECONDS", "10"))
SEED = int(os.environ.get("SALU_FUZZ_SEED", "1"))

WORDS = ("step", "stepi 3", "next", "continue", "print s0", "print [s[4:5]:8]", "x/4xb 0x10000", "break loop", "tbreak loop if s0 > 3",
         "watch s0", "info registers", "info breakpoints", "list", "disassemble", "lanes", "forks", "who s0", "history s0", "set s0 = 7",
         "goto 5", "goto end", "reverse-continue", "rsi", "delete", "display s0", "help", "help step", "until loop", "#", "\"", "'", "\\")
SEQUENCES = (b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1bOA", b"\x1bOF", b"\x1b[H", b"\x1b[F", b"\x1b[3~", b"\x1b[1;5C", b"\x1b[1;3D",
             b"\x1b[200~", b"\x1b[201~", b"\x1b[99999;99999H", b"\x1b", b"\x1b\x1b", b"\x1bO", b"\x1b[", b"\x1b]0;x\x07", b"\x1bx", b"\x1bx\"",
             b"\x1b9", b"\x1b99999", b"\x1bp", b"\x1bn", b"\x18\x18", b"\x16\x00", b"\xf8", b"\x12", b"\x12\x12", b"\x13", b"\x11")


def some_keys(chance):
    """A piece of typed input."""
    kind = chance.randrange(14)
    if kind < 3:
        return chance.choice(WORDS).encode() + chance.choice((b"\r", b"\r", b"", b" ", b"\t"))
    if kind == 3:
        return bytes(chance.randrange(32) for _ in range(chance.randrange(1, 8)))
    if kind == 4:
        return b"".join(chance.choice(SEQUENCES) for _ in range(chance.randrange(1, 6)))
    if kind == 5:
        return b"\x1b" + bytes([chance.randrange(256)])
    if kind == 6:
        return "".join(chr(chance.choice((chance.randrange(0x80, 0x800), 0x301, 0x6f22, 0x1f642, 0x200b, 0x9b, 0xfeff))) for _ in range(
            chance.randrange(1, 10))).encode()
    if kind == 7:
        return bytes(chance.randrange(128, 256) for _ in range(chance.randrange(1, 10)))
    if kind == 8:
        return bytes(chance.randrange(256) for _ in range(chance.randrange(1, 50)))
    if kind == 9:
        return b"\t" * chance.randrange(1, 4)
    if kind == 10:
        return chance.choice((b"x", b"print 1+", b"s", b" ", b"\"", b"(", b"\xc3\xa9")) * chance.choice((10, 10, 50, 50, 100, 100, 500, 500, 500, 3000))
    if kind == 11:
        return chance.choice((b"\x15", b"\x0b", b"\x17", b"\x19", b"\x19" * 5, b"\x10" * 3, b"\x0e" * 3, b"\x7f" * 20, b"\x14", b"\x0c"))
    if kind == 12:
        return b"\r" * chance.randrange(1, 3)
    return bytes(chance.randrange(32, 127) for _ in range(chance.randrange(1, 20)))


def run_session(seed, program, settings):
    """Runs one session of random keys. Returns an error message, or nothing."""
    chance = random.Random(seed)
    typed = b""
    largest = [60, 300]
    with PtySession(program, "--max-steps", "2000", rows=chance.choice((1, 5, 24, 60)), columns=chance.choice((1, 10, 80, 300)),
                    settings=settings) as session:
        try:
            session.wait_for(PROMPT[:1])
            for _ in range(chance.randrange(5, 60)):
                if session.process.poll() is not None:
                    break
                what = chance.randrange(20)
                if what == 0:
                    extremes = (0, 60, 65535)
                    window = chance.choice((chance.randrange(60), *extremes)), chance.choice((chance.randrange(200), *extremes))
                    largest = [max(sizes) for sizes in zip(largest, window)]
                    session.resize(*window)
                elif what == 1:
                    session.process.send_signal(chance.choice((signal.SIGINT, signal.SIGWINCH, signal.SIGCONT, signal.SIGTSTP)))
                else:
                    keys = some_keys(chance)
                    # Ctrl-\ ends every program, and after Ctrl-S it waits for Ctrl-Q.
                    keys = keys.replace(b"\x1c", b"").replace(b"\x13", b"\x13\x11")
                    typed += keys
                    session.type(keys)
                if chance.randrange(4) == 0:
                    session.take(0.01)
            code = session.quit()
            # After Ctrl-D an interrupt has nothing to stop. Ctrl-C may discard the message about a window that is too large.
            is_too_large = code == 2 and largest[0] * largest[1] > 1 << 22
            if code not in (0, -signal.SIGINT) and not is_too_large:
                return f"exit code {code}, typed {typed[-1000:]!r}, shown {bytes(session.output[-500:])!r}"
            if not session.has_its_modes():
                return f"the terminal has other modes, typed {typed[-1000:]!r}"
        except AssertionError as error:
            return f"{error}\ntyped {typed[-1000:]!r}"
    return ""


def limit_memory():
    """Limits the memory of child processes: windows of any size must fit."""
    if b"__asan_init" not in pathlib.Path(os.environ["SALU_EXECUTABLE"]).read_bytes():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def main():
    limit_memory()
    end = time.monotonic() + SECONDS
    seed = SEED
    with Folder() as folder:
        program = write_program(folder)
        while time.monotonic() < end:
            settings = {"LC_ALL": random.Random(seed).choice(("C.UTF-8", "C.UTF-8", "C"))}
            problem = run_session(seed, program, settings)
            if problem:
                print(f"seed {seed}: {problem}")
                return 1
            seed += 1
    print(f"{seed - SEED} sessions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
