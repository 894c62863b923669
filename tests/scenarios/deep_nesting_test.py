#!/usr/bin/env python3
"""All inputs of the program may be nested arbitrarily deep: it ends with an error message, quickly and with a small
stack, and no message is that of a library or names a function of salu. SALU_NESTING=all also tries ten times the
depth."""

import json
import os
import pathlib
import re
import resource
import struct
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
STACK = 256 << 10
DEPTHS = (20_000, 200_000) if os.environ.get("SALU_NESTING") == "all" else (20_000,)
# Limit for the length of one command line argument.
LONGEST_ARGUMENT = 120_000
LONGEST_SECONDS = 60
SIGNS_OF_A_LIBRARY = re.compile(r"::|what\(\)|json\.exception|basic_string|vector<|bad_alloc|Assertion|yaml-cpp|runtime error|Sanitizer"
                                r"|\b[a-z]+_[a-z_]+\(\)")
failures = []


def limit_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))


# The frames of a build with sanitizers are much larger, and it is ten times slower.
SMALL_STACK = b"__asan_init" not in pathlib.Path(SALU).read_bytes()


def run(name, arguments, given="", says=None, exit_codes=(1, 2, 3, 4)):
    """Runs salu, which must end by itself with one of the codes, and print what is expected."""
    given = given if isinstance(given, bytes) else given.encode()
    try:
        result = subprocess.run([SALU, *arguments], input=given, capture_output=True, check=False, timeout=LONGEST_SECONDS,
                                preexec_fn=limit_stack if SMALL_STACK else None)
    except subprocess.TimeoutExpired:
        failures.append(f"{name}: did not end within {LONGEST_SECONDS} seconds")
        return
    text = (result.stdout + result.stderr).decode(errors="replace")
    shown = text if len(text) < 600 else text[:300] + " ... " + text[-300:]
    if result.returncode not in exit_codes:
        failures.append(f"{name}: ended with {result.returncode}: {shown}")
    elif says is not None and says not in text:
        failures.append(f"{name}: does not say `{says}`: {shown}")
    elif SIGNS_OF_A_LIBRARY.search(text):
        failures.append(f"{name}: {SIGNS_OF_A_LIBRARY.search(text)[0]!r} in {shown}")


def assembly(folder, depth):
    deep = "nested too deeply"
    texts = {
        "parentheses": (".long " + "(" * depth + "1" + ")" * depth, deep),
        "open parentheses": ("s_mov_b32 s0, " + "(" * depth, deep),
        "minus": ("s_mov_b32 s0, " + "-" * depth + "1", deep),
        "minus and blanks": (".long " + "- " * depth + "1", deep),
        "complement": (".quad " + "~" * depth + "1", deep),
        "not": (".set a, " + "!" * depth + "1", deep),
        "plus": (".long " + "+" * depth + "1", deep),
        "mixed operators": (".long " + "1+(" * depth, deep),
        "register lists": ("s_mov_b64 " + "[" * depth + "s0", deep),
        "register lists in sources": ("s_mov_b64 s[0:1], " + "[" * depth + "s0,s1" + "]" * depth, deep),
        "many operators": (".long 1" + "+1" * depth, "this expression is too long"),
        "hwreg": ("s_getreg_b32 s0, " + "hwreg(" * depth, None),
        "sendmsg": ("s_sendmsg " + "sendmsg(" * depth, None),
        "wait counters": ("s_waitcnt " + "vmcnt(" * depth, None),
        "indices": ("s_mov_b32 s" + "[" * depth, None),
        "operands of memory": ("s_load_dword s0, s[2:3], " + "(" * depth, None),
        "comments": ("/* " * depth, "unterminated comment"),
        "labels": ("a: " * depth, "already defined"),
        "definitions": ("".join(f".set a{i}x, a{i + 1}x\n" for i in range(depth)) + ".long a0x", "defined by itself or through too many"),
        "conditions": (".if 1\n" * depth, "is not closed by .endif"),
        "false conditions": (".if 0\n" * depth + ".endif\n" * depth + "s_nop 0", None),
        "macro definitions": (".macro m\n" * depth, ".macro without .endm"),
        "macros that define macros": ("".join(f".macro m{i}\n" for i in range(depth)) + ".endm\n" * depth + "m0\n", None),
        "macros that use themselves": (".macro m x\n m \\x\\x\n.endm\nm " + "1" * 100, "16 MiB"),
        "macros that use themselves twice": (".macro m\n m\n m\n.endm\nm", "100 deep"),
        "repetitions": (".rept 2\n" * depth + "s_nop 0\n" + ".endr\n" * depth, None),
        "parentheses of arguments": (".macro m x\n.endm\nm " + "(" * depth, "not closed"),
        "blocks": (".amdhsa_kernel x\n" * depth, None),
        "sections": (".pushsection x\n" * depth, None),
        "errors": ("s_wrong\n" * depth, "too many errors"),
        "errors on a line": ("s_mov_b32 s0, s0 " + "s0 " * depth, "unexpected"),
    }
    path = folder / "deep.s"
    for name, (text, says) in texts.items():
        path.write_text(text + "\n")
        run(f"assembly, {name}, {depth}", ["asm", "--mcpu", "gfx900", str(path)], says=says, exit_codes=(0, 3))
    scenario = folder / "deep.yaml"
    scenario.write_text("target: gfx900\ncode:\n  asm: |\n    s_mov_b64 s[0:1], " + "[" * depth + "s0\n")
    run(f"assembly in a scenario, {depth}", ["run", str(scenario)], says=deep, exit_codes=(3,))


def yaml_texts(depth):
    deep = "nested deeper than 64 levels"
    rows = min(depth, 1500)
    doubled = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
    merged = "a0: &a0 {k0: x}\n" + "".join(f"a{i}: &a{i} {{<<: [*a{i - 1}, *a{i - 1}], k{i}: *a{i - 1}}}\n" for i in range(1, 60))
    return {
        "lists": ("a: " + "[" * depth + "]" * depth, deep),
        "open lists": ("[" * depth, deep),
        "maps": ("{a: " * depth + "}" * depth, deep),
        "open maps": ("{" * depth, deep),
        "pairs in lists": ("[a: " * depth, deep),
        "lists in blocks": ("- " * depth + "a", deep),
        "maps in blocks": ("".join(" " * i + "a:\n" for i in range(rows)), deep),
        "lists and maps in blocks": ("- a:\n" + "".join("  " * i + "- a:\n" for i in range(1, rows)), deep),
        "keys": ("? " * depth + "a", None),
        "keys in keys": ("{" * depth + "a" + "}: b" * depth, None),
        "tags": ("a: " + "!a " * depth, None),
        "known tags": ("a: " + "!!str " * depth, None),
        "anchors": ("a: " + "&a " * depth + "b", None),
        "anchors in lists": ("&a [" * depth, deep),
        "directives": ("%TAG ! a\n" * depth + "---\na: b", None),
        "aliases": (doubled, "expand to too much"),
        "merged aliases": (merged, "expand to too much"),
        "circles": ("a: &a [" + "*a, " * depth + "]", "an alias inside its own anchor's value"),
        "quotes": ("a: " + "'" * (depth * 2 + 1), None),
        "backslashes": ('a: "' + "\\" * (depth * 2 + 1), None),
        "brackets of both kinds": ("[{a: " * depth, deep),
        "documents": ("---\n" * depth + "a: b", None),
        "bars": ("a: " + "|" * depth, None),
        "json": ('{"a":' * depth, deep),
        "json lists": ('{"target": ' + "[" * depth + "]" * depth + "}", deep),
    }


def yaml(folder, depth):
    for name, (text, says) in yaml_texts(depth).items():
        for ending in (".yaml", ".json") if depth == DEPTHS[0] else (".yaml",):
            path = folder / f"deep{ending}"
            path.write_text(text + "\n")
            run(f"YAML, {name}, {depth}", ["test", "-j1", str(path)], says=says)
        if depth != DEPTHS[0]:
            continue
        run(f"YAML on standard input, {name}, {depth}", ["run", "-"], given=text + "\n", says=says)
        state = folder / "state.yaml"
        state.write_text(text + "\n")
        run(f"state file, {name}, {depth}", ["run", "--state", str(state), str(ROOT / "programs" / "gcd.yaml")], says=says)


def tables(folder, depth):
    scenario = folder / "table.yaml"
    head = "target: gfx900\ncode: {asm: s_endpgm}\ncases: {file: %s}\n"
    csv = {
        "quotes": "s0\n" + '"' * (depth * 2 + 1) + "\n",
        "commas": "s0\n" + "," * depth + "\n",
        "columns": ",".join(["s0"] * depth) + "\n1\n",
        "brackets": "s0\n" + "[" * depth + "\n",
        "braces": "s0\n{f32: " + "{" * depth + "\n",
        "minus": "s0\n" + "-" * depth + "1\n",
        "plus": "s0\na" + "+1" * depth + "\n",
    }
    for name, text in csv.items():
        (folder / "table.csv").write_text(text)
        scenario.write_text(head % "table.csv")
        run(f"CSV, {name}, {depth}", ["test", "-j1", str(scenario)])
    lines = {
        "lists": '{"s0": ' + "[" * depth + "\n",
        "maps": '{"s0": ' * depth + "1" + "}" * depth + "\n",
        "closed lists": '{"s0": ' + "[" * depth + "]" * depth + "}\n",
    }
    for name, text in lines.items():
        (folder / "table.jsonl").write_text(text)
        scenario.write_text(head % "table.jsonl")
        says = "nested deeper than 64 levels" if len(text) < 1 << 20 else "longer than 1 MiB"
        run(f"JSON Lines, {name}, {depth}", ["test", "-j1", str(scenario)], says=says)


def debugger(depth):
    program = str(ROOT / "programs" / "gcd.yaml")
    expressions = {
        "parentheses": "(" * depth + "1" + ")" * depth,
        "minus": "-" * depth + "1",
        "not": "!" * depth + "1",
        "complement": "~" * depth + "1",
        "memory": "[" * depth + "1" + "]" * depth,
        "calls": "bcnt(" * (depth // 5),
        "operators": "1" + "+1" * (depth // 2),
        "registers": "s[" * (depth // 2),
    }
    for name, expression in expressions.items():
        for command in ("print {}", "break loop if {}", "watch {}", "set s0 = {}", "x {}", "display {}", 
                        "dprintf loop,{{{}}}", "tbreak {}", "condition 1 {}", "history {}"):
            run(f"debugger, {command}, {name}, {depth}", ["debug", program], given="break loop\n" + command.format(expression) + "\nquit\n",
                says="error: ", exit_codes=(2,))


def arguments(depth):
    program = str(ROOT / "programs" / "gcd.yaml")
    for bracket in ("(", "[", "-", "*a", "~", "loop+", "{", ",", "s[", "*?"):
        text = (bracket * depth)[:LONGEST_ARGUMENT]
        for option in ("--trace-at", "--trace-only", "--trace-writes", "--trace-steps", "--set", "--symbol", "--mcpu", "--state", "--case"):
            run(f"{option} {bracket} {depth}", ["run", "-q", "--trace", f"{option}={text}", program], exit_codes=(0, 1, 2, 3))
        for option in ("--inputs", "--outputs", "--exhaustive", "--set", "--states"):
            run(f"{option} {bracket} {depth}", ["equiv", "-q", "-o", "none", "--states=10", f"{option}={text}", program, program],
                exit_codes=(0, 1, 2, 3))
            run(f"{option} s0={bracket} {depth}",
                ["equiv", "-q", "-o", "none", "--states=10", f"{option}=s0={text}", program, program], exit_codes=(0, 1, 2, 3))
        for option in ("-k", "--shard", "--junit"):
            run(f"{option} {bracket} {depth}", ["test", "-q", "--list", option, text[:200] if option == "--junit" else text, program],
                exit_codes=(0, 1, 2, 3))


def adapter(depth):
    def framed(text):
        return f"Content-Length: {len(text)}\r\n\r\n{text}"

    lists = "[" * depth + "]" * depth
    maps = '{"a":' * depth + "1" + "}" * depth
    program = json.dumps(str(ROOT / "programs" / "gcd.yaml"))
    start = framed('{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"x"}}')
    launch = framed('{"seq":2,"type":"request","command":"launch","arguments":{"program":%s}}' % program)
    end = framed('{"seq":9,"type":"request","command":"disconnect"}')
    request = '{"seq":3,"type":"request","command":"%s","arguments":%s}'
    messages = {
        "lists": lists,
        "open lists": "[" * depth,
        "maps": maps,
        "seq": '{"seq":%s,"type":"request","command":"threads"}' % lists,
        "command": '{"seq":3,"type":"request","command":%s}' % maps,
        "type": '{"seq":3,"type":%s,"command":"threads"}' % maps,
    }
    for name, value in (("lists", lists), ("maps", maps)):
        messages |= {
            f"arguments, {name}": request % ("threads", value),
            f"launch, {name}": request % ("launch", value),
            f"program, {name}": request % ("launch", '{"program":%s}' % value),
            f"set, {name}": request % ("launch", '{"program":%s,"set":{"s0":%s}}' % (program, value)),
            f"all of set, {name}": request % ("launch", '{"program":%s,"set":%s,"maxSteps":%s}' % (program, value, value)),
            f"expression, {name}": request % ("evaluate", '{"expression":%s}' % value),
            f"breakpoints, {name}": request % ("setBreakpoints", '{"source":%s,"breakpoints":%s}' % (value, value)),
            f"condition, {name}": request % ("setInstructionBreakpoints", '{"breakpoints":[{"instructionReference":%s}]}' % value),
        }
    brackets = json.dumps("(" * min(depth, 60_000))
    messages["expression"] = request % ("evaluate", '{"expression":%s,"context":"watch"}' % brackets)
    messages["command of the console"] = request % ("evaluate", '{"expression":%s,"context":"repl"}' % json.dumps("print " + "(" * 60_000))
    for name, message in messages.items():
        for before in (start, start + launch):
            run(f"adapter, {name}, {depth}", ["debug", "--dap"], given=before + framed(message) + end, says='"success"', exit_codes=(0, 1, 2, 3))


def elf_with_note(note):
    """A relocatable object of four sections for gfx900, with metadata of kernels."""
    text = struct.pack("<I", 0xbf810000)
    note_bytes = struct.pack("<III", 7, len(note), 32) + b"AMDGPU\0\0" + note + b"\0" * (-len(note) % 4)
    names = b"\0.text\0.note\0.shstrtab\0"
    offset = 64
    places = []
    for part in (text, note_bytes, names):
        places.append(offset)
        offset += len(part) + (-len(part) % 8)
    body = b"".join(part + b"\0" * (-len(part) % 8) for part in (text, note_bytes, names))
    header = b"\x7fELF\x02\x01\x01\x40\x02" + b"\0" * 7 + struct.pack("<HHIQQQIHHHHHH", 1, 224, 1, 0, 0, offset, 0x2c, 64, 0, 0, 64, 4, 3)
    sections = struct.pack("<IIQQQQIIQQ", *([0] * 10))
    for name, kind, flags, place, size in ((1, 1, 6, places[0], len(text)), (7, 7, 2, places[1], len(note_bytes)),
                                           (13, 3, 0, places[2], len(names))):
        sections += struct.pack("<IIQQQQIIQQ", name, kind, flags, 0, place, size, 0, 0, 4, 0)
    return header + body + sections


def metadata(folder, depth):
    notes = {
        "lists": b"\x91" * depth + b"\x01",
        "maps": b"\x81\xa1a" * depth + b"\x01",
        "kernels": b"\x81\xaeamdhsa.kernels" + b"\x91" * depth + b"\x01",
        "arguments": b"\x81\xaeamdhsa.kernels\x91\x81\xa5.args" + b"\x91" * depth + b"\x01",
        "large lists": b"\xdd\xff\xff\xff\xff" * depth,
    }
    scenario = folder / "kernel.yaml"
    scenario.write_text("code: {file: kernel.o}\nkernel: {}\n")
    for name, note in notes.items():
        (folder / "kernel.o").write_bytes(elf_with_note(note))
        run(f"metadata, {name}, {depth}", ["run", str(scenario)], says="more than 32 levels", exit_codes=(3,))


def main():
    quick = (assembly, yaml, tables, metadata)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for depth in DEPTHS if SMALL_STACK else DEPTHS[:1]:
            for part in quick:
                part(folder, depth)
            adapter(depth)
        debugger(30_000)
        if SMALL_STACK:
            arguments(20_000)
    print("\n".join(failures[:40]) if failures else "nothing is too deep")
    if not SMALL_STACK:
        print("(with the usual stack)")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
