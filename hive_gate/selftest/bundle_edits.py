"""A change to the schemas that a target generates for itself, and the pieces that changes are put together from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hive_gate.drift.bundle import Bundle
from hive_gate.faults.fault import Notice, by

REQUESTS = "ClientRequest.json"


@dataclass(frozen=True, slots=True)
class Change:
    """One change to one file of a bundle."""

    name: str
    breaks: str
    """What is wrong then, in one sentence."""
    file: str
    edit: Callable[[Any], object]
    """Changes the parsed file in place."""
    noticed: tuple[Notice, ...]


def changed(bundle: Bundle, change: Change, folder: Path) -> Bundle:
    """Return a copy of a bundle in `folder`, which must not exist yet, with one change."""
    shutil.copytree(bundle.folder, folder)
    path = folder / change.file
    document = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(document)
    change.edit(document)
    if json.dumps(document) == before:
        raise ValueError(f"{change.name} changes nothing in {change.file}")
    path.write_text(json.dumps(document), encoding="utf-8")
    return Bundle.load(folder)


def branch(requests: Any, method: str) -> Any:
    """Return what the requests' schema has of a method."""
    return next(each for each in requests["oneOf"] if method in each["properties"]["method"]["enum"])


def renamed(old: str, new: str) -> Callable[[Any], object]:
    """Return what gives a method another name."""
    return lambda requests: branch(requests, old)["properties"]["method"].update(enum=[new])


def of(name: str) -> Callable[[Any], Any]:
    """Return a way to a definition's properties."""
    return lambda document: document["definitions"][name]["properties"]


def with_method(method: str) -> Callable[[Any], object]:
    """Return what adds a method."""

    def change(requests: Any) -> None:
        added = json.loads(json.dumps(branch(requests, "thread/turns/list")))
        added["properties"]["method"]["enum"] = [method]
        requests["oneOf"].append(added)

    return change


def fits(method: str, check: str, at: str | None = None) -> tuple[Notice, ...]:
    """Return the notice of the clause that compares a method with the schema."""
    return by(check, f"schema.fits/{method}", at=at)
