"""What a difference means for Hive at a place that it uses."""

from __future__ import annotations

from hive_gate.drift.difference import Difference
from hive_gate.drift.kinds import Level
from hive_gate.drift.place import Place
from hive_gate.drift.shapes import ANYTHING

Effect = Level | None
"""None: nothing of what Hive uses has changed."""

_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object", ANYTHING})


def on_sent(difference: Difference, place: Place) -> Effect:
    """Return how bad a difference is for what Hive sends.

    That more is accepted than before changes nothing for Hive, which sends what its schemas say; a new member does only
    if they name it.

    Args:
        difference: what has changed.
        place: what Hive's schemas say at the start of the difference's path.
    """
    here, around = place.walk(difference.path), place.walk(difference.path[:-1])
    if difference.kind in ("required-field-added", "field-now-required", "default-changed"):
        # These concern whoever sends the object, whether the member is named or not.
        if around is None or not around.objects:
            return None
        always, name = around.always(difference.path[-1]), difference.kind
        return (None if always else "risky") if name == "default-changed" else "news" if always else "breaking"
    return _sent(difference, here) if here else None


def on_read(difference: Difference, place: Place) -> Effect:
    """Return how bad a difference is for what Hive reads; the arguments are those of :func:`on_sent`."""
    here = place.walk(difference.path)
    if here is None:
        return None
    if difference.kind == "field-now-optional":
        around = place.walk(difference.path[:-1])
        if around is None or not around.always(difference.path[-1]):
            return "news"
        # This server writes out what may be null or has a default; and null is what absence comes down to.
        return "risky" if difference.written or here.null else "breaking"
    return _read(difference, here)


def on_known(difference: Difference) -> Effect:
    """Return how bad a difference is for a member that Hive knows of and does not read."""
    gone = ("field-removed", "required-field-removed", "type-changed")
    return "risky" if difference.kind in gone else None


def _sent(difference: Difference, here: Place) -> Effect:
    match difference.kind:
        case "field-removed" | "required-field-removed" | "field-now-experimental":
            return "breaking"
        case "field-added" | "field-now-stable":
            return "news"
        case "null-removed":
            return "breaking" if here.null else None
        case "type-removed":
            return "breaking" if here.types & {*difference.value, ANYTHING} else None
        case "type-narrowed":
            return None if here.types <= {*difference.value, "null"} else "breaking"
        case "type-changed":
            # Other names than those of types are definitions that have become others.
            gone = set(difference.value[0])
            return "breaking" if gone - _TYPES or here.types & {*gone, ANYTHING} else None
        case "value-removed":
            return "breaking" if here.may_be(difference.value) else None
        case "values-closed":
            unknown = any(value not in difference.value for value in here.constants())
            return "breaking" if unknown or here.is_open(difference.thing) else None
        case "range-narrowed" | "range-changed":
            outside = here.exceeds(*difference.value)
            return "risky" if outside is None else "breaking" if outside else None
        case "variant-removed":
            # Without a tag it cannot be told which objects are meant.
            worst: Level = "breaking" if "=" in difference.value else "risky"
            return worst if here.has_variant(difference.value) else None
        case "limit-changed" | "closed":
            return "risky"
    return None


def _read(difference: Difference, here: Place) -> Effect:
    match difference.kind:
        case "field-removed" | "required-field-removed":
            return "breaking"
        case "null-added":
            return "news" if here.null else "breaking"
        case "type-added" | "type-changed":
            come = difference.value[1] if difference.kind == "type-changed" else difference.value
            known = here.types | ({"integer"} if "number" in here.types else set())
            return "news" if ANYTHING in known or set(come) <= known else "breaking"
        case "type-widened":
            return "news" if ANYTHING in here.types else "breaking"
        case "value-added":
            return "news" if here.may_be(difference.value) else "risky"
        case "values-opened":
            return "news" if here.is_open(difference.thing) else "risky"
        case "range-widened" | "range-changed":
            limited = any(shape.low is not None or shape.high is not None for shape in here.shapes)
            return "risky" if limited else "news"
        case "variant-added":
            allowed = "=" in difference.value and here.has_variant(difference.value)
            return "news" if allowed or ANYTHING in here.types else "risky"
        case "field-now-experimental" | "default-changed":
            return "risky"
        case "limit-changed" | "opened" | "closed":
            return None
    return "news"
