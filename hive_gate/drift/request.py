"""Does the target accept all that Hive may send?"""

from __future__ import annotations

from typing import ClassVar

from hive_gate.drift.flow import Flow, Rules
from hive_gate.drift.mismatch import Mismatch
from hive_gate.drift.resolve import child
from hive_gate.drift.shapes import Shape


class Request(Flow):
    """Hive sends, the target accepts.

    Hive sends the members that its schema names, whatever its `additionalProperties` says. A member that the target
    does not name is a mismatch although its schema mostly allows it: this server ignores what it does not know, so
    Hive would ask for something and not get it.
    """

    rules: ClassVar[Rules] = Rules(
        direction="request",
        type="request-type-refused",
        null="request-type-refused",
        enum="request-enum-refused",
        open="request-enum-refused",
        range="request-range-refused",
    )

    def members(self, sent: Shape, allowed: Shape, at: str) -> list[Mismatch]:
        """Compare what Hive sends in an object with what the target accepts in it."""
        found: list[Mismatch] = []
        named = dict(sent.properties)
        if isinstance(sent.additional, dict):
            named["*"] = sent.additional
        for name, schema in named.items():
            here, accepted = child(at, name), allowed.member(name)
            if accepted is None:
                known = ", ".join(sorted(allowed.properties)) or "no members"
                found.append(self.mismatch("request-field-unknown", here, known, f"sends `{name}`"))
            else:
                found += self.compare(schema, accepted, here)
        for name in sorted(allowed.required - sent.required):
            actual = "may leave out" if name in sent.properties else "does not send"
            found.append(self.mismatch("request-field-required", child(at, name), "always sent", actual))
        return found
