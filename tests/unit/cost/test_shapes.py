"""The shapes: as many bytes for one size, put together in different ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.cost.shapes import (
    DEFAULT_REAL_SIZES,
    DEFAULT_SIZES,
    SHAPES,
    TURN_BYTES,
    chosen,
    sizes_of,
    within_span,
)
from hive_gate.errors import UsageError
from hive_gate.scene import rollout

STORED = [name for name, shape in SHAPES.items() if shape.made == "stored"]


@pytest.mark.parametrize("name", STORED)
def test_a_size_has_the_bytes_of_as_many_plain_turns_unless_its_bytes_do_not_grow(name: str, tmp_path: Path) -> None:
    sizes = (20, 100, 200)
    for size in sizes:
        rollout.write_thread(tmp_path, f"{name}-{size}", SHAPES[name].turns(size, sizes), cwd=tmp_path)
        written = rollout.path_of(tmp_path, f"{name}-{size}", archived=False).stat().st_size
        assert written == pytest.approx(TURN_BYTES * (200 if name == "same-bytes" else size), rel=0.16)


@pytest.mark.parametrize(
    ("name", "turns", "answers"),
    [
        ("plain", [20, 200], [6, 6]),
        ("long-answers", [20, 20], [6, 6]),
        ("same-bytes", [20, 200], [6, 6]),
        ("many-items", [20, 20], [6, 60]),
        ("images", [20, 20], [6, 6]),
    ],
)
def test_what_grows_is_what_the_shape_says(name: str, turns: list[int], answers: list[int]) -> None:
    made = [SHAPES[name].turns(size, (20, 100, 200)) for size in (20, 200)]
    assert [len(thread) for thread in made] == turns
    assert [{len(turn.then) for turn in thread} for thread in made] == [{count} for count in answers]
    assert [bool(thread[0].images) for thread in made] == [name == "images"] * 2


def test_images_are_stored_as_the_server_stores_them(tmp_path: Path) -> None:
    rollout.write_thread(tmp_path, "t", SHAPES["images"].turns(100, (100,)), cwd=tmp_path)
    text = rollout.path_of(tmp_path, "t", archived=False).read_text()
    assert text.count("data:image/png;base64,") == 2 * 20  # as the event and as what the model saw


def test_the_largest_threads_are_only_those_of_the_plain_shape() -> None:
    assert sizes_of(SHAPES["plain"], DEFAULT_SIZES, DEFAULT_REAL_SIZES) == DEFAULT_SIZES
    assert sizes_of(SHAPES["images"], DEFAULT_SIZES, DEFAULT_REAL_SIZES) == (100, 200, 500, 1000)
    assert sizes_of(SHAPES["real-legacy"], DEFAULT_SIZES, DEFAULT_REAL_SIZES) == DEFAULT_REAL_SIZES


def test_the_defaults_span_what_a_growth_needs() -> None:
    for name, shape in SHAPES.items():
        sizes = sizes_of(shape, DEFAULT_SIZES, DEFAULT_REAL_SIZES)
        assert len(sizes) >= 4, name
        assert sizes[-1] >= 10 * sizes[0], name


def test_only_the_longest_default_thread_lies_beyond_what_a_growth_needs() -> None:
    assert [size for size in DEFAULT_SIZES if not within_span(size, DEFAULT_SIZES)] == [2000]
    assert all(within_span(size, DEFAULT_REAL_SIZES) for size in DEFAULT_REAL_SIZES)


def test_shapes_are_chosen_by_name_in_their_usual_order() -> None:
    assert chosen(("images", "plain")) == ("plain", "images")
    assert chosen(()) == tuple(SHAPES)
    with pytest.raises(UsageError, match="no shape 'round'") as caught:
        chosen(("plain", "round"))
    assert "many-items" in (caught.value.hint or "")
