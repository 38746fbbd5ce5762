"""Write `docs/adapter-contract.md`, Hive's side of the line, from the contract; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from hive_gate.adapter.checks import CHECKS
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Contract, Rule
from hive_gate.data import DEFAULT_CONTRACT

_HERE = Path(__file__).resolve().parent
TEMPLATE = _HERE / "adapter_contract.md"
PAGE = _HERE.parent / "docs" / "adapter-contract.md"


def page(contract: Contract) -> str:
    """Return the page: what stands in the template, with an entry for each rule and each check."""
    text = TEMPLATE.read_text(encoding="utf-8")
    parts = {
        "name": f"{contract.name} {contract.version}",
        "source": contract.source,
        "rules": "\n".join(line for rule in contract.adapter for line in _entry(rule)),
        "checks": "\n".join(f"- `{name}`: {_first_line(check)}" for name, check in CHECKS.items()),
    }
    for name, part in parts.items():
        text = text.replace(f"<!-- {name} -->", part)
    return text


def _entry(rule: Rule) -> Iterator[str]:
    yield f"`{rule.id}`" + ("" if rule.level == "required" else " (advisory)")
    yield f": {rule.must}"
    yield f"\n  *Why:* {rule.why}"
    yield f"\n  *Source:* {rule.source}. *Check:* `{rule.check}`.\n"


def _first_line(documented: type) -> str:
    return (documented.__doc__ or "").partition("\n")[0]


def main(argv: list[str]) -> int:
    """Write or check the page; exit code 1 if the check finds another text."""
    text = page(load_contract(DEFAULT_CONTRACT))
    if "--check" not in argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/adapter-contract.md is not what the contract says; renew it: make docs-generated", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
