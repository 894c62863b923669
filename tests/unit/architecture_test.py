#!/usr/bin/env python3
"""docs/architecture.md is about the code as it stands: the files and functions that it names exist, and every public
header has a row that names the rooms in which it is implemented."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def code_spans():
    """What stands in backquotes outside of blocks; a line break in there is a blank."""
    prose = re.sub(r"^```.*?^```", "", PAGE, flags=re.MULTILINE | re.DOTALL)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]


def sources():
    """Path and text of what is compiled into libraries and program."""
    for folder in ("include", "src", "apps"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".hpp", ".cpp", ".def", ".inc"):
                yield path, path.read_text()


def implementations(files):
    """The rooms (`src/core`) by public header: a file that implements one includes it first."""
    rooms = {}
    for path, text in files:
        first = re.search(r'^#include ["<](.*?)[">]', text, re.MULTILINE)
        if path.suffix == ".cpp" and first and first.group(1).startswith("salu/") and (ROOT / "src") in path.parents:
            rooms.setdefault(first.group(1), set()).add("/".join(path.relative_to(ROOT).parts[:2]))
    return rooms


def main():
    wrong = []
    spans = code_spans()
    paths = [span for span in spans if re.fullmatch(r"[\w.-]+/([\w.-]+/?)*", span)]
    wrong += [f"there is no {path}" for path in paths if not (ROOT / path).exists()]

    files = list(sources())
    names = set(re.findall(r"\w+", (ROOT / "cmake" / "SaluTargets.cmake").read_text()))
    for _, text in files:
        names.update(re.findall(r"\w+", text))
    functions = [span[:-2] for span in spans if re.fullmatch(r"(\w+::)*\w+\(\)", span)]
    for function in functions:
        wrong += [f"nothing is called {name} of {function}()" for name in function.split("::") if name not in names]

    implemented = implementations(files)
    rows = dict(re.findall(r"^\| `include/(salu/\w+\.hpp)` \|.*?\|(.*)\|$", PAGE, re.MULTILINE))
    headers = {path.relative_to(ROOT / "include").as_posix() for path in (ROOT / "include").rglob("*.hpp")}
    for header in sorted(headers ^ rows.keys()):
        wrong.append(f"{header} " + ("has no row" if header in headers else "has a row and is no header"))
    for header in sorted(headers & rows.keys()):
        named = {"/".join(path.split("/")[:2]) for path in re.findall(r"`(src/[^`]*)`", rows[header])}
        for room in sorted(implemented.get(header, set()) - named):
            wrong.append(f"{header} is implemented in {room}, which its row does not name")
    if not (len(paths) > 50 and len(functions) > 20 and len(rows) > 10):
        wrong.append(f"only {len(paths)} paths, {len(functions)} functions and {len(rows)} headers are found")
    print("\n".join(wrong) if wrong else f"{len(paths)} paths, {len(functions)} functions, {len(rows)} headers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
