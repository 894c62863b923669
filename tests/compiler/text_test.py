"""salu's own assembler produces the same words from the text output of `llc` as the object output of `llc` has: for the
modules of the compiler suite, one in four without SALU_TEXTS=all, of LLVM 22 with SALU_TEST_LLVM=22. Words with
addresses that a linker fills in are not compared."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
LLVM = os.environ.get("SALU_TEST_LLVM", "19")
LLC, READELF, OBJCOPY = f"llc-{LLVM}", f"llvm-readelf-{LLVM}", f"llvm-objcopy-{LLVM}"
FLAGS = {"O0": ["-O0"], "O0_regalloc": ["-O0", "-optimize-regalloc", "-structurizecfg-skip-uniform-regions"],
         "O2": ["-O2"], "opt_O2": ["-O2"], "O2_linked": ["-O2"]}
SELECTORS = {"sdag": ["-global-isel=0"], "gisel": ["-global-isel", "-global-isel-abort=2"]}
NAME = re.compile(r"^([a-z0-9]+)_(sdag|gisel)_(\w+)$")


def run(*command):
    made = subprocess.run([str(each) for each in command], capture_output=True, timeout=300, check=False)
    if made.returncode != 0:
        raise RuntimeError(f"{command[0]}: {made.stderr.decode(errors='replace')[:300]}")
    return made.stdout


def difference(module, folder):
    """The differences between the words of a module and llc's; empty if none exist. And the number of words."""
    processor, selector, level = NAME.match(module.stem).groups()
    triple = "amdgcn-amd-amdhsa" if module.parent.name == "kernels" else "amdgcn"
    compile_it = [LLC, f"-mtriple={triple}", f"-mcpu={processor}", *FLAGS[level], *SELECTORS[selector], module]
    text, object_, code = folder / "x.s", folder / "x.o", folder / "x.bin"
    run(*compile_it, "-filetype=asm", "-o", text)
    run(*compile_it, "-filetype=obj", "-o", object_)
    run(OBJCOPY, "-O", "binary", "--only-section=.text", object_, code)
    relocations = run(READELF, "-r", "--wide", object_).decode().splitlines()
    relocated = {int(line[:16], 16) for line in relocations if re.match(r"[0-9a-f]{16} ", line)}
    try:
        ours = run(SALU, "asm", "--assembler", "salu", "--mcpu", processor, "--format", "bin", text)
    except RuntimeError as error:
        return str(error), 0
    theirs = code.read_bytes()
    if len(ours) != len(theirs):
        return f"{len(ours)} bytes, llc has {len(theirs)}", 0
    for at in range(0, len(ours), 4):
        if ours[at:at + 4] != theirs[at:at + 4] and at not in relocated:
            return f"{ours[at:at + 4].hex()} at {at:#x}, llc has {theirs[at:at + 4].hex()}", 0
    return "", len(ours) // 4


def main():
    missing = [tool for tool in (LLC, READELF, OBJCOPY) if shutil.which(tool) is None]
    if missing:
        print(f"skipped: {missing[0]} is not installed")
        return 77
    folder = "compiled" if LLVM == "19" else f"compiled_llvm{LLVM}"
    built = pathlib.Path(SALU).resolve().parents[1] / "tests" / "compiler" / folder
    modules = sorted(each for each in built.rglob("*.ll") if NAME.match(each.stem))
    chosen = modules if os.environ.get("SALU_TEXTS") == "all" else modules[3::4]
    words, wrong = 0, []
    with tempfile.TemporaryDirectory() as name:
        for module in chosen:
            problem, count = difference(module, pathlib.Path(name))
            words += count
            if problem:
                wrong.append(f"{module.relative_to(built)}: {problem}")
    print("\n".join(wrong))
    print(f"{words} words of {len(chosen)} modules out of {len(modules)}, {len(wrong)} modules differ")
    return 1 if wrong or (modules and words == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
