"""Transcripts from files: what is taken, what is refused, and how whole it is said to be."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hive_gate.adapter.reading import Reader, sniff
from hive_gate.adapter.run import judge_file
from hive_gate.contract.model import Contract
from hive_gate.errors import UsageError
from hive_gate.report.model import SCHEMA_ID as REPORT
from hive_gate.report.transcript import SCHEMA_ID as PROBE
from hive_gate.tap.form import SCHEMA_ID as TAP
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


def a_number_that_is_none(lines: list[Any]) -> None:
    lines[2]["ms"] = float("nan")


def a_size_beyond_all_measure(lines: list[Any]) -> None:
    lines[2]["bytes"] = 10**400


def a_body_that_is_a_list(lines: list[Any]) -> None:
    lines[2]["body"] = [1]


def a_command_that_is_a_number(lines: list[Any]) -> None:
    lines[0]["command"] = 5


def a_command_of_numbers(lines: list[Any]) -> None:
    lines[0]["command"] = ["codex", 5]


def a_target_that_is_a_list(lines: list[Any]) -> None:
    lines[0].update(command=None, target=[1])


def a_target_with_a_command_in_one_text(lines: list[Any]) -> None:
    lines[0].update(command=None, target={"argv": "codex app-server"})


def a_hole(lines: list[Any]) -> None:
    lines[0] = "\0" * 100 + json.dumps(lines[3])  # where a tap goes on whose record was emptied


def a_schema_that_is_a_list(lines: list[Any]) -> None:
    lines[0]["schema"] = ["x"]


def more_after_the_footer(lines: list[Any]) -> None:
    lines.append(lines[2])


def a_footer_that_counts_others(lines: list[Any]) -> None:
    lines[-1]["messages"] = 1


@pytest.mark.parametrize(
    ("change", "place", "why"),
    [
        (nothing, "", "it is empty"),
        (another_schema, ", line 1, /schema", "it is not the header of a transcript that this version knows"),
        (a_schema_that_is_a_list, ", line 1, /schema", "it is not the header of a transcript that this version knows"),
        (a_command_that_is_a_number, ", line 1, /command", "a list of strings is expected"),
        (a_command_of_numbers, ", line 1, /command", "a list of strings is expected"),
        (a_target_that_is_a_list, ", line 1, /target", "an object is expected"),
        (a_target_with_a_command_in_one_text, ", line 1, /target/argv", "a list of strings is expected"),
        (a_line_of_text, ", line 3", "it is not JSON: Expecting value"),
        (a_hole, ", line 1", "null bytes are in it, so it was cut while it was written or read"),
        (a_list, ", line 3", "it is not a JSON object"),
        (a_message_is_missing, ", line 4", "message 2 should come, not message 3"),
        (body_and_text, ", line 3", "it is neither a message, with a body or a text, nor a footer"),
        (a_body_that_is_a_list, ", line 3, /body", "its `body` is neither an object nor null"),
        (a_direction_of_its_own, ", line 3, /direction", "its direction is neither `sent` nor `received`"),
        (a_time_in_words, ", line 3, /ms", "its `ms` is no number"),
        (a_number_that_is_none, ", line 3, /ms", "its `ms` is no number"),
        (a_number_that_is_true, ", line 3, /n", "its `n` is no number"),
        (a_size_beyond_all_measure, ", line 3, /bytes", "its `bytes` is no number"),
        (more_after_the_footer, ", line {last}", "it comes after the footer"),
        (a_footer_that_counts_others, ", line {last}, /messages", "the footer counts 1 messages"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_place(path: Path, change: Change, place: str, why: str) -> None:
    lines: list[Any] = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read(path)
    assert why in caught.value.message
    assert caught.value.where == f"{path}{place.format(last=len(lines))}"
    assert caught.value.hint


def test_any_other_file_is_refused(tmp_path: Path, contract: Contract) -> None:
    for name, data in {"text": b"hello\n", "bytes": b"\xff\xfe\x00", "object": b"{}\n", "empty": b""}.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(UsageError, match="This is no transcript"):
            judge_file(path, contract)


def test_what_cannot_be_read_twice_is_told_and_not_read(tmp_path: Path, contract: Contract) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(UsageError, match="has to be a regular file"):
            judge_file(path, contract)


def test_a_record_that_is_open_is_read_whatever_has_its_name_now(path: Path, contract: Contract) -> None:
    with path.open("rb") as file:
        path.unlink()
        path.write_text("Dear Kim,\n", encoding="utf-8")
        assert judge_file(path, contract, file).judgment.outcome == "kept"


def test_the_process_that_records_is_known_where_the_header_says_it(path: Path) -> None:
    for said, known in ((4711, 4711), ("4711", None), (0, None), (-1, None), (True, None), (1 << 40, None)):
        good().write(path, pid=said)
        assert read(path).pid == known


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (json.dumps({"type": "header", "schema": TAP}) + "\nand more", "tap"),
        (json.dumps({"schema": PROBE, "type": "header"}) + "\n", "probe"),
        (json.dumps({"schema": REPORT, "gate": "open"}, indent=2), "report"),
        (json.dumps({"a": "x" * 100_000, "schema": REPORT}, separators=(",", ":")), "report"),
        (json.dumps({"type": "header", "schema": ["x"]}) + "\n", None),
        (json.dumps({"type": "note", "schema": TAP}) + "\n", None),
        ("[" * 60_000, None),
        (f'no object, but "schema": "{REPORT}"', None),
        ("", None),
    ],
    ids=["record", "transcript", "report", "sorted report", "list", "no header", "depth", "text", "nothing"],
)
def test_a_file_is_known_by_its_first_line_or_a_report_by_its_schema(text: str, kind: str | None, path: Path) -> None:
    path.write_text(text, encoding="utf-8")
    assert sniff(path) == kind


@pytest.mark.parametrize(
    ("data", "by", "undo"),
    [(gzip.compress(b"{}\n"), "gzip", "gunzip"), (b"\x28\xb5\x2f\xfd\x00", "zstd", "unzstd")],
    ids=["gzip", "zstd"],
)
def test_a_file_that_is_compressed_is_refused_with_what_undoes_it(data: bytes, by: str, undo: str, path: Path) -> None:
    path.write_bytes(data)
    with pytest.raises(UsageError, match=f"The file is compressed, by {by}") as caught:
        sniff(path)
    assert (caught.value.where, caught.value.hint) == (str(path), f"{undo} it first")


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
