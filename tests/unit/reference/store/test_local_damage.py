"""Broken rollouts: what is whole in them is read, and what is added to them is not lost."""

from __future__ import annotations

import pytest

from hive_gate.reference.store.errors import Internal
from hive_gate.reference.store.queries import ThreadQuery, TurnQuery
from hive_gate.reference.store.records import SortDirection

from .conftest import Bench, line, session_meta, thread_id, turn


def content(*numbers: int) -> list[bytes]:
    """Return the lines of a thread with these turns."""
    return [line(session_meta(1)), *(line(record) for number in numbers for record in turn(number))]


def shown(bench: Bench) -> list[str]:
    page = bench.another().list_turns(TurnQuery(thread_id(1), sort_direction=SortDirection.ASC))
    return [entry.turn_id for entry in page.turns]


@pytest.mark.parametrize(
    "torn",
    [
        b"{",
        b'{"timestamp":"2026-06-01T10:00:00.000Z","type":"event_msg","pay',
        '{"timestamp":"한'.encode()[:-1],
        b"\x00" * 4096,
        line(turn(9)[1])[:-2],
        b" ",
    ],
)
def test_a_torn_last_line_takes_nothing_with_it(local: Bench, torn: bytes) -> None:
    path = local.write(1, b"".join(content(1)) + torn)
    assert shown(local) == ["turn-1"]
    local.store.append(thread_id(1), turn(2))
    assert shown(local) == ["turn-1", "turn-2"]
    assert path.read_bytes().startswith(b"".join(content(1)) + torn + b"\n")  # it only grew


def test_a_last_line_without_its_end_counts_if_it_is_whole(local: Bench) -> None:
    local.write(1, b"".join(content(1, 2))[:-1])
    local.store.append(thread_id(1), turn(3))
    assert [entry.status for entry in local.store.list_turns(TurnQuery(thread_id(1))).turns] == ["completed"] * 3


@pytest.mark.parametrize(
    "bad",
    [
        b"not json\n",
        b"\n",
        b"\xff\xfe\n",
        b"[]\n",
        b"null\n",
        b'{"type":"event_msg","payload":{"type":"token_count"}}\n',
        b'{"timestamp":"x","type":"event_msg"}\n',
        b'{"timestamp":"x","type":"event_msg","payload":[]}\n',
        b'{"timestamp":"x","type":5,"payload":{}}\n',
        b'{"timestamp":"x","type":"event_msg","payload":{"type":"token_count","x":NaN}}\n',
        b'{"timestamp":"x","type":"event_msg","payload":{"type":"token_count","x":"\\ud800"}}\n',
        b"[" * 100_000 + b"\n",
        line(turn(1)[1])[:-1] + line(turn(1)[1]),
    ],
)
def test_a_bad_line_in_the_middle_is_passed_over_and_shifts_no_id(local: Bench, bad: bytes) -> None:
    said = line(turn(1)[1])  # a user's message without a turn of its own
    local.write(1, line(session_meta(1)) + said + bad + said)
    assert shown(local) == ["rollout-1", "rollout-2"]


def test_lines_may_end_as_on_another_system(local: Bench) -> None:
    local.write(1, b"".join(content(1)).replace(b"\n", b"\r\n"))
    assert shown(local) == ["turn-1"]


@pytest.mark.parametrize(
    "first", [b"", b"{\n", b"not json\n", line(session_meta(2)), line(session_meta(1))[:-3] + b"\n"]
)
def test_a_thread_whose_mode_cannot_be_known_is_neither_guessed_at_nor_listed(local: Bench, first: bytes) -> None:
    # The second record is what a fork copies from its source: it must not speak for the fork.
    path = local.write(1, first + line(session_meta(2, history_mode="legacy")) + b"".join(content(1)[1:]))
    before = path.read_bytes()
    for ask in (
        lambda: local.store.read(thread_id(1)),
        lambda: local.store.load_history(thread_id(1)),
        lambda: local.store.append(thread_id(1), turn(2)),
        lambda: local.store.archive(thread_id(1)),
    ):
        with pytest.raises(Internal, match=r"^failed to read session metadata .* no usable session_meta record"):
            ask()
    assert local.store.list_threads(ThreadQuery()).threads == ()
    assert path.read_bytes() == before


def test_a_broken_thread_hides_no_other(local: Bench) -> None:
    local.write(1, b"\x00" * 100)
    local.plant(2)
    assert [thread.thread_id for thread in local.store.list_threads(ThreadQuery()).threads] == [thread_id(2)]
