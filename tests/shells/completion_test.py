#!/usr/bin/env python3
"""The completions that bash, zsh and fish offer with the scripts of `salu completion`. The expected ones are written here by hand,
or follow from `salu --help` and the processors of `salu targets`."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SALU = os.environ["SALU_EXECUTABLE"]
SHELLS = ("bash", "zsh", "fish")


def salu(*arguments):
    return subprocess.run([SALU, *arguments], check=False, capture_output=True, text=True)


def words_of(line):
    """Splits a line as bash does for completion: at spaces, and around `=`."""
    return [word for part in line.split(" ") for word in (re.split("(=)", part) if "=" in part else [part])]


def ask_bash(script, line, folder):
    words = [word for word in words_of(line) if word] + ([""] if line.endswith((" ", "=")) else [])
    if line.endswith("="):
        words.pop()
    quoted = " ".join("'" + word + "'" for word in words)
    program = (f"source {script}\nCOMP_WORDS=({quoted})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
               "$(complete -p salu | sed 's/.*-F \\([^ ]*\\).*/\\1/') salu \"${COMP_WORDS[COMP_CWORD]}\" "
               "\"${COMP_WORDS[COMP_CWORD - 1]}\"\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n")
    run = subprocess.run(["bash", "--norc", "--noprofile", "-uc", program], check=True, capture_output=True, text=True, cwd=folder)
    assert run.stderr == "", run.stderr
    return set(run.stdout.split())


# The setup of zsh: it writes each match to a file, and another file when it has finished.
ZSH = r"""
PROMPT=
bindkey -e
unsetopt beep
fpath=(FUNCTIONS $fpath)
autoload -Uz compinit
compinit -u -D
SOURCE
cd HERE
compadd() {
  local -a found none
  # These options only query the matches.
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
    builtin compadd -A found -D none "$@"
    (($#found == 0)) || print -rl -- $found >>PLACE/matches
  fi
  builtin compadd "$@"
}
finish() {
  compstate[insert]=
  compstate[list]=
  comppostfuncs=(finish)
  : >PLACE/finished
}
comppostfuncs=(finish)
bindkey '^I' complete-word
: >PLACE/finished
"""


class Zsh:
    """Zsh in a terminal, which gets the key Tab."""

    def __init__(self, script, folder, autoload):
        self.place = script.parent
        (self.place / "matches").unlink(missing_ok=True)
        setup = self.place / "setup"
        setup.write_text(ZSH.replace("FUNCTIONS", str(script.parent if autoload else folder)).replace("HERE", str(folder))
                         .replace("SOURCE", "" if autoload else f"source {script}").replace("PLACE", str(self.place)))
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": str(self.place)})
        self.send(f" source {setup}\n")

    def send(self, keys):
        """Sends keys and waits until zsh has handled them."""
        finished = self.place / "finished"
        finished.unlink(missing_ok=True)
        os.write(self.terminal, keys.encode())
        seen = b""
        for _ in range(1200):
            while select.select([self.terminal], [], [], 0.05)[0]:
                seen += os.read(self.terminal, 65536)
            if finished.exists():
                return
        raise AssertionError(f"zsh does not answer to {keys!r}: {seen!r}")

    def matches(self, line):
        found = self.place / "matches"
        found.unlink(missing_ok=True)
        self.send("\x15" + line + "\t")
        return set(found.read_text().split("\n")) - {""} if found.exists() else set()

    def close(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def ask_fish(script, line, folder):
    run = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"], check=True, capture_output=True,
                         text=True, cwd=folder, env={**os.environ, "HOME": str(script.parent), "TERM": "dumb"})
    assert run.stderr == "", run.stderr
    return {offered.split("\t")[0] for offered in run.stdout.splitlines()}


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.place.name)
        cls.folder = root / "here"
        (cls.folder / "tests").mkdir(parents=True)
        (cls.folder / "program.yaml").touch()
        (cls.folder / "two words.s").touch()
        cls.scripts = {}
        for shell in SHELLS:
            assert shutil.which(shell), f"{shell} is not installed (scripts/test installs it)"
            printed = salu("completion", shell)
            assert printed.returncode == 0, printed.stderr
            path = root / shell / "_salu"
            path.parent.mkdir()
            path.write_text(printed.stdout)
            cls.scripts[shell] = path
        cls.zsh = Zsh(cls.scripts["zsh"], cls.folder, autoload=True)
        cls.addClassCleanup(cls.zsh.close)
        commands = salu("--help").stdout.partition("\nCommands:\n")[2].partition("\n\n")[0]
        cls.commands = set(re.findall(r"^  ([a-z]+)  ", commands, re.MULTILINE))

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def ask(self, shell, line):
        """The words that a shell offers. Those of fish include the text before an `=`."""
        if shell == "zsh":
            found = self.zsh.matches(line)
        else:
            found = {"bash": ask_bash, "fish": ask_fish}[shell](self.scripts[shell], line, self.folder)
        before = line.split(" ")[-1].rpartition("=")[0] + "="
        return {word.rstrip("/").removeprefix(before) for word in found}

    def expect(self, line, words, change=set):
        """Expects that all shells offer exactly these words."""
        for shell in SHELLS:
            with self.subTest(shell=shell, line=line):
                self.assertEqual(change(self.ask(shell, line)), set(words))

    def expect_among(self, line, words):
        """Expects that all shells offer these words, and possibly others."""
        self.expect(line, words, lambda found: found & set(words))

    def test_commands(self):
        self.assertGreater(len(self.commands), 13)
        self.expect("salu ", self.commands)
        self.expect("salu ru", {"run"})

    def test_options(self):
        for command in ("run", "completion"):
            shown = set(re.findall(r"--[a-z][a-z0-9-]*", "\n".join(
                re.findall(r"^  (-.*?)(?:   |$)", salu(command, "--help").stdout, re.MULTILINE))))
            self.assertIn("--help", shown)
            # Shells may add the start of a value to the name.
            self.expect(f"salu {command} --", shown, lambda found: {re.split("[=:[]", word)[0] for word in found})
        self.expect("salu run --trace-f", {"--trace-file", "--trace-format"}, lambda found: {word.rstrip("=") for word in found})
        # Options for tests and former names are not offered.
        self.expect("salu run --dispat", set())
        self.expect("salu prove --second", set())

    def test_words(self):
        self.expect("salu run --format ", {"text", "yaml", "json"})
        self.expect("salu run --set s0=1 program.yaml --format y", {"yaml"})
        self.expect("salu run --format=j", {"json"})
        self.expect("salu why program.yaml s0 --format ", {"text", "json", "dot"})
        self.expect("salu completion ", SHELLS)
        self.expect("salu help ", self.commands)
        self.expect_among("salu run --check-undefined=", {"bits", "reads"})

    def test_targets(self):
        names = {line.split()[0] for line in salu("targets").stdout.splitlines()[1:]}
        self.assertGreater(len(names), 20)
        self.expect_among("salu asm --mcpu ", names)
        self.expect_among("salu equiv --mcpu-b ", names)
        self.expect_among("salu run --mcpu gfx90", {name for name in names if name.startswith("gfx90")})

    def test_files(self):
        self.expect("salu run pro", {"program.yaml"})
        self.expect("salu equiv program.yaml pro", {"program.yaml"})
        self.expect("salu run --trace-file pro", {"program.yaml"})
        self.expect("salu run --set s0=1 --trace pro", {"program.yaml"})
        self.expect_among("salu test ", {"program.yaml", "tests"})
        # Only directories for DIR, and nothing for other values.
        self.expect("salu asm -I ", {"tests"})
        self.expect("salu run --max-steps ", set())
        self.expect("salu targets pro", set())

    def test_zsh_reads_it_as_a_file_too(self):
        zsh = Zsh(self.scripts["zsh"], self.folder, autoload=False)
        self.addCleanup(zsh.close)
        self.assertEqual(zsh.matches("salu ru"), {"run"})

    def test_wrong_shells_are_named(self):
        wrong = salu("completion", "tcsh")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, ""))
        self.assertIn("SHELL: unknown value `tcsh`; expected `bash`, `zsh` or `fish`", wrong.stderr)
        none = salu("completion")
        self.assertEqual((none.returncode, none.stdout), (2, ""))
        self.assertIn("SHELL is required", none.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
