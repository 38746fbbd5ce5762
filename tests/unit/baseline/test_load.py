"""A baseline file that is broken in any way gives a place and a sentence."""

from __future__ import annotations

import json
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from hive_gate.baseline.load import beside, load_baseline, parse_baseline
from hive_gate.contract.load import load_contract
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import ContractError
from hive_gate.exits import Exit

PATH = Path("b.toml")


def refused(text: str | bytes) -> ContractError:
    with pytest.raises(ContractError) as caught:
        parse_baseline(text if isinstance(text, bytes) else text.encode(), PATH)
    assert caught.value.exit_code is Exit.USAGE
    assert caught.value.hint
    return caught.value


def test_an_entry_is_read_as_it_stands(made: Any) -> None:
    text = 'accepted = "0.143.0"\n' + made.entry("s.*", at_most=3, fingerprint=f'["{"a" * 12}", "{"b" * 12}"]')
    found = parse_baseline(text.encode(), PATH)
    assert (found.path, found.accepted, len(found.sha256)) == (PATH, "0.143.0", 64)
    (entry,) = found.entries
    assert (entry.pointer, entry.clause, entry.at_most, entry.versions.text) == ("/waiver/0", "s.*", 3, "0.143.0")
    assert entry.fingerprints == ("a" * 12, "b" * 12)
    assert (entry.reason, entry.owner, entry.expires) == ("Hive does without.", "kim", date(2027, 3, 31))


def test_an_empty_file_accepts_nothing() -> None:
    found = parse_baseline(b"", PATH)
    assert (found.accepted, found.entries) == (None, ())


def test_an_id_covers_itself_and_a_glob_what_it_matches(made: Any) -> None:
    ids = ["s.one", "s.one/a", "s.two", "t.one"]
    found = made.baseline(made.entry("s.one"), made.entry("s.*", at_most=3), made.entry("?.o[mn]e", at_most=2))
    assert [entry.covered(ids) for entry in found.entries] == [
        ("s.one",), ("s.one", "s.one/a", "s.two"), ("s.one", "t.one"),
    ]  # fmt: skip


FAULTS: list[tuple[dict[str, Any], str, str]] = [
    ({"clause": None}, "", "'clause' is a required property"),
    ({"clause": '"two words"'}, "/clause", "does not match"),
    ({"clause": "5"}, "/clause", "5 is not of type 'string' (expected: the id of a clause, or a glob"),
    ({"clause": '"s.*"'}, "", "a glob needs `at-most`"),
    ({"at_most": "3"}, "/at-most", "it is for globs only"),
    ({"clause": '"s.*"', "at_most": "0"}, "/at-most", "0 is less than the minimum of 1"),
    ({"clause": '"s.*"', "at_most": "true"}, "/at-most", "True is not of type 'integer'"),
    ({"versions": None}, "", "'versions' is a required property"),
    ({"versions": '"0.143"'}, "/versions", "'0.143' is not a version; write a version (0.143.0) or a range"),
    ({"versions": '"0.144.0..0.143.0"'}, "/versions", "begins after its end"),
    ({"fingerprint": '"A1A1A1A1A1A1"'}, "/fingerprint", "'A1A1A1A1A1A1' does not match"),
    ({"fingerprint": "[]"}, "/fingerprint", "[] should be non-empty"),
    ({"fingerprint": f'["{"a" * 12}", "{"a" * 12}"]'}, "/fingerprint", "has non-unique elements"),
    ({"fingerprint": f'["{"a" * 12}", 5]'}, "/fingerprint/1", "5 is not of type 'string'"),
    ({"reason": '" "'}, "/reason", "does not match"),
    ({"owner": '""'}, "/owner", "does not match"),
    ({"expires": None}, "", "'expires' is a required property"),
    ({"expires": '"2027-03-31"'}, "/expires", "'2027-03-31' is a text: write the date without quotes"),
    ({"expires": "2027-03-31T00:00:00Z"}, "/expires", "has a time: write the date alone"),
    ({"expires": "07:32:00"}, "/expires", "does not match"),
    ({"expires": "2027"}, "/expires", "2027 is not of type 'string'"),
    ({"ends": "1"}, "", "('ends' was unexpected)"),
]


@pytest.mark.parametrize(("change", "pointer", "said"), FAULTS)
def test_each_fault_of_an_entry_has_its_pointer_and_a_sentence(
    change: dict[str, Any], pointer: str, said: str, made: Any
) -> None:
    error = refused(made.entry("s.good") + "\n" + made.entry(**change))
    assert error.where == f"b.toml#/waiver/1{pointer}"
    assert said in error.message
    assert error.message.startswith("the baseline is not valid: ")
    assert error.hint == "correct it, then check it with: hive-gate baseline check --baseline b.toml"


@pytest.mark.parametrize(
    ("text", "pointer", "said"),
    [
        ("waivers = []\n", "", "('waivers' was unexpected)"),
        ("accepted = 5\n", "/accepted", "5 is not of type 'string'"),
        ('accepted = "0.142"\n', "/accepted", "does not match"),
        ('accepted = "0.142.05"\n', "/accepted", "'0.142.05' is not a version"),
        ("[waiver]\na = 1\n", "/waiver", "is not of type 'array'"),
        ("waiver = [5]\n", "/waiver/0", "5 is not of type 'object'"),
    ],
)
def test_each_fault_of_the_file_has_its_pointer_and_a_sentence(text: str, pointer: str, said: str) -> None:
    error = refused(text)
    assert error.where == f"b.toml#{pointer}"
    assert said in error.message


def test_all_faults_are_told_at_once(made: Any) -> None:
    error = refused(made.entry(owner=None) + "\n" + made.entry(versions='"x"', reason="5"))
    assert "(2 faults)" in error.message
    assert "/waiver/1/reason: 5 is not of type" in (error.detail or "")


@pytest.mark.parametrize(
    ("one", "other"), [("0.143.0", "0.143.0"), ("0.143.0..", "..0.143.0"), ("0.140.0..0.150.0", "0.143.0..0.144.0")]
)
def test_a_clause_is_listed_once_for_one_version(one: str, other: str, made: Any) -> None:
    error = refused(made.entry("s.x", versions=f'"{one}"') + made.entry("s.x", versions=f'"{other}"'))
    assert error.where == "b.toml#/waiver/1"
    assert "'s.x' is listed in /waiver/0 already, for versions that overlap" in error.message


def test_a_clause_may_be_listed_again_for_other_versions(made: Any) -> None:
    found = made.baseline(made.entry("s.x", versions='"..0.142.9"'), made.entry("s.x", versions='"0.143.0.."'))
    assert len(found.entries) == 2


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ("a = \n", "b.toml, line 1, column 5", "the baseline is not TOML: Invalid value"),
        ("x = 1\nx = 2\n", "b.toml, line 2, column 6", "Cannot overwrite a value"),
        ('[[waiver]]\nclause = "a"\nclause = "b"\n', "b.toml, line 3, column 13", "Cannot overwrite a value"),
        ("[[waiver]\n", "b.toml, line 1, column 9", "Expected ']]'"),
        ('a = """', "b.toml, at its end", "Unterminated string"),
        ("a = 2027-02-30\n", "b.toml, line 1, column 5", "Invalid date"),
        ("\ufeffa = 1\n", "b.toml, line 1, column 1", "it begins with a byte order mark (BOM)"),
    ],
)
def test_what_is_no_toml_has_line_and_column(text: str, where: str, said: str) -> None:
    error = refused(text)
    assert str(error.where).startswith(where)
    assert said in error.message
    assert "(at " not in error.message


def test_who_saved_a_byte_order_mark_is_told_to_save_without_it() -> None:
    assert refused("\ufeffa = 1\n").hint == "save the file as UTF-8 without a BOM"


def test_what_is_no_utf_8_names_the_byte() -> None:
    assert refused(b'reason = "caf\xe9"').message == "the baseline is not UTF-8: byte 13"


@pytest.mark.parametrize("value", ["[" * 50_000, "9" * 5_000])
def test_a_value_that_no_reader_takes_is_refused(value: str) -> None:
    assert "too many digits, or lists in lists without end" in refused(f"a = {value}").message


@pytest.mark.parametrize("name", ["missing.toml", "folder", "loop"])
def test_what_cannot_be_read_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ContractError, match="the baseline cannot be read: ") as caught:
        load_baseline(tmp_path / name)
    assert caught.value.where == str(tmp_path / name)


KEYS = st.sampled_from(["waiver", "accepted", "clause", "versions", "expires", "x"])


@given(st.lists(st.tuples(KEYS, st.sampled_from(['"x"', "5", "[1]", "2027-01-01", "{ a = 1 }", "[{}]", "nan", "'"]))))
def test_any_file_is_read_or_refused(pairs: list[tuple[str, str]]) -> None:
    text = "".join(f"{key} = {value}\n" for key, value in pairs)
    for whole in (text, "[[waiver]]\n" + text):
        try:
            parse_baseline(whole.encode(), PATH)
        except ContractError as error:
            assert str(error.where).startswith("b.toml")  # noqa: PT017 - or it is read: both are right


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        parse_baseline(data, PATH)
    except ContractError as error:
        assert str(error.where).startswith("b.toml")  # noqa: PT017


def test_the_next_contract_has_a_baseline_of_its_own() -> None:
    assert beside(NEXT_CONTRACT) == CONTRACTS / "baseline.next.toml"
    assert beside(Path("there/my.contract.json")) == Path("there/baseline.toml")


def test_the_shipped_baseline_accepts_nothing_and_names_the_pinned_version() -> None:
    found = load_baseline(beside(DEFAULT_CONTRACT))
    assert (found.path, found.entries) == (CONTRACTS / "baseline.toml", ())
    assert found.accepted == load_contract(DEFAULT_CONTRACT).pinned


def test_the_example_in_the_shipped_baseline_is_valid() -> None:
    text = (CONTRACTS / "baseline.toml").read_text(encoding="utf-8")
    example = "".join(
        line.removeprefix("#     ") for line in text.splitlines(keepends=True) if line.startswith("#     ")
    )
    (entry,) = parse_baseline(example.encode(), PATH).entries
    assert (entry.clause, entry.at_most, entry.versions.text) == ("items-list.*", 3, "0.143.0..0.144.6")


def test_the_published_schema_describes_every_member() -> None:
    schema = json.loads((CONTRACTS / "baseline.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    waiver = schema["$defs"]["waiver"]
    members = {**schema["properties"], **waiver["properties"]}
    assert all(member["description"] for member in members.values())
    assert set(waiver["required"]) == set(waiver["properties"]) - {"at-most"}
    shipped = tomllib.loads((CONTRACTS / "baseline.toml").read_text(encoding="utf-8"))
    assert Draft202012Validator(schema).is_valid(shipped)
