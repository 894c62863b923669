#!/usr/bin/env python3
"""The code on docs/api.md is code of examples/api, which the package test compiles and runs."""

import os
import pathlib
import re
import sys
import textwrap

source = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
page = (source / "docs/api.md").read_text()
example = {"cpp": source / "examples/api/main.cpp", "cmake": source / "examples/api/CMakeLists.txt"}


def unindented(text):
    """The lines without blanks around them: how far a piece is indented depends on where it stands."""
    return "\n".join(line.strip() for line in text.splitlines())


blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
if len(blocks) < 8 or {language for language, _ in blocks} != set(example):
    sys.exit(f"docs/api.md: expected at least 8 blocks of cpp and cmake, found {[language for language, _ in blocks]}")
failed = False
for language, text in blocks:
    if unindented(text) not in unindented(example[language].read_text()):
        print(f"docs/api.md shows what is not in {example[language].relative_to(source)}:\n{textwrap.indent(text, '    ')}")
        failed = True
sys.exit(failed)
