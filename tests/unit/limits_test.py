#!/usr/bin/env python3
"""docs/reference/limits.md lists the limits of the code, with the numbers of the code, and no others."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
PAGE = ROOT / "docs/reference/limits.md"

# The place of a limit in the code, and the start of its row.
LIMITS = {
    "src/observe/work_groups.cpp most_waves": "waves that run at the same time with `schedule: {groups: concurrent}`",
    "src/loader/launch/kernel_launch.cpp most_workgroups": "work-groups of a grid whose waves all run (`waves: all`)",
    "src/loader/text_file.hpp yaml_limit_bytes": "bytes of a YAML document, in a file or a stream of documents",
    "src/loader/text_file.hpp state_limit_bytes": "bytes of a state file (`--state`)",
    "src/loader/text_file.hpp file_limit_bytes": "bytes of a file of code or data, of a table of cases, or of scenarios except for `salu run`",
    "src/loader/yaml/yaml_tree.cpp longest_line_bytes": "bytes of a line of YAML",
    "src/loader/yaml/yaml_tree.cpp most_documents": "documents of a file, except for `salu run`",
    "src/loader/scenario/load_files.cpp most_documents": "documents of a file, except for `salu run`",
    "src/loader/yaml/yaml_tree_builder.cpp deepest_level": "levels of lists and maps in a document",
    "src/loader/yaml/yaml_tree_builder.cpp most_nodes": "values in a document",
    "src/loader/yaml/yaml_tree_builder.cpp most_weight": "bytes of the values and texts of a document, with an alias counted at each use",
    "src/loader/scenario/cases.hpp most_cells": "values in a table of cases, rows times columns",
    "src/loader/scenario/code_block.cpp most_blocks": "blocks of code",
    "src/loader/yaml/memory_blocks.cpp most_memory_blocks": "memory blocks",
    "src/loader/yaml/memory_blocks.hpp memory_content_limit_bytes": "bytes of the contents of all memory blocks",
    "src/loader/number.hpp most_bits": "bits of a number",
    "src/loader/line_reader.cpp longest_line_bytes": "bytes of a line of `salu dis --each-line`",
    "src/dap/framing.hpp most_message_bytes": "bytes of a message of the debug adapter",
    "src/dap/framing.hpp most_header_bytes": "bytes of the header of a message of the debug adapter",
    "src/dap/arguments.hpp deepest_json": "levels of nesting in a message of the debug adapter",
    "apps/salu/debug_dap.cpp most_silent_seconds": "seconds before a client on a port or a socket must begin a session",
    "apps/salu/debug.cpp longest": "bytes of a command of the debugger's console",
    "apps/salu/terminal_window.cpp most_window_places": "characters (rows times columns) of a window with the console",
    "src/debug/console.cpp longest": "bytes of a command of the debugger's console",
    "src/assembler/diagnostics.hpp most_errors": "reported errors of a text",
    "src/assembler/diagnostics.hpp most_remarks": "reported warnings of a text",
    "src/assembler/text_directives.cpp deepest_texts": "levels of nested macros, repetitions and included files",
    "src/assembler/text_directives.cpp most_included_bytes": "bytes of all included files, each counted as often as it is read",
    "src/assembler/expression.hpp most_worked_out": "evaluated parts of expressions of a text",
    "src/assembler/text_directives.cpp most_expanded_bytes": "bytes of all expanded macros, repetitions and included files",
    "src/assembler/sources.cpp most_named_expansions": "uses of macros named in a message",
    "src/loader/assembly/llvm_assembler.cpp most_seconds": "seconds for LLVM's assembler to assemble a text",
    "src/loader/assembly/llvm_assembler.cpp most_memory_bytes": "bytes of address space of LLVM's assembler",
    "src/loader/assembly/llvm_assembler.cpp most_llvm_errors": "reported errors of LLVM's assembler for a text",
    "src/assembler/expression.hpp deepest_nesting": ("Assembly", "levels of an expression"),
    "src/assembler/expression.hpp most_steps": "operators and operands of an expression",
    "src/assembler/operand_reader.cpp deepest_list": "levels of a list of registers",
    "src/assembler/expression.hpp deepest_definition": "names in a chain of definitions",
    "src/assembler/expression.cpp most_definitions": "definitions, other than plain numbers, used by one expression",
    "src/assembler/assembler.cpp most_symbols": "names, including predefined ones",
    "src/assembler/section_directives.cpp largest_power": "bytes of an alignment",
    "src/loader/objects/elf_image.cpp most_sections": "sections",
    "src/loader/objects/elf_image.cpp most_symbols": "symbols",
    "src/loader/objects/elf_image.cpp most_segments": "segments",
    "src/loader/objects/elf_image.cpp most_notes": "notes",
    "src/loader/objects/elf_image.cpp most_alignment_bytes": "bytes of the alignment of a section",
    "src/loader/objects/elf_image.cpp most_relocations": "relocations",
    "src/loader/objects/elf_image.cpp most_note_bytes": "bytes of all notes",
    "src/loader/objects/elf_image.cpp most_string_bytes": "bytes of the names of sections, symbols and relocations, each counted at each use",
    "src/loader/program/program_builder.cpp most_code_bytes": "bytes of the code and data of the objects of a program",
    "src/loader/objects/dwarf_lines.cpp most_uncompressed_bytes": "uncompressed bytes of compressed debugging information",
    "src/loader/objects/dwarf_lines.cpp most_rows": "rows of line tables, or the number of dwords of code if that is greater",
    "src/loader/objects/dwarf_lines.cpp most_name_bytes": "bytes of the names of the files of line tables, each with its folder",
    "src/loader/objects/line_table_size.hpp longest_path": "bytes of a file or folder name that is in another section",
    "src/loader/objects/dwarf_lines.cpp most_relocations_of_it": "relocations of debugging information",
    "src/loader/objects/dwarf_lines.cpp most_units": "units of debugging information",
    "src/loader/objects/dwarf_lines.cpp most_looks": "units of debugging information times line tables",
    "src/loader/launch/kernel_launch.cpp most_item_bytes": "bytes of scratch memory per work-item of a kernel",
    "src/loader/launch/kernel_launch.cpp most_offset": "bytes from the start of a work-group's scratch memory to that of a wave",
    "src/loader/launch/kernel_launch.cpp most_shared_bytes": "bytes of shared memory (LDS) of a work-group",
    "src/loader/objects/kernel_metadata.hpp deepest_metadata": "levels of a kernel's metadata",
    "src/loader/objects/kernel_metadata.hpp most_metadata_values": "values in a kernel's metadata",
    "src/loader/objects/kernel_metadata.hpp most_kernarg_bytes": "bytes of the kernarg segment",
    "src/output/trace_perfetto.cpp most_depth": "nested calls in a trace for Perfetto",
    "src/observe/stack_watch.cpp most_problems": "misuses of the control stack reported one by one",
    "src/observe/hazards/hazard_state.hpp most_of_an_event": "pending instructions of one kind, such as loads, in the check for hazards",
    "src/observe/races/race_detector.cpp most_accesses": "kept loads and stores of a dword in the check for races, in addition to two",
    "src/output/fidelity_report.cpp most_shown": "instructions or places named in a line of a fidelity report",
    "src/observe/undefined/origins.hpp most_links": "reported instructions that propagated an undefined value",
    "src/observe/undefined/outputs.cpp most_ranges": "ranges of memory with undefined bits listed in a warning",
    "src/debug/warning_reports.cpp most_lines": "warnings printed by the debugger at a stop",
    "src/output/state_text.cpp most_memory_rows": "rows of memory in a state in text format",
    "src/loader/scenario/check.cpp most_dwords_reported": "reported differing dwords of a memory block",
    "apps/salu/command_line.cpp most_jobs": "threads (`-j`)",
    "include/salu/suite.hpp most_failures": "failed rows of a table reported one by one",
    "src/suite/diagnosis.cpp most_traced_steps": "instructions of a run that is searched for the writer of a wrong value",
    "src/equiv/side.cpp longest_run": ("Comparisons of two programs", "instructions of a run"),
    "src/equiv/place.cpp most_memory_bytes": "bytes of memory as one input or output",
    "src/equiv/shrink.cpp most_runs": "runs to simplify an input",
    "src/equiv/parting.cpp most_steps_kept": "steps searched for the first difference between two runs",
    "src/equiv/discovery.cpp most_steps_watched": "steps of a run that are analysed to find inputs and results",
    "src/support/combinations.hpp limit": "states of `salu sweep`, combinations of `salu equiv --exhaustive`",
    "include/salu/sweep.hpp most_histogram_values": "different values in a histogram of `salu sweep`",
    "src/loader/columns/npy_header.hpp most_npy_header_bytes": "bytes of the header of an array (.npy)",
    "src/loader/columns/npy_file.cpp most_npy_columns": "columns of an array",
    "src/page/wave_data.cpp most_lines": "instructions in the listing",
    "src/page/timeline.hpp most_columns": "columns of the time line",
    "src/page/wave_data.cpp most_register_points": "points of the registers in the time lines",
    "src/page/recording.hpp most_single_forks": "forks drawn one by one",
    "src/page/recording.hpp most_merged_forks": "groups of forks",
    "src/page/wave_data.cpp most_warnings": "warnings",
    "src/page/waves_recording.hpp most_waves": "recorded waves of a run of several",
    "src/page/waves_recording.cpp most_barriers": "marked barriers of a wave",
    "src/page/waves_recording.cpp most_unrecorded_warnings": "warnings of waves that are not recorded",
    "src/page/window_data.cpp most_window_steps": "steps of a long run shown one by one",
    "src/page/window_data.cpp most_findings": "findings whose steps are shown one by one",
    "src/page/window_data.cpp most_forks": "forks whose steps are shown one by one",
    "src/page/final_data.cpp most_memory_words": "dwords of memory",
    "src/page/last_writes.hpp most_memory_dwords": "dwords of memory with a recorded last write",
    "src/page/source_data.cpp most_source_lines": "lines of source",
    "src/expr/expression_parser.cpp deepest": ("The debugger", "levels of an expression"),
    "src/expr/expression_parser.cpp most_operators": "operators of an expression",
    "src/debug/session.cpp most_breakpoints": "breakpoints and watchpoints at a time",
    "src/debug/displays.hpp most_displays": "expressions that `display` shows at every stop",
    "src/dap/launch.cpp most_mebibytes": "`--history-memory`",
    "apps/salu/debug.cpp most_mebibytes": "`--history-memory`",
    "src/debug/fork_log.cpp most_events": "stored forks and joins",
    "src/debug/call_stack.hpp most_unwound": "calls ended by one jump",
    "src/debug/verbs_history.cpp limit": "values requested from `history`",
    "src/debug/verbs_history.cpp most_shown": "instructions requested from `why` in the console",
    "apps/salu/why.cpp most_links": "instructions requested from `salu why` (`--links`)",
    "apps/salu/history_file.cpp most_lines": "commands of the console stored for its next run",
    "src/capi/failure.hpp most_levels": "levels of nested callbacks of the C API",
    "src/debug/verbs_scripts.cpp deepest": "levels of nested command files (`source`) and commands of breakpoints",
    "src/dap/views.hpp most_variables": "variables in one answer of the debug adapter",
    "src/dap/disassembly.hpp most_disassembled": "instructions of one disassembly by the debug adapter",
    "src/dap/requests_memory.cpp most_read": "bytes of one read of memory by the debug adapter",
    "src/dap/requests_memory.cpp most_written": "bytes of one write of memory by the debug adapter",
    "src/proof/instruction_step.hpp most_places": "possible addresses of a scalar access",
    "src/proof/lane_memory_step.cpp most_places_of_lane": "possible addresses of an access by a lane",
    "src/equiv/covering.cpp most_visits": "iterations of a loop searched for an input that changes the direction of a branch (`--cover`)",
    "src/equiv/proving.cpp most_bits_to_try": "total bits of inputs of which all values are tried",
}

# Limits without a constant: a pattern with the number, and the row.
DEFAULTS = {
    ("src/assembler/assembler.hpp", r"most_words = ([^;]+);"): ("bytes of the code and data of a text", 4),
    ("include/salu/run.hpp", r"max_steps = ([^;]+);"): ("instructions of a run, without `limits:` and `--max-steps`", 1),
    ("include/salu/run.hpp", r"max_memory_bytes = ([^;]+);"): ("bytes of memory of a run, without `limits:` and `--max-memory`", 1),
    ("include/salu/equivalence.hpp", r"max_steps = ([^;]+);"): ("instructions of a run, without `--max-steps`", 1),
    ("include/salu/proof.hpp", r"rounds = ([1-9][^;]*);"): ("iterations of a loop whose count depends on the inputs, without `--rounds`", 1),
    ("include/salu/proof.hpp", r"memory_mib = ([^;]+);"): ("MiB for the formulas, and for each solver, without `--memory`", 1),
    ("src/proof/execution.hpp", r"steps = ([^;]+);"): ("symbolically executed instructions on all paths", 1),
    ("src/output/trace.cpp", r"default_trace_limit.*: ([0-9']+);"): ("records of a trace, without `--trace-limit`", 1),
    ("src/output/trace.cpp", r"default_trace_limit.*\? ([0-9']+) :"): ("records of a trace for Perfetto", 1),
}

# Limits that users do not notice: they change the format or speed of something, or the length of a quotation in a
# message.
INTERNAL = {
    "src/core/scheduler.hpp most_random_turns", "src/observe/past.cpp most_kept", "src/observe/work_groups.cpp most_listed", "src/suite/schedules.cpp longest_slice",
    "apps/salu/test.cpp most_links", "src/support/file_identity.cpp most_links", "src/support/replace_file.cpp most_links",
    "src/proof/rewriting_numbers.cpp most_parts_in_sums", "src/proof/rewriting_numbers.cpp most_products", "src/proof/solvers.cpp most_output_bytes",
    "src/equiv/proving.cpp most_seconds", "src/proof/rewriting_numbers.cpp most_factors", "src/proof/terms.hpp deepest", "src/proof/terms.hpp deepest_slice",
    "apps/salu/prove.cpp most_mib", "src/proof/solvers.cpp most_seconds", "src/proof/solvers.cpp most_bytes", "src/support/process.cpp most_seconds", "src/support/process.cpp most_noted",
    "src/equiv/many_pairs.hpp most_parts", "src/loader/columns/npy_header.cpp most_padding", "src/loader/columns/npy_header.cpp deepest_literal", "src/batch/batch.cpp most_row_bytes", "src/batch/batch.cpp most_width",
    "src/batch/code_walk.cpp most_instructions", "src/batch/plan.cpp most_blocks", "src/batch/plan.cpp most_rows",
    "src/page/wave_data.cpp most_instructions_per_column", "src/page/waves_recording.cpp most_named", "src/page/fork_tree.hpp most_remarks", "src/page/listing.hpp most_targets",
    "src/page/recording.cpp most_located", "src/page/recording.cpp most_looked_at", "src/page/source_data.cpp most_source_gap", "src/dap/sources.cpp most_listed",
    "src/dap/views.cpp most_instructions", "src/dap/views.cpp most_indexed", "src/debug/console_output.cpp longest",
    "src/debug/checkpoints.cpp most_checkpoints", "src/debug/misuse_reports.cpp most_instructions", "src/isa/register_names.cpp most_dwords",
    "src/observe/observed_run.cpp most_known", "src/suite/suite.cpp most_rows_at_once", "src/output/state_yaml.cpp most_bytes_as_words",
    "src/equiv/code_map.cpp most_dwords", "src/loader/objects/llvm_mc_disassembler.cpp most_llvm_mc_failures", "src/equiv/output_chooser.cpp most_disagreement", "src/equiv/deadline.hpp most_seconds",
    "src/equiv/discovery.hpp most_results", "src/assembler/mnemonics.cpp longest_mnemonic", "src/assembler/expression.cpp longest", "src/assembler/modifiers.cpp most_bits", "src/assembler/modifiers.cpp longest", "src/assembler/kernel_block.cpp most_vgprs",
    "src/assembler/kernel_block.cpp most_unified_vgprs", "src/assembler/kernel_block.cpp most_user_sgprs",
    "src/assembler/operand_reader.cpp most_registers",
    "src/assembler/sources.cpp longest_source_line", "src/loader/assembly/llvm_assembler.cpp most_error_bytes", "src/support/names.cpp longest_quote",
    "src/support/nearest.cpp longest_name", "src/core/code_cache.cpp most_kept", "src/core/micro_op.hpp most_literals", "src/core/predecode.cpp longest_block", "src/loader/program/code_files.cpp most_digits",
    "src/loader/scenario/one_scenario.cpp most_listed", "src/loader/yaml/reader.cpp most_compared", "src/loader/text_file.cpp longest",
    "src/loader/launch/bare_kernel.cpp largest_number", "src/core/state.cpp most_registers", "src/observe/event_text.cpp most_values",
    "src/observe/event_text.cpp most_dwords", "src/loader/scenario/registers.cpp most_registers_at_once",
    "src/loader/launch/kernel_descriptor.cpp most_user_sgprs", "apps/salu/debug_dap.cpp most_milliseconds",
    "apps/salu/history_file.cpp most_bytes", "apps/salu/history_file.cpp longest_line", "src/debug/completion.cpp most_bytes",
    "src/debug/layout.cpp most_instructions", "src/debug/checkpoints.cpp most_near",
    "src/observe/hazards/hazard_watch.cpp most_kept_states", "src/observe/hazards/hazard_watch.cpp most_kept", "src/loader/objects/other_files.cpp longest_name", "src/observe/hazards/hazard_watch.cpp longest_stretch",
    "src/observe/undefined/follower.cpp most_at_once", "src/observe/undefined/shadow_block.cpp longest", "src/observe/observed_run.cpp longest", "src/observe/hazards/hazard_reach.cpp most_visited",
    "src/observe/hazards/hazard_reach.cpp most_words", "src/observe/undefined/word.hpp most_questions", "src/observe/undefined/lane_step.cpp most_pieces", "src/exec/memory_step.hpp most_pieces",
    "src/observe/whole_wave.cpp longest", "src/observe/races/race_watch.cpp most_pieces", "src/observe/races/race_watch.cpp most_atomic_dwords",
    "src/observe/undefined/word.hpp most_ways", "src/debug/why_place.cpp most_dwords", "src/debug/why_text.cpp most_runs", "src/debug/why_text.cpp most_written",
    "src/observe/why/control_flow.cpp most_dwords_of_code", "src/observe/why/bits_text.cpp most_ranges",
    "src/observe/why/probe.cpp most_exact_lanes", "src/observe/why/why.cpp largest_window", "src/suite/diagnosis.cpp most_chains",
    "src/suite/diagnosis.cpp most_links",
    "apps/salu/exit_codes.hpp limit", "apps/salu/line_editor.cpp longest", "src/support/replace_file.cpp most_tries", "apps/salu/debug_dap.cpp most_queued_bytes", "apps/salu/debug_dap.cpp most_reads",
}

LIMIT = re.compile(r"constexpr [\w:<>]+ ((?:most_|longest|deepest|largest)\w*|limit|\w+_limit_bytes) = ([^;]+);")


def value_of(expression, known):
    """A constant expression of C++ with known names."""
    expression = re.sub(r"(?:std::)?(?:size_t|u64|u32|i64)\{(\d+)\}", r"\1", expression).replace("'", "")
    return eval(expression, {"__builtins__": {}}, known)  # pylint: disable=eval-used


def spellings(value):
    result = {f"{value:,}"}
    if value % (1 << 20) == 0:
        result.add(f"{value >> 20:,} MiB")
    if value & (value - 1) == 0:
        result.add(f"2^{value.bit_length() - 1}")
    return result


def rows_of(page):
    rows = {}
    heading = ""
    for line in page.splitlines():
        if line.startswith("## "):
            heading = line[3:]
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 3 and cells[0] not in ("quantity", "---"):
            rows[heading, cells[0]] = cells[1]
    return rows


def main():
    wrong = []
    rows = rows_of(PAGE.read_text())
    seen = set()

    def compare(where, row, value):
        found = [key for key in rows if key == row or key[1] == row]
        if len(found) != 1:
            wrong.append(f"{where}: expected one row `{row}`, found {len(found)}")
            return
        seen.add(found[0])
        number = rows[found[0]]
        if not any(re.match(re.escape(spelling) + r"(?![\d,])", number) for spelling in spellings(value)):
            wrong.append(f"{where} is {value:,}, and `{row}` has {number}")

    found = set()
    known = {}
    paths = sorted(path for folder in ("src", "apps", "include") for ending in ("hpp", "cpp") for path in (ROOT / folder).rglob(f"*.{ending}"))
    for path in sorted(paths, key=lambda path: path.suffix == ".cpp"):
        for name, expression in LIMIT.findall(path.read_text()):
            where = f"{path.relative_to(ROOT).as_posix()} {name}"
            if where in INTERNAL:
                found.add(where)
                continue
            if where not in LIMITS:
                wrong.append(f"{where} is a limit that {PAGE.name} does not have, nor {pathlib.Path(__file__).name} as internal")
                continue
            found.add(where)
            value = value_of(expression, known)
            if path.suffix == ".hpp":
                known[name] = value
            compare(where, LIMITS[where], 1 << value if name == "largest_power" else value)
    for (file, pattern), (row, unit) in DEFAULTS.items():
        match = re.search(pattern, (ROOT / file).read_text())
        if match is None:
            wrong.append(f"{file} has no `{pattern}`")
        else:
            compare(file, row, value_of(match[1], known) * unit)
    wrong += [f"there is no {where}" for where in sorted((LIMITS.keys() | INTERNAL) - found)]
    wrong += [f"nothing keeps `{row}` of {heading} true" for heading, row in sorted(rows.keys() - seen)]
    print("\n".join(wrong) if wrong else f"{len(rows)} limits")
    return 1 if wrong or len(rows) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
