"""What the text of a page calls a command or an option is one; what stands in blocks is run by the live tests."""

from __future__ import annotations

import re
import shlex

import pytest
import typer.core
import typer.main

from hive_gate.cli.app import app
from tests.support.shown import ROOT, pages

_SPAN = re.compile(r"(?<!`)`(?:\.venv/bin/)?(?P<words>(?:hive-gate|make) [^`\n]+)`(?!`)")

PROGRAM = typer.main.get_command(app)
TARGETS = set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def named(page: str) -> list[str]:
    """Return the commands that the text of a page names."""
    return [found["words"] for found in _SPAN.finditer((ROOT / page).read_text(encoding="utf-8"))]


def fault(words: str) -> str | None:
    """Return what of a command there is not; None: it is one."""
    program, *rest = shlex.split(words)
    if program == "make":
        return None if rest[0] in TARGETS else f"make has no target {rest[0]!r}"
    found = PROGRAM
    while rest and isinstance(found, typer.core.TyperGroup):
        first, *others = rest.pop(0).split("|")
        for name in (first, *others):
            if name not in found.commands:
                return f"there is no command {name!r}"
        found = found.commands[first]
    options = {name for param in found.params for name in (*param.opts, *param.secondary_opts)} | {"-h", "--help"}
    own = rest[: rest.index("--")] if "--" in rest else rest
    return next((f"there is no option {word!r}" for word in own if word.startswith("-") and word not in options), None)


@pytest.mark.parametrize("page", pages())
def test_every_command_that_a_page_names_is_there_with_its_options(page: str) -> None:
    assert {words: said for words in named(page) if (said := fault(words))} == {}


def test_the_pages_name_many() -> None:
    assert "hive-gate contract lint|show" in named("README.md")
    assert "make lock ARGS=--upgrade" in named("CONTRIBUTING.md")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("hive-gate prob --codex x", "there is no command 'prob'"),
        ("hive-gate contract lint|shew", "there is no command 'shew'"),
        ("hive-gate probe --codes x", "there is no option '--codes'"),
        ("hive-gate render R.json --showtext", "there is no option '--showtext'"),
        ("hive-gate tap -- codex app-server --any", None),
        ("hive-gate render R.json --show-text", None),
        ("make tests", "make has no target 'tests'"),
        ("make lock ARGS=--upgrade", None),
    ],
)
def test_what_is_not_there_is_named(words: str, says: str | None) -> None:
    assert fault(words) == says
