"""`salu debug` on a pseudo-terminal: bytes are sent, the output is recorded, and the modes of the terminal can be inspected."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

SALU = os.environ["SALU_EXECUTABLE"]
# Long enough for a busy machine; not reached normally.
PATIENCE_SECONDS = 60
PROMPT = b"(salu) "

# An endless program with labels, calls and memory.
ENDLESS = """target: gfx900
code:
  asm: |
    start:
      s_mov_b32 s0, 0
    loop:
      s_add_u32 s0, s0, 1
      s_store_dword s0, s[4:5], 0x0
      s_branch loop
registers: {"s[4:5]": 0x10000}
memory: [{at: 0x10000, size: 64}]
"""


def write_program(folder, text=ENDLESS):
    path = os.path.join(folder, "program.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def ignore_no_signals():
    """Resets the signals of the keyboard, as a shell does for a program, even if the parent ignores them."""
    for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


def be_at_a_terminal():
    ignore_no_signals()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


class PtySession:
    """A process with a terminal of its own, whose modes outlive it."""

    def __init__(self, *arguments, rows=24, columns=80, settings=None):
        self.master, self.slave = pty.openpty()
        self.resize(rows, columns)
        self.output = bytearray()
        self.modes = termios.tcgetattr(self.slave)
        environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SALU_HISTORY": "", **(settings or {})}
        self.process = subprocess.Popen(
            [SALU, "debug", *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave, env=environment,
            start_new_session=True, preexec_fn=be_at_a_terminal)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE_SECONDS)
        os.close(self.master)
        os.close(self.slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def resize(self, rows, columns):
        """Changes the size of the window; the system sends SIGWINCH."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def take(self, seconds=0.0):
        """Reads the available output, for a limited time."""
        end = time.monotonic() + 1
        while select.select([self.master], [], [], seconds)[0] and time.monotonic() < end:
            self.output += os.read(self.master, 65536)
            seconds = 0.0

    def type(self, data):
        """Types bytes as fast as they are read. Bytes not read by an ended process are lost."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while data and self.process.poll() is None:
            assert time.monotonic() < deadline, f"the typed input is not read:\n{bytes(self.output[-500:])!r}"
            readable, writable, _ = select.select([self.master], [self.master], [], 0.5)
            if readable:
                self.take()
            if writable:
                data = data[os.write(self.master, data[:256]):]

    def wait_for(self, text, count=1):
        """Waits until a text appears a number of times."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.output.count(text) < count:
            assert time.monotonic() < deadline, f"{text!r} did not come:\n{bytes(self.output[-500:])!r}"
            assert self.process.poll() is None or select.select([self.master], [], [], 0)[0], \
                f"ended with {self.process.returncode} before {text!r}:\n{bytes(self.output[-500:])!r}"
            self.take(0.05)

    def wait_for_prompt(self):
        """Waits for the first prompt, and until the line editor, which writes it, is ready."""
        self.wait_for(PROMPT)
        self.wait_for_editor()

    def wait_for_editor(self):
        """Waits until the line editor receives keys. Until then the system handles some of them."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while termios.tcgetattr(self.slave)[3] & termios.ICANON:
            assert time.monotonic() < deadline, "the terminal has not been made ready"
            time.sleep(0.002)

    def wait_for_end(self, seconds=PATIENCE_SECONDS):
        """The exit code, negative for a signal."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"no end within {seconds} s:\n{bytes(self.output[-500:])!r}"
            self.take(0.01)
        self.take()
        return self.process.returncode

    def has_its_modes(self):
        """Returns whether the modes of the terminal are restored."""
        return termios.tcgetattr(self.slave) == self.modes

    def quit(self):
        """Ends the session, whatever has been typed before."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"no end by quit:\n{bytes(self.output[-500:])!r}"
            # Ctrl-S may have stopped the output while a command ran, as in any program.
            self.type(b"\x11\x03")
            self.take(0.05)
            self.type(b"\x15quit\r")
            try:
                self.wait_for_end(1)
            except AssertionError:
                continue
        self.take()
        return self.process.returncode


class Folder(tempfile.TemporaryDirectory):
    def __init__(self):
        super().__init__(prefix="salu-pty-")

