"""What must come out between versions of codex that are known well; see docs/drift.md."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise

import pytest

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.drift.bundle import Part
from hive_gate.drift.changes import Change, Changes
from hive_gate.drift.compare import compare
from hive_gate.drift.compat import check_method
from hive_gate.drift.digestfile import known_versions, read_digest
from hive_gate.drift.hive import view_of
from hive_gate.drift.mismatch import Mismatch
from tests.support.digests import changes

CONTRACT = load_contract(DEFAULT_CONTRACT)
digest = cache(read_digest)


@cache
def between(old: str, new: str) -> Changes:
    return changes(digest(old), digest(new), view_of(CONTRACT))


def told(found: tuple[Change, ...]) -> list[tuple[str, str, str, str]]:
    return [(change.level, change.rule, change.subject, change.path) for change in found]


def test_the_versions_are_those_that_matter() -> None:
    wanted = "0.125.0 0.130.0 0.136.0 0.142.2 0.142.5 0.143.0 0.144.6 0.146.1 0.150.1 0.153.4 0.157.1 0.163.0 0.171.0"
    assert set(wanted.split()) <= set(known_versions())


def test_0_142_2_to_0_142_5_changes_nothing_at_all() -> None:
    assert between("0.142.2", "0.142.5").all == ()


def test_0_143_0_renames_the_items_list_and_brings_the_history_mode() -> None:
    found = between("0.142.5", "0.143.0")
    assert told(found.used) == [
        ("risky", "method-removed", "thread/turns/items/list", ""),
        ("news", "response-field-added", "Thread", "/historyMode"),
        ("news", "request-field-added", "thread/start", "/historyMode"),
        ("news", "method-added", "thread/items/list", ""),
    ]
    assert not found.breaks
    gone, come = found.used[0], found.used[3]
    assert (gone.looks_like, come.looks_like) == ("thread/items/list", "thread/turns/items/list")
    assert (gone.counterpart, come.counterpart) == (come.fingerprint, gone.fingerprint)
    assert '"legacy" or "paginated"' in found.used[1].explanation


def test_0_171_0_lacks_the_rollback_and_breaks_nothing_else_of_hives() -> None:
    found = between("0.142.5", "0.171.0")
    assert told(found.used) == [
        ("breaking", "method-removed", "thread/rollback", ""),
        ("risky", "method-removed", "thread/turns/items/list", ""),
        ("news", "response-field-added", "Thread", "/historyMode"),
        ("news", "response-variant-added", "ThreadItem", ""),
        ("news", "response-variant-added", "ThreadItem", ""),
        ("news", "request-field-now-stable", "thread/resume", "/excludeTurns"),
        ("news", "request-field-added", "thread/start", "/historyMode"),
        ("news", "method-added", "thread/items/list", ""),
        ("news", "method-now-stable", "thread/turns/list", ""),
    ]
    assert found.breaks


@pytest.mark.parametrize(
    ("old", "new", "method", "member"),
    [
        ("0.146.1", "0.153.4", "account/usage/read", "/threadUsage"),
        ("0.157.1", "0.171.0", "account/gatewayOAuth/login", "/prompt"),
        ("0.157.1", "0.171.0", "account/gatewayOAuth/read", "/supportsDeviceAuth"),
    ],
)
def test_a_result_that_params_lead_to_in_one_version_only_is_compared_in_both(
    old: str, new: str, method: str, member: str
) -> None:
    for one, other, rule in ((old, new, "response-field-added"), (new, old, "response-field-removed")):
        read = [(c.rule, c.path) for c in between(one, other).all if c.direction == "server-response"
                and c.subject == method]  # fmt: skip
        assert read == [(rule, member)]


def test_no_result_is_called_new_or_gone_that_both_versions_describe() -> None:
    for pair in pairwise(known_versions()):
        for old, new in (pair, pair[::-1]):
            assert [change for change in between(old, new).all if "stated" in change.rule] == []


def test_results_to_which_no_name_leads_are_known_to_be_uncompared() -> None:
    assert compare(digest("0.142.5"), digest("0.143.0")).uncompared == [
        "account/usage/read",
        "account/workspaceMessages/read",
        "config/batchWrite",
        "config/mcpServer/reload",
        "config/value/write",
    ]


def test_the_rollback_goes_with_0_157_1() -> None:
    first = next(new for new in known_versions()[1:] if between("0.125.0", new).breaks)
    assert first == "0.157.1"


def test_the_turns_list_moves_behind_the_capability_and_out_again() -> None:
    there, back = between("0.125.0", "0.130.0"), between("0.150.1", "0.153.4")
    assert ("risky", "method-now-experimental", "thread/turns/list", "") in told(there.used)
    assert ("risky", "request-field-now-experimental", "thread/resume", "/excludeTurns") in told(there.used)
    assert ("news", "method-now-stable", "thread/turns/list", "") in told(back.used)


def test_a_new_member_of_a_shared_definition_is_one_line_with_its_methods() -> None:
    found = [
        change
        for change in between("0.157.1", "0.163.0").all
        if change.path == "/rootTurnId" and change.direction == "server-response"
    ]
    assert [change.subject for change in found] == ["Turn"]
    assert {"thread/turns/list", "thread/read", "thread/resume", "turn/start"} <= set(found[0].methods)


@pytest.mark.parametrize("version", known_versions())
def test_a_version_differs_from_itself_in_nothing(version: str) -> None:
    assert between(version, version).all == ()


@pytest.mark.parametrize("version", [v for v in known_versions() if v != CONTRACT.pinned])
def test_what_breaks_hive_is_what_does_not_fit_its_schemas(version: str) -> None:
    """Another way to the same answer: each version's schemas against Hive's, with no other version beside them."""
    before, after = misfits(CONTRACT.pinned), misfits(version)
    assert before == {}
    of_hive = ("sends", "omits", "reads")
    bad = {
        use.method
        for change in between(CONTRACT.pinned, version).used
        for use in change.uses
        if use.reason in of_hive and use.level != "news" and "experimental" not in change.rule
    }
    assert bad == set(after), after


class Described:
    """A digest in the place of the bundle that it was made from."""

    def __init__(self, version: str) -> None:
        self._messages = digest(version).messages["methods"]
        self._scope = digest(version).scope

    @property
    def methods(self) -> Mapping[str, Part | None]:
        return {
            name: None if message.params is None else Part(message.params, self._scope, "/params")
            for name, message in self._messages.items()
        }

    def result(self, method: str) -> Part | None:
        schema = self._messages[method].result
        return None if schema is None else Part(schema, self._scope, "/result")


def misfits(version: str) -> dict[str, list[Mismatch]]:
    found = {
        name: check_method(name, dict(method.params), dict(method.result), Described(version), CONTRACT.defs)  # type: ignore[arg-type]
        for name, method in CONTRACT.methods.items()
    }
    return {name: mismatches for name, mismatches in found.items() if mismatches}
