"""A message of any length, kept as its outline: what is short stays, what is long is replaced by how long it was.

It is read in pieces as they come, and never held as a whole: a history of 100 MB is one line. What says where a
conversation stands (ids, methods, cursors, errors) is short, and so survives; strings, lists and inner objects that are
long do not. Their contents are not looked at, so nothing is known of whether they are valid.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import accumulate

from hive_gate.wire.message import Parsed, parse, preview

STRING = 16_384
"""Bytes of a string that is kept."""

LIST = 4_096
"""Bytes of a list that is kept, counted after what is long in it was replaced."""

OBJECT = 65_536
"""The same for an object at the fourth level. What is further out may be longer, so that what is further in is replaced
first; the message itself never is."""

WHOLE = 1 << 20
"""Bytes of an outline; a message that has more, hundreds of short members side by side, is no message of ours."""

_HEAD = 1_024
"""Bytes from the beginning that show what kind of a line it was, where it is no message."""

_SIGN = re.compile(rb'["\[\]{}]')
# Possessive, so that no text makes it look twice.
_REST_OF_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_STRINGS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_OPENING = b"[{"
_DEEPER = dict.fromkeys(b"[{", 1) | dict.fromkeys(b"]}", -1)
_NO_BRACKETS = bytes(set(range(256)) - set(_DEEPER))


@dataclass(slots=True)
class _Container:
    """A list or object that is open."""

    is_list: bool
    kept_at: int
    """Where it begins in the outline."""
    began: int
    """Where it begins in the line."""


@dataclass(slots=True)
class _String:
    """The string that is open."""

    kept_at: int
    """Where it begins in the outline, with its quotation mark."""
    began: int
    """Where it begins in the line, without."""


class Outline:
    """Takes one line in pieces and keeps its outline."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._open: list[_Container] = []
        self._deeper = 0
        """While something is skipped: how many containers are open below it, itself included."""
        self._string: _String | None = None
        self._carried = b""
        """A backslash at the end of a piece; what it escapes is in the next one."""
        self._read = 0
        self._hash = hashlib.sha256()
        self._head = b""

    @property
    def size(self) -> int:
        """Bytes of the line so far."""
        return self._read + len(self._carried)

    @property
    def sha256(self) -> str:
        """Hash of the line so far, in hex."""
        return self._hash.hexdigest()

    def feed(self, piece: bytes) -> None:
        """Take the next piece, of any size."""
        self._hash.update(piece)
        if len(self._head) < _HEAD:
            self._head += piece[:_HEAD]
        piece = self._carried + piece
        self._carried = b""
        at = 0
        while at < len(piece):
            if self._string is not None:
                at = self._in_string(piece, at, self._string)
            elif self._deeper:
                at = self._skipped(piece, at)
            else:
                at = self._between(piece, at)
        self._read += len(piece) - len(self._carried)

    def parsed(self) -> Parsed:
        """Return the outline as a message, once the line has ended."""
        if self._open or self._deeper or self._string is not None or len(self._kept) > WHOLE:
            return Parsed(None, preview(self._head), ())
        parsed = parse(bytes(self._kept))
        return parsed if parsed.body is not None else Parsed(None, preview(self._head), parsed.anomalies)

    # Each of these takes a piece and a position in it, and returns the position up to which it has dealt with it.

    def _between(self, piece: bytes, at: int) -> int:
        """Take what is neither in a string nor skipped, up to the next sign."""
        found = _SIGN.search(piece, at)
        end = len(piece) if found is None else found.start()
        self._keep(piece[at:end])
        self._shorten()
        if found is None or self._deeper:
            return end
        sign = found[0]
        if sign == b'"':
            self._string = _String(len(self._kept), self._read + end + 1)
        elif sign in _OPENING:
            self._open.append(_Container(sign == b"[", len(self._kept), self._read + end))
        elif self._open:
            self._open.pop()
        self._keep(sign)
        return end + 1

    def _in_string(self, piece: bytes, at: int, string: _String) -> int:
        """Take the rest of a string, or as much of it as has come."""
        found = _REST_OF_STRING.match(piece, at)
        end = at if found is None else found.end()
        if not self._deeper:
            # One byte more than may be kept tells that it is too long.
            room = STRING + 2 - (len(self._kept) - string.kept_at)
            self._keep(piece[at : min(end, at + max(room, 0))])
        if end == len(piece):
            return end
        if piece[end : end + 1] == b"\\":  # the last byte of the piece
            self._carried = piece[end:]
            return len(piece)
        if not self._deeper:
            if len(self._kept) - string.kept_at > STRING + 1:
                self._kept[string.kept_at + 1 :] = f"…‹{self._read + end - string.began} bytes›".encode()
            self._keep(b'"')
        self._string = None
        return end + 1

    def _skipped(self, piece: bytes, at: int) -> int:
        """Pass over what is skipped, as far as the piece goes or to its end."""
        bare = _STRINGS.sub(b"", piece[at:])
        # A quotation mark that is left begins a string that goes on in the next piece.
        outside, mark, begun = bare.partition(b'"')
        deeper = list(accumulate(map(_DEEPER.__getitem__, outside.translate(None, _NO_BRACKETS)), initial=self._deeper))
        if min(deeper) <= 0:
            return self._skipped_by_signs(piece, at)
        self._deeper = deeper[-1]
        if not mark:
            return len(piece)
        string = self._string = _String(len(self._kept), self._read + len(piece) - len(begun))
        return self._in_string(piece, len(piece) - len(begun), string)

    def _skipped_by_signs(self, piece: bytes, at: int) -> int:
        """The same, sign by sign: where what is skipped ends within the piece."""
        while found := _SIGN.search(piece, at):
            at = found.end()
            if found[0] == b'"':
                self._string = string = _String(len(self._kept), self._read + at)
                at = self._in_string(piece, at, string)
                if self._string is not None:
                    return at
            elif found[0] in _OPENING:
                self._deeper += 1
            else:
                self._deeper -= 1
                if not self._deeper:
                    container = self._open.pop()
                    stand_in = f"…‹{self._read + at - container.began} bytes›"
                    text = f'["{stand_in}"]' if container.is_list else f'{{"…":"{stand_in}"}}'
                    self._keep(text.encode())
                    return at
        return len(piece)

    def _keep(self, text: bytes) -> None:
        if len(self._kept) <= WHOLE:
            self._kept += text

    def _shorten(self) -> None:
        """Give up the innermost container that has become too long, if there is one."""
        for index in range(len(self._open) - 1, 0, -1):
            container = self._open[index]
            if len(self._kept) - container.kept_at > (LIST if container.is_list else 4 * OBJECT // (index + 1)):
                del self._kept[container.kept_at :]
                self._deeper = len(self._open) - index
                del self._open[index + 1 :]
                return
