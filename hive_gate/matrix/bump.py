"""Whether Hive can take a version, as plain data: the JSON of `hive-gate can-i-bump` is exactly this."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from hive_gate.baseline.model import BaselineFile
from hive_gate.contract.model import Contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift import kinds
from hive_gate.drift.changes import count
from hive_gate.drift.sentence import concern
from hive_gate.matrix.better import Better, better, held
from hive_gate.matrix.bump_asked import Asked, backward
from hive_gate.matrix.bump_excepted import Excepted, as_it_came, excepted
from hive_gate.matrix.bump_groups import Group, Groups, unused
from hive_gate.matrix.bump_sentence import sentence
from hive_gate.matrix.drift import Drift
from hive_gate.matrix.runs import Outcome, State
from hive_gate.report import model
from hive_gate.report.fingerprint import steady
from hive_gate.report.model import OPENING, News, Report, Verdict
from hive_gate.report.verdict import is_broken_by_what_was_said

SCHEMA_ID = "hive-gate/bump/1"
"""The value of the result's `schema` member; it changes when a reader would have to."""

Answer = Literal["yes", "no", "not-judged"]

_UNJUDGED: tuple[Verdict, ...] = ("blocked", "error")
_KINDS = (
    "server-request", "notification", "deprecation-notice", "config-warning", "enum-member", "wire", "banner", "field",
    "survivor",
)  # fmt: skip
"""Kinds of news, what may need work first."""


@dataclass(frozen=True, slots=True)
class Program:
    """One of the two programs, and the run that tells of it."""

    version: str
    reported: str | None
    """As the program itself says."""
    sha256: str | None
    state: State
    problem: str | None
    """Why it was not judged, in one sentence."""
    hint: str | None
    """What to do about that."""
    from_cache: bool
    ran: str | None
    """When the run began, ISO 8601 in UTC."""
    seconds: float


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """One thing that the two programs say differently of themselves, and that Hive uses."""

    level: kinds.Level
    """`breaking` can stop Hive, `risky` is to be looked at, `news` cannot."""
    rule: str
    direction: kinds.Direction
    subject: str
    """The message or the definition in which it is."""
    path: str
    """JSON pointer from there."""
    explanation: str
    """What has changed, and why it concerns Hive."""
    fingerprint: str


@dataclass(frozen=True, slots=True)
class SchemaDrift:
    """How the schemas differ that the two programs generate of themselves."""

    changes: tuple[SchemaChange, ...]
    """Those that concern Hive, the worst first."""
    others: int
    """How many do not."""


@dataclass(frozen=True, slots=True)
class Bump:
    """The answer and its reasons."""

    schema: str
    answer: Answer
    sentence: str
    advice: str | None
    """For a no by the contract that ships with hive-gate and extends no other: where to read on."""
    asked: Asked
    candidate: Program
    before: Program | None
    """The version in use; None: it is the candidate itself."""
    backward: str | None
    """For a candidate that is older than the version before: what to know of a step back, with names in backticks."""
    contract: model.Contract | None
    """None if nothing was judged."""
    baseline: model.Baseline | None
    required: int
    """Required clauses of the candidate's run."""
    held: int | None
    """How many of them hold on the version before; None if that is not known, or there is none."""
    kept: int
    """How many of those hold on the candidate, too; of all required ones where `held` is None."""
    absent: int
    """How many of the required ones do not apply to the candidate, since it does not offer what they need."""
    blockers: tuple[Group, ...]
    """Required clauses that fail, those first that are about what Hive uses, and of these those that held before.
    One whose failure the baseline accepts no longer, or not in this way, is among them."""
    unjudged: tuple[Group, ...]
    """Required clauses that could not be judged."""
    stale: tuple[Excepted, ...]
    waived: tuple[Excepted, ...]
    gone: tuple[Group, ...]
    """Clauses that held before and do not apply any more: the candidate does not offer what they need."""
    warnings: tuple[Group, ...]
    """Advisory clauses that fail, and did not before."""
    cautions: tuple[str, ...]
    """Warnings about the program that ran, which the one before did not give."""
    better: Better
    drift: SchemaDrift | None
    """None: the schemas were not compared."""
    news: tuple[News, ...]
    """What the run saw that the contract does not speak of and the run before did not see. Fields are told apart by
    name and type, and what servers leave behind not at all."""


def bump(
    contract: Contract,
    candidate: Outcome,
    report: Report | None,
    before: Outcome | None,
    drift: Drift | None = None,
    *,
    baseline: BaselineFile | None = None,
    asked: Asked | None = None,
) -> Bump:
    """Return whether a version can be taken.

    Args:
        contract: what both were judged by.
        candidate: the run of the version that is asked about.
        report: its report with the baseline applied; the raw one where there is no baseline.
        before: the run of the version in use; None if it is the candidate itself.
        drift: how the schemas of the two differ; None if they were not compared.
        baseline: what was applied to the report; None: nothing.
        asked: by which words the versions were asked for; None: by themselves.
    """
    old = None if before is None else before.report
    was = {c.id: c.verdict for c in old.clauses} if old is not None else {}
    clauses = report.clauses if report is not None else ()
    came = [as_it_came(clause) for clause in clauses]
    required = [c for c in came if c.level == "required"]
    failing = [c for c in required if c.verdict not in (*OPENING, *_UNJUDGED)]
    groups = Groups(was, {clause.id: clause.remedy for clause in contract.clauses}, unused(contract))
    answer = _answer(report)
    new, there = candidate.task.version, (candidate if before is None else before).task.version
    made = Bump(
        schema=SCHEMA_ID,
        answer=answer,
        sentence="",
        advice=_advice(contract, new) if answer == "no" else None,
        asked=asked or Asked(new, there, None),
        candidate=_program(candidate),
        before=None if before is None else _program(before),
        backward=backward(new, there),
        contract=None if report is None else report.contract,
        baseline=None if report is None else report.baseline,
        required=len(required),
        held=sum(was.get(c.id) == "pass" for c in required) if was else None,
        kept=sum(held(c) and (not was or was.get(c.id) == "pass") for c in required),
        absent=sum(c.verdict == "not-offered" for c in required),
        blockers=groups.of(failing),
        unjudged=groups.of(c for c in required if c.verdict in _UNJUDGED),
        stale=excepted(clauses, "stale", baseline),
        waived=excepted(clauses, "waived", baseline),
        gone=groups.of(c for c in came if c.verdict == "not-offered" and was.get(c.id) == "pass"),
        warnings=groups.of(c for c in came if c.verdict == "warn" and was.get(c.id) != "warn"),
        cautions=_cautions(report, old),
        better=better(contract, old, report),
        drift=None if drift is None else _drift(drift),
        news=_news(report, old),
    )
    return replace(made, sentence=sentence(made, contract))


def _answer(report: Report | None) -> Answer:
    """Return what a run amounts to; what is known to be broken counts before what could not be judged."""
    if report is None:
        return "not-judged"
    verdicts = {c.verdict for c in report.clauses if c.level == "required"}
    if is_broken_by_what_was_said(report) or any(c.verdict == "stale" for c in report.clauses):
        return "no"
    if report.run.problem is not None or ("fail" not in verdicts and not verdicts.isdisjoint(_UNJUDGED)):
        return "not-judged"
    return "yes" if report.gate == "open" else "no"


def _advice(contract: Contract, version: str) -> str | None:
    """Return where to read on after a no by the contract that Hive keeps today; a copy in a checkout is that one."""
    if contract.path.name != DEFAULT_CONTRACT.name:
        return None
    return (
        "What Hive has to change to move on stands in `docs/stay-or-move.md`; "
        f"`hive-gate can-i-bump {version} --contract next` judges by the next contract."
    )


def _program(outcome: Outcome) -> Program:
    report, problem, hint = outcome.report, outcome.problem, outcome.hint
    return Program(
        version=outcome.task.version,
        reported=None if report is None else report.target.version,
        sha256=None if report is None else report.target.sha256,
        state=outcome.state,
        problem=problem if problem is None or hint is None else problem.removesuffix(f" ({hint})"),
        hint=hint,
        from_cache=outcome.from_cache,
        ran=None if report is None else report.run.started,
        seconds=round(outcome.seconds, 3),
    )


def _drift(drift: Drift) -> SchemaDrift:
    changes = (
        SchemaChange(
            level=change.level,
            rule=change.rule,
            direction=change.direction,
            subject=change.subject,
            path=change.path,
            explanation=f"{change.explanation} {concern(change.uses)}".rstrip(),
            fingerprint=change.fingerprint,
        )
        for change in drift.changes.used
    )
    return SchemaDrift(tuple(changes), count(drift.changes.others).total)


def _cautions(report: Report | None, before: Report | None) -> tuple[str, ...]:
    known = {steady(text) for text in before.target.warnings} if before is not None else set()
    return tuple(text for text in (report.target.warnings if report else ()) if steady(text) not in known)


def _news(report: Report | None, before: Report | None) -> tuple[News, ...]:
    known = {_news_key(one) for one in before.news} if before is not None else set()
    new = [one for one in (report.news if report else ()) if _news_key(one) not in known]
    return tuple(sorted(new, key=lambda one: _KINDS.index(one.kind) if one.kind in _KINDS else len(_KINDS)))


def _news_key(news: News) -> tuple[str, str]:
    """Return by what a piece of news is known again in another run."""
    if news.kind == "survivor":  # which of its helpers a server leaves behind is chance
        return news.kind, ""
    return news.kind, _field(news) if news.kind == "field" else steady(news.text)


def _field(news: News) -> str:
    """Return a field's name with its type: of `historyMode (string) in thread/list: /data/*, …`, or of one place."""
    return re.sub(r" in .*", "", news.text).rpartition("/")[2]


def field_name(news: News) -> str:
    """Return the name of the field that news of a field is about."""
    return _field(news).partition(" (")[0]
