"""What a search found, for people: the answer first, then what changed, then both transcripts."""

from __future__ import annotations

from collections.abc import Iterator

from hive_gate.matrix.aligned import Pair
from hive_gate.matrix.bisect_sentence import counted, span
from hive_gate.matrix.bisection import Bisection, Boundary, Change, Seen, Stretch
from hive_gate.report.compose import SENTENCE, Unit
from hive_gate.report.document import Document
from hive_gate.report.facts import is_hash
from hive_gate.report.html.inline import TONES
from hive_gate.report.model import Verdict
from hive_gate.report.note import Bullets, Code, CodeBlock, Collapsed, Inline, Line, Paragraph, Table, Toned
from hive_gate.report.plain import cut, phrase

COLUMNS = 100
"""Columns of a terminal from which on both transcripts stand side by side."""

TRANSCRIPTS = 4
"""Clauses of one boundary whose transcripts are shown; those of more are in the JSON."""

_CAME = 160
"""Characters of what came, in a table."""

_TRANSCRIPTS = "Transcripts, before and after"

_NO_BREAK = "\N{NO-BREAK SPACE}"


def document(found: Bisection, *, side_by_side: bool) -> Document:
    """Return the document of a search.

    Args:
        found: what it found.
        side_by_side: set both transcripts in two columns, and not one below the other.
    """
    return Document(
        title=f"codex {found.good} to {found.bad}: {', '.join(found.clause)}",
        headline=(found.answer,),
        units=tuple(_units(found, side_by_side)),
        marker=f"hive-gate bisect {found.good} {found.bad}, contract sha256 "
        f"{found.contract.sha256[:16] if found.contract else 'unknown'}",
    )


def _units(found: Bisection, side_by_side: bool) -> Iterator[Unit]:
    yield Unit(1, "table of facts", "", None, (_facts(found),))
    for boundary in found.boundaries:
        yield Unit(1, "boundaries", boundary.first, "What changed", (_changes(boundary),))
    waverings = [(c.id, c.sequence) for b in found.boundaries for c in b.clauses if len(c.sequence) > 2]
    waverings += [(one.id, one.sequence) for one in found.wavering]
    if waverings:
        lines = tuple(_sequence(clause, sequence) for clause, sequence in waverings)
        yield Unit(1, "sequences", "", "Not monotonic: more than one change was seen", (Bullets(lines),))
    skipped = tuple(_problem(one) for one in found.seen if one.problem)
    if skipped:
        yield Unit(2, "versions that could not be judged", "", "Could not be judged", (Bullets(skipped),))
    yield Unit(3, "table of versions", "", "Versions that were looked at", (_versions(found),))
    for boundary in found.boundaries:
        for change in boundary.clauses[:TRANSCRIPTS]:
            yield _transcript(boundary, change, side_by_side)
        if len(boundary.clauses) > TRANSCRIPTS:
            more = f"{counted(len(boundary.clauses) - TRANSCRIPTS, 'more clause')} changed in {boundary.first}"
            note = Paragraph((f"{more}: the JSON has the transcripts.",))
            yield Unit(5, "notes", "", _TRANSCRIPTS, (note,))


def _facts(found: Bisection) -> Table:
    rows: list[tuple[str, str]] = [("Clauses asked for", ", ".join(found.clause))]
    what = "of those given" if found.among is not None else "published"
    rows.append(
        (
            "Could be the first",
            f"{counted(found.candidates, 'version')} {what}, after {found.good} and up to {found.bad}",
        )
    )
    cached = f", {found.from_cache} of them from the cache" if found.from_cache else ""
    rows.append(("Probes", f"{found.probes}{cached}; at most {found.limit} for one boundary where all can be judged"))
    if found.contract is not None:
        rows.append(("Contract", f"{found.contract.name} {found.contract.version}"))
        rows.append(("Contract SHA-256", found.contract.sha256))
    told = tuple(((name,), (Code(value) if is_hash(value) else phrase(value, SENTENCE),)) for name, value in rows)
    return Table(("Fact", "Value"), told)


def _changes(boundary: Boundary) -> Table:
    rows = tuple(
        ((Code(cut(change.id)),), _came(change.before.verdict, change.before.actual),
         _came(change.after.verdict, change.after.actual))
        for change in boundary.clauses
    )  # fmt: skip
    return Table(("Clause", boundary.before, boundary.first), rows)


def _came(verdict: Verdict, actual: str) -> Line:
    return (_verdict(verdict), f": {phrase(actual, _CAME)}")


def _verdict(verdict: Verdict) -> Toned:
    return Toned(verdict, TONES[verdict])


def _sequence(clause: str, sequence: tuple[Stretch, ...]) -> Line:
    line: list[Inline] = [Code(cut(clause)), ": "]
    for number, stretch in enumerate(sequence):
        line += [", " if number else "", _verdict(stretch.verdict), f" {span(stretch)}"]
    return tuple(line)


def _problem(one: Seen) -> Line:
    return (Code(one.version), f" ({one.state}): {phrase(one.problem or '', SENTENCE)}")


def _versions(found: Bisection) -> Table:
    rows = []
    # What was at hand from the start was asked for by nobody; the answer may rest on it all the same.
    told = {version for boundary in found.boundaries for version in (boundary.before, boundary.first)}
    for one in found.seen:
        how = "from the cache" if one.from_cache or not one.asked else f"{one.seconds:.1f} s"
        needed = one.asked or one.version in told
        rows.append(((Code(one.version),), _verdicts(one), (how if needed else f"{how}, not needed",)))
    return Table(("Version", "Verdicts", "Run"), tuple(rows))


def _verdicts(one: Seen) -> Line:
    """Count a version's verdicts, or name the state of its run where there is none."""
    verdicts = list(one.verdicts.values())
    if not verdicts:
        return (Toned(one.state, "bad"),)
    line: list[Inline] = []
    for verdict in dict.fromkeys(verdicts):
        many = f"{verdicts.count(verdict)} " if len(verdicts) > 1 else ""
        line += [", "] if line else []
        line.append(Toned(f"{many}{verdict}", TONES[verdict]))
    return tuple(line)


def _transcript(boundary: Boundary, change: Change, side_by_side: bool) -> Unit:
    if not change.exchanges:
        said = Paragraph((Code(cut(change.id)), " asks nothing of its own: it looks at a schema, or at all traffic."))
        return Unit(5, "notes", change.id, _TRANSCRIPTS, (said,))
    blocks: list[Paragraph | CodeBlock | Table] = []
    for pair in change.exchanges:
        if pair.left_out:
            told = f"{counted(pair.left_out, 'exchange')} left out here; the JSON has the number."
            blocks.append(Paragraph((f"… {told}",)))
        blocks += _columns(boundary, pair) if side_by_side else _stacked(boundary, pair)
    label = f"{change.id} - {boundary.before} and {boundary.first}"
    return Unit(4, "transcripts", change.id, _TRANSCRIPTS, (Collapsed(label, tuple(blocks)),))


_PARTS = {"request": "Request", "notifications": "Notifications", "reply": "Reply"}


def _title(pair: Pair, version: str | None = None) -> str:
    step = "" if pair.step is None else f" of step {pair.step}"
    where = f" on {version}" if version else ""
    return f"{_PARTS[pair.part]}{step}{where}, {cut(pair.method, 60)}"


def _same(pair: Pair) -> bool:
    return not any(row.differs for row in pair.rows)


def _columns(boundary: Boundary, pair: Pair) -> list[Paragraph | CodeBlock | Table]:
    if _same(pair):
        return _stacked(boundary, pair)
    rows = tuple((_cell(row.left, row.differs), _cell(row.right, row.differs)) for row in pair.rows)
    return [Paragraph((_title(pair),)), Table((boundary.before, boundary.first), rows)]


def _cell(text: str | None, differs: bool) -> Line:
    if not text:
        return ("",)
    # A line's own indentation would be lost in a cell.
    indent = len(text) - len(text.lstrip(" "))
    mark = Toned("!", "bad") if differs else _NO_BREAK
    return (mark, Code(_NO_BREAK * (indent + 1) + text[indent:]))


def _stacked(boundary: Boundary, pair: Pair) -> list[Paragraph | CodeBlock | Table]:
    if _same(pair):
        text = "\n".join(f"  {row.right}" for row in pair.rows)
        return [Paragraph((f"{_title(pair)}, the same in both",)), CodeBlock(text)]
    blocks: list[Paragraph | CodeBlock | Table] = []
    for version, side in ((boundary.before, "left"), (boundary.first, "right")):
        texts = [(row.differs, getattr(row, side)) for row in pair.rows]
        lines = [f"{'!' if differs else ' '} {text}" for differs, text in texts if text is not None]
        title = _title(pair, version)
        blocks += [Paragraph((title,)), CodeBlock("\n".join(lines))] if lines else [Paragraph((f"{title}: none",))]
    return blocks
