#!/usr/bin/env python3
"""The properties of instructions are in their rows: outside src/isa and src/assembler no code names an instruction,
except the idioms below."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ.get("SALU_SOURCE_DIR", pathlib.Path(__file__).parents[2]))

# By file: the instructions that it may name, and the reason.
IDIOMS = {
    "src/core/handlers.hpp": ("s_setreg_imm32_b32", "its second dword is never optional"),
    "src/core/vector/allocated.cpp": ("v_nop", "takes the place of an ignored instruction"),
    "src/debug/saved_masks.cpp": ("s_mov_b64 s_or_b64", "compilers restore EXEC and collect lanes of loops with them"),
    "src/equiv/reproducer.cpp": ("s_endpgm", "is appended to code"),
    "src/batch/plan.cpp": ("s_cbranch_execz s_mov_b32", "decided while EXEC is known; copies rows"),
    "src/loader/launch/private_memory.cpp": ("s_add_u32 s_addc_u32", "LLVM adds the offset of the wave with them"),
    "src/loader/objects/listing.cpp": ("s_getpc_b64 s_add_u32", "LLVM takes addresses relative to the PC with them"),
    "src/loader/scenario/assumptions.cpp": ("s_barrier s_sendmsg", "depends on the work-group; has replies"),
    "src/observe/fork_event.cpp": ("s_cbranch_g_fork s_cbranch_join", "their functions predict a fork and a join"),
    "src/observe/hazards/hazard_facts.cpp": ("s_icache_inv s_nop", "each has its own hazard rule"),
    "src/observe/hazards/hazard_table.cpp": ("s_dcache_wb", "is the advice of a warning"),
    "src/observe/register_flow.cpp": ("s_mov_b64", "sets EXEC to -1"),
    "src/observe/whole_wave.cpp": ("s_mov_b64 s_not_b64", "LLVM sets and restores EXEC with them"),
}
# Lists that only affect the speed of instructions.
OF_SPEED = {"src/core/fused_handlers.def", "src/batch/row_loops.inc"}
SEEN_AT_LEAST = 600  # instructions


def instructions():
    rows = [path for folder in ("instructions", "vector/instructions") for path in (ROOT / "src/isa" / folder).glob("*.def")]
    return {name for path in rows for name in re.findall(r"^SALU_\w+\((\w+),", path.read_text(), re.M)}


def names_in(text):
    """The words of code, and its string literals that are a single word."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r'"((?:[^"\\\n]|\\.)*)"', lambda match: match.group(1) if re.fullmatch(r"\w+", match.group(1)) else "", text)
    return set(re.findall(r"\w+", text))


def main():
    all_names = instructions()
    faults = [] if len(all_names) >= SEEN_AT_LEAST else [f"the rows have {len(all_names)} instructions"]
    for path in sorted((ROOT / "src").rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix not in (".cpp", ".hpp", ".inc", ".def") or name.startswith(("src/isa/", "src/assembler/")) or name in OF_SPEED:
            continue
        found = names_in(path.read_text()) & all_names
        allowed = set(IDIOMS.get(name, ("",))[0].split())
        faults += [f"{name} names {each}: make the property that it tests one of the row" for each in sorted(found - allowed)]
        faults += [f"{name} does not name {each} any more" for each in sorted(allowed - found)]
    faults += [f"{name} does not exist" for name in sorted(IDIOMS.keys() | OF_SPEED) if not (ROOT / name).exists()]
    print("\n".join(faults) if faults else f"{len(IDIOMS)} files name instructions, for a reason each")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
