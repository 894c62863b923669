#!/usr/bin/env python3
"""kernels_test.py FILE...: kernels of tests/kernels compute the same on all waves of a grid as the same C code natively.

Each file is compiled natively, to a program that prints the results of its kernels, and for configurations (a target, a
level, an instruction selector). SALU_KERNELS selects them: some, so that all files together cover each target, level and
selector (the default); `all`; or those whose names match, as in `gfx90a-O?-*`. SALU_TEST_LLVM is the version of LLVM that
compiles them, 19 or 22.

SALU_SCHEDULES=N also runs each kernel that uses barriers or atomics (of a file with WAVE_THREADS) with N random schedules,
of seeds 0 to N-1. With odd seeds the work-groups run concurrently.

Kernels of a file with APPROXIMATES must have the same results with each rounding of approximations."""
import fnmatch
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
CHOICE = os.environ.get("SALU_KERNELS", "some")
SCHEDULES = int(os.environ.get("SALU_SCHEDULES", "0"))
FOLDER = pathlib.Path(__file__).resolve().parent
LLVM = os.environ.get("SALU_TEST_LLVM", "19")
CLANG, LINKER = f"clang-{LLVM}", f"ld.lld-{LLVM}"
TARGETS = ["gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942"] + ["gfx950"] * (LLVM != "19")
WITHOUT_DPP = ["gfx700"]
OPENCL_TARGETS = ["gfx600"]  # without flat addresses: pointers must have an address space
LEVELS = ["O0", "O1", "O2", "O3"]
SELECTORS = {"sdag": [], "gisel": ["-mllvm", "-global-isel", "-mllvm", "-global-isel-abort=2"]}
# With code object version 5, functions compiled by LLVM 19 read the apertures from a place where kernels of GCN 1.1 and
# 1.2 do not store them.
FLAGS = ["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-fno-discard-value-names", "-mcode-object-version=4", "-w"]
FLAGS_OF_LANGUAGE = {"c": ["-x", "c", "-ffreestanding"], "cl": ["-x", "cl", "-cl-std=CL1.2", "-cl-kernel-arg-info"]}
OUT_ADDRESS, OUT_BYTES = 0x200000000, 0x4000
SOME = 2  # configurations per file
# Limits of a compilation, which for some code does not terminate with GlobalISel.
COMPILER_SECONDS, COMPILER_BYTES = 120, 6 << 30

for tool in (CLANG, LINKER):
    if shutil.which(tool) is None:
        print(f"skipped: {tool} is not installed (scripts/test installs it)")
        sys.exit(77)


def configurations(source):
    """Returns (target, level, selector) for a file; targets that need OpenCL C only for such a file."""
    targets = TARGETS + (OPENCL_TARGETS if source.suffix == ".cl" else [])
    if "update_dpp(" in source.read_text():
        targets = [target for target in targets if target not in WITHOUT_DPP]
    every = list(itertools.product(targets, LEVELS, SELECTORS))
    if CHOICE == "all":
        return every
    if CHOICE != "some":
        return [one for one in every if fnmatch.fnmatch("-".join(one), CHOICE)]
    # Steps that are coprime to the lengths of the lists, continued from the previous file.
    sources = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".c", ".cl"))
    first = SOME * sources.index(source.name)
    chosen = []
    for number in range(first, first + SOME):
        way = number * 5 % (len(LEVELS) * len(SELECTORS))
        chosen.append((targets[number * 3 % len(targets)], LEVELS[way // 2], list(SELECTORS)[way % 2]))
    return chosen


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def fail(what, result):
    text = (result.stderr + result.stdout).strip().splitlines()
    sys.exit(f"{what} (exit code {result.returncode}):\n" + "\n".join(text[-40:]))


def defines(source, name):
    return re.search(rf"^#define {name}$", source.read_text(), re.MULTILINE)


def has_threads(source):
    return defines(source, "WAVE_THREADS")


def run_natively(source, folder, *options):
    """Writes the results of a file's kernels to a directory, and returns what the native program prints about them."""
    program = folder / "native"
    command = [CLANG, "-x", "c", "-O0", "-w", "-fsanitize=undefined", "-fsanitize-trap=undefined", "-pthread", *options]
    result = run([*command, source, "-o", program, "-lm"])
    if result.returncode:
        fail(f"{source.name} cannot be compiled natively", result)
    result = run([program, folder])
    kernels = [json.loads(line) for line in result.stdout.splitlines()]
    if result.returncode:
        fail(f"{source.name}: {kernels[-1]['name'] if kernels else 'the first kernel'} did not end natively", result)
    return kernels


def compute_natively(source, folder):
    """As run_natively. With SALU_KERNELS=all, work-items as threads must have the same results as waves, if possible."""
    kernels = run_natively(source, folder)
    uses_lanes = re.search(r"\b(ballot|lane_id|lanes_below|meet|read_first_lane|read_lane|update_dpp)\(", source.read_text())
    if CHOICE == "all" and has_threads(source) and not uses_lanes:
        items = folder / "items"
        items.mkdir()
        run_natively(source, items, "-DITEM_THREADS")
        for kernel in kernels:
            result = f"{kernel['name']}.bin"
            if (items / result).read_bytes() != (folder / result).read_bytes():
                sys.exit(f"{source.name}: {kernel['name']} has another result natively if work-items are threads")
    return kernels


def compile_for(source, configuration, path, without=()):
    """Returns the error, or nothing. `without`: kernels to omit."""
    target, level, selector = configuration
    language = "cl" if target in OPENCL_TARGETS else "c"
    text = source.read_text()
    for kernel in without:
        text = re.sub(rf"^\w*KERNEL\w*\({kernel}\b.*?^}}$", "", text, flags=re.MULTILINE | re.DOTALL)
    part = path.with_suffix(source.suffix)
    part.write_text(text)
    command = [CLANG, *FLAGS, *FLAGS_OF_LANGUAGE[language], f"-mcpu={target}", f"-{level}", *SELECTORS[selector], "-I", FOLDER, "-c", part]
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (COMPILER_BYTES, COMPILER_BYTES))
    try:
        result = run([*command, "-o", path.with_suffix(".o")], timeout=COMPILER_SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return f"cannot be compiled in {COMPILER_SECONDS} seconds"
    if result.returncode == 0:
        result = run([LINKER, "-shared", path.with_suffix(".o"), "-o", path])
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if re.search(r"error|Assertion|UNREACHABLE|In function|Running pass", line)]
        return "cannot be compiled: " + "; ".join(lines or result.stderr.splitlines()[-3:])
    return None


def schedules(source):
    """Returns the schedules of a file's kernels: the default, and random ones."""
    if not has_threads(source):
        return [None]
    seeded = [f"{{seed: {seed}, slice: 50, groups: {'concurrent' if seed % 2 else 'in_turn'}}}" for seed in range(SCHEDULES)]
    return [None, *seeded]


def scenario(kernel, target, path, schedule):
    arguments = [f"{{buffer: {OUT_BYTES}, at: {OUT_ADDRESS:#x}}}", "{file: in.bin, access: r}"]
    arguments += [f"{{bytes: '{value}'}}" for _, value in kernel["arguments"]]
    # Listed in the order of the arguments, because the metadata does not name structures.
    listed = "".join(f"\n    - {argument}" for argument in arguments)
    return f"""name: {kernel["name"]}
target: {target}
code: {{file: {path.name}}}
kernel:
  name: {kernel["name"]}
  waves: all
  workgroup_size: {kernel["workgroup_size"]}
  grid_size: {kernel["grid_size"]}
  args:{listed}
{f"schedule: {schedule}" if schedule else "# default schedule"}
expect:
  memory: [{{at: {OUT_ADDRESS:#x}, file: {kernel["name"]}.bin}}]
"""


def differences(kernels, target, path, schedule, approximations):
    """What is wrong of each kernel, by its name."""
    page = path.with_suffix(".yaml")
    page.write_text("---\n".join(scenario(kernel, target, path, schedule) for kernel in kernels))
    options = ["--jobs", "1", "--color", "never", "--approximations", approximations]
    result = run([SALU, "test", *options, page.name], cwd=path.parent)
    wrong = {}
    for line in result.stdout.splitlines() + result.stderr.splitlines():
        found = re.match(r"(?:FAIL|ERROR): \S+ \((\w+)\): (.*)", line)
        if found is None:
            continue
        text = found[2]
        address = re.match(r"memory (0x[0-9a-f]+): (.*)", text)
        if address:
            text = f"out[{(int(address[1], 16) - OUT_ADDRESS) // 4}]: {address[2]}"
        wrong.setdefault(found[1], text)
    if not wrong and result.returncode:
        fail(f"salu test {page.name}", result)
    return wrong


class Excuses:
    """What left_out.txt leaves out."""

    def __init__(self):
        lines = (FOLDER / "left_out.txt").read_text().splitlines()
        self.patterns = [line.split()[0] for line in lines if line and not line.startswith("#")]
        self.used = set()

    def have(self, kernel, title):
        found = [pattern for pattern in self.patterns if fnmatch.fnmatch(f"{kernel}-{title}-{LLVM}", pattern)]
        self.used.update(found)
        return bool(found)

    def unused_for(self, names):
        return [pattern for pattern in self.patterns if pattern.split("-")[0] in names
                and fnmatch.fnmatch(LLVM, pattern.split("-")[-1]) and pattern not in self.used]


def main():
    wrong, count = [], 0
    excuses = Excuses()

    def note(problem):
        wrong.append(problem)
        print(problem, flush=True)

    for name in sys.argv[1:]:
        source = FOLDER / name
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            kernels = compute_natively(source, folder)
            for configuration in configurations(source):
                title = "-".join(configuration)
                path = folder / f"{title}.so"
                compiled = kernels
                problem = compile_for(source, configuration, path)
                if problem:
                    left_out = [kernel["name"] for kernel in kernels if excuses.have(kernel["name"], title)]
                    compiled = [kernel for kernel in kernels if kernel["name"] not in left_out]
                    if not left_out or compile_for(source, configuration, path, left_out):
                        note(f"{name}, {title}: {problem}")
                        continue
                approximations = "all" if defines(source, "APPROXIMATES") else "nearest"
                for schedule in schedules(source):
                    count += len(compiled)
                    wrong_ones = differences(compiled, configuration[0], path, schedule, approximations)
                    for kernel, problem in wrong_ones.items():
                        if not excuses.have(kernel, title):
                            note(f"{name}, {kernel}, {title}{f', schedule {schedule}' if schedule else ''}: {problem}")
        if CHOICE == "all":
            for pattern in excuses.unused_for([kernel["name"] for kernel in kernels]):
                note(f"{name}: `{pattern}` of left_out.txt leaves out nothing that is wrong")
    print(f"{count} runs of kernels, {len(wrong)} problems")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
