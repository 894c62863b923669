#!/usr/bin/env python3
"""Information about a run is passed between modules as data: code never parses the texts of events, mismatches, stops
and warnings, which are for users."""
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["SALU_SOURCE_DIR"])

# The functions that create texts of events, and the names of variables for such texts.
TEXT = (r"(?:(?:instruction|reads|writes|note|stack|warnings)_text\([^()]*\)|(?<![\w.])(?:note|reads|writes|effects)"
        r"|\.(?:note|instruction|reads|writes|effects|detail|what|expected|actual))")
LOOKS_INTO = r"""\s*(?:\.(?:starts_with|ends_with|contains|find\w*|rfind|substr|compare)\(|[!=]=\s*")"""
READS_A_TEXT = re.compile(TEXT + LOOKS_INTO)

CAUGHT = [
    'event.note.starts_with("fork: ")',
    "append_quoted(text_, event.note.substr(6));",
    "event.instruction.substr(0, event.instruction.find(' '))",
    "const std::size_t found = note.find(name);",
    "mismatch.what.starts_with(memory_prefix)",
    'mismatch.what == "stop"',
    'warning.detail.contains("SDST")',
    "instruction_text(event).starts_with('<')",
]
LET_THROUGH = [
    "event.instruction->encoding == isa::EncodingClass::vector",
    "if (!event.warnings.empty()) return note_text(event);",
    "mismatch.kind != Mismatch::Kind::stop",
    "left.written == right.written",
]


def main():
    wrong = [f"not caught: {line}" for line in CAUGHT if not READS_A_TEXT.search(line)]
    wrong += [f"caught: {line}" for line in LET_THROUGH if READS_A_TEXT.search(line)]
    files = [path for top in ("src", "apps") for path in sorted((SOURCE / top).rglob("*.[ch]pp"))]
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if READS_A_TEXT.search(line.split("//")[0]):
                place = f"{path.relative_to(SOURCE)}:{number}"
                wrong.append(f"{place}: reads a text that was made for people: {line.strip()}")
    print("\n".join(wrong) if wrong else f"{len(files)} files read no texts of events")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
