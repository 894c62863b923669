"""Comparison of two programs."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_int32, c_void_p
from typing import Any, Dict

from . import _html
from ._errors import check
from ._interrupt import CancelFlag, interruptibly
from ._library import CompareOptions, Texts, lib, strings, texts_of
from ._program import Program, handle_of, take_text

_VERDICTS = ("equal", "different", "unknown")


class Comparison:
    """The result of a comparison. It is true if both are equal: on all inputs tried or, with a proof, for all inputs
    under its assumptions."""

    def __init__(self, verdict: str, text: str, data: Dict[str, Any]) -> None:
        self.verdict = verdict  #: `equal`, `different` or `unknown`
        self.data = data  #: the complete result (docs/how-to/equiv.md, docs/how-to/prove.md)
        self._text = text

    def __bool__(self) -> bool:
        return self.verdict == "equal"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<salu.Comparison: {self.verdict}>"

    def _repr_html_(self) -> str:
        return f"<pre>{_html.escape(self._text)}</pre>"


def _compared(function: Any, a: Program, b: Program, options: Any, flag: CancelFlag) -> Comparison:
    import json # imported late: it would take a third of the import time of this package

    def work() -> Comparison:
        verdict, text, data = c_int32(), c_void_p(), c_void_p()
        check(function(handle_of(a), handle_of(b), byref(options), byref(verdict), byref(text), byref(data)))
        return Comparison(_VERDICTS[verdict.value], take_text(text), json.loads(take_text(data)))

    return interruptibly(work, flag.set, flag)


def equiv(a: Program, b: Program, *, inputs: Texts = None, outputs: Texts = None,
          exhaustive: Texts = None, states: int = 0, seed: int = 0, max_steps: int = 0,
          seconds: float = 0, threads: int = 0) -> Comparison:
    """Runs two programs from the same generated inputs, as `salu equiv` does. Inputs and outputs are detected if none
    are named; `exhaustive=["s0=0..0xffff"]` tries all values."""
    flag = CancelFlag()
    lists = [texts_of(each) for each in (inputs, outputs, exhaustive)]
    options = CompareOptions(ctypes.sizeof(CompareOptions))
    options.inputs, options.input_count = strings(lists[0]), len(lists[0])
    options.outputs, options.output_count = strings(lists[1]), len(lists[1])
    options.exhaustive, options.exhaustive_count = strings(lists[2]), len(lists[2])
    options.states, options.seed, options.max_steps = states, seed, max_steps
    options.seconds, options.threads, options.cancel = seconds, threads, flag.address
    return _compared(lib.compare, a, b, options, flag)


def prove(a: Program, b: Program, *, inputs: Texts = None, outputs: Texts = None,
          seconds: float = 0, rounds: int = 0, threads: int = 0) -> Comparison:
    """Compares two programs for all inputs, as `salu prove` does: equal means proved."""
    flag = CancelFlag()
    lists = [texts_of(each) for each in (inputs, outputs)]
    options = CompareOptions(ctypes.sizeof(CompareOptions))
    options.inputs, options.input_count = strings(lists[0]), len(lists[0])
    options.outputs, options.output_count = strings(lists[1]), len(lists[1])
    options.seconds, options.rounds, options.threads, options.cancel = seconds, rounds, threads, flag.address
    return _compared(lib.prove, a, b, options, flag)
