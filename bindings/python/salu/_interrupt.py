"""Ctrl-C while the library works: Python hears of it only in its main thread, and not while that waits for C."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable, List, Optional, TypeVar

T = TypeVar("T")


class CancelFlag:
    """What a call of the library looks at now and then; `address` goes into its options."""

    def __init__(self) -> None:
        self._flag = ctypes.c_int32(0)
        self.address = ctypes.addressof(self._flag)

    def set(self) -> None:
        self._flag.value = 1


def interruptibly(work: Callable[[], T], cancel: Callable[[], None], *keeps: Any) -> T:
    """What `work` returns or raises. In the main thread it is done by another one, so that this one hears of signals; what
    a handler of one raises (KeyboardInterrupt) calls `cancel`, and comes out when the work has ended. A handler may raise
    anywhere, here as well, so that the caller may go on while the work does: `keeps` is what C uses until it ends."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    results: List[T] = []
    problem: List[Optional[BaseException]] = [None]
    done = threading.Event()

    def run(*_keeps: Any) -> None:
        try:
            results.append(work())
        except BaseException as caught:
            problem[0] = caught
        finally:
            done.set()

    thread = threading.Thread(target=run, args=keeps, name="salu", daemon=True)
    try:
        thread.start()
        done.wait()
    except BaseException:
        cancel()
        while thread.is_alive() and not done.is_set():
            try:
                done.wait()
            except BaseException:
                cancel()
        raise
    if problem[0] is not None:
        try:
            raise problem[0]
        finally:
            problem[0] = None
    return results[0]
