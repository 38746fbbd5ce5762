from __future__ import annotations

from typing import Any

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift.changes import Change
from hive_gate.drift.digest import Digest, Message
from hive_gate.drift.hive import View
from hive_gate.drift.renames import name_likeness
from tests.support.digests import changes, digest, of, thing

NOBODY = View(load_contract(DEFAULT_CONTRACT), {}, {})
TEXT: Any = {"type": "string"}
NUMBER: Any = {"type": "integer"}


def by_rule(old: Digest, new: Digest) -> dict[str, Change]:
    return {change.rule: change for change in changes(old, new, NOBODY).all}


def read(schema: Any) -> Digest:
    return digest({"box/read": Message(None, of("Box"))}, Box=schema)


def test_a_method_that_looks_like_one_that_went_is_suggested_on_both_sides() -> None:
    params, result = thing(box=TEXT, cursor=TEXT), thing(data=TEXT)
    found = by_rule(
        digest({"box/things/list": Message(params, result)}),
        digest({"things/list": Message(params, thing(data=TEXT, more=TEXT)), "box/weigh": Message(params, result)}),
    )
    gone, come = found["method-removed"], next(change for change in found.values() if change.subject == "things/list")
    assert (gone.looks_like, come.looks_like) == ("things/list", "box/things/list")
    assert (gone.counterpart, come.counterpart) == (come.fingerprint, gone.fingerprint)
    assert gone.explanation.endswith("It looks like `things/list`, which is new: it may be a rename.")
    assert gone.level == "breaking"


def test_a_method_of_another_shape_is_none() -> None:
    found = by_rule(
        digest({"box/list": Message(thing(shelf=TEXT), thing(data=TEXT))}),
        digest({"boxes/list": Message(thing(room=TEXT, order=TEXT), thing(found=TEXT, total=NUMBER))}),
    )
    assert [change.looks_like for change in found.values()] == [None, None]


def test_a_method_that_is_half_alike_in_name_and_in_shape_is_none() -> None:
    found = by_rule(
        digest({"box/list/all": Message(thing(a=TEXT, b=TEXT, c=TEXT, d=TEXT))}),
        digest({"box/list/some": Message(thing(a=TEXT, b=TEXT, c=TEXT, e=TEXT))}),
    )
    assert [change.looks_like for change in found.values()] == [None, None]


def test_a_member_that_looks_like_one_that_went_beside_it_is_suggested() -> None:
    found = by_rule(read(thing(sessionId=TEXT)), read(thing(realtimeSessionId=TEXT)))
    gone, come = found["response-field-removed"], found["response-field-added"]
    assert (gone.looks_like, come.looks_like) == ("/realtimeSessionId", "/sessionId")
    assert (gone.counterpart, come.counterpart) == (come.fingerprint, gone.fingerprint)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (thing(sessionId=TEXT), thing(realtimeSessionId=NUMBER)),
        (thing(id=TEXT), thing(turnId=TEXT)),
        (thing(name=TEXT), thing(owner=TEXT)),
        (thing(lid=thing(sessionId=TEXT)), thing(lid=thing(), realtimeSessionId=TEXT)),
    ],
    ids=["another type", "half a name", "another name", "another place"],
)
def test_what_is_not_alike_enough_is_not_suggested(old: Any, new: Any) -> None:
    found = by_rule(read(old), read(new))
    assert found
    assert all(change.looks_like is None for change in found.values())


def test_each_is_suggested_once() -> None:
    found = changes(read(thing(sessionId=TEXT, sessionIds=TEXT)), read(thing(theSessionId=TEXT)), NOBODY).all
    assert sorted(filter(None, (change.looks_like for change in found))) == ["/sessionId", "/theSessionId"]


def test_names_are_alike_by_words_or_by_letters() -> None:
    assert name_likeness("thread/turns/items/list", "thread/items/list") == pytest.approx(0.85, abs=0.01)
    assert name_likeness("sessionId", "realtimeSessionId") > 0.6
    assert name_likeness("isPinned", "section") < 0.4
    assert name_likeness("same", "same") == 1
