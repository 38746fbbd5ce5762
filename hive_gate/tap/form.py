"""A record: JSON lines, a header, one line a message, and a footer once the server has ended.

What a message's line holds beside `n`, `ms`, `direction` and `bytes`:

- `body`, the JSON object with long strings elided (see `hive_gate.wire.elide`), or `text`, the beginning of a line that
  is none
- `odd`, what was odd about the line, by the names of `hive_gate.wire.message.Anomaly`; left out where nothing was
- `outline`, the SHA-256 of a line so long that only its outline was kept (see `hive_gate.tap.outline`)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hive_gate import __version__
from hive_gate.report.jsontext import dumps
from hive_gate.wire.message import Parsed
from hive_gate.wire.transcript import Direction

SCHEMA_ID = "hive-gate/tap/1"
"""The value of the header's `schema` member; it changes when a reader would have to."""

BEGINNING = b'{"type":"header","schema":"hive-gate/tap/'
"""How every record begins."""


@dataclass(slots=True)
class Passed:
    """What went in one direction."""

    messages: int = 0
    bytes: int = 0
    """With newlines, and with what came after the last one."""


def header(command: Sequence[str], pid: int) -> bytes:
    """Return the first line; `command` is the server's, `pid` the relay's own."""
    return _line(
        {
            "type": "header",
            "schema": SCHEMA_ID,
            "hive_gate": __version__,
            "started": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "pid": pid,
            "command": list(command),
        }
    )


def message(
    n: int,
    ms: float,
    direction: Direction,
    size: int,
    parsed: Parsed,
    *,
    outline: str | None = None,
    unfinished: bool = False,
) -> bytes:
    """Return a message's line.

    Args:
        n: its number, from 0.
        ms: milliseconds from the start to when its end was read.
        direction: `sent` by the client or `received` by it.
        size: bytes of the line without its newline.
        parsed: what the line is; its long strings are elided already.
        outline: the SHA-256 of the line if `parsed` is only its outline.
        unfinished: the stream ended without a newline.
    """
    line: dict[str, Any] = {"type": "message", "n": n, "ms": round(ms, 3), "direction": direction, "bytes": size}
    odd = [anomaly.kind for anomaly in parsed.anomalies] + (["unfinished-line"] if unfinished else [])
    if odd:
        line["odd"] = list(dict.fromkeys(odd))
    if outline is not None:
        line["outline"] = outline
    return _line({**line, "text": parsed.text} if parsed.body is None else {**line, "body": parsed.body})


def footer(sent: Passed, received: Passed, ms: float, exit_code: int | None, problem: str | None) -> bytes:
    """Return the last line.

    Args:
        sent: what the client sent.
        received: what it received.
        ms: milliseconds from the start to the server's end.
        exit_code: the server's; negative: the signal that ended it; None: it was never started.
        problem: why the record is not complete; None: it is.
    """
    line: dict[str, Any] = {
        "type": "footer",
        "messages": sent.messages + received.messages,
        "complete": problem is None,
        "ms": round(ms, 3),
        "exit_code": exit_code,
        "sent": {"messages": sent.messages, "bytes": sent.bytes},
        "received": {"messages": received.messages, "bytes": received.bytes},
    }
    return _line(line if problem is None else {**line, "problem": problem})


def _line(value: dict[str, Any]) -> bytes:
    return dumps(value, compact=True).encode() + b"\n"
