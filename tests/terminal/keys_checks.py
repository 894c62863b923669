"""Keys typed at `salu debug` on a pseudo-terminal, including those that once crashed its line editor."""

import os
import sys
import time
import unittest

from pty_session import ENDLESS, Folder, PtySession, write_program


class Keys(unittest.TestCase):
    def setUp(self):
        folder = Folder()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.session = PtySession(write_program(folder.name, ENDLESS), "--max-steps", "1000", settings={"HOME": folder.name})
        self.addCleanup(self.session.close)
        self.session.wait_for_prompt()

    def answer(self, keys, expected):
        before = len(self.session.output)
        self.session.type(keys)
        self.session.wait_for(expected, self.session.output[:before].count(expected) + 1)
        self.session.wait_for_editor()

    def check_well(self):
        """Expects that the session still executes commands."""
        self.answer(b"\x15print 40 + 2\r", b"= 0x2a (42)")
        self.assertEqual(self.session.quit(), 0)
        self.assertTrue(self.session.has_its_modes())

    def test_tab_behind_a_long_line(self):
        for length in (100, 1000, 4000, 5000, 20000):
            self.session.type(b"print 1" + b"+1" * (length // 2))
            self.session.type(b"\t\t")
            self.session.type(b"\x15print v\t\t\x15")
        self.check_well()

    def test_alt_x_with_an_open_quote(self):
        for text in (b'"', b"'", b'bind "', b"\\", b""):
            self.session.type(b"\x1bx" + text + b"\r")
            self.session.type(b"\xf8" + text + b"\r")
        self.check_well()

    def test_a_line_has_an_end(self):
        self.session.type(b"x" * 70000)
        self.session.type(b"\x15" + b"\x19" * 20 + b"\r")
        self.session.wait_for(b"error: ")
        self.check_well()

    def test_settings_of_the_library_are_not_read(self):
        with open(os.path.join(self.folder, ".editrc"), "w", encoding="utf-8") as file:
            file.write('bind -v\nbind "q" ed-command\n')
        with PtySession(write_program(self.folder), settings={"HOME": self.folder}) as session:
            session.wait_for_prompt()
            session.type(b"print 6 * 7\r")
            session.wait_for(b"= 0x2a (42)")
            self.assertEqual(session.quit(), 0)

    def check_history(self, keys):
        """Prints three numbers, and expects that keys recall the number listed with them."""
        for number in (1001, 2002, 1003):
            self.answer(b"print %d\r" % number, b"= 0x%x (%d)" % (number, number))
        for typed, number in keys:
            self.answer(typed, b"= 0x%x (%d)" % (number, number))

    def test_the_history(self):
        # Typed text comes back after the newest line.
        self.check_history(
            [(b"\x1b[A\x1b[A\r", 2002), (b"\x1bOA\x1bOA\x1bOB\r", 2002), (b"print 77\x10\x10\x10\x0e\x0e\x0e0\r", 770)]
        )

    def test_control_r_finds_what_was_typed(self):
        self.check_history([(b"200\x12\r", 2002), (b"100\x12\x12\r", 1001)])
        self.session.type(b"\x12" * 10 + b"nothing\x12\x12")
        self.check_well()

    def test_other_alphabets(self):
        self.answer("print 5 é 漢 🙂\r".encode(), "é 漢 🙂".encode())
        self.answer(b"\x15print 7\xff\xc3\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80\r", b"7 = 0x7")
        self.answer("print 8e\u0301\u200b\u009b\r".encode(), b"print 8e")
        self.check_well()

    def test_words_are_changed(self):
        self.answer(b"print 1 + 22\x17333\r", b"= 0x14e (334)")
        self.answer(b"9print 4\x01\x1b[3~\r", b"4 = 0x4")
        self.answer(b"9 + 3\x01\x0bprint \x19 + 1\r", b"= 0xd (13)")

    def test_windows_of_any_size(self):
        self.session.type(b"print 1" + b"+1" * 200)
        for rows, columns in ((24, 10), (1, 1), (3, 5), (1, 200), (60, 3), (0, 0), (2, 2), (200, 300), (24, 80)):
            self.session.resize(rows, columns)
            self.session.type(b"\x01\x05\x02\x06+1\x0c")
        self.check_well()

    def test_a_window_that_the_editor_cannot_hold(self):
        with PtySession(write_program(self.folder), rows=65535, columns=65535) as session:
            session.wait_for(b"the window has 65535 rows of 65535 columns")
            self.assertEqual(session.wait_for_end(20), 2)

    def test_an_environment_whose_window_the_editor_cannot_hold(self):
        settings = {"LINES": "30000", "COLUMNS": "30000"}
        with PtySession(write_program(self.folder), rows=0, columns=0, settings=settings) as session:
            session.wait_for(b"the window has 30000 rows of 30000 columns")
            self.assertEqual(session.wait_for_end(20), 2)

    def test_a_window_that_grows_until_the_editor_cannot_hold_it(self):
        for rows, columns in ((65535, 65535), (32768, 32768)):
            with PtySession(write_program(self.folder)) as session:
                session.wait_for_prompt()
                session.resize(rows, columns)
                session.type(b"print 5\r")
                session.wait_for(b"the window has %d rows of %d columns" % (rows, columns))
                self.assertEqual(session.wait_for_end(20), 2)

    def test_a_window_without_a_size_keeps_the_one_it_had(self):
        with PtySession(write_program(self.folder)) as session:
            session.wait_for_prompt()
            for rows, columns in ((2, 65535), (65535, 0)):
                session.resize(rows, columns)
                time.sleep(0.3)
            session.type(b"print 5\r")
            session.wait_for(b"the window has 65535 rows of 65535 columns")
            self.assertEqual(session.wait_for_end(20), 2)

    def test_lines_that_the_window_does_not_hold(self):
        for rows, columns in ((4, 20), (1, 10), (24, 2), (24, 80)):
            self.session.resize(rows, columns)
            for character in ("1", "é", "🙂"):
                for move in (b"\x01\x05", b"\x02\x06", b"\x1bb\x1bf", b"\x1b[H\x1b[F", b"\x1b[1;5D\x1b[1;5C"):
                    self.session.type(b"\x15" + character.encode() * (rows * columns // 2 + 100) + move * 2 + character.encode() * 100)
        self.session.resize(24, 80)
        self.check_well()

    def test_the_cursor_moves(self):
        self.answer(b"int 1\x01pr\x1bf\x1bf00 + 1\r", b"= 0x65 (101)")
        self.answer(b"print 7 * 1\x1bb\x1bb1\x050\r", b"= 0xaa (170)")

    def test_control_z_lets_the_terminal_be_as_it_was(self):
        self.session.type(b"print 4")
        self.session.wait_for(b"print 4")
        # A process without a shell is not stopped; it continues at once.
        self.session.type(b"\x1a")
        self.session.wait_for(b"print 4", 2)
        self.answer(b"1\r", b"= 0x29 (41)")
        self.check_well()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
