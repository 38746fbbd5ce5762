"""A contract that extends another: what it takes over, and how each fault is told where its text stands."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract, own_clauses, stands_in
from hive_gate.errors import ContractError

Raw = dict[str, Any]
BASE: Raw = {
    "name": "base",
    "version": "1.0.0",
    "title": "What was relied on",
    "source": "#1",
    "gates": ["#2"],
    "pinned": "0.1.0",
    "values": {"kept": "a", "changed": "a", "gone": "a"},
    "connections": {"hive": {"why": "w", "initialize": {}}, "other": {"why": "w", "initialize": None}},
    "suites": {"first": "First", "second": "Second"},
    "if-broken": {"first": "Do this."},
    "scenes": {"empty": "scenes/empty.json", "some": "scenes/some.json"},
    "methods": {
        "m/a": {"effect": "reads", "params": {}, "result": {"$ref": "#/$defs/Thing"}},
        "m/b": {"effect": "reads", "params": {}, "result": {}},
    },
    "known": {"notifications": ["n/a"], "fields": {"m/a": ["/x"]}},
    "avoided": {"m/c": "it is bad"},
    "$defs": {"Thing": {"type": "object"}},
    "clauses": [
        {"id": "first.one", "promise": "p", "why": "w", "source": "s", "steps": [{"call": "m/a"}]},
        {
            "id": "first.two", "promise": "p", "why": "w", "source": "s", "over": {"x": ["1", "2"]}, "scene": "some",
            "steps": [{"call": "m/a", "params": {"threadId": "${main}", "x": "${x}"}}],
        },
        {"id": "second.one", "promise": "p", "why": "w", "source": "s", "steps": [{"call": "m/b"}]},
    ],
    "constraints": [
        {"id": "of-first", "text": "t", "source": "s", "evidence": ["first.*"]},
        {"id": "of-second", "text": "t", "source": "s", "evidence": ["second.*"]},
    ],
    "decisions": [{"id": "decided", "text": "t", "source": "s", "status": "open"}],
}  # fmt: skip
MINE: Raw = {"extends": "base.json", "name": "mine", "version": "2.0.0", "title": "What will be"}
SOME: Raw = {"why": "w", "threads": {"main": {"turns": [{"user": "u"}]}}}

Make = Callable[..., Path]


def clause(ident: str, call: str = "m/a", **more: Any) -> Raw:
    return {"id": ident, "promise": "new", "why": "w", "source": "s", "steps": [{"call": call}], **more}


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write base and extending contract with their recipes, changed as asked, and return the extending one."""

    def write(base: Raw | None = None, /, **members: Any) -> Path:
        (tmp_path / "scenes").mkdir(exist_ok=True)
        (tmp_path / "scenes" / "empty.json").write_text('{"why": "w", "threads": {}}', encoding="utf-8")
        (tmp_path / "scenes" / "some.json").write_text(json.dumps(SOME), encoding="utf-8")
        (tmp_path / "base.json").write_text(json.dumps(BASE | (base or {})), encoding="utf-8")
        path = tmp_path / "mine.json"
        path.write_text(json.dumps(MINE | members), encoding="utf-8")
        return path

    return write


def ids(contract: Contract) -> list[str]:
    return [each.id for each in contract.clauses]


def error(path: Path) -> ContractError:
    with pytest.raises(ContractError) as caught:
        load_contract(path)
    return caught.value


# -- what it takes over ----------------------------------------------------------------------------------------------


def test_what_it_does_not_speak_of_it_takes_over(make: Make) -> None:
    mine = load_contract(make())
    base = load_contract(make().with_name("base.json"))
    assert (mine.name, mine.version, mine.title) == ("mine", "2.0.0", "What will be")
    assert (mine.source, mine.gates, mine.pinned) == (base.source, base.gates, base.pinned)
    for part in ("values", "connections", "suites", "scenes", "methods", "avoided", "defs", "clauses", "constraints"):
        assert getattr(mine, part) == getattr(base, part)
    assert (mine.known_notifications, mine.known_fields) == (base.known_notifications, base.known_fields)
    assert (mine.decisions, mine.remedies) == (base.decisions, base.remedies)


def test_scalars_and_lists_without_ids_are_replaced(make: Make) -> None:
    mine = load_contract(make(source="#3", gates=[], pinned="0.2.0"))
    assert (mine.source, mine.gates, mine.pinned) == ("#3", (), "0.2.0")


def test_objects_are_merged_by_key_and_null_removes(make: Make) -> None:
    mine = load_contract(make(values={"changed": "b", "gone": None, "new": "b"}, avoided={"m/c": None, "m/d": "worse"}))
    assert mine.values == {"kept": "a", "changed": "b", "new": "b"}
    assert mine.avoided == {"m/d": "worse"}


def test_a_key_keeps_its_place_and_a_new_one_comes_last(make: Make) -> None:
    suites = {"third": "Third", "first": "Another first"}
    mine = load_contract(make(suites=suites, clauses=[clause("third.one")]))
    assert list(mine.suites.items()) == [("first", "Another first"), ("second", "Second"), ("third", "Third")]


def test_null_is_a_value_where_there_is_none_to_remove(make: Make) -> None:
    assert load_contract(make(values={"nothing": None})).values["nothing"] is None


def test_what_is_known_is_added(make: Make) -> None:
    mine = load_contract(make(known={"notifications": ["n/b"], "fields": {"m/a": ["/y"], "m/b": ["/z"]}}))
    assert mine.known_notifications == {"n/a", "n/b"}
    assert mine.known_fields == {"m/a": {"/x", "/y"}, "m/b": {"/z"}}


def test_a_clause_with_an_id_of_the_base_takes_its_place_whole(make: Make) -> None:
    mine = load_contract(make(clauses=[clause("first.two", level="advisory")]))
    assert ids(mine) == ["first.one", "first.two", "second.one"]
    assert (mine.clauses[1].promise, mine.clauses[1].level, mine.clauses[1].scene) == ("new", "advisory", "empty")


def test_a_new_clause_comes_after_its_suite_or_last(make: Make) -> None:
    made = [clause("third.one"), clause("first.zero"), clause("first.last")]
    mine = load_contract(make(suites={"third": "Third"}, clauses=made))
    assert ids(mine) == [
        "first.one", "first.two/1", "first.two/2", "first.zero", "first.last", "second.one", "third.one",
    ]  # fmt: skip


def test_a_suite_whose_clauses_are_all_left_out_keeps_its_place(make: Make) -> None:
    constraints = [{"id": "of-first", "text": "t", "source": "s"}]
    mine = load_contract(make(without={"first.*": "r"}, clauses=[clause("first.new")], constraints=constraints))
    assert ids(mine) == ["first.new", "second.one"]


def test_statements_are_merged_by_id(make: Make) -> None:
    over = {"id": "of-first", "text": "other", "source": "s"}
    new = {"id": "of-all", "text": "t", "source": "s"}
    mine = load_contract(make(constraints=[new, over], decisions=[{**new, "id": "later", "status": "open"}]))
    assert [(each.id, each.text) for each in mine.constraints] == [
        ("of-first", "other"), ("of-second", "t"), ("of-all", "t"),
    ]  # fmt: skip
    assert [each.id for each in mine.decisions] == ["decided", "later"]


def test_what_is_left_out_is_gone_with_its_reason(make: Make) -> None:
    path = make(without={"second.*": "gone", "of-second": "with it"}, suites={"second": None})
    mine = load_contract(path)
    assert ids(mine) == ["first.one", "first.two/1", "first.two/2"]
    assert [each.id for each in mine.constraints] == ["of-first"]
    assert mine.lineage is not None
    assert [(each.id, each.glob, each.reason) for each in mine.lineage.dropped] == [
        ("second.one", "second.*", "gone"), ("of-second", "of-second", "with it"),
    ]  # fmt: skip


def test_it_is_known_where_each_clause_stands(make: Make) -> None:
    path = make(clauses=[clause("first.one"), clause("first.new")])
    mine = load_contract(path)
    base = path.with_name("base.json")
    assert mine.lineage is not None
    assert mine.lineage.extends == base
    assert mine.lineage.overridden == {"first.one"}
    assert {each.id: stands_in(mine, each) for each in mine.clauses} == {
        "first.one": path, "first.two/1": base, "first.two/2": base, "first.new": path, "second.one": base,
    }  # fmt: skip
    assert ids(own_clauses(mine)) == ["first.one", "first.new"]
    alone = load_contract(base)
    assert alone.lineage is None
    assert ids(own_clauses(alone)) == ids(alone)


def test_the_hash_covers_every_file(make: Make, tmp_path: Path) -> None:
    path = make()
    files = [path, *(tmp_path / name for name in ("base.json", "scenes/empty.json", "scenes/some.json"))]
    assert load_contract(path).sha256 == hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    for file in files:
        before = load_contract(path).sha256
        file.write_bytes(file.read_bytes() + b"\n")
        assert load_contract(path).sha256 != before


def test_a_recipe_lies_where_the_file_says_that_names_it(make: Make, tmp_path: Path) -> None:
    make()
    folder = tmp_path / "next"
    folder.mkdir()
    (folder / "mine.json").write_text(
        json.dumps(MINE | {"extends": "../base.json", "scenes": {"here": "here.json"}}), encoding="utf-8"
    )
    (folder / "here.json").write_text(json.dumps(SOME | {"why": "here"}), encoding="utf-8")
    mine = load_contract(folder / "mine.json")
    assert [mine.scenes[name]["why"] for name in ("some", "here")] == ["w", "here"]


def test_three_files_make_a_chain(make: Make, tmp_path: Path) -> None:
    path = make(clauses=[clause("first.one")])
    top = tmp_path / "top.json"
    top.write_text(json.dumps(MINE | {"extends": "mine.json", "name": "top", "without": {"first.two": "gone"}}))
    contract = load_contract(top)
    assert ids(contract) == ["first.one", "second.one"]
    assert [stands_in(contract, each).name for each in contract.clauses] == ["mine.json", "base.json"]
    assert contract.sha256 != load_contract(path).sha256


# -- faults, each where its text stands --------------------------------------------------------------------------------

FAULTS: dict[str, tuple[Raw, str, str, str]] = {
    "no name": ({"name": None}, "mine.json", "/name", "None is not of type 'string'"),
    "unknown member": ({"extend": "x"}, "mine.json", "", "'extend' was unexpected"),
    "clause without steps": (
        {"clauses": [clause("first.new", steps=[])]}, "mine.json", "/clauses/0/steps", "[] should be non-empty"),
    "no reason": ({"without": {"second.one": ""}}, "mine.json", "/without/second.one", "'' should be non-empty"),
    "hive removed": ({"connections": {"hive": None}}, "mine.json", "/connections/hive", "None is not of type 'object'"),
    "null for nothing": (
        {"suites": {"third": None}}, "mine.json", "/suites/third",
        "null removes nothing: the extended contract has no 'third' in /suites"),
    "drops nothing": (
        {"without": {"third.*": "r"}}, "mine.json", "/without/third.*",
        "'third.*' drops nothing: the extended contract has no such clause"),
    "drops a product": (
        {"without": {"first.two/1": "r"}}, "mine.json", "/without/first.two~11",
        "no such clause; the products of `over` go together"),
    "drops no statement": (
        {"without": {"of-third": "r"}}, "mine.json", "/without/of-third", "has no such constraint or decision"),
    "drops twice": (
        {"without": {"second.one": "r", "second.*": "r"}, "suites": {"second": None}, "constraints": []}, "mine.json",
        "/without/second.*", "drops nothing that is not dropped already"),
    "dropped and given": (
        {"without": {"first.one": "r"}, "clauses": [clause("first.one")]}, "mine.json", "/without/first.one",
        "'first.one' is dropped here and given in /clauses: to give it is enough to override it"),
    "nothing left": (
        {"without": {"*.*": "r"}}, "mine.json", "/without", "no clause is left"),
    "id twice": (
        {"clauses": [clause("first.new"), clause("first.new")]}, "mine.json", "/clauses/1/id",
        "the id 'first.new' is taken by /clauses/0"),
    "statement twice": (
        {"constraints": [{"id": "x", "text": "t", "source": "s"}] * 2}, "mine.json", "/constraints/1/id",
        "the id 'x' is taken by /constraints/0"),
    "of its own clause": (
        {"clauses": [clause("first.new"), clause("first.other", scene="nowhere")]}, "mine.json", "/clauses/1/scene",
        "'nowhere' is not in /scenes"),
    "of an overriding clause": (
        {"clauses": [clause("second.one", call="m/x")]}, "mine.json", "/clauses/0/steps/0/call",
        "m/x is not in /methods"),
    "of its own method": (
        {"methods": {"m/c": BASE["methods"]["m/b"]}}, "mine.json", "/methods/m~1c", "m/c is avoided (it is bad)"),
    "of its own statement": (
        {"constraints": [{"id": "of-third", "text": "t", "source": "s", "evidence": ["third.*"]}]}, "mine.json",
        "/constraints/0/evidence/0", "'third.*' names no clause"),
    "left without its scene": (
        {"scenes": {"some": None}}, "base.json", "/clauses/1/scene",
        "'some' is not in /scenes, as mine.json leaves it"),
    "left without its value": (
        {"scenes": {"some": "scenes/empty.json"}}, "base.json", "/clauses/1/steps/0/params/threadId",
        "${main} stands for nothing here: no axis, thread, value or capture, as mine.json leaves it"),
    "left without its method": (
        {"methods": {"m/b": None}}, "base.json", "/clauses/2/steps/0/call", "m/b is not in /methods"),
    "left without its definition": (
        {"$defs": {"Thing": None}}, "base.json", "/methods/m~1a/result/$ref", "#/$defs/Thing names no schema"),
    "left without its clauses": (
        {"without": {"second.one": "r", "of-second": "r"}}, "base.json", "/suites/second",
        "no clause belongs to this suite, as mine.json leaves it"),
    "left without its evidence": (
        {"without": {"second.one": "r"}, "suites": {"second": None}}, "base.json", "/constraints/1/evidence/0",
        "'second.*' names no clause, as mine.json leaves it"),
    "left without its suite": (
        {"suites": {"second": None}}, "base.json", "/clauses/2/id", "the suite 'second' is not in /suites"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_told_with_the_file_and_pointer_of_its_text(case: str, make: Make, tmp_path: Path) -> None:
    members, file, pointer, sentence = FAULTS[case]
    found = error(make(**members))
    assert found.where == f"{tmp_path / file}#{pointer}"
    assert sentence in found.message
    assert str(tmp_path / "mine.json") in str(found.hint)


def test_an_extending_contract_says_only_who_it_is(make: Make) -> None:
    path = make()
    raw = json.loads(path.read_bytes())
    for member in ("name", "version", "title"):
        path.write_text(json.dumps({key: value for key, value in raw.items() if key != member}), encoding="utf-8")
        assert f"'{member}' is a required property" in error(path).message


def test_faults_of_two_files_are_told_apart(make: Make, tmp_path: Path) -> None:
    found = error(make(scenes={"some": None}, clauses=[clause("first.new", scene="nowhere")]))
    assert found.where == f"{tmp_path / 'base.json'}#/clauses/1/scene"
    assert found.detail == f"{tmp_path / 'mine.json'}#/clauses/0/scene: 'nowhere' is not in /scenes"


def test_a_fault_of_the_base_alone_is_told_as_its_own(make: Make, tmp_path: Path) -> None:
    broken = copy.deepcopy(BASE["clauses"])
    broken[2]["level"] = "hard"
    found = error(make({"clauses": broken}))
    assert found.where == f"{tmp_path / 'base.json'}#/clauses/2/level"
    assert "base.json" in str(found.hint)


@pytest.mark.parametrize("kind", ["clauses", "constraints"])
def test_an_id_that_the_base_has_twice_is_its_fault(kind: str, make: Make, tmp_path: Path) -> None:
    found = error(make({kind: [*BASE[kind], BASE[kind][0]]}))
    assert found.where == f"{tmp_path / 'base.json'}#/{kind}/{len(BASE[kind])}/id"


def test_null_and_without_mean_something_only_where_there_is_a_base(make: Make, tmp_path: Path) -> None:
    path = make({"suites": {**BASE["suites"], "third": None}}).with_name("base.json")
    assert error(path).where == f"{tmp_path / 'base.json'}#/suites/third"
    path = make({"without": {"first.one": "r"}}).with_name("base.json")
    assert "'extends' is a dependency of 'without'" in error(path).message


@pytest.mark.parametrize("relative", ["no-such.json", "scenes", "a\0b", "../mine.json/x", "x" * 300])
def test_a_base_that_is_not_there_is_told_where_it_is_named(relative: str, make: Make, tmp_path: Path) -> None:
    found = error(make(extends=relative))
    assert found.where == f"{tmp_path / 'mine.json'}#/extends"
    assert found.message == f"the contract to extend does not exist: {relative!r}"


def test_a_base_that_is_no_json_is_told_with_its_line(make: Make, tmp_path: Path) -> None:
    path = make()
    (tmp_path / "base.json").write_text('{\n"name": }', encoding="utf-8")
    assert error(path).where == f"{tmp_path / 'base.json'}, line 2, column 9"


def test_a_circle_is_refused_where_it_closes(make: Make, tmp_path: Path) -> None:
    path = make()
    (tmp_path / "base.json").write_text(json.dumps(MINE | {"extends": "mine.json", "name": "base"}), encoding="utf-8")
    found = error(path)
    assert found.where == f"{tmp_path / 'base.json'}#/extends"
    assert found.message == "the contract extends itself: mine.json > base.json > mine.json"
    assert error(make(extends="mine.json")).message == "the contract extends itself: mine.json > mine.json"


def test_a_longer_chain_is_refused(make: Make, tmp_path: Path) -> None:
    make()
    for name, below in (("third.json", "mine.json"), ("fourth.json", "third.json")):
        (tmp_path / name).write_text(json.dumps(MINE | {"extends": below}), encoding="utf-8")
    load_contract(tmp_path / "third.json")
    found = error(tmp_path / "fourth.json")
    assert found.message == "a chain of more than 3 contracts: fourth.json > third.json > mine.json > base.json"
    assert found.where == f"{tmp_path / 'mine.json'}#/extends"
