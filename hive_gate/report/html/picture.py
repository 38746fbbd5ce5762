"""Pictures of ours as a part of a page: nothing in them runs, loads anything, or meets what else is on the page."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from markupsafe import Markup

from hive_gate.report.plain import visible

_NAMESPACE = "{http://www.w3.org/2000/svg}"

_SHAPES = frozenset({"svg", "g", "rect", "circle", "path", "polyline"})

_TEXTS = frozenset({"title", "desc", "text"})

_ATTRIBUTES = frozenset({
    "viewBox", "width", "height", "role", "aria-label", "font-family", "font-size", "text-anchor", "transform",
    "fill", "stroke", "stroke-width", "stroke-dasharray", "x", "y", "cx", "cy", "r", "d", "points",
})  # fmt: skip
"""No `id`, so that pictures cannot clash; no `class` and no `style`; nothing that names a file or a script."""


def picture(svg: str) -> Markup:
    """Return an SVG as an element of a page, with the role of an image and its title as name.

    It is made anew from what may be in it, so that a text in it can be nothing but a text.

    Raises:
        ValueError: if it is no picture, has no title, or holds anything but shapes and texts: a fault of what drew it.
    """
    try:
        root = ET.fromstring(svg)  # noqa: S314 - drawn by us
    except ET.ParseError as error:
        raise ValueError(f"a figure is no XML: {error}") from None
    title = root.findtext(f"{_NAMESPACE}title")
    if root.tag != f"{_NAMESPACE}svg" or not title:
        raise ValueError("a figure is an svg element with a title")
    root.attrib |= {"role": "img", "aria-label": title}
    return _element(root)


def _element(element: ET.Element) -> Markup:
    name = element.tag.removeprefix(_NAMESPACE)
    unknown = element.attrib.keys() - _ATTRIBUTES
    if name not in _SHAPES | _TEXTS or unknown:
        raise ValueError(f"a figure may not have {name} {' '.join(sorted(unknown))}".rstrip())
    if name in _TEXTS and len(element):
        raise ValueError(f"a figure's {name} may hold texts only")
    start = Markup("").join(Markup(' {}="{}"').format(key, visible(value)) for key, value in element.items())
    inner = Markup("").join(map(_element, element)) if name in _SHAPES else visible(element.text or "")
    return Markup("<{0}{1}>{2}</{0}>").format(name, start, inner)
