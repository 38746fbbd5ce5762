"""The two pages: a run's report, and a document of blocks."""

from __future__ import annotations

from hive_gate.report import facts, verdict
from hive_gate.report.document import Document
from hive_gate.report.html.embed import clauses_json, messages_json
from hive_gate.report.html.groups import groups
from hive_gate.report.html.inline import TONES, tone_of
from hive_gate.report.html.sections import sections
from hive_gate.report.html.shell import render
from hive_gate.report.model import VERDICTS, Report
from hive_gate.report.note import Toned
from hive_gate.report.noteformat import marker
from hive_gate.report.plain import cut
from hive_gate.report.redact import redact
from hive_gate.report.statement import LABELS, by_support

FILTERED = 20
"""A table with more rows than this has a filter."""

WIDE = 8
"""A table with more columns than this is printed across the paper's long side."""

FACTS = ("Fact", "Value")
"""The head of a table that says what ran: it is set like the facts of a report."""

SHORT = 20
"""A cell of at most so many characters stands on one line: `0.08 (0.05..0.11)`."""

_TITLE = 120

_FACT_TONES = {"Problem": "bad", "Baseline problem": "bad", "Warning": "warn"}


def report_page(report: Report, *, redacted: bool = False) -> str:
    """Return a run's report as one HTML file.

    Args:
        report: the run.
        redacted: whether user text and absolute paths are redacted.
    """
    shown = redact(report) if redacted else report
    counts = shown.counts
    return render(
        "report.html.j2",
        ("script.js", "sequence.js", *(("clauses.js",) if shown.clauses else ())),
        title=cut(verdict.headline_text(shown), _TITLE),
        headline=verdict.headline(shown),
        tone=TONES[verdict.outcome(shown)],
        report=shown,
        is_hash=facts.is_hash,
        accepted=facts.accepted,
        by_support=by_support,
        labels=LABELS,
        facts=[(name, value, _FACT_TONES.get(name)) for name, value in facts.facts(shown)],
        suites=verdict.suites(shown),
        counts=[(name, counts[name]) for name in VERDICTS if counts[name]],
        groups=list(groups(shown)),
        levels=list(dict.fromkeys(clause.level for clause in shown.clauses)),
        marker=marker(report),
        messages=messages_json(shown),
        clauses=clauses_json(shown),
    )


def document_page(document: Document) -> str:
    """Return a document as one HTML file; what is collapsed in it opens with a click, and is printed."""
    parts = sections(document)
    return render(
        "document.html.j2",
        ("script.js",),
        title=cut(document.title, _TITLE),
        headline=document.headline,
        tone=next((part.tone for part in document.headline if isinstance(part, Toned)), "plain"),
        name=document.title,
        sections=parts,
        contents=[part for part in parts if part.line and part.level == 2],
        marker=document.marker,
        tone_of=tone_of,
        filtered=FILTERED,
        wide=WIDE,
        facts=FACTS,
        short=SHORT,
    )
