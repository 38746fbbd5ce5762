from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from hive_gate.cli.fetching import fetch_progress
from hive_gate.target.progress import Progress

STEPS = (
    Progress("looking up", 0, None, "codex 0.142.5"),
    Progress("downloading", 0, None, "codex 0.142.5"),
    Progress("downloading", 5_000_000, None, "codex 0.142.5"),
    Progress("unpacking", 1_000_000, 2_000_000, "codex 0.142.5"),
)


def draw(terminal: bool, steps: tuple[Progress, ...] = STEPS, color: bool = True) -> str:
    out = io.StringIO()
    with fetch_progress(Console(file=out, force_terminal=terminal, width=100, no_color=not color)) as on_progress:
        for step in steps:
            on_progress(step)
    return out.getvalue()


def test_without_a_terminal_each_phase_is_one_plain_line() -> None:
    assert draw(terminal=False).splitlines() == [
        "codex 0.142.5: looking up",
        "codex 0.142.5: downloading",
        "codex 0.142.5: unpacking",
    ]


def test_on_a_terminal_a_bar_is_drawn_and_taken_away() -> None:
    drawn = draw(terminal=True)
    assert "codex 0.142.5: unpacking" in drawn
    assert "1.0/2.0 MB" in drawn
    assert drawn.count("\x1b[?25l") == drawn.count("\x1b[?25h") == 1  # the cursor is hidden, and comes back


def test_a_total_that_nobody_knows_is_not_made_up() -> None:
    drawn = draw(terminal=True, steps=STEPS[:3])
    assert "5.0/? MB" in drawn
    assert "%" not in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn)


@pytest.mark.parametrize("terminal", [True, False])
def test_where_nothing_is_fetched_nothing_is_drawn(terminal: bool) -> None:
    assert draw(terminal, steps=()) == ""


def test_without_color_no_color_is_sent() -> None:
    assert not re.search(r"\x1b\[(?:[0-9;]*;)?3[0-9]", draw(terminal=True, color=False))
    assert re.search(r"\x1b\[(?:[0-9;]*;)?3[0-9]", draw(terminal=True, color=True))


def test_the_terminal_is_given_back_after_an_error() -> None:
    out = io.StringIO()

    def fetch_and_break() -> None:
        with fetch_progress(Console(file=out, force_terminal=True, width=100)) as on_progress:
            on_progress(STEPS[1])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_and_break()
    assert out.getvalue().count("\x1b[?25h") == 1
