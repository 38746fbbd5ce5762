"""Transcripts from files: what is taken, what is refused, and how whole it is said to be."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.adapter.reading import Reader
from hive_gate.adapter.run import judge_file
from hive_gate.contract.model import Contract
from hive_gate.errors import UsageError
from hive_gate.report.transcript import SCHEMA_ID as PROBE
from tests.support.talk import Talk, good

Change = Callable[[list[Any]], object]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return good().write(tmp_path / "record.jsonl")


def read(path: Path) -> Reader:
    reader = Reader(str(path))
    list(reader.lines(path))
    return reader


def test_a_whole_record_says_so(path: Path) -> None:
    whole = read(path).whole
    talk = good()
    sent = sum(line["direction"] == "sent" for line in talk.lines)
    assert (whole.source, whole.messages, whole.sent) == ("tap", len(talk.lines), sent)
    assert (whole.problem, whole.command) == (None, ("codex", "app-server"))


def test_a_record_without_footer_is_taken_and_said_not_to_be_complete(path: Path) -> None:
    good().write(path, footer=False)
    whole = read(path).whole
    assert whole.messages == len(good().lines)
    assert whole.problem == "it ends without a footer: it was cut off, or is still being written"


@pytest.mark.parametrize("left", [1, 40, 3_000])
def test_a_record_that_was_cut_off_is_taken_as_far_as_it_goes(path: Path, left: int) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-left])
    reader = read(path)
    assert reader.whole.problem is not None
    assert reader.whole.messages == data[:-left].count(b"\n") - 1  # the header is no message
    assert not reader.ended


def test_a_footer_that_says_what_went_wrong_is_believed(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    footer = {**json.loads(lines[-1]), "complete": False, "problem": "it could not be written: No space left on device"}
    path.write_text("\n".join([*lines[:-1], json.dumps(footer)]) + "\n", encoding="utf-8")
    assert read(path).whole.problem == "it could not be written: No space left on device"


def nothing(lines: list[Any]) -> None:
    lines.clear()


def another_schema(lines: list[Any]) -> None:
    lines[0]["schema"] = "hive-gate/tap/9"


def a_line_of_text(lines: list[Any]) -> None:
    lines[2] = "not JSON at all"


def a_list(lines: list[Any]) -> None:
    lines[2] = [1]


def a_message_is_missing(lines: list[Any]) -> None:
    del lines[3]


def body_and_text(lines: list[Any]) -> None:
    lines[2]["text"] = "both"


def a_direction_of_its_own(lines: list[Any]) -> None:
    lines[2]["direction"] = "up"


def a_time_in_words(lines: list[Any]) -> None:
    lines[2]["ms"] = "soon"


def a_number_that_is_true(lines: list[Any]) -> None:
    lines[2]["n"] = True


def more_after_the_footer(lines: list[Any]) -> None:
    lines.append(lines[2])


def a_footer_that_counts_others(lines: list[Any]) -> None:
    lines[-1]["messages"] = 1


@pytest.mark.parametrize(
    ("change", "line", "why"),
    [
        (nothing, None, "it is empty"),
        (another_schema, 1, "it is not the header of a transcript that this version knows"),
        (a_line_of_text, 3, "it is not JSON: Expecting value"),
        (a_list, 3, "it is not a JSON object"),
        (a_message_is_missing, 4, "message 2 should come, not message 3"),
        (body_and_text, 3, "it is neither a message, with a body or a text, nor a footer"),
        (a_direction_of_its_own, 3, "its direction is neither `sent` nor `received`"),
        (a_time_in_words, 3, "one of n, ms, bytes is no number"),
        (a_number_that_is_true, 3, "one of n, ms, bytes is no number"),
        (more_after_the_footer, -1, "it comes after the footer"),
        (a_footer_that_counts_others, -1, "the footer counts 1 messages"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_line(path: Path, change: Change, line: int | None, why: str) -> None:
    lines: list[Any] = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read(path)
    assert why in caught.value.message
    number = len(lines) if line == -1 else line
    assert caught.value.where == (str(path) if number is None else f"{path}, line {number}")
    assert caught.value.hint


def test_any_other_file_is_refused(tmp_path: Path, contract: Contract) -> None:
    for name, data in {"text": b"hello\n", "bytes": b"\xff\xfe\x00", "object": b"{}\n", "empty": b""}.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(UsageError, match="This is no transcript"):
            judge_file(path, contract)


def test_a_file_that_is_not_there_is_told(tmp_path: Path, contract: Contract) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        judge_file(tmp_path / "none.jsonl", contract)


def test_a_probes_transcript_is_taken_server_by_server(tmp_path: Path, contract: Contract) -> None:
    talk = Talk()
    for server in (0, 1):
        one = Talk(lines=talk.lines, ms=talk.ms)
        before = len(talk.lines)
        one.greets()
        for line in talk.lines[before:]:
            line.update(server=server, clause=None, step=None)
    target = {"argv": ["/x/codex", "app-server"]}
    path = talk.write(tmp_path / "transcript.jsonl", schema=PROBE, command=None, target=target)
    judged = judge_file(path, contract)
    assert (judged.whole.source, judged.whole.command) == ("probe", ("/x/codex", "app-server"))
    assert judged.judgment.outcome == "kept"


def test_a_contract_without_rules_cannot_judge(path: Path, contract: Contract) -> None:
    with pytest.raises(UsageError, match="no rules for adapters"):
        judge_file(path, dataclasses.replace(contract, adapter=()))
