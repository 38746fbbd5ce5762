"""Words of the command line to versions: exact ones, ranges with open ends, `latest`, `accepted`, `pinned`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import semver

from hive_gate.errors import UsageError
from hive_gate.target.platforms import this_platform
from hive_gate.target.spec import parse_version

FORMS = (
    "give versions (0.142.5), ranges (0.136.0..0.171.0, 0.142.5.., ..0.143.0), or one of the words latest, accepted "
    "and pinned"
)
"""The forms, for hints."""

Known = Callable[[], Sequence[semver.Version]]
"""Returns the published versions, oldest first; called only where the words need the list."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the words that are no version stand for."""

    accepted: str
    """The version that the team accepted last."""
    pinned: str
    """The version that the contract pins."""


@dataclass(frozen=True, slots=True)
class Thinning:
    """What to leave out of ranges; what is named exactly always stays."""

    every_minor: bool = False
    """Of each 0.x only the newest, and the ends of the ranges."""
    newest: int | None = None
    """Only so many of the newest."""


@dataclass(frozen=True, slots=True)
class _Range:
    text: str
    low: semver.Version | None
    high: semver.Version | None

    @property
    def ends(self) -> list[semver.Version]:
        return [end for end in (self.low, self.high) if end is not None]

    def within(self, known: Iterable[semver.Version]) -> list[semver.Version]:
        """Return the published versions in the range; of prereleases only its ends."""
        return [
            version
            for version in known
            if (self.low is None or version >= self.low)
            and (self.high is None or version <= self.high)
            and (version.prerelease is None or version in self.ends)
        ]


def choose(texts: Sequence[str], words: Words, known: Known, thinning: Thinning = Thinning()) -> tuple[str, ...]:
    """Return the versions that the words mean, oldest first, each once.

    Exact versions are taken as they are, published or not; a range holds what is published of it.

    Raises:
        UsageError: a word that is none, an option that has no range to thin, or nothing is left.
        TargetError: the list of published versions is needed and cannot be had.
    """
    read = [_read(word, words, known) for text in texts for word in re.split(r"[,\s]+", text) if word]
    ranges = [each for each in read if isinstance(each, _Range)]
    if not read:
        raise UsageError("no version is named", hint=FORMS)
    if not ranges and thinning != Thinning():
        raise UsageError("--every-minor and --newest go with a range", hint="name one, such as 0.136.0..0.171.0")
    found = {each for each in read if isinstance(each, semver.Version)}
    found.update(_thinned(ranges, known, thinning))
    if not found:
        raise _nothing(ranges, known())
    return tuple(map(str, sorted(found)))


def _thinned(ranges: Sequence[_Range], known: Known, thinning: Thinning) -> list[semver.Version]:
    found: set[semver.Version] = set()
    for each in ranges:
        within = each.within(known())
        if thinning.every_minor:
            newest = {(version.major, version.minor): version for version in within}
            within = [v for v in within if v in each.ends or v == newest[v.major, v.minor]]
        found.update(within)
    ordered = sorted(found)
    return ordered if thinning.newest is None else ordered[-thinning.newest :]


def _read(word: str, words: Words, known: Known) -> semver.Version | _Range:
    low, dots, high = word.partition("..")
    if not dots:
        return _version(word, words, known)
    ends = _Range(word, _version(low, words, known) if low else None, _version(high, words, known) if high else None)
    if not ends.ends:
        raise UsageError(f"{word!r} is a range without an end", hint=FORMS)
    if ends.low is not None and ends.high is not None and ends.low > ends.high:
        raise UsageError(f"the range {word!r} ends before it begins", hint=f"write {high}..{low}")
    return ends


def _version(word: str, words: Words, known: Known) -> semver.Version:
    if word == "latest":
        plain = [version for version in known() if version.prerelease is None]
        if not plain:
            raise UsageError("nothing is published that `latest` could mean", hint="name a version")
        return plain[-1]
    named = {"accepted": words.accepted, "pinned": words.pinned}.get(word, word)
    try:
        spec = parse_version(named)
    except UsageError:
        raise UsageError(f"{word!r} names no version of codex", hint=FORMS) from None
    if spec.platform not in (None, this_platform()):
        raise UsageError(f"{word!r} is for {spec.platform}, and this machine is {this_platform()}", hint=spec.version)
    return semver.Version.parse(spec.version)


def _nothing(ranges: Sequence[_Range], known: Sequence[semver.Version]) -> UsageError:
    plain = [version for version in known if version.prerelease is None]
    low = min((each.low for each in ranges if each.low is not None), default=None)
    high = max((each.high for each in ranges if each.high is not None), default=None)
    near = [
        *[v for v in plain if low is not None and v < low][-1:],
        *[v for v in plain if high is not None and v > high][:1],
    ]
    what = ", ".join(each.text for each in ranges)
    hint = f"the nearest published: {' and '.join(map(str, near))}" if near else FORMS
    return UsageError(f"nothing is published in {what}", hint=hint)


def share(versions: Sequence[str], index: int, of: int) -> tuple[str, ...]:
    """Return the versions of one shard: dealt out one by one, so that shards are even and each spans the range.

    Args:
        versions: all of them.
        index: which shard, from 1.
        of: how many there are.
    """
    return tuple(versions[index - 1 :: of])


def parse_shard(text: str) -> tuple[int, int]:
    """Read `I/N`.

    Raises:
        UsageError: it is not that, or there is no such shard.
    """
    found = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text.strip())
    index, of = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= index <= of:
        raise UsageError(f"--shard {text!r} is no shard", hint="give I/N with I from 1 to N, such as 2/4")
    return index, of
