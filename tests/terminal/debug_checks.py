"""`salu debug` on a terminal, as a user sees it."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from terminal import Terminal

SALU = os.environ["SALU_EXECUTABLE"]
PROGRAMS = pathlib.Path(os.environ["SALU_SOURCE_DIR"]) / "programs"
PROMPT = "(salu) "
# An endless program.
ENDLESS = """target: gfx900
code: {asm: "loop: s_add_u32 s0, s0, 1\\ns_branch loop"}
"""


class DebugInATerminal(unittest.TestCase):
    def start(self, *arguments, width=100, height=40):
        terminal = Terminal([SALU, "debug", *arguments], width, height)
        self.addCleanup(terminal.close)
        terminal.wait_for(PROMPT)
        return terminal

    def start_gcd(self, **size):
        return self.start(str(PROGRAMS / "gcd.yaml"), **size)

    def enter(self, terminal, command):
        """Types a command and waits for the next prompt. Returns the output between."""
        count = terminal.text().count(PROMPT.rstrip())
        terminal.type(command)
        terminal.press("Enter")
        terminal.wait_for(PROMPT.rstrip(), count + 1)
        return terminal.text().split(PROMPT.rstrip())[-2]

    def test_the_prompt_stands_behind_where_the_run_begins(self):
        terminal = self.start_gcd()
        self.assertTrue(terminal.text().startswith("[0] 0x1000 <loop>: s_cmp_eq_u32 s0, s1"), terminal.text())
        terminal.wait(lambda: terminal.cursor_column() == len(PROMPT), "the cursor behind the prompt")

    def test_commands_are_answered(self):
        terminal = self.start_gcd()
        self.assertIn("s0 = 0x0000042f (1071)", self.enter(terminal, "print s0"))
        self.assertIn("[4] 0x1018 <first_is_larger>", self.enter(terminal, "stepi 4"))

    def test_an_empty_line_repeats_a_step(self):
        terminal = self.start_gcd()
        self.enter(terminal, "stepi")
        self.assertIn("[2] 0x1008", self.enter(terminal, ""))
        self.assertIn("[3] 0x100c", self.enter(terminal, ""))

    def test_the_arrow_up_brings_commands_back(self):
        terminal = self.start_gcd()
        self.enter(terminal, "print s0 + 1")
        self.enter(terminal, "print s1 + 1")
        terminal.press("Up", "Up")
        self.assertIn("s0 + 1 = 0x430 (1072)", self.enter(terminal, ""))
        terminal.press("Up", "Up")
        self.assertIn("s1 + 1 = 0x1cf (463)", self.enter(terminal, ""))

    def test_a_typed_line_can_be_changed(self):
        terminal = self.start_gcd()
        terminal.type("prnt s0")
        terminal.press("Home", "Right", "Right")
        self.assertIn("s0 = 0x0000042f (1071)", self.enter(terminal, "i"))

    def test_tab_completes_commands_registers_and_labels(self):
        terminal = self.start_gcd()
        for beginning, whole in (("disas", "disassemble"), ("reverse-con", "reverse-continue"), ("info wat", "info watchpoints"),
                                 ("print vcc_h", "print vcc_hi"), ("until first_", "until first_is_larger")):
            with self.subTest(beginning):
                terminal.type(beginning)
                terminal.press("Tab")
                terminal.wait_for(PROMPT + whole)
                terminal.press("C-u")
        self.assertIn("[4] 0x1018 <first_is_larger>", self.enter(terminal, "until first_is_larger"))

    def test_tab_completes_what_it_can(self):
        terminal = self.start_gcd()
        terminal.type("dis")
        terminal.press("Tab", "Tab")
        terminal.wait_for("disassemble")
        terminal.wait_for("display")

    def test_control_c_stops_what_runs_and_keeps_the_session(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(ENDLESS)
            file.flush()
            terminal = self.start(file.name, "--max-steps", "1000000000000")
            for count, command in enumerate(("continue", "stepi 1000000000000", "next 1000000000000", "until"), 1):
                if command == "until":
                    # From the branch, which loops forever.
                    self.enter(terminal, "goto 1")
                terminal.type(command)
                terminal.press("Enter")

                # An interrupt before the start of the command has no effect on it, so several may be needed. An interrupt before Enter is
                # read abandons the line.
                def is_interrupted(count=count, command=command):
                    terminal.press("C-c")
                    text = terminal.text()
                    if text.count("Interrupted.") >= count:
                        return True
                    if text.rstrip().endswith(PROMPT.rstrip()):
                        terminal.type(command)
                        terminal.press("Enter")
                    return False

                terminal.wait(is_interrupted, "an interrupted " + command)
                terminal.wait(lambda: terminal.text().rstrip().endswith(PROMPT.rstrip()), "a prompt")
            self.assertRegex(self.enter(terminal, "print s0 > 0"), r"s0 > 0 = 0x1\b")
            self.assertIn("[0] 0x1000 <loop>", self.enter(terminal, "goto 0"))
            self.assertIn("s0 = 0x00000000", self.enter(terminal, "print s0"))

    def test_control_c_at_the_prompt_gives_up_the_line(self):
        terminal = self.start_gcd()
        for count in (2, 3):
            terminal.type("quit")
            terminal.wait_for(PROMPT + "quit", count - 1)
            terminal.press("C-c")
            terminal.wait_for(PROMPT.rstrip(), count)
        self.assertIn("s0 = 0x0000042f (1071)", self.enter(terminal, "print s0"))
        terminal.press("C-c")
        terminal.wait_for(PROMPT.rstrip(), 5)
        self.assertIn("[1] 0x1004", self.enter(terminal, "stepi"))

    def test_control_d_ends(self):
        terminal = self.start_gcd()
        terminal.press("C-d")
        self.assertEqual(terminal.wait_for_end(), 0)

    def test_quit_ends(self):
        terminal = self.start_gcd()
        terminal.type("quit")
        terminal.press("Enter")
        self.assertEqual(terminal.wait_for_end(), 0)

    def test_errors_end_nothing(self):
        terminal = self.start_gcd()
        self.assertIn("error: unknown command `frobnicate`", self.enter(terminal, "frobnicate"))
        self.assertIn("error: ", self.enter(terminal, "break nowhere"))
        self.assertIn("[1] 0x1004", self.enter(terminal, "stepi"))

    def test_colours_are_for_terminals(self):
        terminal = self.start_gcd()
        self.enter(terminal, "stepi 4")
        self.assertRegex(terminal.text(escapes=True), r"\x1b\[1ms_sub_u32")
        self.assertRegex(terminal.text(escapes=True), r"\x1b\[32m\s*scc=1")
        plain = subprocess.run([SALU, "debug", str(PROGRAMS / "gcd.yaml")], input="stepi 4\n", capture_output=True, text=True,
                               timeout=120, check=True)
        self.assertNotIn("\x1b", plain.stdout)
        self.assertIn("[4] 0x1018", plain.stdout)

    def test_no_colours_when_they_are_not_wanted(self):
        terminal = self.start(str(PROGRAMS / "gcd.yaml"), "--color", "never")
        self.enter(terminal, "stepi 4")
        self.assertNotRegex(terminal.text(escapes=True), r"\x1b\[(1|32|33)m")

    def test_a_narrow_window(self):
        terminal = self.start_gcd(width=20, height=30)
        terminal.type("print " + "+".join(["1"] * 40))
        terminal.press("Enter")
        terminal.wait_for("= 0x28 (40)")
        terminal.type("lanes")
        terminal.press("Enter")
        # 64 lanes, eight in a row.
        terminal.wait(lambda: re.search(r"lane 56\nexec 1{8}\n", terminal.text()), "the lanes")
        self.assertRegex(terminal.text(), r"lane 0\nexec 1{8}  64\n")

    def test_deleting_all_is_asked_about(self):
        terminal = self.start_gcd()
        self.enter(terminal, "break done")
        terminal.type("delete")
        terminal.press("Enter")
        terminal.wait_for("Delete all breakpoints and watchpoints? (y or n)")
        terminal.type("x")
        terminal.press("Enter")
        terminal.wait_for("Please answer y or n.")
        self.assertNotIn("Delete", self.enter(terminal, "n").replace("Delete all", "", 2))
        self.assertIn("1  break done", self.enter(terminal, "info breakpoints"))
        terminal.type("delete")
        terminal.press("Enter")
        terminal.wait_for("(y or n)", 3)
        self.enter(terminal, "y")
        self.assertIn("No breakpoints", self.enter(terminal, "info breakpoints"))
        # Answers to questions are not in the history.
        terminal.press("Up", "Up")
        terminal.wait_for("(salu) delete", 3)

    def test_commands_have_a_prompt_of_their_own(self):
        terminal = self.start_gcd()
        self.enter(terminal, "break done")
        for line in ("commands", "print s0"):
            terminal.type(line)
            terminal.press("Enter")
        terminal.wait_for("\n> print s0\n>")
        self.enter(terminal, "end")
        self.assertIn("s0 = 0x00000015 (21)", self.enter(terminal, "continue"))

    def test_the_layout_fits_the_window(self):
        for width, height in ((80, 24), (40, 30), (120, 50)):
            with self.subTest(width=width, height=height):
                terminal = Terminal([SALU, "debug", str(PROGRAMS / "fork_join.yaml")], width, height)
                self.addCleanup(terminal.close)
                terminal.wait_for(PROMPT)
                terminal.type("layout")
                terminal.press("Enter")
                terminal.wait_for("-- source ---")
                terminal.type("stepi 6")
                terminal.press("Enter")
                terminal.wait_for("[6] 0x1028")
                terminal.wait(lambda: terminal.screen().rstrip().endswith(PROMPT.rstrip()), "the prompt")
                screen = terminal.screen()
                self.assertTrue(screen.startswith("-- source ---"), screen)
                self.assertRegex(screen, r"(?m)^=> +\d+ .*s_or_b64 s\[44:45\]")
                self.assertIn("-- registers ---", screen)
                self.assertLessEqual(len(screen.rstrip().splitlines()), height)
                if width >= 80 and height >= 50:
                    self.assertIn("-- control stack ---", screen)
                    self.assertIn("waiting 1", screen)
                terminal.type("layout off")
                terminal.press("Enter")
                terminal.wait(lambda: "-- source" not in terminal.screen(), "an empty screen")

    def test_lines_are_kept_between_runs(self):
        with tempfile.TemporaryDirectory() as home:
            settings = {"HOME": home, "XDG_STATE_HOME": ""}
            path = pathlib.Path(home) / ".local" / "state" / "salu" / "history"

            def start(**others):
                chosen = {**settings, **others}
                terminal = Terminal([SALU, "debug", str(PROGRAMS / "gcd.yaml")], settings=chosen)
                self.addCleanup(terminal.close)
                terminal.wait_for(PROMPT)
                return terminal

            terminal = start(SALU_HISTORY=None)
            self.enter(terminal, "print s0 + 40")
            terminal.press("C-d")
            terminal.wait_for_end()
            self.assertEqual(path.read_text(), "print s0 + 40\n")
            self.assertEqual(path.stat().st_mode & 0o777, 0o600)
            path.write_text(path.read_text() + "print s1 + \x1b[2J40\n")
            terminal = start(SALU_HISTORY=None)
            terminal.press("Up")
            terminal.wait_for(PROMPT + "print s1 + [2J40")
            terminal.press("Up")
            self.assertIn("s0 + 40 = 0x457", self.enter(terminal, ""))
            terminal.press("C-d")
            terminal.wait_for_end()
            # Disabled, and without a home directory.
            before = path.read_text()
            for others in ({"SALU_HISTORY": ""}, {"SALU_HISTORY": None, "HOME": None, "XDG_STATE_HOME": None}):
                terminal = start(**others)
                self.assertIn("s0 = 0x0000042f", self.enter(terminal, "print s0"))
                terminal.press("C-d")
                self.assertEqual(terminal.wait_for_end(), 0)
            self.assertEqual(path.read_text(), before)
            chosen = pathlib.Path(home) / "chosen"
            terminal = start(SALU_HISTORY=str(chosen))
            self.enter(terminal, "print s1")
            self.assertEqual(chosen.read_text(), "print s1\n")

    def test_long_lines(self):
        terminal = self.start_gcd(width=80, height=50)
        terminal.type("print " + "+".join(["1"] * 600))
        terminal.press("Enter")
        terminal.wait_for("= 0x258 (600)")
        self.assertIn("s1 = ", self.enter(terminal, "print s1"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
