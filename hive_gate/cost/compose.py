"""The whole result as a document for every format that people read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hive_gate.cost import tables, words
from hive_gate.cost.compare import names_of
from hive_gate.cost.facts import facts, lacking, partial
from hive_gate.cost.figures import figures
from hive_gate.cost.jsonfile import digest
from hive_gate.cost.look import Look
from hive_gate.cost.model import Cost, Decision, Sentence
from hive_gate.cost.operations import OPERATIONS
from hive_gate.cost.shapes import SHAPES
from hive_gate.report.compose import SENTENCE, Unit
from hive_gate.report.document import Document
from hive_gate.report.note import Block, Bullets, Code, Collapsed, Inline, Line, Paragraph, Table, Tone, Toned
from hive_gate.report.plain import cut, phrase
from hive_gate.report.statement import Support, by_support

_SUPPORT: Mapping[Support, tuple[str, Tone]] = {
    "contradicted": ("Contradicted", "bad"),
    "not-told": ("Not told", "warn"),
    "supported": ("Supported", "good"),
}

_GROWTH = "The power of stored turns with which it grows, with its 95 % interval: 1 is in proportion, 0 is not at all."
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
    for index, name in enumerate(names_of(cost.targets)):
        mine = {s.id: s for s in cost.sentences if s.target == index}
        steps = [
            f"{words.milliseconds(s.values['ms'])} on {words.count(turns)} turns"
            for turns in (1000, 10_000)
            if (s := mine.get(f"step.{turns}")) is not None and not s.noisy
        ]
        parts.append(
            f"{cut(name)}: a scroll step costs {' and '.join(steps)}"
            if steps
            else f"{cut(name)}: no scroll step was told"
        )
    said = f"{'; '.join(parts)}."
    return (said,) if cost.run.complete else (f"{said} ", Toned(partial(cost), "warn"))


def _units(cost: Cost, names: Sequence[str]) -> Iterator[Unit]:
    looks = [Look(i, cost.threads, cost.cells, cost.fits) for i in range(len(cost.targets))]
    yield Unit(1, "table of facts", "", None, (facts(cost),))
    for look, name in zip(looks, names, strict=True):
        yield from _tables(cost, look, cut(name))
    for look, name in zip(looks, names, strict=True):
        mine = [s for s in cost.sentences if s.target == look.target]
        if mine:
            yield Unit(1, "answers", name, f"Answers: {cut(name)}", (Bullets(tuple(map(_sentence, mine))),))
    for look, name in zip(looks, names, strict=True):
        judged = tuple(_decision(decision) for decision in cost.decisions if decision.target == look.target)
        if judged:
            yield Unit(1, "decisions", name, f"Decisions: {cut(name)}", (Bullets(judged),))
    compared = [s for s in cost.sentences if s.target is None]
    if compared:
        yield Unit(1, "comparisons", "", "Side by side", (Bullets(tuple(map(_sentence, compared))),))
    missing = tuple(lacking(cost, names))
    if missing:
        yield Unit(3, "list of what is missing", "", "Not measured", (Bullets(missing),))
    drawn = tuple(figures(cost))
    if drawn:
        yield Unit(4, "plots", "", "Plots", drawn)
    yield Unit(4, "legend", "", "Names", (_legend(cost),))


def _tables(cost: Cost, look: Look, name: str) -> Iterator[Unit]:
    for shape in (s for s in SHAPES.values() if look.sizes(s.name)):
        section = f"{name}, {shape.name}: {shape.title}"
        grown = tables.growth(look, shape.name)
        if grown is not None and shape.name in ("plain", "real-legacy", "real-paginated"):
            yield Unit(2, "tables of growth", shape.name, section, (Paragraph((_GROWTH,)), grown))
        if shape.thorough:
            rank = 1 if shape.name == "plain" else 2
            yield Unit(
                rank, "tables of times", shape.name, section, (Paragraph((_TIMES,)), tables.times(look, shape.name))
            )
        more: tuple[Paragraph | Table, ...] = (
            *(() if shape.thorough else (Paragraph((_TIMES,)), tables.times(look, shape.name))),
            Paragraph(("Bytes of the replies.",)), tables.sizes(look, shape.name),
            Paragraph(("CPU time of the server.",)), tables.times(look, shape.name, "cpu_ms"),
            Paragraph(("Peak memory of the server in MB.",)), tables.memory(look, shape.name),
        )  # fmt: skip
        yield Unit(
            5,
            "tables of bytes, CPU and memory",
            shape.name,
            section,
            (Collapsed(f"{shape.name}: bytes, CPU time, memory", more),),
        )
    for title, told, table in (
        ("shapes", _SHAPES, tables.shapes(look)),
        ("prices", _PRICES, tables.prices(cost, look.target)),
    ):
        if table is not None:
            yield Unit(3, f"tables of {title}", name, f"{name}, {title}", (Paragraph((told,)), table))


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
