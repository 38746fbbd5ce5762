"""report.json: written whole or not at all, and refused when it is not whole.

The last member is a footer with counts. A file that was cut short, joined badly or edited by hand does not pass for
what a run found.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from hive_gate.errors import UsageError
from hive_gate.report.codec import ShapeError, decode, encode, escape
from hive_gate.report.jsontext import dumps
from hive_gate.report.model import SCHEMA_ID, Json, Report, gate_of
from hive_gate.report.remember import remember_last

ORDER = (
    "gate", "run", "target", "contract", "baseline", "measurement", "counts", "clauses", "constraints", "decisions",
    "suites", "news", "servers", "lacking", "oddities", "scenes", "messages",
)  # fmt: skip
"""The members between `schema` and `footer`: what people look for first, then the bulk."""

_AGAIN = "run the probe again, or take the report.json as the probe wrote it"


def to_json(report: Report) -> dict[str, Json]:
    """Return the report as the JSON object of report.json, its members in the published order."""
    members = {**encode(report), "counts": report.counts}
    footer = {"clauses": len(report.clauses), "messages": len(report.messages), "complete": True}
    return {"schema": SCHEMA_ID, **{name: members[name] for name in ORDER}, "footer": footer}


@remember_last
def to_text(report: Report) -> str:
    """Return the text of report.json: standard JSON, one element of each long list on a line of its own."""
    members = (f"  {dumps(name)}: {_member(value)}" for name, value in to_json(report).items())
    return "{\n" + ",\n".join(members) + "\n}\n"


@remember_last
def digest(report: Report) -> str:
    """Return the SHA-256 of report.json as `write_report` writes it, in hex."""
    return hashlib.sha256(to_text(report).encode()).hexdigest()


def from_json(obj: Json, where: str = "the report") -> Report:
    """Return the report that `to_json` made `obj` from.

    Args:
        obj: the parsed document.
        where: what to call the document in errors, such as its path.

    Raises:
        UsageError: if it is not a report, of another schema, not whole, or if its counts do not fit its lists.
    """
    try:
        report = _from_json(obj)
    except ShapeError as error:
        raise UsageError(
            f"This is not a whole report.json of hive-gate: at {error.pointer or '/'} {error.problem}.",
            where=f"{where}#{error.pointer}",
            hint=_AGAIN,
        ) from None
    return report


def read_report(path: Path) -> Report:
    """Read a report.json.

    Raises:
        UsageError: if the file cannot be read, is not JSON, or is not a whole report (see `from_json`).
    """
    try:
        obj = json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"The report cannot be read: {reason}.", where=str(path), hint="name a report.json") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"The report is not JSON, or was cut short: {str(error)[:200]}.", where=str(path), hint=_AGAIN
        ) from None
    report = from_json(obj, str(path))
    if report.gate == "open" and gate_of(report.clauses, report.baseline) == "closed":
        raise UsageError(
            "The report says that the gate is open, and its clauses say that it is closed.",
            where=f"{path}#/gate",
            hint=_AGAIN,
        )
    return report


def write_report(report: Report, path: Path) -> None:
    """Write report.json: into a new file beside it that then takes its name, so that nobody reads half of one.

    Raises:
        UsageError: if the folder cannot be written.
    """
    write_text(to_text(report), path)


def write_text(text: str, path: Path, *, private: bool = False) -> None:
    """Write a UTF-8 file whole or not at all; the folder is made if it is not there.

    A link stays, and what it leads to is written. What is there and is no regular file, such as a device or a named
    pipe, is written to and never replaced; so is the program's own output, by a name such as `/dev/stdout`, whatever
    file the shell leads it to.

    Args:
        text: what to write.
        path: the file.
        private: it is for its owner's eyes alone.

    Raises:
        UsageError: if it cannot be written.
    """
    try:
        # Opened as it was named: what a link such as /dev/stdout leads to may have no name of its own.
        if (own := _own_descriptor(path)) is not None:
            sys.stdout.flush()
            with os.fdopen(os.dup(own), "wb") as file:
                file.write(text.encode())
        elif _is_special(path):
            with path.open("wb") as file:
                file.write(text.encode())
        else:
            _replace(Path(os.path.realpath(path)), text.encode(), 0o600 if private else 0o666 & ~_umask())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(
            f"The file cannot be written: {reason}.",
            where=str(path),
            hint="name a file in a folder that can be written",
        ) from None


def _own_descriptor(path: Path) -> int | None:
    """Return the descriptor of this process that a path names, such as 1 for /dev/stdout; None: it names another file.

    To open such a path anew would begin at the start of what `>>` appends to.
    """
    match = re.fullmatch(r"/dev/(stdout|stderr|fd/\d+)|/proc/self/fd/(\d+)", str(path))
    if match is None:
        return None
    name = match[2] or match[1]
    return {"stdout": 1, "stderr": 2}.get(name) or int(name.removeprefix("fd/"))


def _is_special(path: Path) -> bool:
    """Whether something is there, at the end of all links, that is no regular file."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _replace(path: Path, data: bytes, mode: int) -> None:
    """Write a new file beside `path` that then takes its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp makes files that only their owner reads; a report is for everybody who may read the folder.
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _from_json(obj: Json) -> Report:
    if not isinstance(obj, dict):
        raise ShapeError("", "an object is expected")
    if obj.get("schema") != SCHEMA_ID:
        raise ShapeError("/schema", f"{SCHEMA_ID!r} is expected, not {obj.get('schema')!r:.60}")
    report = decode(Report, obj, "")
    _same("/footer", {"clauses": len(report.clauses), "messages": len(report.messages), "complete": True}, obj)
    _same("/counts", report.counts, obj)
    return report


def _same(pointer: str, counted: dict[str, Any], obj: dict[str, Json]) -> None:
    said = obj.get(pointer[1:])
    if not isinstance(said, dict):
        raise ShapeError(pointer, "it is missing")
    for name, value in counted.items():
        if type(said.get(name)) is not type(value) or said[name] != value:
            raise ShapeError(
                f"{pointer}/{escape(name)}", f"{dumps(value)} is expected from the lists, not {dumps(said.get(name))}"
            )


def _member(value: Json) -> str:
    """Return a top-level member's text: lists and objects with one element a line."""
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {dumps(item)}" for item in value) + "\n  ]"
    if isinstance(value, dict) and value:
        return "{\n" + ",\n".join(f"    {dumps(k)}: {dumps(v)}" for k, v in value.items()) + "\n  }"
    return dumps(value)


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
