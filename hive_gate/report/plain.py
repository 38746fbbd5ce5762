"""Text from anywhere, made fit to be shown on one line: nothing invisible, nothing that moves the cursor, no novels."""

from __future__ import annotations

import re

CELL = 80
"""Characters of a table cell; a longer one stretches the page in Redmine."""

WORD = 60
"""Characters of one unbroken word; a browser does not break it, so a longer one stretches the page as well."""

# C0 controls have pictures of their own (U+2400 and up). The others have none and are named by their code point: DEL
# and C1 controls, soft hyphen, bidirectional and zero-width marks, line and paragraph separators, byte order mark,
# interlinear anchors, noncharacters, tag characters, and lone surrogates, which UTF-8 cannot hold.
INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""The characters that nobody sees, or that change how the text around them is seen."""

_LONG_WORD = re.compile(rf"\S{{{WORD + 1},}}")


def visible(text: str) -> str:
    """Return `text` on one line with every control and format character made visible."""
    return INVISIBLE.sub(_picture, re.sub(r"\r\n|\r|\n", " ⏎ ", text).replace("\t", " "))


def cut(text: str, limit: int = CELL) -> str:
    """Return `text` visible and at most `limit` characters long; an ellipsis says that there was more."""
    # Only the beginning can end up in the result: a payload of megabytes is not worth looking at.
    head = visible(text[: limit + 1])
    return head if len(head) <= limit and len(text) <= limit else head[: limit - 1].rstrip() + "…"


def phrase(text: str, limit: int) -> str:
    """Return `text` cut to `limit`, each word longer than `WORD` shortened in its middle."""
    return _LONG_WORD.sub(lambda m: f"{m[0][: WORD - 13]}…{m[0][-12:]}", cut(text, limit))


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else f"‹U+{code:04X}›"
