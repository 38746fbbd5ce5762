"""What leaves the machine in a note, and what does not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from hive_gate.report.jsonfile import to_json, to_text
from hive_gate.report.model import Message, News, Report, Server
from hive_gate.report.paths import PathRedactor, is_absolute, shorten
from hive_gate.report.redact import chars, redact


def body_of(report: Report, body: Any) -> Any:
    return redact(replace(report, messages=(Message(0, 0, 1.0, "received", 3, body),))).messages[0].body


def test_a_redacted_report_holds_no_user_text_and_no_home(closed_report: Report) -> None:
    report = replace(
        closed_report, servers=(Server(0, "s", "hive", "clauses", 1.0, 1, "at /home/kim/x/y.rs:3", "died"),)
    )
    text = to_text(redact(report))
    assert "secret" not in text.replace("…/secret-project", "")
    assert "kim" not in text
    assert "/tmp/" not in text


def test_redaction_changes_neither_verdicts_nor_the_shape_of_messages(closed_report: Report) -> None:
    before, after = to_json(closed_report), to_json(redact(closed_report))
    assert after["counts"] == before["counts"]
    assert after["gate"] == before["gate"]
    assert [c["id"] for c in after["clauses"]] == [c["id"] for c in before["clauses"]]
    assert [m["n"] for m in after["messages"]] == [m["n"] for m in before["messages"]]


@pytest.mark.parametrize("name", ["closed_report", "hostile_report"])
def test_redacting_twice_is_redacting_once(name: str, request: pytest.FixtureRequest) -> None:
    report: Report = request.getfixturevalue(name)
    assert redact(redact(report)) == redact(report)


def test_a_changed_report_is_redacted_anew(closed_report: Report) -> None:
    first = redact(closed_report)
    assert redact(closed_report) is first
    assert redact(replace(closed_report, messages=())).messages == ()


def test_texts_of_messages_become_their_length(closed_report: Report) -> None:
    body = {
        "method": "turn/started",
        "params": {
            "preview": "five!",
            "name": None,
            "thread_name": "n",
            "input": [{"type": "text", "text": "abc"}],
            "items": [{"type": "reasoning", "summary": ["ab", "c"], "id": "item-1"}],
            "message": "words",
            "baseInstructions": "",
        },
    }
    assert body_of(closed_report, body) == {
        "method": "turn/started",
        "params": {
            "preview": "‹5 chars›",
            "name": None,
            "thread_name": "‹1 chars›",
            "input": [{"type": "text", "text": "‹3 chars›"}],
            "items": [{"type": "reasoning", "summary": ["‹2 chars›", "‹1 chars›"], "id": "item-1"}],
            "message": "‹5 chars›",
            "baseInstructions": "",
        },
    }


def test_what_evidence_needs_is_kept(closed_report: Report) -> None:
    body = {
        "id": 7,
        "method": "thread/turns/list",
        "params": {
            "clientInfo": {"name": "hive", "title": None},
            "threadId": "0199",
            "cursor": '{"turnId":"a/b","includeAnchor":true}',
            "itemsView": "summary",
            "sortDirection": "desc",
        },
        "error": {"code": -32600, "message": "thread not loaded: 0199", "data": {"at": "/data/0/id"}},
    }
    assert body_of(closed_report, body) == {**body, "error": {**body["error"], "data": {"at": "…/id"}}}  # type: ignore[dict-item]


@pytest.mark.parametrize("method", ["configWarning", "deprecationNotice"])
def test_what_the_server_warns_of_is_its_own_text_and_loses_only_its_paths(method: str, closed_report: Report) -> None:
    params = {"summary": "thread/rollback is deprecated", "details": "see /home/kim/.codex/rules/a.rules", "name": "n"}
    told = {**params, "details": "see …/a.rules"}
    assert body_of(closed_report, {"method": method, "params": params})["params"] == {**told, "name": "‹1 chars›"}


def test_a_warning_that_is_news_is_read_in_a_note(closed_report: Report) -> None:
    words = "thread/rollback is deprecated and will be removed soon"
    body = {"method": "deprecationNotice", "params": {"summary": words, "details": None}}
    news = (News("deprecation-notice", words), News("config-warning", "in /home/kim/.codex/config.toml"))
    report = replace(closed_report, messages=(Message(0, 0, 1.0, "received", 3, body),), news=news)
    assert [one.text for one in redact(report).news] == [words, "in …/config.toml"]


@pytest.mark.parametrize(
    "body",
    [
        {"method": "turn/started", "params": {"summary": "somebody's words"}},
        {"method": "deprecationNotice", "params": {"item": {"summary": "somebody's words"}}},
        {"method": "deprecationNotice", "result": {"summary": "somebody's words"}},
        {"params": {"item": {"method": "deprecationNotice", "params": {"summary": "somebody's words"}}}},
        {"method": ["deprecationNotice"], "params": {"summary": "somebody's words"}},
    ],
)
def test_no_other_summary_passes_for_a_warning(body: Any, closed_report: Report) -> None:
    assert "somebody" not in json.dumps(body_of(closed_report, body))


def test_every_string_of_a_tools_arguments_is_somebodys(closed_report: Report) -> None:
    body = {"item": {"arguments": {"any": {"key": ["value", 1]}}, "tool": "search"}}
    assert body_of(closed_report, body) == {"item": {"arguments": {"any": {"key": ["‹5 chars›", 1]}}, "tool": "search"}}


def test_an_error_message_keeps_its_words_and_loses_its_path(closed_report: Report) -> None:
    body = {"error": {"code": -1, "message": "failed to read /home/kim/.codex/sessions/rollout-1.jsonl: gone"}}
    assert body_of(closed_report, body)["error"]["message"] == "failed to read …/rollout-1.jsonl: gone"


def test_an_elided_text_counts_as_long_as_it_was() -> None:
    assert chars("abc…‹2000000 characters, sha256 00ff›") == "‹2000000 chars›"


def test_user_text_that_a_finding_quotes_whole_or_from_its_beginning_goes(closed_report: Report) -> None:
    clause = replace(closed_report.clauses[1], actual="“my secret words” and “my secret wo…”", findings=())
    redacted = redact(replace(closed_report, clauses=(clause,))).clauses[0]
    assert redacted.actual == "“‹15 chars›” and “‹15 chars›…”"


def test_a_line_that_is_no_json_object_loses_the_texts_in_it(closed_report: Report) -> None:
    line = '{"method":"x","params":{"text":"words \\" here","cwd":"/home/kim/a"'
    message = Message(0, 0, 1.0, "received", 3, None, line)
    redacted = redact(replace(closed_report, messages=(message,))).messages[0].text
    assert redacted == '{"method":"x","params":{"text":"‹13 chars›","cwd":"…/a"'


def test_a_hostile_depth_does_not_exhaust_the_stack(closed_report: Report) -> None:
    body: Any = "deep secret text"
    for _ in range(5000):
        body = {"text": [body]}
    assert "secret" not in json.dumps(body_of(closed_report, body))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at /home/kim/.cache/codex/bin/codex.", "at …/bin/codex."),
        ("/home/kim", "…"),
        ("/home/kim/", "…"),
        ("in '/Users/kim/Documents/a.txt'", "in '…/a.txt'"),
        ("HOME=/tmp/gate-1/home x", "HOME=…/home x"),
        ("file:///home/kim/a", "file://…/a"),
        ("C:\\Users\\kim\\a.txt is", "…/a.txt is"),
        ("/depot/hive/contract.json#/clauses/0", "…/contract.json#/clauses/0"),
        ("/srv/My Projects/hive/a.txt is odd", "…/a.txt is odd"),
        ("thread/turns/list at /data/0/items", "thread/turns/list at /data/0/items"),
        ("/depot/3/items is a pointer", "/depot/3/items is a pointer"),
        ("https://example.org/home/kim", "https://example.org/home/kim"),
        ("1/2 and a/b and /result", "1/2 and a/b and /result"),
        ("/homework is no home", "/homework is no home"),
    ],
)
def test_absolute_paths_keep_their_file_name_only(text: str, expected: str) -> None:
    redactor = PathRedactor.knowing(["/depot/hive/contract.json", "/srv/My Projects/hive/a.txt"])
    assert redactor(text) == expected
    assert redactor(redactor(text)) == expected


@pytest.mark.parametrize(("path", "expected"), [("/", "/"), ("/etc", "/etc"), ("/root", "…"), ("/a/bin/x", "…/bin/x")])
def test_short_paths(path: str, expected: str) -> None:
    assert shorten(path) == expected


@pytest.mark.parametrize(("text", "expected"), [("/a/b", True), ("/a//b", False), ("a/b", False), ("/a\n/b", False)])
def test_what_is_one_absolute_path(text: str, expected: bool) -> None:
    assert is_absolute(text) is expected
