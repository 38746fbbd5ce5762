"""The steps of a clause in words, for whoever knows JSON-RPC: what is sent, and what has to come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hive_gate.report.jsontext import dumps
from tools.mdtext import SHORT, Point, code, codes, item_lines, json_code

_ORDERS = {"asc": "oldest first", "desc": "newest first"}

_TRAFFIC = {
    "lines": "Every line that a server wrote in this run is looked at.",
    "replies": "Every reply of this run is held against the server's own schema.",
    "notifications": "Every notification of this run is held against the server's own schema.",
}


def step_lines(steps: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the Markdown lines of a numbered list: steps as the contract has them, axes of `over` not filled in."""
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        lines += item_lines(f"{number}. ", Point(*_told(step), tuple(_points(step))))
    return lines


def _told(step: Mapping[str, Any]) -> tuple[str, Any]:
    """Return what a step does: a line, and the JSON that is too long for it."""
    text, value = next(tell(step) for kind, tell in KINDS.items() if kind in step)
    where = " on a second server of the same home" if "second" in step and "restart" not in step else ""
    where += f", within {step['within']} seconds" if "within" in step else ""
    where += f" (later called {code(step['as'])})" if "as" in step else ""
    if value is None:
        return f"{text}{where}.", None
    told, block = _with_json(f"{text}{where}, with", value)
    return (told, block) if block is not None else (f"{told}.", None)


def _with_json(text: str, value: Any) -> tuple[str, Any]:
    """Return a line that ends in a JSON value, or in a colon and the value for a block."""
    if isinstance(value, str) and value.startswith("${") and value.endswith("}"):
        return f"{text} {code(value)}", None
    return (f"{text}:", value) if len(dumps(value)) > SHORT else (f"{text} {json_code(value)}", None)


def _call(step: Mapping[str, Any]) -> tuple[str, Any]:
    return f"Call {code(step['call'])}", step.get("params")


def _walk(step: Mapping[str, Any]) -> tuple[str, Any]:
    most = f" in at most {step['max-pages']} pages" if "max-pages" in step else ""
    return f"Walk {code(step['walk'])} to `nextCursor: null`{most}", step.get("params")


def _turn(step: Mapping[str, Any]) -> tuple[str, Any]:
    turn = step["turn"]
    model = turn.get("model", [])
    answer = {"fails": "the model fails", "waits": "the model waits"}
    told = answer[model] if isinstance(model, str) else f"the model answers {_listed(model)}"
    thread = code(turn["thread"] if "thread" in turn else turn["id"])
    return f"Run a real turn on {thread}: the user says {json_code(turn['user'])}, {told}", None


def _store(step: Mapping[str, Any]) -> tuple[str, Any]:
    store = step["store"]
    where = f"of the stored thread {code(store['thread'])}, behind the server's back"
    if "append" in store:
        return f"Append turns to the file {where}", store["append"]
    return f"Append the marker that drops the last {_count(store['rollback'], 'turn')} to the file {where}", None


def _restart(step: Mapping[str, Any]) -> tuple[str, Any]:
    how = step["restart"]
    between = f"; in between {codes(how['deleting'])} of the CODEX_HOME are deleted" if isinstance(how, dict) else ""
    which = "second server" if "second" in step else "server"
    return f"End the {which} and start it again on the same home{between}", None


def _file(step: Mapping[str, Any]) -> tuple[str, Any]:
    file = step["file"]
    names = {
        "rollout": "the file of the stored thread {}", "codexHome": "the file {} in the CODEX_HOME",
        "work": "the file {} in the working folder", "path": "the file {}",
    }  # fmt: skip
    what = next(text.format(code(file[name])) for name, text in names.items() if name in file)
    return f"Look at {what}" + (f", and compare it with {code(file['since'])}" if "since" in file else ""), None


def _database(step: Mapping[str, Any]) -> tuple[str, Any]:
    look = step["database"]
    return (
        f"Look into the database {code(look['file'])}: the column {code(look['column'])} of the rows of "
        f"{code(look['table'])} with the id {code(look['id'])}",
        None,
    )


def _model_input(step: Mapping[str, Any]) -> tuple[str, Any]:
    look = step["model-input"]
    parts = [f"{verb} {_listed(look[verb])}" for verb in ("has", "lacks") if verb in look]
    return f"The last request to the model {', and '.join(parts)}", None


KINDS: dict[str, Callable[[Mapping[str, Any]], tuple[str, Any]]] = {
    "call": _call,
    "walk": _walk,
    "notify": lambda step: (f"Send the notification {code(step['notify'])}", step.get("params")),
    "raw": lambda step: (f"Send the line {code(step['raw'])} as it is", None),
    "together": lambda _: ("Send these requests before any reply is read", None),
    "restart": _restart,
    "store": _store,
    "turn": _turn,
    "await": lambda step: (f"Wait for the notification {code(step['await'])}", None),
    "schema": lambda step: (f"Look {code(step['schema'])} up in the schema that the server itself generates", None),
    "traffic": lambda step: (_TRAFFIC[step["traffic"]].removesuffix("."), None),
    "file": _file,
    "database": _database,
    "model-input": _model_input,
    "release": lambda _: ("Let the model answer the turn that waits for it", None),
}
"""Kind of a step to what says it: a phrase without its end, and the JSON that it is done with."""


def _points(step: Mapping[str, Any]) -> Iterator[Point]:
    """Yield why there is a step, what is expected of it and what follows from it."""
    if "why" in step:
        yield Point(step["why"])
    for part in step.get("together", ()):
        yield Point(*_told(part), tuple(_points(part)))
    if "where" in step:
        yield Point(*_with_json("its params fit", step["where"]))
    yield from _expected(step.get("expect", {}))
    if "changes" in step:
        change = step["changes"]
        yield Point(f"from here on {code(change['thread'])} is without its last {_count(change['rollback'], 'turn')}")
    for name, pointer in step.get("capture", {}).items():
        what = f"what stands at {code(pointer)} of the result" if pointer else "the whole result"
        yield Point(f"{code(f'${{{name}}}')} is from here on {what}")


def _expected(expect: Mapping[str, Any]) -> Iterator[Point]:
    if "error" in expect:
        yield Point(_refused(expect["error"]))
    if "any-answer" in expect:
        yield Point("any answer will do, a result or an error")
    if "or-refused" in expect:
        held = {name: value for name, value in expect.items() if name != "or-refused"}
        yield Point("an error, or a result of which this holds:", None, tuple(_expected(held)))
        return
    if "result" in expect:
        yield Point(*_with_json("the result fits", expect["result"]))
    for invariant in expect.get("invariants", ()):
        ((name, value),) = invariant.items()
        yield Point(f"{INVARIANTS[name](value)} ({code(name)})")
    if expect.get("notifications"):
        told = tuple(_notification(one["method"], one.get("params")) for one in expect["notifications"])
        yield Point("with it come these notifications in this order, and others between them:", None, told)
    for each in expect.get("exactly", ()):
        yield _exactly(each["method"], each["params"])
    if "facts" in expect:
        yield Point(*_with_json("what is found fits", expect["facts"]))
    if "offered" in expect:
        fits = ", and what Hive sends and reads fits it" if expect.get("compatible") else ""
        yield Point(f"it is there{fits}" if expect["offered"] else "it is not there")


def _refused(error: Mapping[str, Any]) -> str:
    parts = [f"the code {error['code']}"] if "code" in error else []
    if error.get("message", ".") != ".":  # a single dot is any message at all
        parts.append(f"a message like {code(error['message'])}")
    return "an error" + (f" with {' and '.join(parts)}" if parts else ", whichever")


def _notification(method: str, params: Any) -> Point:
    return Point(code(method)) if params is None else Point(*_with_json(f"{code(method)}, whose params fit", params))


def _exactly(method: str, params: Sequence[Any]) -> Point:
    if not params:
        return Point(f"no notification {code(method)} comes with it")
    told = tuple(Point(*_with_json("params that fit", each)) for each in params)
    count = "exactly one notification" if len(params) == 1 else f"exactly {len(params)} notifications"
    return Point(f"with it {'comes' if len(params) == 1 else 'come'} {count} {code(method)}:", None, told)


def _some(value: Mapping[str, Any], what: str) -> str:
    """Say which turns or items of a thread, in which order."""
    order = _ORDERS.get(value["order"], f"in the order {code(value['order'])}")
    parts = [order]
    if value.get("skip"):
        parts.append(f"without the first {_plain(value['skip'])}")
    if "take" in value:
        parts.append(f"{_plain(value['take'])} at most")
    of = f"turn {_plain(value['turn'])} of {code(value['of'])}" if "turn" in value else code(value["of"])
    return f"at {code(value.get('at', '/data'))} are exactly the {what} of {of}, {', '.join(parts)}"


def _same_turns(value: Mapping[str, Any]) -> str:
    order = ", the other way round" if value.get("reversed") else ""
    here, there = (code(value.get(name, "/data")) for name in ("at", "there"))
    return f"at {here} are the same turns as at {there} of {code(value['step'])}{order}"


INVARIANTS: dict[str, Callable[[Any], str]] = {
    "turns-match-scene": lambda value: _some(value, "turns"),
    "items-match-view": lambda value: (
        f"each turn of {code(value['of'])} at {code(value.get('at', '/data'))} has the items of the view "
        f"{code(value['view'])}"
    ),
    "items-match-scene": lambda value: _some(value, "items"),
    "page-sizes": lambda value: f"each page holds {_plain(value)} of them, the last one at most",
    "cursor-advances": lambda _: "no cursor comes twice, and the last is null",
    "same-turns-as": _same_turns,
    "equals": lambda value: f"at {code(value['at'])} is {_with_json('', value['value'])[0].strip()}",
    "same-error-as": lambda value: f"the same error as that of {code(value)}, the method's name aside",
    "other-error-than": lambda value: (
        f"an error that differs from that of {code(value)} by more than the method's name"
    ),
    "reply-size-like": lambda value: (
        f"a reply as large as that of {code(value['step'])}, give or take {value['slack']} bytes"
    ),
}
"""Name of an invariant to what says it; see `hive_gate.probe.invariants`."""


def _plain(value: Any) -> str:
    """Return a number as it is, and a name that stands for one as code."""
    return code(value) if isinstance(value, str) else str(value)


def _count(value: Any, noun: str) -> str:
    return noun if value == 1 else f"{_plain(value)} {noun}s"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(json_code(text) for text in texts)
