"""A contract that starts from another: their texts as one, and where each part of it really stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hive_gate.contract.check import form_faults, invalid
from hive_gate.contract.fault import Fault
from hive_gate.contract.jsonfile import beside, read_json
from hive_gate.contract.model import Dropped, Lineage
from hive_gate.contract.names import escape
from hive_gate.errors import ContractError

_DEEPEST = 3
"""Files in a chain: whoever reads a clause must find where it stands."""

_BY_KEY = (
    "values", "connections", "capabilities", "suites", "if-broken", "scenes", "methods", "avoided", "features", "$defs",
)  # fmt: skip
_STATEMENTS = ("constraints", "decisions")
_PROMISES = ("clauses", "adapter")
_BY_ID = (*_PROMISES, *_STATEMENTS)
_NULL_IS_A_VALUE = ("values",)
"""Objects in which null may stand for itself, as long as there is nothing that it could remove."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of a text stands."""

    file: Path
    pointer: str


@dataclass(frozen=True, slots=True)
class Text:
    """A contract's text, one with what it extends, but for the meaning of its parts."""

    raw: dict[str, Any]
    files: tuple[tuple[Path, bytes], ...]
    """Each file with its bytes: this contract's, then what it extends."""
    places: Mapping[str, Place]
    """By JSON pointer into `raw`; a part that is not named here stands in the place of the part around it."""
    lineage: Lineage | None = None

    def place(self, pointer: str) -> Place:
        """Return where the part at a JSON pointer stands."""
        head, tail = pointer, ""
        while head not in self.places:
            head, _, token = head.rpartition("/")
            tail = f"/{token}{tail}"
        found = self.places[head]
        return Place(found.file, found.pointer + tail)

    def placed(self, fault: Fault) -> Fault:
        """Return a fault of `raw` as one of the file in which the text stands that is at fault."""
        place, mine = self.place(fault.pointer), self.files[0][0]
        # What is right where it stands may be wrong by what the other file changes.
        text = fault.text if place.file == mine else f"{fault.text}, as {mine.name} leaves it"
        return Fault(place.pointer, text, place.file)


def read_text(path: Path, above: tuple[Path, ...] = ()) -> Text:
    """Return a contract's text, its form checked.

    Args:
        path: its file.
        above: the files that extend it, one another's, the outermost first.

    Raises:
        ContractError: if it, or one that it extends, cannot be read or has not the form of a contract.
    """
    raw, data = read_json(path, "contract")
    # Of clauses that nothing overrides lint says it, for each product.
    kinds = _BY_ID if above or "extends" in raw else _STATEMENTS
    faults = form_faults(raw, "contract") or [*_nulls(raw), *(f for kind in kinds for f in _doubled(raw, kind))]
    if faults:
        raise invalid(path, "contract", faults)
    if "extends" not in raw:
        return Text(raw, ((path, data),), {"": Place(path, "")})
    return _merged(raw, path, data, read_text(_extended(path, raw["extends"], above), (*above, path)))


def _extended(path: Path, relative: str, above: tuple[Path, ...]) -> Path:
    """Return the file that a contract extends."""
    base, where = beside(path, relative), f"{path}#/extends"
    if base is None:
        raise ContractError(
            f"the contract to extend does not exist: {relative!r}", where=where, hint="give its path relative to this"
        )
    chain = [*above, path, base]
    shown = " > ".join(file.name for file in chain)
    if base in [file.resolve() for file in chain[:-1]]:
        raise ContractError(
            f"the contract extends itself: {shown}", where=where, hint="let one of them stand on its own"
        )
    if len(chain) > _DEEPEST:
        raise ContractError(
            f"a chain of more than {_DEEPEST} contracts: {shown}", where=where, hint="extend one nearer to the root"
        )
    return base


def _nulls(raw: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield each null that has nothing to remove, in a contract that extends none."""
    for part in _BY_KEY if "extends" not in raw else ():
        for key, value in raw.get(part, {}).items():
            if value is None and part not in _NULL_IS_A_VALUE:
                yield Fault(f"/{part}/{escape(key)}", "null removes what the extended contract has; here is none")


def _doubled(raw: Mapping[str, Any], kind: str) -> Iterator[Fault]:
    """Yield each id of a list that comes twice: which of the two an overriding entry means, nobody could tell."""
    seen: dict[str, int] = {}
    for index, entry in enumerate(raw.get(kind, ())):
        if entry["id"] in seen:
            yield Fault(f"/{kind}/{index}/id", f"the id {entry['id']!r} is taken by /{kind}/{seen[entry['id']]}")
        seen.setdefault(entry["id"], index)


@dataclass(slots=True)
class _Merge:
    """Two texts on their way to one."""

    mine: Mapping[str, Any]
    path: Path
    base: Text
    raw: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    origin: dict[str, Path] = field(default_factory=dict)
    overridden: set[str] = field(default_factory=set)
    dropped: list[Dropped] = field(default_factory=list)


def _merged(mine: dict[str, Any], path: Path, data: bytes, base: Text) -> Text:
    merge = _Merge(mine, path, base, places={"": Place(path, "")})
    merge.raw = {key: value for key, value in base.raw.items() if key not in ("extends", "without")}
    for key in merge.raw:
        merge.places[f"/{escape(key)}"] = base.place(f"/{escape(key)}")
    for key, value in mine.items():
        if key not in (*_BY_KEY, *_BY_ID, "known", "extends", "without"):
            merge.raw[key] = value
            merge.places[f"/{escape(key)}"] = Place(path, f"/{escape(key)}")
    for part in _BY_KEY:
        _by_key(merge, part)
    _known(merge)
    gone = _dropped(merge)
    for kind in _BY_ID:
        _by_id(merge, kind, gone[kind])
    if not merge.raw["clauses"]:
        merge.faults.append(Fault("/without", "no clause is left"))
    if merge.faults:
        raise invalid(path, "contract", merge.faults)
    lineage = Lineage(base.files[0][0], merge.origin, frozenset(merge.overridden), tuple(merge.dropped))
    return Text(merge.raw, ((path, data), *base.files), merge.places, lineage)


def _by_key(merge: _Merge, part: str) -> None:
    """Merge an object: its keys in the order of the extended contract, new ones after them."""
    theirs, mine = merge.base.raw.get(part, {}), merge.mine.get(part, {})
    merged: dict[str, Any] = {}
    for key, value in [*theirs.items(), *((key, value) for key, value in mine.items() if key not in theirs)]:
        at = f"/{part}/{escape(key)}"
        if key not in mine:
            merge.places[at] = merge.base.place(at)
            merged[key] = value
            continue
        merge.places[at] = Place(merge.path, at)
        if mine[key] is not None or (key not in theirs and part in _NULL_IS_A_VALUE):
            merged[key] = mine[key]
        elif key not in theirs:
            merge.faults.append(Fault(at, f"null removes nothing: the extended contract has no {key!r} in /{part}"))
    if theirs or mine:
        merge.raw[part] = merged


def _known(merge: _Merge) -> None:
    """Add what is known: whatever the extended contract knows is no news here."""
    theirs, mine = merge.base.raw.get("known", {}), merge.mine.get("known", {})
    fields = {method: list(known) for method, known in theirs.get("fields", {}).items()}
    for method, known in mine.get("fields", {}).items():
        fields[method] = [*fields.get(method, ()), *known]
    notifications = [*theirs.get("notifications", ()), *mine.get("notifications", ())]
    merge.raw["known"] = {"notifications": notifications, "fields": fields}


def _dropped(merge: _Merge) -> dict[str, set[str]]:
    """Return by kind the ids that `without` leaves out of the extended contract."""
    gone: dict[str, set[str]] = {kind: set() for kind in _BY_ID}
    for glob, reason in merge.mine.get("without", {}).items():
        at = f"/without/{escape(glob)}"
        # The id of a clause, or of a rule for the adapter, has a dot in it; a statement's has none.
        kinds = _PROMISES if "." in glob else _STATEMENTS
        found = [(kind, ident) for kind in kinds for ident in _ids(merge.base.raw, kind) if fnmatchcase(ident, glob)]
        if not found:
            what = "clause" if "." in glob else "constraint or decision"
            part = "; the products of `over` go together" if "/" in glob else ""
            merge.faults.append(Fault(at, f"{glob!r} drops nothing: the extended contract has no such {what}{part}"))
        elif all(ident in gone[kind] for kind, ident in found):
            merge.faults.append(Fault(at, f"{glob!r} drops nothing that is not dropped already"))
        for kind, ident in found:
            if ident in _ids(merge.mine, kind):
                text = f"{ident!r} is dropped here and given in /{kind}: to give it is enough to override it"
                merge.faults.append(Fault(at, text))
            if ident not in gone[kind]:
                gone[kind].add(ident)
                merge.dropped.append(Dropped(ident, glob, reason))
    return gone


def _by_id(merge: _Merge, kind: str, gone: set[str]) -> None:
    """Merge a list: an entry with an id of the extended contract takes its place, and a new one comes last.

    A new clause comes last in its suite, whose place is as `suites` has it.
    """
    own = {entry["id"]: index for index, entry in enumerate(merge.mine.get(kind, ()))}
    entries: list[tuple[dict[str, Any], Place]] = []
    for index, entry in enumerate(merge.base.raw.get(kind, ())):
        if entry["id"] in own:
            here = own.pop(entry["id"])
            entries.append((merge.mine[kind][here], Place(merge.path, f"/{kind}/{here}")))
            merge.overridden.add(entry["id"])
        elif entry["id"] not in gone:
            entries.append((entry, merge.base.place(f"/{kind}/{index}")))
    suites = {suite: rank for rank, suite in enumerate(merge.raw["suites"])} if kind == "clauses" else {}

    def rank(entry: Mapping[str, Any]) -> int:
        return suites.get(entry["id"].partition(".")[0], len(suites))

    for index in own.values():
        entry = merge.mine[kind][index]
        before = [at for at, (other, _) in enumerate(entries, 1) if rank(other) <= rank(entry)]
        entries.insert(before[-1] if before else 0, (entry, Place(merge.path, f"/{kind}/{index}")))
    for at, (entry, place) in enumerate(entries):
        merge.places[f"/{kind}/{at}"] = place
        merge.origin[entry["id"]] = place.file
    if entries or kind in merge.raw:
        merge.raw[kind] = [entry for entry, _ in entries]


def _ids(raw: Mapping[str, Any], kind: str) -> list[str]:
    return [entry["id"] for entry in raw.get(kind, ())]
