#!/usr/bin/env python3
"""Seeds whose first byte is a generation, modulo the number of generations, keep their generation when one is added;
and every generation has its own seeds."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
CORPUS = ROOT / "tests" / "fuzz" / "corpus"


def main():
    table = (ROOT / "include" / "salu" / "generations.def").read_text()
    generations = re.findall(r"^SALU_GENERATION\((\w+),", table, re.MULTILINE)
    first_bytes = {path.relative_to(CORPUS).as_posix(): path.read_bytes()[0]
                   for folder in ("assembler", "decoder", "prove", "run") for path in (CORPUS / folder).iterdir()}
    wrong = [f"{path} begins with {first}, and there are {len(generations)} generations"
             for path, first in sorted(first_bytes.items()) if first >= len(generations)]
    for number, name in enumerate(generations):
        for path in (f"decoder/{name}.words", f"run/shaped_{name}"):
            first = first_bytes.get(path)
            if first is None:
                wrong.append(f"there is no {path}")
            elif first != number:
                wrong.append(f"{path} begins with {first}, and {name} is generation {number}")
    print("\n".join(wrong) if wrong else f"{len(first_bytes)} seeds, {len(generations)} generations")
    return 1 if wrong or not generations else 0


if __name__ == "__main__":
    sys.exit(main())
