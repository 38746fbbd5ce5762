"""Write `docs/clauses.md` and `docs/clauses-next.md`, the references of all clauses; `--check` only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause, Contract, Lineage, own_clauses
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT

_DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = {_DOCS / "clauses.md": DEFAULT_CONTRACT, _DOCS / "clauses-next.md": NEXT_CONTRACT}


def page(contract: Contract) -> str:
    """Return the page: a section a suite, an entry a clause; the products of `over` share one.

    Of a contract that extends another only what it has of its own, and what it leaves out.
    """
    own = own_clauses(contract)
    lines = _head(contract) if contract.lineage is None else _head_of_next(contract, contract.lineage, own)
    for suite, title in contract.suites.items():
        if not any(clause.suite == suite for clause in own.clauses):
            continue
        lines += [f"## {title}", ""]
        if suite in contract.remedies:
            lines += [f"*If one of these breaks:* {contract.remedies[suite]}", ""]
        entries: dict[str, list[Clause]] = {}
        for clause in own.clauses:
            if clause.suite == suite:
                entries.setdefault(clause.id.partition("/")[0], []).append(clause)
        for ident, products in entries.items():
            first = products[0]
            marks = [] if first.level == "required" else ["advisory"]
            marks += ["overrides"] if contract.lineage is not None and ident in contract.lineage.overridden else []
            lines += [f"`{ident}`" + (f" ({', '.join(marks)})" if marks else ""), f": {first.promise}"]
            lines += ["", f"  *Why:* {first.why}"]
            if first.remedy != contract.remedies.get(suite):
                lines += ["", f"  *If it breaks:* {first.remedy}"]
            lines += ["", f"  *Source:* {first.source}. *Scene:* {first.scene}."]
            if first.axes:
                names = ", ".join(f"`{clause.id.removeprefix(ident + '/')}`" for clause in products)
                lines += ["", f"  *Over:* {names}"]
            lines.append("")
    return "\n".join(lines)


def _head(contract: Contract) -> list[str]:
    return [
        "# Clauses",
        "",
        f"All clauses of {contract.name} {contract.version}, generated from the contract by `make docs-generated`.",
        f"It pins codex {contract.pinned} and gates {', '.join(contract.gates)}; its source is {contract.source}.",
        "",
    ]


def _head_of_next(contract: Contract, lineage: Lineage, own: Contract) -> list[str]:
    inherited = len(contract.clauses) - len(own.clauses)
    return [
        "# Clauses of the next contract",
        "",
        f"{contract.name} {contract.version} extends `{lineage.extends.name}` and pins codex {contract.pinned}: "
        f"{len(contract.clauses)} clauses, {inherited} of them [as they stand there](clauses.md).",
        "Here are the others, generated from the contract by `make docs-generated`, and what is left out.",
        "What they mean for Hive says [](stay-or-move.md).",
        "",
        "## Left out",
        "",
        "| what | why |",
        "|---|---|",
        *(
            f"| {', '.join(f'`{ident}`' for ident in idents)} | {reason} |"
            for reason, idents in _dropped(lineage).items()
        ),
        "",
    ]


def _dropped(lineage: Lineage) -> dict[str, list[str]]:
    """Return what is left out by its reason."""
    found: dict[str, list[str]] = {}
    for dropped in lineage.dropped:
        found.setdefault(dropped.reason, []).append(dropped.id)
    return found


def main(argv: list[str]) -> int:
    """Write or check the pages; exit code 1 if the check finds another text."""
    stale = [path for path, contract in PAGES.items() if not _renewed(path, page(load_contract(contract)), argv)]
    for path in stale:
        print(f"docs/{path.name} is not what the contract says; renew it: make docs-generated", file=sys.stderr)
    return 1 if stale else 0


def _renewed(path: Path, text: str, argv: list[str]) -> bool:
    """Write a page, or tell whether it is as it would be written."""
    if "--check" not in argv:
        path.write_text(text, encoding="utf-8")
        return True
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
