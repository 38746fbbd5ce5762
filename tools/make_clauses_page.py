"""Write `docs/clauses.md`, the reference of all clauses, from the contract; `--check` only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause, Contract
from hive_gate.data import DEFAULT_CONTRACT

PAGE = Path(__file__).resolve().parent.parent / "docs" / "clauses.md"


def page(contract: Contract) -> str:
    """Return the page: a section a suite, an entry a clause; the products of `over` share one."""
    lines = [
        "# Clauses",
        "",
        f"All clauses of {contract.name} {contract.version}, generated from the contract by `make docs-generated`.",
        f"It pins codex {contract.pinned} and gates {', '.join(contract.gates)}; its source is {contract.source}.",
        "",
    ]
    for suite, title in contract.suites.items():
        lines += [f"## {title}", ""]
        entries: dict[str, list[Clause]] = {}
        for clause in contract.clauses:
            if clause.suite == suite:
                entries.setdefault(clause.id.partition("/")[0], []).append(clause)
        for ident, products in entries.items():
            first = products[0]
            lines += [f"`{ident}`" + ("" if first.level == "required" else " (advisory)"), f": {first.promise}"]
            lines += ["", f"  *Why:* {first.why}"]
            lines += ["", f"  *Source:* {first.source}. *Scene:* {first.scene}."]
            if first.axes:
                names = ", ".join(f"`{clause.id.removeprefix(ident + '/')}`" for clause in products)
                lines += ["", f"  *Over:* {names}"]
            lines.append("")
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Write or check the page; exit code 1 if the check finds another text."""
    text = page(load_contract(DEFAULT_CONTRACT))
    if "--check" not in argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/clauses.md is not what the contract says; renew it: make docs-generated", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
