"""What a note says, in order, as units that can be left out one by one when it gets too long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hive_gate.report import facts, verdict
from hive_gate.report.escape import is_plain_name
from hive_gate.report.excerpt import message_text, of_clause
from hive_gate.report.model import ClauseResult, Note, Report
from hive_gate.report.note import (
    Block,
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Heading,
    Inline,
    Line,
    Paragraph,
    Strong,
    Table,
)
from hive_gate.report.plain import cut, phrase
from hive_gate.report.statement import LABELS, by_support
from hive_gate.report.verdict import Reference, SuiteSummary

SENTENCE = 320
"""Characters of a sentence in a list; there is room for what was expected and what came."""

FINDINGS = 4
"""Findings of one clause that are shown."""

MESSAGES = 12
"""Messages of one transcript: the first and the last ones."""

NEWS = 12
"""News that are shown."""

_NAMED = re.compile(r"`([^`]+)`")

CELL = 72
"""Characters of what came in the tables of all clauses."""

NAMES = 6
"""Clauses that a cell of the suite table names."""


_ISSUE = re.compile(r"((?<![\w/])#\d{1,9}\b)")

FAILURES_FIRST = 20
"""Failures that are kept before any transcript; with more, the rest comes after the first transcripts."""

TRANSCRIPTS_FIRST = 5
"""Transcripts that are kept before the rest of the failures."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Blocks that are kept or left out together.

    Args:
        rank: units of a lower rank are kept first; equal ones in their order.
        kind: what to count it as when it is left out, such as `transcripts`.
        name: its name among its kind, such as the id of a clause; empty where there is one only.
        section: heading above the first unit of a section that is kept; None for none.
        blocks: what it says.
    """

    rank: int
    kind: str
    name: str
    section: str | None
    blocks: tuple[Block, ...]


def units(report: Report) -> Iterator[Unit]:
    """Yield the units of the note between its first line and its last, in order."""
    yield Unit(1, "table of facts", "", None, (_facts(report),))
    if report.clauses:
        yield Unit(1, "table of suites", "", None, (_suites(report),))
    left = verdict.by_urgency(report.clauses)
    shown = [c for c in left if c.verdict not in ("not-offered", "waived")]
    for number, clause in enumerate(shown):
        rank = 3 if number < FAILURES_FIRST else 5
        yield Unit(rank, "clauses that are not passed", clause.id, "Not passed", _failure(clause))
    for group in verdict.waived(report):
        # As hard to cut as the tables of facts: what is accepted must not be out of sight.
        name = group[0].waiver.entry if group[0].waiver else group[0].id
        yield Unit(1, "waived failures", name, "Waived by the baseline", (Bullets((_waived(group),)),))
    absent = tuple(_absent(c for c in left if c.verdict == "not-offered"))
    if absent:
        yield Unit(4, "list of clauses that are not offered", "", "Not offered by this target", (Bullets(absent),))
    for note in report.constraints:
        yield Unit(2, "constraints", note.id, "Constraints", (Bullets((_note(note),)),))
    for note in report.decisions:
        yield Unit(2, "decisions", note.id, "Decisions", (Bullets((_note(note),)),))
    for suite in verdict.suites(report):
        clauses = tuple(c for c in report.clauses if c.suite == suite.id)
        yield Unit(5, "tables of clauses", suite.id, "Every clause", (_clauses(suite.title, clauses),))
    if report.news:
        yield Unit(4, "list of news", "", "News (never changes a verdict)", (_news(report),))
    for server in report.servers if report.run.problem else ():
        if server.stderr_tail.strip():
            block = Collapsed(
                f"stderr of server {server.index} - ended by {server.stop}",
                (CodeBlock(facts.lines(server.stderr_tail)),),
            )
            yield Unit(2, "outputs of servers", str(server.index), "What the target said", (block,))
    for number, clause in enumerate(shown):
        if block_of := _transcript(report, clause):
            rank = 4 if number < TRANSCRIPTS_FIRST else 6
            yield Unit(rank, "transcripts", clause.id, "Transcripts", (block_of,))


def _absent(clauses: Iterable[ClauseResult]) -> Iterator[Line]:
    """Yield a line for each reason, with the clauses that it holds for."""
    reasons: dict[str, list[ClauseResult]] = {}
    for clause in clauses:
        reasons.setdefault(clause.actual, []).append(clause)
    for reason, group in reasons.items():
        names = [piece for clause in group for piece in (", ", Code(cut(clause.id)))][1:]
        yield (*names, f": {phrase(reason, SENTENCE)}")


def _waived(group: tuple[ClauseResult, ...]) -> Line:
    """Say what is accepted, why and how long, and what really came."""
    names = [piece for clause in group[:NAMES] for piece in (", ", Code(cut(clause.id)))][1:]
    more = f" and {len(group) - NAMES} more" if len(group) > NAMES else ""
    first, waiver = group[0], group[0].waiver
    said = "" if waiver is None else f" {phrase(facts.accepted(waiver), 2 * SENTENCE)}"
    return (*names, f"{more}:{said} - what came: {phrase(first.actual, SENTENCE // 2)}", *_fingerprint(first))


def _fingerprint(clause: ClauseResult) -> Line:
    return () if clause.fingerprint is None else (" (fingerprint ", Code(clause.fingerprint), ")")


def _facts(report: Report) -> Table:
    rows: list[tuple[Line, ...]] = []
    for name, value in facts.facts(report):
        is_hash = facts.is_hash(value)
        rows.append(((name,), (Code(value) if is_hash else phrase(value, SENTENCE),)))
    return Table(("Fact", "Value"), tuple(rows))


def _suites(report: Report) -> Table:
    rows = tuple(
        ((cut(suite.title),), (f"{suite.passed}/{suite.total}",), _not_passed(suite))
        for suite in verdict.suites(report)
    )
    return Table(("Suite", "Passed", "Not passed"), rows)


def _not_passed(suite: SuiteSummary) -> Line:
    line: list[Code | str] = []
    for clause in suite.named[:NAMES]:
        line += [", "] if line else []
        line += [Code(cut(clause.id)), f" ({clause.verdict})"]
    if len(suite.named) > NAMES:
        line.append(f" and {len(suite.named) - NAMES} more")
    for phrase_of in suite.counted:
        line += [", "] if line else []
        line.append(phrase_of)
    return tuple(line)


def _clauses(title: str, clauses: tuple[ClauseResult, ...]) -> Collapsed:
    """All clauses of a suite with what came, so that a pass can be read as well as a failure."""
    rows: list[tuple[Line, ...]] = [((Code(cut(c.id)),), (c.verdict,), (phrase(c.actual, CELL),)) for c in clauses]
    label = f"{title} - {len(clauses)} clause{'' if len(clauses) == 1 else 's'}"
    return Collapsed(label, (Table(("Clause", "Verdict", "What came"), tuple(rows)),))


def _sourced(text: str) -> Line:
    """The contract's own source, in which an issue of this tracker is meant to be a live link."""
    parts = _ISSUE.split(phrase(text, SENTENCE))
    return tuple(Reference(part) if _ISSUE.fullmatch(part) else part for part in parts if part)


def _worded(before: str, text: str, length: int, after: str = "") -> Line:
    """Return the contract's own prose, in which names stand between backticks, with what is said around it."""
    found: list[Inline] = [before]
    for number, part in enumerate(_NAMED.split(phrase(text, length))):
        if number % 2 and is_plain_name(part):
            found += [Code(part), ""]
        else:
            # What no markup can set as code safely keeps its backticks, or nobody would see where it ends.
            found[-1] = f"{found[-1]}`{part}`" if number % 2 else f"{found[-1]}{part}"
    found[-1] = f"{found[-1]}{after}"
    return tuple(piece for piece in found if piece)


def _failure(clause: ClauseResult) -> tuple[Block, ...]:
    items: list[Line] = [
        (Strong("Expected"), *_worded(": ", clause.expected, SENTENCE)),
        (Strong("Actual"), ": " + phrase(clause.actual, SENTENCE), *_fingerprint(clause)),
        (Strong("Why Hive cares"), *_worded(": ", clause.why, SENTENCE)),
        (Strong("Source"), ": ", *_sourced(clause.source)),
    ]
    if clause.waiver is not None:
        said = f"{clause.waiver.problem or ''} Accepted so far: {facts.accepted(clause.waiver)}".lstrip()
        items.insert(2, (Strong("Baseline"), f": {phrase(said, 2 * SENTENCE)}"))
    told = {(clause.expected, clause.actual)}
    findings = [f for f in clause.findings if (f.expected, f.actual) not in told]
    for finding in findings[:FINDINGS]:
        where = "".join((
            f" at {phrase(finding.pointer, 80)}" if finding.pointer else "",
            f", step {finding.step}" if finding.step is not None else "",
            f", message {finding.message}" if finding.message is not None else "",
        ))  # fmt: skip
        # The first finding is what `Actual` says already; what it was held against is not.
        came = "" if finding.actual == clause.actual else f"; came {phrase(finding.actual, SENTENCE // 2)}"
        said = f": expected {phrase(finding.expected, SENTENCE // 2)}{came}"
        items.append((Code(cut(finding.check, 60)), where + said))
    if len(findings) > FINDINGS:
        items.append((f"… and {len(findings) - FINDINGS} more findings",))
    return (Heading((Code(cut(clause.id)), f" - {clause.verdict} ({clause.level})"), small=True), Bullets(tuple(items)))


def _note(note: Note) -> Line:
    status = f" ({cut(note.status, 20)})" if note.status else ""
    record: Line = (" Record: ", Code(cut(note.record)), ".") if note.record else ()
    return (
        Strong(_word(note.id)),
        *_worded(f"{status}: ", note.text, 2 * SENTENCE, " Source: "),
        *_sourced(note.source),
        ".",
        *record,
        _evidence(note),
        *_contradicted(note),
        *_measured(note),
    )


def _evidence(note: Note) -> str:
    numbers = dict.fromkeys(claim.measurement for claim in note.measured)
    told = [
        f"{what}{', '.join(map(cut, names[:NAMES]))}{', …' if len(names) > NAMES else ''}"
        for what, names in (("", note.evidence), ("measured ", tuple(numbers)))
        if names
    ]
    return f" Evidence: {'; '.join(told)}." if told else ""


def _contradicted(note: Note) -> Line:
    """Say which clauses of this run speak against a statement: a decision was made on what no longer holds."""
    if not note.contradicted:
        return ()
    names = [piece for ident in note.contradicted[:NAMES] for piece in (", ", Code(cut(ident)))][1:]
    more = f" and {len(note.contradicted) - NAMES} more" if len(note.contradicted) > NAMES else ""
    return (" ", Strong("Contradicted by this run"), ": ", *names, f"{more}.")


def _measured(note: Note) -> Iterator[Inline]:
    for support, told in by_support(note.measured):
        yield from (" ", Strong(LABELS[support]), f": {phrase(told, 2 * SENTENCE)}.")


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
