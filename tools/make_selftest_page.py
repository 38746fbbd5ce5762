"""Write `docs/selftest.md` and `docs/selftest-next.md`, which fault proves which clause; `--check` only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from hive_gate.contract.load import load_contract
from hive_gate.contract.model import own_clauses
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.selftest.page import page
from hive_gate.selftest.trial import all_trials

_DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = {_DOCS / "selftest.md": DEFAULT_CONTRACT, _DOCS / "selftest-next.md": NEXT_CONTRACT}


def text(path: Path) -> str:
    """Return the page of a contract: of one that extends another that of its own clauses."""
    return page(own_clauses(load_contract(path)), all_trials())


def main(argv: list[str]) -> int:
    """Write or check the pages; exit code 1 if the check finds another text."""
    stale = []
    for path, contract in PAGES.items():
        if "--check" not in argv:
            path.write_text(text(contract), encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text(contract):
            stale.append(path.name)
    for name in stale:
        print(f"docs/{name} is not what the faults say; renew it: python -m tools.make_selftest_page", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
