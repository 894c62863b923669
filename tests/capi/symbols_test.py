#!/usr/bin/env python3
"""libsalu.so.0 exports exactly the functions that <salu.h> declares, and every function there has a comment, or is part
of a group that has one. The library leaves no work for the end of the process: handlers of atexit() and running threads
can call it to the end."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
LIBRARY = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parent.parent / "lib" / "libsalu.so.0"


def main():
    header = (ROOT / "include" / "salu.h").read_text()
    declared = set(re.findall(r"^SALU_API [\w* ]*?\b(salu_\w+)\(", header, re.MULTILINE))
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[2].partition("@")[0] for line in lines.splitlines() if line.split()[1] != "A"}
    wrong = [f"{name} is declared and does not leave the library" for name in sorted(declared - exported)]
    wrong += [f"{name} leaves the library and is not declared" for name in sorted(exported - declared)]
    needed = subprocess.run(["nm", "-D", "--undefined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
    if "__cxa_atexit" in needed:
        wrong.append("something static has a destructor: __cxa_atexit is called")
    dynamic = subprocess.run(["readelf", "-d", LIBRARY], check=True, capture_output=True, text=True).stdout
    if "[libsalu.so.0]" not in dynamic:
        wrong.append("its soname is not libsalu.so.0")
    if "NODELETE" not in dynamic:
        wrong.append("dlclose() takes code away that threads run at their end")
    # A block without an empty line begins with a comment.
    for block in header.split("\n\n"):
        if "SALU_API " in block and not re.match(r"\s*(/\*|#if)", block):
            wrong.append(f"nothing is said of {block.splitlines()[0]}")
    page = (ROOT / "docs/reference/c-api.md").read_text()
    wrong += [f"docs/reference/c-api.md does not name {name}" for name in sorted(declared)
              if not re.search(rf"\b{name}\b", page)]
    wrong += [f"docs/reference/c-api.md names {name}, which there is not"
              for name in sorted(set(re.findall(r"\b(salu_\w+)\(", page)) - declared)]
    print("\n".join(wrong) if wrong else f"{len(declared)} functions")
    return 1 if wrong or len(declared) < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
