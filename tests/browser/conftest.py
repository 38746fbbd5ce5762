"""Pages in a real Chromium that may load nothing but the page itself, and say nothing on its console."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from hive_gate.report.html.page import document_page, report_page
from tests.support import pages
from tests.support.browser import ARGUMENTS, NoChromium, chromium

PATIENCE = 30_000
"""Milliseconds to wait for anything; nothing here takes as long."""


@dataclass
class Seen:
    """What a page did beside showing itself."""

    asked_for: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One browser for the tests of a file, ended before any other file's: while it lives no other event loop can."""
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def say(text: str) -> None:
        with capture.global_and_fixture_disabled():
            sys.stderr.write(f"hive-gate tests: {text}\n")
            sys.stderr.flush()

    try:
        path = chromium(say)
    except NoChromium as error:
        pytest.fail(str(error), pytrace=False)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield started
        started.close()


Open = Callable[..., Page]


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def load(browser: Browser, seen: Seen, tmp_path: Path) -> Iterator[Open]:
    """Open a page from a file, as a ticket's reader does; at the end it must have been silent and asked for nothing."""
    contexts: list[BrowserContext] = []

    def opened(text: str, fragment: str = "", before: str = "", **options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light", **options}
        context = browser.new_context(**options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        file = tmp_path / f"page-{len(contexts)}.html"
        file.write_bytes(text.encode())

        def answer(route: Route) -> None:
            own = route.request.url.split("#")[0] == file.as_uri()
            if not own:
                seen.asked_for.append(route.request.url)
            route.continue_() if own else route.abort()

        context.route("**/*", answer)
        if before:
            context.add_init_script(before)
        page = context.new_page()
        page.on("console", lambda message: seen.said.append(message.text))
        page.on("pageerror", lambda error: seen.said.append(str(error)))
        page.goto(f"{file.as_uri()}{fragment}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert (seen.asked_for, seen.said) == ([], [])


@cache
def _report() -> str:
    return report_page(pages.sample())


@cache
def _large() -> str:
    return report_page(pages.large())


@cache
def _document() -> str:
    return document_page(pages.document())


@pytest.fixture
def report(load: Open) -> Open:
    """Open the page of a closed run."""
    return lambda fragment="", **options: load(_report(), fragment, **options)


@pytest.fixture
def large(load: Open) -> Open:
    """Open the page of a run with 10,000 exchanges."""
    return lambda fragment="", **options: load(_large(), fragment, **options)


@pytest.fixture
def document(load: Open) -> Open:
    """Open the page of a document with a large table."""
    return lambda fragment="", **options: load(_document(), fragment, **options)
