"""What a note says, in order, as units that can be left out one by one when it gets too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hive_gate.report import facts, verdict
from hive_gate.report.excerpt import message_text, of_clause
from hive_gate.report.model import ClauseResult, Note, Report
from hive_gate.report.note import Block, Bullets, Code, CodeBlock, Collapsed, Heading, Line, Paragraph, Strong, Table
from hive_gate.report.plain import cut, phrase

SENTENCE = 320
"""Characters of a sentence in a list; there is room for what was expected and what came."""

FINDINGS = 4
"""Findings of one clause that are shown."""

MESSAGES = 12
"""Messages of one transcript: the first and the last ones."""

NEWS = 12
"""News that are shown."""

NAMES = 6
"""Clauses that a cell of the suite table names."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Blocks that are kept or left out together.

    Args:
        rank: units of a lower rank are kept first; equal ones in their order.
        name: what to call it when it is left out, such as `the transcript of resume.unknown-thread`.
        section: heading above the first unit of a section that is kept; None for none.
        blocks: what it says.
    """

    rank: int
    name: str
    section: str | None
    blocks: tuple[Block, ...]


def units(report: Report) -> Iterator[Unit]:
    """Yield the units of the note between its first line and its last, in order."""
    yield Unit(1, "the facts", None, (_facts(report),))
    if report.clauses:
        yield Unit(1, "the table of suites", None, (_suites(report),))
    left = verdict.by_urgency(report.clauses)
    shown = [c for c in left if c.verdict != "not-offered"]
    for clause in shown:
        yield Unit(2, f"{clause.id} ({clause.verdict})", "Not passed", _failure(clause))
    absent = tuple((Code(c.id), f": {phrase(c.actual, SENTENCE)}") for c in left if c.verdict == "not-offered")
    if absent:
        yield Unit(4, "the clauses that do not apply", "Not offered by this target", (Bullets(absent),))
    for note in report.constraints:
        yield Unit(3, f"constraint {note.id}", "Constraints", (Bullets((_note(note),)),))
    for note in report.decisions:
        yield Unit(3, f"decision {note.id}", "Decisions", (Bullets((_note(note),)),))
    if report.news:
        yield Unit(4, "the news", "News (never changes a verdict)", (_news(report),))
    for server in report.servers if report.run.problem else ():
        if server.stderr_tail.strip():
            block = Collapsed(
                f"stderr of server {server.index} - ended by {server.stop}",
                (CodeBlock(facts.lines(server.stderr_tail)),),
            )
            yield Unit(2, f"the stderr of server {server.index}", "What the target said", (block,))
    for clause in shown:
        if block_of := _transcript(report, clause):
            yield Unit(5, f"the transcript of {clause.id}", "Transcripts", (block_of,))


def _facts(report: Report) -> Table:
    rows: list[tuple[Line, ...]] = []
    for name, value in facts.facts(report):
        is_hash = facts.is_hash(value)
        rows.append(((name,), (Code(value) if is_hash else phrase(value, SENTENCE),)))
    return Table(("Fact", "Value"), tuple(rows))


def _suites(report: Report) -> Table:
    rows = tuple(
        ((cut(suite.title),), (f"{suite.passed}/{suite.total}",), _not_passed(suite.not_passed))
        for suite in verdict.suites(report)
    )
    return Table(("Suite", "Passed", "Not passed"), rows)


def _not_passed(clauses: tuple[ClauseResult, ...]) -> Line:
    line: list[Code | str] = []
    for clause in clauses[:NAMES]:
        line += [", "] if line else []
        line += [Code(cut(clause.id)), f" ({clause.verdict})"]
    if len(clauses) > NAMES:
        line.append(f" and {len(clauses) - NAMES} more")
    return tuple(line)


def _failure(clause: ClauseResult) -> tuple[Block, ...]:
    items: list[Line] = [
        (Strong("Expected"), ": " + phrase(clause.expected, SENTENCE)),
        (Strong("Actual"), ": " + phrase(clause.actual, SENTENCE)),
        (Strong("Why Hive cares"), ": " + phrase(clause.why, SENTENCE)),
        (Strong("Source"), ": " + phrase(clause.source, SENTENCE)),
    ]
    told = {(clause.expected, clause.actual)}
    findings = [f for f in clause.findings if (f.expected, f.actual) not in told]
    for finding in findings[:FINDINGS]:
        where = "".join((
            f" at {phrase(finding.pointer, 80)}" if finding.pointer else "",
            f", step {finding.step}" if finding.step is not None else "",
            f", message {finding.message}" if finding.message is not None else "",
        ))  # fmt: skip
        said = f": expected {phrase(finding.expected, SENTENCE // 2)}; came {phrase(finding.actual, SENTENCE // 2)}"
        items.append((Code(cut(finding.check, 60)), where + said))
    if len(findings) > FINDINGS:
        items.append((f"… and {len(findings) - FINDINGS} more findings",))
    return (Heading((Code(cut(clause.id)), f" - {clause.verdict} ({clause.level})"), small=True), Bullets(tuple(items)))


def _note(note: Note) -> Line:
    status = f" ({cut(note.status, 20)})" if note.status else ""
    evidence = ""
    if note.evidence:
        more = ", …" if len(note.evidence) > NAMES else ""
        evidence = f" Evidence: {', '.join(cut(e) for e in note.evidence[:NAMES])}{more}."
    return (
        Strong(_word(note.id)),
        f"{status}: {phrase(note.text, 2 * SENTENCE)} Source: {phrase(note.source, 80)}.{evidence}",
    )


def _word(text: str) -> str:
    """Return an id fit to be stressed: the signs that end a stressed span are left out."""
    return "".join(ch if ch.isalnum() or ch in " .-" else "-" for ch in cut(text, 60)).strip(" .-") or "-"


def _news(report: Report) -> Bullets:
    items: list[Line] = [
        (Code(cut(n.kind, 30)), f": {phrase(n.text, 160)}" + (f" ({n.count} times)" if n.count > 1 else ""))
        for n in report.news[:NEWS]
    ]
    if len(report.news) > NEWS:
        items.append((f"… and {len(report.news) - NEWS} more in report.json",))
    return Bullets(tuple(items))


def _transcript(report: Report, clause: ClauseResult) -> Collapsed | None:
    messages = of_clause(report, clause)
    if not messages:
        return None
    blocks: list[Paragraph | CodeBlock] = []
    half = MESSAGES // 2
    left_out = len(messages) - MESSAGES
    shown = messages if left_out <= 0 else messages[:half] + messages[-half:]
    for number, message in enumerate(shown):
        if left_out > 0 and number == half:
            blocks.append(Paragraph((f"… {left_out} messages are left out here; report.json has them.",)))
        head = f"Message {message.n}, {message.direction}, {message.bytes} bytes, at {message.ms:.1f} ms"
        blocks += [Paragraph((head,)), CodeBlock(message_text(message))]
    for exchange in clause.exchanges[:MESSAGES]:
        if exchange.reply is None:
            why = phrase(exchange.failure or "the reason is not known", SENTENCE)
            blocks.append(Paragraph((f"No reply to message {exchange.request}, {cut(exchange.method)}: {why}",)))
    return Collapsed(f"{clause.id} - {len(messages)} message{'' if len(messages) == 1 else 's'}", tuple(blocks))
