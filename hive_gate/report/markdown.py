"""The writers for Markdown: Redmine's CommonMark and GitHub's."""

from __future__ import annotations

from hive_gate.report.escape import ENTITY, Escaper, Rule, attachment, code, is_plain_name, label
from hive_gate.report.note import (
    Block,
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Figure,
    Heading,
    Inline,
    Line,
    Paragraph,
    Strong,
    Table,
    trimmed,
)
from hive_gate.report.plain import visible
from hive_gate.report.verdict import Reference

# Redmine and GitHub search the finished text for links and mentions, after entities and backslashes are gone. What
# stops them is a tag in the middle: an empty <b></b> survives the sanitizer, shows nothing and is not copied.
_APART = "$0<b></b>"

RULES: tuple[Rule, ...] = (
    (r"[@#](?=[\w#@.-]|$)", _APART, "issue links, notes, mentions, mail addresses"),
    (r"!(?=\S|$)", _APART, "Redmine takes one before a link for an escape, and drops it"),
    (r"\bGH-(?=\d)", _APART, "GitHub's other issue links"),
    (r"\{(?=\{|$)", _APART, "macros; also those that Redmine counts itself"),
    (r"\}(?=\}|$)", _APART, "the end of a collapsed block"),
    (r"\[(?=\[|$)", r"\[<b></b>", "wiki links"),
    (r"(?<![0-9]):(?=\S|$)", _APART, "commit:, user:, source: and the like; addresses"),
    (r"(?i:www)(?=\.)", _APART, "addresses without a scheme"),
    (r"(?<![A-Za-z0-9_])r(?=\d)", _APART, "revision links: r12"),
    ("&", "&amp;", "an entity in the data is not one"),
    ("<", "&lt;", "tags: both pass HTML on"),
    (">", "&gt;", "quotations at the start of a line"),
    (r"\|", ENTITY, "ends a cell, also inside inline code"),
    (r"[\\`*\[\]~$]", r"\$0", "escapes, code, stress, links, strike-through, formulas"),
    (r"(?<![^\W_])_|_(?![^\W_])", r"\$0", "stress; inside a word it is plain"),
    (r"^[-+=#](?!\w)", r"\$0", "lists, headings and rules at the start of a line"),
    (r"^\d(?=\d{0,8}[.)](?:\s|$))", ENTITY, "numbered lists"),
)

_ESCAPER = Escaper.of(RULES)


def escape(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, on one line."""
    return _ESCAPER(visible(text))


class Markdown:
    """Writes blocks as Markdown; see `hive_gate.report.note.Markup`.

    Args:
        details: collapse with HTML (`<details>`, GitHub) and not with Redmine's macro.
    """

    def __init__(self, *, details: bool) -> None:
        self._details = details

    def block(self, block: Block) -> str:
        """Return the text of one block."""
        match block:
            case Heading(line, small):
                return f"{'####' if small else '###'} {self.line(line)}"
            case Paragraph(line):
                return self.line(line)
            case Bullets(items):
                return "\n".join(f"- {self.line(item)}" for item in items)
            case Table(head, rows):
                lines = [
                    [escape(cell) for cell in head],
                    ["---"] * len(head),
                    *([self.line(c) for c in r] for r in rows),
                ]
                return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
            case CodeBlock(text):
                return f"```json\n{code(text)}\n```"
            case Figure(_, caption, file):
                link = None if self._details else attachment(file)
                return f"{self.line((caption,))}: {link or self.line((Code(file),))}"
            case Collapsed(title, blocks):
                return self._collapsed(title, "\n\n".join(self.block(b) for b in blocks))

    def _collapsed(self, title: str, inner: str) -> str:
        if self._details:
            return f"<details><summary>{label(title)}</summary>\n\n{inner}\n\n</details>"
        return f"{{{{collapse({label(title)})\n\n{inner}\n\n}}}}"

    def line(self, line: Line) -> str:
        """Return the text of a line."""
        return "".join(self._inline(part) for part in trimmed(line)).strip()

    def _inline(self, part: Inline) -> str:
        match part:
            case Reference(issue):
                return issue
            case Code(text) if is_plain_name(text):
                return f"`{text}`"
            case Strong(text):
                return f"**{escape(text)}**"
            case _:
                return escape(str(part))
