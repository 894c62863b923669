#!/usr/bin/env python3
"""Compiles modules of ir_generator.py for GCN and natively, runs the functions of both, and reports differences.

Both sides have the same module. Only the functions that pass results differ: GCN code uses registers, native code a variable.
"""

import collections
import itertools
import json
import pathlib
import re
import signal
import subprocess

# The default version of LLVM. It also compiles the native code for the tests of other versions.
LLVM = 19
NATIVE_TOOLS = (f"llc-{LLVM}", f"opt-{LLVM}", f"ld.lld-{LLVM}", "prlimit")
PROCESSORS = ["tahiti", "bonaire", "tonga", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942"]
SELECTORS = {"sdag": ["-global-isel=0"], "gisel": ["-global-isel", "-global-isel-abort=2"]}
# Passes of opt, options of llc. Vectorised code would not use scalar instructions.
OPT = ["-vectorize-loops=false", "-vectorize-slp=false"]
LEVELS = {
    "O0": ([], ["-O0"]),
    # The same instruction selection, but SGPRs are not spilled to vector lanes early.
    "O0_regalloc": ([], ["-O0", "-optimize-regalloc", "-structurizecfg-skip-uniform-regions"]),
    "O1": ([], ["-O1"]),
    "O2": ([], ["-O2"]),
    "O3": ([], ["-O3"]),
    "opt_O1": (["-passes=default<O1>", *OPT], ["-O1"]),
    "opt_O2": (["-passes=default<O2>", *OPT], ["-O2"]),
    "opt_O3": (["-passes=default<O3>", *OPT], ["-O3"]),
}

MAGIC = 0xA55AA55B  # check_compiled.cpp

PRELUDE_LANE = "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n"

# The program ends when it passes the results, because later code could change these registers. LLVM does not allocate M0, so
# M0 keeps the result of a call between the return and the read of the result.
CALLS_GPU = [
    (r"call void @hand_over\(([^()]*)\)",
     rf'call void asm sideeffect "s_endpgm", "{{s0}},{{s1}},{{s2}},{{s3}},{{s4}}"(\1, i32 {MAGIC}) noduplicate'),
    (r"call void @give\(([^()]*)\)", r'call void asm sideeffect "", "{m0}"(\1) noduplicate'),
    (r"call i32 @take\(\)", r'call i32 asm sideeffect "", "={m0}"() noduplicate'),
]

PRELUDE_NATIVE = f"""@native_results = global [5 x i32] zeroinitializer
@native_given = internal global i32 0
define internal void @hand_over(i32 %a, i32 %b, i32 %c, i32 %d) {{
  store volatile i32 %a, ptr @native_results
  store volatile i32 %b, ptr getelementptr (i32, ptr @native_results, i64 1)
  store volatile i32 %c, ptr getelementptr (i32, ptr @native_results, i64 2)
  store volatile i32 %d, ptr getelementptr (i32, ptr @native_results, i64 3)
  store volatile i32 {MAGIC}, ptr getelementptr (i32, ptr @native_results, i64 4)
  ret void
}}
define internal void @give(i32 %value) {{
  store i32 %value, ptr @native_given
  ret void
}}
define internal i32 @take() {{
  %value = load i32, ptr @native_given
  ret i32 %value
}}
"""

# Known defects of LLVM are not reported again (docs/development/findings.md explains them): selectors, and patterns that
# are all found, in the IR, in the assembly or in the version of LLVM.
KNOWN_DEFECTS = [
    (["gisel"], {"IR": re.compile(r" load i(3[3-9]|[45][0-9]|6[0-3]),")}),
    (["gisel"], {"assembly": re.compile(r"\ts_bfe_i64 [^,]*, [^,]*, 0x(2[1-9a-f]|3[0-9a-f])0000\b")}),
    (SELECTORS, {"IR": re.compile(r"@llvm\.u(add|sub)\.sat\."),
                 "assembly": re.compile(r"\tv_(add|sub|subrev)_u32_e32 v\d+, vcc, 0x")}),
    (SELECTORS, {"IR": re.compile(r"@llvm\.u(add|sub)\.sat\.i32\((i32 %\w+, )?i32 -?\d"),
                 "assembly": re.compile(r"\tv_(add|sub|subrev)_u32_e32 v\d+, vcc, s\d")}),
    (SELECTORS, {"IR": re.compile(r"@llvm\.ct[lt]z\.i(3[3-9]|[45][0-9]|6[0-4])\b"),
                 "assembly": re.compile(r"\tv_ffb[hl]_[bu]32_e(?:32|64) (v\d+), v\d+\n(?:.*\n){0,20}?"
                                        r"\tv_add_[iu]32_e32 v\d+, vcc, 32, \1\n")}),
    (SELECTORS, {"version": re.compile(r"22"), "IR": re.compile(r"\bswitch i")}),
]

Configuration = collections.namedtuple("Configuration", "processor selector level")
Configuration.name = property("_".join)


def processors(llvm=LLVM):
    """The processors that a version of LLVM supports."""
    return PROCESSORS + ["gfx950"] * (llvm >= 20)


def all_configurations(llvm=LLVM):
    """All configurations, in an order in which neighbours have little in common."""
    rows = [Configuration(*row) for row in itertools.product(processors(llvm), SELECTORS, LEVELS)]
    return [rows[index * 37 % len(rows)] for index in range(len(rows))]


def configurations_for(seed, count, llvm=LLVM):
    """The configurations of a seed. Consecutive seeds cover all configurations."""
    rows = all_configurations(llvm)
    return [rows[(seed * count + index) % len(rows)] for index in range(count)]


def parse_configuration(name, llvm=LLVM):
    for configuration in all_configurations(llvm):
        if configuration.name == name:
            return configuration
    raise ValueError(f"no configuration '{name}': PROCESSOR_SELECTOR_LEVEL, such as {all_configurations()[0].name}")


class Problem(Exception):
    """A tool crashed, exceeded its limit, or refused the input. `functions`: the functions in its message."""

    def __init__(self, kind, text, functions=()):
        super().__init__(f"{kind}: {text}")
        self.kind, self.text, self.functions = kind, text, set(functions)


def problem_of(command, result):
    """Describes the failure of a tool. Errors of llc are normal: a result is in vector registers."""
    tool = pathlib.Path(str(command[0])).name
    messages = result.stderr
    named = re.findall(r"in function ([A-Za-z0-9_]+)|on function '@([A-Za-z0-9_]+)", messages)
    functions = {left or right for left, right in named}
    if "error: " in messages and functions:  # a crash of LLVM after an error is not a finding
        return Problem("failed", messages, re.findall(r"error: [^\n]*in function ([A-Za-z0-9_]+)", messages))
    if result.returncode < 0 or "LLVM ERROR" in messages or "PLEASE submit a bug report" in messages:
        return Problem(f"{tool} crashed", crash_text(result), functions)
    return Problem(f"{tool} failed", messages or f"exit code {result.returncode}")


def crash_text(result):
    said = [line for line in result.stderr.splitlines() if re.search(r"LLVM ERROR|Assertion|Running pass|Stack dump", line)]
    return "\n".join([f"exit code {result.returncode}", *(said or result.stderr.splitlines()[:10])])


def functions_in(text):
    """Returns {name: [types]} for check_compiled."""
    found = {}
    for name, arguments in re.findall(r"^define [^@\n]*amdgpu_ps void @(\w+)\((.*?)\)[^()\n]*{", text, re.MULTILINE):
        types = []
        for argument in filter(None, re.split(r",(?![^(]*\))", arguments.strip())):
            words = argument.split()
            types.append(words[0] if words[0] != "ptr" else words[-1].lstrip("%"))
        found[name] = types
    return found


def without_declarations(text):
    return re.sub(r"^declare [^\n]*@(hand_over|give|take)\([^\n]*$", "", text, flags=re.MULTILINE)


def hand_over_first_lane(text):
    """Allows vector registers for results and arguments of helpers: LLVM does not copy these to SGPRs by itself."""
    numbers = itertools.count()

    def read(call):
        reads, arguments = "", []
        for argument in call[2].split(", "):
            name = f"%first.{next(numbers)}"
            reads += f"{name} = call i32 @llvm.amdgcn.readfirstlane.i32({argument})\n  "
            arguments.append(f"i32 {name}")
        return f"{reads}call void @{call[1]}({', '.join(arguments)})"

    return re.sub(r"call void @(hand_over|give)\(([^()]*)\)", read, text)


def gpu_module(text):
    for pattern, replacement in CALLS_GPU:
        text = re.sub(pattern, replacement, text)
    prelude = "" if PRELUDE_LANE in text else PRELUDE_LANE
    return without_declarations(text) + "\n" + prelude


def native_module(text):
    module = without_declarations(text) + "\n" + PRELUDE_NATIVE + "\n" + native_wrappers(text)
    # Since LLVM 20, functions with the calling convention of shaders cannot be called.
    return re.sub(r"\bamdgpu_(ps|gfx) ", "", module)


def native_wrappers(text):
    wrappers = []
    for name, types in functions_in(text).items():
        lines, passed = [], []
        for index, kind in enumerate(types):
            lines.append(f"  %p{index} = getelementptr i64, ptr %arguments, i64 {index}\n  %w{index} = load i64, ptr %p{index}")
            if kind == "i64":
                passed.append(f"i64 %w{index}")
            elif re.fullmatch(r"i\d+", kind):
                lines.append(f"  %a{index} = trunc i64 %w{index} to {kind}")
                passed.append(f"{kind} %a{index}")
            else:
                lines.append(f"  %a{index} = inttoptr i64 %w{index} to ptr addrspace(4)")
                passed.append(f"ptr addrspace(4) %a{index}")
        lines.append(f"  call void @{name}({', '.join(passed)})\n  ret void")
        wrappers.append(f"define void @native_{name}(ptr %arguments) {{\n" + "\n".join(lines) + "\n}\n")
    return "\n".join(wrappers)


def functions_of_assembly(path):
    """Returns {function: its lines and those of its helpers} from LLVM's assembly text."""
    found, lines = {}, []
    for line in path.read_text().splitlines():
        label = re.match(r"([A-Za-z0-9_]+)(\.\w+)?:", line)
        if label:
            lines = found.setdefault(label.group(1), [])
        elif line.startswith("\t"):
            lines.append(line)
    return found


def is_vector_instruction(line):
    return line[1] not in ".;" and not line.startswith("\ts_")


def is_known_defect(selector, llvm, text, assembly):
    places = {"IR": text, "assembly": "\n".join(assembly), "version": str(llvm)}
    return any(selector in selectors and all(pattern.search(places[place]) for place, pattern in patterns.items())
               for selectors, patterns in KNOWN_DEFECTS)


class Toolchain:
    """LLVM's tools and check_compiled, with limits for time and memory."""

    def __init__(self, checker, llc=f"llc-{LLVM}", opt=f"opt-{LLVM}", known_defects=False, limit_seconds=5, version=LLVM):
        self.known_defects = known_defects
        self.version = version
        self.checker, self.llc, self.opt, self.limit_seconds = str(checker), llc, opt, limit_seconds

    def run(self, command):
        # Processor time does not depend on the load of the machine. The other limit is for processes that wait.
        limited = ["prlimit", f"--cpu={self.limit_seconds}", "--core=0", *map(str, command)]
        try:
            result = subprocess.run(limited, capture_output=True, text=True, errors="replace", timeout=self.limit_seconds * 20)
            if result.returncode not in (-signal.SIGXCPU, -signal.SIGKILL):
                return result
        except subprocess.TimeoutExpired:
            pass
        tool = pathlib.Path(str(command[0])).name
        raise Problem(f"{tool} timeout", f"{tool} took more than {self.limit_seconds} seconds")

    def must(self, command):
        result = self.run(command)
        if result.returncode != 0:
            raise problem_of(command, result)
        return result

    def compile_natively(self, text, folder):
        """Compiles with -O0, which shares the fewest transformations with the code under test, and -O2. Both must agree."""
        module = folder / "native.ll"
        module.write_text(native_module(text))
        self.must([f"llc-{LLVM}", "-O0", "-relocation-model=pic", "-filetype=obj", module, "-o", folder / "native_O0.o"])
        self.must([f"opt-{LLVM}", "-passes=default<O2>", module, "-o", folder / "native.bc"])
        self.must([f"llc-{LLVM}", "-O2", "-relocation-model=pic", "-filetype=obj", folder / "native.bc", "-o", folder / "native_O2.o"])
        libraries = [folder / "native_O0.so", folder / "native_O2.so"]
        for library in libraries:
            self.must([f"ld.lld-{LLVM}", "-shared", library.with_suffix(".o"), "-o", library])
        return libraries

    def compile_once(self, texts, configuration, out):
        """Returns the names of the functions for which GlobalISel fell back to SelectionDAG."""
        target = ["-mtriple=amdgcn", f"-mcpu={configuration.processor}"]
        passes, options = LEVELS[configuration.level]
        module = out.with_suffix(".ll")
        module.write_text(gpu_module("\n".join(texts)))
        if passes:
            self.must([self.opt, *target, *passes, module, "-o", out.with_suffix(".bc")])
            module = out.with_suffix(".bc")
        command = [self.llc, *target, *options, *SELECTORS[configuration.selector], module]
        self.must([*command, "-filetype=obj", "-o", out])
        result = self.must([*command, "-o", out.with_suffix(".s")])
        return set(re.findall(r"fallback path for (\w+)", result.stderr))

    def compile(self, texts, configuration, out):
        """Compiles functions, `texts`: {function: IR}. Returns the object or None; {function: reason why LLVM could not
        compile it}; fallbacks of GlobalISel; and problems other than refusals by LLVM. Functions that LLVM refuses
        because their results are in vector registers pass the values of the first lane instead."""
        left, lost, problems, by_lane = dict(texts), {}, [], set()
        while left:
            try:
                return out, lost, self.compile_once(left.values(), configuration, out), problems
            except Problem as problem:
                culprits = problem.functions & left.keys()
                if not culprits:
                    culprits = {name for name in left if self.fails(left[name], configuration, out, problem.kind)} or set(left)
                if problem.kind != "failed":
                    problem.functions = culprits
                    problems.append(problem)
                for name in culprits:
                    if problem.kind == "failed" and name not in by_lane:
                        by_lane.add(name)
                        left[name] = hand_over_first_lane(left[name])
                        continue
                    lost[name] = problem.kind
                    del left[name]
        return None, lost, set(), problems

    def fails(self, text, configuration, out, kind):
        try:
            self.compile_once([text], configuration, out)
            return False
        except Problem as problem:
            return problem.kind == kind

    def check(self, code, natives, functions, seed, inputs):
        """Returns {function: report of check_compiled}. functions: {name: types}."""
        command = [self.checker, code, ",".join(map(str, natives)), seed, inputs]
        specifications = [f"{name}:{','.join(types)}" for name, types in functions.items()]
        try:
            result = self.run(command + specifications)
        except Problem as problem:
            if len(functions) == 1:
                return {name: {"function": name, "error": problem.text, "kind": problem.kind} for name in functions}
            result = None
        if result is not None and result.returncode == 0:
            return {report["function"]: report for report in map(json.loads, result.stdout.splitlines())}
        if len(functions) == 1:
            said = result.stderr.strip() or f"exit code {result.returncode}"
            return {name: {"function": name, "error": said, "kind": "check failed"} for name in functions}
        reports = {}
        for name, types in functions.items():
            reports.update(self.check(code, natives, {name: types}, seed, inputs))
        return reports


Finding = collections.namedtuple("Finding", "kind function configuration detail")


def is_llvms_own(kind):
    """True if LLVM crashed or hung, so that there is no result to compare."""
    return kind.endswith(("crashed", "timeout", "failed")) and not kind.startswith("check")


def judge(name, configuration, report):
    """Returns a finding or None."""
    if report.get("error"):
        return Finding(report.get("kind", "not run"), name, configuration, report["error"])
    if report["differences"]:
        return Finding("difference", name, configuration, report["differences"])
    if report["agreed"] != report["runs"]:
        return Finding("stopped", name, configuration, report["stopped"])
    return None


def check_configuration(toolchain, texts, natives, configuration, folder, seed, inputs, counts, compared=None):
    """Compiles functions with one configuration and runs them. Adds the outcomes to `counts`, and the names of the
    functions with the native results to `compared`. Returns the findings."""
    out = folder / f"{configuration.name}.o"
    code, lost, fallbacks, problems = toolchain.compile(texts, configuration, out)
    findings = [Finding(problem.kind, name, configuration, problem.text)
                for problem in problems for name in sorted(problem.functions)]
    for reason in lost.values():
        counts[reason] += 1
    if code is None:
        return findings
    functions = {name: types for name, types in functions_in("\n".join(texts.values())).items() if name not in lost}
    assembly = functions_of_assembly(code.with_suffix(".s"))
    if not toolchain.known_defects:
        for name in list(functions):
            if is_known_defect(configuration.selector, toolchain.version, texts[name], assembly[name]):
                counts["known defect"] += 1
                del functions[name]
    vector = {name for name in functions if any(map(is_vector_instruction, assembly[name]))}
    for name, report in toolchain.check(code, natives, functions, seed, inputs).items():
        counts["fallback" if name in fallbacks else "vector" if name in vector else "scalar"] += 1
        for key in ("runs", "agreed", "steps"):
            counts[key] += report.get(key, 0)
        finding = judge(name, configuration, report)
        if finding:
            findings.append(finding)
        elif compared is not None and name not in fallbacks:
            compared.append(name)
    return findings


def check_module(toolchain, text, natives, configuration, folder, seed, inputs):
    """The same for the text of a module."""
    names = list(functions_in(text))
    texts = {name: text for name in names} if len(names) == 1 else {"": text}
    return check_configuration(toolchain, texts, natives, configuration, folder, seed, inputs, collections.Counter())
