"""What every page has in common: the templates, the style and the scripts, all inside the one file."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from hive_gate.report.html.inline import ICONS, TONES, line, plain, prose
from hive_gate.report.html.picture import picture
from hive_gate.report.plain import cut, visible

_HERE = Path(__file__).resolve().parent


def render(template: str, scripts: tuple[str, ...], **values: Any) -> str:
    """Return a page made of a template, with a newline at its end.

    Args:
        template: name of a file in `templates/`.
        scripts: names of the scripts, in the order in which they run, as one.
        values: what the template may name.
    """
    style = _asset("style.css")
    script = Markup("\n").join(_asset(name) for name in scripts)
    policy = "; ".join((
        "default-src 'none'", f"style-src {_source(style)}", f"script-src {_source(script)}", "img-src data:",
        "base-uri 'none'", "form-action 'none'",
    ))  # fmt: skip
    page = _environment().get_template(template).render(policy=Markup(policy), style=style, script=script, **values)  # noqa: S704 - ours
    return page.rstrip("\n") + "\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(icons=ICONS, tones=TONES, kind=lambda value: type(value).__name__)
    environment.filters.update(line=line, prose=prose, plain=plain, picture=picture, cut=cut, visible=visible)
    return environment


def _shown(value: Any) -> Any:
    """Make every text that a template puts into the page visible, so that no template can forget it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _asset(name: str) -> Markup:
    """Return a file of ours; what is in it is not escaped, and cannot end the element that it stands in."""
    return Markup((_HERE / name).read_text(encoding="utf-8"))  # noqa: S704 - a file of this package


def _source(text: str) -> str:
    """Return the source expression by which a policy allows exactly this inline text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
