"""A judgment in every format: what people read, and what programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft202012Validator

from hive_gate.adapter.document import document
from hive_gate.adapter.forms import as_annotations, as_json, as_junit, to_json
from hive_gate.adapter.reading import Source
from hive_gate.adapter.run import Judged
from hive_gate.adapter.words import headline_text
from hive_gate.data import CONTRACTS
from hive_gate.report.document import DOCUMENT_FORMATS, write_document
from tests.support.talk import THREAD, Talk, good

Judging = Callable[[Talk], Judged]

SCHEMA: dict[str, Any] = json.loads((CONTRACTS / "client-judgment.schema.json").read_text(encoding="utf-8"))
SECRET = "what the user wrote"

ANSWER = len(good().lines) + 3
"""The message that answers a page."""
AGAIN = ANSWER + 1
"""The one that asks for it again."""


@pytest.fixture
def broken(judged: Judging) -> Judged:
    talk = good()
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.pages("c1", "c2")
    talk.refusal("thread/turns/items/list", {"threadId": THREAD, "input": [{"text": SECRET}]}, -32601, "no")
    talk.add("sent", text=f'{{"text":"{SECRET}"', odd=["not-json"])
    for _ in range(2):
        talk.refusal("turn/start", {"threadId": THREAD, "input": [{"text": SECRET}], "note": SECRET}, -32603, "no")
    return judged(talk)


@pytest.fixture
def kept(judged: Judging) -> Judged:
    return judged(good())


@pytest.fixture
def nothing(judged: Judging) -> Judged:
    return judged(Talk())


@pytest.mark.parametrize("name", [*DOCUMENT_FORMATS, "annotations"])
def test_of_a_probe_the_first_line_says_that_it_asks_wrong_things_on_purpose(name: str, broken: Judged) -> None:
    def told(source: Source) -> str:
        judged = replace(broken, whole=replace(broken.whole, source=source))
        text = as_annotations(judged) if name == "annotations" else write_document(document(judged), name)
        return " ".join(text.split())

    excuse = "This is a probe, which asks wrong things on purpose, and no client of Hive."
    for source in ("probe", "report"):
        before, _, after = told(source).partition(excuse)
        assert after
        assert "BREAKS" not in before
        assert "Client BREAKS" in re.sub("<[^>]*>|[*_]", "", after)[:60]
    assert excuse not in told("tap")


def test_the_outcome_is_told_in_one_line(kept: Judged, broken: Judged, nothing: Judged) -> None:
    def line(judged: Judged) -> str:
        return headline_text(judged.judgment, judged.contract)

    against = f"the adapter contract of hive-app-server {kept.contract.version}"
    total = len(kept.judgment.rules)
    assert line(kept) == f"Client KEEPS {against}: {total} of {total} rules."
    names = "adapter.cursor-once, adapter.no-items-list, adapter.valid-lines"
    assert line(broken) == f"Client BREAKS {against}: 3 of {total} rules ({names})."
    assert line(nothing) == f"Client NOT JUDGED: nothing that {against} speaks of was seen."


@pytest.mark.parametrize("name", list(DOCUMENT_FORMATS))
def test_every_format_names_the_rules_their_verdicts_and_the_messages_without_what_users_wrote(
    name: str, broken: Judged
) -> None:
    text = write_document(document(broken), name)
    for rule in broken.judgment.rules:
        assert rule.id in text
    for word in ("pass", "fail", "warn", "record.jsonl", "c1"):
        assert word in text
    assert SECRET not in text


def test_the_broken_rules_come_first_with_what_was_done(broken: Judged) -> None:
    text = write_document(document(broken), "text")
    told = text.index(f"It did: message {AGAIN} (see {ANSWER}): the cursor `c1` is asked for again")
    assert text.index("adapter.cursor-once - fail (required)") < told < text.index("Every rule")
    assert text.index("adapter.no-items-list - fail") < text.index("adapter.after-refusal - warn (advisory)")


def test_a_transcript_that_is_not_whole_is_called_so(judged: Judging, kept: Judged) -> None:
    kept.whole.problem = "it ends without a footer"
    assert "no: it ends without a footer" in write_document(document(kept), "text")
    assert "::warning title=transcript::It is not complete: it ends without a footer." in as_annotations(kept)


def test_the_json_is_as_its_schema_says(kept: Judged, broken: Judged, nothing: Judged) -> None:
    validator = Draft202012Validator(SCHEMA)
    for judged in (kept, broken, nothing):
        assert [error.json_path for error in validator.iter_errors(json.loads(as_json(judged)))] == []
    found = json.loads(as_json(broken))
    assert (found["outcome"], found["counts"]["fail"], found["counts"]["warn"]) == ("broken", 3, 1)
    (rule,) = [rule for rule in found["rules"] if rule["id"] == "adapter.cursor-once"]
    assert rule["breaches"][0]["beside"] == [ANSWER]


def test_every_member_of_the_json_is_in_the_schema(broken: Judged) -> None:
    found = to_json(broken)
    assert list(found) == list(SCHEMA["properties"])
    assert list(found["transcript"]) == list(SCHEMA["properties"]["transcript"]["properties"])
    assert list(found["rules"][0]) == list(SCHEMA["properties"]["rules"]["items"]["properties"])


def test_junit_has_a_case_for_each_rule(kept: Judged, broken: Judged) -> None:
    cases = {case.get("name"): case for case in ET.fromstring(as_junit(broken)).iter("testcase")}
    assert list(cases) == [rule.id for rule in broken.judgment.rules]
    failure = cases["adapter.cursor-once"].find("failure")
    assert failure is not None
    assert str(failure.get("message")).startswith(f"message {AGAIN} (see {ANSWER}): the cursor")
    assert cases["adapter.after-refusal"].find("failure") is None
    assert "sent again" in str(cases["adapter.after-refusal"].findtext("system-out"))
    assert [case for case in ET.fromstring(as_junit(kept)).iter("testcase") if len(case)] == []


def test_junit_of_a_client_that_did_nothing_is_not_green(nothing: Judged) -> None:
    root = ET.fromstring(as_junit(nothing))
    assert [case.get("name") for case in root.iter("testcase") if case.find("error") is not None] == [
        "the client can be judged"
    ]


def test_annotations_mark_what_is_broken(kept: Judged, broken: Judged) -> None:
    assert as_annotations(kept).startswith("::notice title=adapter contract::Client KEEPS")
    first, *others = as_annotations(broken).splitlines()
    assert first.startswith("::error title=adapter contract::Client BREAKS")
    marks = [line.partition("::")[2].partition("::")[0] for line in others]
    assert marks == [
        "error title=adapter.cursor-once",
        "error title=adapter.no-items-list",
        "error title=adapter.valid-lines",
        "warning title=adapter.after-refusal",
    ]
