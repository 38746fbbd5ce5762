"""The whole result as a document for every format that people read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hive_gate.cost import tables, words
from hive_gate.cost.about_pages import LENGTHS
from hive_gate.cost.compare import names_of
from hive_gate.cost.facts import facts, lacking, partial
from hive_gate.cost.figures import figures
from hive_gate.cost.jsonfile import digest
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cost, Decision, Sentence
from hive_gate.cost.operations import OPERATIONS, STEP
from hive_gate.cost.shapes import SHAPES
from hive_gate.cost.telling import reached
from hive_gate.report.compose import SENTENCE, Unit
from hive_gate.report.document import Document
from hive_gate.report.note import Block, Bullets, Code, Collapsed, Heading, Inline, Line, Paragraph, Table, Tone, Toned
from hive_gate.report.plain import cut, phrase
from hive_gate.report.statement import Support, by_support

_SUPPORT: Mapping[Support, tuple[str, Tone]] = {
    "contradicted": ("Contradicted", "bad"),
    "not-told": ("Not told", "warn"),
    "supported": ("Supported", "good"),
}

PLAIN = "plain"
"""The shape that scroll steps are told of."""

_GROWN = (PLAIN, "real-legacy", "real-paginated")
"""Shapes of which it is told how what they cost grows."""

_GROWTH = "the power of stored turns with which it grows, with its 95 % interval: 1 is in proportion, 0 is not at all."
_TIMES = (
    "Wall time: the median, ± half the middle half of the repeats; a range where that is too wide; - was not measured."
)
_SHAPES = "A scroll step on threads of as many bytes as that many plain turns, put together in different ways."
_PRICES = "What one unit of stored history adds to it, from all hand-written shapes together."


def document(cost: Cost, *, brief: bool = False) -> Document:
    """Return what a measurement says.

    Args:
        cost: the measurement.
        brief: only what fits on a few screens; the files have the rest.
    """
    names = names_of(cost.targets)
    units = tuple(_units(cost, names))
    if brief:
        units = tuple(unit for unit in units if unit.rank == 1)
    marker = f"hive-gate cost {cost.run.id}, cost.json sha256 {digest(cost)[:16]}"
    return Document(f"What history costs on {' and '.join(names)}", headline(cost), units, marker)


def headline(cost: Cost) -> Line:
    """Return the answer in one line: a scroll step of each target, and whether the run is whole."""
    parts: list[str] = []
    for look, name in zip(_looks(cost), names_of(cost.targets), strict=True):
        mine = {s.id: s for s in cost.sentences if s.target == look.target}
        steps = [
            _step(look, turns, s.values)
            for turns in LENGTHS
            if (s := mine.get(f"step.{turns}")) is not None and not s.noisy
        ]
        parts.append(
            f"{cut(name)}: a scroll step costs {' and '.join(steps)}"
            if steps
            else f"{cut(name)}: no scroll step was told"
        )
    said = f"{'; '.join(parts)}."
    return (said,) if cost.run.complete else (f"{said} ", Toned(partial(cost), "warn"))


def _looks(cost: Cost) -> list[Look]:
    return [Look(i, cost.threads, cost.cells, cost.fits) for i in range(len(cost.targets))]


def _step(look: Look, turns: int, found: Mapping[str, float]) -> str:
    """Say what a scroll step takes, and how it is known if it was not measured, or not steadily."""
    took, on = words.milliseconds(found["ms"]), f"on {words.count(turns)} legacy turns"
    if found.get("measured"):
        return f"{took} {on}"
    return f"about {took} ({reached(look, PLAIN, turns, look.cell(PLAIN, turns, STEP))}) {on}"


def _units(cost: Cost, names: Sequence[str]) -> Iterator[Unit]:
    looks = _looks(cost)
    # A page about one program does not name it in every heading.
    of = [f": {cut(name)}" if len(names) > 1 else "" for name in names]
    yield Unit(1, "table of facts", "", None, (facts(cost),))
    for look, name in zip(looks, of, strict=True):
        mine = [s for s in cost.sentences if s.target == look.target]
        if mine:
            yield Unit(1, "answers", names[look.target], f"Answers{name}", (Bullets(tuple(map(_sentence, mine))),))
    for look, name in zip(looks, of, strict=True):
        judged = tuple(_decision(decision) for decision in cost.decisions if decision.target == look.target)
        if judged:
            yield Unit(1, "decisions", names[look.target], f"Decisions{name}", (Bullets(judged),))
    compared = [s for s in cost.sentences if s.target is None]
    if compared:
        yield Unit(1, "comparisons", "", "Side by side", (Bullets(tuple(map(_sentence, compared))),))
    for look, name in zip(looks, of, strict=True):
        yield from _shapes(look, f"Shapes{name}")
        paid = tables.prices(cost, look.target)
        if paid is not None:
            yield Unit(3, "tables of prices", names[look.target], f"Prices{name}", (Paragraph((_PRICES,)), paid))
    missing = tuple(lacking(cost, names))
    if missing:
        yield Unit(3, "list of what is missing", "", "Not measured", (Bullets(missing),))
    drawn = tuple(figures(cost))
    if drawn:
        yield Unit(4, "plots", "", "Plots", drawn)
    yield Unit(4, "legend", "", "Names", (_legend(cost),))


def _shapes(look: Look, section: str) -> Iterator[Unit]:
    """Yield the tables: first the shapes that have some in sight, then what compares the others with the plain one."""
    others: list[Unit] = []
    for shape in (s for s in SHAPES.values() if look.sizes(s.name)):
        name = shape.name
        grown = tables.growth(look, name) if name in _GROWN else None
        seen: list[Unit] = []
        if shape.thorough:
            seen.append(Unit(1 if name == PLAIN else 2, "tables of times", name, section, _times(look, name)))
        if grown is not None:
            seen.append(Unit(2, "tables of growth", name, section, (Paragraph((f"{name}: {_GROWTH}",)), grown)))
        more = _collapsed(look, name, times=not shape.thorough)
        unit = Unit(5, "tables of bytes, CPU and memory", name, section, (more,))
        if seen:
            yield _headed(f"{name}: {shape.title}", seen[0])
            yield from (*seen[1:], unit)
        else:
            others.append(unit)
    compared = tables.shapes(look)
    if compared is not None:
        others.insert(0, Unit(3, "tables of shapes", "", section, (Paragraph((_SHAPES,)), compared)))
    if others:
        yield _headed("Shapes side by side" if compared else "Other shapes", others[0])
        yield from others[1:]


def _headed(title: str, unit: Unit) -> Unit:
    return replace(unit, blocks=(Heading((title,), small=True), *unit.blocks))


def _times(look: Look, shape: str) -> tuple[Paragraph, Table]:
    return Paragraph((_TIMES,)), tables.times(look, shape)


def _collapsed(look: Look, shape: str, *, times: bool) -> Collapsed:
    """Return what a shape has besides what is in sight."""
    more = (
        *(_times(look, shape) if times else ()),
        Paragraph(("Bytes of the replies.",)), tables.sizes(look, shape),
        Paragraph(("CPU time of the server.",)), tables.times(look, shape, "cpu_ms"),
        Paragraph(("Peak memory of the server in MB.",)), tables.memory(look, shape),
    )  # fmt: skip
    return Collapsed(f"{shape}: {'times, ' if times else ''}bytes, CPU time, memory", more)


def _sentence(sentence: Sentence) -> Line:
    return (Toned(sentence.text, "warn"),) if sentence.noisy else (sentence.text,)


def _decision(decision: Decision) -> Line:
    """Say what the numbers say to a decision, and name them."""
    of = [] if decision.kind == "decision" else ["a constraint"]
    of += [decision.record] if decision.record else []
    parts: list[Inline] = [Code(decision.id), f" ({', '.join(of)}). " if of else ". "]
    for support, told in by_support(decision.measured):
        word, tone = _SUPPORT[support]
        parts += [Toned(word, tone), f": {phrase(told, 2 * SENTENCE)}. "]
    return (*parts[:-1], str(parts[-1]).rstrip())


def _legend(cost: Cost) -> Block:
    asked = {cell.operation for cell in cost.cells}
    made = {thread.shape for thread in cost.threads}
    rows: list[tuple[Line, ...]] = [((Code(o.name),), (o.title,)) for o in OPERATIONS.values() if o.name in asked]
    rows += [((Code(s.name),), (s.title,)) for s in SHAPES.values() if s.name in made]
    return Collapsed("What the names mean", (Table(("Name", "Meaning"), tuple(rows)),))
