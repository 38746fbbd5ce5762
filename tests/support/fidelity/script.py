"""Steps from the compact script in `fixtures/fidelity`.

`vary` makes one step for each value of each member, the others as given; `of` makes the steps for each of some threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[3] / "fixtures" / "fidelity"


def load(name: str) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return the steps of a script and the names of the stored threads that its home is without."""
    told = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    steps = [step for entry in told["steps"] for step in _expand(entry)]
    return steps, tuple(told.get("without", ()))


def _expand(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if "of" in entry:
        for thread in entry["of"]:
            for inner in entry["steps"]:
                yield from _expand({**inner, "params": {"threadId": thread, **inner.get("params", {})}})
    elif "vary" in entry:
        base = {key: value for key, value in entry.items() if key != "vary"}
        for member, values in entry["vary"].items():
            for value in values:
                yield {**base, "params": {**entry.get("params", {}), member: value}}
    elif "call" in entry:
        yield {"params": {}, **entry}
    else:
        yield entry
