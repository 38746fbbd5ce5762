"""Where in a message a finding points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hive_gate.report.model import ClauseResult, Finding, Json, Message
from hive_gate.report.plain import cut

_SHORT = 300
"""Characters of what was expected and of what came, beside the value."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One place in a message that a finding speaks of."""

    message: int
    """Number of the message."""
    pointer: str
    """JSON pointer into the message's body to a value that is there; empty for the whole."""
    says: str
    """What the finding says of it, in one sentence."""


def marks(clause: ClauseResult, messages: dict[int, Message]) -> Iterator[Mark]:
    """Yield a mark for each finding of a clause that names a message of the run."""
    for finding in clause.findings:
        message = None if finding.message is None else messages.get(finding.message)
        if message is not None:
            pointer, absent = _place(finding, message.body)
            lacks = f"{cut(absent, _SHORT)} is not there. " if absent else ""
            says = f"{lacks}Expected {cut(finding.expected, _SHORT)}; came {cut(finding.actual, _SHORT)}"
            yield Mark(message.n, pointer, says)


def _place(finding: Finding, body: Json) -> tuple[str, str]:
    """Return the part of a finding's pointer that is there, from the body's root, and the rest."""
    pointer = finding.pointer or ""
    if not isinstance(body, dict) or not pointer.startswith("/"):
        return "", ""
    # Findings point into what a message carries; only those about errors name the member itself.
    carries = next((name for name in ("result", "params") if name in body), "")
    root = f"/{carries}" if carries else ""
    tokens = (root + pointer).split("/")[1:]
    value, there = body, 0
    for token in tokens:
        found, value = _step(value, token.replace("~1", "/").replace("~0", "~"))
        if not found:
            break
        there += 1
    return "".join(f"/{t}" for t in tokens[:there]), "".join(f"/{t}" for t in tokens[there:])


def _step(value: Json, name: str) -> tuple[bool, Json]:
    if isinstance(value, dict) and name in value:
        return True, value[name]
    if isinstance(value, list) and name.isascii() and name.isdigit() and int(name) < len(value):
        return True, value[int(name)]
    return False, None
