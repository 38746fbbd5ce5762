"""Messages on a byte stream: one JSON object a line."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

_ID_LIMIT = 1 << 63
_DEEPEST = 127
"""Objects and lists inside each other that the real server's parser takes."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it was read; `params` is None when it had none."""

    id: int | str
    method: str
    params: Any


def parse(line: bytes) -> Request | None:
    """Return the request on a line, or None for everything that gets no reply.

    That is: what is not JSON, no object, no request (an id that is neither text nor a 64-bit integer makes it a
    notification), a member given twice, and all notifications and replies.

    Raises:
        UnicodeDecodeError: the line is not UTF-8, at which the real server takes its input to be over.
    """
    text = line.decode()
    try:
        message = json.loads(text, object_pairs_hook=_Members, parse_constant=_refuse)
        # Half of a surrogate pair is no text: the real server's parser refuses the line.
        if b"\\u" in line:
            json.dumps(message, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, _Members) or message.repeated & {"id", "method", "params", "trace"}:
        return None
    if _depth(message) > _DEEPEST or not isinstance(message.get("trace"), dict | None):
        return None
    ident, method = message.get("id"), message.get("method")
    if not isinstance(method, str) or not isinstance(ident, int | str) or not _is_id(ident):
        return None
    return Request(ident, method, message.get("params"))


class _Members(dict[str, Any]):
    """An object's members, the last of a name, and which names were given more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        self.repeated = {name for name in self if names.count(name) > 1} if len(self) < len(names) else set()


def _depth(value: Any) -> int:
    deepest, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        deepest += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return deepest


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _is_id(value: int | str) -> bool:
    return isinstance(value, str) or (not isinstance(value, bool) and -_ID_LIMIT <= value < _ID_LIMIT)


class Outgoing:
    """Writes messages; safe to use from several threads."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """Send a notification."""
        self._write({"method": method, "params": params})

    def result(self, request: int | str, result: Any) -> None:
        """Answer a request."""
        self._write({"id": request, "result": result})

    def error(self, request: int | str, error: Mapping[str, Any]) -> None:
        """Refuse a request."""
        self._write({"error": error, "id": request})

    def _write(self, message: Mapping[str, Any]) -> None:
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        with self._lock:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (BrokenPipeError, ValueError):
                pass  # the client has gone; the end of its input will end the server
