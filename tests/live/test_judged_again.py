"""What real servers answered, judged again from the report alone, is what was judged when they ran."""

from __future__ import annotations

import pytest

from hive_gate.baseline.apply import as_judged
from hive_gate.cli.judge_report import judged_again
from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.report.jsonfile import to_text

from .conftest import VERSIONS, Probed

pytestmark = pytest.mark.live


@pytest.mark.parametrize("version", VERSIONS)
def test_a_run_is_judged_again_byte_for_byte(probed: Probed, version: str) -> None:
    report = probed.report(version)
    again = judged_again(probed.folder / version / "report.json", load_contract(DEFAULT_CONTRACT), None)
    assert to_text(again) == to_text(as_judged(report))
