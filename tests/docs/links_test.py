#!/usr/bin/env python3
"""Links and headings of the pages: every relative link leads to a file and to a heading that exist, the index lists every
page of docs/, and every path of a page that the sources name exists."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
INDEX = ROOT / "docs/README.md"
README_LINES = 100
FOLDERS = ("apps", "bindings", "cmake", "editors", "examples", "include", "programs", "schema", "scripts", "src", "tests", "web")
TEXT = {".c", ".cmake", ".cpp", ".def", ".h", ".hpp", ".inc", ".js", ".json", ".md", ".py", ".sh", ".txt", ".yaml", ""}
LEFT_OUT = {"build", "node_modules", "__pycache__", "data", "corpus"}
faults = []


def outside_of_code(text):
    """The text with fenced blocks and code spans blanked."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return re.sub(r"`[^`]*`", lambda span: "" if "](" in span.group(0) else span.group(0), text)


def anchors(page):
    """The anchors of the headings of a page, as GitHub makes them."""
    found, counts = set(), {}
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = counts.get(anchor, 0)
        counts[anchor] = number + 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", outside_of_code(page.read_text())):
        if not re.match(r"[a-z]+:", target):
            yield target


def files(folder, suffixes):
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for name in sorted(names):
            path = pathlib.Path(directory, name)
            if path.suffix in suffixes and path.is_file():
                yield path


pages = sorted(ROOT.glob("*.md")) + [path for folder in ("docs", "examples", "bindings", "editors") for path in files(ROOT / folder, {".md"})]
checked = 0
for page in pages:
    name = page.relative_to(ROOT)
    for target in links(page):
        checked += 1
        path, _, anchor = target.partition("#")
        to = (page.parent / path).resolve() if path else page
        if not to.exists():
            faults.append(f"{name}: link to {target}, which does not exist")
        elif anchor and to.suffix == ".md" and anchor not in anchors(to):
            faults.append(f"{name}: link to {target}, but the page does not contain this heading")

listed = {(INDEX.parent / target.partition("#")[0]).resolve() for target in links(INDEX)}
for page in files(ROOT / "docs", {".md"}):
    name = page.relative_to(ROOT)
    if page != INDEX and page not in listed:
        faults.append(f"docs/README.md does not list {name}")
    if not re.match(r"# \S[^\n]*\n\n[A-Za-z`*\[][^|#]", page.read_text()):
        faults.append(f"{name}: expected a title and then a sentence that says what the page is for")

for folder in FOLDERS:
    for path in files(ROOT / folder, TEXT):
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for named in re.findall(r"(?<![\w/.-])docs/[a-z/-]+\.(?:md|png)", text):
            if not (ROOT / named).exists():
                faults.append(f"{path.relative_to(ROOT)}: names {named}, which does not exist")

lines = len((ROOT / "README.md").read_text().splitlines())
if lines > README_LINES:
    faults.append(f"README.md: expected at most {README_LINES} lines, got {lines}")
if checked < 300:
    faults.append(f"only {checked} links are found")
print(*faults, f"{len(pages)} pages, {checked} links", sep="\n")
sys.exit(bool(faults))
