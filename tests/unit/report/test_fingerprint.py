"""Fingerprints: the same for what fails alike, another for what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.report.fingerprint import fingerprint, steady
from hive_gate.report.model import Finding

UNKNOWN = (
    "error -32600: Invalid request: unknown variant `thread/turns/items/list`, not one of 125 it knows; nearest: "
    "`thread/turns/list`, `thread/items/list`"
)
FINDING = Finding(
    "error", 'error -32601 matching "^thread/turns/items/list is not supported yet$"', UNKNOWN, 0, "/error", 7
)


def test_a_fingerprint_does_not_change_between_versions_of_hive_gate() -> None:
    # As 0.143.0 fails, and 0.171.0: whoever changes this makes every baseline stale.
    assert fingerprint([FINDING]) == "71c9de2ed4fa"


SAME = [
    (UNKNOWN, UNKNOWN.replace("125", "192")),
    (UNKNOWN, UNKNOWN.replace(", `thread/items/list`", "")),
    (UNKNOWN, UNKNOWN.partition(";")[0]),
    ("it is not there; nearest: thread/turns/list, thread/items/list", "it is not there"),
    ("not loaded: 01970008-7b1c-7c7a-84ae-bc0fbe13cc99", "not loaded: 01a16e20-aaaa-7bbb-8ccc-bc0fbe13cc00"),
    ("no file /dev/shm/hive-gate-ab12cd/lane-1/home/.codex/x.toml", "no file /tmp/hive-gate-zz/2/x.toml"),
    ("no file /scratch of ours/hive-gate-ab12/x.toml", "no file /scratch of ours/hive-gate-zz99/x.toml"),
    ("from /home/kim/.codex: no", "from /Users/kim/.codex: no"),
    ("no route to 127.0.0.1:41234", "no route to localhost:8080"),
    ("created 2026-11-30T15:52:05+00:00", "created 2026-12-01T01:02:03.456Z"),
    ("rollout-2026-11-30T15-52-05-x", "rollout-2026-12-01T01-02-03-x"),
    ('"createdAt":1764516725', '"createdAt":1764599999'),
    ('"createdAt":1764516725123', '"createdAt":1764599999456'),
    ("no answer within 10 s, though the server is alive", "no answer within 2.5 s, though the server is alive"),
    ("after 12.5 ms", "after 900 ms"),
    ("about 1204 bytes, as in step 'full' (± 64)", "about 99 bytes, as in step 'full' (± 64)"),
    ("a reply with the id 12, which no open request has", "a reply with the id 340, which no open request has"),
    ('"version":"0.143.0"', '"version":"0.171.0-alpha.3"'),
    ('"long…‹20000 characters, sha256 0123456789abcdef›"', '"long…‹20001 characters, sha256 fedcba9876543210›"'),
    ("the cursor eyJ0dXJuIjoiMDE5NzAwMDgifQ== again", "the cursor eyJ0dXJuIjoiZmYxMjM0NTYifQ== again"),
    ('{"data":[{"id":"01970008-7b1c…', '{"data":[{"id":"01a1aaaa-0b2c…'),
    # The length of a path moves the place where a text is cut.
    ('of the file {"path":"/tmp/hive-gate-a/x.toml"},"as":…', 'of the file {"path":"/dev/shm/hive-gate-abcd/x.toml"}…'),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_differs_from_run_to_run_does_not_show(one: str, other: str) -> None:
    assert steady(one) == steady(other)
    assert fingerprint([replace(FINDING, actual=one)]) == fingerprint([replace(FINDING, actual=other)])
    assert fingerprint([replace(FINDING, expected=one)]) == fingerprint([replace(FINDING, expected=other)])


OTHER = [
    (UNKNOWN, UNKNOWN.replace("-32600", "-32601")),
    (UNKNOWN, UNKNOWN.replace("unknown variant `thread/turns/items/list`", "unknown variant `thread/turns/list`")),
    ("no error: a page of 5 turns, nextCursor null", "no error: a page of 5 turns, nextCursor set"),
    ("turns 5…3: missing 2, 1", "turns 5…2: missing 1"),
    ("turns 1…3: missing 4", "turns 1…4: missing 3"),
    ("no turns, though the stored thread has 3 (false empty)", "nothing at /data"),
    ("nothing at /initialTurnsPage/data", "nothing at /initialTurnsPage"),
    ('"paginated": "legacy" was expected', '"other": "legacy" was expected'),
    ("Hive reads `/thread/turns/*/itemsView`, which the target does not send", "Hive reads `/turn/itemsView`, which …"),
    ("a list that is cut at a word…", "a list that is cut at another word…"),
    (
        "expected one of `notLoaded`, `summary`, `full`",
        "expected one of `notLoaded`, `summary`, `full`, `everything`",
    ),
]


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_tells_failures_apart_does(one: str, other: str) -> None:
    assert fingerprint([replace(FINDING, actual=one)]) != fingerprint([replace(FINDING, actual=other)])


def test_check_pointer_and_expectation_tell_failures_apart() -> None:
    changes = ({"check": "result"}, {"pointer": "/data"}, {"pointer": None}, {"expected": "an error"})
    prints = {fingerprint([replace(FINDING, **change)]) for change in changes}
    assert len(prints | {fingerprint([FINDING])}) == 5


def test_step_message_and_index_do_not_count() -> None:
    there = replace(FINDING, pointer="/data/0/items/12/id")
    moved = replace(FINDING, pointer="/data/31/items/0/id", step=3, message=99)
    assert fingerprint([there]) == fingerprint([moved])
    assert fingerprint([there]) != fingerprint([replace(there, pointer="/data/0/items/12x/id")])


def test_order_and_repetition_do_not_count_and_one_finding_more_does() -> None:
    other = replace(FINDING, actual="no reply")
    assert fingerprint([FINDING, other]) == fingerprint([other, FINDING, FINDING])
    assert fingerprint([FINDING, other]) != fingerprint([FINDING])


@pytest.mark.parametrize("check", ["await", "notifications"])
def test_what_came_instead_of_a_notification_does_not_count(check: str) -> None:
    one = Finding(check, "thread/started", "it did not come; came: account/updated")
    assert fingerprint([one]) == fingerprint([replace(one, actual="it did not come; came: nothing")])
    assert fingerprint([one]) != fingerprint([replace(one, expected="thread/closed")])


def test_a_member_unknown_to_the_target_is_told_by_its_pointer() -> None:
    one = Finding("request-field-unknown", "cursor, limit", "Hive sends `/itemsView`, which …", 0, "request/itemsView")
    assert fingerprint([one]) == fingerprint([replace(one, expected="cursor, limit, newInThisVersion")])
    assert fingerprint([one]) != fingerprint([replace(one, pointer="request/cursor")])


@given(st.text(), st.text(), st.text())
def test_any_text_has_a_fingerprint_of_twelve_digits(check: str, expected: str, actual: str) -> None:
    made = fingerprint([Finding(check, expected, actual)])
    assert len(made) == 12
    assert set(made) <= set("0123456789abcdef")


@given(st.uuids(), st.uuids(), st.sampled_from(["{}", "of {} and", '"{}"', "/x/{}", "rollout-{}.jsonl", "{}…"]))
def test_ids_never_show(one: object, other: object, where: str) -> None:
    assert steady(where.format(one)) == steady(where.format(other))
