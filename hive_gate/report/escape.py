"""Escape tables as data, and the little that both markups share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

Rule = tuple[str, str, str]
"""A pattern, what replaces it, and why. `$0` in the replacement is the match."""

ENTITY = "&#"
"""The replacement that writes the match's first sign as a numeric entity and leaves the rest."""


@dataclass(frozen=True, slots=True)
class Escaper:
    """Applies a table of rules in one pass, so that no rule sees what another wrote.

    Args:
        pattern: all rules' patterns, each in a named group.
        replacements: what replaces a match, by group name.
    """

    pattern: re.Pattern[str]
    replacements: dict[str, str]

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> Escaper:
        """Return the escaper for a table; of two rules that match at one place the first wins."""
        pattern = "|".join(f"(?P<rule{i}>{rule[0]})" for i, rule in enumerate(rules))
        return cls(re.compile(pattern), {f"rule{i}": rule[1] for i, rule in enumerate(rules)})

    def __call__(self, text: str) -> str:
        """Return `text` escaped."""
        return self.pattern.sub(self._replace, text)

    def _replace(self, match: re.Match[str]) -> str:
        found = match[0]
        replacement = self.replacements[match.lastgroup or ""]
        return f"&#{ord(found[0])};{found[1:]}" if replacement == ENTITY else replacement.replace("$0", found)


# In a code block the text is JSON, where an escape means the same as the character, so both markups use the same ones.
_CODE: tuple[Rule, ...] = (
    (
        "<",
        r"\u003c",
        "Textile: `</pre>` ends the block and `<code>` nests in it; Markdown: a closing tag inside details",
    ),
    (r"(?<!\w)@", r"\u0040", "Redmine looks for mentions in the raw text and leaves out only the simplest code blocks"),
    (
        r"`(?=``)|(?<=``)`|(?<=`)`(?=`)",
        r"\u0060",
        "Markdown: a run of three ends the block, and Redmine's mention filter",
    ),
    (r"~(?=~~)", r"\u007e", "Markdown: the other fence, and the other end of Redmine's mention filter"),
    (r"\{(?=\{)", r"\u007b", "Redmine catches macros before it knows what is code"),
    ("(?<=x)%", r"\u0025", "Textile keeps an ampersand as x%x% while it works; x% before one is enough to move it"),
    ("(?<=:redsh)#", r"\u0023", "Textile keeps attributes as this while it works"),
)

_ESCAPE_CODE = Escaper.of(_CODE)


def code(text: str) -> str:
    """Return JSON text for a code block of either markup: nothing in it can end the block or a collapsed block."""
    # A line that starts with two closing braces would end Redmine's collapse macro, whatever is around it.
    return re.sub(r"(?m)^\}\}", " }}", _ESCAPE_CODE(text))


def is_plain_name(text: str) -> bool:
    """Tell whether `text` may be set as inline code: letters, digits, and signs that no markup knows inside code."""
    return re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9._/=+:-]{0,118}[A-Za-z0-9])?", text) is not None


def attachment(file: str) -> str | None:
    """Return Redmine's link to an attachment, the same in both its markups; None if the name might be more than a name.

    A plot is an SVG file, which Redmine shows in no note: it inlines bmp, gif, jpeg and png only.
    """
    return f"attachment:{file}" if re.fullmatch(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*", file) else None


def label(text: str) -> str:
    """Return a label for a collapsed block: a comma would split it in Redmine, a bracket could end it."""
    return re.sub(r"[^\w .:;/=+…-]", "_", text.replace(",", ";"))[:120].strip()
