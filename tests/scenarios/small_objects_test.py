#!/usr/bin/env python3
"""A small object may come to gigabytes: compressed sections, line tables of very many rows, files whose names are those of long folders
over and over, and symbols and sections that share a long name. Debugging information is left out, in little memory, and the program
runs without it; the rest is an error."""

import os
import pathlib
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
    """A table of DWARF 5; files as the formats have them."""
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
                    "come to more than 64 MiB"),
        "names in another section": (line_table([b"/x"], [struct.pack("<I", 0)] * 1_000_000, [(PATH, LINE_STRP)], ADVANCE + END),
                                     b"x" * 4_000 + b"\0", "come to more than 64 MiB"),
        "bytes": (good + b"\0" * (300 << 20), b"", "uncompressed it is larger than 256 MiB"),
    }


def shared_names(text, in_sections):
    """An object whose symbols, or sections, all have the name of the one whose name is the longest."""
    text = bytearray(text)
    offset, = struct.unpack_from("<Q", text, 0x28)
    count, names = struct.unpack_from("<HH", text, 0x3C)
    headers = [struct.unpack_from("<IIQQQQIIQQ", text, offset + 64 * i) for i in range(count)]

    def longest(table, numbers):
        strings = bytes(text[headers[table][4]:headers[table][4] + headers[table][5]])
        return max(numbers, key=lambda number: strings.index(b"\0", number) - number)

    if in_sections:
        places = [offset + 64 * i for i in range(1, count)]
        name = longest(names, [struct.unpack_from("<I", text, place)[0] for place in places])
    else:
        symbols = next(header for header in headers if header[1] == 2)
        places = [symbols[4] + at for at in range(24, symbols[5], 24)]
        name = longest(symbols[6], [struct.unpack_from("<I", text, place)[0] for place in places])
    for place in places:
        struct.pack_into("<I", text, place, name)
    return text


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
            if result.returncode != 3 or "the names of sections and symbols come to more than 128 MiB" not in result.stderr:
                failures.append(f"{what}, {command}: ended with {result.returncode}: {result.stderr[-300:]}")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=LONGEST_SECONDS, **more)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "f.s").write_text(SOURCE)
        run("llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj", "-o", folder / "f.o", folder / "f.s")
        for what, (table, names, says) in tables().items():
            (folder / "table").write_bytes(table)
            (folder / "names").write_bytes(names)
            run("llvm-objcopy-19", "--add-section", f".debug_line={folder / 'table'}", "--add-section",
                f".debug_line_str={folder / 'names'}", folder / "f.o", folder / "large.o")
            made = run("llvm-objcopy-19", "--compress-debug-sections=zlib", folder / "large.o", folder / "small.o")
            if made.returncode != 0 or (folder / "small.o").stat().st_size > 1 << 20:
                failures.append(f"{what}: no small object came of it: {made.stderr}")
                continue
            for command in ("run", "dis"):
                result = run(SALU, command, folder / "small.o", preexec_fn=limit_memory)
                text = result.stdout + result.stderr
                if result.returncode != 0 or "s_endpgm" not in text:
                    failures.append(f"{what}, {command}: ended with {result.returncode}: {text[-300:]}")
                if command == "run" and (("left out" in text) != (says is not None) or (says or "") not in text):
                    failures.append(f"{what}, {command}: {text[-300:]}")
        check_names(folder)
    print("\n".join(failures) if failures else "nothing came to more than it may")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
