#!/usr/bin/env python3
"""The code on docs/reference/cpp-api.md is code of examples/api, which the package test compiles and runs; its table of
headers names all their types and functions, and no others."""

import os
import pathlib
import re
import sys
import textwrap

source = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
PAGE = "docs/reference/cpp-api.md"
page = (source / PAGE).read_text()
example = {"cpp": "\n".join((source / "examples/api" / name).read_text() for name in ("main.cpp", "machine.cpp")),
           "cmake": (source / "examples/api/CMakeLists.txt").read_text()}


def unindented(text):
    """Returns the lines without surrounding blanks, because the indentation of a piece depends on its place."""
    return "\n".join(line.strip() for line in text.splitlines())


blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
if len(blocks) < 8 or {language for language, _ in blocks} != set(example):
    sys.exit(f"{PAGE}: expected at least 8 blocks of cpp and cmake, found {[language for language, _ in blocks]}")
failed = False
for language, text in blocks:
    if unindented(text) not in unindented(example[language]):
        print(f"{PAGE} shows {language} code that is not in examples/api:\n{textwrap.indent(text, '    ')}")
        failed = True

# Types, type aliases, functions, and addresses, none of them nested.
DECLARED = re.compile(r"^(?:(?:struct|class|enum class)(?: \[\[nodiscard\]\])? (\w+)[^;\n]* \{|using (\w+) =|"
                      r"(?:\[\[nodiscard\]\] )?(?:inline |constexpr |const )*[\w:]+(?:<.*>)?[&*]* (\w+)\(|inline constexpr u64 (\w+_base) =)", re.MULTILINE)
rows = dict(re.findall(r"^\| `<salu/(\w+\.hpp)>` \| (.*) \|$", page, re.MULTILINE))
headers = {path.name: path.read_text() for path in (source / "include/salu").glob("*.hpp")}
for name in sorted(headers.keys() | rows.keys()):
    text = headers.get(name, "")
    declared = {each for match in DECLARED.findall(text) for each in match if each}
    spaces = set(re.findall(r"^namespace (\w+) \{(?=\ninline constexpr)", text, re.MULTILINE))
    named = set(re.findall(r"`(\w+)`", rows.get(name, "")))
    if not declared or named != declared | spaces:
        print(f"{PAGE}, <salu/{name}>: not named {sorted((declared | spaces) - named)}, "
              f"not declared {sorted(named - declared - spaces)}")
        failed = True
sys.exit(failed)
