"""Can Hive read all that the target may send?"""

from __future__ import annotations

from typing import ClassVar

from hive_gate.drift import phrases
from hive_gate.drift.flow import Flow, Rules
from hive_gate.drift.mismatch import Mismatch
from hive_gate.drift.resolve import Json, child
from hive_gate.drift.shapes import ANYTHING, Shape, closed, shapes


class Response(Flow):
    """The target sends, Hive reads.

    *Members.* Each member that Hive names must be one that the target names: a required one in every variant of the
    object, an optional one in at least one of them. What the target sends beyond that is news, not a mismatch,
    unless Hive's schema is closed (`additionalProperties: false`).

    *Required by Hive, optional in the target.* This server's schemas are generated from its types, where only two
    kinds of member are ever optional: nullable ones and those with a default. It writes both out in every reply
    (`nextCursor: null`, `itemsView`), but its schema cannot say so. So an optional member counts as sent if it may be
    null or has a default; if null is a problem for Hive, `response-null` says so at the same place, and that it
    really is there is seen in the replies of the run. Only an optional member with neither is `response-field-optional`
    (unless Hive takes null for it too, to which absence comes down).

    *Fewer than Hive knows* is no mismatch: constants and variants that the target no longer sends do no harm.

    *Ranges* of numbers are not compared: what Hive writes about them is checked on every real reply.
    """

    rules: ClassVar[Rules] = Rules(
        direction="response",
        type="response-type-wider",
        null="response-null",
        enum="response-enum-new",
        open="response-type-wider",
        range=None,
    )

    def members(self, sent: Shape, allowed: Shape, at: str) -> list[Mismatch]:
        """Compare what the target sends in an object with what Hive reads of it."""
        found: list[Mismatch] = []
        for name in dict.fromkeys([*allowed.properties, *sorted(allowed.required)]):
            here, wanted, offered = child(at, name), allowed.properties.get(name, True), sent.member(name)
            if offered is not None:
                found += self.compare(offered, wanted, here)
            if name not in allowed.required:
                continue
            if offered is None:
                found.append(self._missing(here, wanted, [sent]))
            elif name not in sent.required and not self._written(offered) and not self._null_is_fine(wanted):
                found.append(self.mismatch("response-field-optional", here, "always sent", "optional"))
        return found + self._others(sent, allowed, at)

    def afterwards(self, allowed: Shape, sent: list[Shape], at: str) -> list[Mismatch]:
        """Find the members that Hive reads where they are, and that no variant has."""
        optional = [name for name in allowed.properties if name not in allowed.required]
        return [
            self._missing(child(at, name), allowed.properties[name], sent)
            for name in optional
            if all(shape.member(name) is None for shape in sent)
        ]

    def _others(self, sent: Shape, allowed: Shape, at: str) -> list[Mismatch]:
        """Compare the members that the target has beyond those Hive names, where Hive's schema speaks of them."""
        if allowed.additional in (None, True):
            return []
        extra = {name: schema for name, schema in sent.properties.items() if name not in allowed.properties}
        if sent.additional not in (None, False):
            extra["*"] = sent.additional
        found: list[Mismatch] = []
        for name, schema in extra.items():
            if allowed.additional is False:
                known = ", ".join(sorted(allowed.properties)) or "no members"
                found.append(self.mismatch("response-field-new", child(at, name), known, f"sends `{name}`"))
            else:
                found += self.compare(schema, allowed.additional, child(at, name))
        return found

    def _missing(self, here: str, wanted: Json, sent: list[Shape]) -> Mismatch:
        expected = phrases.kinds(shapes(wanted, self.accepter))
        names = [self._variant(shape) for shape in sent] if len(sent) == 1 else []
        where = f"absent {names[0]}" if names and names[0] else "absent"
        return self.mismatch("response-field-missing", here, expected, where)

    def _variant(self, shape: Shape) -> str:
        for name in sorted(shape.required & set(shape.properties), key=lambda name: (name != "type", name)):
            values = closed(shape.properties[name], self.sender)
            if values is not None and len(values) == 1:
                return f"where `{name}` is {phrases.quoted(values)}"
        return ""

    def _written(self, offered: Json) -> bool:
        has_default = isinstance(offered, dict) and "default" in offered
        return has_default or any(s.type in ("null", ANYTHING) for s in shapes(offered, self.sender))

    def _null_is_fine(self, wanted: Json) -> bool:
        return any(shape.type in ("null", ANYTHING) for shape in shapes(wanted, self.accepter))
