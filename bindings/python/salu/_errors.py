"""Exceptions for errors of salu."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Type

from ._library import lib

if TYPE_CHECKING:
    from ._program import Outcome

_INVALID_HANDLE, _INVALID_ARGUMENT, _NOT_FOUND, _CANCELLED, _NO_MEMORY = 1, 2, 3, 4, 5
_FIRST_OF_INPUT = 16


class SaluError(Exception):
    """An error of salu. `str()` is the message with its place, as `salu` prints it."""

    code: str  #: `bad_assembly`, `not_found`, ... (docs/reference/c-api.md)
    reason: str  #: the message without the place
    file: str  #: the file of the error, as it was named; may be empty
    line: int #: the line in the file, from 1; 0 if unknown
    column: int #: the column in the line, from 1; 0 if unknown

    def __init__(self, message: str, code: str, reason: str, file: str, line: int, column: int) -> None:
        super().__init__(message)
        self.code, self.reason, self.file, self.line, self.column = code, reason, file, line, column

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.code, self.reason, self.file, self.line, self.column)


class InputError(SaluError, ValueError):
    """A file, a text or an option is invalid; `file`, `line` and `column` have the place."""


class NotFoundError(SaluError, LookupError):
    """A register, memory, label, row or breakpoint does not exist."""


class UsageError(SaluError, ValueError):
    """An invalid call."""


class Cancelled(SaluError):
    """A callback ended the call."""

    outcome: "Optional[Outcome]" = None
    """The outcome of a run at that point."""


def error_of(status: int) -> Exception:
    """Returns the exception for the last failure of this thread."""
    if status == _NO_MEMORY:
        return MemoryError(lib.error_message().decode(errors="replace"))
    kind: Type[SaluError] = UsageError
    if status >= _FIRST_OF_INPUT:
        kind = InputError
    elif status == _NOT_FOUND:
        kind = NotFoundError
    elif status == _CANCELLED:
        kind = Cancelled

    def text(value: bytes) -> str:
        return value.decode(errors="replace")

    return kind(text(lib.error_message()), text(lib.status_name(status)), text(lib.error_reason()),
                text(lib.error_file()), lib.error_line(), lib.error_column())


def usage_error(reason: str) -> UsageError:
    """Makes a UsageError of this package."""
    return UsageError(reason, lib.status_name(_INVALID_ARGUMENT).decode(), reason, "", 0, 0)


def check(status: int) -> None:
    """Raises the error of a call that failed."""
    if status != 0:
        raise error_of(status)
