"""Faults are switched on by name and leave the program as it was when they are switched off."""

from __future__ import annotations

import pytest

from hive_gate.errors import UsageError
from hive_gate.reference.faults import FAULTS, switch_on


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_replaces_what_it_names_until_it_is_mended(name: str) -> None:
    swaps = FAULTS[name].swaps
    before = [vars(swap.owner)[swap.attribute] for swap in swaps]
    mend = switch_on(name)
    try:
        during = [vars(swap.owner)[swap.attribute] for swap in swaps]
    finally:
        mend()
    assert all(new is not old for new, old in zip(during, before, strict=True))
    assert [vars(swap.owner)[swap.attribute] for swap in swaps] == before


def test_a_name_that_is_no_fault_is_refused_and_near_ones_are_named() -> None:
    with pytest.raises(UsageError, match="there is no fault 'name-cutt'") as refused:
        switch_on("name-cutt")
    assert "did you mean name-cut" in (refused.value.hint or "")


def test_there_are_at_least_sixty() -> None:
    assert len(FAULTS) >= 60
