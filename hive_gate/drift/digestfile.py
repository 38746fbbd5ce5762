"""Digests as files: one a version, and one store of the definitions that they share.

A definition that many versions have is written once, under the hash of its schema, one a line: a new version adds a few
lines next to the older forms of the same names, and what it changes is seen in the file's difference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import semver

from hive_gate.contract.jsonfile import read_json
from hive_gate.data import CONTRACTS, FIXTURES
from hive_gate.drift.digest import FAMILIES, Digest, Message, content_hash
from hive_gate.drift.resolve import Json, child
from hive_gate.drift.structure import definition, reference, references
from hive_gate.drift.validate import Validator
from hive_gate.errors import ContractError, GateFault, UsageError

FOLDER = FIXTURES / "digests"
"""Where the digests that ship with hive-gate are."""

STORE = "definitions.json"

_SCHEMA = CONTRACTS / "digest.schema.json"
_LINK = "../../contracts/digest.schema.json"
_HINT = "make it anew from the program: make digests"


def known_versions(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the versions that have a digest, oldest first."""
    names = [path.stem for path in folder.glob("*.json") if semver.Version.is_valid(path.stem)]
    return tuple(sorted(names, key=semver.Version.parse))


def read_digest(version: str, folder: Path = FOLDER) -> Digest:
    """Read the digest of a version.

    Raises:
        UsageError: the file or the store beside it is not there or broken: what is wrong, where, and what to do.
    """
    path, store_path = folder / f"{version}.json", folder / STORE
    raw, store = _checked(path, "digest", ""), _store(store_path, _stamp(store_path))
    if raw["version"] != version:
        raise _broken(f"it speaks of version {raw['version']}, and its name of {version}", path, "/version")
    told = {name: raw[name] for name in (*FAMILIES, "definitions")}
    if content_hash(told) != raw["checksum"]:
        raise _broken("its checksum is another: it was changed after it was made", path, "/checksum")
    definitions: dict[str, Json] = {}
    for name, key in raw["definitions"].items():
        forms = store["definitions"].get(name, {})
        if key not in forms:
            raise _broken(f"{name!r} has no form {key} in {STORE}", path, child("/definitions", name))
        if content_hash(forms[key]) != key:
            at = child(child("/definitions", name), key)
            raise _broken("this schema is not the one that its hash stands for", store_path, at)
        definitions[name] = forms[key]
    messages = {family: {name: _message(message) for name, message in raw[family].items()} for family in FAMILIES}
    digest = Digest(version, messages, definitions, str(path), UsageError)
    _resolve_all(digest, path, store_path, raw["definitions"])
    return digest


def write_digests(digests: Iterable[Digest], folder: Path = FOLDER) -> None:
    """Write digests and the store of exactly the definitions that they need; a digest that is not among them goes.

    Raises:
        OSError: the folder cannot be written to.
    """
    store: dict[str, dict[str, Json]] = {}
    files: dict[str, str] = {}
    for digest in digests:
        hashes = _hashes(digest)
        for name, schema in digest.definitions.items():
            store.setdefault(name, {})[hashes[name]] = schema
        told = _told(digest, hashes)
        head = {"$schema": _LINK, "version": digest.version, "checksum": content_hash(told)}
        files[f"{digest.version}.json"] = _lines({**head, **told}, 2)
    document = {"$schema": f"{_LINK}#/$defs/store", "definitions": store}
    folder.mkdir(parents=True, exist_ok=True)
    for name, written in {STORE: _lines(document, 3), **files}.items():
        (folder / name).write_text(written, encoding="utf-8")
    for path in folder.glob("*.json"):
        if path.name != STORE and path.name not in files:
            path.unlink()


def checksum(digest: Digest) -> str:
    """Return the hash of all that a digest says, its version's name aside."""
    return content_hash(_told(digest, _hashes(digest)))


def _told(digest: Digest, hashes: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {
        family: {name: _file_message(message) for name, message in digest.messages[family].items()}
        for family in FAMILIES
    }
    return {**told, "definitions": hashes}


def _hashes(digest: Digest) -> dict[str, str]:
    return {name: content_hash(schema) for name, schema in digest.definitions.items()}


@cache
def _store(path: Path, stamp: object) -> Any:
    """Read the store, once for both sides of a comparison as long as the file is the same."""
    del stamp
    return _checked(path, "store of definitions", "#/$defs/store")


def _stamp(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None  # reading it says what is wrong
    return status.st_ino, status.st_mtime_ns, status.st_size


def _checked(path: Path, what: str, part: str) -> Any:
    try:
        value, _ = read_json(path, what)
    except ContractError as fault:  # its hints are for files that a person wrote
        raise UsageError(fault.message, where=fault.where, hint=_HINT) from fault
    for error in _validator(part).errors(value, limit=1):
        raise _broken(f"{error.message} ({error.value_preview})", path, error.pointer)
    return value


@cache
def _validator(part: str) -> Validator:
    schema, _ = read_json(_SCHEMA, "schema that ships with hive-gate")
    if part:
        schema = {"$ref": part, "$defs": schema["$defs"]}
    return Validator(schema, str(_SCHEMA), dialect="2020-12", error=GateFault)


def _resolve_all(digest: Digest, path: Path, store: Path, hashes: Mapping[str, str]) -> None:
    """See that every reference leads somewhere, so that nothing breaks half-way through a comparison."""
    for family, messages in digest.messages.items():
        for name, message in messages.items():
            for part, schema in (("params", message.params), ("result", message.result)):
                _resolve(schema, digest, path, f"/{family}{child('', name)}/{part}")
    for name, schema in digest.definitions.items():
        _resolve(schema, digest, store, child(child("/definitions", name), hashes[name]))


def _resolve(schema: Json, digest: Digest, path: Path, at: str) -> None:
    for ref in references(schema):
        if definition(ref) not in digest.definitions:
            text = f"it refers to {definition(ref)!r}, which version {digest.version} does not define"
            raise _broken(text, path, at)


def _message(raw: Mapping[str, Any]) -> Message:
    return Message(_part(raw.get("params")), _part(raw.get("result")), raw.get("experimental", False))


def _part(raw: Json) -> Json:
    return reference(raw) if isinstance(raw, str) else raw


def _file_message(message: Message) -> dict[str, Json]:
    members = {"params": _file_part(message.params), "result": _file_part(message.result)}
    return {
        **{name: value for name, value in members.items() if value is not None},
        **({"experimental": True} if message.experimental else {}),
    }


def _file_part(schema: Json) -> Json:
    is_reference = isinstance(schema, dict) and schema.keys() == {"$ref"}
    return definition(schema["$ref"]) if is_reference else schema


def _lines(value: Any, levels: int) -> str:
    """Return an object as JSON, sorted below its first level, with so many levels of it on lines of their own."""
    return _object(value, levels, "") + "\n"


def _object(value: Any, levels: int, indent: str) -> str:
    if not levels or not isinstance(value, dict) or not value:
        return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    items = value.items() if not indent else sorted(value.items())
    inner = ",\n".join(f"{indent} {json.dumps(k)}: {_object(v, levels - 1, indent + ' ')}" for k, v in items)
    return f"{{\n{inner}\n{indent}}}"


def _broken(why: str, path: Path, at: str) -> UsageError:
    return UsageError(f"The digest cannot be used: {why}.", where=f"{path}#{at}", hint=_HINT)
