"""Errors that a person reads.

Each error says what happened, where (a file with a JSON pointer, an argv with the tail of its stderr), and what to do
next. The command line prints :meth:`HiveGateError.diagnostics` on stderr and exits with
:attr:`HiveGateError.exit_code`; nothing else catches them on the way except to add where they happened.

Life cycle of a run and what each step may raise::

    command line, contract file      UsageError, ContractError      exit 2
    find or install the program      TargetError                    exit 3
    start the server, first answer   TargetError                    exit 3
    ask the clauses                  (no error: a clause that cannot be judged is `blocked`)
    write the report                 UsageError (the folder), GateFault
"""

from __future__ import annotations

from typing import ClassVar

from hive_gate.exits import Exit


class HiveGateError(Exception):
    """Base of all errors meant for people.

    Args:
        message: one sentence: what happened.
        where: a file and JSON pointer, or an argv; shown on a line of its own.
        hint: what to do next, as an imperative sentence.
        detail: more lines, such as the tail of a server's stderr; already bounded by the caller.
    """

    exit_code: ClassVar[Exit] = Exit.FAULT

    def __init__(
        self, message: str, *, where: str | None = None, hint: str | None = None, detail: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint
        self.detail = detail

    def diagnostics(self) -> str:
        """Return the whole text for stderr: first the sentence, then where, detail and what to do."""
        lines = [self.message]
        if self.where:
            lines.append(f"  at: {self.where}")
        if self.detail:
            lines.extend(f"  | {line}" for line in self.detail.splitlines())
        if self.hint:
            lines.append(f"  do: {self.hint}")
        return "\n".join(lines)


class UsageError(HiveGateError):
    """The command line or a file it names is not usable as given."""

    exit_code = Exit.USAGE


class ContractError(UsageError):
    """A contract, scene or baseline file is not valid; `where` names the file and the JSON pointer."""


class TargetError(HiveGateError):
    """The program under test could not be found, fetched, started or judged."""

    exit_code = Exit.TARGET


class GateFault(HiveGateError):
    """hive-gate itself is wrong; the message asks for a bug report."""

    exit_code = Exit.FAULT
