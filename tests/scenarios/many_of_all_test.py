#!/usr/bin/env python3
"""Inputs with very many elements of any kind are processed in less than a minute: a linear search for each element
would take minutes. SALU_MEASURE=1 prints the time for each input, and for half its size."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

SALU = os.environ["SALU_EXECUTABLE"]
# Sanitizers are ten times slower: these builds only test memory errors with large inputs.
DIVISOR = 20 if b"__asan_init" in pathlib.Path(SALU).read_bytes() else 1
MEASURES = os.environ.get("SALU_MEASURE") == "1"
LONGEST_SECONDS = 60
HEAD = "target: gfx900\ncode:\n  asm: |\n    s_endpgm\n"
failures = []


def lines(count, text):
    """`text`, repeated with `#` replaced by the numbers from 0 on."""
    return "".join(text.replace("#", str(number)) for number in range(count))


def assembly(count):
    return {
        "parentheses of an argument": (12 * count, lambda n: ".macro m x\n.endm\nm " + "(" * n + ")" * n + "\ns_nop 0"),
        "characters of an argument": (5 * count, lambda n: ".macro m x\n.endm\nm " + "\\x" * n + "\ns_nop 0"),
        "brackets of an argument": (5 * count, lambda n: ".altmacro\n.macro m x\n.endm\nm " + "<x" * n + "\ns_nop 0"),
        "arguments in brackets": (count, lambda n: ".altmacro\n.irp y, " + "<x, " * n + "\n.endr\ns_nop 0"),
        "parameters": (count // 4, lambda n: ".macro m " + lines(n, "a#,") + "z\n.endm\nm " + lines(n, "a#=1,") + "z=1\ns_nop 0"),
        "macros": (count // 4, lambda n: lines(n, ".macro m#\ns_nop 0\n.endm\nm#\n")),
        "labels": (count, lambda n: lines(n, "a#: s_branch a#\n")),
        "labels as numbers": (count, lambda n: lines(n, "1: s_branch 1b\n")),
        "names": (count, lambda n: lines(n, "a# = b#\nb# = 1\n.long a#\n")),
        "definitions that nothing uses": (count, lambda n: lines(n, "a# = b# + c#\n") + "s_nop 0"),
        "entries of the table of addresses": (count, lambda n: lines(n, "s_mov_b32 s0, x#@gotpcrel32@lo+4\n") +
                                              lines(n, "x# = 4\n")),
        "sections": (count // 2, lambda n: lines(n, '.section a#,"aw"\n.byte 1\n') + ".text\ns_nop 0"),
        "sections within each other": (count, lambda n: lines(n, ".pushsection a#\n") + "\n.popsection" * n + "\ns_nop 0"),
        "conditions": (count, lambda n: ".if 1\n" * n + "s_nop 0\n" + ".endif\n" * n),
        "repetitions": (count, lambda n: f".rept {n}\ns_nop 0\n.endr\n"),
        "comments": (count, lambda n: "/* a */" * n + "\ns_nop 0 " + "/* b\n */" * n),
        "values of a list": (count, lambda n: ".long " + "1, " * n + "1"),
    }


def run(name, count, make, arguments):
    """Runs salu with the text that `make` returns for a count on its standard input; it must end regularly."""
    count //= DIVISOR
    took = []
    for number in (count // 2, count) if MEASURES else (count,):
        given = make(number).encode()
        began = time.monotonic()
        try:
            result = subprocess.run([SALU, *arguments], input=given, capture_output=True, check=False, timeout=LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            failures.append(f"{name}, {number}: did not end within {LONGEST_SECONDS} seconds")
            return
        took.append(time.monotonic() - began)
        if result.returncode != 0:
            text = (result.stdout[-300:] + result.stderr[-300:]).decode(errors="replace")
            failures.append(f"{name}, {number}: ended with {result.returncode}: {text}")
            return
    if MEASURES:
        print(f"{took[1]:7.2f} s for {count:8}, {took[0]:7.2f} s for half: {name}", flush=True)


def functions(path):
    """Symbols of a text, like those of an object."""
    def written(text):
        path.write_text(text)
        return ""

    def at_one_place(count):
        return written(lines(count, ".type f#,@function\nf#:\n") + "s_endpgm\n")

    def apart(count):
        return written(lines(count, ".type f#,@function\nf#: s_endpgm\n.size f#, 4\n"))

    for command in ("info", "run"):
        run(f"functions at one place, {command}", 400_000, at_one_place, [command, "--mcpu", "gfx900", str(path)])
        run(f"functions, {command}", 400_000, apart, [command, "--mcpu", "gfx900", str(path)])


def loads(path, count):
    """Outstanding loads that no path waits for."""
    path.write_text("".join(f"b{number}: s_load_dword s{2 + number % 80}, s[0:1], 0x0\ns_cbranch_scc1 b{number * 7919 % count}\n"
                            for number in range(count)) + "s_branch b0\n")
    return ""


def words(count):
    """Branches, each to a different instruction."""
    return "bf850001\nbf800000\n" * count


def scenarios(count):
    return {
        "rows": (count, lambda n: HEAD + "cases:\n" + lines(n, "  - {s0: #, expect: {s0: #}}\n")),
        "columns": (count, lambda n: HEAD + "memory: [{at: 1000000, size: 4000000}]\ncases:\n  -\n" +
                    "".join(f"    memory.{1000000 + 4 * i}: 1\n" for i in range(n))),
        "memory": (30_000, lambda n: HEAD + "memory:\n" + "".join(f"  - {{at: {0x100000 + 16 * i:#x}, words: [1]}}\n" for i in range(n))),
        "expected memory": (count // 2, lambda n: HEAD + "memory: [{at: 0x100000, size: 16000000}]\nexpect:\n  memory:\n" +
                            "".join(f"    - {{at: {0x100000 + 16 * i:#x}, words: [0]}}\n" for i in range(n))),
        "columns of a list": (count, lambda n: HEAD + "memory: [{at: 1000000, size: 4000000}]\ncases:\n  columns:\n" +
                              "".join(f"    - memory.{1000000 + 4 * i}\n" for i in range(n)) + "  rows: [[" + "1, " * n + "]]\n"),
        "anchors on a line": (count // 2, lambda n: HEAD + "memory:\n  - at: 0x100000\n    words: [" + "&a 1, " * n + "]\n"),
        "tags on a line": (count // 4, lambda n: HEAD + "memory:\n  - at: 0x100000\n    words: [" + "!!int 1, " * n + "]\n"),
        "documents": (count // 4, lambda n: ("---\n" + HEAD) * n),
        "anchors": (count // 4, lambda n: HEAD + "registers: {s0: &a 5}\nmemory:\n  - at: 0x100000\n    words: [" +
                    ", ".join("*a" for _ in range(n)) + "]\n"),
        "labels in values": (count // 4, lambda n: "target: gfx900\ncode:\n  asm: |\n" + lines(n, "    a#:\n") +
                             "    s_endpgm\nmemory:\n  - at: 0x100000\n    words: [" + ", ".join(f"a{i}" for i in range(n)) + "]\n"),
    }


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for what, (count, make) in assembly(200_000).items():
            run(what, count, make, ["asm", "--mcpu", "gfx900", "--assembler", "salu", "-"])
        functions(folder / "functions.s")
        path = folder / "loads.s"
        run("loads that nothing waits for", 10_000, lambda n: loads(path, n), ["dis", "--check-hazards", "--mcpu", "gfx900", str(path)])
        run("targets of branches", 200_000, words, ["dis", "--mcpu", "gfx900", "-"])
        for what, (count, make) in scenarios(200_000).items():
            run(what, count, make, ["run", "-q", "-"])
    print("\n".join(failures) if failures else "nothing is looked through for each of many")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
