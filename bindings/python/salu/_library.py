"""Finds libsalu.so.0 and declares its functions, which are documented in <salu.h>."""

from __future__ import annotations

import ctypes
import operator
import os
import sys
from ctypes import POINTER, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

LIBRARY = "libsalu.so.0"
VERSION = "0.2.0"


def _checkout_libraries(package: str) -> List[str]:
    """Yields the libraries in build folders of the checkout that contains the package, the release build first."""
    build = os.path.normpath(os.path.join(package, os.pardir, os.pardir, os.pardir, "build"))
    try:
        presets = sorted(os.listdir(build), key=lambda name: (name != "release", name))
    except OSError:
        return []
    return [os.path.join(build, preset, "lib", LIBRARY) for preset in presets]


def _open() -> ctypes.CDLL:
    """Loads the library from the first place that has it. Raises an ImportError that lists all places."""
    package = os.path.dirname(os.path.abspath(__file__))
    tried: List[str] = []

    def attempt(path: str, what: str) -> Optional[ctypes.CDLL]:
        try:
            return ctypes.CDLL(path)
        except OSError as problem:
            tried.append(f"{what}: {problem}")
            return None

    named = os.environ.get("SALU_LIBRARY")
    if named:
        library = attempt(named, "SALU_LIBRARY")
        if library is not None:
            return library
        # If the user names a library, do not load another one.
        raise ImportError(f"salu needs {LIBRARY}, but the one in SALU_LIBRARY cannot be loaded\n  {tried[0]}")
    tried.append("SALU_LIBRARY: is not set")
    places = [(os.path.join(package, LIBRARY), "next to the package")]
    places += [(path, "build folder") for path in _checkout_libraries(package)]
    for path, what in places:
        if not os.path.exists(path):
            tried.append(f"{what}: {path} does not exist")
            continue
        library = attempt(path, what)
        if library is not None:
            return library
    library = attempt(LIBRARY, "the system's loader")
    if library is not None:
        return library
    raise ImportError(f"salu needs {LIBRARY}, which was not found in these places:\n  " + "\n  ".join(tried))


def text_of(text: "Union[str, bytes]") -> bytes:
    """Converts a text for C, and rejects NUL characters."""
    if not isinstance(text, (str, bytes)):
        raise TypeError(f"expected a text, found {text!r}")
    data = text.encode() if isinstance(text, str) else text
    if b"\0" in data:
        raise ValueError(f"{text!r} contains a NUL")
    return data


def unsigned(value: int, bits: int, what: str = "") -> int:
    """Checks that a number fits into an unsigned C type, so that it is not truncated."""
    number = operator.index(value)
    if not 0 <= number < 1 << bits:
        raise ValueError(f"{what}{': ' if what else ''}expected a number from 0 to 2^{bits} - 1, found {value}")
    return number


def integer_of(value: Any, what: str) -> int:
    """Returns an integer, also from a NumPy scalar; rejects floats and texts."""
    is_integer = hasattr(value, "__index__")
    if hasattr(value, "dtype"):
        is_integer = value.dtype.kind in "biu"
    if not is_integer:
        raise TypeError(f"{what}: expected an integer, found {value!r}")
    return int(value)


def check_unmasked(values: Any, what: str = "") -> None:
    """Raises ValueError for a NumPy masked array with masked values."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and masked.is_masked(values):
        raise ValueError(f"{what}{': ' if what else ''}some values of the array are masked")


class _Text:
    """A text parameter, which may be None."""

    kind = c_char_p

    @staticmethod
    def of(text: "Union[None, str, bytes]") -> Optional[bytes]:
        return None if text is None else text_of(text)


class _Number:
    """A 64-bit unsigned number."""

    kind = c_uint64

    @staticmethod
    def of(value: int) -> int:
        return unsigned(value, 64)


class _Number32:
    """A 32-bit unsigned number."""

    kind = c_uint32

    @staticmethod
    def of(value: int) -> int:
        return unsigned(value, 32)


_CHECKED = (_Text, _Number, _Number32)


class _Options(ctypes.Structure):
    """A structure of options."""

    def __setattr__(self, name: str, value: Any) -> None:
        kind = {field[0]: field[1] for field in self._fields_}.get(name)
        if kind in (c_uint32, c_uint64):
            value = unsigned(value, 8 * ctypes.sizeof(kind), name)
        elif kind is c_char_p and value is not None:
            value = text_of(value)
        super().__setattr__(name, value)


class LoadOptions(_Options):
    _fields_ = [
        ("struct_size", c_size_t), ("target", c_char_p), ("symbol", c_char_p), ("document", c_char_p),
        ("row", c_char_p), ("set", POINTER(c_char_p)), ("set_count", c_size_t), ("root", c_char_p),
        ("max_steps", c_uint64), ("max_memory_bytes", c_uint64),
    ]


class ScenarioInfo(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("name", c_char_p), ("file", c_char_p), ("target", c_char_p),
        ("generation", c_char_p), ("entry", c_uint64), ("rows", c_uint64), ("has_expectation", c_int32),
        ("all_waves", c_int32),
    ]


class TraceEvent(ctypes.Structure):
    _fields_ = [
        ("step", c_uint64), ("pc", c_uint64), ("next_pc", c_uint64), ("word_count", c_uint32),
        ("words", POINTER(c_uint32)), ("mnemonic", c_char_p), ("instruction", c_char_p), ("reads", c_char_p),
        ("writes", c_char_p), ("note", c_char_p),
    ]


TraceCallback = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(TraceEvent))


class RunOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("max_steps", c_uint64), ("max_seconds", c_double), ("registers", c_void_p),
        ("values", c_void_p), ("register_count", c_size_t), ("trace", TraceCallback), ("user", c_void_p),
        ("cancel", c_void_p), ("check_undefined", c_int32), ("check_hazards", c_int32), ("on_vector", c_int32),
        ("strict", c_int32), ("check_races", c_int32), ("approximations", c_char_p),
    ]


class Stop(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("reason", c_char_p), ("instruction", c_char_p), ("detail", c_char_p),
        ("place", c_char_p), ("pc", c_uint64), ("steps", c_uint64), ("warnings", c_uint64), ("is_regular", c_int32),
        ("is_fault", c_int32),
    ]


class Warning_(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("kind", c_char_p), ("instruction", c_char_p), ("detail", c_char_p),
        ("pc", c_uint64),
    ]


class Pause(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("position", c_uint64), ("pc", c_uint64), ("reason", c_uint32),
        ("breakpoint", c_uint32),
    ]


class Wave(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t), ("number", c_uint64), ("pc", c_uint64), ("status", c_uint32),
        ("reserved", c_uint32),
    ]


class WhyLink(ctypes.Structure):
    _fields_ = [("step", c_uint64), ("pc", c_uint64), ("depth", c_uint32), ("instruction", c_char_p)]


WhyCallback = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(WhyLink))
LoadCallback = ctypes.CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)


class Column(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("data", c_void_p), ("stride_bytes", c_int64), ("size_bytes", c_uint32),
        ("is_signed", c_int32),
    ]


class SweepOptions(_Options):
    _fields_ = [
        ("struct_size", c_size_t), ("max_steps", c_uint64), ("threads", c_uint32), ("scalar", c_int32),
        ("cancel", c_void_p),
    ]


class CompareOptions(_Options):
    _fields_ = [
        ("struct_size", c_size_t), ("inputs", POINTER(c_char_p)), ("input_count", c_size_t),
        ("outputs", POINTER(c_char_p)), ("output_count", c_size_t), ("exhaustive", POINTER(c_char_p)),
        ("exhaustive_count", c_size_t), ("states", c_uint64), ("seed", c_uint64), ("max_steps", c_uint64),
        ("seconds", c_double), ("threads", c_uint32), ("rounds", c_uint32), ("cancel", c_void_p),
    ]


# By name: the parameter types, and the return type if it is not a status.
_FUNCTIONS: Dict[str, Tuple[Any, ...]] = {
    "version": ([], c_char_p), "status_name": ([c_int], c_char_p), "error_message": ([], c_char_p),
    "error_reason": ([], c_char_p), "error_file": ([], c_char_p), "error_line": ([], c_uint32),
    "error_column": ([], c_uint32), "live_handles": ([], c_size_t),
    "text_data": ([c_void_p], c_char_p), "text_size": ([c_void_p], c_size_t), "text_free": ([c_void_p],),
    "load_file": ([_Text, c_void_p, c_void_p],),
    "load_bytes": ([c_char_p, c_size_t, _Text, c_void_p, c_void_p],),
    "load_words": ([c_void_p, c_size_t, _Text, c_void_p],),
    "load_each": ([_Text, c_void_p, LoadCallback, c_void_p],),
    "scenario_free": ([c_void_p],), "scenario_copy": ([c_void_p, c_void_p],),
    "scenario_info_of": ([c_void_p, c_void_p],), "scenario_row": ([c_void_p, _Number, c_void_p],),
    "scenario_remarks": ([c_void_p, c_void_p],), "scenario_symbol": ([c_void_p, _Text, c_void_p],),
    "scenario_argument": ([c_void_p, _Text, c_void_p, c_void_p],),
    "scenario_set": ([c_void_p, _Text, _Number],), "scenario_get": ([c_void_p, _Text, c_void_p],),
    "scenario_add_memory": ([c_void_p, _Number, _Number, c_int],),
    "scenario_write": ([c_void_p, _Number, c_void_p, c_size_t],),
    "scenario_read": ([c_void_p, _Number, c_void_p, c_size_t],),
    "register_find": ([c_void_p, _Text, c_void_p],), "register_bits": ([c_uint64], c_uint32),
    "run": ([c_void_p, c_void_p, c_void_p],), "outcome_free": ([c_void_p],),
    "outcome_stop": ([c_void_p, c_void_p],), "outcome_warning": ([c_void_p, _Number, c_void_p],),
    "outcome_get": ([c_void_p, _Text, c_void_p],), "outcome_read_register": ([c_void_p, c_uint64, c_void_p],),
    "outcome_is_defined": ([c_void_p, _Text, c_void_p],),
    "outcome_lanes": ([c_void_p, c_uint32, c_void_p, c_void_p],),
    "outcome_read": ([c_void_p, _Number, c_void_p, c_size_t],),
    "outcome_report": ([c_void_p, _Text, c_void_p],), "outcome_check": ([c_void_p, c_void_p, c_void_p],),
    "session_open": ([c_void_p, c_void_p],), "session_free": ([c_void_p],),
    "session_step": ([c_void_p, _Number, c_void_p],), "session_step_back": ([c_void_p, _Number, c_void_p],),
    "session_run": ([c_void_p, c_void_p],), "session_run_back": ([c_void_p, c_void_p],),
    "session_run_to": ([c_void_p, _Text, c_void_p],), "session_run_back_to": ([c_void_p, _Text, c_void_p],),
    "session_go_to": ([c_void_p, _Number, c_void_p],), "session_where": ([c_void_p, c_void_p],),
    "session_interrupt": ([c_void_p],), "session_wave": ([c_void_p, c_void_p],),
    "session_select_wave": ([c_void_p, _Number],), "session_wave_at": ([c_void_p, _Number, c_void_p, c_void_p],),
    "session_break": ([c_void_p, _Text, _Text, c_void_p],),
    "session_watch": ([c_void_p, _Text, _Text, c_void_p],), "session_remove": ([c_void_p, _Number32],),
    "session_instruction": ([c_void_p, c_void_p],), "session_get": ([c_void_p, _Text, c_void_p],),
    "session_set": ([c_void_p, _Text, _Text],),
    "session_lanes": ([c_void_p, c_uint32, c_void_p, c_void_p],),
    "session_read": ([c_void_p, _Number, c_void_p, c_size_t],),
    "session_why": ([c_void_p, _Text, _Number, WhyCallback, c_void_p, c_void_p],),
    "session_command": ([c_void_p, _Text, c_void_p],),
    "sweep": ([c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, _Number, c_void_p, c_void_p],),
    "sweep_ranges": ([c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_char_p), c_size_t, c_void_p, c_void_p],),
    "stop_code_name": ([c_uint32], c_char_p),
    "compare": ([c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],),
    "prove": ([c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p],),
}


class Functions:
    """The functions of the library: `version` is salu_version, and so on. Each is resolved at its first use."""

    def __init__(self) -> None:
        self._library = _open()
        self.path: str = self._library._name
        version: str = self.version().decode()
        # Before 1.0 a minor version may change the interface.
        if version.split(".")[:2] != VERSION.split(".")[:2]:
            raise ImportError(f"{self.path} has version {version}, but this package needs {VERSION}")

    def __getattr__(self, name: str) -> Any:
        if name not in _FUNCTIONS:
            raise AttributeError(name)
        try:
            function = getattr(self._library, "salu_" + name)
        except AttributeError:
            raise ImportError(f"{self.path} has no salu_{name}: it is not {LIBRARY} of version {VERSION}") from None
        takes, *returns = _FUNCTIONS[name]
        function.argtypes = [each.kind if each in _CHECKED else each for each in takes]
        function.restype = returns[0] if returns else c_int
        checks = [each.of if each in _CHECKED else None for each in takes]

        def checked(*arguments: Any) -> Any:
            return function(*[value if check is None else check(value) for check, value in zip(checks, arguments)])

        found = checked if any(checks) else function
        setattr(self, name, found)
        return found


lib = Functions()


Texts = Union[None, str, Sequence[str]]
"""One text or several; None for no text."""


def texts_of(texts: Texts) -> List[str]:
    if texts is None:
        return []
    return [texts] if isinstance(texts, str) else list(texts)


def strings(texts: "List[str]") -> Any:
    """Makes a C array of strings."""
    return (c_char_p * max(1, len(texts)))(*[text_of(text) for text in texts])
