"""Nothing that a server, a program or a contract says can become a part of the page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hive_gate.report.html
from hive_gate.cost.svg import Panel, Series, plot
from hive_gate.report.compose import Unit
from hive_gate.report.document import Document
from hive_gate.report.html.page import document_page, report_page
from hive_gate.report.model import Baseline, Claim, Measurement, Message, News, Note, Report, Waiver
from hive_gate.report.note import (
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Figure,
    Heading,
    Paragraph,
    Strong,
    Table,
    Toned,
)
from hive_gate.report.plain import visible

Parse = Callable[[str], Any]
HERE = Path(hive_gate.report.html.__file__).parent

BREAKERS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' autofocus onfocus='alert(1)",
    "<!-- <script> -->",
    "]]><![CDATA[",
    "</style><style>",
    "</title></textarea></template>",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;script&gt; &#60;",
    "javascript:alert(1)",
    "\u202eabc\u2066 \u2028 \u2029 \x00 \x1b[31m \ud83d \x85",
)

ANY = st.text(alphabet=st.characters(), max_size=40) | st.sampled_from(BREAKERS)


def poisoned(report: Report, bad: str) -> Report:
    """Return the report with a string wherever there can be one, the shape of the page left as it is."""
    clause = replace(
        report.clauses[1],
        expected=bad, actual=f"{bad}.", why=bad, source=bad, scene=f"s{bad}", fingerprint=f"f{bad}",
        waiver=Waiver(bad, bad, bad, bad, f"p{bad}", "fail"),
        findings=tuple(replace(f, check=bad, expected=bad, actual=f"x{bad}", pointer=f"/{bad}") for f in
                       report.clauses[1].findings),
    )  # fmt: skip
    message = Message(5, 0, 1.0, "received", 9, {bad: [bad, {"x": bad}]}, clause=clause.id)
    return replace(
        report,
        clauses=(clause,),
        suites={"items-list": f"t{bad}"},
        target=replace(report.target, version=f"0{bad}", path=f"/{bad}", warnings=(bad,), platform=bad or "-"),
        contract=replace(report.contract, name=bad, path=bad, gates=(bad,)),
        constraints=(Note(f"c{bad}", bad, bad, None, (bad,)),),
        decisions=(
            Note(
                bad,
                bad,
                bad,
                f"d{bad}",
                (bad,),
                (bad,),
                f"r{bad}",
                (
                    Claim(bad, bad, "at-most", 1.0, bad, "contradicted", 2.0),
                    Claim(f"m{bad}", bad, "at-most", 1.0, bad, "not-told", None, bad),
                ),
            ),
        ),
        measurement=Measurement(bad, bad, "12" * 32, {}),
        news=(News(bad, bad, 2),),
        servers=(replace(report.servers[0], scene=bad, purpose=bad, stderr_tail=f"a{' '.join(bad.split())}"),),
        messages=(*report.messages, message, replace(message, n=6, body=None, text=bad)),
        baseline=Baseline(bad, bad, 1, 1, (bad,)),
    )


def shape(page: Any) -> list[Any]:
    """Return elements and the names of their attributes; code within a sentence depends on its backticks."""
    return [(e.tag, *sorted(e.attributes)) for e in page.elements if e.tag != "code"]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bad=ANY)
def test_whatever_is_said_the_page_has_the_same_elements(bad: str, closed_report: Report, parse: Parse) -> None:
    usual = parse(report_page(poisoned(closed_report, "word")))
    page = parse(report_page(poisoned(closed_report, bad)))
    assert shape(page) == shape(usual)
    assert [e.attributes["id"] for e in page.elements if "id" in e.attributes] == [
        e.attributes["id"] for e in usual.elements if "id" in e.attributes
    ]
    assert page.data("messages")[5]["body"] == {bad: [bad, {"x": bad}]}


@pytest.mark.parametrize("bad", BREAKERS)
@pytest.mark.parametrize("redacted", [True, False])
def test_what_would_break_out_is_shown_as_it_is(bad: str, redacted: bool, closed_report: Report, parse: Parse) -> None:
    text = report_page(poisoned(closed_report, bad), redacted=redacted)
    assert shape(parse(text)) == shape(parse(report_page(poisoned(closed_report, "word"), redacted=redacted)))
    assert visible(bad) in parse(text).one("section", **{"aria-labelledby": "news"}).text
    assert text.encode().decode() == text
    # line ends, tabs aside: no character that moves a cursor, turns the text around or cannot be seen
    assert visible(text.replace("\n", "").replace("\t", "")) == text.replace("\n", "").replace("\t", "")


def test_the_hostile_report_of_the_other_formats_is_inert_too(hostile_report: Report, parse: Parse) -> None:
    page = parse(report_page(hostile_report))
    assert len(page.all("script")) == 3
    assert {e.tag for e in page.elements}.isdisjoint({"img", "iframe", "object", "base", "embed"})
    rows = [e for e in page.all("tr") if "data-clause" in e.attributes]
    assert len(rows) == len(hostile_report.clauses)


def hostile_document(bad: str) -> Document:
    line = (f"n{bad}", Code(bad), Strong(bad), Toned(f"t{bad}", "bad"))
    panel = Panel(bad, lambda _: bad, (Series(bad, ((1.0, 2.0, 2.0, 2.0), (9.0, 4.0, 4.0, 4.0))),))
    blocks = (
        Paragraph(line),
        Table((bad, bad), ((line, (Toned(f"x{bad}", "good"),)),)),
        Bullets((line,)),
        CodeBlock(f"a{' '.join(bad.split())}"),
        Collapsed(bad, (Paragraph(line), CodeBlock(f"b{' '.join(bad.split())}"))),
        Figure(plot(bad or "-", bad, bad, lambda _: bad, (panel,)), bad, bad),
    )
    return Document(bad, line, (Unit(1, "k", bad, f"s{bad}", (*blocks, Heading(line), *blocks)),), bad)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bad=ANY)
def test_a_document_is_inert_as_well(bad: str, parse: Parse) -> None:
    page = parse(document_page(hostile_document(bad)))
    assert shape(page) == shape(parse(document_page(hostile_document("word"))))
    assert all(visible(e.text.replace("\n", "")) == e.text.replace("\n", "") for e in page.elements)
    anchors = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize("kind", ["report", "document"])
def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(
    kind: str, closed_report: Report, parse: Parse
) -> None:
    page = parse(report_page(closed_report) if kind == "report" else document_page(hostile_document("word")))
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    script = next(e for e in page.all("script") if "type" not in e.attributes).text
    sources = [
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in (page.one("style").text, script)
    ]
    assert policy == (
        f"default-src 'none'; style-src {sources[0]}; script-src {sources[1]}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def test_the_page_names_no_other_file_and_has_no_inline_style_or_handler(closed_report: Report, parse: Parse) -> None:
    for page in (parse(report_page(closed_report)), parse(document_page(hostile_document("word")))):
        for element in page.elements:
            assert not [name for name in element.attributes if name == "style" or name.startswith("on")]
            assert "src" not in element.attributes
            assert (element.attributes.get("href") or "#").startswith(("#", "data:,"))
    for asset in (*HERE.glob("*.css"), *HERE.glob("*.js")):
        text = asset.read_text(encoding="utf-8")
        assert not re.search(r"https?:(?!//www\.w3\.org/2000/svg)|@import|url\(|</|innerHTML|eval\(|fetch\(", text)
