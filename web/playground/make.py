#!/usr/bin/env python3
"""Builds the playground: make.py MODULE.wasm FOLDER. The folder works from disk and from any web server."""

import base64
import gzip
import json
import pathlib
import shutil
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
PARTS = ["index.html", "playground.css", "salu.js", "client.js", "share.js", "editor.js", "playground.js", "LICENCES.txt"]
# Two programs that compute the same, for the comparison.
PAIRS = [("programs/positive/compare.s", "programs/positive/bits.s", "two ways to a sign, compared")]


def scenario_name(text):
    """Returns the value of the first `name:`."""
    for line in text.splitlines():
        if line.startswith("name:"):
            return line.removeprefix("name:").strip().strip("\"'")
    return None


def examples():
    files, listed = {}, []
    for path in sorted((root / "programs").rglob("*")):
        if not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        try:
            files[name] = path.read_text()
        except UnicodeDecodeError:
            files[name] = {"base64": base64.b64encode(path.read_bytes()).decode()}
        if path.suffix == ".yaml":
            listed.append({"path": name, "name": scenario_name(files[name]) or path.stem})
    listed.sort(key=lambda example: example["name"])
    listed += [{"path": a, "pair": b, "name": name} for a, b, name in PAIRS]
    schema = json.loads((root / "schema/salu-scenario.schema.json").read_text())
    keys = [{"name": name, "about": value.get("description", "")[:60]} for name, value in schema["properties"].items()]
    return {"files": files, "list": listed, "keys": keys}


def main():
    module, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        shutil.copyfile(here / part, folder / part)
    text = json.dumps(examples(), separators=(",", ":"))
    (folder / "examples.js").write_text(f"const saluExamples = {text};\n")
    # 5 % smaller than gzip. Reproducible: without a timestamp.
    compressed = subprocess.run(["zopfli", "--gzip", "-c", module], stdout=subprocess.PIPE, check=True).stdout
    packed = base64.b64encode(compressed).decode()
    (folder / "module.js").write_text(f"startPlayground('{packed}');\n")
    size = sum(len(gzip.compress(file.read_bytes(), 9)) for file in folder.iterdir() if file.is_file())
    print(f"{folder}: {size / 1e6:.2f} MB compressed", file=sys.stderr)


main()
