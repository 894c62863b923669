#!/usr/bin/env python3
"""compare_oclgrind.py SALU: runs the kernels of bench/kernels in salu and in oclgrind (Debian: oclgrind), in turn, and
prints the processor time of whole processes: medians, and the median of the ratios. Both must compute the same memory.
clang-19 compiles for salu beforehand; oclgrind compiles in each run, and the time of a run of one work-group, which is
mostly that of compiling, is subtracted."""
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

SALU = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) == 2 else sys.exit(__doc__)
SOURCE = pathlib.Path(__file__).resolve().parent / "kernels/kernels.cl"
ITEMS, GROUP, RUNS = 4096, 256, 5
OUT = 0x200000000
KERNELS = {"hash": 2000, "sieve": 1_000_000, "sort": 20, "histogram": 500}  # the argument `n`


def processor_seconds(command, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{result.stdout}{result.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, result.stdout


def write_inputs(folder, name, n, items):
    (folder / f"{name}-{items}.sim").write_text(
        f"{SOURCE}\n{name}\n{items} 1 1\n{GROUP} 1 1\n\n<size={ITEMS * 4} fill=0 uint dump>\n<size=4 uint>\n{n}\n")
    (folder / f"{name}.yaml").write_text(
        f"target: gfx900\ncode: {{file: kernels.o}}\nlimits: {{max_steps: 1000000000}}\n"
        f"kernel: {{name: {name}, workgroup_size: [{GROUP}], grid_size: [{ITEMS}], waves: all,\n"
        f"         args: {{out: {{buffer: {ITEMS * 4}}}, n: {n}}}}}\n")


def oclgrind_words(text):
    return [int(line.split("=")[1]) for line in text.splitlines() if line.startswith("  out[")]


def salu_words(folder, name):
    _, text = processor_seconds([SALU, "run", "--format", "json", f"{name}.yaml"], folder)
    blocks = json.loads(text)["memory"]
    words = [0] * ITEMS
    for block in blocks:
        first = (int(block["at"], 16) - OUT) // 4
        if 0 <= first < ITEMS:
            words[first:first + len(block["words"])] = [int(word, 16) for word in block["words"]]
    return words


def compare(folder, name, n):
    write_inputs(folder, name, 0, GROUP)
    write_inputs(folder, name, n, ITEMS)
    whole, part = ["oclgrind-kernel", f"{name}-{ITEMS}.sim"], ["oclgrind-kernel", f"{name}-{GROUP}.sim"]
    expected = oclgrind_words(processor_seconds(whole, folder)[1])
    if salu_words(folder, name) != expected:
        sys.exit(f"{name}: the results differ")
    theirs, ours, ratios = [], [], []
    for _ in range(RUNS):
        compiling = processor_seconds(part, folder)[0]
        theirs.append(processor_seconds(whole, folder)[0] - compiling)
        ours.append(processor_seconds([SALU, "run", "-q", f"{name}.yaml"], folder)[0])
        ratios.append(theirs[-1] / ours[-1])
    print(f"{name:10} oclgrind {statistics.median(theirs):7.3f} s, salu {statistics.median(ours):6.3f} s, "
          f"ratio {statistics.median(ratios):5.0f}")


with tempfile.TemporaryDirectory() as temporary:
    directory = pathlib.Path(temporary)
    subprocess.run(["clang-19", "-x", "cl", "-cl-std=CL1.2", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx900", "-O2", "-nogpulib",
                    "-cl-kernel-arg-info", "-mcode-object-version=4", "-c", SOURCE, "-o", directory / "kernels.o"], check=True)
    for kernel, argument in KERNELS.items():
        compare(directory, kernel, argument)
