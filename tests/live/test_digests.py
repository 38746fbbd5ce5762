"""The digests that ship with hive-gate against the real programs: made again, they are the same."""

from __future__ import annotations

import pytest

from hive_gate.drift.digestfile import checksum, read_digest
from hive_gate.matrix.drift_side import program_digest
from hive_gate.target.cache import Cache
from hive_gate.target.identify import resolve

pytestmark = pytest.mark.live


@pytest.mark.parametrize("version", ["0.142.5"])
def test_a_digest_is_what_the_program_says_today(version: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    kept, program = read_digest(version), resolve(version)
    # A cache of its own: what was generated for an earlier run would prove nothing.
    made = program_digest(program, Cache(tmp_path_factory.mktemp("cache")))
    assert made.version == version
    assert made.messages == kept.messages
    assert made.definitions == kept.definitions
    assert checksum(made) == checksum(kept)
