"""A program in its own terminal, managed by tmux: keys are sent, and the screen is read."""

import os
import pathlib
import shlex
import subprocess
import tempfile
import time

# Long enough for a busy machine; not reached normally.
PATIENCE_SECONDS = 60


class Terminal:
    def __init__(self, command, width=100, height=40, settings=None):
        self._settings = settings or {}
        self._folder = tempfile.TemporaryDirectory(prefix="salu-terminal-")
        folder = pathlib.Path(self._folder.name)
        settings = folder / "tmux.conf"
        settings.write_text("set -g remain-on-exit on\nset -g default-terminal screen\nset -g history-limit 10000\n")
        self._tmux = ["tmux", "-f", str(settings), "-S", str(folder / "socket")]
        # tmux does not always report the exit status of a program.
        self._status = folder / "status"
        line = f"trap : INT; {shlex.join(command)}; echo $? >{shlex.quote(str(self._status))}"
        self._run("new-session", "-d", "-x", str(width), "-y", str(height), shlex.join(["sh", "-c", line]))

    def _run(self, *arguments):
        # The test does not depend on the user's language and on a surrounding tmux.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("TMUX")}
        environment["LC_ALL"] = "C.UTF-8"
        # Typed lines of a test must not be added to the history of the user.
        environment.setdefault("SALU_HISTORY", "")
        environment.update(self._settings)
        environment = {key: value for key, value in environment.items() if value is not None}
        return subprocess.run([*self._tmux, *arguments], env=environment, check=True, capture_output=True, text=True,
                              timeout=PATIENCE_SECONDS).stdout

    def close(self):
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, timeout=PATIENCE_SECONDS, check=False)
        self._folder.cleanup()

    def type(self, text):
        self._run("send-keys", "-l", "--", text)

    def press(self, *keys):
        """Sends keys by their names in tmux: Enter, Tab, Up, C-c."""
        self._run("send-keys", *keys)

    def text(self, escapes=False):
        """All output on the screen so far, with wrapped lines joined."""
        options = ["-e"] if escapes else []
        return self._run("capture-pane", "-p", "-J", "-S", "-", *options).rstrip("\n")

    def screen(self):
        """The current contents of the screen."""
        return self._run("capture-pane", "-p").rstrip("\n")

    def cursor_column(self):
        return int(self._run("display-message", "-p", "#{cursor_x}"))

    def exit_status(self):
        """The exit status, or None while the program runs."""
        status = self._status.read_text() if self._status.exists() else ""
        return int(status) if status.endswith("\n") else None

    def wait(self, is_there, what):
        """Waits for a condition. Fails with the contents of the screen."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_there():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come:\n{self.text()}")
            time.sleep(0.02)

    def wait_for(self, text, count=1):
        """Waits until a text appears a number of times."""
        self.wait(lambda: self.text().count(text) >= count, f"{count} times {text!r}")

    def wait_for_end(self):
        self.wait(lambda: self.exit_status() is not None, "the end of the program")
        return self.exit_status()
