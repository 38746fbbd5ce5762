"""report.json: written whole, read back equal, and refused when it is not whole."""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hive_gate.errors import UsageError
from hive_gate.report.jsonfile import digest, from_json, read_report, to_json, to_text, write_report, write_text
from hive_gate.report.model import Message, Report

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_members_stand_in_the_published_order_and_the_footer_is_last(closed_report: Report) -> None:
    assert list(to_json(closed_report)) == [
        "schema", "gate", "run", "target", "contract", "baseline", "measurement", "counts", "clauses", "constraints",
        "decisions", "suites", "news", "servers", "lacking", "oddities", "scenes", "messages", "footer",
    ]  # fmt: skip
    assert to_json(closed_report)["footer"] == {"clauses": 6, "messages": 5, "complete": True}


@pytest.mark.parametrize("name", ["closed_report", "open_report", "waived_report", "hostile_report"])
def test_a_report_comes_back_equal_from_its_file(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    report: Report = request.getfixturevalue(name)
    assert from_json(to_json(report)) == report
    write_report(report, tmp_path / "new" / "report.json")
    assert read_report(tmp_path / "new" / "report.json") == report


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=JSON, text=st.text())
def test_any_body_and_any_text_come_back_equal(closed_report: Report, body: Any, text: str) -> None:
    messages = (Message(0, 0, 1.0, "received", 3, body), Message(1, 0, 2.0, "sent", 3, None, text))
    report = replace(closed_report, messages=messages, scenes={text: body})
    assert from_json(json.loads(to_text(report).encode().decode())) == report


def test_each_message_has_a_line_of_its_own(closed_report: Report) -> None:
    lines = [line.strip().rstrip(",") for line in to_text(closed_report).splitlines()]
    for message in to_json(closed_report)["messages"]:
        assert message in [json.loads(line) for line in lines if line.startswith('{"n"')]


def test_lone_surrogates_line_separators_and_control_characters_survive_as_escapes(closed_report: Report) -> None:
    body = {"\ud83d": "a\u2028b\u2029c\x85d\x00e\u202e 한글 \U0001f600"}
    report = replace(closed_report, messages=(Message(0, 0, 1.0, "received", 3, body),))
    raw = to_text(report).encode()
    assert "한글 \U0001f600".encode() in raw
    assert b"\\ud83d" in raw
    assert b"a\\u2028b\\u2029c\\u0085d\\u0000e\\u202e" in raw
    assert from_json(json.loads(raw)).messages[0].body == body


def test_numbers_that_json_does_not_have_are_written_as_standard_json(closed_report: Report) -> None:
    body = {"a": math.inf, "b": -math.inf, "c": math.nan, "Infinity": 'NaN "Infinity'}
    report = replace(closed_report, messages=(Message(0, 0, 1.0, "received", 3, body),))

    def refuse(name: str) -> None:
        raise AssertionError(name)

    back = json.loads(to_text(report), parse_constant=refuse)["messages"][0]["body"]
    assert back == {"a": math.inf, "b": -math.inf, "c": "NaN", "Infinity": 'NaN "Infinity'}


def test_a_body_nested_to_the_limit_of_the_stack_is_still_written(closed_report: Report) -> None:
    body: Any = {}
    for _ in range(5000):
        body = {"a": [body]}
    text = to_text(replace(closed_report, messages=(Message(0, 0, 1.0, "received", 3, body),)))
    assert from_json(json.loads(text)).messages[0].n == 0


def test_the_digest_is_that_of_the_file(closed_report: Report, tmp_path: Path) -> None:
    write_report(closed_report, tmp_path / "report.json")
    assert digest(closed_report) == hashlib.sha256((tmp_path / "report.json").read_bytes()).hexdigest()


def test_writing_leaves_only_the_report_and_everybody_may_read_it(closed_report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text("old")
    write_report(closed_report, path)
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real, link, chain = tmp_path / "far" / "real.json", tmp_path / "link.json", tmp_path / "chain.json"
    link.symlink_to("far/real.json")
    chain.symlink_to(link)
    for path in (link, chain):  # the first time there is nothing yet that the links lead to
        write_text(path.name, path)
        assert real.read_text() == path.name
    assert (link.is_symlink(), chain.is_symlink(), real.is_symlink()) == (True, True, False)
    assert [p.name for p in (tmp_path / "far").iterdir()] == ["real.json"]


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "through a link"])
def test_what_is_no_regular_file_is_written_to_and_stays_what_it_is(linked: bool, tmp_path: Path) -> None:
    pipe = path = tmp_path / "pipe"
    os.mkfifo(pipe)
    if linked:
        path = tmp_path / "link"
        path.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # so that whoever writes need not wait
    try:
        write_text("한 line\n", path)
        assert os.read(reader, 100) == "한 line\n".encode()
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert path.is_symlink() is linked
    assert len(list(tmp_path.iterdir())) == 1 + linked


def test_a_pipe_that_is_reached_through_a_descriptor_is_written_to() -> None:
    reader, writer = os.pipe()
    write_text("a line\n", Path(f"/dev/fd/{writer}"))
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        assert file.read() == b"a line\n"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_the_shell_appends_to_is_appended_to(name: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("from before\n")
    program = (
        "from pathlib import Path; from hive_gate.report.jsonfile import write_text; "
        f"print('said'); write_text('한 line\\n', Path({name!r})); print('last')"
    )
    with log.open("ab") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert log.read_text() == "from before\nsaid\n한 line\nlast\n"


def test_a_descriptor_that_is_not_open_is_told_as_a_file_that_cannot_be_written() -> None:
    with pytest.raises(UsageError, match="The file cannot be written: Bad file descriptor"):
        write_text("text", Path("/dev/fd/987"))


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to(path)], ids=["a folder", "an endless link"])
def test_what_cannot_be_written_to_is_left_as_it_is(make: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "taken"
    make(path)
    with pytest.raises(UsageError, match="The file cannot be written") as caught:
        write_text("text", path)
    assert caught.value.where == str(path)
    assert [(p.name, p.is_file()) for p in tmp_path.iterdir()] == [("taken", False)]


def test_a_private_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "private.json"
    path.touch(0o644)
    write_text("text", path, private=True)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_is_a_usage_error_with_its_path(closed_report: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError) as caught:
        write_report(closed_report, tmp_path / "file" / "report.json")
    assert caught.value.where == str(tmp_path / "file" / "report.json")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda o: o.pop("footer"), "/footer"),
        (lambda o: o["footer"].update(messages=4), "/footer/messages"),
        (lambda o: o["footer"].update(complete=1), "/footer/complete"),
        (lambda o: o["clauses"].pop(), "/footer/clauses"),
        (lambda o: o["messages"].pop(), "/footer/messages"),
        (lambda o: o["clauses"][1].update(verdict="pass"), "/counts/pass"),
        (lambda o: o["clauses"][1].update(verdict="fine"), "/clauses/1/verdict"),
        (lambda o: o["counts"].pop("total"), "/counts/total"),
        (lambda o: o.update(schema="hive-gate/report/2"), "/schema"),
        (lambda o: o["messages"][0].update(n="0"), "/messages/0/n"),
        (lambda o: o["messages"][0].update(n=True), "/messages/0/n"),
        (lambda o: o["target"].pop("sha256"), "/target/sha256"),
        (lambda o: o["suites"].update({"a/b~": 1}), "/suites/a~1b~0"),
        (lambda o: o.update(clauses={}), "/clauses"),
        (lambda o: o.update(run=None), "/run"),
    ],
)
def test_an_edited_report_is_refused_with_file_pointer_and_what_to_do(
    change: Callable[[Any], object], pointer: str, closed_report: Report, tmp_path: Path
) -> None:
    obj = to_json(closed_report)
    change(obj)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(obj))
    with pytest.raises(UsageError) as caught:
        read_report(path)
    assert caught.value.where == f"{path}#{pointer}"
    assert pointer in caught.value.message
    assert caught.value.hint


def test_a_closed_gate_cannot_be_edited_open(closed_report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(json.dumps({**to_json(closed_report), "gate": "open"}))
    with pytest.raises(UsageError, match="the gate is open, and its clauses say that it is closed"):
        read_report(path)


@pytest.mark.parametrize("keep", [0, 1, 100, -2, -40])
def test_a_report_that_was_cut_short_is_refused(keep: int, closed_report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(to_text(closed_report).encode()[:keep])
    with pytest.raises(UsageError, match="cut short") as caught:
        read_report(path)
    assert caught.value.where == str(path)


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"[" * 200_000, b"1" * 5000])
def test_what_is_no_report_at_all_is_a_usage_error(raw: bytes, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_bytes(raw)
    with pytest.raises(UsageError):
        read_report(path)


def test_a_report_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_report(tmp_path / "none.json")


def test_members_that_a_later_version_added_are_passed_over(closed_report: Report) -> None:
    obj = to_json(closed_report)
    obj["later"] = 1
    obj["target"]["later"] = 1
    assert from_json(obj) == closed_report
