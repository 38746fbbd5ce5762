from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.data import CONTRACTS
from hive_gate.drift.digest import Digest, Message, content_hash
from hive_gate.drift.digestfile import FOLDER, STORE, checksum, known_versions, read_digest, write_digests
from hive_gate.drift.validate import Validator
from hive_gate.errors import UsageError
from tests.support.digests import digest, of, thing

TEXT: Any = {"type": "string"}


def boxes(version: str, **members: Any) -> Digest:
    return digest(
        {"box/list": Message(of("Params"), of("Answer"), experimental=True), "box/reset": Message({"type": "null"})},
        {"box/moved": Message(of("Box"))},
        {"box/mayI": Message(None, {"type": "boolean"})},
        {"ready": Message()},
        version=version,
        Params=thing("shelf", shelf=TEXT),
        Answer={"type": "array", "items": of("Box")},
        Box=thing(id=TEXT, **members),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_digests([boxes("1.0.0"), boxes("1.10.0"), boxes("1.9.0", lid=TEXT)], tmp_path / "digests")
    return tmp_path / "digests"


def test_what_was_written_is_read(folder: Path) -> None:
    for made in (boxes("1.0.0"), boxes("1.9.0", lid=TEXT)):
        read = read_digest(made.version, folder)
        assert (read.version, read.messages, read.definitions) == (made.version, made.messages, made.definitions)


def test_versions_are_known_from_old_to_new(folder: Path) -> None:
    (folder / "notes.json").write_text("{}")
    assert known_versions(folder) == ("1.0.0", "1.9.0", "1.10.0")


def test_a_definition_is_written_once_for_all_versions_that_have_it(folder: Path) -> None:
    store = json.loads((folder / STORE).read_text())["definitions"]
    assert {name: len(forms) for name, forms in store.items()} == {"Answer": 1, "Box": 2, "Params": 1}
    lines = (folder / STORE).read_text().splitlines()
    assert sum('"properties"' in line for line in lines) == 3  # one form a line


def test_versions_that_say_the_same_have_the_same_checksum() -> None:
    assert checksum(boxes("1.0.0")) == checksum(boxes("1.10.0")) != checksum(boxes("1.9.0", lid=TEXT))


def test_what_is_written_does_not_depend_on_the_order(tmp_path: Path, folder: Path) -> None:
    write_digests([boxes("1.9.0", lid=TEXT), boxes("1.10.0"), boxes("1.0.0")], tmp_path / "again")
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {
        p.name: p.read_bytes() for p in (tmp_path / "again").iterdir()
    }


def test_a_digest_that_is_not_among_those_written_goes(folder: Path) -> None:
    write_digests([boxes("1.0.0")], folder)
    assert sorted(path.name for path in folder.iterdir()) == ["1.0.0.json", STORE]
    assert set(json.loads((folder / STORE).read_text())["definitions"]["Box"]) == {content_hash(thing(id=TEXT))}


def test_the_published_schema_describes_what_is_written(folder: Path) -> None:
    schema = json.loads((CONTRACTS / "digest.schema.json").read_text())
    whole = Validator(schema, "digest.schema.json", dialect="2020-12")
    store = Validator({"$ref": "#/$defs/store", "$defs": schema["$defs"]}, "digest.schema.json", dialect="2020-12")
    for path in (*folder.glob("*.json"), *FOLDER.glob("*.json")):
        checker = store if path.name == STORE else whole
        assert checker.errors(json.loads(path.read_text())) == [], path.name


@pytest.mark.parametrize("version", known_versions())
def test_every_digest_that_ships_can_be_used(version: str) -> None:
    found = read_digest(version)
    assert found.version == version
    assert "thread/read" in found.messages["methods"]
    assert "thread/started" in found.messages["notifications"]
    assert found.messages["server-requests"]
    assert "initialized" in found.messages["client-notifications"]


def test_the_digests_that_ship_are_small_and_without_prose() -> None:
    files = list(FOLDER.glob("*.json"))
    assert sum(path.stat().st_size for path in files) < 2_000_000
    for path in files:
        assert '"description":"' not in path.read_text(encoding="utf-8")
        assert '"title":"' not in path.read_text(encoding="utf-8")


def edit(path: Path, change: Callable[[Any], None]) -> None:
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def signed(value: Any) -> None:
    """Give a changed digest the checksum that belongs to it: only what was changed is wrong then."""
    value["checksum"] = content_hash({k: v for k, v in value.items() if k not in ("$schema", "version", "checksum")})


def dangling(value: Any) -> None:
    value["methods"]["box/list"]["params"] = "Nothing"
    signed(value)


def elsewhere(value: Any) -> None:
    value["definitions"]["Box"] = "0" * 12
    signed(value)


def missing(value: Any) -> None:
    del value["definitions"]["Box"]
    signed(value)


def forms_of_box(value: Any) -> Any:
    return value["definitions"]["Box"][content_hash(thing(id=TEXT))]


BROKEN: dict[str, tuple[str, Callable[[Any], Any], str, str]] = {
    "of another version": ("1.0.0.json", lambda v: v.update(version="2.0.0"), "#/version", "speaks of version 2.0.0"),
    "of no version": ("1.0.0.json", lambda v: v.update(version="new"), "#/version", "does not match"),
    "without a family": ("1.0.0.json", lambda v: v.pop("methods"), "#", '"methods" is a required property'),
    "with a member too many": ("1.0.0.json", lambda v: v.update(more=1), "#", "more"),
    "with a message that is none": ("1.0.0.json", lambda v: v["methods"].update(a=1), "#/methods/a", "object"),
    "with a method that was taken out": ("1.0.0.json", lambda v: v["methods"].pop("box/list"), "#/checksum",
                                         "checksum"),
    "with a reference to nothing": ("1.0.0.json", dangling, "#/methods/box~1list/params", "refers to 'Nothing'"),
    "with a form that the store has not": ("1.0.0.json", elsewhere, "#/definitions/Box", "has no form 000000000000"),
    "without a definition that it needs": ("1.0.0.json", missing, "#/notifications/box~1moved/params",
                                            "refers to 'Box'"),
    "whose store has another schema": (STORE, lambda v: forms_of_box(v).update(required=["id"]),
                                       "#/definitions/Box/", "not the one that its hash stands for"),
    "whose store lost a definition": (STORE, lambda v: v["definitions"].pop("Box"), "#/definitions/Box", "has no form"),
    "whose store has a keyword too many": (STORE, lambda v: forms_of_box(v).update(title="Box"),
                                           "#/definitions/Box/", "title"),
    "whose store has a schema that is none": (STORE, lambda v: v["definitions"]["Box"].update({"1" * 12: 7}),
                                              "#/definitions/Box/111111111111", ""),
    "whose store is a list": (STORE, lambda v: v.clear(), "#", '"definitions" is a required property'),
}  # fmt: skip


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_digest_is_refused_with_place_and_sentence(folder: Path, how: str) -> None:
    name, change, place, sentence = BROKEN[how]
    edit(folder / name, change)
    with pytest.raises(UsageError) as caught:
        read_digest("1.0.0", folder)
    where = str(caught.value.where)
    assert where.startswith(str(folder))
    assert place in where
    assert sentence in caught.value.message
    assert caught.value.hint == "make it anew from the program: make digests"


@pytest.mark.parametrize("name", ["1.0.0.json", STORE])
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"[1, 2", "is not JSON"),
        (b'{"version": "1.0.0", "version": "1.0.0"}', "has a key twice"),
        (b"\xff{}", "is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"null", "null"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_digest_is_refused(folder: Path, name: str, content: bytes | None, sentence: str) -> None:
    path = folder / name
    path.unlink() if content is None else path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        read_digest("1.0.0", folder)
    assert str(path) in str(caught.value.where)
    assert sentence in caught.value.message
    assert caught.value.hint == "make it anew from the program: make digests"


def test_a_truncated_digest_is_refused_wherever_it_ends(folder: Path) -> None:
    whole = (folder / "1.0.0.json").read_bytes()
    for end in range(0, len(whole) - 2, 97):
        (folder / "1.0.0.json").write_bytes(whole[:end])
        with pytest.raises(UsageError):
            read_digest("1.0.0", folder)


def test_a_store_that_is_corrected_is_read_again(folder: Path) -> None:
    shutil.copy(folder / STORE, folder / "kept")
    edit(folder / STORE, lambda value: value["definitions"].pop("Box"))
    with pytest.raises(UsageError):
        read_digest("1.0.0", folder)
    shutil.copy(folder / "kept", folder / STORE)
    assert read_digest("1.0.0", folder).definitions["Box"] == thing(id=TEXT)
