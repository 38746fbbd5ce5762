"""Whether Hive can take a version, for people: yes or no first, then what stands in the way and what to do about it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from hive_gate.drift.kinds import Level
from hive_gate.matrix.better import Offered, Supported
from hive_gate.matrix.bump import Bump, Program, SchemaDrift, field_name
from hive_gate.matrix.bump_excepted import Excepted
from hive_gate.matrix.bump_groups import Group, Standing
from hive_gate.matrix.drift_document import line
from hive_gate.report.compose import NAMES, NEWS, SENTENCE, Unit
from hive_gate.report.document import Document
from hive_gate.report.html.inline import TONES
from hive_gate.report.note import Block, Bullets, Code, Heading, Inline, Line, Paragraph, Strong, Table, Tone, Toned
from hive_gate.report.plain import cut, phrase

_ANSWERS: dict[str, tuple[str, Tone]] = {
    "yes": ("Yes", "good"),
    "no": ("No", "bad"),
    "not-judged": ("Not known", "bad"),
}
"""Answer to the words with which its sentence begins, and their tone."""


_CHANGES = 12
"""Changes of schemas that are told one by one."""

_LEVELS: dict[Level, Tone] = {"breaking": "bad", "risky": "warn", "news": "dim"}

_FIELDS = 24
"""New fields that are named."""

_TEXTS = 6
"""Ways to fail, promises and reasons of one group that are shown."""


def document(bump: Bump) -> Document:
    """Return the document of an answer."""
    word, tone = _ANSWERS[bump.answer]
    return Document(
        title=f"Can Hive take codex {bump.candidate.version}?",
        headline=(Toned(word, tone), bump.sentence.removeprefix(word)),
        units=tuple(_units(bump)),
        marker=f"hive-gate can-i-bump {cut(bump.candidate.version, 40)}, program sha256 "
        f"{(bump.candidate.sha256 or 'unknown')[:16]}, contract sha256 "
        f"{bump.contract.sha256[:16] if bump.contract else 'unknown'}",
    )


def _units(bump: Bump) -> Iterator[Unit]:
    there = bump.before.version if bump.before is not None else None
    blockers = [group for group in bump.blockers if group.before != "failed"]
    already = [group for group in bump.blockers if group.before == "failed"]
    if bump.backward is not None:
        yield Unit(1, "step back", "", None, (Paragraph((Toned("Beware", "warn"), ": ", *line(bump.backward))),))
    if bump.advice is not None:
        yield Unit(1, "advice", "", None, (Paragraph(line(bump.advice)),))
    yield Unit(1, "table of facts", "", None, (_facts(bump),))
    yield from _groups(blockers, "What stands in the way", there)
    yield from _groups(already, f"Broken on {there} already", there)
    yield from _groups(bump.unjudged, "Could not be judged", there)
    if bump.stale or (bump.baseline is not None and bump.baseline.problems):
        yield Unit(1, "stale entries", "", "Entries of the baseline that do not hold", (_stale(bump),))
    if bump.waived:
        yield Unit(1, "accepted failures", "", "Accepted failures", (_waived(bump.waived),))
    if bump.gone:
        section = f"Held on {there}, and is not offered any more"
        better = {clause for supported in bump.better.supported for clause in supported.clauses}
        gone = tuple(line for group in bump.gone for line in _gone(group, better))
        if gone:
            yield Unit(2, "clauses that do not apply any more", "", section, (Bullets(gone),))
    # Where there is nothing to compare with, nobody knows which of them are new.
    warnings = "Warnings" if bump.held is None else "New warnings"
    yield from _groups(bump.warnings, f"{warnings} (advisory: they close nothing)", there, rank=3)
    if bump.better:
        yield Unit(2, "what got better", "", "What got better", (Bullets(tuple(_better(bump))),))
    if bump.drift is not None:
        yield from _drift(bump, bump.drift)
    if bump.cautions:
        cautions = tuple((phrase(text, SENTENCE),) for text in bump.cautions)
        yield Unit(2, "warnings about the program", "", "About the program that ran", (Bullets(cautions),))
    if bump.news:
        yield Unit(4, "list of news", "", "News (never changes the answer)", (_news(bump),))


def _facts(bump: Bump) -> Table:
    new, there = bump.candidate.version, (bump.before or bump.candidate).version
    rows: list[tuple[str, Line]] = [(name, (text,)) for name, text in bump.asked.rows(new, there)]
    rows += _program("Candidate", bump.candidate)
    if bump.before is not None:
        rows += _program("Compared with", bump.before)
    if bump.contract is not None:
        contract = bump.contract
        rows.append(("Contract", (f"{cut(contract.name)} {contract.version} (pins codex {contract.pinned})",)))
        rows.append(("Contract SHA-256", (Code(contract.sha256),)))
    if bump.baseline is not None:
        found = bump.baseline
        entries = "1 entry" if found.entries == 1 else f"{found.entries} entries"
        rows.append(("Baseline", (f"{entries}, {found.applied} for this version",)))
    elif bump.contract is not None:
        rows.append(("Baseline", ("none applied",)))
    return Table(("Fact", "Value"), tuple(((name,), value) for name, value in rows))


def _program(name: str, program: Program) -> Iterator[tuple[str, Line]]:
    said = program.reported
    version = f"codex {program.version}"
    if said is not None and said != program.version:
        version += f", which says that it is {said}"
    how = "from the cache, run" if program.from_cache else "run"
    when = f"{how} {program.ran}" if program.ran else "not run"
    yield name, (f"{version}; {when}",)
    if program.sha256 is not None:
        yield f"{name}: SHA-256", (Code(program.sha256),)
    if program.problem is not None:
        yield f"{name}: problem", (Toned(phrase(program.problem, SENTENCE), "bad"),)
    if program.hint is not None:
        yield f"{name}: what to do", (phrase(program.hint, SENTENCE),)


def _groups(groups: Iterable[Group], section: str, there: str | None, rank: int = 1) -> Iterator[Unit]:
    for group in groups:
        yield Unit(rank, section.lower(), group.clauses[0], section, tuple(_group(group, there)))


def _group(group: Group, there: str | None) -> Iterator[Block]:
    yield Heading((*_names(group.clauses), " - ", Toned(group.verdict, TONES[group.verdict])), small=True)
    items: list[Line] = []
    if group.remedy is not None:
        items.append((Strong("What Hive must do"), ": ", phrase(group.remedy, 2 * SENTENCE)))
    came = [(clause, failure.actual) for failure in group.failures for clause in failure.clauses]
    promises = [text for failure in group.failures for text in failure.promises]
    items += _texts("Came", came, ("way to fail", "ways to fail"))
    items += _texts("Promise", zip(group.clauses, promises, strict=True), ("promise", "promises"))
    items += _texts("Why Hive cares", zip(group.clauses, group.why, strict=True), ("reason", "reasons"))
    if there is not None and group.before != "failed":
        items.append((Strong(f"On {there}"), f": {_before(group.before)}"))
    prints = [failure.fingerprint for failure in group.failures if failure.fingerprint is not None]
    if prints:
        said = [piece for one in prints for piece in (", ", Code(one))][1:]
        items.append((Strong("Fingerprint" if len(prints) == 1 else "Fingerprints"), ": ", *said))
    yield Bullets(tuple(items))


def _texts(name: str, told: Iterable[tuple[str, str]], what: tuple[str, str]) -> Iterator[Line]:
    """Yield each text of clauses once; where they differ, with the clauses that it is of."""
    clauses: dict[str, list[str]] = {}
    for clause, text in told:
        clauses.setdefault(text, []).append(clause)
    for text, names in list(clauses.items())[:_TEXTS]:
        named: Line = (" (", *_names(tuple(names)), ")") if len(clauses) > 1 else ()
        yield (Strong(name), *named, ": ", phrase(text, SENTENCE))
    if (more := len(clauses) - _TEXTS) > 0:
        yield (f"… and {more} more {what[more > 1]}, in the JSON",)


def _before(standing: Standing) -> str:
    return {
        "held": "held",
        "not-offered": "did not apply, since what the clause needs was not offered",
        "failed": "failed as well",
        "unknown": "not known",
    }[standing]


def _names(clauses: tuple[str, ...]) -> Line:
    line: list[Inline] = []
    for clause in clauses[:NAMES]:
        line += [", "] if line else []
        line.append(Code(cut(clause)))
    if len(clauses) > NAMES:
        line.append(f" and {len(clauses) - NAMES} more")
    return tuple(line)


def _stale(bump: Bump) -> Bullets:
    items: list[Line] = [
        (Code(cut(one.clause)), f": {phrase(one.problem or one.reason, SENTENCE)}") for one in bump.stale
    ]
    items += [(phrase(text, SENTENCE),) for text in (bump.baseline.problems if bump.baseline is not None else ())]
    return Bullets(tuple(items))


def _waived(waived: tuple[Excepted, ...]) -> Table:
    rows = tuple(
        ((Code(cut(one.clause)),), (phrase(one.reason, SENTENCE),), (cut(one.owner),), (one.expires,)) for one in waived
    )
    return Table(("Clause", "Reason", "Owner", "Holds until"), rows)


def _gone(group: Group, better: Container[str]) -> Iterator[Line]:
    """Yield what is lost; that a refusal is gone is told where it is for the better."""
    for failure in group.failures:
        clauses = tuple(clause for clause in failure.clauses if clause not in better)
        if clauses:
            yield (*_names(clauses), f": {phrase(failure.actual, SENTENCE)}")


def _better(bump: Bump) -> Iterator[Line]:
    for supported in bump.better.supported:
        yield _supported(supported)
    for offered in bump.better.offered:
        need = " and ".join(need.replace(":", " ", 1) for need in offered.needs) or "what was not there"
        what = f"{need}. {offered.what.rstrip('.')}" if offered.what else need
        yield (Strong("Now offered"), f": {phrase(what, SENTENCE)}. {_holding(offered)}: ", *_names(offered.clauses))
    for mended in bump.better.mended:
        yield (Strong("Mended"), ": ", Code(cut(mended.clause)), f" holds; before: {phrase(mended.was, SENTENCE)}")


def _holding(offered: Offered) -> str:
    count = len(offered.clauses)
    if offered.needing == 1:
        return "The clause that needs it holds"
    if offered.needing == count:
        return f"The {count} clauses that need it hold"
    return f"{count} of the {offered.needing} clauses that need it hold{'s' if count == 1 else ''}"


def _supported(found: Supported) -> Line:
    if found.how == "works":
        said = ": a refusal as not supported was expected, and there is none any more: "
        return (Strong("No longer refused"), ": ", *_names(found.clauses), said, phrase(found.came, SENTENCE))
    gone = ": what was not supported there is gone by its name, and "
    there = " is there. That is taken from the names alone; no clause of this contract asks for it."
    return (Strong("Perhaps a successor"), ": ", *_names(found.clauses), gone, Code(found.name or ""), there)


def _drift(bump: Bump, drift: SchemaDrift) -> Iterator[Unit]:
    """What the programs say of themselves: the worst one by one, the rest counted."""
    section = "Schema drift among what Hive uses"
    told = [change for change in drift.changes if change.level != "news"]
    items: list[Line] = [
        (Toned(change.level, _LEVELS[change.level]), ": ", *line(change.explanation)) for change in told[:_CHANGES]
    ]
    news = len(drift.changes) - len(told)
    left = [
        f"{len(told) - _CHANGES} more to look at" if len(told) > _CHANGES else "",
        f"{news} that cannot break Hive" if news else "",
        f"{drift.others} that do not concern it" if drift.others else "",
    ]
    said = ", ".join(text for text in left if text)
    there = bump.before.version if bump.before is not None else bump.candidate.version
    command = f"hive-gate drift --from {there} --to {bump.candidate.version}"
    if items and said:
        items.append((f"… and {said}: ", Code(command)))
    elif not items:
        items.append((f"Nothing to look at{f'; {said}: ' if said else ''}", *([Code(command)] if said else [])))
    yield Unit(3, "schema drift", "", section, (Bullets(tuple(items)),))


def _news(bump: Bump) -> Bullets:
    told = [one for one in bump.news if one.kind != "field"]
    items: list[Line] = [
        (Code(cut(one.kind, 30)), f": {phrase(one.text, 160)}" + (f" ({one.count} times)" if one.count > 1 else ""))
        for one in told[:NEWS]
    ]
    if len(told) > NEWS:
        items.append((f"… and {len(told) - NEWS} more in the JSON",))
    # A new version adds dozens, and what Hive does not read it does not miss: their names are enough.
    fields = list(dict.fromkeys(field_name(one) for one in bump.news if one.kind == "field"))
    if fields:
        names = [piece for name in fields[:_FIELDS] for piece in (", ", Code(cut(name, 40)))][1:]
        more = f" and {len(fields) - _FIELDS} more in the JSON" if len(fields) > _FIELDS else ""
        items.append((f"{len(fields)} field{'' if len(fields) == 1 else 's'} that Hive does not read: ", *names, more))
    return Bullets(tuple(items))
