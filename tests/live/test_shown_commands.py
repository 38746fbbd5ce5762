"""Each command that the documentation shows is run, in the order of its page, and does what is shown.

Every command falls under a rule:

- It is run as it is shown, and ends with 0, unless `RULES` says otherwise. A rule may name another exit code, what the
  reader has done by then, or what is put behind it or in the place of a part of it, so that it takes seconds; what is
  shown is parsed all the same.
- What runs the tests, or fetches and installs, is in `LISTED`, with the reason; it is seen to exist.
- Anything else fails, with page and line.

Output that is shown below a command is compared with what comes, see `tests.support.shown.missing`.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from hive_gate.target.cache import Cache
from tests.support.shown import ROOT, Command, blocks, commands, excerpts, missing, pages, programs
from tests.support.shown_world import World, fill

pytestmark = pytest.mark.live

TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in pages()}
SHOWN = {page: found for page, text in TEXTS.items() if (found := commands(page, text))}

PROGRAMS = frozenset({"hive-gate", ".venv/bin/hive-gate", "python", ".venv/bin/python", "make", "bash", "grep"})
"""What a shown command may start; whatever else is shown needs a look at what it does to the machine first."""

LISTED = {
    "make test": "it is the run that this test is part of",
    "make digests": "it fetches a version that is not published, and writes into the tree",
}
"""Not run, only seen to exist: what makes of it, `make -n` says."""

SMALL = {
    "README.md", "README.ko.md", "docs/baseline.md", "docs/bump.md", "docs/ci.md", "docs/getting-started.md",
    "docs/matrix.md",
}  # fmt: skip
"""Pages whose commands probe whole versions again and again: the contract is one of a few clauses there."""


@dataclass(frozen=True)
class Rule:
    """What is special about a command."""

    page: str
    starts: str
    """With what it starts; the first rule that fits counts."""
    code: int = 0
    shows: str = ""
    """What its shown output has in it, where a page shows a command twice."""
    before: Callable[[World], None] | None = None
    """What the reader has done by then."""
    behind: str = ""
    """Is put behind it."""
    instead: tuple[str, str] = ("", "")
    """A part of it, and what is put in its place."""
    client: bool = False
    """It is a server; a client talks to it."""


def written(world: World) -> None:
    """The first JSON of the page was put behind the clause that its text names."""
    text = (world.folder / CONTRACT).read_text(encoding="utf-8")
    head, ident, rest = text.partition('"id": "read.unknown-thread"')
    body, end, rest = rest.partition("\n    },\n")
    assert rest, "the clause that the page names is not where it says"
    (world.folder / CONTRACT).write_text(f"{head}{ident}{body}{end}{_json(0)}\n{rest}", encoding="utf-8")


def broken(world: World) -> None:
    """The second JSON of the page took the place of the same line of the first, as its text says."""
    world.edit(CONTRACT, _json(1).replace("desc", "asc"), _json(1))


def mended(world: World) -> None:
    """And it was changed back."""
    world.edit(CONTRACT, _json(1), _json(1).replace("desc", "asc"))


def reaching_further(world: World) -> None:
    """The entries of the baseline hold for the pinned version as well."""
    world.edit(BASELINE, *WIDER)


def with_a_third_entry(world: World) -> None:
    """They hold for 0.143.0 again, and another one does for both."""
    world.edit(BASELINE, *reversed(WIDER))
    world.prepare(
        "hive-gate baseline add reports/0.143.0/report.json --clause 'schema.items*' --versions 0.142.5..0.143.0"
        " --reason R --owner O --expires 2027-03-31"
    )


def judged_in_ci(world: World) -> None:
    """The artifact `verdict` was unpacked."""
    world.prepare("hive-gate probe --codex 0.171.0 --out verdict/0.171.0", 1)


def without_entries(world: World) -> None:
    """The entry that an earlier part of the page adds is out again."""
    shutil.copy(ROOT / BASELINE, world.folder / BASELINE)


def other_shards(world: World) -> None:
    """What the other machines did."""
    for number in (1, 3, 4):
        world.prepare(f"hive-gate matrix 0.136.0..0.171.0 --shard {number}/4 --out shard-{number}", 0, 1)


def _json(number: int) -> str:
    found = [block for block in blocks(CLAUSE, TEXTS[CLAUSE]) if block.info == "json"]
    return "\n".join(found[number].lines)


BASELINE = "contracts/baseline.toml"
CONTRACT = "contracts/hive-app-server-contract.json"
CLAUSE = "docs/add-a-clause.md"
QUICK = "--shape plain --sizes 5,10 --real-sizes 3,5 --repeats 1 --time-limit 60"
WIDER = ('versions = "0.143.0"', 'versions = "0.142.5..0.143.0"')
QUICK = "--shape plain --sizes 5,10 --real-sizes 3,5 --repeats 1 --time-limit 60"
SET_UP = ("make", "make --old-file=setup")
"""The environment is there already."""

RULES = (
    Rule("README.md", "make probe", instead=SET_UP),
    Rule("README.md", ".venv/bin/hive-gate probe --codex 0.143.0", 1),
    Rule("README.ko.md", "make probe", instead=SET_UP),
    Rule(CLAUSE, "hive-gate contract lint", before=written),
    Rule(CLAUSE, "hive-gate serve", before=mended),
    Rule(CLAUSE, "hive-gate probe --clause read.archived -v"),
    Rule(CLAUSE, "hive-gate probe --clause read.archived --server-command", 1),
    Rule(CLAUSE, "hive-gate probe --clause read.archived", 1, before=broken),
    Rule("docs/adapter-contract.md", "hive-gate tap --record", client=True),
    Rule("docs/baseline.md", "hive-gate probe --codex 0.143.0", 1, shows="CLOSED"),
    Rule("docs/baseline.md", "hive-gate probe --codex 0.142.5", 1, before=reaching_further),
    Rule("docs/baseline.md", "hive-gate baseline check", 1, before=with_a_third_entry),
    Rule("docs/bump.md", "hive-gate can-i-bump", 1),
    Rule("docs/ci.md", "hive-gate baseline add", before=judged_in_ci),
    Rule("docs/ci.md", "VERSIONS=", before=without_entries),
    Rule("docs/ci.md", "bash ci/verdict.sh", 1),
    Rule("docs/ci.md", "BASE=origin/main", before=World.pushed),
    Rule("docs/cost.md", "hive-gate cost", behind=QUICK),
    Rule("docs/cost.md", "hive-gate probe", behind="--suite schema", instead=("0.142.5/", "0.142.5-chosen/")),
    Rule("docs/drift.md", "hive-gate drift --to ./codex"),
    Rule("docs/drift.md", "hive-gate drift --to 0.143.0"),
    Rule("docs/drift.md", "hive-gate drift", 1),
    Rule("docs/getting-started.md", "make probe ARGS", 2, instead=SET_UP),  # 2 is make's own for whatever fails
    Rule("docs/getting-started.md", "make probe", instead=SET_UP),
    Rule("docs/matrix.md", "hive-gate matrix 0.136.0..0.171.0 --plan"),
    Rule("docs/matrix.md", "hive-gate matrix 0.136.0..0.171.0 --shard"),
    Rule("docs/matrix.md", "hive-gate matrix --merge", 1, before=other_shards),
    Rule("docs/matrix.md", "hive-gate matrix", 1),
    Rule("docs/reading-a-note.md", "hive-gate probe", 1),
    Rule("docs/reference.md", "hive-gate serve --home", instead=("/tmp/hive-home", "hive-home"), client=True),
)


def rule_of(command: Command) -> Rule | None:
    """Return the rule that a command falls under; None: it runs as it is shown, and ends with 0."""
    own = (rule for rule in RULES if rule.page == command.page and rule.shows in command.output)
    return next((rule for rule in own if command.text.startswith(rule.starts)), None)


def listed(command: Command) -> bool:
    return any(command.text == name or command.text.startswith(f"{name} ") for name in LISTED)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Cache:
    cache = Cache(tmp_path_factory.mktemp("shown") / "cache")
    fill(cache)
    return cache


@pytest.mark.parametrize("page", sorted(SHOWN))
def test_the_commands_of_a_page_do_what_it_shows(page: str, cache: Cache, tmp_path: Path) -> None:
    world = World.make(tmp_path / "checkout", cache, small=page in SMALL)
    for command in SHOWN[page]:
        if listed(command):
            code, said = world.run(f"{command.text} --dry-run")
            assert code == 0, f"{command.where}: there is no `{command.text}`: {said}"
            continue
        assert set(programs(command.text)) <= PROGRAMS, (
            f"{command.where}: `{command.text}` is not a command that this test knows how to run. If it is harmless, "
            "add its program to PROGRAMS; if it installs something, put it into LISTED with the reason"
        )
        rule = rule_of(command) or Rule(page, command.text)
        if rule.before is not None:
            rule.before(world)
        text = command.text.replace(*rule.instead)
        code, said = world.run(f"{text} {rule.behind}" if rule.behind else text, client=rule.client)
        assert code == rule.code, f"{command.where}: `{text}` ended with {code}, not with {rule.code}: {said}"
        lacks = missing(command.output, said)
        assert lacks is None, f"{command.where}: the page shows {lacks!r}, and there came: {said}"
    for block in excerpts(page, TEXTS[page]):
        assert block.file is not None
        lacks = missing("\n".join(block.lines), (world.folder / block.file).read_text(encoding="utf-8"))
        assert lacks is None, f"{page}:{block.line}: {block.file} has no {lacks!r}"


def test_every_rule_is_about_a_command_that_is_shown() -> None:
    every = [command for page in SHOWN.values() for command in page]
    used = {id(rule_of(command)) for command in every}
    assert [rule for rule in RULES if id(rule) not in used] == []
    assert {name for name in LISTED if any(listed(c) and c.text.startswith(name) for c in every)} == set(LISTED)
    assert set(SHOWN) >= SMALL


def test_an_excerpt_of_a_file_stands_on_a_page_that_makes_it() -> None:
    assert [page for page, text in TEXTS.items() if excerpts(page, text) and page not in SHOWN] == []
