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
    "src/loader/launch/kernel_launch.cpp most_workgroups": "work-groups of a grid whose waves all run (`waves: all`)",
    "src/loader/text_file.hpp yaml_limit_bytes": "bytes of a document of YAML, in a file or a stream of them",
    "src/loader/text_file.hpp state_limit_bytes": "bytes of a state file (`--state`)",
    "src/loader/text_file.hpp file_limit_bytes": "bytes of a file of code or data, of a table of cases, of scenarios but for `salu run`",
    "src/loader/yaml/yaml_tree.cpp longest_line_bytes": "bytes of a line of YAML",
    "src/loader/yaml/yaml_tree.cpp most_documents": "documents of a file, but for `salu run`",
    "src/loader/scenario/load_files.cpp most_documents": "documents of a file, but for `salu run`",
    "src/loader/yaml/yaml_tree_builder.cpp deepest_level": "levels of lists and maps in a document",
    "src/loader/yaml/yaml_tree_builder.cpp most_nodes": "values in a document",
    "src/loader/yaml/yaml_tree_builder.cpp most_weight": "values and text of a document, aliases counted as often as they are used",
    "src/loader/scenario/cases.hpp most_cells": "values in a table of cases, rows times columns",
    "src/loader/scenario/code_block.cpp most_blocks": "blocks of code",
    "src/loader/yaml/memory_blocks.cpp most_memory_blocks": "memory blocks",
    "src/loader/yaml/memory_blocks.hpp memory_content_limit_bytes": "contents of all memory blocks",
    "src/loader/number.hpp most_bits": "bits of a number",
    "src/loader/line_reader.cpp longest_line_bytes": "bytes of a line of `salu dis --each-line`",
    "src/dap/framing.hpp most_message_bytes": "message of the debug adapter",
    "src/dap/framing.hpp most_header_bytes": "header of such a message",
    "src/dap/arguments.hpp deepest_json": "levels of such a message",
    "apps/salu/debug_dap.cpp most_silent_seconds": "seconds until a client on a port or a socket begins a session",
    "apps/salu/debug.cpp longest": "bytes of a command of the debugger's console",
    "apps/salu/terminal_window.cpp most_window_places": "rows times columns of a window with the console",
    "src/debug/console.cpp longest": "bytes of a command of the debugger's console",
    "src/assembler/diagnostics.hpp most_errors": "errors that are told of a text",
    "src/assembler/diagnostics.hpp most_remarks": "warnings that are told of a text",
    "src/assembler/text_directives.cpp deepest_texts": "macros, repetitions and included files within each other",
    "src/assembler/text_directives.cpp most_included_bytes": "files that assembly includes, in all, as often as each is read",
    "src/assembler/expression.hpp most_worked_out": "parts of expressions of an assembly that are worked out",
    "src/assembler/text_directives.cpp most_expanded_bytes": "macros, repetitions and included files, in all",
    "src/assembler/sources.cpp most_named_expansions": "places where a macro is used that a message names",
    "src/loader/assembly/llvm_assembler.cpp most_seconds": "seconds that LLVM's assembler takes for a text",
    "src/loader/assembly/llvm_assembler.cpp most_memory_bytes": "bytes of address space that it takes for one",
    "src/loader/assembly/llvm_assembler.cpp most_llvm_errors": "errors of LLVM's assembler that are told of a text",
    "src/assembler/expression.hpp deepest_nesting": ("Assembly", "levels of an expression"),
    "src/assembler/expression.hpp most_steps": "operators and operands of an expression",
    "src/assembler/operand_reader.cpp deepest_list": "levels of a list of registers",
    "src/assembler/expression.hpp deepest_definition": "names that a definition goes through",
    "src/assembler/expression.cpp most_definitions": "definitions other than plain numbers that one expression needs",
    "src/assembler/assembler.cpp most_symbols": "names, those that are known from the start among them",
    "src/assembler/section_directives.cpp largest_power": "alignment",
    "src/loader/objects/elf_image.cpp most_sections": "sections",
    "src/loader/objects/elf_image.cpp most_symbols": "symbols",
    "src/loader/objects/elf_image.cpp most_segments": "segments",
    "src/loader/objects/elf_image.cpp most_notes": "notes",
    "src/loader/objects/elf_image.cpp most_alignment_bytes": "alignment of a section",
    "src/loader/objects/elf_image.cpp most_relocations": "relocations",
    "src/loader/objects/elf_image.cpp most_note_bytes": "bytes of all notes",
    "src/loader/objects/elf_image.cpp most_string_bytes": "names of sections, symbols and relocations, each as often as it is used",
    "src/loader/program/program_builder.cpp most_code_bytes": "code and data of the objects of a program",
    "src/loader/objects/dwarf_lines.cpp most_uncompressed_bytes": "debugging information that is compressed in the object",
    "src/loader/objects/dwarf_lines.cpp most_rows": "rows of line tables, or the dwords of code where these are more",
    "src/loader/objects/dwarf_lines.cpp most_name_bytes": "names of the files of line tables, each with its folder",
    "src/loader/objects/line_table_size.hpp longest_path": "bytes of such a name, or a folder's, that lies in another section",
    "src/loader/objects/dwarf_lines.cpp most_relocations_of_it": "relocations of debugging information",
    "src/loader/objects/dwarf_lines.cpp most_units": "units of debugging information",
    "src/loader/objects/dwarf_lines.cpp most_looks": "units of debugging information times line tables",
    "src/loader/launch/kernel_launch.cpp most_item_bytes": "bytes of scratch of a kernel for a work-item",
    "src/loader/launch/kernel_launch.cpp most_offset": "offset of a wave's scratch in that of its work-group, in bytes",
    "src/loader/launch/kernel_launch.cpp most_shared_bytes": "bytes of shared memory (LDS) of a work-group",
    "src/loader/objects/kernel_metadata.hpp deepest_metadata": "levels of a kernel's metadata",
    "src/loader/objects/kernel_metadata.hpp most_metadata_values": "values in a kernel's metadata",
    "src/loader/objects/kernel_metadata.hpp most_kernarg_bytes": "kernarg segment",
    "src/output/trace_perfetto.cpp most_depth": "nested calls that a trace for Perfetto draws",
    "src/observe/stack_watch.cpp most_problems": "misuses of the control stack that are told one by one",
    "src/observe/hazards/hazard_state.hpp most_of_an_event": "instructions of a kind, such as loads, that a look for hazards remembers at a time",
    "src/output/fidelity_report.cpp most_shown": "instructions or places that the line of a report on fidelity names",
    "src/observe/undefined/origins.hpp most_links": "instructions on the way of an undefined value that are told",
    "src/observe/undefined/outputs.cpp most_ranges": "ranges of memory with undefined bits that a warning lists",
    "src/debug/warning_reports.cpp most_lines": "warnings that the debugger prints at a stop",
    "src/output/state_text.cpp most_memory_rows": "rows of memory in a state as text",
    "src/loader/scenario/check.cpp most_dwords_reported": "differing dwords that are reported for a memory block",
    "apps/salu/command_line.cpp most_jobs": "threads (`-j`)",
    "include/salu/suite.hpp most_failures": "failed rows of a table that are told one by one",
    "src/suite/diagnosis.cpp most_traced_steps": "instructions of a run that is asked who wrote a wrong value",
    "src/equiv/side.cpp longest_run": ("Comparisons of two programs", "instructions of a run"),
    "src/equiv/place.cpp most_memory_bytes": "bytes of memory as one input or output",
    "src/equiv/shrink.cpp most_runs": "runs that make an input simpler",
    "src/equiv/parting.cpp most_steps_kept": "steps in which the place where runs part is looked for",
    "src/equiv/discovery.cpp most_steps_watched": "steps of the run that inputs and results are guessed from",
    "src/support/combinations.hpp limit": "states of `salu sweep`, combinations of `salu equiv --exhaustive`",
    "include/salu/sweep.hpp most_histogram_values": "different values in a histogram of `salu sweep`",
    "src/loader/columns/npy_header.hpp most_npy_header_bytes": "bytes of the header of an array (.npy)",
    "src/loader/columns/npy_file.cpp most_npy_columns": "columns of an array",
    "src/page/page_data.cpp most_lines": "instructions in the listing",
    "src/page/timeline.hpp most_columns": "columns of the time line",
    "src/page/page_data.cpp most_register_points": "points of the registers over time",
    "src/page/recording.hpp most_single_forks": "forks that are drawn one by one",
    "src/page/recording.hpp most_merged_forks": "forks that are drawn together",
    "src/page/page_data.cpp most_warnings": "warnings",
    "src/page/window_data.cpp most_window_steps": "single steps of a long run",
    "src/page/window_data.cpp most_findings": "findings with single steps around them",
    "src/page/window_data.cpp most_forks": "forks with single steps around them",
    "src/page/final_data.cpp most_memory_words": "dwords of memory",
    "src/page/last_writes.hpp most_memory_dwords": "dwords of memory whose last write is known",
    "src/page/source_data.cpp most_source_lines": "lines of source",
    "src/expr/expression_parser.cpp deepest": ("The debugger", "levels of an expression"),
    "src/expr/expression_parser.cpp most_operators": "operators of an expression",
    "src/debug/session.cpp most_breakpoints": "breakpoints and watchpoints at a time",
    "src/debug/displays.hpp most_displays": "expressions that `display` shows at every stop",
    "src/dap/launch.cpp most_mebibytes": "`--history-memory`",
    "apps/salu/debug.cpp most_mebibytes": "`--history-memory`",
    "src/debug/fork_log.cpp most_events": "forks and joins that are kept",
    "src/debug/call_stack.hpp most_unwound": "calls that one jump ends",
    "src/debug/verbs_history.cpp limit": "values that `history` is asked for",
    "src/debug/verbs_history.cpp most_shown": "instructions that `why` in the console is asked for",
    "apps/salu/why.cpp most_links": "instructions that `salu why` is asked for (`--links`)",
    "apps/salu/history_file.cpp most_lines": "commands of the console that are kept for its next run",
    "src/capi/failure.hpp most_levels": "callbacks of the C API within each other",
    "src/debug/verbs_scripts.cpp deepest": "files of commands (`source`) and commands of breakpoints within each other",
    "src/dap/views.hpp most_variables": "variables in one answer of the adapter",
    "src/dap/disassembly.hpp most_disassembled": "instructions of one disassembly by the adapter",
    "src/dap/requests_memory.cpp most_read": "bytes of one read of memory by the adapter",
    "src/dap/requests_memory.cpp most_written": "bytes of one write of memory by the adapter",
    "src/proof/instruction_step.hpp most_places": "places that a scalar access may lead to",
    "src/proof/lane_memory_step.cpp most_places_of_lane": "places that a lane's access may lead to",
    "src/equiv/covering.cpp most_visits": "rounds of a loop in which a case is looked for that turns a branch (`--cover`)",
    "src/equiv/proving.cpp most_bits_to_try": "bits of all inputs together that are tried one and all",
}

# Limits without a constant: a pattern with the number, and the row.
DEFAULTS = {
    ("src/assembler/assembler.hpp", r"most_words = ([^;]+);"): ("code and data of a text", 4),
    ("include/salu/run.hpp", r"max_steps = ([^;]+);"): ("instructions of a run, without `limits:` and `--max-steps`", 1),
    ("include/salu/run.hpp", r"max_memory_bytes = ([^;]+);"): ("memory of a run, without `limits:` and `--max-memory`", 1),
    ("include/salu/equivalence.hpp", r"max_steps = ([^;]+);"): ("instructions of a run, without `--max-steps`", 1),
    ("include/salu/proof.hpp", r"rounds = ([1-9][^;]*);"): ("rounds of a loop whose end the inputs decide, without `--rounds`", 1),
    ("include/salu/proof.hpp", r"memory_mib = ([^;]+);"): ("MiB for the formulas, and for each solver, without `--memory`", 1),
    ("src/proof/execution.hpp", r"steps = ([^;]+);"): ("instructions that are followed, on all ways together", 1),
    ("src/output/trace.cpp", r"default_trace_limit.*: ([0-9']+);"): ("records of a trace, without `--trace-limit`", 1),
    ("src/output/trace.cpp", r"default_trace_limit.*\? ([0-9']+) :"): ("records of a trace for Perfetto", 1),
}

# Limits that users do not notice: they change the format or speed of something, or the length of a quotation in a
# message.
INTERNAL = {
    "apps/salu/test.cpp most_links", "src/support/file_identity.cpp most_links", "src/support/replace_file.cpp most_links",
    "src/proof/rewriting_numbers.cpp most_parts_in_sums", "src/proof/rewriting_numbers.cpp most_products", "src/proof/solvers.cpp most_output_bytes",
    "src/equiv/proving.cpp most_seconds", "src/proof/rewriting_numbers.cpp most_factors", "src/proof/terms.hpp deepest", "src/proof/terms.hpp deepest_slice",
    "apps/salu/prove.cpp most_mib", "src/proof/solvers.cpp most_seconds", "src/proof/solvers.cpp most_bytes", "src/support/process.cpp most_seconds", "src/support/process.cpp most_noted",
    "src/equiv/many_pairs.hpp most_parts", "src/loader/columns/npy_header.cpp most_padding", "src/loader/columns/npy_header.cpp deepest_literal", "src/batch/batch.cpp most_row_bytes", "src/batch/batch.cpp most_width",
    "src/batch/code_walk.cpp most_instructions", "src/batch/plan.cpp most_blocks", "src/batch/plan.cpp most_rows",
    "src/page/page_data.cpp most_instructions_per_column", "src/page/fork_tree.hpp most_remarks", "src/page/listing.hpp most_targets",
    "src/page/recording.cpp most_located", "src/page/recording.cpp most_looked_at", "src/page/source_data.cpp most_source_gap", "src/dap/sources.cpp most_listed",
    "src/dap/views.cpp most_instructions", "src/dap/views.cpp most_indexed", "src/debug/console_output.cpp longest",
    "src/debug/run_history.cpp most_checkpoints", "src/debug/misuse_reports.cpp most_instructions", "src/isa/register_names.cpp most_dwords",
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
    "src/debug/layout.cpp most_instructions", "src/debug/run_history.cpp most_near",
    "src/observe/hazards/hazard_watch.cpp most_kept_states", "src/observe/hazards/hazard_watch.cpp most_kept", "src/loader/objects/other_files.cpp longest_name", "src/observe/hazards/hazard_watch.cpp longest_stretch",
    "src/observe/undefined/follower.cpp most_at_once", "src/observe/undefined/shadow_block.cpp longest", "src/observe/observed_run.cpp longest", "src/observe/hazards/hazard_reach.cpp most_visited",
    "src/observe/hazards/hazard_reach.cpp most_words", "src/observe/undefined/word.hpp most_questions", "src/observe/undefined/lane_step.cpp most_pieces", "src/exec/memory_step.hpp most_pieces",
    "src/observe/whole_wave.cpp longest",
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
        if len(cells) == 3 and cells[0] not in ("what", "---"):
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
