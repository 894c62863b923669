"""Hazards in the output of llc: none is reported in the original code, and if one of llc's S_NOP or waits is removed,
the instruction that needed it is reported. The expectation comes from llc: its passes, run again on the code without
that instruction, insert one. With SALU_TEST_LLVM=22, the llc and the objects of LLVM 22 are used.

Without arguments, a part of the compiler suite. With `--all`: every configuration, and every removable instruction;
`--folder F` is the folder with the compiled suite."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SALU = os.environ["SALU_EXECUTABLE"]
LLVM = os.environ.get("SALU_TEST_LLVM", "19")
LLC, READELF = f"llc-{LLVM}", f"llvm-readelf-{LLVM}"
SUITES = ("functions", "memory_functions", "kernels")
SELECTORS = {"sdag": ["-global-isel=0"], "gisel": ["-global-isel", "-global-isel-abort=2"]}
LEVELS = {"O0": ["-O0"], "O0_regalloc": ["-O0", "-optimize-regalloc", "-structurizecfg-skip-uniform-regions"],
          "O2": ["-O2"], "opt_O2": ["-O2"], "O2_linked": ["-O2"]}
SLICES = {
    "19": {"functions": ["tahiti_sdag_O0", "gfx942_sdag_O2"], "memory_functions": ["tahiti_sdag_O0", "gfx900_gisel_O2"],
           "kernels": ["tonga_sdag_O2", "gfx942_sdag_opt_O2"]},
    "22": {"functions": ["gfx950_sdag_opt_O2"], "memory_functions": ["gfx90a_gisel_O0"], "kernels": ["gfx950_gisel_O0"]}}
# Memory that other hardware units answer out of order with scalar memory also counts in LGKM_CNT.
MEMORY = re.compile(r"= (S_LOAD|S_BUFFER_LOAD|S_MEMTIME|BUFFER_LOAD|GLOBAL_LOAD|FLAT_LOAD|SCRATCH_LOAD)")
OTHER_LGKM = re.compile(r"^\s.*\b(DS_|FLAT_|SCRATCH_|GLOBAL_|BUFFER_GL|S_SENDMSG)", re.MULTILINE)


def run(*command, text=None):
    return subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, check=False, timeout=900)


class Counts:
    FIELDS = ("functions", "false_reports", "runs", "false_in_runs", "removed", "needed", "reported", "missed", "outside")

    def __init__(self):
        for field in self.FIELDS:
            setattr(self, field, 0)
        self.problems = []

    def add(self, other):
        for field in self.FIELDS:
            setattr(self, field, getattr(self, field) + getattr(other, field))
        self.problems += other.problems


def hazards_of(path):
    """The hazards of an object by function, and the number of functions."""
    made = run(SALU, "dis", "--check-hazards", "--format", "json", path)
    if made.returncode != 0:
        raise RuntimeError(f"{path}: {made.stderr[:500]}")
    found, function = {}, None
    starts = function_starts(path)
    for line in made.stdout.splitlines():
        each = json.loads(line)
        function = starts.get(int(each["address"], 16), function)
        for hazard in each.get("hazards", []):
            found.setdefault(function, []).append((each["text"], hazard))
    return found, len(starts)


def warnings_in(found, function):
    return [each for each in found.get(function, []) if each[1]["severity"] == "warning"]


def function_starts(path):
    starts = {}
    for line in run(READELF, "-sW", path).stdout.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[3] == "FUNC":
            starts[int(fields[1], 16)] = fields[7]
    return starts


def check_runs(path, processor, names, counts):
    """Runs all functions on some memory: correct output of the compiler must not cause a report."""
    documents = []
    for name in names:
        pairs = ", ".join(f"s{number}: {0x100000 + 256 * number if number % 2 == 0 else 0}" for number in range(0, 30))
        documents.append(f"target: {processor}\ncode: {{file: {path}, symbol: {name}}}\nchecks: [hazards]\n"
                         f"registers: {{{pairs}}}\nmemory: [{{at: 0x100000, size: 65536}}]\nlimits: {{steps: 20000}}\n")
    made = run(SALU, "run", "--format", "json", "-", text="---\n".join(documents))
    for line in made.stdout.splitlines():
        result = json.loads(line)
        if "stop" not in result:
            continue
        counts.runs += 1
        for warning in result["warnings"]:
            if warning["kind"] == "hazard" and warning["severity"] == "warning":
                counts.false_in_runs += 1
                counts.problems.append(f"{path}: in a run: {result['name']}: {warning}")


class Module:
    """The functions of a module after llc's last pass that inserts instructions."""

    def __init__(self, mir):
        self.head, *parts = re.split(r"(?m)^---\n(?=name:)", mir)
        self.functions = parts

    def text(self):
        # The register scavenger's data is no longer valid, and cannot be read again.
        text = self.head + "".join("---\n" + part for part in self.functions)
        return re.sub(r"(?m)^ +scavengeFI: .*\n", "", text)

    @staticmethod
    def name(function):
        return re.match(r"name: +(\S+)", function)[1]

    @staticmethod
    def sites(function):
        """Removable lines: S_NOP, and S_WAITCNT for all of LGKM_CNT, except those for a caller or callee."""
        lines = function.split("\n")
        body = next((i for i, line in enumerate(lines) if line.startswith("body:")), len(lines))
        code = [i for i in range(body, len(lines)) if re.match(r"^    +\S", lines[i]) and
                not re.match(r"^    (successors|liveins):", lines[i])]
        result = []
        for place, i in enumerate(code):
            if re.match(r"^ +S_NOP \d+$", lines[i]):
                result.append(i)
            wait = re.match(r"^ +S_WAITCNT (\d+)$", lines[i])
            if wait and int(wait[1]) >> 8 & 15 == 0 and place != 0:
                following = lines[code[place + 1]] if place + 1 < len(code) else ""
                if not re.search(r"S_SETPC_B64|SI_RETURN|S_ENDPGM", following):
                    result.append(i)
        return result

    def without(self, turn):
        """Returns the module without the `turn`th site of each function, and the functions that lost a site."""
        changed, parts = {}, []
        for function in self.functions:
            sites = self.sites(function)
            if turn < len(sites):
                lines = function.split("\n")
                changed[self.name(function)] = (lines[sites[turn]].strip(), lines[sites[turn] - 8:sites[turn]],
                                                lines[sites[turn] + 1])
                del lines[sites[turn]]
                function = "\n".join(lines)
            parts.append(function)
        module = Module("")
        module.head, module.functions = self.head, parts
        return module, changed


def is_outside(function, removed, before, behind):
    """Waits that are not hazards here: for other memory, and for empty inline assembly; S_NOP between a vector
    instruction and one that uses its VGPR, and those for XNACK in a sequence of vector memory, or after a load of its
    own address."""
    if "WAITCNT" in removed:
        return bool(OTHER_LGKM.search(function)) or "INLINEASM" in behind
    if removed == "S_NOP 0" and MEMORY.search(behind) and MEMORY.search(before[-1]):
        for line in [behind, *reversed(before)]:
            found = MEMORY.search(line)
            if not found:
                break
            if not found[1].startswith("S_"):
                return True
            loaded = set(re.findall(r"sgpr\d+", line.split(" = ")[0]))
            if loaded & set(re.findall(r"sgpr\d+", line.split(" = ")[1])):
                return True
    before = before[-2:]
    written = {each for line in before for each in re.findall(r"\$(vgpr\d+)[^=]* = (?:\S+ )*V_", line)}
    return bool(written & set(re.findall(r"\$(vgpr\d+)", behind.split(" = ")[-1])))


def code_of(function):
    return [line.strip() for line in function.split("\n") if re.match(r"^    +\S", line)]


def check_removed(triple, processor, flags, source, folder, turns, counts):
    base = [LLC, f"-mtriple={triple}", f"-mcpu={processor}", *flags]
    name = f"{source.stem}_{source.parent.name}"
    made = run(*base, source, "-stop-after=post-RA-hazard-rec", "-o", "-")
    if made.returncode != 0:
        return
    module = Module(made.stdout)
    for turn in range(turns):
        less, changed = module.without(turn)
        if not changed:
            return
        mir, path = folder / f"{name}_{turn}.mir", folder / f"{name}_{turn}.o"
        mir.write_text(less.text())
        passes = [f"-mtriple={triple}", f"-mcpu={processor}", *(flag for flag in flags if flag.startswith("-O"))]
        built = run(LLC, *passes, "-start-after=post-RA-hazard-rec", mir, "-filetype=obj", "-o", path)
        again = run(LLC, *passes, "-run-pass=si-insert-waitcnts", "-run-pass=post-RA-hazard-rec", mir, "-o", "-")
        if built.returncode != 0 or again.returncode != 0:
            counts.problems.append(f"{mir}: llc: {(built.stderr + again.stderr)[:300]}")
            return
        mended = {Module.name(each): each for each in Module(again.stdout).functions}
        found, _ = hazards_of(path)
        for function in less.functions:
            function_name = Module.name(function)
            if function_name not in changed:
                continue
            counts.removed += 1
            if len(code_of(mended[function_name])) <= len(code_of(function)):
                wrong = warnings_in(found, function_name)
                if wrong:
                    counts.false_reports += 1
                    counts.problems.append(f"{source}: {function_name}: llc needs no {changed[function_name][0]}: "
                                           f"{wrong[:2]}")
                continue
            counts.needed += 1
            if found.get(function_name):
                counts.reported += 1
            elif is_outside(function, *changed[function_name]):
                counts.outside += 1
            else:
                counts.missed += 1
                counts.problems.append(f"{source}: {function_name}: nothing is said of the missing "
                                       f"{changed[function_name][0]}")
        for each in (mir, path):
            each.unlink()


def check_configuration(compiled, suite, configuration, folder, turns):
    counts = Counts()
    path = compiled / suite / f"{configuration}.o"
    processor, selector, level = configuration.split("_", 2)
    found, functions = hazards_of(path)
    counts.functions += functions
    for function in found:
        hazards = warnings_in(found, function)
        counts.false_reports += len(hazards)
        if hazards:
            counts.problems.append(f"{path}: {function}: {hazards[:2]}")
    check_runs(path, processor, list(function_starts(path).values()), counts)
    source = path.with_suffix(".bc" if level.startswith("opt") and path.with_suffix(".bc").exists() else ".ll")
    triple = "amdgcn-amd-amdhsa" if suite == "kernels" else "amdgcn"
    check_removed(triple, processor, LEVELS[level] + SELECTORS[selector], source, folder, turns, counts)
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--folder", type=pathlib.Path,
                        default=pathlib.Path(SALU).parent.parent / "tests/compiler" /
                        ("compiled" if LLVM == "19" else f"compiled_llvm{LLVM}"))
    parser.add_argument("--turns", type=int, help="how many to take out of each function (default: 1, with --all all)")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    if run("sh", "-c", f"command -v {LLC} && command -v {READELF}").returncode != 0:
        print(f"skipped: {LLC} is not installed")
        return 77
    jobs = []
    for suite in SUITES:
        names = SLICES[LLVM][suite]
        if options.all:
            names = sorted(path.stem for path in (options.folder / suite).glob("*_*_*.o"))
        jobs += [(suite, name) for name in names]
    total = Counts()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        turns = options.turns if options.turns is not None else 1000 if options.all else 1
        for counts in pool.map(lambda job: check_configuration(options.folder, *job, pathlib.Path(folder), turns), jobs):
            total.add(counts)
    print(f"{total.functions} functions and kernels of {len(jobs)} objects: {total.false_reports} false reports; "
          f"{total.runs} runs: {total.false_in_runs} false reports")
    print(f"{total.removed} instructions taken out, {total.needed} of which llc puts back: {total.reported} reported, "
          f"{total.outside} for unsupported cases, {total.missed} missed")
    for problem in total.problems[:40]:
        print(problem)
    if total.functions == 0 or total.needed == 0 or total.reported == 0:
        print("there was nothing to compare")
        return 1
    return 1 if total.false_reports or total.false_in_runs or total.missed or total.problems else 0


if __name__ == "__main__":
    sys.exit(main())
