"""Standard streams whose reader may leave early, as `| head` does."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, TextIO

from hive_gate.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer


class _UntilClosed(io.FileIO):
    """A file that takes everything and forgets it once nobody reads any more."""

    def write(self, data: Buffer, /) -> int:
        try:
            return super().write(data)
        except OSError as error:
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, self.fileno())  # so that what is still buffered cannot complain again
            os.close(sink)
            if isinstance(error, BrokenPipeError):
                return memoryview(data).nbytes
            raise UsageError(
                f"what was to be printed cannot be written: {error.strerror}", hint="send the output elsewhere"
            ) from error


def survive_closed_pipes() -> None:
    """Make stdout and stderr survive their reader.

    A gate's exit code is its verdict: it must not turn into another because what was printed was not read to its end,
    and a run must not stop half-way for it. Streams that somebody else has put in place are left alone.
    """
    if sys.stdout is sys.__stdout__ and sys.stdout is not None:
        sys.stdout = _wrapped(sys.stdout, line_buffering=sys.stdout.isatty())
    if sys.stderr is sys.__stderr__ and sys.stderr is not None:
        sys.stderr = _wrapped(sys.stderr, line_buffering=True)


def _wrapped(stream: TextIO, *, line_buffering: bool) -> TextIO:
    raw = _UntilClosed(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=stream.encoding, errors=stream.errors, line_buffering=line_buffering
    )
