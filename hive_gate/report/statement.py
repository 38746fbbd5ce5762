"""Constraints and decisions as a result states them, and what a measurement says to the numbers that they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hive_gate.contract.model import Bound, Measured

Support = Literal["supported", "contradicted", "not-told"]
"""What a measurement says to a number, or to all of a statement's numbers."""

Found = Mapping[str, Mapping[str, float]]
"""What was measured: by the id of an answer its numbers by name. One that is too noisy to be told is left out."""

_GRAVEST_FIRST: tuple[Support, ...] = ("contradicted", "not-told", "supported")

LABELS: Mapping[Support, str] = {
    "contradicted": "Contradicted by the measurement",
    "not-told": "Not told by the measurement",
    "supported": "Supported by the measurement",
}

_NOT_MEASURED = "not measured"
_TOO_NOISY = "no steady number"

_BOUNDS: Mapping[Bound, str] = {"at-most": "at most", "at-least": "at least"}


@dataclass(frozen=True, slots=True)
class Claim:
    """A number that a statement rests on, and what a measurement says to it."""

    measurement: str
    """Id of the answer of `hive-gate cost`, such as `restore.1000`."""
    value: str
    """Which of its numbers, such as `ms.ratio`."""
    bound: Bound
    limit: float
    means: str
    """What holds as long as the number does."""
    support: Support | None = None
    """None: no measurement was at hand."""
    found: float | None = None
    """The number that was measured."""
    why: str | None = None
    """Of a claim that is not told, the reason in one phrase."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What `hive-gate cost` measured of the same program."""

    run: str
    """Id of that run."""
    started: str
    """ISO 8601, UTC."""
    sha256: str
    """Of its cost.json."""
    values: dict[str, dict[str, float]]
    """By the id of an answer its numbers by name; one that is too noisy to be told is left out."""


@dataclass(frozen=True, slots=True)
class Note:
    """A constraint or a decision of the contract, stated in every note."""

    id: str
    text: str
    source: str
    status: str | None = None
    """For decisions: `open` or `decided`."""
    evidence: tuple[str, ...] = ()
    """Ids of the clauses (globs) that support it."""
    contradicted: tuple[str, ...] = ()
    """Of these, the clauses of this run that do not hold."""
    record: str | None = None
    """The page that argues it, as a path in the repository; null if there is none."""
    measured: tuple[Claim, ...] = ()
    """The numbers of `hive-gate cost` that support it."""


def judged(measured: Iterable[Measured], found: Found | None) -> tuple[Claim, ...]:
    """Return what a measurement says to the numbers of a statement.

    Args:
        measured: as the contract has them.
        found: what was measured; None: no measurement is at hand.
    """
    return tuple(_judged(each, found) for each in measured)


def _judged(each: Measured, found: Found | None) -> Claim:
    support: Support | None = None
    value, why = None, None
    if found is not None:
        value = found.get(each.measurement, {}).get(each.value)
        if value is None:
            support, why = "not-told", _TOO_NOISY if each.measurement in found else _NOT_MEASURED
        else:
            holds = value <= each.limit if each.bound == "at-most" else value >= each.limit
            support = "supported" if holds else "contradicted"
    return Claim(each.measurement, each.value, each.bound, each.limit, each.means, support, value, why)


def support_of(claims: Sequence[Claim]) -> Support | None:
    """Return what a measurement says to all of a statement's numbers: supported only if each of them is.

    None if there are no numbers, or no measurement was at hand.
    """
    return next((support for support, _ in by_support(claims)), None)


def by_support(claims: Sequence[Claim]) -> Iterator[tuple[Support, str]]:
    """Yield what a measurement says with the claims of which it says so, as a phrase; the gravest first."""
    for support in _GRAVEST_FIRST:
        mine = [f"{claim.means} ({number_of(claim)})" for claim in claims if claim.support == support]
        if mine:
            yield support, "; ".join(mine)


def number_of(claim: Claim) -> str:
    """Return the number of a claim beside its bound, as a phrase: `limit, ms.ratio: 1.09, at most 1.5`."""
    number = claim.why if claim.found is None else _number(claim.found)
    bound = f"{_BOUNDS[claim.bound]} {_number(claim.limit)}"
    return f"{claim.measurement}, {claim.value}: {bound if number is None else f'{number}, {bound}'}"


def _number(value: float) -> str:
    """Return a number with the digits that mean something: `0.692`, `16,229`."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
