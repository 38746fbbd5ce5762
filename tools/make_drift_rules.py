"""Write the tables of rules in `docs/drift.md` from the code; `--check` only compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from hive_gate.drift.kinds import KINDS, WHOLES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "drift.md"
BEGIN, END = "<!-- rules: begin -->\n", "<!-- rules: end -->\n"


def tables() -> str:
    """Return the tables as Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "Of whole messages:"
    yield ""
    yield "| rule | direction | level | what it says |"
    yield "|---|---|---|---|"
    for rule, whole in WHOLES.items():
        yield f"| `{rule}` | {whole.direction} | {whole.level} | {_said(whole.says)} |"
    yield ""
    yield "Of values, by kind."
    yield "The id of a rule is the kind after `request-` or `answer-` where the client sends the value,"
    yield "and after `response-`, `notification-` or `server-request-` where it reads it."
    yield ""
    yield "| kind | client sends | client reads | what it says |"
    yield "|---|---|---|---|"
    for name, kind in KINDS.items():
        says = dict.fromkeys((kind.says_sent, kind.says_read))
        yield f"| `{name}` | {kind.sent} | {kind.read} | {' / '.join(map(_said, says))} |"


def _said(text: str) -> str:
    return text.replace("{at}", "*it*").replace("{old}", "*old*").replace("{new}", "*new*")


def page(text: str) -> str:
    """Return the page's text with the tables as they should be.

    Raises:
        ValueError: if the marks between which they stand are missing.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the lines {BEGIN.strip()} and {END.strip()} are missing")
    return f"{head}{begin}\n{tables()}\n{end}{tail}"


def main(argv: list[str]) -> int:
    """Write or check the tables; exit code 1 if the check finds others."""
    old = PAGE.read_text(encoding="utf-8")
    new = page(old)
    if "--check" not in argv:
        PAGE.write_text(new, encoding="utf-8")
        return 0
    if old == new:
        return 0
    print("docs/drift.md has not the rules of the code; renew it: make docs-generated", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
