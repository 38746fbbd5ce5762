"""The list of published versions: asked for once an hour, and better old than none."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hive_gate.errors import TargetError
from hive_gate.target.cache import Cache
from hive_gate.target.platforms import this_platform
from hive_gate.target.progress import Progress
from hive_gate.target.published import Published, published_versions

if TYPE_CHECKING:
    from .conftest import FakeNpm

VERSIONS = ["0.142.0", "0.142.2", "0.142.5", "0.143.0-alpha.12", "0.143.0"]


def asked(cache: Cache, npm: FakeNpm, *, fresh: bool = False) -> Published:
    return published_versions(cache, environ=npm.environ, fresh=fresh)


def kept(cache: Cache) -> Path:
    return cache.root / f"published-{this_platform()}.json"


def age(cache: Cache, hours: float) -> None:
    document = json.loads(kept(cache).read_bytes())
    document["asked"] = (datetime.now(UTC) - timedelta(hours=hours)).isoformat()
    kept(cache).write_text(json.dumps(document))


def test_npm_is_asked_once_in_an_hour(cache: Cache, npm: FakeNpm) -> None:
    first, second = asked(cache, npm), asked(cache, npm)
    assert list(map(str, first.versions)) == list(map(str, second.versions)) == VERSIONS
    assert npm.steps == ["versions"]
    age(cache, 1.1)
    asked(cache, npm)
    asked(cache, npm, fresh=True)
    assert npm.steps == ["versions"] * 3


def test_a_list_from_the_future_is_asked_for_again(cache: Cache, npm: FakeNpm) -> None:
    asked(cache, npm)
    age(cache, -5)
    assert asked(cache, npm).asked <= datetime.now(UTC)
    assert npm.steps == ["versions"] * 2


@pytest.mark.parametrize("fresh", [True, False])
def test_without_npm_the_list_that_is_kept_is_used_and_it_is_said(cache: Cache, npm: FakeNpm, fresh: bool) -> None:
    asked(cache, npm)
    age(cache, 30)
    npm.fail = {"versions": "ENOTFOUND"}
    npm.save()
    found = asked(cache, npm, fresh=fresh)
    assert list(map(str, found.versions)) == VERSIONS
    assert found.problem
    assert timedelta(hours=29) < datetime.now(UTC) - found.asked < timedelta(hours=31)


def test_without_npm_and_without_a_list_it_is_an_error(cache: Cache, npm: FakeNpm) -> None:
    npm.fail = {"versions": "ENOTFOUND"}
    npm.save()
    with pytest.raises(TargetError):
        asked(cache, npm)
    assert not kept(cache).exists()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b'{"asked": 1, "versions": []}', b'{"asked": "2026-11-30T00:00:00", "versions": ["0.1.0"]}',
        b'{"asked": "2026-11-30T00:00:00+00:00", "versions": ["x"]}', b'{"asked": "2026-11-30T00:00:00+00:00"}',
    ],
)  # fmt: skip
def test_a_damaged_list_is_asked_for_again(content: bytes, cache: Cache, npm: FakeNpm) -> None:
    cache.root.mkdir()
    kept(cache).write_bytes(content)
    assert list(map(str, asked(cache, npm).versions)) == VERSIONS
    assert json.loads(kept(cache).read_bytes())["versions"] == VERSIONS


def test_asking_may_be_given_up(cache: Cache, npm: FakeNpm) -> None:
    def give_up(progress: Progress) -> None:
        assert progress.phase == "looking up"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        published_versions(cache, give_up, npm.environ)
    assert not kept(cache).exists()
