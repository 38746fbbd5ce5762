"""What the numbers of one target mean, one answer a sentence; one that is too noisy says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hive_gate.cost import about_pages, about_rest
from hive_gate.cost.look import Look
from hive_gate.cost.model import Price, Sentence


def sentences(look: Look, prices: Sequence[Price]) -> Iterator[Sentence]:
    """Yield the answers for one target, as far as it was measured."""
    shape = "plain"
    if look.sizes(shape):
        yield from about_pages.growth(look, shape, "legacy threads")
        for turns in about_pages.LENGTHS:
            yield about_pages.step(look, shape, turns)
        yield about_pages.limit(look, shape)
        yield from about_pages.walks(look, shape)
        yield about_pages.interval(look, shape)
        yield from about_rest.restore(look, shape)
        yield from about_rest.full_over_summary(look, shape)
        yield from about_rest.ratios(look, shape)
        yield from about_rest.price(look, prices)
        yield from about_rest.memory(look, shape)
    if look.sizes("real-paginated"):
        yield from about_pages.growth(look, "real-paginated", "paginated threads")
        yield from about_rest.modes(look)
