"""The kinds of change, and what each means for a client, by the side that sends what has changed.

*Breaking*: a client that kept to the old schemas can stop working with the new ones. *Risky*: whether it can depends on
what the schemas do not say. *News*: it cannot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Level = Literal["breaking", "risky", "news"]
Direction = Literal["client-request", "server-response", "notification", "server-request"]
Flow = Literal["request", "response", "notification", "server-request", "answer"]
"""One way in which values travel: `answer` is what the client answers to a request of the server."""

LEVELS: tuple[Level, ...] = ("breaking", "risky", "news")
"""The worst first."""

DIRECTIONS: dict[Flow, Direction] = {
    "request": "client-request",
    "response": "server-response",
    "notification": "notification",
    "server-request": "server-request",
    "answer": "server-request",
}

SENT_BY_CLIENT: tuple[Flow, ...] = ("request", "answer")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of change of a value.

    The sentences have `{at}` for what has changed, `{old}` and `{new}` for what it was and is now.
    """

    inverse: str
    """The kind that the same change is from the other end."""
    sent: Level
    """Its level where the client sends the value."""
    read: Level
    """Its level where the client reads it."""
    says_sent: str
    says_read: str


KINDS: dict[str, Kind] = {
    "field-removed": Kind(
        "field-added", "breaking", "breaking",
        "{at} is gone: the server ignores it without a word.", "{at} is gone.",
    ),
    "field-added": Kind("field-removed", "news", "news", "{at} is new: {new}.", "{at} is new: {new}."),
    "required-field-added": Kind(
        "required-field-removed", "breaking", "news",
        "{at} is new and must be sent: {new}.", "{at} is new and always there: {new}.",
    ),
    "required-field-removed": Kind(
        "required-field-added", "breaking", "breaking",
        "{at}, which had to be sent, is gone.", "{at}, which was always there, is gone.",
    ),
    "field-now-required": Kind(
        "field-now-optional", "breaking", "news", "{at} must now be sent.", "{at} is now always there.",
    ),
    "field-now-optional": Kind(
        "field-now-required", "news", "breaking", "{at} may now be left out.", "{at} may now be missing.",
    ),
    "field-now-experimental": Kind(
        "field-now-stable", "breaking", "risky",
        "{at} now needs the experimental capability.", "{at} now belongs to the experimental capability.",
    ),
    "field-now-stable": Kind(
        "field-now-experimental", "news", "news",
        "{at} no longer needs the experimental capability.", "{at} no longer belongs to the experimental capability.",
    ),
    "null-removed": Kind("null-added", "breaking", "news", "{at} may no longer be null.", "{at} is no longer null."),
    "null-added": Kind("null-removed", "news", "breaking", "{at} may now be null.", "{at} may now be null."),
    "type-changed": Kind(
        "type-changed", "breaking", "breaking",
        "{at} must now be {new} instead of {old}.", "{at} is now {new} instead of {old}.",
    ),
    "type-narrowed": Kind(
        "type-widened", "breaking", "news", "{at} must now be {new}, and could be anything.",
        "{at} is now {new}, and could be anything.",
    ),
    "type-widened": Kind(
        "type-narrowed", "news", "breaking", "{at} may now be anything, not only {old}.",
        "{at} may now be anything, not only {old}.",
    ),
    "type-removed": Kind(
        "type-added", "breaking", "news", "{at} may no longer be {old}.", "{at} is no longer {old}.",
    ),
    "type-added": Kind("type-removed", "news", "breaking", "{at} may now be {new} as well.",
                       "{at} may now be {new} as well."),
    "value-removed": Kind(
        "value-added", "breaking", "news", "{at} may no longer be {old}.", "{at} is no longer {old}.",
    ),
    "value-added": Kind("value-removed", "news", "risky", "{at} may now be {new} as well.",
                        "{at} may now be {new} as well."),
    "values-closed": Kind(
        "values-opened", "breaking", "news",
        "{at} must now be one of {new}, and could be any {old}.", "{at} is now one of {new}, and could be any {old}.",
    ),
    "values-opened": Kind(
        "values-closed", "news", "risky",
        "{at} may now be any {new}, not only {old}.", "{at} may now be any {new}, not only {old}.",
    ),
    "range-narrowed": Kind(
        "range-widened", "breaking", "news", "{at} must now be {new}, not {old}.", "{at} is now {new}, not {old}.",
    ),
    "range-widened": Kind(
        "range-narrowed", "news", "risky", "{at} may now be {new}, not only {old}.",
        "{at} may now be {new}, not only {old}.",
    ),
    "range-changed": Kind(
        "range-changed", "breaking", "risky", "{at} must now be {new}, not {old}.", "{at} is now {new}, not {old}.",
    ),
    "variant-removed": Kind(
        "variant-added", "breaking", "news", "{at} no longer has the variant {old}.",
        "{at} no longer has the variant {old}.",
    ),
    "variant-added": Kind(
        "variant-removed", "news", "risky", "{at} has a new variant: {new}.", "{at} has a new variant: {new}.",
    ),
    "default-changed": Kind(
        "default-changed", "risky", "risky",
        "Where {at} is left out, {new} now holds instead of {old}.",
        "Where {at} is left out, {new} now holds instead of {old}.",
    ),
    "limit-changed": Kind(
        "limit-changed", "risky", "news", "The limits of {at} are now {new} instead of {old}.",
        "The limits of {at} are now {new} instead of {old}.",
    ),
    "closed": Kind(
        "opened", "risky", "news", "{at} no longer takes members that it does not name.",
        "{at} no longer has members that it does not name.",
    ),
    "opened": Kind(
        "closed", "news", "news", "{at} now takes members that it does not name.",
        "{at} may now have members that it does not name.",
    ),
}  # fmt: skip
"""Kind of change to what it means; a rule's id is the flow and the kind, such as `response-field-removed`."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A kind of change of a whole message."""

    direction: Direction
    level: Level
    says: str
    """The sentence, with `{at}` for the message."""


WHOLES: dict[str, Whole] = {
    "method-removed": Whole("client-request", "breaking", "The method {at} is gone."),
    "method-added": Whole("client-request", "news", "The method {at} is new."),
    "method-now-experimental": Whole(
        "client-request", "breaking", "The method {at} now needs the experimental capability."
    ),
    "method-now-stable": Whole(
        "client-request", "news", "The method {at} no longer needs the experimental capability."
    ),
    "response-unstated": Whole(
        "server-response",
        "risky",
        "The result of {at} could not be compared: only the earlier target has a schema named after it.",
    ),
    "response-stated": Whole(
        "server-response",
        "risky",
        "The result of {at} could not be compared: only the later target has a schema named after it.",
    ),
    "notification-removed": Whole("notification", "breaking", "The notification {at} is gone."),
    "notification-added": Whole("notification", "news", "The notification {at} is new."),
    "notification-now-experimental": Whole(
        "notification", "risky", "The notification {at} now belongs to the experimental capability."
    ),
    "notification-now-stable": Whole(
        "notification", "news", "The notification {at} no longer belongs to the experimental capability."
    ),
    "server-request-removed": Whole("server-request", "news", "The server no longer asks {at}."),
    "server-request-added": Whole("server-request", "risky", "The server may now ask {at}: a client must answer."),
    "server-request-now-experimental": Whole(
        "server-request", "news", "The server now asks {at} only where the client has the experimental capability."
    ),
    "server-request-now-stable": Whole(
        "server-request",
        "risky",
        "The server may now ask {at} of every client, with the experimental capability or not.",
    ),
    "answer-unstated": Whole(
        "server-request",
        "risky",
        "What a client answers to {at} could not be compared: only the earlier target has a schema named after it.",
    ),
    "answer-stated": Whole(
        "server-request",
        "risky",
        "What a client answers to {at} could not be compared: only the later target has a schema named after it.",
    ),
    "client-notification-removed": Whole("client-request", "risky", "The client's notification {at} is gone."),
    "client-notification-added": Whole("client-request", "news", "The client's notification {at} is new."),
    "client-notification-now-experimental": Whole(
        "client-request", "risky", "The client's notification {at} now needs the experimental capability."
    ),
    "client-notification-now-stable": Whole(
        "client-request", "news", "The client's notification {at} no longer needs the experimental capability."
    ),
}
"""Rule id to what it means, for changes of a whole message."""

Rule: TypeAlias = str


def rule_of(flow: Flow, kind: str) -> Rule:
    """Return the id of the rule for a kind of change in one flow."""
    return f"{flow}-{kind}"


def level_of(flow: Flow, kind: str) -> Level:
    """Return how bad a kind of change is for a client that uses what has changed."""
    return KINDS[kind].sent if flow in SENT_BY_CLIENT else KINDS[kind].read


def worse(one: Level, other: Level) -> Level:
    """Return the worse of two levels."""
    return min(one, other, key=LEVELS.index)
