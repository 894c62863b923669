#!/usr/bin/env python3
"""A small file may expand to gigabytes: objects with compressed sections, with line tables of very many rows, with
files whose names repeat those of long folders, with symbols and sections that share a long name; scenarios that all
name one file; code that runs once. Debugging information that is too large is omitted, with little use of memory, and
the program runs without it; all other cases are errors."""

import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
HAS_SANITIZER = b"__asan_init" in pathlib.Path(SALU).read_bytes()
MEMORY_BYTES = 700 << 20
LONGEST_SECONDS = 60
SOURCE = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl f
.type f,@function
f: s_nop 0
s_endpgm
.size f, .-f
"""
STRING, LINE_STRP, UDATA = 8, 0x1F, 0x0B
PATH, FOLDER = 1, 2
ADVANCE = bytes([0, 9, 2]) + struct.pack("<Q", 0)
END = b"\0\1\1"
failures = []


def limit_memory():
    if not HAS_SANITIZER:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def leb128(value):
    text = b""
    while value >= 128:
        text += bytes([value & 127 | 128])
        value >>= 7
    return text + bytes([value])


def line_table(folders, files, file_formats, program):
    """A table of DWARF 5; files in the encodings of the format."""
    header = bytes([4, 1, 1, 0xFB, 14, 13]) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    header += bytes([1, PATH, STRING]) + leb128(len(folders)) + b"".join(folder + b"\0" for folder in folders)
    header += bytes([len(file_formats)]) + b"".join(bytes(each) for each in file_formats) + leb128(len(files)) + b"".join(files)
    body = struct.pack("<HBBI", 5, 8, 0, len(header)) + header + program
    return struct.pack("<I", len(body)) + body


def tables():
    named = [(PATH, STRING), (FOLDER, UDATA)]
    good = line_table([b"/x"], [b"a.c\0\0"], named, ADVANCE + b"\x13\x13" + END)
    return {
        "good": (good, b"", None),
        "rows": (line_table([b"/x"], [b"a.c\0\0"], named, (ADVANCE + b"\x13" * 1_000_000 + END) * 60), b"", "too many rows"),
        "folders": (line_table([b"/" + b"x" * 100_000], [b"a\0\0"] * 40_000, named, ADVANCE + b"\x13" + END), b"",
                    "have more than 64 MiB"),
        "names in another section": (line_table([b"/x"], [struct.pack("<I", 0)] * 1_000_000, [(PATH, LINE_STRP)], ADVANCE + END),
                                     b"x" * 4_000 + b"\0", "have more than 64 MiB"),
        "two sections": (line_table([b"/x"], [b"a.c\0\0"], named, (ADVANCE + b"\x13" * 1_000_000 + END) * 60), None,
                         "it has several sections named .debug_line"),
        "bytes": (good + b"\0" * (300 << 20), b"", "uncompressed it is larger than 256 MiB"),
    }


def shared_names(text, in_sections, old=None, new=None):
    """An object in which all symbols, or sections, have the longest name; or one section has that of another."""
    text = bytearray(text)
    offset, = struct.unpack_from("<Q", text, 0x28)
    count, names = struct.unpack_from("<HH", text, 0x3C)
    headers = [struct.unpack_from("<IIQQQQIIQQ", text, offset + 64 * i) for i in range(count)]

    def longest(table, numbers):
        strings = bytes(text[headers[table][4]:headers[table][4] + headers[table][5]])
        return max(numbers, key=lambda number: strings.index(b"\0", number) - number)

    if in_sections:
        places = [offset + 64 * i for i in range(1, count)]
        starts = [struct.unpack_from("<I", text, place)[0] for place in places]
        name = longest(names, starts)
        if old is not None:
            strings = bytes(text[headers[names][4]:headers[names][4] + headers[names][5]])
            called = {strings[start:strings.index(b"\0", start)].decode(): (place, start) for place, start in zip(places, starts)}
            places, name = [called[old][0]], called[new][1]
    else:
        symbols = next(header for header in headers if header[1] == 2)
        places = [symbols[4] + at for at in range(24, symbols[5], 24)]
        name = longest(symbols[6], [struct.unpack_from("<I", text, place)[0] for place in places])
    for place in places:
        struct.pack_into("<I", text, place, name)
    return text


def repeated(text, kind, times):
    """An object with additional headers that share the contents of the last section of a kind."""
    text = bytearray(text)
    offset, = struct.unpack_from("<Q", text, 0x28)
    count, = struct.unpack_from("<H", text, 0x3C)
    headers = [bytes(text[offset + 64 * i:offset + 64 * (i + 1)]) for i in range(count)]
    one = next(header for header in reversed(headers) if struct.unpack_from("<I", header, 4)[0] == kind)
    struct.pack_into("<Q", text, 0x28, len(text))
    struct.pack_into("<H", text, 0x3C, count + times)
    return text + b"".join(headers) + one * times


def check_shared_sections(folder):
    """Notes, symbols and relocations that thousands of sections share."""
    texts = {
        7: (SOURCE + '.section .note,"",@note\n.long 4, 100000, 1\n.asciz "abc"\n.space 100000, 1\n', 2_000, "the notes have more than 64 MiB"),
        2: (SOURCE + "".join(f"s{number}:\n" for number in range(10_000)), 1_000, "more than 2000000 symbols"),
        4: (SOURCE + ".text\n" + ".quad elsewhere\n" * 10_000, 1_000, "more than 1000000 relocations"),
    }
    for kind, (text, times, says) in texts.items():
        (folder / "shared.s").write_text(text)
        run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "shared.o", folder / "shared.s")
        (folder / "shared.o").write_bytes(repeated((folder / "shared.o").read_bytes(), kind, times))
        for command in ("run", "dis", "info"):
            result = run(SALU, command, folder / "shared.o", preexec_fn=limit_memory)
            if result.returncode != 3 or says not in result.stderr:
                failures.append(f"{says}, {command}: ended with {result.returncode}: {result.stderr[-300:]}")


def check_rows_of_much_code(folder):
    """A line table has at most as many rows as the code has dwords."""
    dwords = 2_000_000
    (folder / "much.s").write_text(SOURCE + f".fill {dwords}, 4, 0xbf800000\n")
    run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "much.o", folder / "much.s")
    for rows, is_left_out in ((dwords * 9 // 10, False), (dwords * 11 // 10, True)):
        program = ADVANCE + b"\x13" * rows + END
        (folder / "table").write_bytes(line_table([b"/x"], [b"a.c\0\0"], [(PATH, STRING), (FOLDER, UDATA)], program))
        run("llvm-objcopy-19", "--add-section", f".debug_line={folder / 'table'}", folder / "much.o", folder / "rows.o")
        result = run(SALU, "run", folder / "rows.o", preexec_fn=limit_memory)
        text = result.stdout + result.stderr
        if result.returncode != 0 or ("too many rows" in text) != is_left_out:
            failures.append(f"{rows} rows: ended with {result.returncode}: {text[-300:]}")


def check_many_sections(folder):
    """From 65,280 sections on, the section numbers of symbols are in a separate table."""
    count = 66_000
    (folder / "many.s").write_text('.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n' + "".join(
        f'.section .text.f{number},"ax"\n.type f{number},@function\nf{number}: s_endpgm\n.size f{number}, 4\n' for number in range(count)))
    run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "many.o", folder / "many.s")
    functions = len(re.findall(r"^  0x.* f\d+$", run(SALU, "info", folder / "many.o").stdout, re.MULTILINE))
    if functions != count:
        failures.append(f"{functions} of {count} functions are listed")
    result = run(SALU, "run", "-q", folder / "many.o", "--symbol", f"f{count - 1}")
    if result.returncode != 0:
        failures.append(f"the last of many functions: {result.stderr[-300:]}")


def check_names(folder):
    """4,000 names of 100,000 characters."""
    long_name = "x" * 100_000
    texts = {"symbols": SOURCE + f"{long_name}:\n" + "".join(f"s{number}:\n" for number in range(4_000)),
             "sections": SOURCE + "".join(f'.section {name},"aw"\n.byte 1\n' for name in [long_name, *(f"s{i}" for i in range(4_000))])}
    for what, text in texts.items():
        (folder / "names.s").write_text(text)
        run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "names.o", folder / "names.s")
        (folder / "names.o").write_bytes(shared_names((folder / "names.o").read_bytes(), what == "sections"))
        for command in ("run", "dis", "info"):
            result = run(SALU, command, folder / "names.o", preexec_fn=limit_memory)
            if result.returncode != 3 or "the names of sections and symbols have more than 128 MiB" not in result.stderr:
                failures.append(f"{what}, {command}: ended with {result.returncode}: {result.stderr[-300:]}")


def check_documents(folder):
    """400 scenarios in a file, all of which name one file of 4 MB: each is run before the next is loaded."""
    (folder / "memory.bin").write_bytes(b"salu" * 1_000_000)
    document = "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x10000, file: memory.bin}]\nexpect: {registers: {scc: 0}}\n"
    (folder / "many.yaml").write_text("---\n".join(400 * [document]))
    for command in (["test"], ["test", "--update"], ["test", "--list"], ["run", "-q"]):
        result = run(SALU, *command, folder / "many.yaml", preexec_fn=limit_memory)
        if result.returncode != 0 or result.stderr:
            failures.append(f"many scenarios, {' '.join(command)}: ended with {result.returncode}: {result.stderr[-300:]}")


def check_long_code(folder):
    """4 MiB of straight-line code: `why` does not cache all instructions."""
    (folder / "zeros.bin").write_bytes(bytes(4 << 20))
    result = run(SALU, "why", "--mcpu", "gfx900", folder / "zeros.bin", "s0", preexec_fn=limit_memory)
    if result.returncode != 0 or "never written" not in result.stdout:
        failures.append(f"long code, why: ended with {result.returncode}: {result.stderr[-300:]}")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=LONGEST_SECONDS, **more)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "f.s").write_text(SOURCE)
        run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "f.o", folder / "f.s")
        for what, (table, names, says) in tables().items():
            (folder / "table").write_bytes(table)
            # The flags determine which of two sections with the same name is read.
            (folder / "names").write_bytes(tables()["good"][0] if names is None else names)
            run("llvm-objcopy-19", "--add-section", f".debug_line={folder / 'table'}", "--add-section",
                f".debug_line_str={folder / 'names'}", folder / "f.o", folder / "large.o")
            made = run("llvm-objcopy-19", "--compress-debug-sections=zlib", folder / "large.o", folder / "small.o")
            if names is None:
                (folder / "small.o").write_bytes(shared_names((folder / "small.o").read_bytes(), True, ".debug_line_str", ".debug_line"))
            if made.returncode != 0 or (folder / "small.o").stat().st_size > 1 << 20:
                failures.append(f"{what}: no small object came of it: {made.stderr}")
                continue
            for command in ("run", "dis"):
                result = run(SALU, command, folder / "small.o", preexec_fn=limit_memory)
                text = result.stdout + result.stderr
                if result.returncode != 0 or "s_endpgm" not in text:
                    failures.append(f"{what}, {command}: ended with {result.returncode}: {text[-300:]}")
                if command == "run" and (("is ignored" in text) != (says is not None) or (says or "") not in text):
                    failures.append(f"{what}, {command}: {text[-300:]}")
        check_names(folder)
        check_shared_sections(folder)
        check_documents(folder)
        check_rows_of_much_code(folder)
        if not HAS_SANITIZER:
            check_many_sections(folder)
            check_long_code(folder)
    print("\n".join(failures) if failures else "nothing came to more than it may")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
