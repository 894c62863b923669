"""Programs, and the outcomes of their runs."""

from __future__ import annotations

import collections.abc
import contextlib
import ctypes
import os
import re
import threading
from ctypes import byref, c_int32, c_uint32, c_uint64, c_void_p
from time import perf_counter
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence,
                    Tuple, TypeVar, Union)

from . import _html
from ._errors import Cancelled, NotFoundError, SaluError, UsageError, check, error_of, usage_error
from ._interrupt import CancelFlag, calling_back, interruptibly
from ._library import (LoadCallback, LoadOptions, RunOptions, ScenarioInfo, TraceCallback, Warning_, check_unmasked,
                       integer_of, lib, strings, text_of, unsigned)
from ._library import Stop as _Stop

if TYPE_CHECKING:
    import numpy
    from numpy.typing import DTypeLike, NDArray

    from ._session import Session

Buffer = Union[bytes, bytearray, memoryview, "NDArray[Any]"]
"""Bytes, or an object with the buffer protocol: NumPy arrays, `array.array`."""

# A run that takes longer than this continues in another thread, so that Ctrl-C is handled.
_SECONDS_IN_THIS_THREAD = 0.02


# The values of `check_undefined` in C, which rejects other numbers.
_CHECKS: Dict[Union[bool, str], int] = {False: 0, True: 2, "reads": 1, "bits": 2}
# A null callback for C.
_NOBODY: Any = ctypes.cast(c_void_p(), TraceCallback)


def take_text(handle: c_void_p) -> str:
    """Returns the text of a handle and frees the handle."""
    try:
        # With its explicit size, because it may contain NUL characters.
        return ctypes.string_at(lib.text_data(handle), lib.text_size(handle)).decode(errors="replace")
    finally:
        lib.text_free(handle)


class Stop(NamedTuple):
    """How and where a run ended."""

    reason: str  #: `end_program`, `unmapped_memory`, ... (docs/reference/stops-and-warnings.md)
    pc: int
    instruction: str #: the text of the instruction at `pc`
    detail: str  #: a sentence about the operand and its error
    place: str  #: the PC with label and source line
    is_regular: bool  #: a regular end: end_program, returned or killed
    is_fault: bool  #: a fault of the program


class Warning(NamedTuple):
    """A warning about silent hardware behaviour."""

    kind: str  #: `dropped_write`, `hazard`, ...
    pc: int
    instruction: str
    detail: str


class TraceEvent(NamedTuple):
    """An executed instruction."""

    step: int  #: counts from 1
    pc: int
    next_pc: int
    words: Tuple[int, ...]
    mnemonic: str
    instruction: str
    reads: str  #: `s1=0x00000007 s2=0x00000003`
    writes: str  #: `s0=0x0000000a scc=0`
    note: str  #: control stack operations and warnings; may be empty


class Held:
    """An object of the library. It has one owner, which frees it, so it cannot be copied or pickled."""

    __slots__ = ()

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled")


class Readable(Held):
    """An object with registers as items and attributes."""

    __slots__ = ()

    def __getitem__(self, name: str) -> int:
        raise NotImplementedError

    def __getattr__(self, name: str) -> int:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except SaluError as problem:
            raise AttributeError(str(problem)) from None


class Outcome(Readable):
    """The end of a run, and its final state: `outcome.s1`, `outcome["s[2:3]"]`, `outcome.stop`,
    `outcome.memory(address, n)`."""

    __slots__ = ("_handle", "_program", "__weakref__")

    def __init__(self, handle: int, program: "Program") -> None:
        self._handle = handle
        self._program = program

    def __del__(self, free: Any = lib.outcome_free) -> None:
        free(getattr(self, "_handle", None))

    def __getitem__(self, name: str) -> int:
        """Returns a register of at most 64 bits; `v3[7]` is a lane. Raises NotFoundError for an unknown name."""
        found = self._program._registers.get(name)
        if found is None:
            found = self._program._find(name)
        value = c_uint64()
        status = lib.outcome_read_register(self._handle, found, byref(value))
        if status:
            raise error_of(status)
        return value.value

    @property
    def stop(self) -> Stop:
        """The stop reason and place."""
        stop = self._stop()
        return Stop(stop.reason.decode(), stop.pc, stop.instruction.decode(errors="replace"),
                    stop.detail.decode(errors="replace"), stop.place.decode(errors="replace"), bool(stop.is_regular),
                    bool(stop.is_fault))

    @property
    def steps(self) -> int:
        """The number of executed instructions."""
        return int(self._stop().steps)

    @property
    def warnings(self) -> List[Warning]:
        """The warnings about silent hardware behaviour, in order of first appearance."""
        warning = Warning_(ctypes.sizeof(Warning_))
        found = []
        for index in range(self._stop().warnings):
            check(lib.outcome_warning(self._handle, index, byref(warning)))
            found.append(Warning(warning.kind.decode(), warning.pc, warning.instruction.decode(errors="replace"),
                                 warning.detail.decode(errors="replace")))
        return found

    def is_defined(self, name: str) -> bool:
        """Returns True if the program or its input has written a register."""
        defined = c_int32()
        check(lib.outcome_is_defined(self._handle, name, byref(defined)))
        return defined.value != 0

    def lanes(self, name: str) -> List[int]:
        """Returns the 64 lanes of a vector register: `lanes("v3")`, `lanes("a0")`."""
        number = vector_number(name)
        values = (c_uint32 * 64)()
        check(lib.outcome_lanes(self._handle, number, values, None))
        return list(values)

    def lane_array(self, name: str, dtype: "DTypeLike" = "uint32") -> "NDArray[Any]":
        """Returns the lanes of vector registers as a NumPy array: `lane_array("v3", "float32")`, `lane_array("v[2:3]",
        "float64")`. It has a second dimension if a lane has several numbers, the lowest first: `lane_array("v3",
        "float16")`."""
        return lane_array(self.lanes, name, dtype)

    def memory(self, address: int, size: int) -> bytes:
        """Returns bytes of the final memory. Raises NotFoundError if some of them do not exist."""
        return read_memory(lib.outcome_read, self._handle, address, size)

    def argument(self, name: str, size: Optional[int] = None) -> bytes:
        """Returns the contents of the buffer of a kernel argument, or the bytes of an argument that is not a
        pointer."""
        buffer = self._program._buffers.get(name)
        if buffer is not None:
            return self.memory(buffer[0], buffer[1] if size is None else size)
        place, own_size = self._program.argument_place(name)
        return self.memory(place, own_size if size is None else size)

    def array(self, name: str, dtype: "DTypeLike" = "uint32") -> "NDArray[Any]":
        """Returns the contents of an argument's buffer as a NumPy array."""
        import numpy

        return numpy.frombuffer(self.argument(name), dtype=dtype).copy()

    def mismatches(self) -> List[str]:
        """Returns the failed expectations of the scenario, one line each; empty if all hold."""
        count, text = c_uint64(), c_void_p()
        check(lib.outcome_check(self._handle, byref(count), byref(text)))
        return take_text(text).splitlines()

    def report(self, format: str = "text") -> str:
        """Returns the final state as `text`, `yaml` or one line of `json` (docs/reference/output-formats.md)."""
        text = c_void_p()
        check(lib.outcome_report(self._handle, format, byref(text)))
        return take_text(text)

    def to_dict(self) -> Dict[str, Any]:
        """Returns `report("json")` as a dictionary."""
        import json

        state: Dict[str, Any] = json.loads(self.report("json"))
        return state

    def __repr__(self) -> str:
        stop = self.stop
        return f"<salu.Outcome: {stop.reason} at {stop.place} after {self.steps} steps>"

    def __str__(self) -> str:
        return self.report()

    def _repr_html_(self) -> str:
        stop = self.stop
        title = f"{self._program.name} on {self._program.target}: {stop.reason} at {stop.place} after {self.steps} steps"
        parts = [_html.table(["register", "value"], _register_rows(self.to_dict()), title)]
        if stop.detail:
            parts.append(f"<div>{_html.escape(stop.detail)}</div>")
        parts.append(_html.lanes(self["exec"], "exec"))
        parts += [f"<div>{_html.escape(f'{each.kind}: {each.detail}')}</div>" for each in self.warnings]
        parts += [f"<div>{_html.escape(line)}</div>" for line in self.mismatches()]
        return "".join(parts)

    def _stop(self) -> Any:
        stop = _Stop(ctypes.sizeof(_Stop))
        check(lib.outcome_stop(self._handle, byref(stop)))
        return stop


_SHOWN_LANES = 8


def _register_rows(state: Mapping[str, Any]) -> Iterator[Tuple[str, str]]:
    """Yields the registers of a state to show: those that the program or its input has written, EXEC and the PC."""
    undefined = set(state["undefined"])
    for name, value in state["registers"].items():
        if name in ("exec", "pc") or (name not in undefined and (name[0] == "s" and name[1:].isdigit() or
                                                                 name in ("vcc", "scc", "m0"))):
            yield name, str(value)
    for name, values in state.get("vector", {}).items():
        shown = " ".join(str(value) for value in values[:_SHOWN_LANES])
        yield name, shown + (" ..." if len(values) > _SHOWN_LANES else "")


def vector_number(name: str) -> int:
    """Returns the number of a vector register: v0 is 0, a0 is 256."""
    if len(name) > 1 and name[0] in "va" and name[1:].isdigit() and int(name[1:]) < 256:
        return int(name[1:]) + (256 if name[0] == "a" else 0)
    raise UsageError(f"{name} is not a vector register; expected v0 to v255 or a0 to a255", "invalid_argument",
                     f"{name} is not a vector register", "", 0, 0)


def lane_array(lanes: Callable[[str], List[int]], name: str, dtype: "DTypeLike") -> "NDArray[Any]":
    """Returns vector registers as a NumPy array with a row for each lane."""
    import numpy

    run = re.fullmatch(r"([va])\[(\d+):(\d+)\]", name)
    names = [f"{run[1]}{number}" for number in range(int(run[2]), int(run[3]) + 1)] if run else [name]
    size = numpy.dtype(dtype).itemsize
    if not names or len(names) * 4 % size:
        raise ValueError(f"{name} has {len(names) * 4} bytes in each lane, which are not numbers of {size} bytes")
    dwords = numpy.array([lanes(each) for each in names], dtype="<u4")
    numbers = numpy.ascontiguousarray(dwords.T).view(dtype)
    return numbers[:, 0] if numbers.shape[1] == 1 else numbers


def read_memory(read: Any, handle: int, address: int, size: int) -> bytes:
    if size < 0 or not 0 <= address < 1 << 64:
        raise ValueError("addresses and sizes must not be negative")
    if size > 1 << 40:
        raise ValueError("the size exceeds the limit of 2^40 bytes")
    buffer = ctypes.create_string_buffer(size)
    check(read(handle, address, buffer, size))
    return buffer.raw


class Program(Held):
    """A program to run, with its initial state and memory: a scenario, assembled text, words, or an object. Made by
    `assemble`, `load` and similar functions. May be used by any number of threads."""

    __slots__ = ("_handle", "_registers", "_bits", "_plans", "_buffers", "_info", "__weakref__")

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._registers: Dict[str, int] = {}
        self._bits: Dict[str, int] = {}
        self._plans: Dict[Tuple[str, ...], Tuple[Any, Any, Any]] = {}
        self._buffers: Dict[str, Tuple[int, int]] = {}
        info = ScenarioInfo(ctypes.sizeof(ScenarioInfo))
        check(lib.scenario_info_of(handle, byref(info)))
        self._info = info

    def __del__(self, free: Any = lib.scenario_free) -> None:
        free(getattr(self, "_handle", None))

    @property
    def name(self) -> str:
        return bytes(self._info.name).decode(errors="replace")

    @property
    def file(self) -> str:
        return bytes(self._info.file).decode(errors="replace")

    @property
    def target(self) -> str:
        return bytes(self._info.target).decode()

    @property
    def generation(self) -> str:
        """`gcn1.4`, `cdna1`, ..."""
        return bytes(self._info.generation).decode()

    @property
    def has_expectation(self) -> bool:
        """True if the program has expectations (`Outcome.mismatches`)."""
        return bool(self._info.has_expectation)

    @property
    def row_count(self) -> int:
        """The number of rows of its table of cases."""
        return int(self._info.rows)

    def row(self, index: int) -> "Program":
        """Returns the program of one row of the table of cases; rows count from 0."""
        handle = c_void_p()
        check(lib.scenario_row(self._handle, index, byref(handle)))
        return Program(taken(handle))

    def remarks(self) -> List[str]:
        """Returns the warnings of the loader and the assembler."""
        text = c_void_p()
        check(lib.scenario_remarks(self._handle, byref(text)))
        return take_text(text).splitlines()

    def copy(self) -> "Program":
        """Returns an independent copy; large parts are shared until they are written."""
        handle = c_void_p()
        check(lib.scenario_copy(self._handle, byref(handle)))
        made = Program(taken(handle))
        made._buffers = dict(self._buffers)
        return made

    def __copy__(self) -> "Program":
        return self.copy()

    def __deepcopy__(self, _memo: Any) -> "Program":
        return self.copy()

    def symbol(self, name: str) -> int:
        """Returns the address of a label or an ELF symbol."""
        address = c_uint64()
        check(lib.scenario_symbol(self._handle, name, byref(address)))
        return address.value

    def argument_place(self, name: str) -> Tuple[int, int]:
        """Returns the address and the size in bytes of a kernel argument."""
        address, size = c_uint64(), c_uint64()
        check(lib.scenario_argument(self._handle, name, byref(address), byref(size)))
        return address.value, size.value

    def __getitem__(self, name: str) -> int:
        """Returns a register of the initial state."""
        value = c_uint64()
        check(lib.scenario_get(self._handle, name, byref(value)))
        return value.value

    def __setitem__(self, name: str, value: int) -> None:
        """Sets a register of the initial state; a negative number in two's complement."""
        self._find(name)
        check(lib.scenario_set(self._handle, name, fitting(value, self._bits[name], name)))

    def add_memory(self, address: int, contents: Union[int, Buffer], writable: bool = True) -> None:
        """Adds memory: a number of zero bytes, or the given bytes."""
        data = None if isinstance(contents, int) else bytes_of(contents)
        size = contents if isinstance(contents, int) else len(data or b"")
        check(lib.scenario_add_memory(self._handle, address, size, writable))
        if data:
            self.write(address, data)

    def write(self, address: int, contents: Buffer) -> None:
        """Copies bytes into the initial memory."""
        data = bytes_of(contents)
        check(lib.scenario_write(self._handle, address, data, len(data)))

    def read(self, address: int, size: int) -> bytes:
        """Returns bytes of the initial memory."""
        return read_memory(lib.scenario_read, self._handle, address, size)

    def run(self, *, max_steps: int = 0, max_seconds: float = 0, trace: Optional[Callable[[TraceEvent], Any]] = None,
            registers: Optional[Mapping[str, int]] = None, check_undefined: Union[bool, str] = False,
            check_hazards: bool = False, check_races: bool = False, strict: bool = False,
            approximations: Optional[str] = None, **named: int) -> Outcome:
        """Runs the program without changing it. Registers are set for this run: `run(s0=7)`, or
        `run(registers={"s[2:3]": 1 << 40})`. `trace` is called with every instruction; an exception in it ends the run
        and is raised again. `check_undefined` is `"reads"` or `"bits"` (True). `approximations` is `"nearest"`,
        `"low"`, `"high"` or `"seed 7"` (default: as the scenario specifies)."""
        keywords = named
        if registers:
            named = merged(registers, named)
        names = tuple(named)
        # A plan is removed while it is used, so that threads do not share it.
        plan = self._plans.pop(names, None)
        if plan is None:
            check_keywords(self, keywords, Program.run)
            plan = self._plan(names)
        options, values, bits = plan
        index = 0
        for value in named.values():
            if type(value) is not int:
                value = integer_of(value, names[index])
            if value < 0 or value >> 64:
                value = fitting(value, bits[index], names[index])
            values[index] = value
            index += 1
        options.max_steps = max_steps if 0 <= max_steps < 1 << 64 else unsigned(max_steps, 64, "max_steps")
        options.max_seconds = max_seconds
        options.check_hazards = check_hazards
        options.check_races = check_races
        options.check_undefined = _CHECKS.get(check_undefined, -1)
        options.strict = strict
        options.approximations = None if approximations is None else text_of(approximations)
        if trace is not None:
            outcome = self._run_traced(options, trace)
        # The main thread must not wait for longer than the reaction time to Ctrl-C.
        elif not max_seconds and threading.current_thread() is threading.main_thread():
            options.max_seconds = _SECONDS_IN_THIS_THREAD
            start = perf_counter()
            outcome = self._run(options)
            if perf_counter() - start >= _SECONDS_IN_THIS_THREAD and outcome.stop.reason == "time_limit":
                options.max_seconds = 0
                outcome = self._run_interruptibly(options)
        elif max_seconds > _SECONDS_IN_THIS_THREAD:
            outcome = self._run_interruptibly(options)
        else:
            outcome = self._run(options)
        # After an exception, the run that uses the plan may not have ended.
        self._plans[names] = plan
        return outcome

    def session(self) -> "Session":
        """Opens a session: a run that can move forwards and backwards."""
        from ._session import Session

        return Session(self)

    def __repr__(self) -> str:
        return f"<salu.Program: {self.name} on {self.target}>"

    def _repr_html_(self) -> str:
        rows: List[Tuple[str, object]] = [("file", self.file), ("target", f"{self.target} ({self.generation})"),
                                          ("entry", hex(self._info.entry))]
        if self.row_count:
            rows.append(("rows", self.row_count))
        return _html.table(["program", self.name], rows)

    def _find(self, name: str) -> int:
        """Returns the number of a register and caches it."""
        found = c_uint64()
        check(lib.register_find(self._handle, name, byref(found)))
        self._bits[name] = lib.register_bits(found)
        self._registers[name] = found.value
        return found.value

    def _plan(self, names: Tuple[str, ...]) -> Tuple[Any, Any, Any]:
        registers = (c_uint64 * max(1, len(names)))()
        for index, name in enumerate(names):
            registers[index] = self._registers.get(name) or self._find(name)
        values = (c_uint64 * max(1, len(names)))()
        options = RunOptions(ctypes.sizeof(RunOptions))
        options.registers, options.values = ctypes.addressof(registers), ctypes.addressof(values)
        options.register_count = len(names)
        options.keeps = (registers, values)
        return options, values, [self._bits[name] for name in names]

    def _run(self, options: Any) -> Outcome:
        handle = c_void_p()
        status = lib.run(self._handle, byref(options), byref(handle))
        if status:
            error = error_of(status)
            if isinstance(error, Cancelled):
                error.outcome = Outcome(taken(handle), self)
            raise error
        return Outcome(handle.value, self)  # type: ignore[arg-type]

    def _run_interruptibly(self, options: Any, calls_back: bool = False) -> Outcome:
        flag = CancelFlag()
        options.cancel = flag.address
        with calling_back(flag.set) if calls_back else contextlib.nullcontext():
            outcome = interruptibly(lambda: self._run(options), flag.set, flag)
        options.cancel = None
        return outcome

    def _run_traced(self, options: Any, trace: Callable[[TraceEvent], Any]) -> Outcome:
        problem: List[BaseException] = []

        def tell(_user: Any, event: Any) -> int:
            try:
                seen = event.contents
                trace(TraceEvent(seen.step, seen.pc, seen.next_pc, tuple(seen.words[:seen.word_count]),
                                 seen.mnemonic.decode(), seen.instruction.decode(), seen.reads.decode(),
                                 seen.writes.decode(), seen.note.decode(errors="replace")))
                return 0
            except BaseException as caught:
                problem.append(caught)
                return 1

        options.trace = TraceCallback(tell)
        try:
            outcome = self._run_interruptibly(options, calls_back=True)
        except Cancelled:
            if problem:
                raise problem[0] from None
            raise
        options.trace = _NOBODY
        return outcome


def handle_of(program: Program) -> int:
    if not isinstance(program, Program):
        raise TypeError(f"expected a salu.Program, found {program!r}")
    return program._handle


def taken(handle: c_void_p) -> int:
    assert handle.value is not None
    return handle.value


def check_keywords(program: "Program", keywords: Iterable[str], function: Callable[..., Any]) -> None:
    """Raises UsageError for a keyword that is neither a parameter of the function nor a register of the program. A
    keyword spelt like a register, of another target or beyond the last one, is reported by the call."""
    for name in keywords:
        if name in program._registers:
            continue
        try:
            program._find(name)
        except NotFoundError:
            if re.fullmatch(r"[a-z]+[0-9]+", name):
                continue
            import difflib
            import inspect

            parameters = [each.name for each in inspect.signature(function).parameters.values()
                          if each.kind is inspect.Parameter.KEYWORD_ONLY]
            near = difflib.get_close_matches(name, parameters + list(_STATE_NAMES), 3, 0.6)
            also = f"; did you mean {' or '.join(near)}?" if near else f"; parameters are {', '.join(parameters)}"
            raise usage_error(f"{name} is neither a parameter of {function.__name__}() nor a register of "
                              f"{program.generation}{also}") from None


_STATE_NAMES = ("exec", "exec_lo", "exec_hi", "vcc", "vcc_lo", "vcc_hi", "m0", "scc", "mode", "status", "pc", "csp",
                "flat_scratch_lo", "flat_scratch_hi", "xnack_mask_lo", "xnack_mask_hi")


_Named = TypeVar("_Named")


def merged(mapping: Mapping[str, _Named], named: Mapping[str, _Named]) -> Dict[str, _Named]:
    """Merges values by name from a mapping and from keywords. Raises ValueError if both have the same name."""
    for name in named:
        if name in mapping:
            raise ValueError(f"{name} is given twice")
    return {**mapping, **named}


def fitting(value: int, bits: int, name: str) -> int:
    """Converts a number to the bits of a place. Raises ValueError if it does not fit."""
    if -(1 << (bits - 1)) <= value < 0:
        return value + (1 << bits)
    if not 0 <= value < 1 << bits:
        raise ValueError(f"{value} does not fit into the {bits} bits of {name}")
    return value


def bytes_of(contents: Buffer) -> bytes:
    # A subclass may return any length.
    if type(contents) is bytes:
        return contents
    view: Any = contents
    check_unmasked(view)
    return memoryview(view).tobytes()


def _load_options(target: Optional[str], symbol: Optional[str], document: Union[None, int, str], row: Union[None, int, str],
                  registers: Optional[Mapping[str, int]], root: Optional[str], max_steps: int) -> Any:
    options = LoadOptions(ctypes.sizeof(LoadOptions))
    options.target = target
    options.symbol = symbol
    options.document = str(document) if document is not None else None
    options.row = str(row) if row is not None else None
    options.root = os.fsencode(root) if root is not None else None
    sets = [f"{name}={value}" for name, value in (registers or {}).items()]
    options.set, options.set_count = strings(sets), len(sets)
    options.max_steps = max_steps
    return options


def load(path: "Union[str, os.PathLike[str]]", *, target: Optional[str] = None, symbol: Optional[str] = None,
         document: Union[None, int, str] = None, row: Union[None, int, str] = None,
         registers: Optional[Mapping[str, int]] = None, root: Optional[str] = None, max_steps: int = 0) -> Program:
    """Loads a scenario (YAML), assembly (.s), words (.hex), code (.bin) or an ELF object; `symbol` is its entry."""
    handle = c_void_p()
    options = _load_options(target, symbol, document, row, registers, root, max_steps)
    check(lib.load_file(os.fsencode(path), byref(options), byref(handle)))
    return Program(taken(handle))


def load_text(contents: Union[str, bytes], name: str = "<text>.yaml", *, target: Optional[str] = None,
              symbol: Optional[str] = None, document: Union[None, int, str] = None, row: Union[None, int, str] = None,
              registers: Optional[Mapping[str, int]] = None, root: Optional[str] = None, max_steps: int = 0) -> Program:
    """Loads the contents of such a file. The ending of `name` determines the kind of file."""
    data = bytes_of(contents.encode() if isinstance(contents, str) else contents)
    handle = c_void_p()
    options = _load_options(target, symbol, document, row, registers, root, max_steps)
    check(lib.load_bytes(data, len(data), os.fsencode(name), byref(options), byref(handle)))
    return Program(taken(handle))


def load_all(path: "Union[str, os.PathLike[str]]", *, target: Optional[str] = None,
             root: Optional[str] = None) -> "List[Union[Program, SaluError]]":
    """Yields all documents of a file: a program, or the error of a document that could not be loaded."""
    found: List[Union[Program, SaluError]] = []
    problem: List[BaseException] = []
    stopped: List[bool] = []

    def take(_user: Any, status: int, handle: Optional[int]) -> int:
        try:
            if stopped:
                return 1
            if handle is None:
                error = error_of(status)
                if not isinstance(error, SaluError):
                    raise error
                found.append(error)
            else:
                found.append(Program(handle))
            return 0
        except BaseException as caught:
            problem.append(caught)
            return 1

    options = _load_options(target, None, None, None, None, root, 0)
    callback = LoadCallback(take)

    def load_each() -> None:
        status = lib.load_each(os.fsencode(path), byref(options), callback, None)
        if problem:
            raise problem[0]
        check(status)

    def stop() -> None:
        stopped.append(True)

    with calling_back(stop):
        interruptibly(load_each, stop, options, callback)
    return found


def assemble(text: str, target: str = "gfx900", *, name: str = "<text>.s", symbol: Optional[str] = None,
             registers: Optional[Mapping[str, int]] = None, max_steps: int = 0) -> Program:
    """Assembles a text. `InputError.line` and `.column` have the place of an error."""
    return load_text(text, name, target=target, symbol=symbol, registers=registers, max_steps=max_steps)


def words(code: Sequence[int], target: str = "gfx900") -> Program:
    """Makes a program of instruction words."""
    handle = c_void_p()
    fitted = [unsigned(word, 32, f"word {index}") for index, word in enumerate(code)]
    check(lib.load_words((c_uint32 * max(1, len(fitted)))(*fitted), len(fitted), target, byref(handle)))
    return Program(taken(handle))


def run(asm: Optional[str] = None, *, yaml: Optional[str] = None, file: "Union[None, str, os.PathLike[str]]" = None,
        target: Optional[str] = None, symbol: Optional[str] = None, max_steps: int = 0, max_seconds: float = 0,
        trace: Optional[Callable[[TraceEvent], Any]] = None, registers: Optional[Mapping[str, int]] = None,
        check_undefined: Union[bool, str] = False, check_hazards: bool = False, check_races: bool = False,
        strict: bool = False, approximations: Optional[str] = None, **named: int) -> Outcome:
    """Runs an assembly text (`asm`; the default target is gfx900), a scenario (`yaml`) or a file once. The other
    parameters are those of `Program.run`."""
    if sum(each is not None for each in (asm, yaml, file)) != 1:
        raise TypeError("run() takes exactly one of asm, yaml and file")
    if asm is not None:
        program = assemble(asm, target or "gfx900", symbol=symbol)
    elif yaml is not None:
        program = load_text(yaml, target=target, symbol=symbol)
    else:
        assert file is not None
        program = load(file, target=target, symbol=symbol)
    check_keywords(program, named, run)
    return program.run(max_steps=max_steps, max_seconds=max_seconds, trace=trace,
                       registers=merged(registers or {}, named), check_undefined=check_undefined,
                       check_hazards=check_hazards, check_races=check_races, strict=strict,
                       approximations=approximations)


class f32(float):
    """A 32-bit floating-point kernel argument; a `float` has 64 bits."""


def kernel(path: "Union[str, os.PathLike[str]]", name: Optional[str] = None,
           args: "Union[None, Mapping[str, Any], Mapping[int, Any]]" = None, *, target: Optional[str] = None,
           grid_size: Optional[Sequence[int]] = None, workgroup_size: Optional[Sequence[int]] = None,
           workgroup_id: Optional[Sequence[int]] = None, wave: Optional[int] = None, max_steps: int = 0) -> Program:
    """A kernel of an object with its arguments: integers, `float` and `f32`, `bytes` for a structure that is passed by
    value, and a NumPy array, `bytearray` or `memoryview` for a pointer to a buffer with these contents, whose
    contents after a run are `outcome.argument(name)` or `outcome.array(name, dtype)`. All waves of the grid run, one
    after the other, unless `workgroup_id` or `wave` names one."""
    import json

    launch: Dict[str, Any] = {"args": {}}
    if name is not None:
        launch["name"] = name
    buffers: Dict[str, bytes] = {}
    if args is not None and not isinstance(args, collections.abc.Mapping):
        raise usage_error("args must be a mapping of arguments by name or number, as in {\"out\": buffer, 1: 7}, not a "
                          f"{type(args).__name__}")
    for key, value in (args or {}).items():
        launch["args"][key] = _argument(str(key), value, buffers)
    for what, given in (("grid_size", grid_size), ("workgroup_size", workgroup_size), ("workgroup_id", workgroup_id)):
        if given is not None:
            launch[what] = [int(each) for each in given]
    if wave is not None:
        launch["wave"] = wave
    if wave is None and workgroup_id is None:
        launch["waves"] = "all"
    scenario: Dict[str, Any] = {"code": {"file": os.path.abspath(os.fspath(path))}, "kernel": launch}
    program = load_text(json.dumps(scenario), "<kernel>.yaml", target=target, max_steps=max_steps)
    for argument, contents in buffers.items():
        place, size = program.argument_place(argument)
        address = int.from_bytes(program.read(place, size), "little")
        program.write(address, contents)
        program._buffers[argument] = (address, len(contents))
    return program


def _argument(name: str, value: Any, buffers: Dict[str, bytes]) -> Any:
    """Formats a value for a scenario."""
    if isinstance(value, bytes):
        return {"bytes": list(value)}
    kind = getattr(value, "dtype", None)
    if kind is not None and getattr(value, "ndim", None) == 0:
        # A NumPy number has a size.
        if kind.kind == "f":
            return {"f32" if kind.itemsize == 4 else "f64": float(value)}
        return integer_of(value, name)
    if isinstance(value, f32):
        return {"f32": float(value)}
    if isinstance(value, float):
        return {"f64": value}
    if isinstance(value, (int, dict)):
        return value
    contents = bytes_of(value)
    if not contents:
        raise ValueError(f"the buffer of {name} is empty")
    buffers[name] = contents
    return {"buffer": len(contents)}


