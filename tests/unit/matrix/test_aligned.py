"""Two transcripts side by side: paired by step, with the lines marked in which they really differ."""

from __future__ import annotations

from typing import Any

from hive_gate.matrix.aligned import EXCHANGES, Pair, pairs
from hive_gate.report.model import ClauseResult, Exchange, Message, Report
from tests.unit.matrix.faked import report, result

THREAD = "01a22d19-405e-7bc1-854e-3af9149b5bd4"
OTHER = "01970000-ae81-7602-8563-e31a2fc1cf5b"


class Side:
    """One run of a clause, written message by message."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.exchanges: list[Exchange] = []

    def _add(self, direction: Any, body: Any) -> int:
        self.messages.append(Message(len(self.messages), 0, 1.0, direction, 10, body))
        return len(self.messages) - 1

    def ask(self, method: str, params: Any, reply: Any, step: int = 0, told: tuple[Any, ...] = ()) -> Side:
        request = self._add("sent", {"id": len(self.messages), "method": method, "params": params})
        notifications = tuple(self._add("received", one) for one in told)
        number = None if reply is None else self._add("received", {"id": 1, **reply})
        failure = "it did not answer" if reply is None else None
        self.exchanges.append(Exchange(method, request, number, 1.0, 1, 1, step, notifications, failure))
        return self

    def made(self) -> tuple[Report, ClauseResult]:
        clause = result("read.one", "pass", exchanges=tuple(self.exchanges))
        return report("0.1.0", [clause], messages=tuple(self.messages)), clause


def compare(one: Side, other: Side) -> tuple[Pair, ...]:
    return pairs(*one.made(), *other.made())


def lines(pair: Pair) -> list[tuple[str | None, str | None, bool]]:
    return [(row.left, row.right, row.differs) for row in pair.rows]


def test_request_and_reply_are_set_side_by_side_and_differing_lines_marked() -> None:
    before = Side().ask("x/y", {"threadId": THREAD}, {"error": {"code": -32601, "message": "not supported yet"}})
    after = Side().ask("x/y", {"threadId": THREAD}, {"error": {"code": -32600, "message": "unknown variant"}})

    request, reply = compare(before, after)

    assert (request.part, request.method, request.step) == ("request", "x/y", 0)
    assert not any(row.differs for row in request.rows)
    assert lines(reply) == [
        ("{", "{", False),
        (' "error": {', ' "error": {', False),
        ('  "code": -32601,', '  "code": -32600,', True),
        ('  "message": "not supported yet"', '  "message": "unknown variant"', True),
        (" }", " }", False),
        ("}", "}", False),
    ]


def test_what_differs_between_any_two_runs_is_not_marked() -> None:
    def of(thread: str, folder: str, when: int) -> Side:
        reply = {"result": {"thread": {"id": thread, "cwd": f"/dev/shm/hive-gate-{folder}/work", "createdAt": when}}}
        return Side().ask("thread/start", {"cwd": f"/dev/shm/hive-gate-{folder}/work"}, reply)

    found = compare(of(THREAD, "abc12", 1796052959), of(OTHER, "xyz34", 1796059999))

    assert [row for pair in found for row in pair.rows if row.differs] == []


def test_a_member_more_is_one_line_more_on_one_side() -> None:
    before = Side().ask("x/y", {}, {"result": {"a": 1, "c": 3}})
    after = Side().ask("x/y", {}, {"result": {"a": 1, "b": 2, "c": 3}})

    assert [row for row in lines(compare(before, after)[1]) if row[2]] == [(None, '  "b": 2,', True)]


def test_exchanges_are_paired_by_their_step_and_one_sided_ones_stay_alone() -> None:
    before = Side().ask("a", {}, {"result": 1}, step=0).ask("b", {}, {"result": 2}, step=2)
    after = Side().ask("a", {}, {"result": 1}, step=0).ask("more", {}, {"result": 3}, step=0)

    found = compare(before, after)

    assert [(p.part, p.method, p.step) for p in found if p.part == "request"] == [
        ("request", "a", 0), ("request", "more", 0), ("request", "b", 2),
    ]  # fmt: skip
    assert all(row.left is None for pair in found if pair.method == "more" for row in pair.rows)
    assert all(row.right is None for pair in found if pair.method == "b" for row in pair.rows)


def test_a_reply_that_did_not_come_says_why() -> None:
    found = compare(Side().ask("a", {}, {"result": 1}), Side().ask("a", {}, None))

    assert [row.right for row in found[1].rows if row.right] == ["no reply: it did not answer"]


def test_notifications_about_a_thread_are_shown_and_those_of_the_start_are_not() -> None:
    told = (
        {"method": "thread/status/changed", "params": {"threadId": THREAD, "status": {"type": "idle"}}},
        {"method": "configWarning", "params": {"summary": "no bubblewrap"}},
    )
    found = compare(Side().ask("a", {}, {"result": 1}), Side().ask("a", {}, {"result": 1}, told=told))

    (announced,) = (pair for pair in found if pair.part == "notifications")
    text = f'thread/status/changed {{"threadId":"{THREAD}","status":{{"type":"idle"}}}}'
    assert lines(announced) == [(None, text, True)]


def test_long_equal_stretches_are_folded_and_say_so() -> None:
    def of(last: int) -> Side:
        return Side().ask("a", {}, {"result": {**{f"m{n}": n for n in range(20)}, "last": last}})

    rows = lines(compare(of(1), of(2))[1])

    assert rows[0] == ("… 19 equal lines", "… 19 equal lines", False)
    assert [row[0] for row in rows if row[2]] == ['  "last": 1']
    assert len(rows) == 1 + 3 + 1 + 2


def test_a_long_message_and_many_exchanges_are_cut_with_what_is_missing_said() -> None:
    long = Side()
    for _ in range(EXCHANGES + 5):
        long.ask("a", {}, {"result": 1})
    found = compare(long, long)

    requests = [pair for pair in found if pair.part == "request"]
    assert [pair.left_out for pair in requests] == [0, 0, 0, 5, 0, 0]
    big = {"result": {f"m{n}": {"x": n} for n in range(39)}}
    reply = compare(Side().ask("a", {}, {"error": {}}), Side().ask("a", {}, big))[1]
    assert reply.rows[-1].right is not None
    assert reply.rows[-1].right.endswith("more lines")
