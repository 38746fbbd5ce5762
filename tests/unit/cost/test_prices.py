"""What a turn, a record and a megabyte cost is found from shapes that differ in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hive_gate.cost.model import Cost, Price, StoredThread


def paid(cost: Cost, operation: str = "page/full/20") -> dict[str, Price]:
    return {p.unit: p for p in cost.prices if (p.operation, p.quantity) == (operation, "ms")}


def test_the_prices_of_the_formula_are_found_again(steady: Cost) -> None:
    found = paid(steady)
    assert found["request"].each == pytest.approx(2.0, rel=0.05)
    assert found["record"].each == pytest.approx(0.004, rel=0.05)
    assert found["MB"].each == pytest.approx(4.0, rel=0.05)
    assert "turn" not in found  # it costs nothing, and an uncertain nothing is not told
    assert found["MB"].low <= found["MB"].each <= found["MB"].high
    assert found["MB"].scatter < 0.02


def test_a_price_of_turns_is_found_where_there_is_one(made: Callable[..., Cost]) -> None:
    def formula(thread: StoredThread, operation: str) -> float:
        return 2 + 0.05 * thread.turns + 4e-6 * thread.bytes

    found = paid(made(formula))
    assert found["turn"].each == pytest.approx(0.05, rel=0.05)
    assert "record" not in found


def test_one_shape_alone_cannot_tell_turns_from_bytes(made: Callable[..., Cost]) -> None:
    assert paid(made(shapes=("plain",))) == {}
    assert paid(made(shapes=("plain", "images"))) == {}


def test_real_turns_have_no_part_in_it(made: Callable[..., Cost]) -> None:
    def formula(thread: StoredThread, operation: str) -> float:
        return 1e6 if thread.shape.startswith("real") else 2 + 4e-6 * thread.bytes

    assert paid(made(formula))["MB"].each == pytest.approx(4.0, rel=0.05)


def test_a_model_that_does_not_fit_says_by_how_much(made: Callable[..., Cost]) -> None:
    def wild(thread: StoredThread, operation: str) -> float:
        return 10.0 if thread.size in (200, 1000) else 100.0

    assert all(price.scatter > 0.35 for price in paid(made(wild)).values())
