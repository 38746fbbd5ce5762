"""Which records stay in the folder of those that nobody has named."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hive_gate.tap.form import BEGINNING
from hive_gate.tap.places import JUDGED, KEPT, VARIABLE, default_path, prune
from hive_gate.tap.record_file import open_record


def record(folder: Path, number: int, data: bytes = BEGINNING) -> Path:
    """Write a record that is the older the higher its number is, with its judgment; its name says nothing of that."""
    path = folder / f"20260101T000000-{number}.jsonl"
    path.write_bytes(data)
    path.with_name(path.name + JUDGED).touch()
    os.utime(path, (1_000_000 - number, 1_000_000 - number))
    return path


def test_a_record_without_a_name_is_called_as_prune_knows_it(tmp_path: Path) -> None:
    paths = [default_path({VARIABLE: str(tmp_path)}), *(record(tmp_path, n) for n in range(KEPT))]
    paths[0].write_bytes(BEGINNING)
    os.utime(paths[0], (0, 0))
    prune(paths[1])
    assert [path.exists() for path in paths] == [False, *[True] * KEPT]


def test_the_oldest_records_go_with_their_judgments(tmp_path: Path) -> None:
    newest, *others = [record(tmp_path, number) for number in range(KEPT + 5)]
    prune(newest)
    left = [newest, *others[: KEPT - 1]]
    assert sorted(tmp_path.iterdir()) == sorted([*left, *(path.with_name(path.name + JUDGED) for path in left)])


def test_the_record_that_was_just_opened_counts_and_stays_whatever_its_time_is(tmp_path: Path) -> None:
    *others, mine = [record(tmp_path, number) for number in range(KEPT + 1)]
    prune(mine)
    assert mine.exists()
    assert [path.exists() for path in others] == [True] * (KEPT - 1) + [False]


def test_what_another_tap_is_recording_into_stays(tmp_path: Path) -> None:
    newest, *_, oldest = [record(tmp_path, number) for number in range(KEPT + 1)]
    file = open_record(oldest)
    os.write(file, BEGINNING)
    os.utime(oldest, (0, 0))
    prune(newest)
    assert oldest.exists()
    os.close(file)
    prune(newest)
    assert not oldest.exists()


@pytest.mark.parametrize("name", ["app.jsonl", "20260101T000000-7.txt", "20260101T000000-7.jsonl.bak"])
def test_what_has_another_name_stays(name: str, tmp_path: Path) -> None:
    newest, *_ = [record(tmp_path, number) for number in range(KEPT + 10, 2 * KEPT + 10)]
    other = tmp_path / name
    other.write_bytes(BEGINNING)
    os.utime(other, (0, 0))
    prune(newest)
    assert other.exists()


def test_what_is_no_record_stays_and_so_does_a_link(tmp_path: Path) -> None:
    newest, *_ = [record(tmp_path, number) for number in range(KEPT)]
    letter, link, folder = (tmp_path / f"20260101T000000-{number}.jsonl" for number in (901, 902, 903))
    letter.write_text("Dear Kim", encoding="utf-8")
    os.utime(letter, (0, 0))
    link.symlink_to(newest)
    folder.mkdir()
    prune(newest)
    assert letter.read_text(encoding="utf-8") == "Dear Kim"
    assert link.is_symlink()
    assert folder.is_dir()


def test_a_folder_that_cannot_be_looked_at_is_no_reason_not_to_record(tmp_path: Path) -> None:
    prune(tmp_path / "missing" / "20260101T000000-1.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_where_files_cannot_be_locked_nothing_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that another tap is still recording into could not be told from one that is over."""
    newest, *others = [record(tmp_path, number) for number in range(KEPT + 3)]

    def unsupported(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "not here")

    monkeypatch.setattr("fcntl.flock", unsupported)
    prune(newest)
    assert all(path.exists() for path in others)
