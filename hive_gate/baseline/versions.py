"""The versions for which an entry of the baseline holds: one, or a range with both ends in it."""

from __future__ import annotations

from dataclasses import dataclass

import semver

FORM = "write a version (0.143.0) or a range with both ends in it (0.143.0..0.144.6), of which one may be left out"
"""The forms, for hints."""


@dataclass(frozen=True, slots=True)
class Versions:
    """A range of versions."""

    text: str
    """As the file has it."""
    low: semver.Version | None
    """The first version in it; None: any before `high`."""
    high: semver.Version | None
    """The last version in it; None: any after `low`."""

    @classmethod
    def parse(cls, text: str) -> Versions:
        """Read `0.143.0`, `0.143.0..0.144.6`, `0.143.0..` or `..0.144.6`.

        Raises:
            ValueError: none of the forms, or the ends are the wrong way round; the argument says so as a phrase.
        """
        first, dots, last = text.partition("..")
        low, high = _end(first), _end(last if dots else first)
        if low is None and high is None:
            raise ValueError(f"{text!r:.60} names no version")
        if low is not None and high is not None and low > high:
            raise ValueError(f"{text!r:.60} begins after its end")
        return cls(text, low, high)

    def holds(self, version: semver.Version) -> bool:
        """Tell whether a version is in the range."""
        return (self.low is None or self.low <= version) and (self.high is None or version <= self.high)

    def overlaps(self, other: Versions) -> bool:
        """Tell whether some version is in both ranges."""
        return not _before(self.high, other.low) and not _before(other.high, self.low)

    def __str__(self) -> str:
        return self.text


def _before(end: semver.Version | None, start: semver.Version | None) -> bool:
    return end is not None and start is not None and end < start


def _end(text: str) -> semver.Version | None:
    if not text:
        return None
    try:
        return semver.Version.parse(text)
    except ValueError:
        raise ValueError(f"{text!r:.60} is not a version") from None
