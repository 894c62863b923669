"""One program from many states: arrays in, arrays out."""

from __future__ import annotations

import array
import ctypes
import sys
from ctypes import byref, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _html
from ._errors import check
from ._interrupt import CancelFlag, interruptibly
from ._library import Column, SweepOptions, Texts, check_unmasked, integer_of, lib, strings, text_of, texts_of
from ._program import Program, check_keywords, handle_of, merged, take_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = Union[int, range, Sequence[int], memoryview, "array.array[int]", NDArray[Any]]
    """Values of one input: an array of integers, or one integer for all states."""

# Integer formats of the module `struct`, as memoryviews have them, with their sizes; and type codes for new arrays.
_SIGNED = {"b": 1, "h": 2, "i": 4, "l": 8, "q": 8}
_UNSIGNED = {"B": 1, "H": 2, "I": 4, "L": 8, "Q": 8, "?": 1}
_TYPE_CODES = {1: "B", 4: "I", 8: "Q"}
_SAMPLES = 16


def _numpy() -> Any:
    """Returns the NumPy module, or None if it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class _Numbers:
    """The layout of a column. `keeps` holds a reference to its memory."""

    __slots__ = ("address", "count", "stride", "size", "is_signed", "keeps")

    def __init__(self, address: int, count: Optional[int], stride: int, size: int, is_signed: bool, keeps: Any) -> None:
        self.address, self.count, self.stride, self.size = address, count, stride, size
        self.is_signed, self.keeps = is_signed, keeps

    def at(self, index: int) -> int:
        """Returns a number of the column; for a constant always the same."""
        raw = ctypes.string_at(self.address + self.stride * index, self.size)
        return int.from_bytes(raw, "little", signed=self.is_signed)

    def column(self, name: str) -> Any:
        return Column(text_of(name), self.address, self.stride, self.size, self.is_signed)


def _of_buffer(name: str, values: Any, writable: bool) -> _Numbers:
    view = memoryview(values)
    code = view.format.lstrip("<=@")
    if code not in _SIGNED and code not in _UNSIGNED:
        raise TypeError(f"{name}: expected an array of integers, not of format {view.format!r}")
    if view.ndim != 1:
        raise ValueError(f"{name}: expected one dimension, not {view.ndim}")
    if writable and code == "?":
        raise TypeError(f"{name}: an array of truth values cannot hold numbers")
    if writable and view.readonly:
        raise ValueError(f"{name}: the array is read-only")
    # The size of `l` depends on the format's first character.
    size = view.itemsize
    stride = view.strides[0] if view.strides else size
    if len(view) == 0:
        return _Numbers(0, 0, size, size, code in _SIGNED, view)
    if view.readonly or stride != size:
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(values, numpy.ndarray):
            return _Numbers(values.ctypes.data, len(view), stride, size, code in _SIGNED, values)
        if writable:
            raise ValueError(f"{name}: the array must be contiguous to be written")
        return _of_buffer(name, array.array(_code_of(size, code in _SIGNED), view.tolist()), False)
    address = ctypes.addressof((ctypes.c_char * (len(view) * size)).from_buffer(view))
    return _Numbers(address, len(view), stride, size, code in _SIGNED, (view, values))


def _code_of(size: int, is_signed: bool) -> str:
    code = {1: "B", 2: "H", 4: "I", 8: "Q"}[size]
    return code.lower() if is_signed else code


def _input(name: str, values: Any) -> _Numbers:
    """Returns the numbers of an input without copying arrays."""
    if isinstance(values, int) or getattr(values, "ndim", None) == 0:
        number = integer_of(values, name)
        if number < -(1 << 63) or number >= 1 << 64:
            raise ValueError(f"{name}: {number} has more than 64 bits")
        one = ctypes.c_int64(number) if number < 0 else ctypes.c_uint64(number)
        return _Numbers(ctypes.addressof(one), None, 0, 8, number < 0, one)
    if isinstance(values, range):
        values = _of_range(name, values)
    elif isinstance(values, (list, tuple)):
        values = _of_list(name, values)
    return _of_buffer(name, values, False)


def _of_list(name: str, values: Sequence[int]) -> Any:
    try:
        return array.array("q" if any(value < 0 for value in values) else "Q", values)
    except OverflowError:
        raise ValueError(f"{name}: numbers from {min(values)} to {max(values)} do not fit into 64 bits") from None


def _of_range(name: str, values: range) -> Any:
    numpy = _numpy()
    ends = [values[0], values[-1]] if values else []
    is_signed = _of_list(name, ends).typecode == "q"
    if numpy is None:
        return array.array("q" if is_signed else "Q", values)
    # NumPy computes the length of a range in doubles, unless it starts at 0 with step 1.
    numbers = numpy.arange(len(values), dtype="uint64")
    numbers *= numpy.uint64(values.step % (1 << 64))
    numbers += numpy.uint64(values.start % (1 << 64))
    return numbers.view("int64") if is_signed else numbers


def _flat(inputs: Mapping[str, Any]) -> Tuple[Dict[str, Any], Optional[Tuple[int, ...]]]:
    """Broadcasts NumPy arrays and flattens them to one dimension; also returns the common shape."""
    numpy = sys.modules.get("numpy")
    shapes = {getattr(values, "shape", None) for values in inputs.values()} - {None, ()}
    if numpy is None or not shapes or (len(shapes) == 1 and len(next(iter(shapes)) or ()) == 1):
        return dict(inputs), None
    arrays = {name: values for name, values in inputs.items() if getattr(values, "shape", ()) not in ((), None)}
    spread = numpy.broadcast_arrays(*arrays.values())
    flat = dict(inputs)
    for name, values in zip(arrays, spread):
        flat[name] = numpy.ascontiguousarray(values).reshape(-1)
    return flat, tuple(spread[0].shape)


class Sweep(Mapping[str, Any]):
    """The result columns of a sweep, by output: `sweep["s1"]`, `sweep.s1`. `sweep.stop` has the codes of the stop
    reasons (0: end_program), and `sweep.stops` counts them by name."""

    def __init__(self, columns: Dict[str, Any], states: int) -> None:
        self._columns = columns
        self.states = states

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(f"no output {name}") from None

    @property
    def stops(self) -> Dict[str, int]:
        """The number of runs by stop reason: `{"end_program": 100}`."""
        codes = self._columns["stop"]
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(codes, numpy.ndarray):
            counts = {int(code): int(count) for code, count in enumerate(numpy.bincount(codes.reshape(-1))) if count}
        else:
            counts = {code: codes.count(code) for code in set(codes)}
        return {lib.stop_code_name(code).decode(): count for code, count in sorted(counts.items())}

    def __repr__(self) -> str:
        return f"<salu.Sweep: {self.states} states, {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        shown = 10
        columns = [memoryview(values).tolist() if not hasattr(values, "reshape") else values.reshape(-1)[:shown].tolist()
                   for values in self._columns.values()]
        rows = list(zip(range(shown), *[column[:shown] for column in columns]))
        return _html.table(["state", *self._columns], rows, f"{self.states} states")


def _check_apart(out: Mapping[str, Any]) -> None:
    """Raises ValueError if output arrays of NumPy share memory. The library does not detect all cases, because arrays
    of some layouts are written through copies."""
    numpy = sys.modules.get("numpy")
    arrays = [(name, values) for name, values in out.items() if hasattr(values, "__array_interface__")]
    for index, (name, values) in enumerate(arrays):
        for other, others in arrays[:index]:
            if numpy is not None and numpy.may_share_memory(values, others) and numpy.shares_memory(values, others):
                raise ValueError(f"{name}: its numbers overlap those of `{other}`")


def sweep(program: Program, outputs: Texts = None, *, inputs: "Optional[Mapping[str, Values]]" = None,
          out: Optional[Mapping[str, Any]] = None, threads: int = 0, max_steps: int = 0, scalar: bool = False,
          **named: "Values") -> Sweep:
    """Runs a program from many states: `sweep(program, ["s1"], s0=numpy.arange(1000))`. Every input is an array of
    integers, which is not copied, or one number for all states; NumPy arrays are broadcast against each other. Names
    that are not Python identifiers go into `inputs`: `{"s[2:3]": a, "memory.0x10000": b}`.

    Outputs are NumPy arrays if it is installed (uint32 for up to 32 bits, otherwise uint64), or else `array.array`.
    `out` has arrays to write to instead, which must not share memory with each other and the inputs. `steps` can also
    be an output; `stop` is always included. Without `outputs`, the outputs are the places that the scenario has
    expectations for, or the scalar registers that the code may write."""
    handle_of(program)  # checks the type before outputs are looked up
    check_keywords(program, named, sweep)
    named = merged(inputs or {}, named)
    for name, values in [*named.items(), *(out or {}).items()]:
        check_unmasked(values, name)
    given, shape = _flat(named)
    numbers = {name: _input(name, values) for name, values in given.items()}
    counts = {each.count for each in numbers.values() if each.count is not None}
    if len(counts) > 1:
        raise ValueError(f"the inputs have {', '.join(map(str, sorted(counts)))} numbers: all inputs must have the same "
                         "length")
    if not numbers:
        raise ValueError("no inputs")
    count = counts.pop() if counts else 1
    names = list(out or ())
    wanted = texts_of(outputs)
    if outputs is None and not out:
        wanted = _chosen(program, numbers, count)
    names += [name for name in wanted if name not in names]
    if "stop" not in names:
        names.append("stop")
    columns: Dict[str, Any] = {name: (out or {}).get(name) for name in names}
    _check_apart(out or {})
    targets = []
    copies = {}  # of arrays that are not contiguous
    for name in names:
        if columns[name] is None:
            columns[name] = _made(_bytes_of_output(program, name), count)
        elif shape is not None and hasattr(columns[name], "reshape"):
            if columns[name].shape != shape:
                raise ValueError(f"{name}: the array has the shape {columns[name].shape}, but the states have {shape}")
            if not columns[name].flags.c_contiguous:
                copies[name] = columns[name].flatten()
        written = copies.get(name, columns[name])
        target = _of_buffer(name, written.reshape(-1) if shape is not None and hasattr(written, "reshape") else written,
                            True)
        if target.count != count:
            raise ValueError(f"{name}: {target.count} numbers, but {count} states")
        targets.append(target)
    states = _run(program, numbers, dict(zip(names, targets)), count, threads, max_steps, scalar)
    for name, written in copies.items():
        columns[name][...] = written.reshape(shape)
    if shape is not None:
        columns = {name: values.reshape(shape) if hasattr(values, "reshape") else values
                   for name, values in columns.items()}
    return Sweep(columns, states)


def sweep_ranges(program: Program, ranges: Union[str, Sequence[str]], outputs: Texts = None, *,
                 threads: int = 0, max_steps: int = 0, scalar: bool = False) -> Dict[str, Any]:
    """Runs a program from all combinations of ranges, `"s0=0..0xffffffff"`, `"s1=0..100:5"`, and summarises the
    results: minimum, maximum and checksum of each output, as `salu sweep` does (docs/how-to/sweep.md). Does not make
    arrays."""
    import json

    texts = texts_of(ranges)
    names = texts_of(outputs)
    flag = CancelFlag()
    options = _options(threads, max_steps, scalar, flag)

    def work() -> str:
        text = c_void_p()
        check(lib.sweep_ranges(handle_of(program), strings(texts), len(texts), strings(names), len(names), byref(options),
                               byref(text)))
        return take_text(text)

    found: Dict[str, Any] = json.loads(interruptibly(work, flag.set, flag))
    return found


def _options(threads: int, max_steps: int, scalar: bool, flag: CancelFlag) -> SweepOptions:
    options = SweepOptions(ctypes.sizeof(SweepOptions))
    options.threads, options.max_steps, options.scalar, options.cancel = threads, max_steps, scalar, flag.address
    return options


def _run(program: Program, inputs: Mapping[str, _Numbers], outputs: Mapping[str, _Numbers], count: int, threads: int,
         max_steps: int, scalar: bool) -> int:
    flag = CancelFlag()
    options = _options(threads, max_steps, scalar, flag)
    ins = (Column * len(inputs))(*[numbers.column(name) for name, numbers in inputs.items()])
    outs = (Column * len(outputs))(*[numbers.column(name) for name, numbers in outputs.items()])
    states = c_uint64()

    def work() -> None:
        check(lib.sweep(handle_of(program), ins, len(ins), outs, len(outs), count, byref(options), byref(states)))

    interruptibly(work, flag.set, flag, inputs, outputs)
    return states.value


def _made(size: int, count: int) -> Any:
    """Makes an array for numbers of `size` bytes."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.empty(count, dtype=f"u{size}")
    return array.array(_TYPE_CODES[size], bytes(size * count))


def _bytes_of_output(program: Program, name: str) -> int:
    if name == "stop":
        return 1
    if name == "steps" or "." in name:
        return 8
    register = name.partition(":")[0] if not name.startswith(("s[", "v[", "ttmp[")) else name.partition("]")[0] + "]"
    if register not in program._bits:
        program._find(register)
    return 4 if program._bits[register] <= 32 else 8


def _chosen(program: Program, inputs: Mapping[str, _Numbers], count: int) -> List[str]:
    """Chooses the outputs: places that the scenario has expectations for, or those that sample runs write."""
    import json

    names: List[str] = []
    last = max(0, count - 1)
    for index in sorted({last * sample // (_SAMPLES - 1) for sample in range(_SAMPLES)}) if count else []:
        text = c_void_p()
        ranges = [f"{name}={numbers.at(index)}" for name, numbers in inputs.items()]
        options = SweepOptions(ctypes.sizeof(SweepOptions))
        check(lib.sweep_ranges(program._handle, strings(ranges), len(ranges), None, 0, byref(options), byref(text)))
        names += [each["name"] for each in json.loads(take_text(text))["outputs"] if each["name"] not in names]
    return names
