"""A server on two streams, from the first line to the end of its input."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import StrEnum
from io import BufferedIOBase
from pathlib import Path
from typing import BinaryIO, cast

from hive_gate.errors import UsageError
from hive_gate.reference.server import home as homes
from hive_gate.reference.server import rollback
from hive_gate.reference.server.core import Core
from hive_gate.reference.server.dispatch import handle
from hive_gate.reference.server.lines import Outgoing, parse
from hive_gate.reference.store.interface import ThreadStore

UNLOAD_AFTER = 1800.0
"""Seconds after which 0.142.5 unloads an idle thread that nobody is subscribed to."""

_CHUNK = 1 << 16
"""Bytes; as much as a pipe holds."""


class StoreKind(StrEnum):
    """Where threads are kept."""

    LOCAL = "local"
    """In the home, as files that codex reads too."""
    MEMORY = "memory"
    """Nowhere: they are gone when the server ends."""


def open_store(kind: StoreKind, folder: Path) -> ThreadStore:
    """Open a store; the local one lives in `folder`."""
    if kind is StoreKind.MEMORY:
        from hive_gate.reference.store.memory import MemoryThreadStore

        return MemoryThreadStore()
    from hive_gate.reference.store.local.store import LocalThreadStore

    return LocalThreadStore(folder)


def serve(
    folder: Path,
    incoming: BinaryIO,
    outgoing: BinaryIO,
    *,
    store: StoreKind = StoreKind.LOCAL,
    unload_after: float = UNLOAD_AFTER,
) -> None:
    """Serve requests until the input ends, or is not UTF-8 any more.

    Args:
        folder: the CODEX_HOME.
        incoming: buffered; one JSON object a line; lines that are none are ignored.
        outgoing: gets the protocol and nothing else.
        store: where threads are kept.
        unload_after: seconds after which an idle thread without subscriber is unloaded.

    Raises:
        UsageError: the home cannot be used.
    """
    home = homes.load(folder)
    try:
        opened = open_store(store, home.folder)
    except OSError as error:
        raise UsageError(f"the threads of the home cannot be opened: {error}", where=str(home.folder)) from error
    core = Core(home, opened, Outgoing(outgoing), unload_after)
    try:
        with contextlib.suppress(UnicodeDecodeError):
            for lines in _sent_together(incoming):
                for line in lines:
                    request = parse(line)
                    if request is not None:
                        handle(core, request)
                rollback.finish_soon(core)
        rollback.finish_all(core)
    finally:
        with core.lock:
            opened.close()


def _sent_together(incoming: BinaryIO) -> Iterator[list[bytes]]:
    """Yield the lines that are there at once, for the server that is modeled looks at them side by side."""
    buffered = cast(BufferedIOBase, incoming)  # which `sys.stdin.buffer` is, though its type does not say so
    pieces: list[bytes] = []
    while chunk := buffered.read1(_CHUNK):
        *lines, rest = chunk.split(b"\n")
        if lines:
            lines[0] = b"".join([*pieces, lines[0]])
            pieces = []
            yield lines
        pieces.append(rest)
    if last := b"".join(pieces):
        yield [last]
