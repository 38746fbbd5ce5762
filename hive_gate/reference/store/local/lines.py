"""A record and its line in a rollout: `{timestamp, type, payload}`, compact JSON, one line each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NoReturn

from hive_gate.reference.store import moments
from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.records import HistoryRecord


def encode(records: Iterable[HistoryRecord], now: datetime) -> bytes:
    """Return the lines of records; `now` is the time of those without one.

    Raises:
        InvalidRequest: a payload is not JSON.
    """
    return b"".join(_line(record, now) for record in records)


def _line(record: HistoryRecord, now: datetime) -> bytes:
    timestamp = record.timestamp or moments.stamp(now)
    line = {"timestamp": timestamp, "type": record.kind, "payload": record.payload}
    try:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequest(f"a {record.kind} record cannot be stored as JSON: {error}") from error
    # Half a surrogate pair cannot be UTF-8; the real server would then skip the whole line.
    return text.encode("utf-8", "replace") + b"\n"


def decode(lines: Iterable[bytes]) -> Iterator[HistoryRecord]:
    """Return the records of lines; what is no record (a torn write, another writer's mistake) is skipped."""
    for line in lines:
        record = _record(line)
        if record is not None:
            yield record


def _record(line: bytes) -> HistoryRecord | None:
    try:
        value = json.loads(line, parse_constant=_refuse)
        if b"\\u" in line:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is not text
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    timestamp, kind, payload = value.get("timestamp"), value.get("type"), value.get("payload")
    if isinstance(timestamp, str) and isinstance(kind, str) and isinstance(payload, dict):
        return HistoryRecord(kind, payload, timestamp)
    return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
