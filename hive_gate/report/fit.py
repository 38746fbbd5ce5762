"""A note that fits: units are kept by rank until the room is used, and what was left out is named."""

from __future__ import annotations

from hive_gate.errors import UsageError
from hive_gate.report.compose import Unit
from hive_gate.report.note import Block, Bullets, Heading, Markup, Paragraph, write
from hive_gate.report.plain import cut

MAX_BYTES = 30_000
"""Bytes of a note in UTF-8. Redmine itself takes more; the proxy before it and the mail about it often do not."""

LEAST_BYTES = 8_000
"""The first line, the last one and the names of what was cut fit into this, also if every sign in them is escaped."""

_NAMED = 3
"""Names of each kind that the last sentence gives."""

_NOTICE_BYTES = 700
"""Kept free for that sentence; it is longer only if its names are hostile."""


def fit(
    first: Block,
    units: tuple[Unit, ...],
    last: Block,
    markup: Markup,
    max_bytes: int,
    rest: str = "The report.json of this run has all of it.",
) -> str:
    """Return the note's text, at most `max_bytes` of UTF-8; `rest` says where to find what was cut.

    Raises:
        UsageError: if `max_bytes` is below `LEAST_BYTES`.
    """
    if max_bytes < LEAST_BYTES:
        raise UsageError(f"A note cannot be made in {max_bytes} bytes.", hint=f"give --max-bytes {LEAST_BYTES} or more")
    whole = write((first, *_blocks(units, set(range(len(units)))), last), markup)
    if _size(whole) <= max_bytes:
        return whole
    order = sorted(range(len(units)), key=lambda n: (units[n].rank, n))
    kept = _choose(units, order, max_bytes - _size(write((first, last), markup)) - _NOTICE_BYTES, markup)
    while True:
        notice = _notice([unit for number, unit in enumerate(units) if number not in kept], max_bytes, rest)
        text = write((first, *_blocks(units, set(kept)), notice, last), markup)
        if _size(text) <= max_bytes or not kept:
            return text
        # The names of what was cut took more than was kept free for them.
        kept.pop()


def _choose(units: tuple[Unit, ...], order: list[int], room: int, markup: Markup) -> list[int]:
    """Return the numbers of the units that fit into `room` bytes, taken in `order`."""
    kept: list[int] = []
    sections: set[str | None] = {None}
    for number in order:
        unit = units[number]
        blocks = unit.blocks if unit.section in sections else (Heading((unit.section or "",)), *unit.blocks)
        # Two more bytes: the empty line before the unit.
        need = _size(write(blocks, markup)) + 2
        if need <= room:
            room -= need
            kept.append(number)
            sections.add(unit.section)
    return kept


def _blocks(units: tuple[Unit, ...], kept: set[int]) -> tuple[Block, ...]:
    blocks: list[Block] = []
    section: str | None = None
    for number, unit in enumerate(units):
        if number in kept:
            if unit.section is not None and unit.section != section:
                blocks.append(Heading((unit.section,)))
            section = unit.section
            for block in unit.blocks:
                _append(blocks, block)
    return tuple(blocks)


def _append(blocks: list[Block], block: Block) -> None:
    """Append a block; a list after a list goes on with it, or Markdown would space both out."""
    if isinstance(block, Bullets) and blocks and isinstance(blocks[-1], Bullets):
        blocks[-1] = Bullets(blocks[-1].items + block.items)
    else:
        blocks.append(block)


def _notice(units: list[Unit], max_bytes: int, rest: str) -> Paragraph:
    """Name what was cut: how many of each kind, and the first few by name."""
    kinds: dict[str, list[str]] = {}
    for unit in units:
        kinds.setdefault(unit.kind, []).append(cut(unit.name, 30))
    said = "; ".join(
        f"{len(names)} {kind} ({', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''})" if names[0] else kind
        for kind, names in kinds.items()
    )
    return Paragraph((f"Cut to stay within {max_bytes} bytes: {said}. {rest}",))


def _size(text: str) -> int:
    return len(text.encode())
