"""Sessions: runs that move forwards and backwards."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _html
from ._errors import NotFoundError, check
from ._interrupt import calling_back, interruptibly
from ._library import Pause as _Pause
from ._library import Wave as _Wave
from ._library import WhyCallback, lib
from ._program import Program, Readable, handle_of, lane_array, read_memory, take_text, taken, vector_number

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_REASONS = ("start", "step", "breakpoint", "watchpoint", "ended", "limit", "interrupted", "warning")
_WAVE_STATUSES = ("ready", "waits", "ended")
_LONG = 10_000  # steps; shorter moves need no handling of Ctrl-C


class Pause(NamedTuple):
    """The place and the reason of a pause."""

    #: `start`, `step`, `breakpoint`, `watchpoint`, `ended`, `limit`, `interrupted` or `warning`
    reason: str
    position: int  #: instructions executed before
    pc: int
    breakpoint: int  #: the number of the breakpoint or watchpoint that was hit; 0 if none


class Wave(NamedTuple):
    """A wave of a work-group."""

    number: int  #: in the grid
    name: str  #: `wave 1 of work-group [2, 0, 0]`; empty if the program runs a single wave
    status: str  #: `ready`, `waits` (at a barrier) or `ended`
    pc: int  #: of its next instruction, or where it has ended


class WhyLink(NamedTuple):
    """An instruction that contributed to a value."""

    step: int  #: its number, from 1; 0 for a value that was set from outside the program
    pc: int
    depth: int  #: 1: it wrote the place; 2: it wrote an input of such an instruction; ...
    instruction: str


class Why:
    """The instructions that contributed to a value, latest first. `str()` formats them."""

    def __init__(self, links: Tuple[WhyLink, ...], text: str) -> None:
        self.links = links
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __iter__(self) -> Iterator[WhyLink]:
        return iter(self.links)

    def __len__(self) -> int:
        return len(self.links)

    def _repr_html_(self) -> str:
        return _html.table(["step", "pc", "depth", "instruction"],
                           [(link.step, hex(link.pc), link.depth, link.instruction) for link in self.links])


class Session(Readable):
    """A run that moves forwards and backwards. Positions 0 to N are between its instructions; step n is the n-th one,
    counted from 1. Iterating over a session steps through it: it yields a `Pause` after each instruction, up to the end
    or a breakpoint."""

    __slots__ = ("_handle", "_program", "__weakref__")

    def __init__(self, program: Program) -> None:
        handle = c_void_p()
        check(lib.session_open(handle_of(program), byref(handle)))
        self._handle = taken(handle)
        self._program = program

    def __del__(self, free: Any = lib.session_free) -> None:
        free(getattr(self, "_handle", None))

    @property
    def position(self) -> int:
        return self.where().position

    @property
    def pc(self) -> int:
        """The address of the next instruction, or where the program has ended."""
        return self.where().pc

    @property
    def instruction(self) -> str:
        """The next instruction with its place."""
        text = c_void_p()
        check(lib.session_instruction(self._handle, byref(text)))
        return take_text(text)

    @property
    def wave(self) -> int:
        """The number of the selected wave: `step` and items are its own. Can be set to one of `waves`."""
        number = c_uint64()
        check(lib.session_wave(self._handle, byref(number)))
        return number.value

    @wave.setter
    def wave(self, number: int) -> None:
        check(lib.session_select_wave(self._handle, number))

    @property
    def waves(self) -> List[Wave]:
        """The waves of the work-groups that run here, in the order of their numbers."""
        waves: List[Wave] = []
        while True:
            wave, name = _Wave(ctypes.sizeof(_Wave)), c_void_p()
            try:
                check(lib.session_wave_at(self._handle, len(waves), byref(wave), byref(name)))
            except NotFoundError:
                return waves
            waves.append(Wave(wave.number, take_text(name), _WAVE_STATUSES[wave.status], wave.pc))

    def where(self) -> Pause:
        """The current position, without a move."""
        pause = _Pause(ctypes.sizeof(_Pause))
        check(lib.session_where(self._handle, byref(pause)))
        return Pause(_REASONS[pause.reason], pause.position, pause.pc, pause.breakpoint)

    def step(self, count: int = 1) -> Pause:
        """Executes `count` instructions, fewer if a breakpoint or the end comes first."""
        return self._move(lib.session_step, count, is_long=count > _LONG)

    def back(self, count: int = 1) -> Pause:
        """Moves back by `count` instructions."""
        return self._move(lib.session_step_back, count, is_long=count > _LONG)

    def run(self) -> Pause:
        """Runs to the next breakpoint or the end."""
        return self._move(lib.session_run)

    def run_back(self) -> Pause:
        """Runs back to the previous breakpoint or the start."""
        return self._move(lib.session_run_back)

    def run_to(self, place: str) -> Pause:
        """Runs to an address (`0x1010`), a label (`loop+8`) or a source line (`gcd.s:12`)."""
        return self._move(lib.session_run_to, place)

    def run_back_to(self, place: str) -> Pause:
        """Runs back to such a place."""
        return self._move(lib.session_run_back_to, place)

    def go_to(self, position: int) -> Pause:
        """Moves to a position without stops on the way, or to the end of a shorter run."""
        return self._move(lib.session_go_to, position)

    def break_at(self, place: str, condition: Optional[str] = None) -> int:
        """Adds a breakpoint before a place, or before every instruction matching `s_cbranch_*`; returns its number."""
        number = c_uint32()
        check(lib.session_break(self._handle, place, condition or None, byref(number)))
        return number.value

    def watch(self, expression: str, condition: Optional[str] = None) -> int:
        """Adds a watchpoint, which stops after an instruction that changes an expression: `s4`, `[0x10000]`, `exec`."""
        number = c_uint32()
        check(lib.session_watch(self._handle, expression, condition or None,
                                byref(number)))
        return number.value

    def remove(self, number: int) -> None:
        """Removes a breakpoint or watchpoint."""
        check(lib.session_remove(self._handle, number))

    def why(self, place: str, links: int = 0) -> Why:
        """Returns the instructions that produced `s4`, `exec[7]` or `[0x10000]`, here or, with `@STEP` appended, after
        that step."""
        found: List[WhyLink] = []
        problem: List[BaseException] = []

        def take(_user: Any, link: Any) -> int:
            try:
                seen = link.contents
                found.append(WhyLink(seen.step, seen.pc, seen.depth, seen.instruction.decode(errors="replace")))
                return 0
            except BaseException as caught:
                problem.append(caught)
                return 1

        text = c_void_p()
        with calling_back(self._interrupt):
            status = lib.session_why(self._handle, place, links, WhyCallback(take), None, byref(text))
        check(status)
        if problem:
            raise problem[0]
        return Why(tuple(found), take_text(text))

    def __getitem__(self, expression: str) -> int:
        """Evaluates an expression: `s0`, `scc && s1 > 5`, `[s[4:5] + 8]` (docs/how-to/debugging.md)."""
        value = c_uint64()
        check(lib.session_get(self._handle, expression, byref(value)))
        return value.value

    def __setitem__(self, place: str, value: Union[int, str]) -> None:
        """Sets a register or memory here. Discards the rest of the run after this position."""
        check(lib.session_set(self._handle, place, str(value)))

    def lanes(self, name: str) -> List[int]:
        """Returns the 64 lanes of a vector register."""
        values = (c_uint32 * 64)()
        check(lib.session_lanes(self._handle, vector_number(name), values, None))
        return list(values)

    def lane_array(self, name: str, dtype: "DTypeLike" = "uint32") -> "NDArray[Any]":
        """Returns the lanes of vector registers as a NumPy array, as `Outcome.lane_array`."""
        return lane_array(self.lanes, name, dtype)

    def memory(self, address: int, size: int) -> bytes:
        """Returns bytes of memory."""
        return read_memory(lib.session_read, self._handle, address, size)

    def command(self, line: str) -> str:
        """Executes a command of `salu debug` and returns its output (docs/how-to/debugging.md)."""
        def work() -> str:
            text = c_void_p()
            check(lib.session_command(self._handle, line, byref(text)))
            return take_text(text)

        return interruptibly(work, self._interrupt)

    def __iter__(self) -> Iterator[Pause]:
        while True:
            pause = self.step()
            yield pause
            if pause.reason != "step":
                return

    def __repr__(self) -> str:
        where = self.where()
        return f"<salu.Session: {self._program.name} at position {where.position}, {where.reason}>"

    def _repr_html_(self) -> str:
        where = self.where()
        registers = [(name, f"0x{self[name]:016x}") for name in ("exec", "vcc", "pc")] + [("scc", str(self["scc"]))]
        return (_html.table(["register", "value"], registers,
                            f"{self._program.name}, position {where.position}: {self.instruction}") +
                _html.lanes(self["exec"], "exec"))

    def _interrupt(self) -> None:
        lib.session_interrupt(self._handle)

    def _move(self, function: Callable[..., int], *arguments: Any, is_long: bool = True) -> Pause:
        def work() -> Pause:
            pause = _Pause(ctypes.sizeof(_Pause))
            check(function(self._handle, *arguments, byref(pause)))
            return Pause(_REASONS[pause.reason], pause.position, pause.pc, pause.breakpoint)

        return interruptibly(work, self._interrupt) if is_long else work()
