"""Two targets that were measured side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hive_gate.cost import words
from hive_gate.cost.about_rest import range_of
from hive_gate.cost.fit import noisy
from hive_gate.cost.look import Look, disagree, ratio
from hive_gate.cost.model import Sentence
from hive_gate.cost.operations import HOST, STEP
from hive_gate.cost.telling import shown, steady_ms
from hive_gate.report.model import Target
from hive_gate.report.plain import cut

_ASKED = ((STEP, "a scroll step"), (HOST, "a restore with a first page"), ("restore/full", "a full restore"),
          ("read/turns", "a thread/read with all turns"))  # fmt: skip


_TOO_NOISY = " too noisy a time on either target to compare them."

_NAME = 40
"""Characters of a name; a target's words may be any."""


def name_of(target: Target) -> str:
    """Return what to call a target: `codex 0.142.5`."""
    named = f"codex {target.version or target.spec}" if target.kind == "codex" else target.spec
    return cut(named, _NAME)


def names_of(targets: Sequence[Target]) -> list[str]:
    """Return what to call each target; two of the same name are told apart."""
    names = [name_of(target) for target in targets]
    if len(names) == 2 and names[0] == names[1]:
        return [f"the first {names[0]}", f"the second {names[1]}"]
    return names


def comparison(looks: Sequence[Look], targets: Sequence[Target]) -> Iterator[Sentence]:
    """Yield how the second target does against the first, from rounds in which both were measured."""
    if len(looks) != 2:
        return
    names = names_of(targets)
    for shape, kind in (("plain", "legacy"), ("real-paginated", "paginated")):
        sizes = sorted(set(looks[0].sizes(shape)) & set(looks[1].sizes(shape)))
        for size in [s for s in sizes if s <= 1000][-1:]:
            for operation, what in _ASKED:
                first, second = (look.cell(shape, size, operation) for look in looks)
                found = ratio(second, first)
                if first is None or second is None:
                    continue
                text = f"On {words.count(size)} {kind} turns {what} takes"
                name = f"compare.{shape}.{operation}"
                if found is None or disagree(found, second, first):
                    yield Sentence(name, None, f"{text}{_TOO_NOISY}", True, {})
                    continue
                text += (
                    f" {shown(first)} on {names[0]} and {shown(second)} on {names[1]} "
                    f"({words.times(found.median)} times; {range_of(found)})."
                )
                numbers = {**steady_ms({"ms.first": first, "ms.second": second}), "ms.ratio": round(found.median, 3)}
                yield Sentence(name, None, text, False, numbers)
    yield from _across(looks, names)


def _across(looks: Sequence[Look], names: Sequence[str]) -> Iterator[Sentence]:
    """A page of a paginated thread where only the second target has any, beside the first one's legacy thread."""
    if looks[0].sizes("real-paginated") or not looks[1].sizes("real-paginated"):
        return
    size = max(looks[1].sizes("real-paginated"))
    first, second = looks[0].cell("real-legacy", size, STEP), looks[1].cell("real-paginated", size, STEP)
    if first is None or second is None:
        return
    text = f"On {words.count(size)} real turns a scroll step takes"
    if noisy(first) or noisy(second):
        yield Sentence("compare.modes", None, f"{text}{_TOO_NOISY}", True, {})
        return
    text += (
        f" {shown(first)} on {names[0]}, whose threads are legacy, and {shown(second)} on a paginated thread of "
        f"{names[1]}."
    )
    yield Sentence("compare.modes", None, text, False, steady_ms({"ms.first": first, "ms.second": second}))
