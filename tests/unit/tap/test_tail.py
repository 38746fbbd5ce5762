"""A record while it grows: each line once, and nothing lost when another takes its place."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hive_gate.tap.record_file import open_record
from hive_gate.tap.tail import follow

Step = Callable[[Path], object]


def append(text: str) -> Step:
    def step(path: Path) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)

    return step


def write_anew(text: str) -> Step:
    return lambda path: path.write_text(text, encoding="utf-8")


def put_another_in_its_place(text: str) -> Step:
    def step(path: Path) -> None:
        other = path.with_name("other")
        other.write_text(text, encoding="utf-8")
        other.replace(path)

    return step


def move_away(path: Path) -> None:
    path.rename(path.with_name("moved"))


def append_to_the_moved_one(text: str) -> Step:
    return lambda path: append(text)(path.with_name("moved"))


class Over(Exception):
    """No step is left."""


def seen(path: Path, *steps: Step, writer: Callable[[], int | None] = lambda: None) -> Iterator[bytes | str]:
    """Yield what is seen while one step is taken each time that the follower waits; `over` if it ends by itself."""
    left = iter(steps)

    def sleep(_: float) -> None:
        step = next(left, None)
        if step is None:
            raise Over
        step(path)

    try:
        yield from follow(path, writer, sleep)
    except Over:
        return
    yield "over"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.jsonl"


def test_lines_come_as_they_are_written_each_once(path: Path) -> None:
    path.write_text("a\nb\nc", encoding="utf-8")
    assert list(seen(path, append("c\n"), append("d\ne\n"))) == [b"a", b"b", b"cc", b"d", b"e"]


def test_a_file_that_is_not_there_yet_is_waited_for_and_that_is_told_once(path: Path) -> None:
    assert list(seen(path, lambda _: None, write_anew("a\n"), append("b\n"))) == ["waiting", b"a", b"b"]


def test_an_empty_file_is_waited_for_and_that_is_told_once(path: Path) -> None:
    steps = (lambda _: None, write_anew(""), lambda _: None, append("a\n"))
    assert list(seen(path, *steps)) == ["waiting", b"a"]
    path.write_bytes(b"")
    assert list(seen(path, lambda _: None, append("a\n"))) == ["waiting", b"a"]


def test_a_file_that_was_cut_is_read_from_its_beginning(path: Path) -> None:
    path.write_text("a long line\nhalf of", encoding="utf-8")
    assert list(seen(path, write_anew("b\n"), append("c\n"))) == [b"a long line", "cut", b"b", b"c"]


def test_a_file_that_was_emptied_is_waited_for(path: Path) -> None:
    path.write_text("a\n", encoding="utf-8")
    assert list(seen(path, write_anew(""), lambda _: None, append("b\n"))) == [b"a", "cut", "waiting", b"b"]


def test_a_file_in_whose_place_another_is_put_is_left_for_that(path: Path) -> None:
    path.write_text("a\n", encoding="utf-8")
    assert list(seen(path, put_another_in_its_place("x\ny\n"), append("z\n"))) == [b"a", "again", b"x", b"y", b"z"]


def test_a_file_that_was_moved_away_is_read_on_until_there_is_another(path: Path) -> None:
    path.write_text("a\n", encoding="utf-8")
    steps = (move_away, append_to_the_moved_one("b\n"), write_anew("x\n"))
    assert list(seen(path, *steps)) == [b"a", b"b", "again", b"x"]


def test_a_line_ends_at_a_newline_and_nowhere_else(path: Path) -> None:
    path.write_bytes("one \u2028 line\r\n".encode())
    assert list(seen(path)) == ["one \u2028 line\r".encode()]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        next(follow(tmp_path))


@pytest.fixture
def gone() -> int:
    """A process that has ended, and that nobody has asked about."""
    ended = subprocess.Popen([sys.executable, "-I", "-S", "-c", ""])
    ended.wait()
    return ended.pid


@pytest.fixture
def tap(path: Path) -> Iterator[Callable[[Path], None]]:
    """A tap that has its record's lock and has written one line; return what ends it."""
    file = open_record(path)
    os.write(file, b"a\n")
    ended: list[int] = []

    def end(_: Path | None = None) -> None:
        if not ended:
            os.close(file)
            ended.append(file)

    yield end
    end()


def test_it_ends_once_the_writer_is_gone_and_everything_was_read(path: Path, tap: Step, gone: int) -> None:
    writers = iter([os.getpid(), os.getpid(), gone])

    def last_words(path: Path) -> None:
        append("c\nd")(path)
        tap(path)

    assert list(seen(path, append("b\n"), last_words, writer=lambda: next(writers))) == [b"a", b"b", b"c", "over"]


def test_what_the_writer_wrote_just_before_it_was_gone_is_read(path: Path, gone: int) -> None:
    def writer() -> int:
        append("b\n")(path)  # after what was there has been read
        return gone

    path.write_text("a\n", encoding="utf-8")
    assert list(seen(path, writer=writer)) == [b"a", b"b", "over"]


def denied(_: int, __: int) -> None:
    raise PermissionError


@pytest.mark.usefixtures("tap")
def test_a_writer_that_is_another_users_lives(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "kill", denied)
    assert list(seen(path, append("b\n"), writer=lambda: 1)) == [b"a", b"b"]


@pytest.mark.parametrize("whose", ["mine", "another user's"])
def test_a_writer_is_gone_whose_number_another_process_has_by_now(
    whose: str, path: Path, tap: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    if whose != "mine":
        monkeypatch.setattr(os, "kill", denied)
    assert list(seen(path, append("b\n"), tap, writer=os.getpid)) == [b"a", b"b", "over"]


@pytest.mark.parametrize("locks", ["there are none", "everybody gets them"])
def test_where_files_cannot_be_locked_a_writer_lives_as_long_as_its_number(
    locks: str, path: Path, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_: int, __: int) -> None:
        if locks == "there are none":
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", flock)
    path.write_text("a\n", encoding="utf-8")
    writers = iter([os.getpid(), os.getpid(), gone])
    assert list(seen(path, append("b\n"), append("c\n"), writer=lambda: next(writers))) == [b"a", b"b", b"c", "over"]


def test_the_lock_of_another_record_in_its_place_says_nothing(path: Path, tap: Step) -> None:
    def end_where_another_is(path: Path) -> None:
        put_another_in_its_place("x\n")(path)
        tap(path)

    assert list(seen(path, end_where_another_is, writer=os.getpid)) == [b"a", "again", b"x", "over"]


def test_a_writer_that_cannot_be_seen_but_has_its_lock_lives(path: Path, gone: int) -> None:
    file = open_record(path)
    os.write(file, b"a\n")
    steps = (append("b\n"), lambda _: os.close(file))
    assert list(seen(path, *steps, writer=lambda: gone)) == [b"a", b"b", "over"]


def test_another_record_in_its_place_is_read_though_the_writer_is_gone(path: Path, tap: Step, gone: int) -> None:
    def end_where_another_is(path: Path) -> None:
        put_another_in_its_place("x\n")(path)
        tap(path)

    writers = iter([os.getpid(), gone, None, None])
    steps = (end_where_another_is, append("y\n"))
    assert list(seen(path, *steps, writer=lambda: next(writers))) == [b"a", "again", b"x", b"y"]
