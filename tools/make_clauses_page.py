"""Write `docs/clauses.md`, `docs/clauses-next.md` and a page for each of their suites; `--check` only compares."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hive_gate.contract.extend import read_text
from hive_gate.contract.load import load_contract
from hive_gate.contract.model import Clause, Contract, Lineage, own_clauses
from hive_gate.contract.names import look_up, names_in
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.errors import HiveGateError
from hive_gate.matrix.model import Row, Sheet
from hive_gate.selftest.page import proofs
from hive_gate.selftest.trial import all_trials
from tools.clause_steps import step_lines
from tools.clause_versions import holds_on, on_versions, rows_of
from tools.matrix_evidence import ROOT, Evidence, evidence
from tools.mdtext import Point, code, codes, item_lines, json_code, slug, table
from tools.renewing import renewed

CONTRACTS = {"clauses": DEFAULT_CONTRACT, "clauses-next": NEXT_CONTRACT}
"""Name of the index page, and of the folder of its suites, to the contract."""

_PROVEN_ON = {"clauses": "selftest", "clauses-next": "selftest-next"}

_OWN = {"thread": "copies of the scene's threads for itself", "home": "a home and a server for itself"}

_READING = """\
## How to read an entry

- **Steps** go one after another, and each has to come out as it says.
  A call of which nothing is said has to give a result that fits what Hive reads of the method.
  What something *fits* is a JSON Schema, and what a message is *like* a regular expression.
- **Names** such as `${main}` are filled in: a thread of the scene (its id), what an earlier step took from a result,
  a folder of the run, a value of the contract.
  Each value of *over* makes a clause of its own.
- **Versions** are those of the [version map](version-map.md).
  A range goes over versions that were tried; of what was published between two of them nothing is said.
- **Faults** are put in the way of a server or into it, one at a time: each has to make the clause fail.

The whole language is in [](contract-format.md).
"""


@dataclass(frozen=True, slots=True)
class Book:
    """What the pages of one contract are made from."""

    name: str
    whole: Contract
    contract: Contract
    """With the clauses of its own only."""
    entries: Mapping[str, Mapping[str, Any]]
    """The contract's entries by id, their axes not filled in."""
    sheet: Sheet
    untried: frozenset[str]
    """Clauses of which the sheet says nothing as they stand."""
    faults: Mapping[str, list[str]]
    """By clause the faults that make it fail."""

    @classmethod
    def of(cls, name: str, path: Path, tried: Evidence) -> Book:
        """Return the one of a contract.

        Raises:
            HiveGateError: if the contract is not valid, or the matrix is of others.
        """
        whole = load_contract(path)
        own = own_clauses(whole)
        entries = {entry["id"]: entry for entry in read_text(path).raw["clauses"]}
        untried = tried.untried(whole)
        return cls(name, whole, own, entries, tried.sheet_of(whole), untried, proofs(own, all_trials()))

    def rows(self, ident: str, products: list[Clause]) -> list[Row]:
        """Return what the matrix says of an entry; nothing if one of its clauses is new or has changed."""
        return [] if any(clause.id in self.untried for clause in products) else rows_of(self.sheet, ident)

    def suites(self) -> Iterator[tuple[str, str, dict[str, list[Clause]]]]:
        """Yield id, title and entries of each suite that has any; an entry has a clause for each product."""
        for suite, title in self.contract.suites.items():
            found: dict[str, list[Clause]] = {}
            for clause in self.contract.clauses:
                if clause.suite == suite:
                    found.setdefault(clause.id.partition("/")[0], []).append(clause)
            if found:
                yield suite, title, found


def pages(book: Book) -> dict[Path, str]:
    """Return the pages of a contract by their path from `docs/`."""
    found = {Path(f"{book.name}.md"): _text(_index(book))}
    for suite, title, entries in book.suites():
        found[Path(book.name, f"{suite}.md")] = _text(_suite(book, suite, title, entries))
    return found


def _text(lines: Iterator[str]) -> str:
    """Return lines as text, with one empty line at a time."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def _index(book: Book) -> Iterator[str]:
    lineage = book.contract.lineage
    yield from _head(book.contract) if lineage is None else _head_of_next(book, lineage)
    yield from ("```{toctree}", ":hidden:", ":maxdepth: 1", "")
    yield from (f"{book.name}/{suite}" for suite, _, _ in book.suites())
    yield from ("```", "", *_READING.splitlines(), "")
    if lineage is not None:
        yield from _left_out(lineage)
    for suite, title, entries in book.suites():
        page = f"{book.name}/{suite}.md"
        yield from (f"## {title}", "", f"[Steps, faults and versions]({page}) of `{suite}`:", "")
        rows = []
        for ident, products in entries.items():
            marks = _marks(book, ident, products)
            name = f"[{code(ident.partition('.')[2])}]({page}#{slug(ident)})"
            rows.append((name + marks, products[0].promise, holds_on(book.sheet, book.rows(ident, products))))
        yield from (*table(("clause", "promise", "holds on"), rows), "")


def _head(contract: Contract) -> Iterator[str]:
    yield from ("# Clauses", "")
    yield f"All clauses of {contract.name} {contract.version}, generated from the contract, the faults and runs."
    yield f"It pins codex {contract.pinned} and gates {', '.join(contract.gates)}; its source is {contract.source}."
    yield ""


def _head_of_next(book: Book, lineage: Lineage) -> Iterator[str]:
    contract, inherited = book.contract, len(book.whole.clauses) - len(book.contract.clauses)
    yield from ("# Clauses of the next contract", "")
    yield (
        f"{contract.name} {contract.version} extends `{lineage.extends.name}` and pins codex {contract.pinned}: "
        f"{len(book.whole.clauses)} clauses, {inherited} of them [as they stand there](clauses.md)."
    )
    yield "Here are the others, generated from the contract, the faults and runs, and what is left out."
    yield from ("What they mean for Hive says [](stay-or-move.md).", "")


def _left_out(lineage: Lineage) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for dropped in lineage.dropped:
        reasons.setdefault(dropped.reason, []).append(dropped.id)
    rows = ((codes(idents), reason) for reason, idents in reasons.items())
    yield from ("## Left out", "", *table(("what", "why"), rows), "")


def _suite(book: Book, suite: str, title: str, entries: dict[str, list[Clause]]) -> Iterator[str]:
    contract = book.contract
    yield from (f"# {title}", "")
    count = sum(map(len, entries.values()))
    of = "" if contract.lineage is None else " of its own"
    yield (
        f"{count} clause{'' if count == 1 else 's'}{of} of {contract.name} {contract.version} in the suite `{suite}` "
        f"([how to read an entry](../{book.name}.md#how-to-read-an-entry))."
    )
    yield ""
    if suite in contract.remedies:
        yield from (f"*If one of these breaks:* {contract.remedies[suite]}", "")
    for ident, products in entries.items():
        yield from _entry(book, title, ident, products)


def _entry(book: Book, title: str, ident: str, products: list[Clause]) -> Iterator[str]:
    first, entry = products[0], book.entries[ident]
    yield from (f"## {ident}", "", first.promise, "")
    said = [Point(f"**Why:** {first.why}")]
    if first.remedy != book.contract.remedies.get(first.suite):
        said.append(Point(f"**If it breaks:** {first.remedy}"))
    versions = on_versions(book.sheet, book.rows(ident, products))
    said.append(Point(f"**Versions:** {versions.text}", None, versions.below))
    said.append(Point(f"**Faults:** {_faults(book, title, products)}"))
    said.append(Point(" ".join(_facts(book, ident, first))))
    for point in said:
        yield from item_lines("- ", point)
    yield from ("", *_over(entry), "**Steps**", "", *step_lines(entry["steps"]), "")


def _faults(book: Book, title: str, products: list[Clause]) -> str:
    names = list(dict.fromkeys(fault for clause in products for fault in book.faults[clause.id]))
    if not names:
        return "none; an advisory clause may be broken on every version yet, and fails by itself"
    where = f"../{_PROVEN_ON[book.name]}.md#{slug(title)}"
    return f"{codes(names)} ([{'selftest' if len(products) == 1 else 'selftest, clause by clause'}]({where}))"


def _facts(book: Book, ident: str, clause: Clause) -> Iterator[str]:
    yield f"**Source:** {clause.source}."
    yield f"**Level:** {clause.level}."
    yield f"**Scene:** {code(clause.scene)}" + (f", {_OWN[clause.own]}." if clause.own in _OWN else ".")
    if clause.connection != "hive":
        yield f"**Connection:** {code(clause.connection)}."
    if clause.needs:
        yield f"**Needs:** {codes(clause.needs)}."
    if book.contract.lineage is not None and ident in book.contract.lineage.overridden:
        yield "**Overrides** the clause of the same name."


def _marks(book: Book, ident: str, products: list[Clause]) -> str:
    lineage = book.contract.lineage
    marks = [f"{len(products)} clauses"] if len(products) > 1 else []
    marks += [] if products[0].level == "required" else ["advisory"]
    marks += ["overrides"] if lineage is not None and ident in lineage.overridden else []
    return f" ({', '.join(marks)})" if marks else ""


def _over(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the axes of an entry stand for, as its steps name it."""
    named = {name for name, _ in names_in(entry["steps"])}
    for axis, values in entry.get("over", {}).items():
        if isinstance(values, list) or all(label == value for label, value in values.items()):
            yield from (f"**Over** {code(f'${{{axis}}}')}: {codes(map(str, values))}", "")
            continue
        # Each column is called as the steps call it; a label stands in the clause's id.
        members = sorted({name.partition(".")[2] for name in named if name.startswith(f"{axis}.")})
        if axis in named or not members:
            head, cells = [f"${{{axis}}}"], {label: [value] for label, value in values.items()}
        else:
            head = [f"${{{axis}.{member}}}" for member in members]
            cells = {label: [look_up(member, value) for member in members] for label, value in values.items()}
        rows = ((code(label), *map(json_code, row)) for label, row in cells.items())
        yield from ("**Over**", "", *table((f"`{axis}`", *map(code, head)), rows), "")


def main(argv: list[str]) -> int:
    """Write or check the pages; exit code 1 if the check finds another text, 2 if they cannot be made."""
    found: dict[Path, str] = {}
    try:
        tried = evidence()
        for name, path in CONTRACTS.items():
            found |= pages(Book.of(name, path, tried))
    except HiveGateError as error:
        print(f"make_clauses_page: {error.diagnostics()}", file=sys.stderr)
        return error.exit_code
    return renewed(found, ROOT / "docs", tuple(CONTRACTS), check="--check" in argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
