#!/usr/bin/env python3
"""Every call of salu fails once: no crash, the documented exit code, and no file damaged or lost.

SALU_TORTURE_CALLS: number of calls tried for each command and kind (12), evenly distributed; 0: all of them."""
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SALU = os.environ["SALU_EXECUTABLE"]
SOURCE = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
INTERPOSER = os.environ.get("SALU_INTERPOSER")  # none: the program contains it
KINDS = os.environ.get("SALU_TORTURE_KINDS", "memory io terminate interrupt kill").split()
LEAKS = os.environ.get("SALU_TORTURE_LEAKS") == "ON"  # the program tells of memory that is lost
CALLS = int(os.environ.get("SALU_TORTURE_CALLS", "12"))

TEST = """name: t{0}
target: gfx900
code: {{asm: "s_mov_b32 s0, {0}\\ns_endpgm"}}
expect: {{registers: {{s0: 7}}}}
"""
TABLE = """target: gfx900
code: {asm: "s_add_u32 s2, s0, s1\\ns_endpgm"}
cases: {file: rows.csv}
"""
DEBUG = "break 0x1004\ncontinue\nstep\ninfo registers\nreverse-step\nprint s0+1\nforks\nquit\n"

# The result of both is the lesser of two numbers. No solver is called.
LESSER = "s_cmp_lt_i32 s0, s1\ns_cbranch_scc1 less\ns_mov_b32 s0, s1\nless:\ns_endpgm\n"
LEAST = "s_min_i32 s0, s0, s1\ns_endpgm\n"

# A command, the files that it may write, and its exit code without a failure.
COMMANDS = [
    ("run fork_join.yaml", [], 0),
    ("run --format json object.elf --mcpu gfx900", [], None),
    ("run fork_join.yaml --trace-file out", ["out"], 0),
    ("run --check-undefined --trace --format text fork_join.yaml", [], 0),
    ("test -j 2 fork_join.yaml table.yaml many.yaml --junit out --coverage info", ["out", "info"], 1),
    ("test --update many.yaml table.yaml", ["many.yaml", "rows.csv"], 0),
    ("report fork_join.yaml -o out", ["out"], 0),
    ("asm --mcpu gfx900 code.s -o out", ["out"], 0),
    ("dis --mcpu gfx900 object.elf", [], None),
    ("equiv code.s other.s --mcpu gfx900 --inputs s1 --outputs s0 --states 50 -o out", ["out"], 1),
    ("prove lesser.s other.s --mcpu gfx900 --outputs s0 -o out", ["out"], 1),
    ("prove lesser.s least.s --mcpu gfx900 --outputs s0 --cover out", ["out"], 0),
    ("sweep code.s --mcpu gfx900 --rows rows.csv --vary s3=0..9 --outputs s0 --format csv -o out", ["out"], 0),
    ("sweep code.s --mcpu gfx900 --rows s1=numbers.npy --outputs s0 --format npy -o out", ["out"], 0),
    ("sweep code.s --mcpu gfx900 --vary s1=0..0xfff --histogram --format json -o out", ["out"], 0),
    ("debug fork_join.yaml --command script", [], 0),
    ("why fork_join.yaml s[40:41]", [], 0),
]


EXIT_BAD_INPUT = 3
# The number of last bytes that show whether a file with unknown contents is complete.
LAST_BYTES = 14
# The end of the header of an array, and the size of a row: an input and an output of 4 bytes, and the stop reason.
ARRAY_SHAPE = re.compile(rb"'shape': \((\d+),\), \} *\n")
ARRAY_ROW_BYTES = 9
SIGNALS = {"terminate": signal.SIGTERM, "interrupt": signal.SIGINT, "hang up": signal.SIGHUP, "kill": signal.SIGKILL}
# Signals after which `salu sweep` completes its output.
ASKED_TO_END = ("interrupt", "terminate", "hang up")


def fill(folder, size=1):
    """A folder for the commands; `size` scales the number of tests and comparisons."""
    shutil.copy(SOURCE / "programs" / "fork_join.yaml", folder)
    (folder / "many.yaml").write_text("---\n".join(TEST.format(i) for i in range(12 * size)))
    (folder / "table.yaml").write_text(TABLE)
    (folder / "rows.csv").write_text("s0,s1,expect.s2\n" + "".join(f"{i},1,{i}\n" for i in range(40 * size)))
    (folder / "code.s").write_text("s_mov_b32 s0, s1\ns_endpgm\n")
    (folder / "other.s").write_text("s_and_b32 s0, s1, 15\ns_endpgm\n")
    (folder / "lesser.s").write_text(LESSER)
    (folder / "least.s").write_text(LEAST)
    (folder / "numbers.npy").write_bytes(array(range(400 * size)))
    (folder / "script").write_text(DEBUG)
    (folder / "out").write_text("old\n")
    (folder / "info").write_text("old\n")
    shutil.copy(OBJECT, folder / "object.elf")


def array(numbers):
    """In the format of numpy.save()."""
    numbers = list(numbers)
    header = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({len(numbers)},), }}".ljust(117) + "\n"
    data = struct.pack(f"<{len(numbers)}I", *numbers)
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode() + data


def contents(folder):
    """The files by name; durations are removed."""
    return {path.name: re.sub(rb' time="[^"]*"', b"", path.read_bytes()) for path in folder.iterdir()}


def run(folder, command, kind, at, count=None):
    # Without solvers, because their calls would be counted as well.
    environment = {**os.environ, "PATH": "", "SALU_TORTURE_KIND": kind, "SALU_TORTURE_AT": str(at)}
    if INTERPOSER:
        environment["LD_PRELOAD"] = INTERPOSER
    if count:
        environment["SALU_TORTURE_COUNT"] = str(count)
    return subprocess.run([SALU, *command.split()], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)


def is_report(text):
    """True if it is a complete report of `salu test --junit`."""
    try:
        return xml.etree.ElementTree.fromstring(text).tag == "testsuites"
    except xml.etree.ElementTree.ParseError:
        return False


def is_array_begun(kind, good, text):
    """True if an array is the beginning of another one. A sweep that is asked to end writes a complete array with fewer
    rows, and so does a sweep with unreadable rows."""
    shape, all_rows = ARRAY_SHAPE.search(text), ARRAY_SHAPE.search(good)
    if kind not in ASKED_TO_END and good.startswith(text):
        return True
    if kind not in (*ASKED_TO_END, "io") or not shape:
        return False
    rows = text[shape.end():]
    return (len(rows) == int(shape[1]) * ARRAY_ROW_BYTES and good[all_rows.end():].startswith(rows)
            and good.startswith(text[:shape.start()]) and shape.end() == all_rows.end())


def is_summary(text):
    """True if it is the report of `salu sweep` about the states that it has run, with consistent counts."""
    try:
        report = json.loads(text)
    except json.JSONDecodeError:
        return False
    counted = [sum(count for _, count in output["histogram"]) for output in report["outputs"]]
    return report["cancelled"] and set(counted) == {report["states"]}


def is_whole(command, kind, code, name, before, good, now, told):
    """True if a file that a command may write has allowed contents."""
    text = now.get(name)
    if text is None:
        return False
    if text in (before[name], good[name]):
        return True
    # A trace is written during the run.
    if name == "out" and "--trace-file" in command:
        return good[name].startswith(text)
    # Rows are written during the sweep.
    if name == "out" and "--format csv" in command:
        return good[name].startswith(text)
    if name == "out" and "--format npy" in command:
        return is_array_begun(kind, good[name], text)
    if name == "out" and "--histogram" in command and kind in ASKED_TO_END:
        return is_summary(text)
    # Source that cannot be read is not shown.
    if command.startswith("report") and code == 0:
        return "the page does not show this source file" in told and text[-LAST_BYTES:] == good[name][-LAST_BYTES:]
    # The scenario could not be read or run: the exit code shows it.
    if code <= 0 or kind not in ("memory", "io"):
        return False
    if name == "out" and "--junit" in command:
        return is_report(text)
    # Only the scenario has source lines; without it, the file is empty.
    if name == "info" and text == b"":
        return code == EXIT_BAD_INPUT and b"fork_join.yaml: error: " in now["out"]
    # A test may be incomplete, or was not updated. Additional details of a difference may be missing.
    return kind == "memory" and text[-LAST_BYTES:] in [whole[-LAST_BYTES:] for whole in (before[name], good[name])]


def judge(command, writes, kind, result, before, good, now):
    """The error, or nothing if everything is correct."""
    if result.returncode < 0 and result.returncode != -SIGNALS.get(kind, 0):
        return f"killed by signal {-result.returncode}"
    if result.returncode > 7:
        return f"exit code {result.returncode}"
    text = result.stderr.decode(errors="replace")
    # The exit code of a sanitizer report is also one of salu's.
    for sign in ("terminate called", "runtime error", "Sanitizer"):
        if sign in text:
            return f"`{sign}` on standard error"
    for name in before:
        if name not in writes and now.get(name) != before[name]:
            return f"{name} is not as it was"
        if name in writes and not is_whole(command, kind, result.returncode, name, before, good, now, text):
            return f"{name} is torn"
    if kind != "memory":
        left = [name for name in now if name not in before and name not in good]
        # A killed process cannot clean up.
        if kind == "kill":
            left = [name for name in left if not name.startswith(".salu-")]
        if left:
            return f"left behind: {left}"
    if "--update" in command and result.returncode == 0 and any(now[name] != good[name] for name in writes):
        return "says that all is updated"
    return None


def check_leaks(folder):
    """Without this test, leaks would also go unnoticed if leak detection were off."""
    folder.mkdir()
    fill(folder)
    result = run(folder, COMMANDS[0][0], "leak", 1)
    shutil.rmtree(folder)
    if b"LeakSanitizer" not in result.stderr:
        sys.exit(f"exit code {result.returncode}, and the leak was not reported\n{result.stderr.decode()}")


def main():
    wrong = []
    tried = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "work"
        if LEAKS:
            check_leaks(folder)
        for command, writes, code in COMMANDS:
            for kind in KINDS:
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                before = contents(folder)
                count = pathlib.Path(name) / "count"
                plain = run(folder, command, kind, 0, count)
                if code is not None and plain.returncode != code:
                    sys.exit(f"{command}: exit code {plain.returncode} without any failure\n{plain.stderr.decode()}")
                good = contents(folder)
                calls = int(count.read_text())
                stride = max(1, calls // CALLS) if CALLS else 1
                for at in range(1, calls + 1, stride):
                    if contents(folder) != before:
                        shutil.rmtree(folder)
                        folder.mkdir()
                        fill(folder)
                    try:
                        result = run(folder, command, kind, at)
                        problem = judge(command, writes, kind, result, before, good, contents(folder))
                    except subprocess.TimeoutExpired:
                        result, problem = None, "it never ends"
                    tried += 1
                    if problem:
                        wrong.append(f"salu {command}: {kind} call {at} of {calls}: {problem}")
                        print(wrong[-1], result.stderr.decode(errors="replace")[:300] if result else "", flush=True)
    print(f"{tried} failures were tried, {len(wrong)} went wrong")
    sys.exit(1 if wrong else 0)


OBJECT = sorted((SOURCE / "tests" / "fuzz" / "corpus" / "elf").iterdir())[0]
if __name__ == "__main__":
    main()
