"""What another tap records, in this terminal as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hive_gate.exits import Exit

if TYPE_CHECKING:
    from rich.console import Console

    from hive_gate.adapter.checks import Breach
    from hive_gate.adapter.dialogue import Event
    from hive_gate.adapter.judge import RuleVerdict
    from hive_gate.adapter.reading import Line
    from hive_gate.contract.model import Contract, Rule

_ARROWS = {"sent": "→", "received": "←"}

_MARKS: dict[RuleVerdict, tuple[str, str]] = {
    "pass": ("✓", "green"),
    "fail": ("✗", "bold red"),
    "warn": ("!", "yellow"),
    "not-exercised": ("·", "dim"),
}

_NEWS = {"again": "another record has taken its place", "cut": "the record was cut while it was read"}

_INDENT = " " * 31


def follow(path: Path, contract_path: Path) -> Exit:
    """Show a record until its footer comes or its tap is gone, and return the exit code that its judgment stands for.

    Raises:
        UsageError: if it is no record, or cannot be read.
    """
    from rich.console import Console

    from hive_gate.adapter.reading import sniff
    from hive_gate.contract.load import load_contract
    from hive_gate.errors import UsageError
    from hive_gate.tap.tail import follow as lines_of

    console = Console(markup=False, highlight=False, soft_wrap=True)
    contract = load_contract(contract_path)
    aside = Console(stderr=True, markup=False, highlight=False, soft_wrap=True)
    screen = _Screen(console, contract, path)
    if path.exists():
        sniff(path)  # what nobody can follow is told, and not waited for

    def writer() -> int | None:
        return screen.writer

    try:
        for line in lines_of(path, writer):
            if line == "waiting":
                aside.print(f"waiting for a tap that records into {path}; Ctrl-C ends it", style="dim")
            elif line in _NEWS:
                console.print(f"{_NEWS[line]}; from its beginning:", style="bold")
                screen = _Screen(console, contract, path)
            elif isinstance(line, bytes):
                screen.show(line)
                if screen.ended:
                    return screen.sum_up()
        console.print(f"the record was cut off: its tap, process {screen.writer}, is gone", style="bold red")
        return screen.sum_up(cut_off=True)
    except KeyboardInterrupt:
        console.print()
        screen.sum_up()
        return Exit.INTERRUPTED
    except OSError as error:
        raise UsageError(f"The record cannot be read: {error.strerror or error}.", where=str(path)) from None


class _Screen:
    """One record as it grows."""

    def __init__(self, console: Console, contract: Contract, path: Path) -> None:
        from hive_gate.adapter.dialogue import Dialogue
        from hive_gate.adapter.judge import Judge
        from hive_gate.adapter.reading import Reader

        self._console = console
        self._rules = contract.adapter
        self._contract = contract
        self._judge = Judge(contract)
        self._dialogue = Dialogue()
        self._reader = Reader(str(path))
        self._shown: dict[str, RuleVerdict] = {}

    @property
    def ended(self) -> bool:
        """Whether the footer has come."""
        return self._reader.ended

    @property
    def writer(self) -> int | None:
        """The process that records, where it is known."""
        return self._reader.pid

    def show(self, raw: bytes) -> None:
        """Show one line of the record and what it changes."""
        line = self._reader.line(raw)
        if line is not None:
            self._show_message(line)
            self._show_rules(self._judge.feed(line.message, line.odd))

    def sum_up(self, *, cut_off: bool = False) -> Exit:
        """Show how things stand, and return the exit code that this stands for."""
        from hive_gate.adapter.words import breach_lines, broken, headline_text
        from hive_gate.cli.judge import exit_code
        from hive_gate.report.plain import visible

        if self.ended or cut_off:
            self._show_rules(self._judge.end(self._reader.ended_ms))
        judgment = self._judge.judgment()
        self._console.print(headline_text(judgment, self._contract), style="bold")
        for rule in broken(judgment):
            for text in breach_lines(rule, 3):
                self._console.print(f"  {rule.id}: {visible(text)}")
        return exit_code(judgment.outcome)

    def _show_message(self, line: Line) -> None:
        from rich.text import Text

        message = line.message
        event = self._dialogue.event(message, line.odd)
        text = Text(f"{message.n:6} {message.ms:11.1f} {_ARROWS[message.direction]} {message.bytes:9}  ", style="dim")
        text.append(_said(event, message.text), "red" if event.error else "default not dim")
        self._console.print(text)

    def _show_rules(self, breaches: list[tuple[Rule, Breach]]) -> None:
        from rich.text import Text

        from hive_gate.report.plain import visible

        for rule, breach in breaches:
            mark, style = _MARKS["fail" if rule.level == "required" else "warn"]
            self._shown[rule.id] = self._judge.verdict(rule)
            self._console.print(Text(f"{_INDENT}{mark} {rule.id}: {visible(breach.text)}", style=style))
        for rule in self._rules:
            verdict = self._judge.verdict(rule)
            if verdict == "pass" and self._shown.get(rule.id) != verdict:
                mark, style = _MARKS[verdict]
                self._console.print(Text(f"{_INDENT}{mark} {rule.id}", style=style))
            self._shown[rule.id] = verdict


def _said(event: Event, text: str | None) -> str:
    """Return a message in a few words: its method, its id, how long it took, why it was refused."""
    from hive_gate.report.plain import cut

    if event.kind is None:
        return f"not a message: {cut(text or '', 60)}"
    ident = f"  id {cut(str(event.body['id']), 20)}" if "id" in event.body else ""
    if event.kind != "reply":
        return f"{cut(event.method or '?', 60)}{ident}"
    asked = event.asked
    method, took = (cut(asked.method, 60), f"  {event.ms - asked.ms:.1f} ms") if asked else ("a reply to nothing", "")
    error = f"  {event.error.get('code')} {cut(str(event.error.get('message')), 100)}" if event.error else ""
    return f"{method}{ident}{took}{error}"
