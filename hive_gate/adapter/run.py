"""A transcript's file judged: its client against the adapter rules, with the messages that show what is broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from hive_gate.adapter.judge import Judge, Judgment
from hive_gate.adapter.reading import Line, Reader, Whole, is_report, read_report_messages
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


def judge_file(path: Path, contract: Contract) -> Judged:
    """Judge the client of a transcript: a tap's record, or a probe's transcript.jsonl or report.json.

    A file that shows a breach is read twice, so that its messages need not be kept.

    Raises:
        UsageError: if it cannot be read or is no transcript, or if the contract has no adapter rules.
    """
    judging = Judge(contract)
    lines = _Lines(path)
    for line in lines:
        judging.feed(line.message, line.odd)
    judging.end()
    judgment = judging.judgment()
    wanted = {n for rule in judgment.rules for breach in rule.breaches for n in (breach.message, *breach.beside)}
    messages = {line.message.n: line.message for line in _Lines(path) if line.message.n in wanted} if wanted else {}
    return Judged(path, lines.whole, contract, judgment, messages)


class _Lines:
    """The messages of a file; `whole` is known once they were taken."""

    whole: Whole

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[Line]:
        if is_report(self._path):
            self.whole, lines = read_report_messages(self._path)
            yield from lines
        else:
            reader = Reader(str(self._path))
            yield from reader.lines(self._path)
            self.whole = reader.whole
