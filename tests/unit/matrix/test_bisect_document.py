"""What a search found, in every format: the answer first, both transcripts, nothing that is not for others."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hive_gate.data import CONTRACTS
from hive_gate.matrix import aligned
from hive_gate.matrix import bisection as bisection_
from hive_gate.matrix.bisect import Search, search
from hive_gate.matrix.bisect_document import TRANSCRIPTS, document
from hive_gate.matrix.bisection import Bisection, bisection
from hive_gate.matrix.runs import Outcome
from hive_gate.report.blocktext import to_text
from hive_gate.report.codec import encode
from hive_gate.report.document import write_document
from hive_gate.report.redact import redact
from tests.unit.matrix.faked import SECRET, FakeRuns, outcome, with_messages

SCHEMA: dict[str, Any] = json.loads((CONTRACTS / "bisect.schema.json").read_text(encoding="utf-8"))
VERSIONS = ["0.142.5", "0.143.0", "0.144.6"]


def searched(clauses: int = 1) -> tuple[Search, list[str]]:
    ids = [f"read.c{number}" for number in range(clauses)]

    def judge(versions: Any) -> list[Outcome]:
        found = []
        for version in versions:
            verdict = "pass" if version == "0.142.5" else "fail"
            reply = {"result": {"text": SECRET}} if verdict == "pass" else {"error": {"code": -1, "message": "gone"}}
            found.append(with_messages(outcome(version, dict.fromkeys(ids, verdict)), reply))
        return found

    return search(VERSIONS, ids, judge), ids


def told(clauses: int = 1, **more: Any) -> Bisection:
    found, ids = searched(clauses)
    return bisection(found, ids, **more)


def failed() -> Bisection:
    return bisection(search(VERSIONS, ["read.c0"], FakeRuns(lambda version: None)), ["read.*"], ["0.143.0"])


@pytest.mark.parametrize("found", [told(), told(2), failed()])
def test_the_json_is_as_its_schema_says(found: Bisection) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    document = encode(found)

    errors = Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(document)))
    assert [(error.json_path, error.message) for error in errors] == []
    assert list(document) == list(SCHEMA["required"]) == list(SCHEMA["properties"])


@pytest.mark.parametrize(
    "cls", [bisection_.Boundary, bisection_.Change, bisection_.Came, bisection_.Seen, bisection_.Stretch,
            bisection_.Wavering, aligned.Pair, aligned.Row],
)  # fmt: skip
def test_the_schema_names_and_describes_every_field(cls: Any) -> None:
    described = SCHEMA["$defs"][cls.__name__]
    assert list(described["properties"]) == described["required"] == [f.name for f in dataclasses.fields(cls)]
    assert all(member["description"].endswith(".") for member in described["properties"].values())


@pytest.mark.parametrize("name", ["text", "textile", "markdown", "github", "html"])
def test_every_format_says_the_first_version_and_shows_both_sides(name: str) -> None:
    text = write_document(document(told(), side_by_side=name in ("text", "html")), name)

    assert "0.143.0 is the first version in which read.c0 changes from pass to fail" in " ".join(text.split())
    assert "gone" in text
    assert "-1" in text.replace("&#45;", "-")


def test_what_others_read_has_nobodys_words_in_it() -> None:
    assert SECRET in to_text(document(told(), side_by_side=False))
    for name in ("textile", "markdown", "github", "html"):
        assert SECRET not in write_document(document(told(shown=redact), side_by_side=False), name)


def test_a_wide_terminal_has_both_sides_in_one_line_and_a_narrow_one_below_each_other() -> None:
    wide = to_text(document(told(), side_by_side=True), 120).splitlines()
    narrow = to_text(document(told(), side_by_side=False), 80).splitlines()

    assert any('"text"' in line and '"code"' in line for line in wide)
    assert not any('"text"' in line and '"code"' in line for line in narrow)
    assert max(map(len, narrow)) <= 80
    assert any(line.startswith("  ! ") and '"code": -1' in line for line in narrow)
    # What is the same on both sides is shown once.
    for lines in (wide, narrow):
        assert sum(line.count('"method": "thread/read"') for line in lines) == 1


def test_transcripts_of_many_clauses_are_cut_and_it_is_said() -> None:
    text = to_text(document(told(TRANSCRIPTS + 3), side_by_side=False))

    assert f"read.c{TRANSCRIPTS - 1} - 0.142.5 and 0.143.0" in text
    assert f"read.c{TRANSCRIPTS} - 0.142.5 and 0.143.0" not in text
    assert "3 more clauses changed in 0.143.0: the JSON has the transcripts." in text


def test_one_of_anything_is_not_told_as_many() -> None:
    ids = [f"read.c{number}" for number in range(TRANSCRIPTS + 1)]
    runs = FakeRuns(lambda version: dict.fromkeys(ids, "pass" if version == "0.142.5" else "fail"))
    text = to_text(document(bisection(search(VERSIONS[:2], ids, runs), ids), side_by_side=False))

    assert "1 version published, after 0.142.5 and up to 0.143.0" in text
    assert "1 more clause changed in 0.143.0: the JSON has the transcripts." in text


def test_a_clause_without_exchanges_says_that_it_asks_nothing() -> None:
    runs = FakeRuns(lambda version: {"read.c0": "pass" if version == "0.142.5" else "fail"})
    found = bisection(search(VERSIONS, ["read.c0"], runs), ["read.c0"])

    assert "read.c0 asks nothing of its own" in to_text(document(found, side_by_side=True))


def test_more_than_one_change_and_unjudged_versions_have_a_section_each() -> None:
    verdicts = {"0.1.0": "pass", "0.2.0": None, "0.3.0": "fail", "0.4.0": "pass", "0.5.0": "fail"}

    def rule(version: str) -> dict[str, str] | None:
        verdict = verdicts[version]
        return None if verdict is None else {"read.c0": verdict}

    known = {version: outcome(version, {"read.c0": str(verdicts[version])}) for version in ("0.3.0", "0.4.0")}
    text = to_text(document(bisection(search(list(verdicts), ["read.c0"], FakeRuns(rule), known), ["read.c0"]),
                            side_by_side=True))  # fmt: skip

    assert "Not monotonic: more than one change was seen" in text
    assert "read.c0: pass 0.1.0, fail 0.3.0, pass 0.4.0, fail 0.5.0" in text
    assert "0.2.0 (not-fetched): 0.2.0 is not there." in text
    assert "from the cache, not needed" in text


def test_an_answer_that_was_at_hand_is_from_the_cache_and_was_needed() -> None:
    versions = ["0.142.5", "0.143.0", "0.144.6", "0.146.1"]
    found = search(versions, ["read.c0"], FakeRuns(_rule), {"0.143.0": outcome("0.143.0", _rule("0.143.0"))})

    lines = to_text(document(bisection(found, ["read.c0"]), side_by_side=True)).splitlines()

    assert found.asked == ["0.142.5", "0.146.1"]
    (line,) = (line for line in lines if line.startswith("0.143.0") and "from the cache" in line)
    assert "not needed" not in line


def _rule(version: str) -> dict[str, str]:
    return {"read.c0": "pass" if version == "0.142.5" else "fail"}


def test_among_says_of_several_changes_that_only_the_versions_given_were_asked() -> None:
    def rule(version: str) -> dict[str, str]:
        return {"read.c0": "pass" if version == "0.142.5" else "fail", **_later(version)}

    found = search(VERSIONS, ["read.c0", "read.c1"], FakeRuns(rule))

    assert bisection(found, ["read.*"], VERSIONS).answer == (
        "Of the versions given: read.c0 changes from pass to fail in 0.143.0 (last before it: 0.142.5); "
        "read.c1 changes from pass to fail in 0.144.6 (last before it: 0.143.0); "
        "whatever was published between them was not asked."
    )
    assert "given" not in bisection(found, ["read.*"]).answer


def _later(version: str) -> dict[str, str]:
    return {"read.c1": "fail" if version == "0.144.6" else "pass"}
