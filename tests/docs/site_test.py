#!/usr/bin/env python3
"""The pages of docs/ make a site without warnings. Skipped (77) if mkdocs is not installed."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
if shutil.which("mkdocs") is None:
    print("skipped: mkdocs is not installed (scripts/docs installs it)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    made = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--site-dir", folder], cwd=ROOT, capture_output=True, text=True)
    print(made.stdout + made.stderr, end="")
    pages = {path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")} - {"README"}
    missing = [page for page in sorted(pages | {"index"}) if not pathlib.Path(folder, page + ".html").exists()]
    if not pathlib.Path(folder, "search/search_index.json").exists():
        missing.append("search/search_index.json")
    if missing:
        print("the site lacks", *missing)
    sys.exit(made.returncode != 0 or bool(missing))
