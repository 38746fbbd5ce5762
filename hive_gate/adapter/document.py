"""A judgment of a client, as a document for every format that people read."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace

from hive_gate.adapter.judge import RuleResult, RuleVerdict
from hive_gate.adapter.run import Judged
from hive_gate.adapter.words import breach_lines, brief, broken, headline
from hive_gate.report.compose import SENTENCE, Unit
from hive_gate.report.document import Document
from hive_gate.report.excerpt import message_text
from hive_gate.report.note import (
    Block,
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Heading,
    Line,
    Paragraph,
    Strong,
    Table,
    Tone,
    Toned,
)
from hive_gate.report.plain import cut, phrase

_BREACHES = 4
"""Breaches of one rule that are told."""

_MESSAGES = 6
"""Messages of one rule that are shown."""

_TONES: dict[RuleVerdict, Tone] = {"pass": "good", "fail": "bad", "warn": "warn", "not-exercised": "dim"}

_SOURCES = {
    "tap": "a tap's record",
    "probe": "a probe's transcript",
    "report": "a probe's report",
}


def document(judged: Judged) -> Document:
    """Return what a transcript says of its client."""
    marker = f"hive-gate judge, {judged.whole.messages} messages, contract sha256 {judged.contract.sha256[:16]}"
    said = headline(judged.judgment, judged.contract, judged.whole.source)
    return Document(f"Client of {judged.path.name}", said, tuple(_units(judged)), marker)


def _units(judged: Judged) -> Iterator[Unit]:
    yield Unit(1, "table of facts", "", None, (_facts(judged),))
    for rule in broken(judged.judgment):
        yield Unit(2, "broken rules", rule.id, "Broken", _told(rule))
    yield Unit(3, "table of rules", "", "Every rule", (_rules(judged.judgment.rules),))
    for rule in broken(judged.judgment):
        yield Unit(4, "transcripts", rule.id, "Transcripts", (_transcript(judged, rule),))


def _facts(judged: Judged) -> Table:
    whole, contract = judged.whole, judged.contract
    rows: list[tuple[Line, ...]] = [
        (("Transcript",), (Code(cut(judged.path.name)), f", {_SOURCES[whole.source]}")),
        (("Messages",), (f"{whole.messages}, {whole.sent} of them from the client",)),
        (("Complete",), ("yes",) if whole.problem is None else (Toned("no", "warn"), f": {cut(whole.problem, 200)}")),
        (("Contract",), (f"{cut(contract.name)} {cut(contract.version)}, sha256 {contract.sha256[:12]}",)),
    ]
    if whole.command:
        rows.insert(1, (("Server",), (Code(phrase(shlex.join(whole.command), 120)),)))
    return Table(("Fact", "Value"), tuple(rows))


def _told(rule: RuleResult) -> tuple[Block, ...]:
    heading = Heading((Code(rule.id), f" - {rule.verdict} ({rule.level})"), small=True)
    items: list[Line] = [
        (Strong("The client must"), f": {phrase(rule.must, SENTENCE)}"),
        *(((Strong("It did"), f": {phrase(text, SENTENCE)}")) for text in breach_lines(rule, _BREACHES)),
        (Strong("Why"), f": {phrase(rule.why, SENTENCE)}"),
        (Strong("Source"), f": {phrase(rule.source, SENTENCE)}"),
    ]
    return heading, Bullets(tuple(items))


def _rules(rules: tuple[RuleResult, ...]) -> Table:
    rows = tuple(
        (
            (Code(rule.id),),
            (Toned(rule.verdict, _TONES[rule.verdict]),),
            (str(rule.seen),),
            (phrase(rule.must, SENTENCE),),
        )
        for rule in rules
    )
    return Table(("Rule", "Verdict", "Seen", "The client must"), rows)


def _transcript(judged: Judged, rule: RuleResult) -> Collapsed:
    numbers = sorted({n for breach in rule.breaches[:_BREACHES] for n in (breach.message, *breach.beside)})
    blocks: list[Paragraph | CodeBlock] = []
    for message in [judged.messages[n] for n in numbers[:_MESSAGES]]:
        head = f"Message {message.n}, {message.direction}, {message.bytes} bytes, at {message.ms:.1f} ms"
        # What is no message has no members by which to tell what a user wrote.
        said = "…" if message.body is None else brief(message.body)
        blocks += [Paragraph((head,)), CodeBlock(message_text(replace(message, body=said, text=None)))]
    count = len(blocks) // 2
    return Collapsed(f"{rule.id} - {count} message{'' if count == 1 else 's'}", tuple(blocks))
