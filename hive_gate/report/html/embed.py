"""What the page's script draws when it is asked to, as JSON inside the page.

A run may have ten thousand exchanges. As elements they would make the page unusable, so each message is one line of
text until somebody looks at it.
"""

from __future__ import annotations

import json

from markupsafe import Markup

from hive_gate.report.excerpt import of_clause
from hive_gate.report.html.marks import marks
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import ClauseResult, Exchange, Json, Message, Report
from hive_gate.report.plain import INVISIBLE, visible

# Inside a JSON string an escape means the same as the sign; outside of strings JSON has none of these.
_INERT = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def messages_json(report: Report) -> Markup:
    """Return all messages as a JSON list, one a line, what they carry as the last member.

    So the script finds a message by its line and shows its text as it is: numbers, order and escapes of the JSON
    would not survive being parsed and written again.
    """
    return _inert("[\n" + ",\n".join(_message(message) for message in report.messages) + "\n]")


def clauses_json(report: Report) -> Markup:
    """Return a JSON list with what the script needs of each clause, in the order of the report."""
    by_number = {message.n: message for message in report.messages}
    return _inert("[\n" + ",\n".join(_text(_clause(report, clause, by_number)) for clause in report.clauses) + "\n]")


def _message(message: Message) -> str:
    carried = {"body": message.body} if message.text is None else {"text": message.text}
    return _text({
        "n": message.n,
        "server": message.server,
        "ms": message.ms,
        "direction": message.direction,
        "bytes": message.bytes,
        **carried,  # stands last, where the script looks for it
    })  # fmt: skip


def _clause(report: Report, clause: ClauseResult, by_number: dict[int, Message]) -> dict[str, Json]:
    return {
        "id": visible(clause.id),
        "messages": [message.n for message in of_clause(report, clause)],
        "exchanges": list(map(_exchange, clause.exchanges)),
        "marks": [[m.message, m.pointer, m.says] for m in marks(clause, by_number)],
    }


def _exchange(exchange: Exchange) -> list[Json]:
    failure = None if exchange.failure is None else visible(exchange.failure)
    return [visible(exchange.method), exchange.request, exchange.reply, exchange.took_ms, failure]


def _text(value: Json) -> str:
    """Return JSON text on one line in which everything can be seen, what is invisible as its escape."""
    return INVISIBLE.sub(lambda found: json.dumps(found[0])[1:-1], dumps(value, compact=True))


def _inert(text: str) -> Markup:
    return Markup(text.translate(_INERT))  # noqa: S704 - nothing in it can end a script element
