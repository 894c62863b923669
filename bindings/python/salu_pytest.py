"""A pytest plugin that runs scenario files as tests. A YAML file is a scenario if it has `schema: salu-scenario-v1`, if
it is named on the command line, or if its path matches a pattern of `salu_scenarios` in the pytest configuration. The
salu package is imported only for such files."""

from __future__ import annotations

import fnmatch
import pathlib
import re
from typing import Any, Iterator, List, Optional

import pytest

_SCHEMA = re.compile(rb"^schema:[ \t]*salu-scenario-v1[ \t\r]*$", re.MULTILINE)


class ScenarioFailure(Exception):
    """A scenario that failed or could not be loaded."""


def pytest_addoption(parser: Any) -> None:
    parser.addini("salu_scenarios", "patterns of scenario files without a schema line", type="args", default=[])


def pytest_collect_file(file_path: pathlib.Path, parent: pytest.Collector) -> "Optional[ScenarioFile]":
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    patterns: List[str] = parent.config.getini("salu_scenarios")
    is_named = parent.session.isinitpath(file_path)
    if not is_named and not any(fnmatch.fnmatch(file_path.as_posix(), "*" + pattern) for pattern in patterns):
        try:
            if not _SCHEMA.search(file_path.read_bytes()):
                return None
        except OSError:
            return None
    made: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
    return made


class ScenarioFile(pytest.File):
    """A file of tests: one for each document or row."""

    def collect(self) -> "Iterator[ScenarioItem]":
        import salu

        taken = set()
        for number, program in enumerate(salu.load_all(self.path), 1):
            # The default name of a scenario is that of its file, which pytest shows anyway.
            name = f"document {number}"
            if isinstance(program, salu.Program) and program.name != program.file:
                name = program.name
            if name in taken:
                name = f"{name} ({number})"
            taken.add(name)
            if isinstance(program, salu.SaluError) or program.row_count == 0:
                yield ScenarioItem.from_parent(self, name=name, program=program)
                continue
            for row in range(program.row_count):
                yield ScenarioItem.from_parent(self, name=f"{name}[{row + 1}]", program=program, row=row)


class ScenarioItem(pytest.Item):
    """A run that is compared with its expectations."""

    def __init__(self, *, program: Any, row: Optional[int] = None, **rest: Any) -> None:
        super().__init__(**rest)
        self.program = program
        self.row = row

    def runtest(self) -> None:
        if isinstance(self.program, Exception):
            raise ScenarioFailure(str(self.program))
        program = self.program if self.row is None else self.program.row(self.row)
        outcome = program.run()
        ended_wrongly = not program.has_expectation and not outcome.stop.is_regular
        if ended_wrongly or outcome.mismatches():
            raise ScenarioFailure(outcome.report())

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, ScenarioFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> Any:
        return self.path, None, self.name
