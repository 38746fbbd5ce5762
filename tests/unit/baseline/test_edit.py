"""Edits of a baseline file touch what they mean to and nothing else."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.baseline.edit import entry_text, with_added, with_removed, write_baseline
from hive_gate.baseline.load import parse_baseline
from hive_gate.baseline.model import Entry
from hive_gate.baseline.versions import Versions
from hive_gate.errors import ContractError, UsageError

PATH = Path("b.toml")

WRITTEN = '''\
# Ours.
accepted = "0.142.5"   # newest

# Why the first is here.
[[waiver]] # first
clause = "s.one"
versions = "0.143.0"
# inside of it
fingerprint = [
  "aaaaaaaaaaaa",  # a

  "bbbbbbbbbbbb",
]
reason = """
[[waiver]]
# no comment
"""
owner = "kim"
expires = 2027-03-31
# below the first

# Above the second.
\t[[ waiver ]]
owner = "kim" # last but one
clause="s.two"
versions = "0.143.0"
fingerprint = "aaaaaaaaaaaa"
reason = "a \\"[[waiver]]\\" of # signs"
expires = 2027-03-31 # until then


[[waiver]]
clause = "s.three"
versions = "0.143.0"
fingerprint = "aaaaaaaaaaaa"
reason = "x"
owner = "kim"
expires = 2027-03-31

# The end.
'''


def entry(clause: str = "s.new", **changes: Any) -> Entry:
    values: dict[str, Any] = {
        "at_most": None, "versions": Versions.parse("0.143.0..0.144.6"), "fingerprints": ("a" * 12,),
        "reason": "Hive does without.", "owner": "kim", "expires": date(2027, 3, 31), **changes,
    }  # fmt: skip
    return Entry("", clause, **values)


def removed(text: str, *pointers: str) -> str:
    return with_removed(text.encode(), PATH, pointers).decode()


def added(text: str, *entries: Entry) -> str:
    return with_added(text.encode(), PATH, entries).decode()


def test_an_entry_is_written_as_people_write_it() -> None:
    assert entry_text(entry("s.*", at_most=3, fingerprints=("a" * 12, "b" * 12), reason='a "b" \\ \n é')) == (
        "[[waiver]]\n"
        'clause = "s.*"\n'
        "at-most = 3\n"
        'versions = "0.143.0..0.144.6"\n'
        'fingerprint = ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]\n'
        'reason = "a \\"b\\" \\\\ \\n é"\n'
        'owner = "kim"\n'
        "expires = 2027-03-31\n"
    )


def test_entries_are_added_at_the_end_after_a_blank_line() -> None:
    new = entry_text(entry())
    assert added(WRITTEN, entry(), entry("s.more")) == (WRITTEN + "\n" + new + "\n" + new.replace("s.new", "s.more"))
    assert added("", entry()) == new
    assert added("# without an end", entry()) == f"# without an end\n\n{new}"


def test_a_file_with_carriage_returns_keeps_them() -> None:
    text = added("# ours\r\n", entry())
    assert text == "# ours\r\n\r\n" + entry_text(entry()).replace("\n", "\r\n")
    assert removed(text, "/waiver/0") == "# ours\r\n"


def test_the_first_entry_goes_with_what_is_inside_and_its_surroundings_stay() -> None:
    start = WRITTEN.index("[[waiver]] # first")
    end = WRITTEN.index("# below the first")
    assert removed(WRITTEN, "/waiver/0") == WRITTEN[:start] + WRITTEN[end:]


def test_the_comment_above_an_entry_stays() -> None:
    start = WRITTEN.index("\t[[ waiver ]]")
    end = WRITTEN.index("# until then\n") + len("# until then\n")
    assert removed(WRITTEN, "/waiver/1") == WRITTEN[:start] + WRITTEN[end:]


def test_the_blank_line_before_an_entry_stays_where_it_parts_what_is_left() -> None:
    text = "# above\n\n" + entry_text(entry("s.one")) + "# below\n"
    assert removed(text, "/waiver/0") == "# above\n\n# below\n"


def test_with_the_last_entry_the_blank_line_before_it_goes() -> None:
    start = WRITTEN.index('[[waiver]]\nclause = "s.three"')
    assert removed(WRITTEN, "/waiver/2") == WRITTEN[: start - 1] + "\n# The end.\n"


def test_all_entries_go_at_once_and_every_comment_outside_of_them_stays() -> None:
    text = removed(WRITTEN, "/waiver/0", "/waiver/1", "/waiver/2")
    assert parse_baseline(text.encode(), PATH).entries == ()
    comments = (
        "# Ours.",
        "# newest",
        "# Why the first is here.",
        "# below the first",
        "# Above the second.",
        "# The end.",
    )
    assert [comment for comment in comments if comment not in text] == []
    assert removed(WRITTEN) == WRITTEN


def test_a_file_that_is_not_valid_is_not_edited() -> None:
    with pytest.raises(ContractError):
        added("a = ", entry())
    with pytest.raises(ContractError, match="is listed in /waiver/0 already"):
        added(WRITTEN, entry("s.one"))


@pytest.mark.parametrize("head", ["waiver = [{{ {} }}]", '[["waiver"]]\n{}'])
def test_entries_that_are_not_written_as_tables_are_left_to_people(head: str) -> None:
    lines = entry_text(entry("s.one")).splitlines()[1:]
    text = head.format((", " if "{{" in head else "\n").join(lines)) + "\n"
    assert len(parse_baseline(text.encode(), PATH).entries) == 1
    with pytest.raises(UsageError, match=r"not written as \[\[waiver\]\]") as caught:
        added(text, entry())
    assert caught.value.where == "b.toml"
    with pytest.raises(UsageError, match=r"not written as \[\[waiver\]\]"):
        removed(text, "/waiver/0")


LINES = st.lists(
    st.sampled_from(["", "# a comment", "   ", "\t# [[waiver]]", "# \U0001f600", "# \" '", "#"]), max_size=5
).map(lambda lines: "".join(f"{line}\n" for line in lines))
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30).map(lambda text: f"x{text}")
NEW = st.builds(
    lambda reason, owner, prints: entry(reason=reason, owner=owner, fingerprints=prints),
    WORDS, WORDS, st.sampled_from([("a" * 12,), ("a" * 12, "b" * 12)]),
)  # fmt: skip


@given(LINES, LINES, st.lists(NEW, min_size=1, max_size=3), st.booleans(), st.booleans())
def test_what_was_added_and_is_taken_out_leaves_the_file_as_it_was(
    before: str, after: str, new: list[Entry], filled: bool, returns: bool
) -> None:
    old = entry_text(entry("s.old")) if filled else 'accepted = "0.142.5"\n'
    text = before + old + after
    text = text.replace("\n", "\r\n") if returns else text
    named = [replace(one, clause=f"s.new-{number}") for number, one in enumerate(new)]
    with_new = added(text, *named)
    assert with_new.startswith(text)
    pointers = [e.pointer for e in parse_baseline(with_new.encode(), PATH).entries if e.clause.startswith("s.new")]
    assert len(pointers) == len(new)
    assert removed(with_new, *pointers) == text
    for _ in pointers:  # one after the other, the first first
        with_new = removed(with_new, pointers[0])
    assert with_new == text


def test_the_file_is_written_whole_with_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_bytes(b"# a\n")
    path.chmod(0o640)
    write_baseline(path, b"# a\n", b"# b\n")
    assert path.read_bytes() == b"# b\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["b.toml"]


def test_a_new_file_is_made(tmp_path: Path) -> None:
    write_baseline(tmp_path / "b.toml", None, b"# b\n")
    assert (tmp_path / "b.toml").read_bytes() == b"# b\n"


def test_a_link_is_not_written_to(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_bytes(b"# a\n")
    link = tmp_path / "b.toml"
    link.symlink_to("real.toml")
    with pytest.raises(UsageError, match="is a symbolic link") as caught:
        write_baseline(link, b"# a\n", b"# b\n")
    assert caught.value.hint == f"name the file itself: {(tmp_path / 'real.toml').resolve()}"
    assert link.is_symlink()
    assert (tmp_path / "real.toml").read_bytes() == b"# a\n"


def test_a_file_that_is_read_only_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_bytes(b"# a\n")
    path.chmod(0o444)
    with pytest.raises(UsageError, match="is read-only"):
        write_baseline(path, b"# a\n", b"# b\n")
    assert path.read_bytes() == b"# a\n"


def test_a_file_that_somebody_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    path.write_bytes(b"# theirs\n")
    with pytest.raises(UsageError, match="was changed meanwhile"):
        write_baseline(path, b"# a\n", b"# b\n")
    assert path.read_bytes() == b"# theirs\n"


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "b.toml"
    path.write_bytes(b"# a\n")

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match="No space left"):
        write_baseline(path, b"# a\n", b"# b\n")
    assert path.read_bytes() == b"# a\n"
    assert [each.name for each in tmp_path.iterdir()] == ["b.toml"]
