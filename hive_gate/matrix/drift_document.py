"""What differs between two targets, for people: what concerns Hive first, the rest counted or listed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hive_gate.drift.changes import Change, count
from hive_gate.drift.kinds import LEVELS, Level
from hive_gate.drift.sentence import concern, listed
from hive_gate.matrix.drift import Drift
from hive_gate.matrix.drift_side import Side
from hive_gate.report.compose import SENTENCE, Unit
from hive_gate.report.document import Document
from hive_gate.report.note import Bullets, Code, Inline, Line, Paragraph, Table, Tone, Toned
from hive_gate.report.plain import cut, phrase
from hive_gate.target.spec import VersionSpec, parse_spec

_TONES: dict[Level, Tone] = {"breaking": "bad", "risky": "warn", "news": "good"}

_MEANS: dict[Level, str] = {
    "breaking": "Breaking: Hive can stop working",
    "risky": "Risky: to be looked at",
    "news": "News",
}

_CHUNK = 20
"""Changes of one unit, which a note keeps or leaves out as a whole."""

_METHODS = 3
"""Methods that are named of a change that does not concern Hive."""


def document(drift: Drift, *, everything: bool = False) -> Document:
    """Return the document of a comparison; `everything`: also what does not concern Hive, one by one."""
    return Document(
        title=f"From {drift.old.name} to {drift.new.name}",
        headline=headline(drift),
        units=tuple(_units(drift, everything)),
        marker=f"hive-gate drift {drift.old.checksum} {drift.new.checksum}, "
        f"contract sha256 {drift.contract.sha256[:16]}",
    )


def headline(drift: Drift) -> Line:
    """Return the answer in one line: whether something breaks Hive, and how much there is to look at."""
    used = count(drift.changes.used)
    between = f"between {drift.old.name} and {drift.new.name}"
    if not used.total:
        same = ": they say exactly the same of themselves" if drift.old.checksum == drift.new.checksum else ""
        return (Toned("No change", "good"), f" {between} concerns Hive{same}.")
    if used.total == 1:
        concern_it, news = f"1 change {between} concerns Hive", "and it is news"
        breaking, risky = "and it is breaking", "and has to be looked at"
    else:
        concern_it, news = f"{used.total} changes {between} concern Hive", "and all are news"
        looked_at = f", {used.risky} to be looked at" if used.risky else ""
        breaking, risky = f"{used.breaking} of them breaking{looked_at}", f"none of them breaking{looked_at}"
    if used.breaking:
        return (Toned("Breaking", "bad"), f": {concern_it}, {breaking}.")
    if used.risky:
        return (Toned("Risky", "warn"), f": {concern_it}, {risky}.")
    return (Toned("Nothing breaks", "good"), f": {concern_it}, {news}.")


def _units(drift: Drift, everything: bool) -> Iterator[Unit]:
    yield Unit(1, "notes", "", None, (Paragraph(line(_limits(drift.new))),))
    yield Unit(1, "table of facts", "", None, (_facts(drift),))
    for rank, level in enumerate(LEVELS, start=1):
        yield from _section(f"{_MEANS[level]}", level, drift.changes.used, rank)
    if missed := not_compared(drift, everything):
        yield Unit(1, "what was not compared", "", None, (Paragraph(line(missed)),))
    rest = count(drift.changes.others)
    if everything:
        for rank, level in enumerate(LEVELS, start=4):
            yield from _section(f"Not used by Hive: {level}", level, drift.changes.others, rank)
    elif rest.total:
        levels = ", ".join(f"{getattr(rest, level)} {level}" for level in LEVELS if getattr(rest, level))
        others = "other change does" if rest.total == 1 else "other changes do"
        text = f"{rest.total} {others} not concern Hive ({levels} to those who use it); --all tells them."
        yield Unit(1, "count of the rest", "", "The rest", (Paragraph((text,)),))


def not_compared(drift: Drift, everything: bool) -> str:
    """Return the sentence that names whose results could not be compared; empty if there are none."""
    names = drift.left_out(everything)
    if not names:
        return ""
    results, them = ("result", "it") if len(names) == 1 else ("results", "them")
    which = f"The {results} of {listed(names, len(names))} could not be compared"
    return f"{which}: in one target or both, no schema is named after {them}."


def _limits(new: Side) -> str:
    """Say that this is no answer to whether Hive can take a target, and name the command that gives one."""
    spec = parse_spec(new.spec)
    asks = f"can-i-bump {spec.version}" if isinstance(spec, VersionSpec) else f"probe --codex {new.spec}"
    return f"Schemas only: this does not ask how the server behaves; `hive-gate {asks}` does."


def _facts(drift: Drift) -> Table:
    contract = drift.contract
    return Table(
        ("Fact", "Value"),
        (
            (("From",), _side(drift.old)),
            (("To",), _side(drift.new)),
            (("Contract",), (f"{cut(contract.name)} {contract.version}, SHA-256 ", Code(contract.sha256[:16]))),
        ),
    )


def _side(side: Side) -> Line:
    if side.sha256 is None:
        return (cut(side.name), ": digest ", Code(side.checksum), " that ships with hive-gate")
    return (cut(side.name), ": digest ", Code(side.checksum), " of the program with SHA-256 ", Code(side.sha256[:16]))


def _section(title: str, level: Level, changes: Sequence[Change], rank: int) -> Iterator[Unit]:
    found = [change for change in changes if change.level == level]
    for start in range(0, len(found), _CHUNK):
        part = found[start : start + _CHUNK]
        section = f"{title} ({len(found)})"
        name = f"from {part[0].subject}"
        yield Unit(rank, f"groups of {level} changes", name, section, (Bullets(tuple(map(_change, part))),))


def _change(change: Change) -> Line:
    why = concern(change.uses) if change.used else _reach(change)
    said = f"{change.explanation} {why}".rstrip()
    return (*line(said), " ", Toned(f"[{change.rule} {change.fingerprint}]", "dim"))


def _reach(change: Change) -> str:
    """Return which methods a change in a shared definition concerns; in a message itself that is plain."""
    if change.subject_kind != "definition":
        return ""
    where = {"client-request": "To", "server-response": "From", "notification": "In", "server-request": "In"}
    how = "Answering" if change.rule.startswith("answer-") else where[change.direction]
    return f"{how} {listed(change.methods, _METHODS)}."


def line(text: str) -> Line:
    """Return a sentence with its names in backticks set as code."""
    pieces: list[Inline] = []
    for number, part in enumerate(text.split("`")):
        if part:
            pieces.append(Code(cut(part, SENTENCE)) if number % 2 else phrase(part, SENTENCE))
    return tuple(pieces)
