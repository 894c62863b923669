"""The reports of `--check-races`: every format and command. tests/unit/observe/races_test.cpp has the model."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
PROGRAM = ROOT / "programs/missing_barrier.yaml"

failures = []


def check(condition, *what):
    if not condition:
        failures.append(" ".join(str(each) for each in what))


def salu(*arguments, text=None):
    made = subprocess.run([SALU, *map(str, arguments)], input=text, capture_output=True, text=True, check=False,
                          timeout=60)
    return made.returncode, made.stdout, made.stderr


def racy(*extra):
    """The program without its barrier."""
    document = PROGRAM.read_text().split("---\nname: without")[1]
    return "name: without" + document.replace("expect:", "\n".join(extra) + "\nexpect:")


def check_formats():
    code, out, _ = salu("run", "--check-races", "-", text=racy())
    check(code == 0, "text: code", code)
    check("warning: data_race at 0x1004 (reverse+0x4, " in out and ": ds_write_b32 v1, v0\n" in out, out)
    check("stores 4 bytes at LDS 0x100, which lane 63 of wave 0 of the same work-group loads by" in out, out)
    warning = json.loads(salu("run", "--check-races", "--format", "json", "-", text=racy())[1])["warnings"][0]
    shown = {key: int(value, 16) if str(value).startswith("0x") else value for key, value in warning.items()
             if key not in ("instruction", "detail")}
    check(shown == {"kind": "data_race", "pc": 0x1004, "other_pc": 0x1018, "wave": 1, "other_wave": 0, "lane": 0,
                    "other_lane": 63, "space": "lds", "address": 0x100, "size_bytes": 4}, shown)
    yaml = salu("run", "--check-races", "--format", "yaml", "-", text=racy())[1]
    check("other_pc: 0x1018, wave: 1, other_wave: 0, lane: 0, other_lane: 63, space: lds, address: 0x100, size_bytes: 4"
          in yaml, yaml)
    check(json.loads(salu("run", "--format", "json", "-", text=racy())[1])["warnings"] == [], "not asked for")


def check_commands():
    code, out, _ = salu("run", "--check-races", "--strict", "--format", "json", "-", text=racy())
    check(code == 7 and json.loads(out)["stop"]["reason"] == "data_race", code, out)
    code, out, _ = salu("test", "--check-races", PROGRAM)
    check(code == 1 and out.count("FAIL") == 1 and "data_race: expected none, got lane 0 of wave 1" in out, out)
    check("`ds_write_b32 v1, v0` at 0x1004 (reverse+0x4, " in out, out)
    check(salu("test", PROGRAM)[0] == 0, "without the check")
    check(salu("test", "-", text=racy("checks: [races]"))[0] == 1, "checks: in a scenario")
    expected = racy("checks: [races]").replace("expect:", "expect:\n  warnings: [data_race]")
    check(salu("test", "-", text=expected)[0] == 0, "expected")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        code, _, err = salu("report", "--check-races", PROGRAM, "--document", 1, "-o", page)
        check(code == 0, "page", err)
        code, _, err = salu("report", "--check-races", PROGRAM, "--document", 2, "-o", page)
        check(code == 0 and '"wave_count":2,"shown":1,' in page.read_text(), "page of the wave with the warning", err)
        code, _, err = salu("report", PROGRAM, "--document", 2, "--wave", 0, "--steps", "2..4", "-o", page)
        check(code == 0 and '"wave_count":2,"shown":0,' in page.read_text(), "page of a chosen wave", err)
        code, _, err = salu("report", PROGRAM, "--document", 2, "--wave", 2, "-o", page)
        check(code == 2 and "no wave 2: the grid has 0 to 1" in err, "a missing wave", err)
        code, _, err = salu("report", PROGRAM, "--document", 2, "--steps", "50..", "-o", page)
        check(code == 2 and "the wave has only 7 steps" in err, "missing steps", err)


def check_lanes():
    """A wave that runs alone, also in the debugger."""
    text = ("target: gfx900\ncode: {asm: \"v_mov_b32 v1, 0\\nglobal_store_dword v1, v0, s[0:1]\\ns_endpgm\"}\n"
            "registers: {\"s[0:1]\": 0x10000, v0: [1, 2], exec: 3}\nmemory: [{at: 0x10000, size: 16}]\n")
    code, out, _ = salu("run", "--check-races", "-", text=text)
    check(code == 0 and "lanes 0 and 1 store different values to 1 byte at 0x10000" in out, out)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "f.yaml"
        source.write_text(text)
        commands = pathlib.Path(folder) / "commands"
        commands.write_text("continue\ninfo warnings\nreverse-stepi\nreverse-stepi\nstepi 2\n")
        code, out, err = salu("debug", "--check-races", "--command", commands, source)
        check(code == 0 and out.count("Warning: data_race at 0x") == 2, out, err)


def main():
    check_formats()
    check_commands()
    check_lanes()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
