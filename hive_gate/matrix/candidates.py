"""Which versions a search looks at, and which two are compared."""

from __future__ import annotations

from collections.abc import Sequence

import semver

from hive_gate.errors import UsageError
from hive_gate.matrix.versions import Known, Words, choose


def one(text: str, option: str, words: Words, known: Known) -> str:
    """Return the one version that an option's words mean.

    Raises:
        UsageError: they mean none, or several.
        TargetError: the list of published versions is needed and cannot be had.
    """
    found = choose([text], words, known)
    if len(found) != 1:
        raise UsageError(f"{option} means {len(found)} versions: {text}", hint="name one, such as 0.142.5")
    return found[0]


def between(good: str, bad: str, among: Sequence[str] | None, words: Words, known: Known) -> tuple[str, ...]:
    """Return the versions of a search, oldest first: the good one, all plain ones between, the bad one.

    Args:
        good: the earlier version, as an exact version or one of the words.
        bad: the later one.
        among: only these versions and ranges; None: all that are published.
        words: what the words stand for.
        known: the published versions.

    Raises:
        UsageError: words that mean no version or several, or the ends are the wrong way round.
        TargetError: the list of published versions is needed and cannot be had.
    """
    first, last = (semver.Version.parse(one(*end, words, known)) for end in ((good, "--good"), (bad, "--bad")))
    if first == last:
        raise UsageError(f"--good and --bad are the same version, {first}", hint="name two")
    if first > last:
        raise UsageError(
            f"--good {first} is later than --bad {last}",
            hint=f"name the earlier one first: --good {last} --bad {first}; any change of verdict is found",
        )
    if among is None:
        middle = [version for version in known() if version.prerelease is None]
    else:
        middle = [semver.Version.parse(text) for text in choose(among, words, known)]
    return tuple(map(str, (first, *(version for version in middle if first < version < last), last)))
