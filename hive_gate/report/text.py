"""The run for a terminal, as rich renderables. Whoever prints them decides on width and color."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hive_gate.report import facts, verdict
from hive_gate.report.compose import FINDINGS, NAMES, NEWS
from hive_gate.report.model import ClauseResult, Note, Report
from hive_gate.report.plain import cut, visible
from hive_gate.report.redact import redact
from hive_gate.report.statement import LABELS, by_support

WIDTH = 100
"""Columns of the plain text."""

_SENTENCE = 600

_COLORS = {"open": "green", "closed": "red", "partial": "yellow", "not-judged": "red"}
_NOTABLE = ("Warning", "Problem", "Baseline problem")
_STYLES = {"fail": "red", "stale": "red", "error": "red", "blocked": "red", "warn": "yellow"}


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Renders plain text without color; see `hive_gate.report.interface.Format`.

    Nothing is redacted by default: it is read where the run was, and the program's path is part of the answer.
    """

    name: str = "text"
    suffix: str = ".txt"
    redacted: bool = False

    def render(self, report: Report) -> str:
        """Return what a terminal of `WIDTH` columns would show."""
        out = io.StringIO()
        console = Console(file=out, width=WIDTH, color_system=None, force_terminal=False, legacy_windows=False)
        console.print(renderable(redact(report) if self.redacted else report))
        return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).rstrip("\n") + "\n"


def renderable(report: Report) -> Group:
    """Return the whole result: verdict, what ran, suites, and each clause that is not a pass."""
    return Group(*_parts(report))


def _parts(report: Report) -> Iterator[RenderableType]:
    color = _COLORS[verdict.outcome(report)]
    yield Panel(Text(verdict.headline_text(report), style=f"bold {color}"), border_style=color)
    yield _facts(report)
    for title, notes in (("Constraints", report.constraints), ("Decisions", report.decisions)):
        if notes:
            yield _heading(title)
            for note in notes:
                status = f" ({note.status})" if note.status else ""
                source = f"{note.source}, {note.record}" if note.record else note.source
                yield Padding(_said(f"{note.id}{status}", f"{note.text} [{source}]", "bold"), (0, 0, 0, 2))
                yield from (Padding(told, (0, 0, 0, 4)) for told in _support(note))
    if report.news:
        yield _heading("News")
        for news in report.news[:NEWS]:
            times = f" ({news.count} times)" if news.count > 1 else ""
            yield Padding(_said(news.kind, f"{news.text}{times}", "dim"), (0, 0, 0, 2))
        if len(report.news) > NEWS:
            yield Padding(Text(f"… and {len(report.news) - NEWS} more in report.json"), (0, 0, 0, 2))
    # What a reader came for stands last, where the terminal still shows it.
    if report.clauses:
        yield Text()
        yield _suites(report)
    left = verdict.by_urgency(report.clauses)
    aside = (*verdict.BRIEF, "waived")
    yield from _separated(_clause(group) for group in _alike(c for c in left if c.verdict not in aside))
    accepted = verdict.waived(report)
    if accepted:
        yield _heading("Waived by the baseline")
        yield from (_waived(group) for group in accepted)
    brief = list(_alike(c for c in left if c.verdict in verdict.BRIEF))
    if brief:
        yield Text()
        yield from (_brief(group) for group in brief)


def _support(note: Note) -> Iterator[Text]:
    """What speaks against a statement; a measurement that supports it is told as well."""
    if note.contradicted:
        names = ", ".join(cut(ident) for ident in note.contradicted[:NAMES])
        more = f" and {len(note.contradicted) - NAMES} more" if len(note.contradicted) > NAMES else ""
        yield Text(f"contradicted by this run: {names}{more}", style="yellow")
    for support, told in by_support(note.measured):
        style = "yellow" if support == "contradicted" else "dim"
        yield Text(f"{LABELS[support].lower()}: {cut(told, _SENTENCE)}", style=style)


def _alike(clauses: Iterable[ClauseResult]) -> Iterator[list[ClauseResult]]:
    """Group clauses for which the same is to be said, in the order of the first of each."""
    groups: dict[tuple[str, ...], list[ClauseResult]] = {}
    for clause in clauses:
        # Of one entry may be said, clause by clause, what differs: which fingerprint came, or that it passes.
        problem = clause.waiver.problem or "" if clause.waiver else ""
        full = (clause.expected, clause.why, clause.actual, clause.fingerprint or "", problem)
        same = (clause.actual,) if clause.verdict in verdict.BRIEF else full
        groups.setdefault((clause.verdict, *same), []).append(clause)
    yield from groups.values()


def _brief(group: list[ClauseResult]) -> Text:
    first = group[0]
    names = ", ".join(cut(c.id) for c in group[:NAMES])
    more = f" and {len(group) - NAMES} more" if len(group) > NAMES else ""
    return Text.assemble(
        (first.verdict.upper(), _STYLES.get(first.verdict, "dim")), f" {names}{more}: ", cut(first.actual, _SENTENCE)
    )


def _waived(group: tuple[ClauseResult, ...]) -> Padding:
    """What is accepted, why and how long, and what really came."""
    names = ", ".join(cut(c.id) for c in group)
    first, waiver = group[0], group[0].waiver
    lines = [("actual", first.actual), ("fingerprint", first.fingerprint or "")]
    if waiver is not None:
        lines = [("reason", facts.accepted(waiver)), *lines]
    return Padding(Group(Text(names), Padding(_pairs(lines), (0, 0, 0, 2))), (0, 0, 0, 2))


def _separated(groups: Iterator[Group]) -> Iterator[RenderableType]:
    for number, group in enumerate(groups):
        if number:
            yield Text()
        yield group


def _facts(report: Report) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts.facts(report):
        table.add_row(name, Text(cut(value, _SENTENCE), style="yellow" if name in _NOTABLE else ""))
    return table


def _suites(report: Report) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("Suite", overflow="fold")
    table.add_column("Passed", justify="right", no_wrap=True)
    table.add_column("Not passed", overflow="fold")
    for suite in verdict.suites(report):
        parts = [Text(f"{cut(c.id)} ({c.verdict})", style=_STYLES.get(c.verdict, "")) for c in suite.named[:NAMES]]
        if len(suite.named) > NAMES:
            parts.append(Text(f"and {len(suite.named) - NAMES} more"))
        names = Text(", ").join([*parts, *map(Text, suite.counted)])
        style = "green" if suite.passed == suite.total else ""
        table.add_row(Text(cut(suite.title, 40)), Text(f"{suite.passed}/{suite.total}", style=style), names)
    return table


def _clause(group: list[ClauseResult]) -> Group:
    clause = group[0]
    names = ", ".join(cut(c.id) for c in group)
    head = Text.assemble((clause.verdict.upper(), _STYLES.get(clause.verdict, "")), f" {names} ({clause.level})")
    lines = [("expected", clause.expected), ("actual", clause.actual), ("why", clause.why), ("source", clause.source)]
    if clause.waiver is not None:
        problem = clause.waiver.problem or ""
        lines.insert(2, ("baseline", f"{problem} Accepted so far: {facts.accepted(clause.waiver)}".lstrip()))
    told = {(clause.expected, clause.actual)}
    findings = [f for f in clause.findings if (f.expected, f.actual) not in told]
    for finding in findings[:FINDINGS]:
        where = f" at {finding.pointer}" if finding.pointer else ""
        # The first finding is what `actual` says already; what it was held against is not.
        came = "" if finding.actual == clause.actual else f"; came {finding.actual}"
        lines.append((finding.check, f"expected {finding.expected}{came}{where}"))
    if len(findings) > FINDINGS:
        lines.append(("…", f"{len(findings) - FINDINGS} more findings in report.json"))
    if clause.fingerprint is not None:
        lines.append(("fingerprint", clause.fingerprint))
    return Group(head, Padding(_pairs(lines), (0, 0, 0, 2)))


def _pairs(lines: Iterable[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in lines:
        table.add_row(Text(cut(name, 40)), Text(cut(value, _SENTENCE)))
    return table


def _heading(title: str) -> Padding:
    return Padding(Text(title, style="bold"), (1, 0, 0, 0))


def _said(name: str, text: str, style: str) -> Text:
    return Text.assemble((visible(cut(name, 60)), style), ": ", cut(text, _SENTENCE))
