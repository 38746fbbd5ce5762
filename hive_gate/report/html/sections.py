"""A document as sections with anchors, which a page can be read and linked by."""

from __future__ import annotations

from dataclasses import dataclass, field

from hive_gate.report.document import Document
from hive_gate.report.html.inline import slug
from hive_gate.report.note import Block, Bullets, Heading, Line


@dataclass(slots=True)
class Section:
    """Blocks under one heading."""

    line: Line
    """The heading; empty for what stands before the first one."""
    level: int
    """2, or 3 for a small heading below one of level 2."""
    anchor: str
    blocks: list[Block] = field(default_factory=list)


def sections(document: Document) -> list[Section]:
    """Return the sections of a document that have anything to show, in order."""
    found = [Section((), 2, "start")]
    taken: dict[str, int] = {}

    def begin(line: Line, small: bool) -> None:
        name = slug("".join(map(str, line)))
        taken[name] = taken.get(name, 0) + 1
        # An anchor has letters, digits and hyphens only, so one with a dot can be no other heading's.
        anchor = name if taken[name] == 1 else f"{name}.{taken[name]}"
        found.append(Section(line, 3 if small and len(found) > 1 else 2, anchor))

    above: str | None = None
    for unit in document.units:
        if unit.section is not None and unit.section != above:
            begin((unit.section,), small=False)
        above = unit.section
        for block in unit.blocks:
            if isinstance(block, Heading):
                begin(block.line, block.small)
            else:
                _append(found[-1].blocks, block)
    return [section for section in found if section.line or section.blocks]


def _append(blocks: list[Block], block: Block) -> None:
    """Append a block; a list after a list goes on with it."""
    if isinstance(block, Bullets) and blocks and isinstance(blocks[-1], Bullets):
        blocks[-1] = Bullets(blocks[-1].items + block.items)
    else:
        blocks.append(block)
