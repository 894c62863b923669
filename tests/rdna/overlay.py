#!/usr/bin/env python3
"""Copies the tables of src/isa and include/salu, and adds two generations of RDNA: rdna1 (gfx1010) and rdna3 (gfx1100).

overlay.py --list            prints the files, as a CMake list
overlay.py SOURCE TARGET     writes the copies to TARGET

Operand codes, counters and opcodes are from LLVM 19. Only the fields that the tests use are correct; the others are
from GFX9. Only a few instructions have opcodes.
"""

import pathlib
import sys

ROW = """
SALU_GENERATION({name}, .name = "{name}", .processor = "{processor}", .family = Family::rdna, .column = {name}, .gfx = {gfx},
                .wave_size = 32, .instruction_dwords = 5,
                .operands = {{{operands}}},
                .mode = {{.fp_round = {{0, 4}}, .fp_denorm = {{4, 4}}, .dx10_clamp = {{8, 1}}, .ieee = {{9, 1}},
                         .debug_en = {{11, 1}}, .excp_en = {{12, 9}}, .gpr_idx_en = {{}}, .vskip = {{}}, .csp = {{}}}},
                .status = gcn::status, .waits = {{{waits}}},
                .sgprs = 106, .sgpr_block = 106, .address_bits = 48, .first_ttmp = 108, .ttmps = 16, .flat_scratch = 0,
                .ttmps_need_priv = true, .has_xnack_mask = false, .trap_addresses_are_operands = false,
                .ib_sts_is_writable = false, .has_aperture_operands = true, .has_inverse_two_pi = true,
                .scalar_memory = ScalarMemory::smem_gfx10, .vector_encoding = VectorEncoding::gfx10,
                .has_flat = true, .has_vintrp = true, .has_mimg = true, .sdwa_names_sdst = true,
                .shared_aperture = 0x1'0000, .private_aperture = 0x2'0000, .flat_scratch_init_is_address = true,
                .buffer_has_element_size = false, .data_format_extends_stride = true,
                .preloads_arguments = false, .has_architected_flat_scratch = false,
                .packs_work_item_ids = false, .has_accumulators = false)
"""
ROWS = ROW.format(
    name="rdna1", processor="gfx1010", gfx=10,
    operands=".vcc = 106, .m0 = 124, .null = 125, .exec = 126, .vccz = 251, .execz = 252, .scc = 253",
    waits=".vmcnt = {0, 4}, .vmcnt_high = {14, 2}, .expcnt = {4, 3}, .lgkmcnt = {8, 6}") + ROW.format(
    name="rdna3", processor="gfx1100", gfx=11,
    operands=".vcc = 106, .m0 = 125, .null = 124, .exec = 126, .vccz = 0, .execz = 0, .scc = 253",
    waits=".vmcnt = {10, 6}, .vmcnt_high = {}, .expcnt = {0, 3}, .lgkmcnt = {4, 6}")

COLUMNS = """
constexpr Opcodes rdna1(i16 n) { return in(generations::only(Generation::rdna1), n); }
constexpr Opcodes rdna3(i16 n) { return in(generations::only(Generation::rdna3), n); }
"""

INSTRUCTIONS = "src/isa/instructions/"
# For each file: pairs of a text, which must occur exactly once, and its replacement.
EDITS = {
    "include/salu/generations.def": [(None, ROWS)],
    "src/isa/target.cpp": [
        ('    {"gfx9-generic",',
         '    {"gfx1010", "", rdna1, 0x33, false},\n    {"gfx1100", "", rdna3, 0x41, false},\n    {"gfx9-generic",')],
    "src/isa/rows.hpp": [("/// The numbers of both columns.\n", COLUMNS + "/// The numbers of both columns.\n")],
    "src/isa/hwreg.cpp": [
        ("constexpr std::array<HwregInfo, 24>",
         "constexpr GenerationSet rdna = only(Generation::rdna1) | only(Generation::rdna3);\n"
         "constexpr std::array<HwregInfo, 25>"),
        ('{"MODE", 1, all,', '{"FLAT_SCR_LO", 20, rdna, HwregAccess::read_write, true},\n    {"MODE", 1, all | rdna,'),
        ('{"TBA_LO", 16, from_gcn1_4,', '{"TBA_LO", 16, from_gcn1_4 | only(Generation::rdna1),')],
    INSTRUCTIONS + "sop1.def": [("(s_mov_b32, opc(3, 0)", "(s_mov_b32, opc(3, 0) | rdna1(3) | rdna3(0)"),
                                ("(s_mov_b64, opc(4, 1)", "(s_mov_b64, opc(4, 1) | rdna1(4) | rdna3(1)")],
    INSTRUCTIONS + "sop2.def": [("(s_add_u32, all(0)", "(s_add_u32, all(0) | rdna1(0) | rdna3(0)")],
    INSTRUCTIONS + "sopk.def": [("(s_getreg_b32, opc(18, 17)", "(s_getreg_b32, opc(18, 17) | rdna1(18) | rdna3(17)")],
    INSTRUCTIONS + "sopp.def": [("(s_endpgm, all(1)", "(s_endpgm, all(1) | rdna1(1) | rdna3(48)"),
                                ("(s_waitcnt, all(12)", "(s_waitcnt, all(12) | rdna1(12) | rdna3(9)")],
    INSTRUCTIONS + "smem.def": [("(s_load_dword, from_gcn1_2(0)", "(s_load_dword, from_gcn1_2(0) | rdna1(0)")],
}


def edited(path, text):
    for old, new in EDITS[path]:
        if old is None:
            text += new
            continue
        if text.count(old) != 1:
            sys.exit(f"{path}: `{old}` occurs {text.count(old)} times, not once; update EDITS in tests/rdna/overlay.py")
        text = text.replace(old, new)
    return text


def main():
    if sys.argv[1:] == ["--list"]:
        print(";".join(EDITS))
        return
    source, target = (pathlib.Path(argument) for argument in sys.argv[1:])
    for path in EDITS:
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(edited(path, (source / path).read_text(encoding="utf-8")), encoding="utf-8")


main()
