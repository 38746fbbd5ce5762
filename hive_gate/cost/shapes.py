"""The shapes of stored threads, and what of them grows.

A size is a number of turns of the plain shape. Another shape of the same size stores as many bytes, put together in
another way, so that what turns, records and bytes cost can be told apart.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hive_gate.contract.texts import repeated
from hive_gate.errors import UsageError
from hive_gate.scene.truth import TurnRecipe

ANSWERS = 6
"""Agent messages of a plain turn."""

ANSWER = 350
"""Characters of each of them."""

TURN_BYTES = 7_080
"""Bytes of a plain turn in its file."""

FLOOR = 1
"""The size that shows what an operation costs by itself: a thread with one turn."""

DEFAULT_SIZES = (100, 200, 500, 1000, 2000)
"""Turns of the plain threads."""

DEFAULT_REAL_SIZES = (20, 50, 100, 200)
"""Turns of the threads that real turns make: each turn takes some fifty milliseconds."""

SPAN = 10
"""How many times the smallest size the largest must be for growth to be told.

Threads that are longer are for the scroll step, restores and memory: they are dear, and are asked no more than that.
"""

_IMAGE_TURNS = 20
_COPIES = 2  # a text or an image is stored twice: as the event and as what the model saw


@dataclass(frozen=True, slots=True)
class Shape:
    """One way in which history grows.

    Args:
        name: its name on the command line.
        title: what grows, in a phrase.
        made: written by hand, or made by real turns in one of the two history modes.
        thorough: whether it is asked everything up to the span, or only what is compared between shapes.
        turns: returns the turns of a size; the second argument is all sizes of the shape.
    """

    name: str
    title: str
    made: Literal["stored", "legacy", "paginated"]
    thorough: bool
    turns: Callable[[int, Sequence[int]], list[TurnRecipe]]


def _text(characters: int) -> str:
    return repeated({"repeat": "A page is cut from the whole history. ", "characters": max(1, characters)})


def _turns(count: int, answers: int = ANSWERS, characters: int = ANSWER, image: str = "") -> list[TurnRecipe]:
    text = _text(characters)
    images = (image,) if image else ()
    return [
        TurnRecipe(f"Question {n}", tuple(("agent", f"{n}.{m} {text}") for m in range(answers)), images=images)
        for n in range(1, count + 1)
    ]


def _with_bytes(count: int, size: int) -> list[TurnRecipe]:
    """Return `count` turns that take as many bytes as `size` plain ones, by longer answers."""
    return _turns(count, characters=ANSWER + (size - count) * TURN_BYTES // (count * ANSWERS * _COPIES))


def _plain(size: int, _: Sequence[int]) -> list[TurnRecipe]:
    return _turns(size)


def _long_answers(size: int, sizes: Sequence[int]) -> list[TurnRecipe]:
    return _with_bytes(min(sizes), size)


def _same_bytes(size: int, sizes: Sequence[int]) -> list[TurnRecipe]:
    return _with_bytes(size, max(sizes))


def _many_items(size: int, sizes: Sequence[int]) -> list[TurnRecipe]:
    return _turns(min(sizes), answers=ANSWERS * size // min(sizes))


def _images(size: int, sizes: Sequence[int]) -> list[TurnRecipe]:
    count = min(_IMAGE_TURNS, min(sizes))
    characters = max(1, (size - count) * TURN_BYTES // (count * _COPIES))
    data = repeated({"repeat": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB", "characters": characters // 4 * 4})
    return _turns(count, image=f"data:image/png;base64,{data}")


SHAPES: Mapping[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape("plain", "more turns of six short answers", "stored", True, _plain),
        Shape("long-answers", "longer answers in the same number of turns", "stored", False, _long_answers),
        Shape("same-bytes", "more turns in the same number of bytes", "stored", False, _same_bytes),
        Shape("many-items", "more answers in the same number of turns", "stored", False, _many_items),
        Shape("images", "larger base64 images in the same number of turns", "stored", False, _images),
        Shape("real-legacy", "more real turns, stored as legacy", "legacy", False, _plain),
        Shape("real-paginated", "more real turns, stored as paginated", "paginated", True, _plain),
    )
}
"""All shapes by name."""


def chosen(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the shapes of these names in their usual order; without any, all.

    Raises:
        UsageError: a name is not one.
    """
    for name in names:
        if name not in SHAPES:
            raise UsageError(f"there is no shape {name[:40]!r}", hint=f"choose from {', '.join(SHAPES)}")
    return tuple(name for name in SHAPES if name in names or not names)


def sizes_of(shape: Shape, sizes: Sequence[int], real_sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes in which a shape is made, the smallest first, without the floor.

    Only the plain shape and real turns take all of theirs: what is compared between shapes needs no more than the
    span that a growth can be told from.
    """
    if shape.made != "stored":
        return tuple(sorted(set(real_sizes) - {FLOOR}))
    chosen = sorted(set(sizes) - {FLOOR})
    return tuple(chosen if shape.thorough else itertools.takewhile(lambda s: within_span(s, chosen), chosen))


def within_span(size: int, sizes: Sequence[int]) -> bool:
    """Tell whether a size is needed for a growth to be told; `sizes` are all of the shape, without the floor."""
    return size <= SPAN * min(sizes)


def has_floor(shape: Shape) -> bool:
    """Tell whether a shape has a thread with one turn of its own; those written by hand share that of the plain one."""
    return shape.made != "stored" or shape.name == "plain"


def start_params(shape: Shape) -> dict[str, Any]:
    """Return what `thread/start` is told of the history mode; a server that knows no modes passes it over."""
    return {"historyMode": "paginated" if shape.made == "paginated" else "legacy"}
