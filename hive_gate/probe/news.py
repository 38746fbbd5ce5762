"""What a run saw that the contract does not speak of: listed for the reader, never a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hive_gate.contract.model import Contract
from hive_gate.drift.news import news_in_reply
from hive_gate.probe.whole import TOLERATED
from hive_gate.report.model import News, Server
from hive_gate.wire.transcript import Exchange, Message, Oddity

_WARNINGS = {"configWarning": "config-warning", "deprecationNotice": "deprecation-notice"}
"""Kinds of news by the notification in which the server warns whoever runs it."""

_PLACES = 4
"""Places of one field that are named."""

_REPLIES = 400
"""Replies looked through for unknown fields; the kinds repeat long before."""


def news(
    contract: Contract,
    exchanges: Sequence[Exchange],
    messages: Sequence[Message],
    oddities: Sequence[Oddity],
    servers: Sequence[Server] = (),
) -> tuple[News, ...]:
    """Return the run's news: fields and enum members, notifications, warnings, what was odd on the wire."""
    found: dict[tuple[str, str], tuple[int, int | None]] = {}

    def add(kind: str, text: str, message: int | None) -> None:
        count, first = found.get((kind, text), (0, message))
        found[kind, text] = (count + 1, first)

    for oddity in oddities:
        if oddity.kind in TOLERATED:
            kind = "server-request" if oddity.kind == "server-request" else "wire"
            kind = "banner" if oddity.kind == "banner" else kind
            add(kind, oddity.text, oddity.message)
    for message in messages:
        body = message.body
        if message.direction == "sent" or body is None or "method" not in body or "id" in body:
            continue
        method = str(body["method"])
        if method in _WARNINGS:
            add(_WARNINGS[method], _warned(body.get("params")) or method, message.n)
        elif method not in contract.known_notifications:
            add("notification", method, message.n)
    for exchange in exchanges[:_REPLIES]:
        known = contract.methods.get(exchange.method)
        result = None if exchange.reply is None else messages[exchange.reply].body.get("result")
        if known is None or exchange.reply is None or result is None:
            continue
        fields = contract.known_fields.get(exchange.method, frozenset())
        for item in news_in_reply(dict(known.result), contract.defs, result):
            if item.kind == "field" and item.pointer in fields:
                continue
            add(item.kind, f"{exchange.method}: {item.pointer} ({item.text})", exchange.reply)
    for server in servers:
        if server.stop == "eof" and server.exit_code:
            how = f"killed by signal {-server.exit_code}" if server.exit_code < 0 else f"exit code {server.exit_code}"
            add("exit", f"a server that was asked to end ended badly: {how}", None)
        for survivor in server.survivors:
            # By name alone: which server left which pid is in the report.
            name = survivor.partition(" (")[0]
            add("survivor", f"a process {name!r} was left behind when its server ended; it was killed", None)
    return _folded([News(kind, text, count, first) for (kind, text), (count, first) in sorted(found.items())])


def _warned(params: Any) -> str:
    """Return the words of a warning; empty where it has none."""
    said = params if isinstance(params, dict) else {}
    words = (said.get("summary") or said.get("message"), said.get("details"))
    return " ".join(str(each) for each in words if each)


def _folded(told: list[News]) -> tuple[News, ...]:
    """Tell a field that is new in several places once: a new version adds `historyMode`, not five things."""
    fields: dict[str, list[News]] = {}
    for one in told:
        if one.kind == "field":
            fields.setdefault(one.text.rpartition("/")[2], []).append(one)
    folded: list[News] = []
    for one in told:
        group = fields.get(one.text.rpartition("/")[2], []) if one.kind == "field" else [one]
        if one is not group[0]:
            continue
        if len(group) > 1:
            places = ", ".join(other.text.rpartition("/")[0] for other in group[:_PLACES])
            more = f" and {len(group) - _PLACES} more" if len(group) > _PLACES else ""
            text = f"{one.text.rpartition('/')[2]} in {places}{more}"
            folded.append(News(one.kind, text, sum(other.count for other in group), one.message))
        else:
            folded.append(one)
    return tuple(folded)
