"""Write `docs/version-map.md`, how the contracts fare on the versions that were tried; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract
from hive_gate.errors import HiveGateError
from hive_gate.matrix.document import document, headline
from hive_gate.matrix.model import Matrix, Sheet
from hive_gate.report.markdown import Markdown
from tools.make_clauses_page import CONTRACTS
from tools.matrix_evidence import ROOT, Evidence, evidence
from tools.mdtext import codes
from tools.renewing import renewed

PAGE = Path("version-map.md")
"""From `docs/`."""

_MARKUP = Markdown(details=True)

_READING = """\
A cell says `pass`, `FAIL` (which closes the gate), `warn` (the clause is advisory) or `n/a` (the version lacks what the
clause needs); [](matrix.md) has the rest.
A range goes over versions that were tried: of what was published between two of them nothing is said.
For one clause see [](clauses.md) and [](clauses-next.md); the first published version of a change finds
`hive-gate bisect`.
"""


def page(tried: Evidence, contracts: Sequence[Contract]) -> str:
    """Return the page.

    Args:
        tried: what came of the runs.
        contracts: those that the page is about.

    Raises:
        UsageError: if one is not in the matrix.
    """
    matrix = replace(tried.matrix, sheets=tuple(map(tried.sheet_of, contracts)))
    changed = sorted({ident for contract in contracts for ident in tried.untried(contract)})
    return "\n".join(_lines(matrix, changed))


def _lines(matrix: Matrix, changed: Sequence[str]) -> Iterator[str]:
    whole = document(matrix)
    yield from ("# Version map", "", _MARKUP.line(headline(matrix)), "", _made(matrix), "", *_READING.splitlines(), "")
    if changed:
        yield from (f"Written or changed since the runs, so that they do not count here: {codes(changed)}.", "")
    yield from ("## Open or closed", "")
    for block in whole.units[0].blocks:
        yield from (_MARKUP.block(block), "")
    for sheet in matrix.sheets:
        yield from _about(matrix, sheet)


def _about(matrix: Matrix, sheet: Sheet) -> Iterator[str]:
    """Yield what `hive-gate matrix` says of one contract, without the table of gates."""
    yield from (f"## {sheet.name}", "")
    section = None
    for unit in document(replace(matrix, sheets=(sheet,))).units[1:]:
        if unit.section != section:
            yield from (f"### {unit.section}", "")
        section = unit.section
        for block in unit.blocks:
            yield from (_MARKUP.block(block), "")


def _made(matrix: Matrix) -> str:
    """Return where, with what and when the runs were made."""
    days = sorted({column.started[:10] for sheet in matrix.sheets for column in sheet.columns if column.started})
    when = f" on {days[0]}" if len(days) == 1 else f" from {days[0]} to {days[-1]}" if days else ""
    accepted = any(sheet.baseline is not None for sheet in matrix.sheets)
    return (
        f"{len(matrix.versions)} versions, tried on {matrix.platform} by hive-gate {matrix.hive_gate}{when} "
        f"(`make evidence-matrix`), {'with' if accepted else 'without'} a baseline of accepted failures."
    )


def main(argv: list[str]) -> int:
    """Write or check the page; exit code 1 if the check finds another text, 2 if it cannot be made."""
    try:
        text = page(evidence(), [load_contract(path) for path in CONTRACTS.values()])
    except HiveGateError as error:
        print(f"make_version_map: {error.diagnostics()}", file=sys.stderr)
        return error.exit_code
    return renewed({PAGE: text}, ROOT / "docs", check="--check" in argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
