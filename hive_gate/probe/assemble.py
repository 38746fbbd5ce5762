"""Parts of the report that come from elsewhere: the contract's words, and what really ran."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from hive_gate.contract.globs import named
from hive_gate.contract.model import Contract, Statement
from hive_gate.report import model
from hive_gate.report.statement import judged

_USER_AGENT = re.compile(r"^[^/]*/(\S+)")
"""`initialize` answers with a user agent that starts with the client's own name; the server's version follows."""


def as_it_ran(target: model.Target, user_agent: str | None) -> model.Target:
    """Return the target with what its handshake said, and a warning where that differs from `--version`."""
    found = _USER_AGENT.match(user_agent or "")
    handshake = found[1] if found else None
    warnings = target.warnings
    differs = handshake is not None and target.version is not None and handshake != target.version
    if differs and target.kind == "codex":  # any other server may speak for a version that is not its own
        warnings = (*warnings, f"--version says {target.version}, the handshake says {handshake}")
    version = target.version or handshake
    return replace(target, version=version, handshake_version=handshake, user_agent=user_agent, warnings=warnings)


def contract_facts(contract: Contract) -> model.Contract:
    """Return which contract was judged."""
    return model.Contract(
        name=contract.name,
        version=contract.version,
        sha256=contract.sha256,
        path=str(contract.path),
        title=contract.title,
        source=contract.source,
        gates=contract.gates,
        pinned=contract.pinned,
    )


def notes(
    statements: Iterable[Statement], clauses: Sequence[model.ClauseResult], measurement: model.Measurement | None
) -> tuple[model.Note, ...]:
    """Return constraints or decisions as every note states them, with what contradicts them.

    Args:
        statements: as the contract has them.
        clauses: the clauses of a run, judged.
        measurement: what `hive-gate cost` found; None: it was not asked.
    """
    found = None if measurement is None else measurement.values
    broken = [clause.id for clause in clauses if clause.verdict in ("fail", "warn")]
    return tuple(
        model.Note(
            statement.id,
            statement.text,
            statement.source,
            statement.status,
            statement.evidence,
            tuple(ident for ident in broken if named(ident, statement.evidence)),
            statement.record,
            judged(statement.measured, found),
        )
        for statement in statements
    )
