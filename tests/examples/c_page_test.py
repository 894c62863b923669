#!/usr/bin/env python3
"""The code on docs/reference/c-api.md is code of examples/c, which other tests compile and run."""
import os
import pathlib
import re
import sys
import textwrap

source = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
PAGE = "docs/reference/c-api.md"
page = (source / PAGE).read_text()
example = {"c": source / "examples" / "c" / "main.c", "cmake": source / "examples" / "c" / "CMakeLists.txt"}
blocks = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
if len(blocks) < 8 or {language for language, _ in blocks} != set(example):
    sys.exit(f"{PAGE}: expected at least 8 blocks of c and cmake, found {[language for language, _ in blocks]}")
failed = False
for language, text in blocks:
    if text not in example[language].read_text():
        print(f"{PAGE} shows code that is not in {example[language].relative_to(source)}:\n{textwrap.indent(text, '    ')}")
        failed = True
sys.exit(failed)
