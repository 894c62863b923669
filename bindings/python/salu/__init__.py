"""Assembles, runs and debugs programs for the scalar unit of AMD's GCN GPUs, and runs them from many states.

    >>> import salu
    >>> salu.run(asm="s_add_u32 s1, s0, 35\\ns_endpgm", target="gfx900", s0=7).s1
    42
"""

from ._compare import Comparison, equiv, prove
from ._errors import Cancelled, InputError, NotFoundError, SaluError, UsageError
from ._library import VERSION as __version__
from ._library import lib as _lib
from ._program import (Outcome, Program, Stop, TraceEvent, Warning, assemble, f32, kernel, load, load_all, load_text, run,
                       words)
from ._session import Pause, Session, Wave, Why, WhyLink
from ._sweep import Sweep, sweep, sweep_ranges

library_path: str = _lib.path
"""The path of the loaded library."""

__all__ = [
    "Cancelled", "Comparison", "InputError", "NotFoundError", "Outcome", "Pause", "Program", "SaluError", "Session", "Stop",
    "Sweep", "TraceEvent", "UsageError", "Warning", "Wave", "Why", "WhyLink", "__version__", "assemble", "equiv", "f32", "kernel",
    "library_path", "load", "load_all", "load_text", "prove", "run", "sweep", "sweep_ranges",
    "words",
]
