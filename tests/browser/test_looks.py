"""What the pages look like: both themes, a phone, paper, and for those who do not see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hive_gate.report.compose import Unit
from hive_gate.report.document import Document
from hive_gate.report.html.page import document_page
from hive_gate.report.note import Code, Table

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

Open = Callable[..., Page]

PHONE = {"width": 320, "height": 640}

OPEN_ALL = "document.querySelectorAll('.clause, .server, main > section > details').forEach((d) => { d.open = true; })"

# For each text that can be seen: its contrast with the nearest ground below it. Large text is not excused.
CONTRASTS = """() => {
  const channels = (color) => {
    const [r, g, b, a = 1] = color.match(/rgba?\\(([^)]+)\\)/)[1].split(/[ ,/]+/).map(Number);
    return { rgb: [r, g, b], a };
  };
  const luminance = ({ rgb }) => {
    const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = channels(getComputedStyle(e).backgroundColor);
      if (color.a === 1) return color;
      if (color.a > 0) throw new Error("a ground that is partly transparent");
    }
    throw new Error("no ground");
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest("script, style")) continue;
    const pair = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
    found.push([(Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05), walker.currentNode.data.trim().slice(0, 60)]);
  }
  return found;
}"""

KEPT = "({...localStorage})"

WIDTHS = "[document.documentElement.scrollWidth, window.innerWidth]"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["report", "document"])
def test_all_text_stands_out_from_its_ground(kind: str, scheme: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(kind)(color_scheme=scheme)
    page.evaluate(OPEN_ALL)
    if kind == "report":
        expect(page.locator("mark").first).to_be_visible()
        page.locator(".chip").first.click()
        page.locator(".chip").first.click()
    measured = page.evaluate(CONTRASTS)
    assert len(measured) > 300
    assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []


def background(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def test_the_theme_is_the_systems_until_the_reader_chooses(report: Open) -> None:
    light, dark = "rgb(255, 255, 255)", "rgb(20, 23, 27)"
    assert background(report()) == light
    page = report(color_scheme="dark")
    assert background(page) == dark
    button = page.get_by_role("button", name="Theme")
    expect(button).to_have_text("Theme: system")
    button.click()
    expect(button).to_have_text("Theme: light")
    assert background(page) == light
    button.click()
    expect(button).to_have_text("Theme: dark")
    assert background(page) == dark
    page.emulate_media(color_scheme="light")
    assert background(page) == dark


def test_the_readers_choice_is_kept_and_a_page_begins_with_the_one_it_finds(report: Open) -> None:
    """Both ends of the storage, in one page each.

    What lies between them is the browser's, and not to be tested by a reload: on a busy machine about one in a hundred
    new contexts of Chromium keeps what a page stores to that page alone.
    """
    page = report()
    button = page.get_by_role("button", name="Theme")
    expect(button).to_have_text("Theme: system")
    assert page.evaluate(KEPT) == {}
    button.click()
    expect(button).to_have_text("Theme: light")
    (kept,) = page.evaluate(KEPT).items()
    assert kept[1] == "light"
    for found, shown in [("dark", "dark"), ("light", "light"), ("system", "system"), ("<b>", "system")]:
        page = report(before=f"localStorage.setItem({kept[0]!r}, {found!r})")
        expect(page.get_by_role("button", name="Theme")).to_have_text(f"Theme: {shown}")


@pytest.mark.parametrize("kind", ["report", "document"])
def test_on_a_phone_nothing_sticks_out_to_the_side(kind: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(kind)(viewport=PHONE)
    page.evaluate(OPEN_ALL)
    if kind == "report":
        expect(page.locator("mark").first).to_be_visible()
    scroll, window = page.evaluate(WIDTHS)
    assert scroll == window == PHONE["width"]


def test_a_wide_table_scrolls_by_itself_with_its_first_column_and_head_in_sight(document: Open) -> None:
    page = document(viewport=PHONE)
    region = page.get_by_role("region", name="Table: Clauses by version")
    box = region.bounding_box()
    assert box
    region.evaluate("(e) => { e.scrollLeft = 900; e.scrollTop = 2000; }")
    name = region.locator("tbody th").nth(60).bounding_box()
    head = region.locator("thead th").nth(5).bounding_box()
    assert name
    assert head
    assert abs(name["x"] - box["x"]) <= 2
    assert abs(head["y"] - box["y"]) <= 2
    assert region.evaluate("(e) => e.scrollLeft") == 900


def test_on_a_phone_a_fact_stands_below_its_name_and_a_number_on_one_line(load: Open) -> None:
    facts = Table(("Fact", "Value"), ((("SHA-256",), (Code("ab" * 32),)), (("Date",), ("2026-11-30, 110 s",))))
    times = Table(
        ("Operation", *(str(n) for n in range(5))), (((Code("page"),), *((f"{n}05 ms ±7%",) for n in range(1, 6))),)
    )
    units = (Unit(1, "x", "", None, (facts,)), Unit(1, "x", "", "Times", (times,)))
    page = load(document_page(Document("t", ("It is so.",), units, "m")), viewport=PHONE)
    name, value = (page.locator(tag).first.bounding_box() for tag in ("dt", "dd"))
    assert name
    assert value
    assert value["y"] >= name["y"] + name["height"]
    assert value["x"] + value["width"] <= PHONE["width"]
    lines = "(e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getClientRects().length; }"
    assert {cell.evaluate(lines) for cell in page.locator("td").all()} == {1}
    region = page.get_by_role("region", name="Table: Times")
    assert region.evaluate("(e) => e.scrollWidth > e.clientWidth")
    scroll, window = page.evaluate(WIDTHS)
    assert scroll == window


def test_a_long_table_has_a_filter_that_tells_how_many_rows_are_left(document: Open) -> None:
    page = document()
    search = page.get_by_label("Filter rows")
    assert search.count() == 1
    search.fill("clause/19")
    expect(page.get_by_role("status")).to_have_text("11 of 200 rows")
    assert page.get_by_role("region", name="Table: Clauses by version").locator("tbody tr:visible").count() == 11
    search.fill("")
    expect(page.get_by_role("status")).to_have_text("200 rows")


def test_a_link_to_a_section_goes_there(document: Open) -> None:
    page = document()
    page.get_by_role("navigation").get_by_role("link", name="What moved").click()
    expect(page.get_by_role("heading", name="What moved")).to_be_in_viewport()
    assert page.evaluate("location.hash") == "#what-moved"


def test_on_paper_everything_that_matters_is_open_and_nothing_can_be_clicked(report: Open) -> None:
    page = report(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    # A printer does not wait: what is drawn on demand is there at once.
    drawn = "() => { dispatchEvent(new Event('beforeprint')); return document.querySelectorAll('.pointing').length; }"
    assert page.evaluate(drawn) == 4
    assert background(page) == "rgb(255, 255, 255)"
    for gone in ("#filters", ".theme", "nav", ".skip"):
        expect(page.locator(gone)).to_be_hidden()
    for there in ("What ran", "Clauses", "Decisions"):
        expect(page.get_by_role("heading", name=there, exact=True)).to_be_visible()
    failing = page.locator("tr[data-verdict=fail]")
    assert failing.count() == 3
    for n in range(3):
        expect(failing.nth(n).get_by_text("Hive scrolls back page by page.")).to_be_visible()
        expect(failing.nth(n).locator(".pointing")).to_be_visible()
    passed = page.locator("tr[data-verdict=pass]").first
    expect(passed.locator(".came")).to_be_visible()
    expect(passed.get_by_text("Hive scrolls back page by page.")).to_be_hidden()
    assert page.evaluate(WIDTHS)[0] == page.evaluate(WIDTHS)[1]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open].clause").count() == 0


def test_paper_without_scripts_shows_the_findings_all_the_same(report: Open) -> None:
    page = report(java_script_enabled=False)
    page.emulate_media(media="print")
    expect(page.locator("tr[data-verdict=fail] .findings").first).to_be_visible()
    expect(page.locator("tr[data-verdict=pass] .terms").first).to_be_hidden()


@pytest.mark.parametrize("kind", ["report", "document"])
def test_a_printer_gets_pages(kind: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(kind)()
    assert page.pdf(format="A4").startswith(b"%PDF")
    if kind == "document":
        page.emulate_media(media="print")
        expect(page.get_by_text("Message 1")).to_be_visible()
        expect(page.get_by_label("Filter rows")).to_be_hidden()


def accessible(page: Page) -> list[dict[str, Any]]:
    """The accessibility tree as a screen reader gets it: role and name of each node that is not ignored."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    return [
        {"role": n["role"]["value"], "name": n.get("name", {}).get("value", "")} for n in nodes if not n.get("ignored")
    ]


INTERACTIVE = {"button", "link", "searchbox", "textbox", "combobox", "DisclosureTriangle", "checkbox", "region", "form"}


@pytest.mark.parametrize("kind", ["report", "document"])
def test_everything_that_can_be_used_has_a_name(kind: str, request: pytest.FixtureRequest) -> None:
    page = request.getfixturevalue(kind)()
    page.evaluate(OPEN_ALL)
    if kind == "document":  # a few of 4,000 cells are as good as all, and quicker
        page.get_by_label("Filter rows").fill("clause/19")
    nodes = accessible(page)
    usable = [node for node in nodes if node["role"] in INTERACTIVE]
    assert {"button", "link", "searchbox", "DisclosureTriangle"} <= {node["role"] for node in usable}
    assert [node for node in usable if not node["name"].strip()] == []
    roles = [node["role"] for node in nodes]
    for landmark in ("banner", "navigation", "main", "contentinfo"):
        assert roles.count(landmark) == 1
    assert {"columnheader", "rowheader", "table", "status"} <= set(roles)


def test_what_is_focused_can_be_seen(report: Open) -> None:
    page = report()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    for _ in range(12):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "(() => { const s = getComputedStyle(document.activeElement); return [s.outlineStyle, s.outlineWidth]; })()"
        )
        assert style == ["solid", "2px"]
