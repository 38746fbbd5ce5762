"""The invariants that compare: with another step's answer, or with a value that was captured before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hive_gate.contract.names import escape, resolve
from hive_gate.probe.case import Broken, Case
from hive_gate.probe.seen import Seen, error_phrase, items_of, preview, reply_phrase


def same_turns_as(value: Any, case: Case) -> Iterator[Broken]:
    """The same turns with the same status and items as another step's, in the same order unless `reversed`."""
    try:
        here = case.seen.turns(value.get("at", "/data"))
        there = case.earlier[value["step"]].turns(value.get("there", "/data"))
    except LookupError as error:
        yield Broken(f"the turns of step {value['step']!r}", str(error))
        return
    there = there[::-1] if value.get("reversed") else there
    if len(here) != len(there):
        yield Broken(
            f"{len(there)} turns, as in step {value['step']!r}", f"{len(here)} turns", None, case.seen.last_reply
        )
        return
    for mine, other in zip(here, there, strict=True):
        a, b = _core(mine.body), _core(other.body)
        if a != b:
            yield Broken(f"as in step {value['step']!r}: {preview(b)}", preview(a), mine.pointer, mine.message)
            return


def equals(value: Any, case: Case) -> Iterator[Broken]:
    """The value at a pointer of the result equals another value, member by member."""
    try:
        here = resolve(case.seen.result(), value["at"])
    except LookupError:
        yield Broken(preview(value["value"]), f"nothing at {value['at']}", value["at"], case.seen.last_reply)
        return
    difference = first_difference(here, value["value"], value["at"])
    if difference is not None:
        pointer, actual, expected = difference
        yield Broken(expected, actual, pointer, case.seen.last_reply)


def same_error_as(value: Any, case: Case) -> Iterator[Broken]:
    """The same code and text as another step's error, once each's own method is taken out."""
    mine, other = _error_core(case.seen), _error_core(case.earlier[value])
    if mine is None or mine != other:
        yield Broken(
            f"an error like that of step {value!r}: {_answer(case.earlier[value])}",
            _answer(case.seen),
            None,
            case.seen.last_reply,
        )


def other_error_than(value: Any, case: Case) -> Iterator[Broken]:
    """An error that differs from another step's by more than the method's name."""
    mine, other = _error_core(case.seen), _error_core(case.earlier[value])
    if mine is None or mine == other:
        yield Broken(
            f"an error unlike that of step {value!r}: {_answer(case.earlier[value])}",
            _answer(case.seen),
            None,
            case.seen.last_reply,
        )


def reply_size_like(value: Any, case: Case) -> Iterator[Broken]:
    """The reply is as large as another step's, give or take so many bytes."""
    mine, other = case.seen.last, case.earlier[value["step"]].last
    if mine is None or other is None:
        return
    if abs(mine.bytes_in - other.bytes_in) > value["slack"]:
        yield Broken(
            f"about {other.bytes_in} bytes, as in step {value['step']!r} (± {value['slack']})",
            f"{mine.bytes_in} bytes",
            None,
            mine.reply,
        )


def first_difference(a: Any, b: Any, pointer: str = "") -> tuple[str, str, str] | None:
    """Return (pointer, what `a` has there, what `b` has there) for the first difference; None if they are equal."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*b, *(key for key in a if key not in b)]:
            here = f"{pointer}/{escape(key)}"
            if key not in a or key not in b:
                return here, preview(a[key]) if key in a else "nothing", preview(b[key]) if key in b else "nothing"
            found = first_difference(a[key], b[key], here)
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for index, (mine, other) in enumerate(zip(a, b, strict=False)):
            found = first_difference(mine, other, f"{pointer}/{index}")
            if found:
                return found
        return None if len(a) == len(b) else (pointer, f"{len(a)} entries", f"{len(b)} entries")
    # `True == 1` in Python, and not in JSON.
    return None if a == b and isinstance(a, bool) == isinstance(b, bool) else (pointer, preview(a), preview(b))


def _core(turn: Any) -> dict[str, Any]:
    return {"id": turn.get("id"), "status": turn.get("status"), "items": items_of(turn)}


def _error_core(seen: Seen) -> tuple[Any, str] | None:
    """Code and text. Not `data`: it is free, and with a number for each error no two would be alike or unlike."""
    error = seen.error()
    if error is None or seen.last is None:
        return None
    message = re.sub(re.escape(seen.last.method), "‹method›", str(error.get("message")))
    return error.get("code"), message


def _answer(seen: Seen) -> str:
    error = seen.error()
    return error_phrase(error) if error is not None else reply_phrase(seen.body(seen.last) if seen.last else None)
