"""Every hazard on both sides of its limit, on every generation: instructions that LLVM assembles, with one wait state
too few and with enough between them, for all paths (`salu dis --check-hazards`) and on the path of a run. The
expectations are tests/data/checks/hazards.tsv."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
LLVM_MC = "llvm-mc-19"
TABLE = ROOT / "tests/data/checks/hazards.tsv"
LONGEST_NOP = 8

failures = []


def check(condition, *what):
    if not condition:
        failures.append(" ".join(str(each) for each in what))


def run(*command, text=None):
    return subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, check=False, timeout=300)


def rows():
    lines = [line for line in TABLE.read_text().splitlines() if line and not line.startswith("#")]
    names = lines[0].split("\t")
    return names[3:-2], [dict(zip(names, line.split("\t"))) for line in lines[1:]]


class Vector:
    """One function: producer, instructions in between, consumer; and the expected report."""

    def __init__(self, row, between, expected):
        self.row, self.between, self.expected = row, between, expected

    def text(self, name):
        instructions = [*self.row["producer"].split("; "), *self.between, self.row["consumer"]]
        lines = "\n".join(f"  {line}" for line in instructions)
        lines = lines.replace(".Lend", f".Lend_{name}")
        return f".globl {name}\n.p2align 8\n.type {name},@function\n{name}:\n{lines}\n.Lend_{name}:\n  s_endpgm\n.size {name}, .-{name}\n"

    def __str__(self):
        return f"{self.row['id']}: {self.row['producer']} | {'; '.join(self.between)} | {self.row['consumer']}"


def nops(count):
    """`count` wait states."""
    between = [f"s_nop {LONGEST_NOP - 1}"] * (count // LONGEST_NOP)
    return between + ([f"s_nop {count % LONGEST_NOP - 1}"] if count % LONGEST_NOP else [])


def vectors_of(row, cell):
    if cell == "0":
        return [Vector(row, [], None)]
    if cell == "wait":
        return [Vector(row, [], {}), Vector(row, ["s_nop 7", "s_nop 7"], {}),
                Vector(row, row["remedy"].split("; "), None)]
    needed = int(cell)
    # Each instruction after the producer in its column is one wait state.
    rest = row["producer"].count("; ")
    if rest > 0:
        return [Vector(row, nops(needed - 1 - rest), {"needed": needed, "found": needed - 1}),
                Vector(row, [], {"needed": needed, "found": rest}),
                Vector(row, nops(needed - rest), None)]
    # Wait states can be instructions of any kind, unless one of them is a consumer itself.
    vectors = [Vector(row, nops(needed - 1), {"needed": needed, "found": needed - 1}),
               Vector(row, [], {"needed": needed, "found": 0}),
               Vector(row, ["s_mov_b32 s20, s21"] * (needed - 1), {"needed": needed, "found": needed - 1}),
               Vector(row, nops(needed), None),
               Vector(row, ["s_mov_b32 s20, s21"] * needed, None)]
    return [each for each in vectors if row["id"] != "savectx_latency" or "s_mov_b32 s20, s21" not in each.between]


def compare(vector, where, listed):
    """`listed`: the reported hazards of the function, each with the offsets of its two instructions."""
    row = vector.row
    mine = [each for each in listed if each["hazard"] == row["id"]]
    if vector.expected is None:
        check(not mine, where, vector, "is reported:", mine)
        return
    if len(mine) != 1:
        check(False, where, vector, "is reported", len(mine), "times, of", listed)
        return
    found = mine[0]
    check(found["severity"] == row["severity"], where, vector, found)
    check(found["producer"] == 0, where, vector, "names another producer", found)
    for key in ("needed", "found"):
        check(found.get(key) == vector.expected.get(key), where, vector, key, found)
    missing = vector.expected.get("needed", 0) - vector.expected.get("found", 0)
    remedy = {"s_nop": f"s_nop {missing - 1}", "none": None}.get(row["remedy"], row["remedy"])
    check(found.get("insert") == remedy, where, vector, "insert", found)


def assemble(processor, vectors, folder):
    text = "".join(vector.text(f"f{number}") for number, vector in enumerate(vectors))
    path = folder / f"{processor}.o"
    made = run(LLVM_MC, "-triple=amdgcn", f"-mcpu={processor}", "-filetype=obj", "-o", path, "-", text=text)
    if made.returncode != 0:
        sys.exit(f"{processor}: llvm-mc refuses the vectors:\n{made.stderr[:2000]}")
    return path


def check_paths(processor, vectors, path):
    made = run(SALU, "dis", "--check-hazards", "--format", "json", path)
    check(made.returncode == 0, processor, made.stderr)
    hazards, starts, number = {}, {}, None
    for line in made.stdout.splitlines():
        each = json.loads(line)
        for label in each.get("labels", []):
            if re.fullmatch(r"f\d+", label):
                number = int(label[1:])
                starts[number] = int(each["address"], 16)
        for hazard in each.get("hazards", []):
            hazard["producer"] = int(hazard["producer_pc"], 16) - starts[number]
            hazards.setdefault(number, []).append(hazard)
    check(len(starts) == len(vectors), processor, "functions are missing", len(starts))
    for number, vector in enumerate(vectors):
        compare(vector, f"{processor}, all paths:", hazards.get(number, []))


def check_runs(processor, vectors, path):
    documents = []
    for number, vector in enumerate(vectors):
        documents.append(f"""name: f{number}
target: {processor}
code: {{file: {path}, symbol: f{number}, base: 0x1000}}
checks: [hazards]
on_vector: skip
registers: {{s0: 0x80000, s2: 0x80000, s8: 0x80000, s10: 64, vcc: 1}}
memory: [{{at: 0x80000, size: 256}}]
limits: {{steps: 100}}
""")
    made = run(SALU, "run", "--format", "json", "-", text="---\n".join(documents))
    results = [json.loads(line) for line in made.stdout.splitlines()]
    if len(results) != len(vectors):
        sys.exit(f"{processor}: {len(results)} of {len(vectors)} runs: {made.stderr[:2000]}")
    starts = {}
    for line in run("llvm-nm-19", path).stdout.splitlines():
        address, _, name = line.split()
        starts[name] = int(address, 16)
    for number, (vector, result) in enumerate(zip(vectors, results)):
        if "error" in result:
            sys.exit(f"{processor}: {vector}: {result}")
        listed = [each for each in result["warnings"] if each["kind"] == "hazard"]
        for each in listed:
            each["producer"] = int(each["producer_pc"], 16) - 0x1000 - starts[f"f{number}"]
        if vector.row["id"] == "vccz_after_half_write":
            # A run reports this without the option, and only once.
            stale = any(each["kind"] == "stale_vccz" for each in result["warnings"])
            skipped = vector.row["producer"].startswith("v_")
            check(stale == (vector.expected is not None) or skipped, processor, vector, result["warnings"])
            check(not listed, processor, vector, listed)
            continue
        compare(vector, f"{processor}, run:", listed)


def main():
    if run("sh", "-c", f"command -v {LLVM_MC} llvm-nm-19").returncode != 0:
        print(f"skipped: {LLVM_MC} is not installed")
        return 77
    processors, table = rows()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in processors:
            vectors = [vector for row in table if row[processor] != "-" for vector in vectors_of(row, row[processor])]
            path = assemble(processor, vectors, pathlib.Path(folder))
            check_paths(processor, vectors, path)
            check_runs(processor, vectors, path)
            count += len(vectors)
    ids = {row["id"] for row in table}
    print(f"{count} vectors of {len(ids)} hazards")
    for failure in failures[:40]:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
