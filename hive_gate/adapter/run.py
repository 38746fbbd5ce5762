"""A transcript's file judged: its client against the adapter rules, with the messages that show what is broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from hive_gate.adapter.judge import Judge, Judgment
from hive_gate.adapter.reading import Line, Reader, Whole, read_report_messages, sniff
from hive_gate.contract.model import Contract
from hive_gate.wire.transcript import Message


@dataclass(frozen=True, slots=True)
class Judged:
    """A file and what it shows."""

    path: Path
    whole: Whole
    contract: Contract
    judgment: Judgment
    messages: Mapping[int, Message]
    """By number, those that break a rule or show that one is broken."""


def judge_file(path: Path, contract: Contract, record: BinaryIO | None = None) -> Judged:
    """Judge the client of a transcript: a tap's record, or a probe's transcript.jsonl or report.json.

    A file that shows a breach is read twice, so that its messages need not be kept.

    Args:
        path: the file.
        contract: whose adapter rules are applied.
        record: a tap's record that is open already, and read instead; `path` is only what it is called.

    Raises:
        UsageError: if it cannot be read or is no transcript, or if the contract has no adapter rules.
    """
    judging = Judge(contract)
    lines = _Lines(path, record)
    for line in lines:
        judging.feed(line.message, line.odd)
    judging.end(lines.ended_ms)
    judgment = judging.judgment()
    wanted = {n for rule in judgment.rules for breach in rule.breaches for n in (breach.message, *breach.beside)}
    messages = {line.message.n: line.message for line in lines if line.message.n in wanted} if wanted else {}
    return Judged(path, lines.whole, contract, judgment, messages)


class _Lines:
    """The messages of a file; `whole` is known once they were taken."""

    whole: Whole
    ended_ms: float | None = None
    """When the server ended, where the file says it."""

    def __init__(self, path: Path, record: BinaryIO | None) -> None:
        self._path = path
        self._record = record

    def __iter__(self) -> Iterator[Line]:
        if self._record is None and sniff(self._path) == "report":
            self.whole, lines = read_report_messages(self._path)
            yield from lines
        else:
            reader = Reader(str(self._path))
            yield from reader.lines(self._path if self._record is None else self._record)
            self.whole, self.ended_ms = reader.whole, reader.ended_ms
