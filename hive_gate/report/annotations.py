"""Workflow commands by which a GitHub job marks errors, warnings and notices on its page."""

from __future__ import annotations

from typing import Literal

from hive_gate.report.plain import cut

Mark = Literal["error", "warning", "notice"]

_TITLE = 120
_MESSAGE = 1_000


def annotation(mark: Mark, title: str, message: str) -> str:
    """Return one annotation as a line, with its newline.

    Whatever a server said is in one property or in the message: it can neither end the command nor begin another.
    """
    named = _escaped(cut(title, _TITLE)).replace(":", "%3A").replace(",", "%2C")
    return f"::{mark} title={named}::{_escaped(cut(message, _MESSAGE))}\n"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
