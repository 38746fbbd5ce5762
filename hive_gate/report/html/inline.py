"""Words within a line: code, stress, tones, references."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from hive_gate.report.model import Verdict
from hive_gate.report.note import Code, Inline, Line, Strong, Tone, Toned
from hive_gate.report.plain import visible
from hive_gate.report.verdict import Outcome, Reference

TONES: dict[Verdict | Outcome, Tone] = {
    "pass": "good",
    "fail": "bad",
    "warn": "warn",
    "waived": "warn",
    "stale": "bad",
    "not-offered": "dim",
    "blocked": "bad",
    "error": "bad",
    "open": "good",
    "closed": "bad",
    "partial": "warn",
    "not-judged": "bad",
}
"""Tone of each verdict and of each outcome of a run."""

ICONS: dict[Tone, str] = {"good": "check", "bad": "cross", "warn": "mark", "dim": "dash"}
"""Tone to the shape that stands beside its word: color alone tells nothing."""

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_CODE = re.compile(r"`([^`]+)`")


def line(parts: Line) -> Markup:
    """Return a line of a document as HTML."""
    return Markup("").join(_inline(part) for part in parts)


def prose(text: str) -> Markup:
    """Return a sentence as HTML; what stands between backticks is set as code."""
    pieces = _CODE.split(visible(text))
    # Every second piece is what the pattern caught.
    return Markup("").join(Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(pieces))


def plain(output: str) -> str:
    """Return what a program printed without the codes that color it, and without empty lines around it."""
    return _COLOR.sub("", output).strip()


def tone_of(parts: Line) -> Tone | None:
    """Return the tone of a line that is wholly of one tone; None where it is not."""
    tones = {part.tone if isinstance(part, Toned) else None for part in parts if str(part).strip()}
    return next(iter(tones)) if len(tones) == 1 else None


def slug(text: str) -> str:
    """Return a text as a word that can be an anchor."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:60] or "section"


def _inline(part: Inline) -> Markup:
    text = visible(str(part))
    match part:
        case Code():
            return Markup("<code>{}</code>").format(text)
        case Strong() | Reference():
            return Markup("<strong>{}</strong>").format(text)
        case Toned(_, tone):
            return Markup('<span class="{}">{}</span>').format(tone, text)
        case _:
            return prose(text)
