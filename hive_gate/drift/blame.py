"""Which error to show where a value fits no branch of a union that has no tag."""

from __future__ import annotations

from collections.abc import Iterator

from jsonschema_rs import ValidationError, ValidationErrorKind

Branch = list[ValidationError]
Leaf = tuple[tuple[str | int, ...], str]
"""Path into the value, and what is wrong there."""

_TYPE = frozenset({"type"})
_MEMBERS = frozenset({"required", "additionalProperties"})


def leaves(error: ValidationError) -> Iterator[Leaf]:
    """Yield the errors that say most: those of the branch that was meant, or `error` itself if that is not clear."""
    branches = _branches(error)
    meant = _meant(branches, error.instance_path)
    if meant is not None:
        for inner in meant:
            yield from leaves(inner)
        return
    yield tuple(error.instance_path), _types(branches, error.instance_path) or error.message


def _branches(error: ValidationError) -> list[Branch]:
    kind = error.kind
    return kind.context if isinstance(kind, ValidationErrorKind.AnyOf | ValidationErrorKind.OneOfNotValid) else []


def _meant(branches: list[Branch], here: list[str | int]) -> Branch | None:
    """Return the only branch left when those are dropped that were not meant, the clearest cases first.

    A branch for values of another type was not meant; nor was one with other members, if there is one with these; and
    of those that are left, the one with the fewest errors was, if there is just one such.
    """
    left = [branch for branch in branches if branch and not _at(branch, here, _TYPE)]
    left = [branch for branch in left if not _at(branch, here, _MEMBERS)] or left
    fewest = min((len(branch) for branch in left), default=0)
    left = [branch for branch in left if len(branch) == fewest]
    return left[0] if len(left) == 1 else None


def _types(branches: list[Branch], here: list[str | int]) -> str | None:
    """Return one sentence for all branches if they all want another type."""
    wanted = [
        name
        for branch in branches
        for error in branch
        if error.instance_path == here and isinstance(error.kind, ValidationErrorKind.Type)
        for name in error.kind.types
    ]
    if not wanted or not all(_at(branch, here, _TYPE) for branch in branches):
        return None
    names = ", ".join(f'"{name}"' for name in dict.fromkeys(wanted))
    return f"the value is not of types {names}"


def _at(branch: Branch, here: list[str | int], keywords: frozenset[str]) -> bool:
    return any(error.kind.name in keywords and error.instance_path == here for error in branch)
