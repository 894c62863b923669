"""Handling of Ctrl-C during calls of the library: Python handles signals only in its main thread, and not during C
calls."""

from __future__ import annotations

import _thread
import atexit
import contextlib
import ctypes
import os
import sys
import threading
import time
from typing import Any, Callable, Iterator, List, Optional, Tuple, TypeVar

T = TypeVar("T")


class CancelFlag:
    """A cancel flag that a call of the library polls; `address` goes into its options."""

    def __init__(self) -> None:
        self._flag = ctypes.c_int32(0)
        self.address = ctypes.addressof(self._flag)

    def set(self) -> None:
        self._flag.value = 1


# Stops a pending call of the library that calls back into Python.
_stops: List[Callable[[], None]] = []
_interpreter_ends = threading.Event()
_LONGEST_WAIT_SECONDS = 5.0
# The threads of the parent do not exist in a forked child.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_stops.clear)


def _end_thread_at_exit() -> None:
    if _interpreter_ends.is_set() and threading.current_thread() is not threading.main_thread():
        raise SystemExit


@contextlib.contextmanager
def calling_back(stop: Callable[[], None]) -> Iterator[None]:
    """Guards a call of the library that calls back into Python. Daemon threads run on while the interpreter is
    finalized, and a callback after that crashes the process (CPython 3.13). At exit `stop` ends the call, and then its
    thread ends."""
    _stops.append(stop)
    try:
        # After the append: either this thread sees the end, or the handler sees the call.
        _end_thread_at_exit()
        yield
    finally:
        # A child process that a callback has forked does not have this entry.
        with contextlib.suppress(ValueError):
            _stops.remove(stop)
        _end_thread_at_exit()


@atexit.register
def _stop_calling_back() -> None:
    _interpreter_ends.set()
    until = time.monotonic() + _LONGEST_WAIT_SECONDS
    while _stops and time.monotonic() < until:
        for stop in list(_stops):
            stop()
        time.sleep(0.005)


_STACK_BYTES = 1 << 20


def _start(run: Callable[..., None], arguments: Tuple[Any, ...]) -> None:
    """A thread with a stack that is large enough for the library, independent of `threading.stack_size`."""
    size = _thread.stack_size()
    if not 0 < size < _STACK_BYTES:
        _thread.start_new_thread(run, arguments)
        return
    _thread.stack_size(_STACK_BYTES)
    try:
        _thread.start_new_thread(run, arguments)
    finally:
        _thread.stack_size(size)


def interruptibly(work: Callable[[], T], cancel: Callable[[], None], *keeps: Any) -> T:
    """Runs `work` and returns or raises its result. In the main thread another thread does the work, so that the main
    thread can handle signals; an exception of a signal handler (KeyboardInterrupt) calls `cancel`, and is raised when
    the work has ended. A handler may raise anywhere, also in this function, so the caller may continue while the work
    still runs: `keeps` are the objects that C uses until then. If no thread can be started, for example during
    interpreter shutdown, the calling thread does the work."""
    # Threads that start during interpreter shutdown never run.
    if sys.is_finalizing() or threading.current_thread() is not threading.main_thread():
        return work()
    results: List[T] = []
    problem: List[Optional[BaseException]] = [None]
    # Only locks: Python's conditions and events become inconsistent if a signal handler raises inside of them.
    ended = threading.Lock()
    ended.acquire()
    over: List[bool] = []
    # The thread that acquires this lock does the work.
    turn = threading.Lock()

    def run(*_keeps: Any) -> None:
        if not turn.acquire(blocking=False):
            return
        try:
            results.append(work())
        except BaseException as caught:
            problem[0] = caught
        finally:
            over.append(True)
            ended.release()

    is_started = False
    try:
        try:
            _start(run, keeps)
        except RuntimeError:
            # A thread cannot be started: out of memory, or atexit handlers are running.
            if turn.acquire(blocking=False):
                return work()
        is_started = True
        ended.acquire()
    except BaseException:
        cancel()
        while is_started and not over:
            try:
                ended.acquire()
            except BaseException:
                cancel()
        raise
    if problem[0] is not None:
        try:
            raise problem[0]
        finally:
            problem[0] = None
    return results[0]
