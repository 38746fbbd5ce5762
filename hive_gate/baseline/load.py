"""A baseline file into a :class:`BaselineFile`, or every fault in it by file and pointer."""

from __future__ import annotations

import codecs
import hashlib
import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import semver

from hive_gate.baseline.model import BaselineFile, Entry, is_glob
from hive_gate.baseline.versions import FORM, Versions
from hive_gate.contract.check import form_faults, invalid
from hive_gate.contract.fault import Fault
from hive_gate.errors import ContractError

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\Z")


def beside(contract: Path) -> Path:
    """Return where the baseline of a contract is unless it is named: `baseline.toml` in the same folder.

    `….next.json`, which has other clauses, has `baseline.next.toml`: entries of one contract name nothing in the other.
    """
    return contract.parent / ("baseline.next.toml" if contract.stem.endswith(".next") else "baseline.toml")


def load_baseline(path: Path) -> BaselineFile:
    """Read and check a baseline file.

    Raises:
        ContractError: with each fault, where it is and what was expected there.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ContractError(
            f"the baseline cannot be read: {error.strerror or error}",
            where=str(path),
            hint="check the path; it is named by --baseline",
        ) from error
    return parse_baseline(data, path)


def parse_baseline(data: bytes, path: Path) -> BaselineFile:
    """Check the bytes of a baseline file; `path` is what errors call it.

    Raises:
        ContractError: with each fault, where it is and what was expected there.
    """
    raw = _toml(data, path)
    faults = [*_dates(raw), *form_faults(_plain(raw), "baseline")]
    if faults:
        raise invalid(path, "baseline", faults)
    accepted = raw.get("accepted")
    if accepted is not None and not semver.Version.is_valid(accepted):
        faults.append(Fault("/accepted", f"{accepted!r:.60} is not a version, such as 0.142.5"))
    entries: list[Entry] = []
    for index, waiver in enumerate(raw.get("waiver", ())):
        pointer = f"/waiver/{index}"
        faults += _glob_faults(waiver, pointer)
        try:
            versions = Versions.parse(waiver["versions"])
        except ValueError as error:
            faults.append(Fault(f"{pointer}/versions", f"{error}; {FORM}"))
        else:
            entries.append(_entry(waiver, versions, pointer))
    faults += _repeated(entries)
    if faults:
        raise invalid(path, "baseline", faults)
    return BaselineFile(path, hashlib.sha256(data).hexdigest(), accepted, tuple(entries))


def _toml(data: bytes, path: Path) -> dict[str, Any]:
    if data.startswith(codecs.BOM_UTF8):
        raise ContractError(
            "the baseline is not TOML: it begins with a byte order mark (BOM)",
            where=f"{path}, line 1, column 1",
            hint="save the file as UTF-8 without a BOM",
        )
    try:
        # tomllib, and not the library that edits: it names the place of every fault, a key that comes twice included.
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ContractError(
            f"the baseline is not UTF-8: byte {error.start}", where=str(path), hint="save the file as UTF-8"
        ) from error
    except tomllib.TOMLDecodeError as error:
        text = str(error)
        place = _PLACE.search(text)
        at = f", line {place[1]}, column {place[2]}" if place and place[1] else ", at its end" if place else ""
        raise ContractError(
            f"the baseline is not TOML: {_PLACE.sub('', text)}",
            where=f"{path}{at}",
            hint="correct the file there; text belongs in quotes, a date does not",
        ) from error
    except (ValueError, RecursionError) as error:
        raise ContractError(
            "the baseline holds a number with too many digits, or lists in lists without end",
            where=str(path),
            hint="take it out: an entry has neither",
        ) from error


def _dates(raw: dict[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each date that is none: the schema sees them all as text."""
    waivers = raw.get("waiver", ())
    for index, waiver in enumerate(waivers if isinstance(waivers, list) else ()):
        expires = waiver.get("expires") if isinstance(waiver, dict) else None
        if isinstance(expires, str):
            yield Fault(f"/waiver/{index}/expires", f"{expires!r:.60} is a text: write the date without quotes")
        if isinstance(expires, datetime):
            yield Fault(f"/waiver/{index}/expires", f"{expires} has a time: write the date alone")


def _plain(value: Any) -> Any:
    """Return a TOML value as the JSON value that the schema describes: dates as ISO 8601."""
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    return value.isoformat() if isinstance(value, (date, time)) else value


def _glob_faults(waiver: dict[str, Any], pointer: str) -> Iterator[Fault]:
    glob = is_glob(waiver["clause"])
    if glob and "at-most" not in waiver:
        yield Fault(pointer, "a glob needs `at-most`: how many clauses it may cover, so that none joins them unseen")
    if not glob and "at-most" in waiver:
        yield Fault(f"{pointer}/at-most", "it is for globs only: an id covers one clause")


def _entry(waiver: dict[str, Any], versions: Versions, pointer: str) -> Entry:
    listed = waiver["fingerprint"]
    return Entry(
        pointer=pointer,
        clause=waiver["clause"],
        at_most=waiver.get("at-most"),
        versions=versions,
        fingerprints=tuple(listed) if isinstance(listed, list) else (listed,),
        reason=waiver["reason"],
        owner=waiver["owner"],
        expires=waiver["expires"],
    )


def _repeated(entries: list[Entry]) -> Iterator[Fault]:
    for number, entry in enumerate(entries):
        for other in entries[:number]:
            if other.clause == entry.clause and other.versions.overlaps(entry.versions):
                text = f"{entry.clause!r} is listed in {other.pointer} already, for versions that overlap: keep one"
                yield Fault(entry.pointer, text)
                break
