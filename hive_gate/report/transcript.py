"""The transcript as JSON lines: a header, one line a message, a footer with the count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hive_gate.report.codec import encode
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import Json, Message, Report
from hive_gate.report.redact import redact

SCHEMA_ID = "hive-gate/transcript/1"
"""The value of the header's `schema` member."""


@dataclass(frozen=True, slots=True)
class TranscriptFormat:
    """Renders the messages of a run; see `hive_gate.report.interface.Format`."""

    name: str = "transcript"
    suffix: str = ".jsonl"
    redacted: bool = True

    def render(self, report: Report) -> str:
        """Return the transcript, each line a JSON object with a newline at its end."""
        shown = redact(report) if self.redacted else report
        return "".join(f"{dumps(line, compact=True)}\n" for line in _lines(shown))


def _lines(report: Report) -> Iterator[Json]:
    yield {
        "type": "header",
        "schema": SCHEMA_ID,
        "gate": report.gate,
        "run": encode(report.run),
        "target": encode(report.target),
        "contract": encode(report.contract),
    }
    yield from (_message(message) for message in report.messages)
    yield {"type": "footer", "messages": len(report.messages), "complete": True}


def _message(message: Message) -> Json:
    line = {
        "type": "message",
        "n": message.n,
        "server": message.server,
        "ms": message.ms,
        "direction": message.direction,
        "bytes": message.bytes,
        "clause": message.clause,
        "step": message.step,
    }
    # Exactly one of the two: a line that was no JSON object has its text.
    return {**line, "body": message.body} if message.text is None else {**line, "text": message.text}
