"""What holds for any two targets."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift.compare import Comparison, compare
from hive_gate.drift.digest import Digest, Message
from hive_gate.drift.hive import View
from hive_gate.drift.kinds import KINDS
from tests.support.digests import changes, digest, of, thing

NOBODY = View(load_contract(DEFAULT_CONTRACT), {}, {})
NAMES = ("A", "B", "C")

scalars = st.sampled_from(
    [
        {"type": "string"},
        {"type": "boolean"},
        {"type": "integer", "format": "uint8"},
        {"type": "integer", "format": "int64"},
        {"type": "number"},
        {"type": "null"},
        {"type": ["string", "null"]},
        {"type": "string", "minLength": 1},
        {"enum": ["x"]},
        {"enum": ["x", "y"]},
        {"enum": ["y", 1]},
        {"type": "object"},
        {},
        True,
    ]
)
references = st.sampled_from([of(name) for name in NAMES])


def objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    return st.builds(
        lambda named, needed, extra: {**thing(" ".join(sorted(needed & named.keys())), **named), **extra},
        members,
        st.sets(st.sampled_from("abc")),
        st.sampled_from([{}, {}, {"additionalProperties": False}]),
    )


def tagged(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    def variants(named: list[tuple[str, dict[str, Any]]]) -> Any:
        return {"oneOf": [thing("type", type={"enum": [kind]}, **members) for kind, members in named]}

    members = st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    return st.lists(st.tuples(st.sampled_from("pqr"), members), min_size=1, max_size=4).map(variants)


schemas = st.recursive(
    scalars | references,
    lambda inner: st.one_of(
        objects(inner),
        tagged(inner),
        inner.map(lambda schema: {"type": "array", "items": schema}),
        st.lists(inner, min_size=1, max_size=3).map(lambda branches: {"anyOf": branches}),
        inner.map(lambda schema: {"anyOf": [schema, {"type": "null"}]}),
    ),
    max_leaves=8,
)
messages = st.builds(Message, st.none() | schemas, st.none() | schemas, st.booleans())


@st.composite
def digests(draw: st.DrawFn) -> Digest:
    definitions: dict[str, Any] = {name: draw(schemas) for name in NAMES}
    methods = draw(st.dictionaries(st.sampled_from(["box/list", "box/read"]), messages, max_size=2))
    return digest(methods, {"box/moved": draw(messages)}, **definitions)


quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def told(comparison: Comparison, *, inverse: bool = False) -> Counter[Any]:
    """All differences as they are, or as the way back must tell them."""
    found: Counter[Any] = Counter()
    places = [((root.method, root.flow), root.found) for root in comparison.roots]
    places += [((node if not inverse else node[::-1]), each) for node, each in comparison.nodes.items()]  # type: ignore[misc]
    for place, each in places:
        for one in each.differences:
            ends = (one.new, one.old) if inverse else (one.old, one.new)
            found[place, KINDS[one.kind].inverse if inverse else one.kind, one.path, *ends] += 1
    return found


@quick
@given(digests())
def test_a_target_differs_from_itself_in_nothing(one: Digest) -> None:
    assert changes(one, one, NOBODY).all == ()


@quick
@given(digests(), digests())
def test_what_comes_on_the_way_there_goes_on_the_way_back(old: Digest, new: Digest) -> None:
    assert told(compare(old, new), inverse=True) == told(compare(new, old))


@quick
@given(digests(), digests())
def test_each_change_has_a_fingerprint_of_its_own(old: Digest, new: Digest) -> None:
    found = [change.fingerprint for change in changes(old, new, NOBODY).all]
    assert len(found) == len(set(found))


@quick
@given(digests(), digests(), schemas)
def test_other_changes_leave_a_fingerprint_alone(old: Digest, new: Digest, more: Any) -> None:
    before = {change.fingerprint for change in changes(old, new, NOBODY).all}

    def grown(side: Digest, extra: dict[str, Message]) -> Digest:
        family = {**side.messages, "methods": {**side.messages["methods"], **extra}}
        return Digest(side.version, family, {**side.definitions, "Unrelated": more}, side.where)

    sides = grown(old, {"other/method": Message(more)}), grown(new, {"more/method": Message(None, more)})
    assert before <= {change.fingerprint for change in changes(*sides, NOBODY).all}
