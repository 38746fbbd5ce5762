"""The reference server answers as the real one, and docs/reference-fidelity.md says where it does not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from hive_gate.target.identify import resolve
from tests.support.fidelity.compare import Difference
from tests.support.fidelity.run import compare

pytestmark = pytest.mark.live

_AGAIN = 2
"""How often a script is played again for differences that may be a matter of timing."""

_DOCS = Path(__file__).parents[2] / "docs" / "reference-fidelity.md"


@pytest.mark.parametrize(
    ("script", "version", "heading", "at_least"),
    [
        ("script", "0.142.5", "Differences from 0.142.5", 700),
        ("history-mode", "0.143.0", "Differences from 0.143.0 in history modes", 70),
    ],
)
def test_every_difference_from_the_real_server_is_listed_and_every_listed_one_occurs(
    script: str, version: str, heading: str, at_least: int, tmp_path: Path
) -> None:
    program = resolve(version).path
    rows = _rows(heading)
    replies, found = compare(script, (str(program), "app-server"), tmp_path / "first")
    unlisted = _unlisted(rows, found)
    for again in range(_AGAIN):
        if not unlisted:
            break
        # Whether the real server tells a change of status before it unloads a thread, or where among notifications
        # of a running turn a reply stands, is a race inside it: only what differs every time is a difference.
        _, more = compare(script, (str(program), "app-server"), tmp_path / f"again-{again}")
        unlisted = {place: one for place, one in unlisted.items() if place in _unlisted(rows, more)}
    gone = [row for row in rows if not any(_fits(row, one) for one in found)]
    assert list(unlisted.values()) == []
    assert gone == []
    assert replies >= at_least
    assert f"`{script}.json` against codex {version}: {replies} replies" in _DOCS.read_text(encoding="utf-8")


def _unlisted(rows: list[tuple[str, str]], found: Sequence[Difference]) -> dict[tuple[str, str, str], str]:
    """Return the differences that no row is about, by where they are."""
    return {(one.step, one.method, one.where): str(one) for one in found if not any(_fits(row, one) for row in rows)}


def _rows(heading: str) -> list[tuple[str, str]]:
    section = _DOCS.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [(method, field) for method, field, *_ in cells[2:]]


def _fits(row: tuple[str, str], one: Difference) -> bool:
    return all(
        re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text)
        for pattern, text in zip(row, (one.method, one.where), strict=True)
    )
