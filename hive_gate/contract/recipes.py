"""The scene recipes that a contract names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hive_gate.contract.check import form_faults, invalid
from hive_gate.contract.fault import Fault
from hive_gate.contract.jsonfile import beside, read_json
from hive_gate.contract.names import escape
from hive_gate.errors import ContractError


def read_recipe(contract: Path, name: str, relative: str) -> tuple[Mapping[str, Any], bytes]:
    """Return the recipe of a scene and the bytes of its file.

    Args:
        contract: the contract's path.
        name: the scene's.
        relative: the recipe's path, relative to the contract.

    Raises:
        ContractError: if there is no such file, or it is not a recipe that can be carried out.
    """
    path = beside(contract, relative)
    if path is None:
        raise ContractError(
            f"the recipe of scene {name!r} does not exist: {relative!r}",
            where=f"{contract}#/scenes/{escape(name)}",
            hint="give its path relative to the contract",
        )
    recipe, data = read_json(path, f"recipe of scene {name!r}")
    faults = form_faults(recipe, "scene recipe") or list(_unmade(recipe))
    if faults:
        raise invalid(path, "scene recipe", faults)
    return recipe, data


def turn_faults(turns: Any, pointer: str) -> Iterator[Fault]:
    """Yield what is wrong with turns that a clause adds to a stored thread."""
    for index, turn in enumerate(turns):
        at = f"{pointer}/{index}"
        faults = form_faults(turn, "scene recipe", "turn", at)
        yield from faults or _never_ended(turn, at)


def _unmade(recipe: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what a recipe asks for and nobody can make: the truth would be wrong, and a right server with it."""
    for name, thread in recipe["threads"].items():
        at = f"/threads/{escape(name)}"
        real = thread.get("made") == "by-turns"
        if real and thread.get("archived"):
            yield Fault(f"{at}/archived", "a thread that is made by turns is not archived")
        for index, turn in enumerate(thread["turns"]):
            here = f"{at}/turns/{index}"
            yield from _never_ended(turn, here)
            if real and turn.get("ends", "completed") != "completed":
                yield Fault(f"{here}/ends", "a turn that is really run ends as it ends: only `completed` can be told")
            if real and any("reasoning" in item for item in turn.get("then", ())):
                yield Fault(f"{here}/then", "the stand-in model does not reason: leave `reasoning` to stored threads")


def _never_ended(turn: Mapping[str, Any], at: str) -> Iterator[Fault]:
    if turn.get("ends") == "open" and "shown-as" not in turn:
        yield Fault(f"{at}/ends", "no server shows a turn as `open`: say in `shown-as` what it may be shown as")
