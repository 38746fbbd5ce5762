"""Messages made short enough for a note, and still JSON in their lines: the whole is in report.json."""

from __future__ import annotations

from collections.abc import Iterator

from hive_gate.report.jsontext import dumps
from hive_gate.report.model import ClauseResult, Json, Message, Report
from hive_gate.report.plain import cut

STRING = 160
"""Characters of one string in a message; cursors and error messages of the protocol are shorter."""

ITEMS = 4
"""Elements of one list that are shown."""

MEMBERS = 40
"""Members of one object that are shown; the protocol's largest, a thread, has fewer."""

DEPTH = 12
"""Levels that are shown; a page with its items has seven."""

LINES = 60
"""Lines of one message."""

_WIDTH = 100
"""A message that is no longer than this stays on one line."""


def of_clause(report: Report, clause: ClauseResult) -> tuple[Message, ...]:
    """Return the messages that show what happened in a clause, in order, each once."""
    numbers = {f.message for f in clause.findings if f.message is not None}
    for exchange in clause.exchanges:
        numbers.update({exchange.request, *exchange.notifications})
        if exchange.reply is not None:
            numbers.add(exchange.reply)
    found = (m for m in report.messages if m.n in numbers or m.clause == clause.id)
    return tuple(sorted(found, key=lambda m: m.n))


def message_text(message: Message) -> str:
    """Return a message as JSON text of at most `LINES` lines; what was left out is said where it was."""
    if message.text is not None:
        return dumps(cut(message.text, STRING))
    body = shorten(message.body)
    line = dumps(body)
    if len(line) <= _WIDTH:
        return line
    lines = dumps(body, indent=1).split("\n")
    if len(lines) <= LINES:
        return "\n".join(lines)
    return "\n".join([*lines[:LINES], dumps(f"… {len(lines) - LINES} more lines")])


def shorten(value: Json, depth: int = 0) -> Json:
    """Return a JSON value with long strings, long lists, large objects and deep levels left out, each marked by `…`."""
    if isinstance(value, str):
        return value if len(value) <= STRING else f"{value[: STRING // 2]}… ({len(value)} characters)"
    if isinstance(value, (list, dict)) and value and depth >= DEPTH:
        return "…"
    if isinstance(value, list):
        more = [f"… {len(value) - ITEMS} more"] if len(value) > ITEMS else []
        return [shorten(item, depth + 1) for item in value[:ITEMS]] + more
    if isinstance(value, dict):
        return dict(_members(value, depth))
    if isinstance(value, int) and value.bit_length() > 256:
        return "… a number of more than 77 digits"
    return value


def _members(value: dict[str, Json], depth: int) -> Iterator[tuple[str, Json]]:
    for number, (name, member) in enumerate(value.items()):
        if number == MEMBERS:
            yield "…", f"{len(value) - MEMBERS} more members"
            return
        yield (name if len(name) <= STRING else cut(name, STRING)), shorten(member, depth + 1)
