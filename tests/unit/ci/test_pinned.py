"""The job for a change that moves the pinned version or the accepted one."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.ci_checkout import Scenario, calls, commit, stubbed
from tests.support.workflow import Job, Run, Runner, environment

CONTRACT = "contracts/hive-app-server-contract.json"
BASELINE = "contracts/baseline.toml"

Change = Callable[[Path], None]


def pin(version: str) -> Change:
    return lambda checkout: _replaced(checkout / CONTRACT, r'"pinned": "[\d.]+"', f'"pinned": "{version}"')


def accept(version: str) -> Change:
    return lambda checkout: _replaced(checkout / BASELINE, r'(?m)^accepted = "[\d.]+"', f'accepted = "{version}"')


def _replaced(file: Path, pattern: str, text: str) -> None:
    found, count = re.subn(pattern, text, file.read_text())
    assert count == 1
    file.write_text(found)


@pytest.fixture
def pull_request(tmp_path: Path) -> Callable[..., Job]:
    """Change a checkout, and run the workflow on the merge of that."""

    def run(change: Change, scenario: Scenario, before: Change | None = None) -> Job:
        checkout = stubbed(tmp_path / "checkout", scenario)
        if before is not None:
            before(checkout)
        commit(checkout, "as it was")
        change(checkout)
        commit(checkout, "as it shall be")
        runner = Runner(checkout, tmp_path / "run", environment())
        done: Run = runner.run(checkout / ".github" / "workflows" / "pinned-version.yml")
        return done.job("can-i-bump")

    return run


def asked(tmp_path: Path) -> list[str]:
    """Return what was asked for the summary."""
    found = [call.words for call in calls(tmp_path / "checkout") if "github" in call.words]
    return [f"{words[1]} from {words[words.index('--from') + 1]}" for words in found]


def moved(pinned: str, accepted: str = "0.142.5", **more: object) -> Scenario:
    return Scenario(words={"pinned": pinned, "accepted": accepted}, **more)  # type: ignore[arg-type]


def test_yes_is_green_with_the_answer_in_the_summary_and_the_evidence_kept(
    pull_request: Callable[..., Job], tmp_path: Path
) -> None:
    job = pull_request(pin("0.142.2"), moved("0.142.2"))

    assert job.result == "success"
    assert asked(tmp_path) == ["0.142.2 from 0.142.5"]
    assert job.summary == "## pinned: codex 0.142.5 -> 0.142.2\n\ncan-i-bump as github: Yes.\n"
    assert (
        "::notice title=codex 0.142.2 can be taken::the contract holds on it, but for what the baseline accepts"
        in job.marks
    )
    kept = {path.name for path in (tmp_path / "run" / "artifacts" / "can-i-bump" / "pinned").iterdir()}
    assert {"answer.github.md", "answer.json", "answer.html", "drift.json"} <= kept


def test_no_is_red_with_1_and_the_annotations_of_the_answer(pull_request: Callable[..., Job], tmp_path: Path) -> None:
    job = pull_request(pin("0.143.0"), moved("0.143.0", bump=(1, "No: it breaks 3."), drift=(1, "Breaking: 1 change.")))

    assert (job.result, job.code) == ("failure", 1)
    assert job.marks == [
        "::error title=codex drifted::No: it breaks 3.",
        "::error title=a clause::broke",
        "::warning title=schema drift::Breaking: 1 change.",
    ]
    assert (tmp_path / "run" / "artifacts" / "can-i-bump" / "pinned" / "answer.json").is_file()


def test_schemas_that_drift_do_not_make_a_no_of_a_yes(pull_request: Callable[..., Job]) -> None:
    job = pull_request(pin("0.143.0"), moved("0.143.0", drift=(1, "Breaking: 1 change.")))

    assert job.result == "success"
    assert "::warning title=schema drift::Breaking: 1 change." in job.marks


def test_what_could_not_be_judged_ends_with_3_and_is_no_drift(pull_request: Callable[..., Job], tmp_path: Path) -> None:
    job = pull_request(pin("0.143.0"), moved("0.143.0", bump=(3, "Not known: npm could not reach its registry")))

    assert job.code == 3
    assert job.marks == [
        "::error title=could not be judged::network or start, no drift: Not known: npm could not reach its registry"
    ]
    assert not any(call.words[0] == "drift" for call in calls(tmp_path / "checkout"))


@pytest.mark.parametrize("code", [2, 4, 130])
def test_other_exit_codes_are_passed_on(code: int, pull_request: Callable[..., Job]) -> None:
    assert pull_request(pin("0.143.0"), moved("0.143.0", bump=(code, "It failed."))).code == code


def test_a_change_that_moves_no_version_is_green_and_says_so(pull_request: Callable[..., Job], tmp_path: Path) -> None:
    def reword(checkout: Path) -> None:
        _replaced(checkout / CONTRACT, r'"title": "What Hive relies on', '"title": "All that Hive relies on')

    job = pull_request(reword, moved("0.142.5"))

    assert job.result == "success"
    assert asked(tmp_path) == []
    told = "the contract pins codex 0.142.5 and the baseline accepts up to 0.142.5, as before: nothing is to be asked"
    assert job.marks == [f"::notice title=no version moved::{told}"]
    assert job.summary.startswith("## No version moved\n")


def test_moving_accepted_asks_as_well(pull_request: Callable[..., Job], tmp_path: Path) -> None:
    job = pull_request(accept("0.144.0"), moved("0.142.5", "0.144.0"))

    assert job.result == "success"
    assert asked(tmp_path) == ["0.144.0 from 0.142.5"]
    assert "accepted: 0.142.5 -> 0.144.0" in job.log


def test_both_moving_alike_is_asked_once(pull_request: Callable[..., Job], tmp_path: Path) -> None:
    def both(checkout: Path) -> None:
        pin("0.144.0")(checkout)
        accept("0.144.0")(checkout)

    pull_request(both, moved("0.144.0", "0.144.0"))

    assert asked(tmp_path) == ["0.144.0 from 0.142.5"]


def test_a_contract_that_is_new_is_asked_about_by_itself(pull_request: Callable[..., Job], tmp_path: Path) -> None:
    kept: dict[str, str] = {}

    def remove(checkout: Path) -> None:
        kept.update({name: (checkout / name).read_text() for name in (CONTRACT, BASELINE)})
        for name in kept:
            (checkout / name).unlink()

    def put(checkout: Path) -> None:
        for name, text in kept.items():
            (checkout / name).write_text(text)

    job = pull_request(put, moved("0.142.5"), before=remove)

    assert job.result == "success"
    assert asked(tmp_path) == ["0.142.5 from 0.142.5"]


@pytest.mark.parametrize(("name", "text"), [(CONTRACT, "{"), (BASELINE, "accepted = "), (CONTRACT, "[]")])
def test_what_could_not_be_read_before_is_said_and_is_no_drift(
    name: str, text: str, pull_request: Callable[..., Job], tmp_path: Path
) -> None:
    whole = Path(__file__).parents[3] / name

    job = pull_request(
        lambda checkout: _written(checkout / name, whole.read_text()),
        moved("0.142.5"),
        before=lambda checkout: _written(checkout / name, text),
    )

    assert job.code == 2
    assert job.marks == [f"::error title=hive-gate was not asked well::{name} cannot be read as it was at HEAD^1"]
    assert asked(tmp_path) == []


def _written(file: Path, text: str) -> None:
    file.write_text(text)


def test_a_contract_that_is_not_valid_any_more_is_told_as_hive_gate_tells_it(pull_request: Callable[..., Job]) -> None:
    job = pull_request(pin("0.143.0"), Scenario(words={}))

    assert job.code == 2
    assert job.marks == ["::error title=hive-gate was not asked well::'pinned' names no version of codex"]


def test_a_base_that_was_not_fetched_is_said(tmp_path: Path) -> None:
    checkout = stubbed(tmp_path / "checkout", moved("0.143.0"))
    commit(checkout, "the only one")

    done = subprocess.run(
        ["bash", "ci/pinned.sh"],
        cwd=checkout,
        env=environment(BASE="HEAD^1"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "error: hive-gate was not asked well: BASE is 'HEAD^1', and there is no such commit here" in done.stdout
