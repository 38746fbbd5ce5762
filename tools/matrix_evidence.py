"""The matrix that the docs are made from: `python -m tools.matrix_evidence MATRIX.json` keeps one, redacted.

Beside it stands what each clause asked then. A page that speaks of versions says of a clause that has changed since, or
is new, that it was not tried; words that are not judged may change.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause, Contract
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import HiveGateError, UsageError
from hive_gate.matrix.jsonfile import from_json, read_matrix, to_json, write_matrix
from hive_gate.matrix.model import Matrix, Sheet
from hive_gate.report.jsonfile import write_text
from hive_gate.report.model import Json
from hive_gate.report.paths import PathRedactor

ROOT = Path(__file__).resolve().parent.parent
MATRIX = ROOT / "reports" / "evidence" / "matrix" / "matrix.json"
"""Where it is committed."""

QUESTIONS = "questions.json"
"""Name of the file beside it: by contract, each clause's digest of what it asked."""

CONTRACTS = (DEFAULT_CONTRACT, NEXT_CONTRACT)

RENEW = "run `make evidence-matrix`: it asks every version again where needed and renews the pages"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The committed matrix, and what its clauses asked."""

    matrix: Matrix
    questions: Mapping[str, Mapping[str, str]]
    """By name of the contract and id of the clause."""

    def sheet_of(self, contract: Contract) -> Sheet:
        """Return what the matrix says of a contract; of which of its clauses it does not, says :meth:`untried`.

        Raises:
            UsageError: if it is of other contracts.
        """
        for sheet in self.matrix.sheets:
            if sheet.contract.name == contract.name:
                return sheet
        raise UsageError(
            f"The matrix in evidence is of other contracts than {contract.name}.", where=_shown(MATRIX), hint=RENEW
        )

    def untried(self, contract: Contract) -> frozenset[str]:
        """Return the ids of clauses that are new since the matrix was made, or ask something else now."""
        asked = self.questions.get(contract.name, {})
        return frozenset(ident for ident, digest in questions(contract).items() if asked.get(ident) != digest)


def evidence() -> Evidence:
    """Return the committed matrix.

    Raises:
        UsageError: if there is none, or if it is damaged.
    """
    beside = MATRIX.with_name(QUESTIONS)
    missing = next((path for path in (MATRIX, beside) if not path.exists()), None)
    if missing is not None:
        raise UsageError("There is no matrix to make the pages from.", where=_shown(missing), hint=RENEW)
    try:
        asked = json.loads(beside.read_text("utf-8"))
    except ValueError as error:
        raise UsageError(f"The questions are not JSON: {error}.", where=_shown(beside), hint=RENEW) from None
    return Evidence(read_matrix(MATRIX), asked)


def questions(contract: Contract) -> dict[str, str]:
    """Return by clause a digest of all that decides its verdict; its words do not."""
    return {clause.id: _digest(contract, clause) for clause in contract.clauses}


def _digest(contract: Contract, clause: Clause) -> str:
    parts: list[Any] = [
        [clause.level, clause.own, clause.needs, [asdict(step) for step in clause.steps]],
        contract.scenes[clause.scene],
        contract.connections[clause.connection].initialize,
        [asdict(each.step) for name, each in contract.capabilities.items() if f"capability:{name}" in clause.needs],
        [contract.values, contract.defs],
    ]
    text = json.dumps(parts, sort_keys=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _with_these(matrix: Matrix) -> dict[str, dict[str, str]]:
    """Return what the clauses of a matrix asked, by the contracts that ship.

    Raises:
        UsageError: if it was made with another text of one: then nobody knows what it asked.
    """
    found: dict[str, dict[str, str]] = {}
    for path in CONTRACTS:
        contract = load_contract(path)
        if contract.sha256 not in {sheet.contract.sha256 for sheet in matrix.sheets}:
            text = f"The matrix was not made with {contract.name} {contract.version} as it stands now."
            raise UsageError(text, where=str(path.name), hint=RENEW)
        found[contract.name] = questions(contract)
    return found


def _whole(matrix: Matrix) -> Matrix:
    """Return a matrix in which every version was judged: docs with holes that one bad run made are of no use."""
    for sheet in matrix.sheets:
        for column in sheet.columns:
            if column.state != "judged":
                what = f"codex {column.version} was not judged by {sheet.name}: {column.problem}"
                raise UsageError(what, hint="run `make evidence-matrix` again; what was judged is in the cache")
    return matrix


def redacted(matrix: Matrix) -> Matrix:
    """Return a matrix without paths of the machine, and without the names of reports that are not kept beside it."""
    sheets = tuple(
        replace(sheet, columns=tuple(replace(column, report=None) for column in sheet.columns))
        for sheet in matrix.sheets
    )
    paths = [sheet.baseline.path for sheet in sheets if sheet.baseline is not None]
    return from_json(_each_text(to_json(replace(matrix, sheets=sheets)), PathRedactor.knowing(paths)))


def _each_text(value: Json, change: Callable[[str], str]) -> Json:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_text(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _each_text(member, change) for key, member in value.items()}
    return value


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def main(argv: list[str]) -> int:
    """Keep the matrix that is named; exit code 2 if it is none, is not whole, or cannot be kept."""
    try:
        if len(argv) != 1:
            raise UsageError("one matrix.json is needed", hint="python -m tools.matrix_evidence MATRIX.json")
        matrix = _whole(read_matrix(Path(argv[0])))
        asked = _with_these(matrix)
        write_matrix(redacted(matrix), MATRIX)
        write_text(json.dumps(asked, indent=1) + "\n", MATRIX.with_name(QUESTIONS))
    except HiveGateError as error:
        print(f"matrix_evidence: {error.diagnostics()}", file=sys.stderr)
        return error.exit_code
    print(f"kept: {_shown(MATRIX)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
