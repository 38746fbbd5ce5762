"""Which versions would be probed, for a CI that spreads them over its machines."""

from __future__ import annotations

from collections.abc import Sequence

from hive_gate.report.jsontext import dumps

SCHEMA_ID = "hive-gate/plan/1"


def plan_text(versions: Sequence[str], shard: tuple[int, int] | None) -> str:
    """Return the plan as JSON on one line, so that it fits where a CI takes one line.

    Args:
        versions: those that would be probed; with a shard, those of its share.
        shard: which, and of how many; None: all.
    """
    share = None if shard is None else {"index": shard[0], "of": shard[1]}
    return dumps({"schema": SCHEMA_ID, "versions": list(versions), "shard": share}) + "\n"
