"""The writer for Redmine's Textile."""

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

# Redmine's Textile keeps numeric entities to the end, also through its search for links, so an entity is always inert.
# Signs are escaped only where they could mean something, so that the raw text stays readable.
RULES: tuple[Rule, ...] = (
    ("(?<=x)%", ENTITY, "Textile keeps an ampersand as x%x% while it works"),
    ("&", "&amp;", "an entity in the data is not one"),
    ("<", "&lt;", "tags; pre, code, kbd and notextile are live in Textile"),
    (">", "&gt;", "tags, quotations at the start of a line"),
    (r"\|", ENTITY, "ends a cell, also inside inline code"),
    ("@", ENTITY, "inline code, mentions, mail addresses, user links"),
    ("#", ENTITY, "issue links, numbered lists"),
    (r"\[", ENTITY, "wiki links, footnotes, link references, languages"),
    (r"\{(?=\{|$)|(?<=\{)\{", ENTITY, "macros"),
    (r"\}(?=\}|$)|(?<=\})\}", ENTITY, "the end of a collapsed block"),
    (r"(?<![0-9]):(?=\S|$)", ENTITY, "commit:, user:, source: and the like; quoted links; addresses"),
    (r"(?i:(?<=www))\.", ENTITY, "addresses without a scheme"),
    (r"(?<![A-Za-z0-9_])r(?=\d)", ENTITY, "revision links: r12"),
    (r"(?<![^\W_])[*_+^~%?!-](?=\S|$)", ENTITY, "spans and images can only begin after a space or a bracket"),
    ("=(?==)|(?<==)=", ENTITY, "==no textile=="),
    (r"(?<=[A-Z0-9])\(", ENTITY, "abbreviations: JSON(explanation)"),
    (r"^\*", ENTITY, "lists at the start of a line"),
    (r"^[pbhf](?=[qn]?\d*[.(){}\[<>=~^-])", ENTITY, "p. bq. h1. fn1. at the start of a line"),
)

_ESCAPER = Escaper.of(RULES)


def escape(text: str) -> str:
    """Return `text` so that Textile shows it as it is, on one line."""
    return _ESCAPER(visible(text))


class Textile:
    """Writes blocks as Textile; see `hive_gate.report.note.Markup`."""

    def block(self, block: Block) -> str:
        """Return the text of one block."""
        match block:
            case Heading(line, small):
                return f"{'h4' if small else 'h3'}. {self.line(line)}"
            case Paragraph(line):
                return self.line(line)
            case Bullets(items):
                return "\n".join(f"* {self.line(item)}" for item in items)
            case Table(head, rows):
                # The space after each bar keeps a cell's first characters from being read as its alignment.
                top = "".join(f"|_. {escape(cell)} " for cell in head) + "|"
                return "\n".join([top, *("".join(f"| {self.line(c)} " for c in row) + "|" for row in rows)])
            case CodeBlock(text):
                return f'<pre><code class="json">\n{code(text)}\n</code></pre>'
            case Figure(_, caption, file):
                return f"{self.line((caption,))}: {attachment(file) or escape(file)}"
            case Collapsed(title, blocks):
                inner = "\n\n".join(self.block(b) for b in blocks)
                return f"{{{{collapse({label(title)})\n\n{inner}\n\n}}}}"

    def line(self, line: Line) -> str:
        """Return the text of a line."""
        return "".join(self._inline(part) for part in trimmed(line)).strip()

    def _inline(self, part: Inline) -> str:
        match part:
            case Reference(issue):
                return issue
            case Code(text) if is_plain_name(text):
                # Not @text@: Redmine would look for a person of that name.
                return f"<code>{text}</code>"
            case Strong(text):
                return f"*{escape(text)}*"
            case _:
                return escape(str(part))
