#!/usr/bin/env python3
"""Compares modules with their declarations. The CMakeLists.txt of a module declares the modules and the libraries that
it uses; this test reads the #include lines of src/, include/ and apps/, the symbols of the built libraries, and
docs/development/architecture.md. With --write it only rewrites the list of dependencies on that page."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("SALU_SOURCE_DIR", pathlib.Path(__file__).parents[2]))
NAME = "docs/development/architecture.md"
PAGE = ROOT / NAME
PROGRAM = "apps/salu"
# Libraries that a module may declare, and the headers of each.
LIBRARIES = {
    "CLI11::CLI11": r"CLI/.*",
    "Threads::Threads": r"thread|pthread\.h",
    "libedit": r"histedit\.h",
    "nlohmann_json::nlohmann_json": r"nlohmann/.*",
    "salu_dep::dw": r"elfutils/.*|dwarf\.h",
    "salu_dep::elf": r"g?elf\.h|libelf\.h",
    "salu_dep::fmt": r"fmt/.*",
    "salu_dep::yaml_cpp": r"yaml-cpp/.*",
    "spdlog::spdlog": r"spdlog/.*",
}
# Headers of C and of the operating system that a module may include.
SYSTEM = {
    "include/salu.h": r"std(def|int)\.h",
    "support": r"sys/.*|linux/fs\.h|(fcntl|poll|pthread|spawn|unistd)\.h",
    "loader": r"sys/.*|(dlfcn|fcntl|unistd)\.h",
    "suite": r"sys/stat\.h",
    "capi": r"salu\.h|(cxxabi|pthread)\.h",
    PROGRAM: r"(sys|arpa|netinet)/.*|(fcntl|poll|termios|unistd)\.h",
}
STREAMS = r"[io]*stream|fstream|iomanip|ios|s(pan|str|ync)?stream|streambuf|strstream|syncstream"
WITH_STREAMS = {"loader", "output", "suite", PROGRAM}
WITH_DISPATCH = {"core", "batch"}
BLOCK = re.compile(r"(<!-- Written by tests/unit/modules_test.py --write. -->\n```text\n)(.*?)(?=^```)", re.M | re.S)


class Module:
    """A module, the files in it, and its declared and actual dependencies."""

    def __init__(self, name, files, declaration=""):
        self.name, self.files = name, files
        words = re.findall(r"[\w:]+", re.sub(r"\$<BUILD_INTERFACE:([^>]*)>", r" \1 ", declaration))
        self.uses = {word.removeprefix("salu_") for word in words}  # read_modules() removes the other words
        self.libraries = set(words) & LIBRARIES.keys()
        self.lines = [(path, number, line) for path in files for number, line in enumerate(path.read_text().splitlines(), 1)]
        self.includes = {header for _, _, line in self.lines for header in [included(line)] if header}


def included(line):
    """The header that an #include line names, with its delimiters; the rest of a line that cannot be read."""
    match = re.match(r"\s*#\s*include\b\s*(<[^>]+>|\"[^\"]+\"|.*)", line)
    return match and (match.group(1) or "nothing")


def read_modules():
    modules = {}
    for folder in [path.parent for path in sorted((ROOT / "src").glob("*/CMakeLists.txt"))] + [ROOT / PROGRAM]:
        name = PROGRAM if folder == ROOT / PROGRAM else folder.name
        call = re.escape("target_link_libraries(salu PRIVATE" if name == PROGRAM else f"salu_add_library({name}")
        declaration = re.search(call + r"\b([^)]*)\)", (folder / "CMakeLists.txt").read_text()).group(1)
        modules[name] = Module(name, files_below(folder), declaration)
    for module in modules.values():
        module.uses &= modules.keys()
    return modules


def files_below(folder):
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (".cpp", ".hpp", ".h", ".def", ".inc")]


def fault(module, line):
    """The rule that an #include line of a module breaks; None for other lines."""
    header = included(line)
    if header is None:
        return None
    name = header[1:-1]
    if header[0] + header[-1] not in ("<>", '""'):
        return "an include that cannot be read"
    if header[0] == "<":
        if re.fullmatch(STREAMS, name):
            return None if module.name in WITH_STREAMS else "a stream header"
        allowed = [r"salu/.*", r"[a-z0-9_]+", SYSTEM.get(module.name, "")] + [LIBRARIES[each] for each in module.libraries]
        return None if any(re.fullmatch(each, name) for each in allowed) else "a header of a library that is not declared"
    if name.startswith("salu/"):
        return "a public header in quotes"
    if "/" not in name and module.name == PROGRAM:
        return None
    used = name.split("/")[0]
    if "/" not in name or ".." in name:
        return "a path that does not begin at src/"
    if used != module.name and used not in module.uses:
        return "a module that is not declared"
    if re.search(r"^core/(.*/)?(dispatch|handlers)", name) and module.name not in WITH_DISPATCH:
        return "an internal header of the dispatch loops"
    return None


def include_faults(modules):
    public = [Module("include/salu", files_below(ROOT / "include" / "salu")),
              Module("include/salu.h", [ROOT / "include" / "salu.h"])]
    for module in [*modules.values(), *public]:
        if not module.includes:
            yield f"{module.name} has no #include that this test finds"
        for path, number, line in module.lines:
            if fault(module, line):
                yield f"{path.relative_to(ROOT)}:{number}: {line}: {fault(module, line)}"
        for path in module.files:
            if path.suffix == ".hpp" and "#pragma once" not in path.read_text().splitlines():
                yield f"{path} has no #pragma once"
    for name, line, expected in (
            ("isa", '#include "core/state.hpp"', "a module that is not declared"),
            ("core", "#include <sstream>", "a stream header"),
            ("core", "# include <fmt/format.h>", "a header of a library"),
            ("isa", '#include "decode.hpp"', "a path that"),
            ("isa", '#include "../core/state.hpp"', "a path that"),
            ("isa", '#include "salu/state.hpp"', "a public header"),
            ("isa", "#include SALU_TABLE", "an include that"),
            ("isa", "#include <vector", "an include that"),
            ("isa", "#include", "an include that"),
            ("loader", '#include "core/handlers.hpp"', "an internal header"),
            ("core", '#include "core/handlers.hpp"', None),
            ("loader", "#include <yaml-cpp/yaml.h>", None),
            (PROGRAM, '#include "exit_codes.hpp"', None),
            ("core", "// #include <iostream>", None)):
        found = fault(modules[name], line)
        if not (found or "").startswith(expected or "") or (found is None) != (expected is None):
            yield f"this test says {found} of `{line}` in {name}, not {expected}"


def submodule_faults(modules):
    for name, module in modules.items():
        graph = {}
        for path, _, line in module.lines:
            folders = path.relative_to(ROOT / "src").parts[1:-1] if name != PROGRAM else ()
            match = re.match(rf'#include "{name}/(\w+)/', line)
            if folders:
                graph.setdefault(folders[0], set()).update({match.group(1)} - {folders[0]} if match else ())
        if cycle(graph):
            yield f"submodules of {name} include each other in a cycle: {cycle(graph)}"


def cycle(graph):
    """The nodes of cycles, and those on paths between them."""
    left = dict(graph)
    while ends := [name for name in left if not left[name] & left.keys() or not any(name in used for used in left.values())]:
        for name in ends:
            del left[name]
    return " ".join(sorted(left))


def symbols(name):
    """The symbols that a module defines, and those that it needs."""
    build = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parent.parent
    objects = (build / PROGRAM).rglob("*.o") if name == PROGRAM else [build / "lib" / f"libsalu_{name}.a"]
    output = subprocess.run(["nm", *objects], check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in output.splitlines()]
    return ({each[2] for each in words if len(each) == 3 and each[1] in "TDRB"},
            {each[1] for each in words if len(each) == 2 and each[0] == "U"})


def library_faults(modules):
    """Dependencies that are declared and not used, or used and not declared."""
    of = {name: symbols(name) for name in modules}
    for name, module in modules.items():
        used = {match.group(1) for header in module.includes for match in [re.match(r'"(\w+)/', header)] if match}
        used |= {other for other, (defined, _) in of.items() if defined & (of[name][1] - of[name][0])}
        found = {each for each, headers in LIBRARIES.items() if any(re.fullmatch(headers, h[1:-1]) for h in module.includes)}
        for each in sorted((module.uses | module.libraries) ^ ((used & modules.keys()) - {name} | found)):
            yield f"{name} declares {each} and does not use it" if each in module.uses | module.libraries \
                else f"{name} uses {each} and does not declare it"
        if "__cxa_thread_atexit" in of[name][1]:
            yield (f"{name} has a thread_local with a destructor, which ends the program where memory runs out; "
                   "src/support/per_thread.hpp does not")


def dependencies(modules):
    """The list of dependencies: layers from the top down, one module per line."""
    def layer(name):
        return 1 + max((layer(used) for used in modules[name].uses), default=0)

    layers = {name: layer(name) for name in modules}
    lines = []
    for number in range(max(layers.values()), 0, -1):
        for name in sorted(name for name in modules if layers[name] == number):
            uses = sorted(modules[name].uses, key=lambda each: (layers[each], each))
            lines.append(f"{number}  {name:<11}{' '.join(uses)}".rstrip() + "\n")
    return "".join(lines)


def page_faults(modules):
    page = PAGE.read_text()
    if BLOCK.search(page).group(2) != dependencies(modules):
        yield f"{NAME} has an outdated list of dependencies: run tests/unit/modules_test.py --write"
    # Code in backquotes outside of blocks; a line break in it counts as a blank.
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
    paths = [span for span in spans if re.fullmatch(r"[\w.-]+/([\w.-]+/?)*", span)]
    yield from (f"{NAME} names {path}, which does not exist" for path in paths if not (ROOT / path).exists())

    files = files_below(ROOT / "include") + [path for module in modules.values() for path in module.files]
    texts = "\n".join(path.read_text() for path in [ROOT / "cmake" / "SaluTargets.cmake", *files])
    names = set(re.findall(r"\w+", texts))
    functions = [span[:-2] for span in spans if re.fullmatch(r"(\w+::)*\w+\(\)", span)]
    yield from (f"{NAME} names {each}(), and {name} does not exist"
                for each in functions for name in each.split("::") if name not in names)

    # A file that implements a public header includes it first.
    rows = dict(re.findall(r"^\| `include/(salu/\w+\.hpp)` \|.*?\|(.*)\|$", page, re.M))
    headers = {path.relative_to(ROOT / "include").as_posix() for path in (ROOT / "include").rglob("*.hpp")}
    yield from (f"{NAME}: one row is expected for {each}" for each in sorted(headers ^ rows.keys()))
    for module in modules.values():
        for path in module.files:
            first = re.search(r'^#include ["<](.*?)[">]', path.read_text(), re.M)
            if path.suffix == ".cpp" and module.name != PROGRAM and first and first.group(1) in rows:
                if f"`src/{module.name}/" not in rows[first.group(1)] and f"`src/{module.name}`" not in rows[first.group(1)]:
                    yield f"{NAME} does not name {module.name}, which implements {first.group(1)}"
    if not (len(paths) > 50 and len(functions) > 20 and len(rows) > 10):
        yield f"{NAME}: only {len(paths)} paths, {len(functions)} functions and {len(rows)} headers are found"


def main():
    modules = read_modules()
    faults = [f"modules use each other in a cycle: {found}"
              for found in [cycle({name: module.uses for name, module in modules.items()})] if found]
    if not faults and sys.argv[1:] == ["--write"]:
        PAGE.write_text(BLOCK.sub(lambda match: match.group(1) + dependencies(modules), PAGE.read_text()))
        return 0
    for check in (include_faults, submodule_faults, library_faults, page_faults) if not faults else ():
        faults += check(modules)
    print("\n".join(faults) if faults else f"{len(modules)} modules are as declared")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
