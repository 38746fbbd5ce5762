"""The file of a record: never another kind of file, never another's, and never something that would be lost."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from hive_gate.errors import UsageError
from hive_gate.tap import form
from hive_gate.tap.record_file import open_record, take_lock

Open = Callable[[Path], int]


@pytest.fixture
def opened() -> Iterator[Open]:
    """Open a record, until the test ends."""
    with ExitStack() as stack:

        def open_it(path: Path) -> int:
            file = open_record(path)
            stack.callback(close, file)
            return file

        yield open_it


def close(file: int) -> None:
    with suppress(OSError):
        os.close(file)


def test_a_file_that_is_no_record_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Kim", encoding="utf-8")
    with pytest.raises(UsageError, match="is no record"):
        open_record(path)
    assert path.read_text(encoding="utf-8") == "Dear Kim"


def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written") as caught:
        open_record(tmp_path / "file" / "record.jsonl")
    assert caught.value.hint


def test_an_endless_link_is_told(tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(path)
    with pytest.raises(UsageError, match="cannot be written"):
        open_record(path)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_regular_file_is_refused_and_left(make: Callable[[Path], object], tmp_path: Path) -> None:
    path, link = tmp_path / "there", tmp_path / "link"
    make(path)
    link.symlink_to(path)
    before = path.stat()
    for name in (path, link):
        with pytest.raises(UsageError, match="has to be a regular file"):
            open_record(name)
    assert os.path.samestat(path.stat(), before)


def test_a_link_stays_and_what_it_leads_to_makes_way(tmp_path: Path, opened: Open) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(real.name)
    inodes = []
    for _ in range(2):  # the first time there is nothing yet that it leads to
        file = opened(link)
        os.write(file, form.BEGINNING)
        assert os.path.samestat(os.fstat(file), real.stat())
        inodes.append(os.dup(file))  # kept, so that its number is not given to the next one
        os.close(file)
        fcntl.flock(inodes[-1], fcntl.LOCK_UN)
    assert link.is_symlink()
    assert not os.path.samestat(*map(os.fstat, inodes))
    for file in inodes:
        os.close(file)


@pytest.mark.parametrize(
    ("data", "who"),
    [
        (form.header(["codex"], 4711), "Another tap, process 4711, is recording"),
        (form.header(["codex"], 4711)[:60], "Another tap is recording"),
        (form.BEGINNING + b'1","pid":"me"}\n', "Another tap is recording"),
        (b"", "Another tap is recording"),
    ],
    ids=["header", "half of it", "a name", "nothing yet"],
)
def test_a_record_is_one_taps_alone(data: bytes, who: str, tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "record.jsonl"
    os.write(opened(path), data)
    with pytest.raises(UsageError, match=who) as caught:
        open_record(path)
    assert caught.value.where == str(path)
    assert path.read_bytes() == data


def test_a_duplicate_keeps_the_record_until_it_is_closed(tmp_path: Path, opened: Open) -> None:
    path = tmp_path / "record.jsonl"
    file = opened(path)
    duplicate = os.dup(file)
    os.close(file)
    with pytest.raises(UsageError, match="Another tap"):
        open_record(path)
    os.close(duplicate)
    opened(path)


def test_of_two_that_open_it_at_once_the_second_finds_the_first_ones(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.jsonl"
    path.write_bytes(form.BEGINNING)
    flock, quicker = fcntl.flock, list[int]()

    def late(file: int, operation: int) -> None:
        if not quicker:  # the former record is open here, and is not locked yet
            quicker.append(-1)
            quicker[0] = opened(path)
        flock(file, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(UsageError, match="Another tap"):
        open_record(path)
    assert os.path.samestat(os.fstat(quicker[0]), path.stat())


def test_where_files_cannot_be_locked_they_are_opened_all_the_same(
    tmp_path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(file: int, operation: int) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    file = opened(tmp_path / "record.jsonl")
    assert take_lock(file, shared=True)
