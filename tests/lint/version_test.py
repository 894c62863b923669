#!/usr/bin/env python3
"""Every file with the version of salu has the version in CMakeLists.txt. docs/development/releasing.md has the
procedure."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[2]
# Files (glob patterns), each with a pattern for the places that contain the version.
PLACES = {
    "CHANGELOG.md": r"\A(?:(?!^## \[\d).)*?^## \[(\d[\d.]*)\] - \d{4}-\d\d-\d\d$",
    "bindings/python/pyproject.toml": r'^version = "([\d.]+)"$',
    "bindings/python/salu/_library.py": r'^VERSION = "([\d.]+)"$',
    "docs/**/installing.md": r"salu[_-](\d+\.\d+\.\d+)",
    "editors/vscode/README.md": r"salu-(\d+\.\d+\.\d+)",
    "include/salu.h": r"`(\d+\.\d+\.\d+)`",
}


def named_versions():
    for name, pattern in PLACES.items():
        texts = [path.read_text() for path in ROOT.glob(name)]
        found = [version for text in texts for version in re.findall(pattern, text, re.M | re.S)]
        yield from ((name, version) for version in found or ["no version"])
    for name in ("package.json", "package-lock.json"):
        document = json.loads((ROOT / "editors" / "vscode" / name).read_text())
        yield f"editors/vscode/{name}", document["version"]
        if "packages" in document:
            yield f"editors/vscode/{name}, packages", document["packages"][""]["version"]


def main():
    version = re.search(r"^project\(salu VERSION ([\d.]+)$", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
    wrong = [f"{name}: {named}, but CMakeLists.txt has {version}" for name, named in named_versions() if named != version]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
