"""What was asked: the words for the two versions, the list that they were taken from, and which way the step goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import semver

_NO_LIST = ("accepted", "pinned")
"""Words for which the list of published versions is not needed."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The list of published versions."""

    asked: str
    """When npm gave it, ISO 8601 in UTC."""
    problem: str | None
    """Why npm could not be asked again, so that what came later is missing; None: the list is new."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The words of the command line."""

    candidate: str
    """For the version that is asked about: itself, or a word such as `latest`."""
    before: str
    """For the version in use."""
    listed: Listed | None
    """The list by which `latest` was taken; None: no word needed it."""

    def rows(self, candidate: str, before: str) -> Iterator[tuple[str, str]]:
        """Yield a name and what was asked, where that is not the version itself, or for the one in use its default."""
        if self.candidate != candidate:
            yield "Asked for", self._told(self.candidate)
        if self.before not in (before, "accepted"):
            yield "Compared with: asked for", self._told(self.before)

    def _told(self, word: str) -> str:
        if self.listed is None or word in _NO_LIST:
            return word
        day = self.listed.asked[:10]
        if self.listed.problem is None:
            return f"{word}, by npm on {day}"
        return f"{word}, by the list of {day}, since npm could not be asked: what came later is missing"


def backward(candidate: str, before: str) -> str | None:
    """Return what to know of a step to an older version, in sentences, with names in backticks; None: it is none."""
    if semver.Version.parse(candidate) >= semver.Version.parse(before):
        return None
    return (
        f"This is a step back: {candidate} is older than {before}. The answer does not rest on whether it can go on "
        f"with what {before} has stored, and there may be no way back: 0.142.5 does not list a paginated "
        "thread, and after it had appended a turn to one, 0.171.0 refused to resume that thread. See "
        "`docs/stay-or-move.md`, under No way back, before you take it."
    )
