"""What a step finds where no reply tells it: in files of the home, in its databases, in what the model was sent.

Each look gives facts, plain JSON that goes into the record; whether they are as expected is the judge's business.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from hive_gate.scene.home import Home
from hive_gate.wire.elide import elide

_SHOWN_RECORDS = 50
"""Added records that are kept: a clause looks for one among a few."""


def look_at_file(home: Home, where: Mapping[str, Any], rollouts: Mapping[str, Path], before: Any) -> dict[str, Any]:
    """Return facts about one file of a home.

    Args:
        home: the home.
        where: `rollout` (a thread's name), `codexHome` or `work` (a path in there), or `path` (absolute, in the home).
        rollouts: the stored threads' files by name.
        before: facts of an earlier look to compare with; None: none.

    Returns:
        `exists`, `size` in bytes, `sha256`, and `first`, the first line where it is JSON. Compared with an earlier
        look also `unchanged`, `grew` (all earlier bytes are there still, unchanged and in front, and more follow), and
        `added`, the lines that were added, where they are JSON.
    """
    path = _path(home, where, rollouts)
    try:
        data = path.read_bytes()
    except OSError:
        return {"exists": False} | ({} if before is None else {"unchanged": not before["exists"], "grew": False})
    lines = data.splitlines()
    facts: dict[str, Any] = {
        "exists": True,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "first": _record(lines[0]) if lines else None,
    }
    if before is None:
        return facts
    size = before.get("size", 0)
    kept = not size or hashlib.sha256(data[:size]).hexdigest() == before["sha256"]
    facts["unchanged"] = kept and size == len(data)
    facts["grew"] = kept and size < len(data)
    facts["added"] = [_record(line) for line in data[size:].splitlines()[:_SHOWN_RECORDS]] if kept else []
    return facts


def look_at_database(home: Home, where: Mapping[str, Any]) -> dict[str, Any]:
    """Return `values`: a column of the rows with an id, in every SQLite database of the CODEX_HOME that matches.

    Args:
        home: the home.
        where: `file` (a glob), `table`, `column`, `id`.
    """
    values = [value for path in sorted(home.codex.glob(where["file"])) for value in _column(path, where)]
    return {"values": values}


def look_at_model(requests: Sequence[Any], texts: Sequence[str]) -> dict[str, Any]:
    """Return `found`: by text, whether the last request to the model has it in one of its messages."""
    last = requests[-1] if requests else None
    said = list(_texts(last))
    return {"requests": len(requests), "found": {text: any(text in one for one in said) for text in texts}}


def _path(home: Home, where: Mapping[str, Any], rollouts: Mapping[str, Path]) -> Path:
    if "rollout" in where:
        return rollouts[str(where["rollout"])]
    if "codexHome" in where:
        return home.codex / str(where["codexHome"])
    return home.work / str(where["work"]) if "work" in where else Path(where["path"])


def _record(line: bytes) -> Any:
    try:
        return elide(json.loads(line))
    except ValueError:
        return None


def _column(path: Path, where: Mapping[str, Any]) -> list[Any]:
    # Names cannot be parameters of a statement; the schema allows letters, digits and underscores in them.
    statement = f'SELECT "{where["column"]}" FROM "{where["table"]}" WHERE id = ?'  # noqa: S608
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            return [row[0] for row in database.execute(statement, (where["id"],))]
    except sqlite3.Error:
        return []  # no such table or column: the value is not there


def _texts(request: Any) -> Iterator[str]:
    for item in request.get("input", ()) if isinstance(request, dict) else ():
        content = item.get("content") if isinstance(item, dict) else None
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"]
