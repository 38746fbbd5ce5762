"""Two targets compared: what the result looks like in each format."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract, Method
from hive_gate.data import CONTRACTS, DEFAULT_CONTRACT
from hive_gate.drift.digest import Digest, Message
from hive_gate.drift.digestfile import checksum
from hive_gate.matrix.drift import Drift, drift_of
from hive_gate.matrix.drift_document import document
from hive_gate.matrix.drift_forms import SHOWN, as_annotations, as_json, as_junit
from hive_gate.matrix.drift_side import Side
from hive_gate.report.blocktext import to_text
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from tests.support.digests import digest, of, thing

TEXT: Any = {"type": "string"}
SCHEMA = json.loads((CONTRACTS / "drift.schema.json").read_text())


def boxes(version: str, box: Any, *methods: str) -> tuple[Side, Digest]:
    made = digest({name: Message(None, of("Box")) for name in ("box/read", *methods)}, version=version, Box=box)
    return Side(version, f"codex {version}", version, "digest", None, checksum(made)), made


@pytest.fixture
def contract() -> Contract:
    read = Method("box/read", {}, thing("id", id=TEXT, lid=TEXT), "reads")
    return replace(load_contract(DEFAULT_CONTRACT), methods={"box/read": read}, clauses=(), capabilities={})


def compared(contract: Contract, old: Any, new: Any, *methods: str) -> Drift:
    return drift_of(boxes("1.0.0", old), boxes("1.1.0", new, *methods), contract)


@pytest.fixture
def drifted(contract: Contract) -> Drift:
    """One change of each level that concerns Hive, and others."""
    old, new = thing(id=TEXT, lid={"enum": ["a"]}), thing(lid={"enum": ["a", "b"]}, size=TEXT)
    return compared(contract, old, new, "box/burn")


@pytest.fixture
def calm(contract: Contract) -> Drift:
    return compared(contract, thing("id", id=TEXT), thing("id", id=TEXT))


def text(drift: Drift, width: int = 120, *, everything: bool = False) -> str:
    return to_text(document(drift, everything=everything), width)


def test_what_concerns_hive_is_told_and_the_rest_counted(drifted: Drift) -> None:
    shown = text(drifted)
    assert shown.startswith(
        "Breaking: 2 changes between codex 1.0.0 and codex 1.1.0 concern Hive, 1 of them breaking.\n"
    )
    assert "Breaking: Hive can stop working (1)\n- /id in the result of box/read is gone. Hive reads it from" in shown
    assert 'News (1)\n- /lid in the result of box/read may now be "b" as well.' in shown
    assert "2 other changes do not concern Hive (2 news to those who use it); --all tells them." in shown
    assert "box/burn" not in shown


def test_with_all_the_rest_is_told_as_well(drifted: Drift) -> None:
    shown = text(drifted, everything=True)
    assert "Not used by Hive: news (2)" in shown
    assert "- The method box/burn is new. [method-added " in shown
    assert "--all" not in shown
    assert shown.splitlines()[0] == text(drifted).splitlines()[0]


def test_nothing_that_concerns_hive_is_one_line(calm: Drift, contract: Contract) -> None:
    same = ": they say exactly the same of themselves."
    assert text(calm).splitlines()[0] == f"No change between codex 1.0.0 and codex 1.1.0 concerns Hive{same}"
    other = compared(contract, thing("id", id=TEXT), thing("id", id=TEXT, size=TEXT))
    assert text(other).splitlines()[0] == "No change between codex 1.0.0 and codex 1.1.0 concerns Hive."
    assert "1 other change does not concern Hive (1 news" in text(other)


A, B = thing("id", id=TEXT, lid={"enum": ["a"]}), thing("id", id=TEXT, lid={"enum": ["a", "b"]})


@pytest.mark.parametrize(
    ("old", "new", "headline"),
    [
        (A, B, "Nothing breaks: 1 change BETWEEN concerns Hive, and it is news."),
        (A, thing("id", id=TEXT), "Breaking: 1 change BETWEEN concerns Hive, and it is breaking."),
        (A, thing(id=TEXT), "Breaking: 2 changes BETWEEN concern Hive, 2 of them breaking."),
        (thing(id=TEXT, lid=TEXT), thing(id={"type": "string", "default": "x"}, lid=TEXT), "No change BETWEEN"),
        (B, thing("id lid", id=TEXT, lid={"enum": ["b"]}), "Nothing breaks: 2 changes BETWEEN concern Hive, and all"),
        (A, thing(id=TEXT, lid={"enum": ["a"]}), "Breaking: 1 change BETWEEN concerns Hive, and it is breaking."),
        (A, thing(id={"type": "string", "default": ""}, lid={"enum": ["a"]}),
         "Risky: 1 change BETWEEN concerns Hive, and has to be looked at."),
        (A, thing(id={"type": "string", "default": ""}, lid={"enum": ["a", "b"]}),
         "Risky: 2 changes BETWEEN concern Hive, none of them breaking, 1 to be looked at."),
    ],
)  # fmt: skip
def test_the_headline_is_the_worst_of_it(contract: Contract, old: Any, new: Any, headline: str) -> None:
    said = headline.replace("BETWEEN", "between codex 1.0.0 and codex 1.1.0")
    assert text(compared(contract, old, new), 200).startswith(said)


def test_it_can_be_read_on_a_narrow_terminal(drifted: Drift) -> None:
    assert max(len(line) for line in text(drifted, 80, everything=True).splitlines()) <= 80


@pytest.mark.parametrize("name", DOCUMENT_FORMATS)
@pytest.mark.parametrize("everything", [False, True])
def test_every_format_for_people_tells_the_same(drifted: Drift, name: str, everything: bool) -> None:
    shown = write_document(document(drifted, everything=everything), name)
    for word in ("Breaking", "box/read", drifted.changes.used[0].fingerprint, "codex 1.1.0"):
        assert word in shown
    assert ("box/burn" in shown) == everything


@pytest.mark.parametrize("name", DOCUMENT_FORMATS)
@pytest.mark.parametrize(
    ("spec", "command"),
    [("0.171.0", "hive-gate can-i-bump 0.171.0"), ("v0.171.0", "hive-gate can-i-bump 0.171.0"),
     ("reference", "hive-gate probe --codex reference")],
)  # fmt: skip
def test_it_says_that_it_is_no_answer_to_whether_hive_can_take_it_and_what_is(
    calm: Drift, name: str, spec: str, command: str
) -> None:
    shown = html.unescape(write_document(document(replace(calm, new=replace(calm.new, spec=spec))), name))
    assert "Schemas only: this does not ask how the server behaves; " in shown
    assert command in shown


def test_a_long_list_fits_into_a_note_and_the_worst_stays(contract: Contract) -> None:
    many = {f"member{number}": TEXT for number in range(900)}
    drift = compared(contract, thing(id=TEXT), thing(**many))
    note = write_document(document(drift, everything=True), "markdown")
    assert len(note.encode()) <= 30_000
    assert "/id in the result of `box/read` is gone" in note
    assert "groups of news changes" in note


def test_a_result_that_nobody_describes_is_named_as_not_compared(contract: Contract) -> None:
    silent = digest({"box/read": Message()})
    about = Side("1.0.0", "codex 1.0.0", "1.0.0", "digest", None, "0" * 12)
    drift = drift_of((about, silent), (about, silent), contract)
    assert drift.uncompared == ("box/read",)
    said = "The result of box/read could not be compared: in one target or both, no schema is named after it."
    assert said in text(drift)
    assert f"::notice title=hive-gate drift::{said}" in as_annotations(drift).replace("`", "")


def test_with_all_every_result_that_could_not_be_compared_is_named(contract: Contract) -> None:
    names = [f"box/burn{number}" for number in range(6)]
    before, after = (
        digest({"box/read": Message(None, TEXT), "box/old": last, **{name: Message() for name in names}})
        for last in (Message(), Message(None, TEXT))
    )
    about = Side("1.0.0", "codex 1.0.0", "1.0.0", "digest", None, "0" * 12)
    drift = drift_of((about, before), (about, after), contract)
    assert json.loads(as_json(drift))["uncompared"] == []
    assert "could not be compared" not in text(drift)
    assert json.loads(as_json(drift, everything=True))["uncompared"] == [*names, "box/old"]
    shown = " ".join(text(drift, everything=True).split())
    listed = f"{', '.join(names)} and box/old"
    assert f"The results of {listed} could not be compared: in one target or both, no schema is" in shown
    properties = {one.get("name"): one.get("value") for one in ElementTree.fromstring(
        as_junit(drift, everything=True)).iter("property")}  # fmt: skip
    assert properties["uncompared"] == ", ".join([*names, "box/old"])


def test_hive_is_concerned_where_a_result_that_it_reads_can_not_be_compared(contract: Contract) -> None:
    for before, after, side_with in ((Message(), Message(None, TEXT), "later"),
                                     (Message(None, TEXT), Message(), "earlier")):  # fmt: skip
        about = Side("1.0.0", "codex 1.0.0", "1.0.0", "digest", None, "0" * 12)
        drift = drift_of((about, digest({"box/read": before})), (about, digest({"box/read": after})), contract)
        (change,) = drift.changes.used
        assert change.level == "risky"
        assert f"could not be compared: only the {side_with} target has a schema" in change.explanation


@pytest.mark.parametrize("everything", [False, True])
def test_json_is_as_its_schema_says(drifted: Drift, calm: Drift, everything: bool) -> None:
    for drift in (drifted, calm):
        told = json.loads(as_json(drift, everything=everything))
        jsonschema.Draft202012Validator(SCHEMA).validate(told)
        assert len(told["changes"]) == len(drift.changes.all if everything else drift.changes.used)
    told = json.loads(as_json(drifted))
    assert told["breaks"] is True
    assert told["counts"] == {
        "used": {"breaking": 1, "risky": 0, "news": 1},
        "others": {"breaking": 0, "risky": 0, "news": 2},
    }
    assert told["changes"][0]["rule"] == "response-field-removed"
    assert told["changes"][0]["from"] == "string"
    assert told["changes"][0]["uses"] == [
        {"reason": "reads", "method": "box/read", "pointer": "/id", "level": "breaking", "note": ""}
    ]


def test_the_schema_of_the_json_lists_every_member(drifted: Drift) -> None:
    told = json.loads(as_json(drifted))
    definitions = SCHEMA["$defs"]
    assert set(told) == set(SCHEMA["properties"]) == set(SCHEMA["required"])
    assert set(told["changes"][0]) == set(definitions["Change"]["properties"]) == set(definitions["Change"]["required"])
    assert set(told["from"]) == set(definitions["Side"]["properties"])


def test_junit_fails_for_what_breaks_hive_and_for_nothing_else(drifted: Drift, calm: Drift) -> None:
    suite = ElementTree.fromstring(as_junit(drifted, everything=True)).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert len(cases) == len(drifted.changes.all)
    failed = [case for case in cases if case.find("failure") is not None]
    assert [case.get("classname") for case in failed] == ["drift.server-response"]
    assert "/id" in str(failed[0].get("name"))
    (case,) = ElementTree.fromstring(as_junit(calm)).iter("testcase")
    assert case.get("name") == "nothing that Hive uses differs"
    assert case.find("failure") is None


def test_what_breaks_others_is_told_and_is_no_failure_of_hives(contract: Contract) -> None:
    drift = compared(contract, thing(far=TEXT), thing())
    (change,) = drift.changes.others
    assert change.level == "breaking"
    assert not drift.changes.breaks
    (case,) = ElementTree.fromstring(as_junit(drift, everything=True)).iter("testcase")
    assert case.find("failure") is None
    assert "not used by Hive" in str(case.findtext("system-out"))
    assert [line.partition(" ")[0] for line in as_annotations(drift, everything=True).splitlines()] == ["::notice"] * 2
    assert json.loads(as_json(drift))["breaks"] is False


def test_annotations_are_errors_warnings_and_notices(drifted: Drift, calm: Drift) -> None:
    marks = [line.partition(" ")[0] for line in as_annotations(drifted).splitlines()]
    assert marks == ["::error", "::error", "::notice"]
    assert as_annotations(calm).startswith("::notice title=hive-gate drift::No change between")
    assert "::error" not in as_annotations(calm)


def test_a_step_is_not_sent_more_annotations_than_it_shows(contract: Contract) -> None:
    members = {f"member{number}": TEXT for number in range(40)}
    reads = Method("box/read", {}, thing(**members), "reads")
    drift = compared(replace(contract, methods={"box/read": reads}), thing(**members), thing(id=TEXT, a=TEXT))
    lines = as_annotations(drift, everything=True).splitlines()
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == SHOWN
    assert "32 more like these" in errors[-1]
    assert len([line for line in lines if line.startswith("::notice")]) == 2


def test_what_a_target_says_cannot_become_a_command_or_a_mark(contract: Contract) -> None:
    evil = "id\r\n::error::`x`](javascript:1)\x1b[31m|"
    drift = compared(contract, thing(id=TEXT), thing(**{"id": TEXT, evil: TEXT}))
    lines = as_annotations(drift, everything=True).splitlines()
    assert all(re.match(r"::(error|warning|notice) title=", line) for line in lines)
    assert len(lines) == 2
    for name in DOCUMENT_FORMATS:
        assert "\x1b" not in write_document(document(drift, everything=True), name)
    ElementTree.fromstring(as_junit(drift, everything=True))
