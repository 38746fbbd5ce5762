"""turn/start, turn/steer and turn/interrupt."""

from __future__ import annotations

from hive_gate.reference.server import running, wire
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import RpcError, refusal
from hive_gate.reference.server.inputs import Inputs
from hive_gate.reference.server.loaded import RunningTurn
from hive_gate.reference.server.settings import changed
from hive_gate.reference.store.errors import ThreadStoreError
from hive_gate.reference.store.records import ItemsView, StoredTurn, StoredTurnStatus


def start(core: Core, asked: Asked) -> None:
    """Answer turn/start; while a turn runs, the input joins that one and the new turn id comes to nothing."""
    loaded = core.need_loaded(asked.params)
    inputs = _inputs(asked)
    turn = RunningTurn()
    reply = StoredTurn(turn.turn_id, StoredTurnStatus.IN_PROGRESS, items_view=ItemsView.NOT_LOADED)
    if loaded.running is not None:
        loaded.running.steered.append(inputs)
        asked.reply({"turn": wire.turn(reply)})
        return
    loaded.settings = changed(loaded.settings, asked.params)
    try:
        running.prepare(core, loaded, turn)
    except ThreadStoreError as error:
        raise refusal(error, "failed to start turn") from error
    asked.reply({"turn": wire.turn(reply)})
    running.begin(core, loaded, turn, inputs)


def steer(core: Core, asked: Asked) -> None:
    """Answer turn/steer: the running turn takes in what the user says."""
    loaded = core.need_loaded(asked.params)
    inputs = _inputs(asked)
    expected = asked.params["expectedTurnId"]
    if loaded.running is None:
        raise RpcError("no active turn to steer")
    if expected != loaded.running.turn_id:
        raise RpcError(f"expected active turn id `{expected}` but found `{loaded.running.turn_id}`")
    loaded.running.steered.append(inputs)
    asked.reply({"turnId": expected})


def interrupt(core: Core, asked: Asked) -> None:
    """Answer turn/interrupt.

    An empty turn id means whatever runs. The turn that was interrupted last is still taken for the active one, so
    interrupting it again is answered only when the next turn ends, as the real server does.
    """
    loaded = core.need_loaded(asked.params)
    wanted = asked.params["turnId"]
    if wanted:
        active = loaded.active()
        if active is None:
            raise RpcError("no active turn to interrupt")
        if wanted != active.turn_id:
            raise RpcError(f"expected active turn id {wanted} but found {active.turn_id}")
        if loaded.running is None:
            loaded.unanswered.append(asked.id)
            return
    asked.reply({})
    running.interrupt(core, loaded)


def _inputs(asked: Asked) -> Inputs:
    inputs = Inputs(asked.params["input"], asked.params["clientUserMessageId"])
    inputs.check()
    return inputs
