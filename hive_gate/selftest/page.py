"""The page of the docs: which clause is proven by which fault, and the other way round, as the registries say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hive_gate.contract.model import Contract
from hive_gate.selftest.trial import KINDS, Kind, Trial, concerns, named

_HOW: dict[Kind, str] = {
    "relay": "A relay stands between the gate and the server, the real codex included, and changes what passes: "
    "`python -m hive_gate.faults --fault NAME -- PROGRAM ARGS...`.",
    "reference": "A part of the reference server is replaced by a wrong one: `hive-gate serve --fault NAME`.",
    "schema": "One file of the schemas that the server generates for itself is changed; nothing is sent for it.",
    "pretense": "The relay makes a capability up, so that clauses apply which the server would not be asked. "
    "It breaks nothing: those clauses have to pass with it, and fail with the faults that are built on it.",
}


def page(contract: Contract, trials: Sequence[Trial]) -> str:
    """Return the page as Markdown."""
    ours = _concerning(contract, trials)
    by_clause = _by_clause(contract, proofs(contract, trials))
    return "\n".join([*_head(contract, ours), *by_clause, *_by_fault(contract, ours)])


def proofs(contract: Contract, trials: Sequence[Trial]) -> dict[str, list[str]]:
    """Return by clause the names of the faults that make it fail."""
    by_clause: dict[str, list[str]] = {clause.id: [] for clause in contract.clauses}
    for trial in _concerning(contract, trials):
        for clause in _clauses(contract, trial):
            by_clause[clause].append(trial.name)
    return by_clause


def _concerning(contract: Contract, trials: Sequence[Trial]) -> list[Trial]:
    # The reference server keeps the pinned contract, and none that extends it.
    kinds = KINDS if contract.lineage is None else KINDS.keys() - {"reference"}
    return [trial for trial in trials if trial.kind in kinds and concerns(contract, trial)]


def _clauses(contract: Contract, trial: Trial) -> list[str]:
    found = [clause for notice in trial.noticed for clause in named(contract, notice.clause)]
    return list(dict.fromkeys(found))


def _head(contract: Contract, trials: Sequence[Trial]) -> Iterator[str]:
    broken = sum(1 for trial in trials if trial.kind != "pretense")
    yield "# Selftest" if contract.lineage is None else "# Selftest of the next contract"
    yield ""
    which = "" if contract.lineage is None else f" that do not stand in `{contract.lineage.extends.name}`"
    clauses = f"{len(contract.clauses)} clauses of {contract.name} {contract.version}{which}"
    yield f"The {clauses} against {broken} faults, each of which breaks one thing."
    yield "Generated from the registries of faults by `hive-gate selftest --markdown`."
    yield ""
    yield "`hive-gate selftest` runs the contract once without a fault, which has to be open,"
    yield "and once with each fault that fits the target."
    yield "A fault counts as noticed only if every clause that it names fails by the very expectation that it names,"
    yield "and every server ended as it should."
    yield "A clause counts as proven if at least one fault made it fail so."
    if contract.lineage is not None:
        yield f"To try it: `hive-gate selftest --contract contracts/{contract.path.name} --codex {contract.pinned}`,"
        yield "with `--own` for the clauses of this page alone."
    yield ""


def _by_clause(contract: Contract, by_clause: dict[str, list[str]]) -> Iterator[str]:
    yield "## Clauses, and the faults that make them fail"
    for suite, title in contract.suites.items():
        clauses = [clause for clause in contract.clauses if clause.suite == suite]
        if not clauses:
            continue
        yield from ("", f"### {title}", "", "| clause | faults |", "|---|---|")
        for clause in clauses:
            # What an advisory clause watches for may be broken in every version yet: it fails by itself.
            none = "none" if clause.level == "required" else "none; advisory"
            faults = ", ".join(f"`{name}`" for name in by_clause[clause.id]) or none
            yield f"| `{clause.id}` | {faults} |"
    yield ""


def _by_fault(contract: Contract, trials: Sequence[Trial]) -> Iterator[str]:
    yield "## Faults, and the clauses that notice them"
    for kind, where in KINDS.items():
        if not any(trial.kind == kind for trial in trials):
            continue
        yield from ("", f"### {where[0].upper()}{where[1:]}", "", _HOW[kind], "")
        yield from ("| fault | what it breaks | noticed by |", "|---|---|---|")
        for trial in trials:
            if trial.kind == kind:
                yield f"| `{trial.name}` | {_cell(trial.breaks)} | {_noticed(contract, trial)} |"
    yield ""


def _noticed(contract: Contract, trial: Trial) -> str:
    if trial.holds:
        return "holds: " + ", ".join(f"`{clause}`" for clause in trial.holds if named(contract, clause))
    ours = [notice for notice in dict.fromkeys(trial.noticed) if named(contract, notice.clause)]
    return ", ".join(f"`{notice.clause}` ({notice.check})" for notice in ours)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
