"""The reader of the documentation misses no command, and says where one stands that it cannot take."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest

from tests.support.shown import blocks, commands, excerpts, missing, pages, programs


def page(text: str) -> str:
    return dedent(text)


def test_each_prompt_is_a_command_and_what_follows_its_output() -> None:
    text = page("""\
        # Title

        ```console
        $ one --a 'b c'
        said
          twice
        $ two \\
            --more
        $ three   # why
        ```
        """)
    found = commands("docs/x.md", text)
    assert [(c.line, c.text, c.output) for c in found] == [
        (4, "one --a 'b c'", "said\n  twice"),
        (7, "two \\\n    --more", ""),
        (9, "three   # why", ""),
    ]
    assert found[1].where == "docs/x.md:7"


def test_in_a_block_of_a_shell_every_line_is_a_command() -> None:
    text = page("""\
        ~~~sh
        # first
        one

        two \\
          --more
        ~~~
        """)
    assert [(c.line, c.text) for c in commands("x.md", text)] == [(3, "one"), (5, "two \\\n  --more")]


def test_a_block_in_a_list_and_a_longer_fence_are_read_alike() -> None:
    text = page("""\
        1. Do

           ```console
           $ one
             said
           ```

        ````console
        $ two
        ```
        ````
        """)
    assert [(c.text, c.output) for c in commands("x.md", text)] == [("one", "  said"), ("two", "```")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("words\n```console\n$ one\n", "x.md:2: this block has no end"),
        ("```text\n$ one\n```\n", "x.md:2: a command in a block of 'text'; make it ```console"),
        ("```\nsaid\n$ one\n```\n", "x.md:3: a command in a block of ''; make it ```console"),
        ("Do:\n\n    $ one\n", "x.md:3: a command in no block; put it into one of ```console"),
        ("```console\nhive-gate probe\n```\n", "x.md:2: a console block begins with a command"),
        ("```console\nsaid\n$ one\n```\n", "x.md:2: a console block begins with a command"),
    ],
)
def test_what_would_be_forgotten_is_a_fault_with_its_place(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        commands("x.md", text)


def test_an_excerpt_names_its_file() -> None:
    text = "<!-- in: out/note.md -->\n\n```text\nGate OPEN\n```\n\n```json\n{}\n```\n"
    assert [(block.file, block.lines) for block in excerpts("x.md", text)] == [("out/note.md", ("Gate OPEN",))]
    assert len(list(blocks("x.md", text))) == 2


@pytest.mark.parametrize(
    ("shown", "real", "lacks"),
    [
        ("", "anything", None),
        ("a  b\n c", "x a b c y", None),
        ("a … d", "a b c d", None),
        ("breaks 3 of 159 required", "breaks 1 of 4 required", None),
        ("breaks 3 of 159 required", "keeps 1 of 4 required", "breaks 3 of 159 required"),
        ("codex 0.143.0 keeps", "codex 0.142.5 keeps", "codex 0.143.0 keeps"),
        ("until 2027-03-31", "until 2027-04-30", "until 2027-03-31"),
        ("entry /waiver/1", "entry /waiver/0", "entry /waiver/1"),
        ("#944 waits", "#942 waits", "#944 waits"),
        ("71c9de2ed4fa", "5767f23bd66f", "71c9de2ed4fa"),
        ("error -32601", "error -32600", "error -32601"),
        ("b … a", "a b", "a"),
        ("… 2 clauses,", "with 12 clauses, …", None),
    ],
)  # fmt: skip
def test_shown_output_agrees_but_for_counts_and_what_is_left_out(shown: str, real: str, lacks: str | None) -> None:
    assert missing(shown, real) == lacks


@pytest.mark.parametrize(
    ("text", "started"),
    [
        ("hive-gate probe --codex path   # curl", ["hive-gate"]),
        ("A='1 2' B=2 bash ci/plan.sh", ["bash"]),
        ("hive-gate baseline add x \\\n    --reason 'a | b'", ["hive-gate"]),
        ("hive-gate probe | curl -d @- x && rm -r y; sh z", ["hive-gate", "curl", "rm", "sh"]),
        ("hive-gate probe --out $(mktemp -d)", ["hive-gate", "mktemp", "", ""]),
        ("hive-gate probe --out `pwd`", ["hive-gate", ""]),
        ("A=1", [""]),
    ],
)
def test_what_a_command_starts_is_seen_in_every_part_of_it(text: str, started: list[str]) -> None:
    assert programs(text) == started


def test_the_pages_are_those_that_people_read() -> None:
    found = pages()
    assert {"README.md", "README.ko.md", "CONTRIBUTING.md", "docs/index.md", "docs/cost.md"} <= set(found)
    assert "docs/decisions/0001-initial-restore.md" in found
    assert not any("_build" in name for name in found)
