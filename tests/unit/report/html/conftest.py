"""A page as what a browser would make of it, without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest

_EMPTY = {"meta", "link", "input", "br", "hr", "img"}


@dataclass
class Element:
    """An element with its attributes and the text directly and indirectly in it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    path: tuple[str, ...] = ()


@dataclass
class Parsed(HTMLParser):
    """All elements of a page, in order."""

    elements: list[Element] = field(default_factory=list)
    _open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), path=tuple(e.tag for e in self._open))
        self.elements.append(element)
        if tag not in _EMPTY:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs), path=tuple(e.tag for e in self._open)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> ends nothing"
        ended = self._open.pop()
        assert ended.tag == tag, f"<{ended.tag}> is ended by </{tag}>"

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def close(self) -> None:
        super().close()
        assert self._open == []

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Return the elements of a tag that have these attributes; `class_` looks for one class."""
        wanted_class = attributes.pop("class_", None)
        return [
            e
            for e in self.elements
            if e.tag == tag
            and all(e.attributes.get(name) == value for name, value in attributes.items())
            and (wanted_class is None or wanted_class in (e.attributes.get("class") or "").split())
        ]

    def one(self, tag: str, **attributes: str) -> Element:
        """Return the only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def data(self, name: str) -> Any:
        """Return the JSON that the page carries for its script."""
        return json.loads(self.one("script", id=f"data-{name}").text)


Parse = Callable[[str], Parsed]


@pytest.fixture
def parse() -> Parse:
    def parsed(page: str) -> Parsed:
        made = Parsed()
        made.feed(page)
        made.close()
        return made

    return parsed
