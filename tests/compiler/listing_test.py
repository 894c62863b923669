"""`salu dis` lists the same as `llvm-objdump -d`: addresses, words and text of every instruction of compiled code. A
branch goes to a label in salu, and to a distance in objdump if the object has no label; invalid words have different
names (docs/reference/llvm-differences.md). Arguments: folders of objects, or objects; without arguments the kernels of the
compiler suite, about 20 in its objects unless SALU_LISTINGS=all, and those of programs/. SALU_TEST_LLVM=22 uses the kernels
that LLVM 22 compiled, and its llvm-objdump."""

import json
import os
import pathlib
import re
import subprocess
import sys

SALU = os.environ["SALU_EXECUTABLE"]
LLVM = os.environ.get("SALU_TEST_LLVM", "19")
OBJDUMP = f"llvm-objdump-{LLVM}"
# A literal with the value of an inline constant, as LLVM 22 prints it; docs/reference/llvm-differences.md,
# literal-of-an-inline-constant.
LITERAL = re.compile(r"lit\((0x[0-9a-f]+)\)")
# Text, address and words; the target of a branch may follow the words.
LINE = re.compile(r"^\t(.*?) +// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)")
PROCESSOR = re.compile(r"Flags: .*?, (gfx\w+)")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def of_objdump(path):
    """Maps addresses to words and text; None if LLVM cannot disassemble it."""
    made = run(OBJDUMP, "-d", "--disassemble-zeroes", path)
    if made.returncode != 0:
        return None
    listed = {}
    for line in made.stdout.splitlines():
        found = LINE.match(line)
        if found:
            words = [int(word, 16) for word in found[3].split()]
            listed[int(found[2], 16)] = (words, found[1].strip())
    return listed


def of_salu(path):
    made = run(SALU, "dis", "--format", "json", path)
    assert made.returncode == 0, f"{path}: {made.stderr}"
    listed = {}
    for line in made.stdout.splitlines():
        each = json.loads(line)
        address = int(each["address"], 16)
        texts = [each["text"]]
        if "target" in each and "label" in each["target"]:
            # objdump prints the distance if the object has no label; here it is computed from salu's target.
            distance = (int(each["target"]["address"], 16) - address - 4) // 4
            mnemonic = texts[0][:texts[0].rindex(each["target"]["label"])]
            texts.append(f"{mnemonic}{distance & 0xffff}")
        listed[address] = ([int(word, 16) for word in each["words"]], texts)
    return listed


def is_same(text, words, ours):
    literal = LITERAL.search(text)
    if literal is None or words[1:] != [int(literal[1], 16)]:
        return text in ours
    pattern = re.escape(text[:literal.start()]) + r"[^ ,]+" + re.escape(text[literal.end():])
    return any(re.fullmatch(pattern, each) for each in ours)


def differences(path):
    """The number of compared instructions, and the differences."""
    theirs, ours = of_objdump(path), of_salu(path)
    if theirs is None:
        return 0, []
    wrong = []
    for address, (words, text) in sorted(theirs.items()):
        if text.startswith(".long") or text == "...":
            continue
        known = ours.get(address)
        if known is None or known[0] != words or not is_same(text, words, known[1]):
            wrong.append(f"{path}: {address:#x}: objdump has {text!r} {[hex(w) for w in words]}, salu {known}")
    return len(theirs), wrong


def main():
    if run("sh", "-c", f"command -v {OBJDUMP}").returncode != 0:
        print(f"skipped: {OBJDUMP} is not installed")
        return 77
    folder = "compiled" if LLVM == "19" else f"compiled_llvm{LLVM}"
    built = pathlib.Path(SALU).resolve().parents[1] / "tests" / "compiler" / folder / "kernels"
    programs = pathlib.Path(os.environ.get("SALU_SOURCE_DIR", ".")) / "programs" / "compiled"
    paths = []
    for path in [pathlib.Path(name) for name in sys.argv[1:]] or [built, programs]:
        found = sorted(path.rglob("*.o")) + sorted(path.rglob("*.so")) if path.is_dir() else [path]
        if path is built and os.environ.get("SALU_LISTINGS") != "all":
            found = found[::1 + len(found) // 25]
        # The header shows whether the object is for AMDGPU (e_machine 224).
        paths += [each for each in found if each.read_bytes()[18:20] == b"\xe0\x00"]
    count, wrong, objects = 0, [], 0
    for path in paths:
        compared, different = differences(str(path))
        objects += compared != 0
        count += compared
        wrong += different
    print("\n".join(wrong[:40]))
    print(f"{count} instructions of {objects} objects ({len(paths) - objects} that LLVM cannot disassemble), "
          f"{len(wrong)} differ")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
