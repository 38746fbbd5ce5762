"""Write `docs/selftest.md`, which fault proves which clause, from the registries; `--check` only compares."""

from __future__ import annotations

import sys
from pathlib import Path

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.selftest.page import page
from hive_gate.selftest.trial import all_trials

PAGE = Path(__file__).resolve().parent.parent / "docs" / "selftest.md"


def main(argv: list[str]) -> int:
    """Write or check the page; exit code 1 if the check finds another text."""
    text = page(load_contract(DEFAULT_CONTRACT), all_trials())
    if "--check" not in argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/selftest.md is not what the faults say; renew it: python -m tools.make_selftest_page", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
