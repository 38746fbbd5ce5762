"""Lines out of a byte stream.

A message ends at the byte 0x0A and nowhere else: U+2028 and U+2029 travel unescaped inside JSON strings, and a reader
that splits on them (as text-mode line readers do) cuts one reply in pieces. There is no length limit: a full history
is one line of many megabytes.
"""

from __future__ import annotations


class LineSplitter:
    """Collects chunks and hands out whole lines without their newline.

    Chunks of an unfinished line are kept in a list and joined once, so that a 60 MB line costs one copy and not one
    for every chunk.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take a chunk of any size and return the lines that it completes, in order."""
        head, newline, rest = chunk.partition(b"\n")
        if not newline:
            self._parts.append(chunk)
            return []
        self._parts.append(head)
        lines = [b"".join(self._parts)]
        *whole, tail = rest.split(b"\n")
        lines.extend(whole)
        self._parts = [tail] if tail else []
        return lines

    def rest(self) -> bytes:
        """Return what came after the last newline: not a message, since its end was never seen."""
        return b"".join(self._parts)
