"""Faults of the wire itself: what stands between, in or beside the lines."""

from __future__ import annotations

from hive_gate.faults.fault import LIST, Fault, LineHook, by

_PAGE = ("turns-list.page/full",)
_LIMIT = 65_536


def _before(stray: bytes) -> LineHook:
    return lambda line: [stray, line]


def _cut(line: bytes) -> list[bytes]:
    return [line[start : start + _LIMIT] for start in range(0, len(line), _LIMIT)]


def _noticed(kind: str, name: str, breaks: str, line: LineHook) -> Fault:
    return Fault(name, breaks, by(kind, "handshake.clean-wire"), of=(LIST,), line=line, beside=_PAGE)


def _with_result(line: bytes) -> list[bytes]:
    return [line.replace(b'{"error":', b'{"result":{},"error":', 1)]


FAULTS = (
    Fault(
        "error-with-result",
        "A refusal holds a result as well.",
        by("result-and-error", "handshake.clean-wire"),
        of=(LIST,),
        line=_with_result,
        beside=("turns-list.unknown-thread",),
    ),
    _noticed(
        "not-json", "stray-line", "A line of the log stands between the messages.", _before(b"INFO listing turns")
    ),
    _noticed("not-object", "stray-array", "A line holds JSON that is no message.", _before(b"[]")),
    _noticed("blank-line", "blank-line", "An empty line stands between the messages.", _before(b"")),
    _noticed(
        "unknown-message", "nameless-message", "A message is neither request nor reply.", _before(b'{"params":{}}')
    ),
    _noticed(
        "not-utf-8",
        "latin-1",
        "A message is not written in UTF-8.",
        _before(b'{"method":"warning","params":{"message":"caf\xe9"}}'),
    ),
    _noticed(
        "duplicate-key",
        "doubled-key",
        "A key stands twice in one object, the right value last.",
        lambda line: [line.replace(b'"result":{', b'"result":{"data":[],', 1)],
    ),
    _noticed(
        "not-a-number",
        "nan",
        "A duration is NaN, which is no JSON.",
        lambda line: [line.replace(b'"durationMs":30000', b'"durationMs":NaN')],
    ),
    _noticed("second-reply", "doubled-reply", "A reply comes twice.", lambda line: [line, line]),
    _noticed(
        "unasked-reply",
        "unasked-reply",
        "A reply comes to a request that was never sent.",
        _before(b'{"id":987654,"result":{"data":[],"nextCursor":null,"backwardsCursor":null}}'),
    ),
    Fault(
        "cut-at-u2028",
        "U+2028 inside a text ends the line, as it does for a reader that splits text.",
        by("not-json", "handshake.clean-wire") + by("answer", "turns-list.texts/full"),
        line=lambda line: line.split("\u2028".encode()),
        silent=True,
    ),
    Fault(
        "line-limit",
        "A line of more than 64 KiB is cut into several.",
        by("not-json", "handshake.clean-wire") + by("answer", "turns-list.texts/summary"),
        line=_cut,
        silent=True,
    ),
)
