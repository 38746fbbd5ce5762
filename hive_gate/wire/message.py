"""One line as a JSON-RPC message, and what is odd about it.

`json.loads` silently keeps the last of two equal keys and accepts NaN; a gate has to see both, so they are reported as
anomalies beside the parsed body.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["request", "notification", "reply", "unknown"]

PREVIEW = 200
"""Characters kept of a line that is not a message."""

DEPTH = 128
"""Levels of objects and arrays in a message; servers' own parsers stop there too. What walks a body may so recurse."""

_TOO_DEEP = "nested too deeply"


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something a well-behaved peer does not send."""

    kind: str
    """`not-json`, `not-object`, `duplicate-key`, `not-a-number`, `not-utf-8`, `blank-line`, `line-separator`,
    `unknown-message`, `unasked-reply`, `second-reply`, `result-and-error`, `unfinished-line`, `banner`,
    `server-request`."""
    text: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A line, parsed: `body` is a dict, or `text` holds a preview of what could not be."""

    body: dict[str, Any] | None
    text: str | None
    anomalies: tuple[Anomaly, ...]


def kind_of(body: dict[str, Any]) -> Kind:
    """Tell what a message is by its members.

    `method` decides first: the ids of both sides are separate, so a request of the server may carry an id that equals
    one of ours, and only a message without `method` is a reply.
    """
    if "method" in body:
        return "request" if "id" in body else "notification"
    return "reply" if "id" in body and ("result" in body or "error" in body) else "unknown"


def preview(line: bytes) -> str:
    """Return the start of a line as printable text."""
    text = line[: PREVIEW * 4].decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[:PREVIEW])
    return shown + ("…" if len(text) > PREVIEW or len(line) > PREVIEW * 4 else "")


def _refused(line: bytes, reason: str) -> Parsed:
    return Parsed(None, preview(line), (Anomaly("not-json", reason),))


def _is_too_deep(value: Any) -> bool:
    """Tell whether containers nest more than `DEPTH` deep, level by level, since recursion is what must not happen."""
    level = [value]
    for _ in range(DEPTH):
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def parse(line: bytes) -> Parsed:
    """Parse a line without its newline; never raises."""
    anomalies: list[Anomaly] = []

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(members)
        if len(found) != len(members):
            seen: set[str] = set()
            for key, _ in members:
                if key in seen:
                    anomalies.append(Anomaly("duplicate-key", f"the key {key!r} stands twice in one object"))
                seen.add(key)
        return found

    def constant(name: str) -> None:
        anomalies.append(Anomaly("not-a-number", f"{name} is not JSON"))

    if not line.strip():
        return Parsed(None, "", (Anomaly("blank-line", "an empty line"),))
    try:
        body = json.loads(line.decode("utf-8"), object_pairs_hook=pairs, parse_constant=constant)
    except UnicodeDecodeError as error:
        return Parsed(None, preview(line), (Anomaly("not-utf-8", f"byte {error.start} of the line is not UTF-8"),))
    except json.JSONDecodeError as error:
        return _refused(line, f"not JSON: {error}")
    except ValueError:
        return _refused(line, "a number with more digits than any reader takes")  # what `int` says names its own knobs
    except RecursionError:
        return _refused(line, _TOO_DEEP)
    if not isinstance(body, dict):
        return Parsed(None, preview(line), (Anomaly("not-object", "JSON, but not an object"),))
    if _is_too_deep(body):
        return _refused(line, _TOO_DEEP)
    if b"\xe2\x80\xa8" in line or b"\xe2\x80\xa9" in line:
        anomalies.append(
            Anomaly("line-separator", "U+2028 or U+2029 unescaped: a reader that splits text on them breaks here")
        )
    return Parsed(body, None, tuple(anomalies))
